//===- RaiseAttention.cpp - Form ourc.attention from chains ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/Passes.h"
#include "transforms/graph/ScoreSpace.h"
#include "transforms/graph/Splat.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "ourc-raise-attention"

namespace ourc {
#define GEN_PASS_DEF_RAISEATTENTION
#include "transforms/graph/Passes.h.inc"
} // namespace ourc

using namespace mlir;
using namespace ourc;

/// Whether an operation only converts between floats.
static bool isFloatCast(Operation *op) {
  auto cast = dyn_cast<CastOp>(op);
  return cast && isa<FloatType>(cast.getX().getType().getElementType()) &&
         isa<FloatType>(cast.getType().getElementType());
}

namespace {
/// One chain from softmax to its two contractions. Reshapes that merge or split
/// batch dimensions may lie anywhere between them; the attention gets the batch
/// dimensions that all parts can be split into.
class AttentionMatcher {
public:
  AttentionMatcher(ContractOp root, SymbolicShapes &shapes)
      : root(root), shapes(shapes) {}

  /// Whether the root's operand is a softmax at all.
  bool isCandidate() {
    softmax = lookThrough(root.getLhs()).getDefiningOp<SoftmaxOp>();
    return softmax && static_cast<int64_t>(softmax.getDim()) ==
                          softmax.getType().getRank() - 1;
  }
  LogicalResult match();
  Value build(OpBuilder &builder);
  StringRef getReason() const { return reason; }

private:
  LogicalResult fail(StringRef why) {
    reason = why;
    return failure();
  }
  /// The value behind casts and reshapes of batch dimensions.
  Value lookThrough(Value value);
  bool isBatchReshape(Operation *op);
  /// Every value between the contractions must serve this chain alone.
  LogicalResult checkUses(Value from, Value until);
  LogicalResult matchScores(Value scores);
  LogicalResult addMask(Value mask, bool isInverted);
  /// A value, and transposes and reshapes of it, the last one first.
  struct Operand {
    Value source;
    SmallVector<Operation *> moves;
  };
  /// Takes factors off a whole operand of the product of queries and keys.
  Operand matchOperandScale(Value value);
  LogicalResult chooseSpace();
  Value getOperand(OpBuilder &builder, const Operand &operand,
                   bool isTransposed);
  Value buildMask(OpBuilder &builder);

  ContractOp root;
  SymbolicShapes &shapes;
  SoftmaxOp softmax;
  ContractOp product;
  Operand queries, keys;
  double scale = 1;
  bool isScaled = false;
  struct Mask {
    Value value; ///< i1 or float, in the scores' shape at that place
    bool isInverted;
  };
  SmallVector<Mask> masks; ///< the last one first
  ScoreSpace space;
  bool hasValuesTransposed = false, hasKeysTransposed = false;
  StringRef reason;
};
} // namespace

bool AttentionMatcher::isBatchReshape(Operation *op) {
  auto reshape = dyn_cast<ReshapeOp>(op);
  if (!reshape || reshape.getX().getType().getRank() < 2 ||
      reshape.getType().getRank() < 2)
    return false;
  return ArrayRef(shapes.getShape(reshape.getX())).take_back(2) ==
         ArrayRef(shapes.getShape(reshape.getResult())).take_back(2);
}

