//===- SplitCoupledReductions.cpp - Terms that are computed once ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/CoupledReduction.h"
#include "conversion/KernelToCPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "ourc-split-coupled-reductions"

namespace ourc {
#define GEN_PASS_DEF_SPLITCOUPLEDREDUCTIONS
#include "conversion/KernelToCPU/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;
using kernel::CoupledReduceOp;

/// Rows of so many elements are read again from a core's cache.
static constexpr int64_t kLongestRow = 1 << 16;

/// Copies what `value`, of a region, is computed from.
static Value cloneSlice(OpBuilder &builder, Value value, IRMapping &mapping,
                        Region &region) {
  if (mapping.contains(value) || !region.isAncestor(value.getParentRegion()))
    return mapping.lookupOrDefault(value);
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    cloneSlice(builder, operand, mapping, region);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// The map from the elements to results without the reduced dimensions.
static AffineMap getResultMap(CoupledReduceOp op) {
  auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
  SmallVector<AffineExpr> kept;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(op.getDimensions(), d))
      kept.push_back(getAffineDimExpr(d, op.getContext()));
  return AffineMap::get(type.getRank(), 0, kept, op.getContext());
}

namespace {
/// Compares what the op adds up with what a loop over the elements computes.
class TermSearch {
public:
  TermSearch(CoupledReduceOp op, unsigned extremum, linalg::GenericOp loop)
      : op(op), extremum(extremum), loop(loop) {}

  /// The value of the loop that is `term`, or null.
  Value find(Value term) {
    for (Operation &inner : loop.getBody()->without_terminator())
      for (Value result : inner.getResults())
        if (isSame(term, result))
          return result;
    return {};
  }

private:
  /// Whether the loop's `argument` is `tensor` at the loops of `map`.
  bool reads(Value argument, Value tensor, AffineMap map) {
    auto block = dyn_cast<BlockArgument>(argument);
    if (!block || block.getOwner() != loop.getBody())
      return false;
    OpOperand *operand = loop.getMatchingOpOperand(block);
    return loop.isDpsInput(operand) && operand->get() == tensor &&
           loop.getMatchingIndexingMap(operand) == map;
  }

  bool isSame(Value mine, Value other) {
    Block &accumulate = op.getAccumulate().front();
    if (mine == accumulate.getTerminator()->getOperand(extremum))
      return reads(other, op.getResult(extremum), getResultMap(op));
    if (mine == other)
      return true;
    if (auto element = dyn_cast<BlockArgument>(mine)) {
      unsigned numStates = op.getStateTypes().size();
      if (element.getOwner() != &accumulate ||
          element.getArgNumber() < numStates)
        return false;
      Value input = op.getInputs()[element.getArgNumber() - numStates];
      AffineMap identity = AffineMap::getMultiDimIdentityMap(
          cast<RankedTensorType>(input.getType()).getRank(), op.getContext());
      return reads(other, input, identity);
    }
    Operation *x = mine.getDefiningOp(), *y = other.getDefiningOp();
    if (!x || !y || x->getNumRegions() || x->getName() != y->getName() ||
        x->getAttrDictionary() != y->getAttrDictionary() ||
        x->getNumOperands() != y->getNumOperands() ||
        cast<OpResult>(mine).getResultNumber() !=
            cast<OpResult>(other).getResultNumber() ||
        mine.getType() != other.getType() || !isPure(x))
      return false;
    return llvm::all_of(llvm::zip(x->getOperands(), y->getOperands()),
                        [&](auto pair) {
                          return isSame(std::get<0>(pair), std::get<1>(pair));
                        });
  }

  CoupledReduceOp op;
  unsigned extremum;
  linalg::GenericOp loop;
};

struct SplitReduction : OpRewritePattern<CoupledReduceOp> {
  SplitReduction(MLIRContext *context, llvm::Statistic &numSplit)
      : OpRewritePattern(context), numSplit(numSplit) {}

