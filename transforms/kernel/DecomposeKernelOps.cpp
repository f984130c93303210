//===- DecomposeKernelOps.cpp - Kernel operations as linalg ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/kernel/KernelDialect.h"
#include "transforms/kernel/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-decompose-kernel-ops"

namespace ourc {
#define GEN_PASS_DEF_DECOMPOSEKERNELOPS
#include "transforms/kernel/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

using Iterators = SmallVector<utils::IteratorType>;

/// Clones a one-block region with `arguments` for its block's; returns what it
/// yields.
static SmallVector<Value> inlineRegion(OpBuilder &builder, Region &region,
                                       ValueRange arguments) {
  IRMapping mapping;
  Block &block = region.front();
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
}

static Value createFilled(OpBuilder &builder, Location loc,
                          ArrayRef<OpFoldResult> sizes, Value value) {
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, value.getType());
  return linalg::FillOp::create(builder, loc, value, empty).getResult(0);
}

static Value createFloat(OpBuilder &builder, Location loc, Type type,
                         double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

/// f16 and bf16 elements in the type of the statistics.
static Value widen(OpBuilder &builder, Location loc, Value x, Type type) {
  if (x.getType() == type)
    return x;
  return arith::ExtFOp::create(builder, loc, type, x);
}

/// A loop nest with one result; `numParallel` parallel loops, then reductions.
static Value
createLoops(OpBuilder &builder, Location loc, ValueRange inputs,
            Value destination, ArrayRef<AffineMap> maps, unsigned numParallel,
            llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  Iterators iterators(maps.back().getNumDims(), utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), numParallel, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, destination.getType(), inputs, destination, maps,
             iterators,
             [&](OpBuilder &nested, Location loc, ValueRange elements) {
               linalg::YieldOp::create(nested, loc,
                                       body(nested, loc, elements));
             })
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// coupled_reduce
//===----------------------------------------------------------------------===//

/// One reduction with the state's components as its results, then `finish`.
static void decompose(kernel::CoupledReduceOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value first = op.getInputs().front();
  int64_t rank = cast<RankedTensorType>(first.getType()).getRank();
  ArrayRef<int64_t> dims = op.getDimensions();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, first);
  SmallVector<OpFoldResult> kept;
  SmallVector<AffineExpr> keptExprs;
  Iterators iterators;
  for (int64_t i = 0; i < rank; ++i) {
    bool isReduced = llvm::is_contained(dims, i);
    iterators.push_back(isReduced ? utils::IteratorType::reduction
                                  : utils::IteratorType::parallel);
    if (isReduced)
      continue;
    kept.push_back(sizes[i]);
    keptExprs.push_back(builder.getAffineDimExpr(i));
  }
  SmallVector<Value> states;
  for (Value value : inlineRegion(builder, op.getInit(), {}))
    states.push_back(createFilled(builder, loc, kept, value));
  unsigned numInputs = op.getInputs().size();
  SmallVector<AffineMap> maps(numInputs, builder.getMultiDimIdentityMap(rank));
  maps.append(states.size(),
              AffineMap::get(rank, 0, keptExprs, op.getContext()));
  auto reduce = linalg::GenericOp::create(
      builder, loc, ValueRange(states).getTypes(), op.getInputs(), states, maps,
      iterators, [&](OpBuilder &nested, Location loc, ValueRange elements) {
        // The region takes the state first, linalg the inputs.
        SmallVector<Value> arguments(elements.drop_front(numInputs));
        llvm::append_range(arguments, elements.take_front(numInputs));
        linalg::YieldOp::create(
            nested, loc, inlineRegion(nested, op.getAccumulate(), arguments));
      });
  unsigned keptRank = kept.size();
  SmallVector<AffineMap> identities(states.size() + op.getOutputs().size(),
                                    builder.getMultiDimIdentityMap(keptRank));
  auto finish = linalg::GenericOp::create(
      builder, loc, op.getResultTypes(), reduce.getResults(), op.getOutputs(),
      identities, Iterators(keptRank, utils::IteratorType::parallel),
      [&](OpBuilder &nested, Location loc, ValueRange elements) {
        linalg::YieldOp::create(
            nested, loc,
            inlineRegion(nested, op.getFinish(),
                         elements.take_front(states.size())));
      });
  op.replaceAllUsesWith(finish.getResults());
  op.erase();
}

