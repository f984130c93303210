//===- Normalization.cpp - Softmax, layer and batch norm, dropout -------===//
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

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// Reads "self", converted to the result's type (half_to_float, dtype), and
/// "dim".
static Value readSoftmax(Call &call, int64_t &dim) {
  Value x = call.tensor("self");
  Type element = call.resultElement();
  if (call.failed())
    return {};
  dim = call.dim("dim", Emitter::rankOf(x));
  if (Emitter::rankOf(x) == 0)
    (void)call.fail("the operand has no dimensions");
  return call.cast(x, element);
}

static LogicalResult lowerSoftmax(Call &call) {
  int64_t dim;
  Value x = readSoftmax(call, dim);
  if (call.failed())
    return failure();
  return call.finish(
      call.make<SoftmaxOp>(x.getType(), x, static_cast<uint64_t>(dim)));
}

/// Zero where a whole line is -inf.
static LogicalResult lowerSafeSoftmax(Call &call) {
  int64_t dim;
  Value x = readSoftmax(call, dim);
  if (call.failed())
    return failure();
  Value softmax =
      call.make<SoftmaxOp>(x.getType(), x, static_cast<uint64_t>(dim));
  Value least = call.fillLike(-std::numeric_limits<double>::infinity(), x);
  Value masked = call.reduce(
      Combiner::And, call.compare(ComparePredicate::EQ, x, least), {dim},
      /*keepDims=*/true);
  masked = call.broadcast(masked, call.sizesOf(x));
  return call.finish(
      call.make<SelectOp>(x.getType(), masked, call.fillLike(0.0, x), softmax));
}

/// (x - max) - log(sum(exp(x - max))), in f32 for f16 and bf16.
static LogicalResult lowerLogSoftmax(Call &call) {
  int64_t dim;
  Value x = readSoftmax(call, dim);
  if (call.failed())
    return failure();
  Type element = Emitter::elementOf(x);
  if (element.isF16() || element.isBF16())
    x = call.cast(x, call.builder.getF32Type());
  SmallVector<OpFoldResult> sizes = call.sizesOf(x);
  Value max = call.reduce(Combiner::Maximum, x, {dim}, /*keepDims=*/true);
  Value shifted = call.apply<SubOp>(x, call.broadcast(max, sizes));
  Value sum = call.reduce(Combiner::Add, call.apply<ExpOp>(shifted), {dim},
                          /*keepDims=*/true);
  Value log = call.broadcast(call.apply<LogOp>(sum), sizes);
  return call.finish(call.cast(call.apply<SubOp>(shifted, log), element));
}

//===----------------------------------------------------------------------===//
// Layer norm and group norm
//===----------------------------------------------------------------------===//

/// 1 / √(variance + epsilon) over trailing dimensions, which stay as units,
/// and the mean.
static std::pair<Value, Value>
statistics(Call &call, Value x, ArrayRef<int64_t> dims, double epsilon) {
  Value mean = call.mean(x, dims, /*keepDims=*/true);
  if (call.failed())
    return {};
  Value distance = call.apply<SubOp>(x, call.broadcast(mean, call.sizesOf(x)));
  Value variance = call.mean(call.apply<MulOp>(distance, distance), dims,
                             /*keepDims=*/true);
  Value shifted = call.apply<AddOp>(variance, call.fillLike(epsilon, variance));
  return {mean, call.apply<RsqrtOp>(shifted)};
}

