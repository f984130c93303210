//===- Contraction.cpp - Matrix products --------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Lowering.h"
#include "conversion/AtenToOurc/TypePromotion.h"

#include <numeric>

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

static bool isScalarOne(Scalar scalar) {
  auto *integer = std::get_if<int64_t>(&scalar);
  auto *real = std::get_if<double>(&scalar);
  return (integer && *integer == 1) || (real && *real == 1);
}

static bool isScalarZero(Scalar scalar) {
  auto *integer = std::get_if<int64_t>(&scalar);
  auto *real = std::get_if<double>(&scalar);
  return (integer && *integer == 0) || (real && *real == 0);
}

/// Two tensors that must have the given ranks.
static LogicalResult checkRanks(Call &call, Value lhs, int64_t lhsRank,
                                Value rhs, int64_t rhsRank) {
  if (call.failed())
    return failure();
  if (Emitter::rankOf(lhs) != lhsRank || Emitter::rankOf(rhs) != rhsRank)
    return call.fail("the operands must have ranks " + Twine(lhsRank) +
                     " and " + Twine(rhsRank) + ", but have " +
                     Twine(Emitter::rankOf(lhs)) + " and " +
                     Twine(Emitter::rankOf(rhs)));
  return success();
}

static LogicalResult lowerMm(Call &call) {
  Value lhs = call.tensor("self"), rhs = call.tensor("mat2");
  if (mlir::failed(checkRanks(call, lhs, 2, rhs, 2)))
    return failure();
  return call.finish(call.contract(lhs, rhs, {}, {}, {1}, {0}));
}

static LogicalResult lowerBmm(Call &call) {
  Value lhs = call.tensor("self"), rhs = call.tensor("mat2");
  if (mlir::failed(checkRanks(call, lhs, 3, rhs, 3)))
    return failure();
  return call.finish(call.contract(lhs, rhs, {0}, {0}, {2}, {1}));
}

static LogicalResult lowerMv(Call &call) {
  Value lhs = call.tensor("self"), rhs = call.tensor("vec");
  if (mlir::failed(checkRanks(call, lhs, 2, rhs, 1)))
    return failure();
  return call.finish(call.contract(lhs, rhs, {}, {}, {1}, {0}));
}

static LogicalResult lowerDot(Call &call) {
  Value lhs = call.tensor("self"), rhs = call.tensor("tensor");
  if (mlir::failed(checkRanks(call, lhs, 1, rhs, 1)))
    return failure();
  return call.finish(call.contract(lhs, rhs, {}, {}, {0}, {0}));
}

/// beta · self + alpha · product.
static LogicalResult addProduct(Call &call, Value product) {
  Value self = call.tensor("self");
  Scalar one = int64_t(1);
  Scalar beta = call.scalar("beta", one), alpha = call.scalar("alpha", one);
  if (call.failed() || !product)
    return failure();
  if (!isScalarOne(alpha))
    product = call.apply<MulOp>(product, call.fillLike(alpha, product));
  // With beta = 0 not even NaN of `self` matters.
  if (isScalarZero(beta) || call.failed())
    return call.finish(product);
  self = call.broadcast(self, call.sizesOf(product));
  if (!isScalarOne(beta))
    self = call.apply<MulOp>(self, call.fillLike(beta, product));
  return call.finish(call.apply<AddOp>(product, self));
}

static LogicalResult lowerAddmm(Call &call) {
  Value lhs = call.tensor("mat1"), rhs = call.tensor("mat2");
  if (mlir::failed(checkRanks(call, lhs, 2, rhs, 2)))
    return failure();
  return addProduct(call, call.contract(lhs, rhs, {}, {}, {1}, {0}));
}

static LogicalResult lowerBaddbmm(Call &call) {
  Value lhs = call.tensor("batch1"), rhs = call.tensor("batch2");
  if (mlir::failed(checkRanks(call, lhs, 3, rhs, 3)))
    return failure();
  return addProduct(call, call.contract(lhs, rhs, {0}, {0}, {2}, {1}));
}