//===----------------------------------------------------------------------===//
// attention
//===----------------------------------------------------------------------===//

namespace {
/// Scores, their softmax, and the sum of values, each as loops over (b…, s, t)
/// and one more dimension.
class AttentionDecomposer {
public:
  explicit AttentionDecomposer(kernel::AttentionOp op)
      : op(op), builder(op), loc(op.getLoc()), numBatch(op.getNumBatch()),
        s(numBatch), t(numBatch + 1), d(numBatch + 2), e(numBatch + 3) {
    Type element = getElementTypeOrSelf(op.getQueries().getType());
    type = element.isF64() ? element : builder.getF32Type();
  }

  void run() {
    Value probabilities = createScores();
    Value maxima =
        reduceRows(probabilities, -std::numeric_limits<double>::infinity(),
                   [](OpBuilder &b, Location loc, Value x, Value y) -> Value {
                     return arith::MaximumFOp::create(b, loc, x, y);
                   });
    probabilities = createExponentials(probabilities, maxima);
    Value sums =
        reduceRows(probabilities, 0.0,
                   [](OpBuilder &b, Location loc, Value x, Value y) -> Value {
                     return arith::AddFOp::create(b, loc, x, y);
                   });
    op.replaceAllUsesWith(createResult(probabilities, sums));
    op.erase();
  }

private:
  AffineExpr dim(unsigned i) { return builder.getAffineDimExpr(i); }

  /// The size of a dimension of the op's iteration space.
  OpFoldResult sizeOf(unsigned wanted) {
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      for (auto [j, expr] : llvm::enumerate(op.getMap(i).getResults()))
        if (expr == dim(wanted))
          return tensor::getMixedSize(builder, loc, operand, j);
    llvm_unreachable("every dimension is used by queries, keys or values");
  }

  /// An operand's map with dimensions renamed: position i becomes `renamed[i]`.
  AffineMap rename(AffineMap map, ArrayRef<unsigned> renamed,
                   unsigned numDims) {
    SmallVector<AffineExpr> dims;
    for (unsigned to : renamed)
      dims.push_back(dim(to));
    return map.replaceDimsAndSymbols(dims, {}, numDims, 0);
  }

  /// (b…, row, column).
  SmallVector<AffineExpr> batchAnd(ArrayRef<unsigned> others) {
    SmallVector<AffineExpr> exprs;
    for (unsigned i = 0; i < numBatch; ++i)
      exprs.push_back(dim(i));
    for (unsigned i : others)
      exprs.push_back(dim(i));
    return exprs;
  }
  AffineMap mapTo(unsigned numDims, ArrayRef<unsigned> others) {
    return AffineMap::get(numDims, 0, batchAnd(others), op.getContext());
  }
  SmallVector<OpFoldResult> sizesOf(ArrayRef<unsigned> others) {
    SmallVector<OpFoldResult> sizes;
    for (unsigned i = 0; i < numBatch; ++i)
      sizes.push_back(sizeOf(i));
    for (unsigned i : others)
      sizes.push_back(sizeOf(i));
    return sizes;
  }