  LogicalResult matchAndRewrite(CoupledReduceOp op,
                                PatternRewriter &rewriter) const override {
    auto fail = [&](const Twine &why) {
      return rewriter.notifyMatchFailure(op, why);
    };
    auto kernel = op->getParentOfType<kernel::FuncOp>();
    auto schedule = dyn_cast_or_null<kernel::CPURowAttr>(
        kernel ? kernel.getScheduleAttr() : nullptr);
    if (!schedule)
      return fail("the kernel is not one of rows on a CPU");
    if (schedule.getParts() != 0)
      return fail("rows are reduced in parts");
    std::optional<unsigned> component = getExtremum(op);
    if (!component || op.getStateTypes().size() != 2)
      return fail("it is not an extremum and one sum that depends on it");
    Block &finish = op.getFinish().front();
    if (!llvm::equal(finish.getTerminator()->getOperands(),
                     ValueRange(finish.getArguments())))
      return fail("its results are not its state");
    auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
    int64_t size = 1;
    for (int64_t dim : op.getDimensions())
      if (!ShapedType::isDynamic(type.getDimSize(dim)))
        size *= type.getDimSize(dim);
    if (size > kLongestRow)
      return fail("a row does not fit a core's cache");
    unsigned extremum = *component, sum = 1 - extremum;
    Value term = getTerm(op, extremum, sum);
    SmallVector<std::pair<linalg::GenericOp, Value>> loops;
    for (Operation *user : op.getResult(extremum).getUsers()) {
      auto loop = dyn_cast<linalg::GenericOp>(user);
      if (!loop || loop.getNumReductionLoops() != 0 ||
          loop.getNumLoops() != type.getRank() ||
          llvm::any_of(loops, [&](auto &seen) { return seen.first == loop; }))
        continue;
      if (Value again = TermSearch(op, extremum, loop).find(term))
        loops.push_back({loop, again});
    }
    if (loops.empty())
      return fail("no loop computes the terms of the sum again");

    rewriter.setInsertionPoint(op);
    Value best = createExtremum(rewriter, op, extremum);
    Value terms = createTerms(rewriter, op, extremum, term, best);
    Value total = createSum(rewriter, op, sum, terms);
    for (auto [loop, again] : loops)
      readTerms(rewriter, loop, again, terms);
    SmallVector<Value> results(2);
    results[extremum] = best;
    results[sum] = total;
    rewriter.replaceOp(op, results);
    ++numSplit;
    return success();
  }

private:
  llvm::Statistic &numSplit;

  using Body = llvm::function_ref<Value(OpBuilder &, ValueRange)>;

  static void fill(PatternRewriter &rewriter, Region &region, TypeRange types,
                   Location loc, Body body) {
    OpBuilder::InsertionGuard guard(rewriter);
    Block *block = rewriter.createBlock(
        &region, {}, types, SmallVector<Location>(types.size(), loc));
    Value value = body(rewriter, block->getArguments());
    kernel::YieldOp::create(rewriter, loc, value);
  }

  /// The component of the op's state alone, reduced over `inputs`.
  static Value createReduction(PatternRewriter &rewriter, CoupledReduceOp op,
                               unsigned component, ValueRange inputs,
                               Body accumulate, Body merge) {
    Location loc = op.getLoc();
    Type state = op.getStateTypes()[component];
    auto made = CoupledReduceOp::create(
        rewriter, loc, op.getResult(component).getType(), inputs,
        op.getOutputs()[component], op.getDimensions());
    fill(rewriter, made.getInit(), {}, loc, [&](OpBuilder &b, ValueRange) {
      IRMapping mapping;
      return cloneSlice(
          b, op.getInit().front().getTerminator()->getOperand(component),
          mapping, op.getInit());
    });
    SmallVector<Type> types{state};
    for (Value input : inputs)
      types.push_back(getElementTypeOrSelf(input.getType()));
    fill(rewriter, made.getAccumulate(), types, loc, accumulate);
    fill(rewriter, made.getMerge(), {state, state}, loc, merge);
    fill(rewriter, made.getFinish(), state, loc,
         [](OpBuilder &, ValueRange v) { return v[0]; });
    return made.getResult(0);
  }