static LogicalResult lowerLayerNorm(Call &call) {
  Value x = call.tensor("input"), weight = call.optionalTensor("weight"),
        bias = call.optionalTensor("bias");
  SmallVector<OpFoldResult> normalized = call.sizes("normalized_shape");
  double epsilon = call.number("eps", 1e-5);
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  int64_t count = normalized.size(), rank = Emitter::rankOf(x);
  if (count < 1 || count > rank)
    return call.fail("argument 'normalized_shape' must have 1 to " +
                     Twine(rank) + " entries");
  Type compute = promoteOperands({x, weight, bias});
  x = call.cast(x, compute);
  weight = call.cast(weight, compute);
  bias = call.cast(bias, compute);
  if (call.failed())
    return failure();
  Value result = call.make<LayerNormOp>(x.getType(), x, weight, bias,
                                        static_cast<uint64_t>(count),
                                        llvm::APFloat(epsilon));
  if (mlir::failed(call.finish(call.cast(result, element))))
    return failure();
  if (!call.isUsed(1) && !call.isUsed(2))
    return success();
  SmallVector<int64_t> dims(count);
  std::iota(dims.begin(), dims.end(), rank - count);
  Type wide = compute.isF16() || compute.isBF16()
                  ? Type(call.builder.getF32Type())
                  : compute;
  auto [mean, scale] = statistics(call, call.cast(x, wide), dims, epsilon);
  for (auto [index, value] : {std::pair(1, mean), std::pair(2, scale)})
    if (call.isUsed(index) &&
        mlir::failed(
            call.set(index, call.cast(value, call.resultElement(index)))))
      return failure();
  return success();
}

static LogicalResult groupNorm(Call &call, StringRef groupsName) {
  Value x = call.tensor("input"), weight = call.optionalTensor("weight"),
        bias = call.optionalTensor("bias");
  int64_t groups = call.integer(groupsName);
  double epsilon = call.number("eps", 1e-5);
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  if (Emitter::rankOf(x) < 2 || groups < 1)
    return call.fail("the input must have at least 2 dimensions and there must "
                     "be a group");
  Type compute = promoteOperands({x, weight, bias});
  x = call.cast(x, compute);
  weight = call.cast(weight, compute);
  bias = call.cast(bias, compute);
  if (call.failed())
    return failure();
  Value result = call.make<GroupNormOp>(
      x.getType(), x, weight, bias, static_cast<uint64_t>(groups),
      static_cast<uint64_t>(1), llvm::APFloat(epsilon));
  if (mlir::failed(call.finish(call.cast(result, element))))
    return failure();
  if (!call.isUsed(1) && !call.isUsed(2))
    return success();
  SmallVector<OpFoldResult> sizes = call.sizesOf(x);
  SmallVector<int64_t> dims(Emitter::rankOf(x) - 1);
  std::iota(dims.begin(), dims.end(), 1);
  OpFoldResult length =
      call.math.floorDiv(call.countOf(x, dims), call.math.constant(groups));
  Value rows = call.reshape(x, {sizes[0], call.math.constant(groups), length});
  Type wide = compute.isF16() || compute.isBF16()
                  ? Type(call.builder.getF32Type())
                  : compute;
  auto [mean, scale] = statistics(call, call.cast(rows, wide), 2, epsilon);
  for (auto [index, value] : {std::pair(1, mean), std::pair(2, scale)})
    if (call.isUsed(index)) {
      value = call.reshape(value, {sizes[0], call.math.constant(groups)});
      value = call.cast(value, call.resultElement(index));
      if (mlir::failed(call.set(index, value)))
        return failure();
    }
  return success();
}

static LogicalResult lowerGroupNorm(Call &call) {
  return groupNorm(call, "num_groups");
}
static LogicalResult lowerNativeGroupNorm(Call &call) {
  return groupNorm(call, "group");
}

//===----------------------------------------------------------------------===//
// Batch norm
//===----------------------------------------------------------------------===//

namespace {
/// The operands of batch norm, computed in one type, and which dimensions of
/// the input are not channels.
struct BatchNormArguments {
  Value x, weight, bias, mean, variance;
  double epsilon = 0;
  Type compute;
  int64_t rank = 0;
};
} // namespace