  Value createScores() {
    // Loops (b…, s, t, d): these positions are the op's own.
    SmallVector<unsigned> own = llvm::to_vector(llvm::seq<unsigned>(0, e));
    own.push_back(0); // e is not used
    Value zero = createFloat(builder, loc, type, 0.0);
    Value products = createLoops(
        builder, loc, {op.getQueries(), op.getKeys()},
        createFilled(builder, loc, sizesOf({s, t}), zero),
        {rename(op.getMap(0), own, e), rename(op.getMap(1), own, e),
         mapTo(e, {s, t})},
        numBatch + 2, [&](OpBuilder &b, Location loc, ValueRange v) -> Value {
          Value product = arith::MulFOp::create(
              b, loc, widen(b, loc, v[0], type), widen(b, loc, v[1], type));
          return arith::AddFOp::create(b, loc, v[2], product);
        });
    SmallVector<Value> inputs{products};
    llvm::append_range(inputs, op.getScoreOperands());
    SmallVector<AffineMap> maps{mapTo(d, {s, t})};
    SmallVector<unsigned> rows = llvm::to_vector(llvm::seq<unsigned>(0, d));
    rows.append(2, 0); // d and e are not used
    for (unsigned i = 0; i < op.getScoreOperands().size(); ++i)
      maps.push_back(rename(op.getMap(3 + i), rows, d));
    maps.push_back(mapTo(d, {s, t}));
    Value empty = tensor::EmptyOp::create(builder, loc, sizesOf({s, t}), type);
    return createLoops(
        builder, loc, inputs, empty, maps, numBatch + 2,
        [&](OpBuilder &b, Location loc, ValueRange v) -> Value {
          Value scale =
              createFloat(b, loc, type, op.getScale().convertToDouble());
          SmallVector<Value> arguments(v.drop_back());
          arguments[0] = arith::MulFOp::create(b, loc, v[0], scale);
          Value score = inlineRegion(b, op.getScore(), arguments)[0];
          if (!op.getCausal())
            return score;
          Value query = linalg::IndexOp::create(b, loc, s);
          Value key = linalg::IndexOp::create(b, loc, t);
          Value isLater = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::ugt, key, query);
          Value lowest = createFloat(b, loc, type,
                                     -std::numeric_limits<double>::infinity());
          return arith::SelectOp::create(b, loc, isLater, lowest, score);
        });
  }

  Value reduceRows(
      Value scores, double neutral,
      llvm::function_ref<Value(OpBuilder &, Location, Value, Value)> join) {
    Value init = createFloat(builder, loc, type, neutral);
    return createLoops(builder, loc, scores,
                       createFilled(builder, loc, sizesOf({s}), init),
                       {mapTo(d, {s, t}), mapTo(d, {s})}, numBatch + 1,
                       [&](OpBuilder &b, Location loc, ValueRange v) {
                         return join(b, loc, v[1], v[0]);
                       });
  }

  /// Rows that are -inf throughout become zero.
  Value createExponentials(Value scores, Value maxima) {
    Value empty = tensor::EmptyOp::create(builder, loc, sizesOf({s, t}), type);
    return createLoops(
        builder, loc, {scores, maxima}, empty,
        {mapTo(d, {s, t}), mapTo(d, {s}), mapTo(d, {s, t})}, numBatch + 2,
        [&](OpBuilder &b, Location loc, ValueRange v) -> Value {
          Value lowest = createFloat(b, loc, type,
                                     -std::numeric_limits<double>::infinity());
          Value isMasked = arith::CmpFOp::create(
              b, loc, arith::CmpFPredicate::OEQ, v[1], lowest);
          Value shift = arith::SelectOp::create(
              b, loc, isMasked, createFloat(b, loc, type, 0.0), v[1]);
          Value difference = arith::SubFOp::create(b, loc, v[0], shift);
          return math::ExpOp::create(b, loc, difference);
        });
  }

