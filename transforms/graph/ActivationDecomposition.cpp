//===- ActivationDecomposition.cpp - Activations as primitives ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/graph/ComputeBuilder.h"
#include "transforms/graph/Decompositions.h"

#include "mlir/IR/DialectRegistry.h"
#include <cmath>

using namespace mlir;
using namespace ourc;

using Results = FailureOr<SmallVector<Value>>;

namespace {
struct DecomposeGelu
    : DecomposableOpInterface::ExternalModel<DecomposeGelu, GeluOp> {
  bool isLoweredWhole(Operation *) const { return true; }

  Results decompose(Operation *op, OpBuilder &builder) const {
    auto gelu = cast<GeluOp>(op);
    ComputeBuilder b(builder, op->getLoc());
    Type element = gelu.getType().getElementType();
    Value x = b.cast(gelu.getX(), b.getComputeType(element));
    Value inner;
    if (gelu.getForm() == GeluForm::Exact) {
      inner = b.unary<ErfOp>(b.scale(x, std::sqrt(0.5)));
    } else {
      Value cube = b.mul(b.mul(x, x), x);
      Value sum = b.add(x, b.scale(cube, 0.044715));
      inner = b.unary<TanhOp>(b.scale(sum, std::sqrt(2 / M_PI)));
    }
    Value y = b.mul(b.scale(x, 0.5), b.shift(inner, 1.0));
    return SmallVector<Value>{b.cast(y, element)};
  }
};

struct DecomposeSilu
    : DecomposableOpInterface::ExternalModel<DecomposeSilu, SiluOp> {
  bool isLoweredWhole(Operation *) const { return true; }

  Results decompose(Operation *op, OpBuilder &builder) const {
    auto silu = cast<SiluOp>(op);
    ComputeBuilder b(builder, op->getLoc());
    Type element = silu.getType().getElementType();
    Value x = b.cast(silu.getX(), b.getComputeType(element));
    Value y = b.mul(x, b.unary<SigmoidOp>(x));
    return SmallVector<Value>{b.cast(y, element)};
  }
};
} // namespace

void ourc::registerActivationDecompositions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, OurcDialect *) {
    GeluOp::attachInterface<DecomposeGelu>(*context);
    SiluOp::attachInterface<DecomposeSilu>(*context);
  });
}