static BatchNormArguments readBatchNorm(Call &call) {
  BatchNormArguments arguments;
  arguments.x = call.tensor("input");
  arguments.weight = call.optionalTensor("weight");
  arguments.bias = call.optionalTensor("bias");
  arguments.mean = call.optionalTensor("running_mean");
  arguments.variance = call.optionalTensor("running_var");
  arguments.epsilon = call.number("eps");
  if (call.failed())
    return arguments;
  arguments.rank = Emitter::rankOf(arguments.x);
  if (arguments.rank < 2)
    (void)call.fail("the input must have at least 2 dimensions");
  arguments.compute =
      promoteOperands({arguments.x, arguments.weight, arguments.bias,
                       arguments.mean, arguments.variance});
  return arguments;
}

/// With these statistics, channels last as convolutions are.
static Value normalizeChannels(Call &call, const BatchNormArguments &arguments,
                               Value mean, Value variance) {
  if (call.failed())
    return {};
  auto [x, weight, bias, m, v, epsilon, compute, rank] = arguments;
  SmallVector<int64_t> toLast{0}, fromLast{0, rank - 1};
  for (int64_t dim = 2; dim < rank; ++dim) {
    toLast.push_back(dim);
    fromLast.push_back(dim - 1);
  }
  toLast.push_back(1);
  x = call.transpose(call.cast(x, compute), toLast);
  if (call.failed())
    return {};
  Value result = call.make<BatchNormOp>(
      x.getType(), x, call.cast(mean, compute), call.cast(variance, compute),
      call.cast(weight, compute), call.cast(bias, compute),
      static_cast<uint64_t>(rank - 1), llvm::APFloat(epsilon));
  return call.transpose(result, fromLast);
}

static LogicalResult batchNorm(Call &call) {
  BatchNormArguments arguments = readBatchNorm(call);
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  if (!arguments.mean || !arguments.variance)
    return call.fail("no running statistics are given");
  Value result =
      normalizeChannels(call, arguments, arguments.mean, arguments.variance);
  return call.finish(call.cast(result, element));
}

static LogicalResult lowerBatchNormInference(Call &call) {
  return batchNorm(call);
}