  Value createResult(Value probabilities, Value sums) {
    // Loops (b…, s, e, t): d is gone, e stands before t.
    unsigned column = numBatch + 1, key = numBatch + 2, numDims = numBatch + 3;
    SmallVector<unsigned> renamed =
        llvm::to_vector(llvm::seq<unsigned>(0, numBatch + 1));
    renamed.append({key, 0, column}); // t, d (not used), e
    Value zero = createFloat(builder, loc, type, 0.0);
    Value weighted = createLoops(
        builder, loc, {probabilities, op.getValues()},
        createFilled(builder, loc, sizesOf({s, e}), zero),
        {mapTo(numDims, {s, key}), rename(op.getMap(2), renamed, numDims),
         mapTo(numDims, {s, column})},
        numBatch + 2, [&](OpBuilder &b, Location loc, ValueRange v) -> Value {
          Value product =
              arith::MulFOp::create(b, loc, v[0], widen(b, loc, v[1], type));
          return arith::AddFOp::create(b, loc, v[2], product);
        });
    unsigned last = op->getNumOperands() - 1;
    SmallVector<unsigned> rows =
        llvm::to_vector(llvm::seq<unsigned>(0, numBatch + 1));
    rows.append({0, 0, column}); // t and d are not used
    Type element = getElementTypeOrSelf(op.getType());
    return createLoops(
        builder, loc, {weighted, sums}, op.getOutput(),
        {mapTo(d, {s, column}), mapTo(d, {s}),
         rename(op.getMap(last), rows, d)},
        numBatch + 2, [&](OpBuilder &b, Location loc, ValueRange v) -> Value {
          Value result = arith::DivFOp::create(b, loc, v[0], v[1]);
          if (op.getZeroMaskedRows()) {
            Value none = createFloat(b, loc, type, 0.0);
            Value isMasked = arith::CmpFOp::create(
                b, loc, arith::CmpFPredicate::OEQ, v[1], none);
            result = arith::SelectOp::create(b, loc, isMasked, none, result);
          }
          if (element == type)
            return result;
          return arith::TruncFOp::create(b, loc, element, result);
        });
  }

  kernel::AttentionOp op;
  OpBuilder builder;
  Location loc;
  Type type;
  unsigned numBatch, s, t, d, e;
};

/// Loops over the indices, then over the dimensions that are not indexed.
static void decomposeScatter(kernel::ScatterOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto type = cast<RankedTensorType>(op.getUpdates().getType());
  int64_t indexRank =
      cast<RankedTensorType>(op.getIndices().front().getType()).getRank();
  SmallVector<Value> lower(type.getRank(), zero), step(type.getRank(), one);
  SmallVector<Value> upper;
  for (int64_t d = 0; d < type.getRank(); ++d)
    upper.push_back(tensor::DimOp::create(builder, loc, op.getUpdates(), d));
  SmallVector<int64_t> freeDims = op.getFreeDims();
  scf::LoopNest nest = scf::buildLoopNest(
      builder, loc, lower, upper, step, op.getOutput(),
      [&](OpBuilder &b, Location loc, ValueRange at,
          ValueRange carried) -> scf::ValueVector {
        int64_t rank = cast<RankedTensorType>(op.getType()).getRank();
        SmallVector<Value> place(rank);
        for (auto [axis, index] : llvm::zip(op.getAxes(), op.getIndices())) {
          Value value = tensor::ExtractOp::create(b, loc, index,
                                                  at.take_front(indexRank));
          place[axis] =
              arith::IndexCastOp::create(b, loc, b.getIndexType(), value);
        }
        for (auto [i, dim] : llvm::enumerate(freeDims))
          place[dim] = at[indexRank + i];
        Value old = tensor::ExtractOp::create(b, loc, carried[0], place);
        Value update = tensor::ExtractOp::create(b, loc, op.getUpdates(), at);
        Value value = inlineRegion(b, op.getCombine(), {old, update})[0];
        return {tensor::InsertOp::create(b, loc, value, carried[0], place)};
      });
  // Without any dimension there is no loop, but one element.
  if (nest.loops.empty())
    op.getResult().replaceAllUsesWith(nest.results.front());
  else
    op.getResult().replaceAllUsesWith(nest.loops.front().getResult(0));
  op.erase();
}

struct DecomposeKernelOpsPass
    : ourc::impl::DecomposeKernelOpsBase<DecomposeKernelOpsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<kernel::CoupledReduceOp, kernel::AttentionOp, kernel::ScatterOp>(
              op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto reduce = dyn_cast<kernel::CoupledReduceOp>(op))
        decompose(reduce);
      else if (auto scatter = dyn_cast<kernel::ScatterOp>(op))
        decomposeScatter(scatter);
      else
        AttentionDecomposer(cast<kernel::AttentionOp>(op)).run();
      ++numDecomposed;
    }
  }
};
} // namespace
