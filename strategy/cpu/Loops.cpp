//===- Loops.cpp - What loops over elements can compute -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/Loops.h"
#include "strategy/cpu/NestAnalysis.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ourc;

bool ourc::isReduction(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getNumReductionLoops() != 0;
  return isa<kernel::CoupledReduceOp>(op);
}

bool ourc::isWindowReduction(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumReductionLoops() == 0)
    return false;
  return llvm::any_of(linalgOp.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = linalgOp.getMatchingIndexingMap(input);
    return llvm::any_of(map.getResults(), [](AffineExpr expr) {
      return isa<AffineBinaryOpExpr>(expr);
    });
  });
}

/// Whether an operation inside of a region works on each lane alone.
static bool isPerLane(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() ||
         op->hasTrait<OpTrait::ConstantLike>() ||
         OpTrait::hasElementwiseMappableTraits(op) ||
         isa<linalg::IndexOp, tensor::ExtractOp>(op);
}

std::string ourc::whyNotElementByElement(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    bool reduces = linalgOp.getNumReductionLoops() != 0;
    for (OpOperand &init : linalgOp.getDpsInitsMutable()) {
      AffineMap map = linalgOp.getMatchingIndexingMap(&init);
      if (reduces ? !map.isProjectedPermutation() : !map.isPermutation())
        return "a result of " + name + " is not indexed by loops";
    }
  } else if (!isa<kernel::CoupledReduceOp, kernel::ReturnOp, linalg::PackOp,
                  linalg::UnPackOp, tensor::EmptyOp, tensor::SplatOp,
                  tensor::CastOp, tensor::ExpandShapeOp,
                  tensor::CollapseShapeOp, tensor::ExtractSliceOp,
                  tensor::InsertSliceOp, tensor::PadOp, tensor::ConcatOp,
                  tensor::DimOp, tensor::ExtractOp, affine::AffineApplyOp>(
                 op) &&
             !isa<arith::ArithDialect>(op->getDialect())) {
    if (auto elements = dyn_cast<tensor::FromElementsOp>(op);
        !elements || elements.getElements().size() != 1)
      return name + " is not computed element by element";
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value padding =
        cast<tensor::YieldOp>(pad.getRegion().front().getTerminator())
            .getValue();
    if (padding.getParentRegion() == &pad.getRegion() &&
        !matchPattern(padding, m_Constant()))
      return "the padding of " + name + " depends on the index";
    return {};
  }
  std::string reason;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        if (reason.empty() && !isPerLane(&inner))
          reason = inner.getName().getStringRef().str() + " in the region of " +
                   name + " is not elementwise";
  return reason;
}

/// Whether `op` multiplies two tensors and sums: each of them is read once for
/// every element of the other.
static bool isContraction(Operation &op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumReductionLoops() == 0)
    return false;
  unsigned partial = 0;
  for (OpOperand *input : linalgOp.getDpsInputOperands()) {
    if (linalgOp.isScalar(input) ||
        linalgOp.getMatchingBlockArgument(input).use_empty())
      continue;
    AffineMap map = linalgOp.getMatchingIndexingMap(input);
    for (unsigned d = 0; d < map.getNumDims(); ++d)
      if (!map.isFunctionOfDim(d) && linalgOp.getIteratorTypesArray()[d] ==
                                         utils::IteratorType::parallel) {
        ++partial;
        break;
      }
  }
  return partial > 1;
}

/// Why a contraction is not alone with memory and its epilogue, or empty.
static std::string checkContractions(kernel::FuncOp kernel) {
  for (Operation &op : kernel.getBody().front()) {
    if (!isContraction(op))
      continue;
    for (Operation &other : kernel.getBody().front())
      if (&other != &op && isReduction(&other))
        return "it has a contraction among other reductions";
    for (OpOperand *input : cast<linalg::LinalgOp>(op).getDpsInputOperands())
      if (auto producer = input->get().getDefiningOp<linalg::LinalgOp>())
        return "it has a contraction of computed values";
  }
  return {};
}

/// Other shapes of a result are the same memory.
static Value skipReshapes(Value result) {
  while (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                         tensor::CastOp>(result.getDefiningOp()))
    result = result.getDefiningOp()->getOperand(0);
  return result;
}

LogicalResult ourc::checkElementByElement(kernel::FuncOp kernel,
                                          std::string *reason) {
  for (Operation &op : kernel.getBody().front()) {
    std::string why = whyNotElementByElement(&op);
    if (why.empty())
      continue;
    if (reason)
      *reason = why;
    return failure();
  }
  std::string why = checkContractions(kernel);
  for (Value result : kernel.getReturnOp().getOperands())
    if (why.empty())
      why = NestAnalysis(skipReshapes(result)).objection;
  if (why.empty())
    return success();
  if (reason)
    *reason = why;
  return failure();
}

int64_t ourc::getRowGrain(kernel::FuncOp kernel, int64_t elements) {
  int64_t row = 1;
  for (Operation &op : kernel.getBody().front()) {
    if (!isReduction(&op))
      continue;
    int64_t size = 1;
    auto multiply = [&](int64_t n) {
      size *= ShapedType::isDynamic(n) ? 128 : std::max<int64_t>(n, 1);
    };
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      SmallVector<unsigned> dims;
      linalgOp.getReductionDims(dims);
      SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
      for (unsigned dim : dims)
        multiply(ranges[dim]);
    } else {
      auto coupled = cast<kernel::CoupledReduceOp>(op);
      auto type = cast<RankedTensorType>(coupled.getInputs()[0].getType());
      for (int64_t dim : coupled.getDimensions())
        multiply(type.getDimSize(dim));
    }
    row = std::max(row, size);
  }
  return std::max<int64_t>(1, elements / row);
}

int64_t ourc::getInterleave(kernel::FuncOp kernel,
                            const cpu::MachineDescription &machine) {
  bool expensive =
      llvm::any_of(kernel.getReturnOp().getOperands(), [](Value result) {
        return NestAnalysis(skipReshapes(result)).isExpensive;
      });
  if (!expensive)
    return 1;
  int64_t most = 0;
  auto walk = kernel.walk([&](Operation *op) {
    if (auto loops = dyn_cast<linalg::LinalgOp>(op))
      most = std::max<int64_t>(
          most, llvm::count_if(loops.getDpsInputOperands(), [&](OpOperand *x) {
            return loops.getMatchingIndexingMap(x).isFunctionOfDim(
                loops.getNumLoops() - 1);
          }));
    return llvm::any_of(
               op->getResultTypes(),
               [](Type type) { return getElementTypeOrSelf(type).isF64(); })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return 1;
  // The coefficients of a polynomial stay in registers; of each vector its
  // inputs and what a polynomial carries. 16 registers have no room for two,
  // and without registers for masks LLVM takes large vectors of bits apart.
  constexpr int64_t kCoefficients = 12, kCarried = 3;
  int64_t vectors =
      (machine.numVectorRegisters - kCoefficients) / (most + kCarried);
  return llvm::bit_floor<uint64_t>(std::clamp<int64_t>(vectors, 1, 4));
}