/// With the statistics of the input. Results 1 and 2 are these; 3 and 4, where
/// there are any, are the running ones, moved towards them.
static LogicalResult lowerBatchNormTraining(Call &call) {
  if (!call.flag("training")) {
    if (mlir::failed(batchNorm(call)))
      return failure();
    for (auto [index, name] :
         {std::pair(3, "running_mean"), std::pair(4, "running_var")})
      if (index < static_cast<int>(call.op->getNumResults()) &&
          mlir::failed(call.set(index, call.tensor(name))))
        return failure();
    return success();
  }
  BatchNormArguments arguments = readBatchNorm(call);
  double momentum = call.number("momentum", 0.1);
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  // Forms with three results write the running ones where they lie.
  unsigned numResults = call.op->getNumResults();
  if (numResults < 5 && (arguments.mean || arguments.variance))
    return call.fail("batch norm with the statistics of its input "
                     "(training=True); switch the module to eval()");
  Type wide = arguments.compute.isF16() || arguments.compute.isBF16()
                  ? Type(call.builder.getF32Type())
                  : arguments.compute;
  SmallVector<int64_t> dims{0};
  for (int64_t dim = 2; dim < arguments.rank; ++dim)
    dims.push_back(dim);
  // Differences from the mean lose less than squares of what may be large.
  Value x = call.cast(arguments.x, wide);
  Value mean = call.mean(x, dims, /*keepDims=*/false);
  Value centred =
      call.apply<SubOp>(x, call.broadcast(mean, {1}, call.sizesOf(x)));
  Value squares = call.apply<MulOp>(centred, centred);
  Value variance = call.mean(squares, dims, /*keepDims=*/false);
  arguments.compute = wide;
  Value result = normalizeChannels(call, arguments, mean, variance);
  if (mlir::failed(call.finish(call.cast(result, element))))
    return failure();

  auto give = [&](unsigned index, Value value) {
    if (index >= numResults || !call.isUsed(index) || call.failed())
      return;
    (void)call.set(index, call.cast(value, call.resultElement(index)));
  };
  give(1, mean);
  if (numResults > 2 && call.isUsed(2)) {
    Value scale =
        call.apply<AddOp>(variance, call.fillLike(arguments.epsilon, variance));
    give(2, call.apply<RsqrtOp>(scale));
  }
  auto move = [&](unsigned index, Value running, Value batch) {
    if (index >= numResults || !call.isUsed(index) || !running || !batch)
      return;
    running = call.cast(running, wide);
    Value kept =
        call.apply<MulOp>(running, call.fillLike(1 - momentum, running));
    Value added = call.apply<MulOp>(batch, call.fillLike(momentum, batch));
    give(index, call.apply<AddOp>(kept, added));
  };
  move(3, arguments.mean, mean);
  if (numResults > 4 && call.isUsed(4))
    move(4, arguments.variance,
         call.mean(squares, dims, /*keepDims=*/false, /*correction=*/1));
  return success(!call.failed());
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

/// Whether dropout does nothing: in evaluation, or with probability 0.
static bool isIdentityDropout(Call &call) {
  return !call.flag("train", true) || call.number("p") == 0;
}

static LogicalResult lowerDropout(Call &call) {
  Value x = call.tensor("input");
  if (!isIdentityDropout(call))
    return call.fail("dropout that drops (train=True); switch the module to "
                     "eval()");
  return call.finish(x);
}

/// The second result is the mask of what was kept.
static LogicalResult lowerNativeDropout(Call &call) {
  if (mlir::failed(lowerDropout(call)) || !call.isUsed(1))
    return success(!call.failed());
  Value x = call.tensor("input");
  return call.set(1,
                  call.fill(true, call.builder.getI1Type(), call.sizesOf(x)));
}

//===----------------------------------------------------------------------===//
// Weight norm
//===----------------------------------------------------------------------===//

/// v · g / |v|, the norm over all dimensions but one; the second result is the
/// norm.
static LogicalResult lowerWeightNorm(Call &call) {
  Value v = call.tensor("v"), g = call.tensor("g");
  if (call.failed())
    return failure();
  int64_t rank = Emitter::rankOf(v), dim = call.dim("dim", rank, 0);
  Type element = Emitter::elementOf(v);
  if (call.failed())
    return failure();
  Type wide = element.isF16() || element.isBF16()
                  ? Type(call.builder.getF32Type())
                  : element;
  SmallVector<int64_t> others;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim)
      others.push_back(i);
  Value x = call.cast(v, wide);
  Value norm = call.apply<SqrtOp>(call.reduce(
      Combiner::Add, call.apply<MulOp>(x, x), others, /*keepDims=*/true));
  Value scale = call.apply<DivOp>(call.cast(g, wide), norm);
  Value w = call.apply<MulOp>(x, call.broadcast(scale, call.sizesOf(x)));
  if (mlir::failed(call.finish(call.cast(w, element))))
    return failure();
  if (!call.isUsed(1))
    return success();
  return call.set(1, call.cast(norm, call.resultElement(1)));
}

void ourc::aten::populateNormalization(LoweringTable &table) {
  table.add({"_softmax.default", "softmax.int"}, lowerSoftmax);
  table.add("_safe_softmax.default", lowerSafeSoftmax);
  table.add({"_log_softmax.default", "log_softmax.int"}, lowerLogSoftmax);
  table.add({"native_layer_norm.default", "layer_norm.default"},
            lowerLayerNorm);
  table.add("group_norm.default", lowerGroupNorm);
  table.add("native_group_norm.default", lowerNativeGroupNorm);
  table.add("_native_batch_norm_legit_no_training.default",
            lowerBatchNormInference);
  table.add({"native_batch_norm.default", "_native_batch_norm_legit.default",
             "_native_batch_norm_legit.no_stats",
             "_native_batch_norm_legit_functional.default",
             "batch_norm.default"},
            lowerBatchNormTraining);
  table.add("_weight_norm_interface.default", lowerWeightNorm);
  table.add("dropout.default", lowerDropout);
  table.add("native_dropout.default", lowerNativeDropout);
}
