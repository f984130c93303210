//===- Index.cpp - The meaning of index arithmetic and sizes --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Models.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace ourc::reference;

namespace {
/// A function of two integers.
template <typename OpT, int64_t (*Function)(int64_t, int64_t)>
struct IntegerModel
    : ReferenceOpInterface::ExternalModel<IntegerModel<OpT, Function>, OpT> {
  Results evaluate(Operation *op, ArrayRef<Tensor> operands,
                   const Symbols &) const {
    Tensor result = operands[0];
    result.data[0].integer = wrapInteger(
        Function(operands[0].data[0].integer, operands[1].data[0].integer),
        result.element);
    return single(result);
  }
};

int64_t add(int64_t a, int64_t b) { return a + b; }
int64_t sub(int64_t a, int64_t b) { return a - b; }
int64_t mul(int64_t a, int64_t b) { return a * b; }
int64_t truncatingDiv(int64_t a, int64_t b) { return b ? a / b : 0; }
int64_t floorDiv(int64_t a, int64_t b) {
  return b ? a / b - (a % b != 0 && (a < 0) != (b < 0)) : 0;
}
int64_t ceilDiv(int64_t a, int64_t b) {
  return b ? a / b + (a % b != 0 && (a < 0) == (b < 0)) : 0;
}
int64_t least(int64_t a, int64_t b) { return std::min(a, b); }
int64_t greatest(int64_t a, int64_t b) { return std::max(a, b); }

struct ConstantMeaning {
  Results operator()(arith::ConstantOp op, ArrayRef<Tensor>,
                     const Symbols &) const {
    if (auto elements = dyn_cast<ElementsAttr>(op.getValue()))
      return single(Tensor::fromAttr(elements));
    Tensor result(op.getType(), {});
    if (auto value = dyn_cast<FloatAttr>(op.getValue()))
      result.data[0].real = value.getValueAsDouble();
    else
      result.data[0].integer = wrapInteger(
          cast<IntegerAttr>(op.getValue()).getValue().getSExtValue(),
          op.getType());
    return single(result);
  }
};

struct SizeMeaning {
  Results operator()(tensor::DimOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    int64_t dim = operands[1].data[0].integer;
    if (dim < 0 || dim >= operands[0].getRank())
      return op.emitOpError("asks for a dimension out of range");
    return single(Tensor::fromIndex(op.getContext(), operands[0].shape[dim]));
  }
};

struct CastMeaning {
  Results operator()(tensor::CastOp, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    return single(operands[0]);
  }
};

struct SymbolMeaning {
  Results operator()(ourc::DimOp op, ArrayRef<Tensor>,
                     const Symbols &symbols) const {
    auto found = symbols.find(op.getSymbol());
    if (found == symbols.end())
      return op.emitOpError("names a symbol without a size");
    return single(Tensor::fromIndex(op.getContext(), found->second));
  }
};
} // namespace

void ourc::reference::registerIndexModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    using namespace arith;
    AddIOp::attachInterface<IntegerModel<AddIOp, add>>(*context);
    SubIOp::attachInterface<IntegerModel<SubIOp, sub>>(*context);
    MulIOp::attachInterface<IntegerModel<MulIOp, mul>>(*context);
    DivSIOp::attachInterface<IntegerModel<DivSIOp, truncatingDiv>>(*context);
    FloorDivSIOp::attachInterface<IntegerModel<FloorDivSIOp, floorDiv>>(
        *context);
    CeilDivSIOp::attachInterface<IntegerModel<CeilDivSIOp, ceilDiv>>(*context);
    MinSIOp::attachInterface<IntegerModel<MinSIOp, least>>(*context);
    MaxSIOp::attachInterface<IntegerModel<MaxSIOp, greatest>>(*context);
    arith::ConstantOp::attachInterface<
        Model<arith::ConstantOp, ConstantMeaning>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::DimOp::attachInterface<Model<tensor::DimOp, SizeMeaning>>(*context);
    tensor::CastOp::attachInterface<Model<tensor::CastOp, CastMeaning>>(
        *context);
  });
  registry.addExtension(+[](MLIRContext *context, OurcDialect *) {
    ourc::DimOp::attachInterface<Model<ourc::DimOp, SymbolMeaning>>(*context);
  });
}
