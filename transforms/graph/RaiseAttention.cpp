//===- RaiseAttention.cpp - Form ourc.attention from chains ---------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/Passes.h"
#include "transforms/graph/Splat.h"
#include "transforms/graph/UnitBroadcast.h"

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

/// The value behind casts between floats.
static Value skipCasts(Value value) {
  while (auto cast = value.getDefiningOp<CastOp>()) {
    if (!isa<FloatType>(cast.getX().getType().getElementType()) ||
        !isa<FloatType>(cast.getType().getElementType()))
      break;
    value = cast.getX();
  }
  return value;
}

namespace {
/// One chain from softmax to its two contractions.
class AttentionMatcher {
public:
  explicit AttentionMatcher(ContractOp root) : root(root) {}

  /// Whether the root's operand is a softmax at all.
  bool isCandidate() {
    softmax = skipCasts(root.getLhs()).getDefiningOp<SoftmaxOp>();
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
  /// Every value between the contractions must serve this chain alone.
  LogicalResult checkUses(Value from, Value until);
  LogicalResult matchScores(Value scores);
  LogicalResult matchMask(Value mask);
  Value getOperand(OpBuilder &builder, Value value, bool isTransposed);
  Value buildMask(OpBuilder &builder);

  ContractOp root;
  SoftmaxOp softmax;
  ContractOp product;
  double scale = 1;
  bool isScaled = false;
  Value mask; ///< i1 or float, in the scores' shape
  bool invertMask = false;
  bool hasValuesTransposed = false, hasKeysTransposed = false;
  StringRef reason;
};
} // namespace

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
    if (!isa<CastOp>(op))
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

LogicalResult AttentionMatcher::matchMask(Value found) {
  if (mask)
    return fail("it has more than one mask");
  // The walk goes up: a scale that was met already comes after this mask.
  if (isScaled)
    return fail("the scores are scaled after they are masked");
  mask = found;
  return success();
}

LogicalResult AttentionMatcher::matchScores(Value scores) {
  while (true) {
    scores = skipCasts(scores);
    if (!scores.hasOneUse())
      return fail("the scores are used elsewhere");
    Operation *op = scores.getDefiningOp();
    if (auto contract = dyn_cast_if_present<ContractOp>(op)) {
      if (!isBatchedProduct(contract))
        return fail("the product of queries and keys is not batched over "
                    "leading dimensions");
      product = contract;
      hasKeysTransposed =
          contract.getRhsContract()[0] != contract.getType().getRank() - 1;
      return success();
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
      if (failed(matchMask(add->getOperand(1 - chain))))
        return failure();
      scores = add->getOperand(chain);
      continue;
    }
    if (auto select = dyn_cast_if_present<SelectOp>(op)) {
      auto isLowest = [](Value value) {
        std::optional<double> fill = getSplatNumber(value);
        return fill && *fill == -std::numeric_limits<double>::infinity();
      };
      if (isLowest(select.getOnFalse())) {
        scores = select.getOnTrue();
      } else if (isLowest(select.getOnTrue())) {
        scores = select.getOnFalse();
        invertMask = true;
      } else {
        return fail("a mask fills with another value than -inf");
      }
      if (failed(matchMask(select.getCondition())))
        return failure();
      continue;
    }
    return fail("the scores are not a product of queries and keys");
  }
}

Value AttentionMatcher::getOperand(OpBuilder &builder, Value value,
                                   bool isTransposed) {
  Type element = root.getType().getElementType();
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() != element) {
    type = type.clone(element);
    value = CastOp::create(builder, value.getLoc(), type, value);
  }
  if (!isTransposed)
    return value;
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  std::swap(permutation.back(), permutation[permutation.size() - 2]);
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape.back(), shape[shape.size() - 2]);
  return TransposeOp::create(builder, value.getLoc(), type.clone(shape), value,
                             permutation);
}

Value AttentionMatcher::buildMask(OpBuilder &builder) {
  if (!mask)
    return {};
  Location loc = mask.getLoc();
  // The operand of a broadcast, with dimensions of size 1, is enough.
  if (auto broadcast = mask.getDefiningOp<BroadcastOp>())
    mask = createWithUnitDims(builder, loc, broadcast);
  if (invertMask)
    return NotOp::create(builder, loc, mask.getType(), mask);
  auto type = cast<RankedTensorType>(mask.getType());
  Type element = root.getType().getElementType();
  if (!type.getElementType().isInteger(1) && type.getElementType() != element)
    return CastOp::create(builder, loc, type.clone(element), mask);
  return mask;
}

Value AttentionMatcher::build(OpBuilder &builder) {
  Value queries = getOperand(builder, product.getLhs(), false);
  Value keys = getOperand(builder, product.getRhs(), hasKeysTransposed);
  Value values = getOperand(builder, root.getRhs(), hasValuesTransposed);
  return AttentionOp::create(builder, root.getLoc(), root.getType(), queries,
                             keys, values, buildMask(builder), APFloat(scale),
                             /*causal=*/false,
                             /*zero_masked_rows=*/false);
}

namespace {
struct RaiseAttentionPass : ourc::impl::RaiseAttentionBase<RaiseAttentionPass> {
  void runOnOperation() override {
    SmallVector<ContractOp> roots;
    getOperation().walk([&](ContractOp op) { roots.push_back(op); });
    for (ContractOp root : roots) {
      AttentionMatcher matcher(root);
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
      root.erase();
      ++numRaised;
    }
  }
};
} // namespace