Value AttentionMatcher::lookThrough(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isFloatCast(op) && !isBatchReshape(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether a contraction's batch dimensions are the leading ones of both
/// sides, and it has one free and one contracted dimension on each.
static bool isBatchedProduct(ContractOp op) {
  int64_t rank = op.getType().getRank(), count = rank - 2;
  if (rank < 3 || op.getLhs().getType().getRank() != rank ||
      op.getRhs().getType().getRank() != rank ||
      op.getLhsContract().size() != 1 || op.getLhsContract()[0] != rank - 1 ||
      static_cast<int64_t>(op.getLhsBatch().size()) != count)
    return false;
  for (int64_t i = 0; i < count; ++i)
    if (op.getLhsBatch()[i] != i || op.getRhsBatch()[i] != i)
      return false;
  return true;
}

/// Whether a score chain that starts here ends in a contraction.
static bool leadsToProduct(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<ContractOp>(op))
      return true;
    if (isa<SelectOp>(op)) {
      if (leadsToProduct(op->getOperand(1)))
        return true;
      value = op->getOperand(2);
      continue;
    }
    if (isa<MulOp, DivOp, AddOp>(op)) {
      if (leadsToProduct(op->getOperand(1)))
        return true;
      value = op->getOperand(0);
      continue;
    }
    if (!isa<CastOp, ReshapeOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

LogicalResult AttentionMatcher::checkUses(Value from, Value until) {
  for (Value value = from; value != until;
       value = value.getDefiningOp()->getOperand(0))
    if (!value.hasOneUse())
      return failure();
  return success();
}

LogicalResult AttentionMatcher::match() {
  if (!isBatchedProduct(root))
    return fail("the product with the values is not batched over leading "
                "dimensions");
  hasValuesTransposed =
      root.getRhsContract()[0] == root.getType().getRank() - 1;
  if (failed(checkUses(root.getLhs(), softmax.getResult())) ||
      !softmax->hasOneUse())
    return fail("the probabilities are used elsewhere");
  return matchScores(softmax.getX());
}

LogicalResult AttentionMatcher::addMask(Value mask, bool isInverted) {
  auto isBoolean = [](Value value) {
    return getElementTypeOrSelf(value.getType()).isInteger(1);
  };
  if (!masks.empty() && isBoolean(masks.front().value) != isBoolean(mask))
    return fail("it has masks of booleans and of floats");
  // The walk goes up: a scale that was met already comes after this mask.
  if (isScaled)
    return fail("the scores are scaled after they are masked");
  masks.push_back({mask, isInverted});
  return success();
}

AttentionMatcher::Operand AttentionMatcher::matchOperandScale(Value value) {
  Operand operand{value, {}};
  SmallVector<Operation *> moves;
  while (Operation *op = value.getDefiningOp()) {
    if (isa<TransposeOp, ReshapeOp>(op)) {
      moves.push_back(op);
      value = op->getOperand(0);
      continue;
    }
    if (!isa<MulOp, DivOp>(op))
      break;
    bool isProduct = isa<MulOp>(op);
    std::optional<double> factor = getSplatNumber(op->getOperand(1));
    unsigned chain = 0;
    if (!factor && isProduct) {
      factor = getSplatNumber(op->getOperand(0));
      chain = 1;
    }
    if (!factor)
      break;
    scale = isProduct ? scale * *factor : scale / *factor;
    value = op->getOperand(chain);
    operand = {value, moves};
  }
  return operand;
}

/// Every shape that scores have must be one and the same after splitting.
LogicalResult AttentionMatcher::chooseSpace() {
  SmallVector<Value> candidates{product.getResult(), root.getResult()};
  for (const Mask &mask : masks)
    candidates.push_back(mask.value);
  for (Value candidate : candidates) {
    space = ScoreSpace(shapes, candidate);
    if (space.getRank() >= 3 && llvm::all_of(candidates, [&](Value other) {
          return space.refines(other);
        }))
      return success();
  }
  return fail("its batch dimensions are merged and split differently");
}

LogicalResult AttentionMatcher::matchScores(Value scores) {
  while (true) {
    Value behind = lookThrough(scores);
    if (failed(checkUses(scores, behind)) || !behind.hasOneUse())
      return fail("the scores are used elsewhere");
    scores = behind;
    Operation *op = scores.getDefiningOp();
    if (auto contract = dyn_cast_if_present<ContractOp>(op)) {
      if (!isBatchedProduct(contract))
        return fail("the product of queries and keys is not batched over "
                    "leading dimensions");
      product = contract;
      hasKeysTransposed =
          contract.getRhsContract()[0] != contract.getType().getRank() - 1;
      queries = matchOperandScale(contract.getLhs());
      keys = matchOperandScale(contract.getRhs());
      return chooseSpace();
    }
    if (isa_and_present<MulOp, DivOp>(op)) {
      bool isProduct = isa<MulOp>(op);
      std::optional<double> factor = getSplatNumber(op->getOperand(1));
      unsigned chain = 0;
      if (!factor && isProduct) {
        factor = getSplatNumber(op->getOperand(0));
        chain = 1;
      }
      if (!factor)
        return fail("the scores are scaled by what is not a splat");
      isScaled = true;
      scale = isProduct ? scale * *factor : scale / *factor;
      scores = op->getOperand(chain);
      continue;
    }
    if (auto add = dyn_cast_if_present<AddOp>(op)) {
      // The mask is the side that does not lead to a product of its own.
      unsigned chain = leadsToProduct(add.getLhs()) ? 0 : 1;
      if (failed(addMask(add->getOperand(1 - chain), /*isInverted=*/false)))
        return failure();
      scores = add->getOperand(chain);
      continue;
    }
    if (auto select = dyn_cast_if_present<SelectOp>(op)) {
      auto isLowest = [](Value value) {
        std::optional<double> fill = getSplatNumber(value);
        return fill && *fill == -std::numeric_limits<double>::infinity();
      };
      bool isInverted = false;
      if (isLowest(select.getOnFalse())) {
        scores = select.getOnTrue();
      } else if (isLowest(select.getOnTrue())) {
        scores = select.getOnFalse();
        isInverted = true;
      } else {
        return fail("a mask fills with another value than -inf");
      }
      if (failed(addMask(select.getCondition(), isInverted)))
        return failure();
      continue;
    }
    return fail("the scores are not a product of queries and keys");
  }
}

Value AttentionMatcher::getOperand(OpBuilder &builder, const Operand &operand,
                                   bool isTransposed) {
  Value value = operand.source;
  for (Operation *op : llvm::reverse(operand.moves)) {
    IRMapping mapping;
    mapping.map(op->getOperand(0), value);
    value = builder.clone(*op, mapping)->getResult(0);
  }
  Type element = root.getType().getElementType();
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() != element) {
    type = type.clone(element);
    value = CastOp::create(builder, value.getLoc(), type, value);
  }
  if (isTransposed) {
    SmallVector<int64_t> permutation =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    std::swap(permutation.back(), permutation[permutation.size() - 2]);
    SmallVector<int64_t> shape(type.getShape());
    std::swap(shape.back(), shape[shape.size() - 2]);
    value = TransposeOp::create(builder, value.getLoc(), type.clone(shape),
                                value, permutation);
  }
  return space.splitBatch(builder, value);
}

/// All masks as one, of the smallest shape that broadcasts to the scores.
Value AttentionMatcher::buildMask(OpBuilder &builder) {
  Value all;
  Type element = root.getType().getElementType();
  for (const Mask &mask : llvm::reverse(masks)) {
    Location loc = mask.value.getLoc();
    Value value = space.getSmallest(builder, mask.value);
    auto type = cast<RankedTensorType>(value.getType());
    if (mask.isInverted)
      value = NotOp::create(builder, loc, type, value);
    else if (!type.getElementType().isInteger(1) &&
             type.getElementType() != element)
      value = CastOp::create(builder, loc, type.clone(element), value);
    if (!all) {
      all = value;
      continue;
    }
    auto [lhs, rhs] = space.broadcastTogether(builder, all, value);
    if (type.getElementType().isInteger(1))
      all = AndOp::create(builder, loc, lhs.getType(), lhs, rhs);
    else
      all = AddOp::create(builder, loc, lhs.getType(), lhs, rhs);
  }
  return all;
}

Value AttentionMatcher::build(OpBuilder &builder) {
  Value q = getOperand(builder, queries, false);
  Value k = getOperand(builder, keys, hasKeysTransposed);
  Value v = getOperand(builder, {root.getRhs(), {}}, hasValuesTransposed);
  SmallVector<int64_t> shape(cast<RankedTensorType>(q.getType()).getShape());
  shape.back() = cast<RankedTensorType>(v.getType()).getShape().back();
  Value result = AttentionOp::create(
      builder, root.getLoc(), root.getType().clone(shape), q, k, v,
      buildMask(builder), APFloat(scale), /*causal=*/false,
      /*zero_masked_rows=*/false);
  return space.mergeBatch(builder, result, root.getResult());
}

namespace {
struct RaiseAttentionPass : ourc::impl::RaiseAttentionBase<RaiseAttentionPass> {
  void runOnOperation() override {
    SmallVector<ContractOp> roots;
    getOperation().walk([&](ContractOp op) { roots.push_back(op); });
    SymbolicShapes shapes(getOperation());
    SmallVector<ContractOp> replaced;
    for (ContractOp root : roots) {
      AttentionMatcher matcher(root, shapes);
      if (!matcher.isCandidate())
        continue;
      if (failed(matcher.match())) {
        ++numRefused;
        LDBG() << "refused: " << matcher.getReason();
        remark::missed(root.getLoc(), remark::RemarkOpts::name("NotRaised")
                                          .category(DEBUG_TYPE)
                                          .function(getOperation().getName()))
            << ("no attention is formed: " + matcher.getReason()).str();
        continue;
      }
      OpBuilder builder(root);
      root.getResult().replaceAllUsesWith(matcher.build(builder));
      replaced.push_back(root);
      ++numRaised;
    }
    // Not before: the shapes know them.
    for (ContractOp root : replaced)
      root.erase();
  }
};
} // namespace