  static Value createExtremum(PatternRewriter &rewriter, CoupledReduceOp op,
                              unsigned component) {
    Block &accumulate = op.getAccumulate().front();
    Operation *combine =
        accumulate.getTerminator()->getOperand(component).getDefiningOp();
    return createReduction(
        rewriter, op, component, op.getInputs(),
        [&](OpBuilder &b, ValueRange given) {
          IRMapping mapping;
          mapping.map(accumulate.getArgument(component), given[0]);
          for (auto [i, value] : llvm::enumerate(given.drop_front()))
            mapping.map(accumulate.getArgument(2 + i), value);
          return cloneSlice(b, combine->getResult(0), mapping,
                            op.getAccumulate());
        },
        [&](OpBuilder &b, ValueRange given) {
          Operation *join = b.clone(*combine);
          join->setOperands(given);
          return join->getResult(0);
        });
  }

  static Value createTerms(PatternRewriter &rewriter, CoupledReduceOp op,
                           unsigned extremum, Value term, Value best) {
    Location loc = op.getLoc();
    Block &accumulate = op.getAccumulate().front();
    Value like = op.getInputs()[0];
    int64_t rank = cast<RankedTensorType>(like.getType()).getRank();
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, like),
        term.getType());
    SmallVector<Value> inputs(op.getInputs());
    inputs.push_back(best);
    SmallVector<AffineMap> maps(op.getInputs().size() + 2,
                                rewriter.getMultiDimIdentityMap(rank));
    maps[op.getInputs().size()] = getResultMap(op);
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    auto made = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), inputs, empty, maps, iterators,
        [&](OpBuilder &b, Location, ValueRange given) {
          IRMapping mapping;
          unsigned count = op.getInputs().size();
          for (unsigned i = 0; i < count; ++i)
            mapping.map(accumulate.getArgument(2 + i), given[i]);
          mapping.map(accumulate.getTerminator()->getOperand(extremum),
                      given[count]);
          linalg::YieldOp::create(
              b, loc, cloneSlice(b, term, mapping, op.getAccumulate()));
        });
    return made.getResult(0);
  }

  static Value createSum(PatternRewriter &rewriter, CoupledReduceOp op,
                         unsigned component, Value terms) {
    auto add = op.getAccumulate()
                   .front()
                   .getTerminator()
                   ->getOperand(component)
                   .getDefiningOp<arith::AddFOp>();
    auto body = [&](OpBuilder &b, ValueRange given) -> Value {
      return arith::AddFOp::create(b, add.getLoc(), given[0], given[1],
                                   add.getFastmath());
    };
    return createReduction(rewriter, op, component, terms, body, body);
  }

  /// `loop` with the tensor `terms` for `again`.
  static void readTerms(PatternRewriter &rewriter, linalg::GenericOp loop,
                        Value again, Value terms) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(loop);
    SmallVector<Value> inputs(loop.getInputs());
    inputs.push_back(terms);
    SmallVector<AffineMap> maps = loop.getIndexingMapsArray();
    maps.insert(maps.begin() + inputs.size() - 1,
                rewriter.getMultiDimIdentityMap(loop.getNumLoops()));
    auto made = linalg::GenericOp::create(
        rewriter, loop.getLoc(), loop.getResultTypes(), inputs,
        loop.getOutputs(), maps, loop.getIteratorTypesArray());
    rewriter.inlineRegionBefore(loop.getRegion(), made.getRegion(),
                                made.getRegion().begin());
    Block *body = made.getBody();
    Value element = body->insertArgument(inputs.size() - 1, again.getType(),
                                         again.getLoc());
    rewriter.replaceAllUsesWith(again, element);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body)))
      if (isOpTriviallyDead(&op))
        rewriter.eraseOp(&op);
    rewriter.replaceOp(loop, made.getResults());
  }
};

struct SplitCoupledReductionsPass
    : ourc::impl::SplitCoupledReductionsBase<SplitCoupledReductionsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](CoupledReduceOp op) { ops.push_back(op); });
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitReduction>(&getContext(), numSplit);
    GreedyRewriteConfig config;
    config.enableFolding(false).setStrictness(
        GreedyRewriteStrictness::ExistingOps);
    (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
  }
};
} // namespace
