//===- Shape.cpp - The meaning of operations that move elements -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Models.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::reference;

namespace {
struct ConstantMeaning {
  Results operator()(ConstantOp op, ArrayRef<Tensor>, const Symbols &) const {
    return single(Tensor::fromAttr(op.getValue()));
  }
};

struct IotaMeaning {
  Results operator()(IotaOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    unsigned next = 0;
    Tensor result(op.getType().getElementType(),
                  readSizes(op.getStaticSizes(), operands, next));
    result.forEach([&](ArrayRef<int64_t> index) {
      int64_t position = index[op.getDim()];
      if (result.isFloat())
        result.at(index).real = static_cast<double>(position);
      else
        result.at(index).integer = wrapInteger(position, result.element);
    });
    return single(result);
  }
};

struct ReshapeMeaning {
  Results operator()(ReshapeOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    unsigned next = 1;
    Tensor result(operands[0].element,
                  readSizes(op.getStaticSizes(), operands, next));
    if (result.data.size() != operands[0].data.size())
      return op.emitOpError("changes the number of elements");
    result.data = operands[0].data;
    return single(result);
  }
};

struct TransposeMeaning {
  Results operator()(TransposeOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    ArrayRef<int64_t> permutation = op.getPermutation();
    SmallVector<int64_t> shape;
    for (int64_t dim : permutation)
      shape.push_back(operands[0].shape[dim]);
    Tensor result(operands[0].element, shape);
    result.forEach([&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> from(index.size());
      for (size_t i = 0; i < index.size(); ++i)
        from[permutation[i]] = index[i];
      result.at(index) = operands[0].at(from);
    });
    return single(result);
  }
};

struct BroadcastMeaning {
  Results operator()(BroadcastOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    unsigned next = 1;
    Tensor result(operands[0].element,
                  readSizes(op.getStaticSizes(), operands, next));
    ArrayRef<int64_t> dims = op.getDimensions();
    for (size_t i = 0; i < dims.size(); ++i)
      if (operands[0].shape[i] != 1 &&
          operands[0].shape[i] != result.shape[dims[i]])
        return op.emitOpError("repeats a dimension that is not 1");
    result.forEach([&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> from;
      for (size_t i = 0; i < dims.size(); ++i)
        from.push_back(operands[0].shape[i] == 1 ? 0 : index[dims[i]]);
      result.at(index) = operands[0].at(from);
    });
    return single(result);
  }
};

struct SliceMeaning {
  Results operator()(SliceOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    unsigned next = 1;
    SmallVector<int64_t> offsets =
        readSizes(op.getStaticOffsets(), operands, next);
    Tensor result(operands[0].element,
                  readSizes(op.getStaticSizes(), operands, next));
    ArrayRef<int64_t> strides = op.getStrides();
    for (size_t i = 0; i < offsets.size(); ++i)
      if (offsets[i] < 0 || (result.shape[i] > 0 &&
                             offsets[i] + (result.shape[i] - 1) * strides[i] >=
                                 operands[0].shape[i]))
        return op.emitOpError("reaches beyond its operand");
    result.forEach([&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> from;
      for (size_t i = 0; i < index.size(); ++i)
        from.push_back(offsets[i] + index[i] * strides[i]);
      result.at(index) = operands[0].at(from);
    });
    return single(result);
  }
};

struct RepeatMeaning {
  Results operator()(RepeatOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    const Tensor &x = operands[0];
    SmallVector<int64_t> shape(x.shape);
    for (auto [size, factor] : llvm::zip(shape, op.getFactors()))
      size *= factor;
    Tensor result(x.element, shape);
    result.forEach([&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> from(index);
      for (auto [i, factor] : llvm::zip(from, op.getFactors()))
        i /= factor;
      result.at(index) = x.at(from);
    });
    return single(result);
  }
};

struct PadMeaning {
  Results operator()(PadOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    const Tensor &x = operands[0];
    SmallVector<int64_t> shape;
    for (int64_t i = 0; i < x.getRank(); ++i)
      shape.push_back(op.getLow()[i] + x.shape[i] + op.getHigh()[i]);
    Element border;
    if (auto number = dyn_cast<FloatAttr>(op.getValue()))
      border.real = number.getValueAsDouble();
    else
      border.integer = wrapInteger(
          cast<IntegerAttr>(op.getValue()).getValue().getSExtValue(),
          x.element);
    Tensor result(x.element, shape);
    result.forEach([&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> from;
      bool inside = true;
      for (int64_t i = 0; i < x.getRank(); ++i) {
        from.push_back(index[i] - op.getLow()[i]);
        inside &= from[i] >= 0 && from[i] < x.shape[i];
      }
      result.at(index) = inside ? x.at(from) : border;
    });
    return single(result);
  }
};

struct ConcatMeaning {
  Results operator()(ConcatOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    int64_t dim = op.getDim();
    SmallVector<int64_t> shape(operands[0].shape);
    shape[dim] = 0;
    for (const Tensor &operand : operands)
      shape[dim] += operand.shape[dim];
    Tensor result(operands[0].element, shape);
    int64_t start = 0;
    for (const Tensor &operand : operands) {
      operand.forEach([&](ArrayRef<int64_t> index) {
        SmallVector<int64_t> to(index);
        to[dim] += start;
        result.at(to) = operand.at(index);
      });
      start += operand.shape[dim];
    }
    return single(result);
  }
};

struct GatherMeaning {
  Results operator()(GatherOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    const Tensor &x = operands[0];
    ArrayRef<Tensor> indices = operands.drop_front();
    ArrayRef<int64_t> axes = op.getAxes();
    SmallVector<int64_t> shape(indices[0].shape);
    for (int64_t i = 0; i < x.getRank(); ++i)
      if (!llvm::is_contained(axes, i))
        shape.push_back(x.shape[i]);
    Tensor result(x.element, shape);
    bool inside = true;
    result.forEach([&](ArrayRef<int64_t> index) {
      ArrayRef<int64_t> at = index.take_front(indices[0].getRank());
      ArrayRef<int64_t> rest = index.drop_front(indices[0].getRank());
      SmallVector<int64_t> from;
      for (int64_t i = 0, next = 0; i < x.getRank(); ++i) {
        const auto *axis = llvm::find(axes, i);
        from.push_back(axis == axes.end()
                           ? rest[next++]
                           : indices[axis - axes.begin()].at(at).integer);
        inside &= from[i] >= 0 && from[i] < x.shape[i];
      }
      if (inside)
        result.at(index) = x.at(from);
    });
    if (!inside)
      return op.emitOpError("has an index out of bounds");
    return single(result);
  }
};
struct ScatterMeaning {
  Results operator()(ScatterOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    const Tensor &updates = operands[0];
    Tensor result = operands[1];
    ArrayRef<Tensor> indices = operands.drop_front(2);
    ArrayRef<int64_t> axes = op.getAxes();
    bool inside = true;
    updates.forEach([&](ArrayRef<int64_t> index) {
      ArrayRef<int64_t> at = index.take_front(indices[0].getRank());
      ArrayRef<int64_t> rest = index.drop_front(indices[0].getRank());
      SmallVector<int64_t> to;
      bool here = true;
      for (int64_t i = 0, next = 0; i < result.getRank(); ++i) {
        const auto *axis = llvm::find(axes, i);
        to.push_back(axis == axes.end()
                         ? rest[next++]
                         : indices[axis - axes.begin()].at(at).integer);
        here &= to[i] >= 0 && to[i] < result.shape[i];
      }
      inside &= here;
      if (!here)
        return;
      if (std::optional<Combiner> combiner = op.getCombiner())
        joinInto(*combiner, result.at(to), updates.at(index), result.element);
      else
        result.at(to) = updates.at(index);
    });
    if (!inside)
      return op.emitOpError("has an index out of bounds");
    return single(result);
  }
};
} // namespace

void ourc::reference::registerShapeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, OurcDialect *) {
    ConstantOp::attachInterface<Model<ConstantOp, ConstantMeaning>>(*context);
    IotaOp::attachInterface<Model<IotaOp, IotaMeaning>>(*context);
    ReshapeOp::attachInterface<Model<ReshapeOp, ReshapeMeaning>>(*context);
    TransposeOp::attachInterface<Model<TransposeOp, TransposeMeaning>>(
        *context);
    BroadcastOp::attachInterface<Model<BroadcastOp, BroadcastMeaning>>(
        *context);
    SliceOp::attachInterface<Model<SliceOp, SliceMeaning>>(*context);
    PadOp::attachInterface<Model<PadOp, PadMeaning>>(*context);
    RepeatOp::attachInterface<Model<RepeatOp, RepeatMeaning>>(*context);
    ConcatOp::attachInterface<Model<ConcatOp, ConcatMeaning>>(*context);
    GatherOp::attachInterface<Model<GatherOp, GatherMeaning>>(*context);
    ScatterOp::attachInterface<Model<ScatterOp, ScatterMeaning>>(*context);
  });
}
