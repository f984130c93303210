//===- Convolution.cpp - Convolutions -----------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Lowering.h"

#include <numeric>

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

/// [0, 2, 3, …, rank-1, 1]: channels, second in PyTorch, go last.
static SmallVector<int64_t> channelsLast(int64_t rank) {
  SmallVector<int64_t> permutation{0};
  for (int64_t dim = 2; dim < rank; ++dim)
    permutation.push_back(dim);
  permutation.push_back(1);
  return permutation;
}

/// The inverse of channelsLast.
static SmallVector<int64_t> channelsSecond(int64_t rank) {
  SmallVector<int64_t> permutation{0, rank - 1};
  for (int64_t dim = 1; dim < rank - 1; ++dim)
    permutation.push_back(dim);
  return permutation;
}

static LogicalResult lowerConvolution(Call &call) {
  Value input = call.tensor("input"), filter = call.tensor("weight"),
        bias = call.optionalTensor("bias");
  RankedTensorType result = call.resultType();
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(input), count = rank - 2;
  if (count < 1 || Emitter::rankOf(filter) != rank)
    return call.fail("input and weight must have one rank, at least 3, but "
                     "have " +
                     Twine(rank) + " and " + Twine(Emitter::rankOf(filter)));
  for (int64_t dim = 2; dim < rank; ++dim)
    if (Emitter::typeOf(filter).isDynamicDim(dim))
      return call.fail("a weight whose spatial size changes from call to call; "
                       "mark its dimensions static "
                       "(torch._dynamo.mark_static)");
  if (!isa<FloatType>(Emitter::elementOf(input)))
    return call.fail("convolutions of integers");
  if (call.flag("transposed", false))
    return lowerTransposedConvolution(call);
  if (call.has("padding") && isa<StringAttr>(call.op.getArgument("padding")))
    return call.fail("padding that is given by name");
  SmallVector<int64_t> ones(count, 1), zeros(count, 0);
  SmallVector<int64_t> strides = call.integers("stride", count, ones);
  SmallVector<int64_t> padding = call.integers("padding", count, zeros);
  SmallVector<int64_t> dilations = call.integers("dilation", count, ones);
  int64_t groups = call.integer("groups", 1);
  if (call.failed())
    return failure();

  if (groups != 1 && (Emitter::typeOf(input).isDynamicDim(1) ||
                      Emitter::typeOf(filter).isDynamicDim(0) ||
                      Emitter::typeOf(filter).isDynamicDim(1)))
    return call.fail("groups of channels whose number changes from call to "
                     "call; mark the dimension static "
                     "(torch._dynamo.mark_static)");
  input = call.transpose(input, channelsLast(rank));
  filter = call.transpose(filter, channelsLast(rank));
  if (call.failed())
    return failure();
  // The declared result is the channels-first one.
  SmallVector<int64_t> shape;
  if (result.getRank() != rank)
    return call.fail("the result must have the input's rank");
  for (int64_t dim : channelsLast(rank))
    shape.push_back(result.getDimSize(dim));
  Value convolution = call.make<ConvolutionOp>(
      result.clone(shape), input, filter, strides, dilations, padding, padding,
      static_cast<uint64_t>(groups));
  if (bias && convolution)
    convolution = call.apply<AddOp>(
        convolution, call.broadcast(bias, call.sizesOf(convolution)));
  return call.finish(call.transpose(convolution, channelsSecond(rank)));
}

void ourc::aten::populateConvolution(LoweringTable &table) {
  table.add({"convolution.default", "conv1d.default", "conv2d.default",
             "conv3d.default"},
            lowerConvolution);
}