/// Vectors, matrices and batches of matrices, batches broadcast.
static LogicalResult lowerMatmul(Call &call) {
  Value lhs = call.tensor("self"), rhs = call.tensor("other");
  if (call.failed())
    return failure();
  int64_t lhsRank = Emitter::rankOf(lhs), rhsRank = Emitter::rankOf(rhs);
  if (lhsRank == 0 || rhsRank == 0)
    return call.fail("the operands must have dimensions");
  // One batch is enough to keep the result's order: no broadcasting.
  if (rhsRank <= 2)
    return call.finish(call.contract(lhs, rhs, {}, {}, {lhsRank - 1},
                                     {rhsRank == 1 ? 0 : rhsRank - 2}));
  // The batch dimensions of both, broadcast to one shape.
  auto batchOf = [&](Value x, int64_t own) {
    SmallVector<OpFoldResult> sizes = call.sizesOf(x);
    return SmallVector<OpFoldResult>(
        ArrayRef<OpFoldResult>(sizes).drop_back(own));
  };
  int64_t lhsOwn = std::min<int64_t>(lhsRank, 2), rhsOwn = 2;
  int64_t batchRank =
      std::max<int64_t>({lhsRank - lhsOwn, rhsRank - rhsOwn, 0});
  SmallVector<OpFoldResult> batch(batchRank, call.math.constant(1));
  for (auto [x, own] : {std::pair(lhs, lhsOwn), std::pair(rhs, rhsOwn)}) {
    SmallVector<OpFoldResult> sizes = batchOf(x, own);
    int64_t lead = batchRank - static_cast<int64_t>(sizes.size());
    for (auto [i, size] : llvm::enumerate(sizes)) {
      OpFoldResult &joined = batch[lead + i];
      std::optional<int64_t> constant = getConstantIntValue(size);
      if (getConstantIntValue(joined) == 1 || (constant && constant != 1))
        joined = size;
    }
  }
  auto withBatch = [&](Value x, int64_t own) {
    SmallVector<OpFoldResult> sizes(batch);
    SmallVector<OpFoldResult> all = call.sizesOf(x);
    sizes.append(all.end() - own, all.end());
    return call.broadcast(x, sizes);
  };
  lhs = withBatch(lhs, lhsOwn);
  rhs = withBatch(rhs, rhsOwn);
  if (call.failed())
    return failure();
  SmallVector<int64_t> dims(batchRank);
  std::iota(dims.begin(), dims.end(), 0);
  return call.finish(call.contract(lhs, rhs, dims, dims,
                                   {batchRank + lhsOwn - 1}, {batchRank}));
}

static LogicalResult lowerLinear(Call &call) {
  Value x = call.tensor("input"), weight = call.tensor("weight"),
        bias = call.optionalTensor("bias");
  if (call.failed())
    return failure();
  RankedTensorType type = Emitter::typeOf(x);
  if (type.getRank() == 0 || Emitter::rankOf(weight) != 2)
    return call.fail("a weight of rank other than 2, or an input without "
                     "dimensions");
  if (!isa<FloatType>(type.getElementType()))
    return call.fail("the operands must be floats");
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = Emitter::typeOf(weight).getDimSize(0);
  return call.finish(call.make<LinearOp>(type.clone(shape), x, weight, bias));
}

void ourc::aten::populateContraction(LoweringTable &table) {
  table.add("mm.default", lowerMm);
  table.add("bmm.default", lowerBmm);
  table.add("mv.default", lowerMv);
  table.add("dot.default", lowerDot);
  table.add("addmm.default", lowerAddmm);
  table.add("baddbmm.default", lowerBaddbmm);
  table.add("matmul.default", lowerMatmul);
  table.add("linear.default", lowerLinear);
}
