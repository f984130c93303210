//===- Reduction.cpp - Reductions ---------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/AtenToOurc/Lowering.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::aten;

namespace {
/// What most reductions take: a tensor, dimensions, and whether they stay.
struct ReductionArguments {
  Value x;
  SmallVector<int64_t> dims;
  bool keepDims = false;
};
} // namespace

static ReductionArguments readArguments(Call &call) {
  ReductionArguments arguments;
  arguments.x = call.tensor("self");
  if (call.failed())
    return arguments;
  arguments.dims = call.dims("dim", Emitter::rankOf(arguments.x));
  arguments.keepDims = call.flag("keepdim", false);
  return arguments;
}

/// f32 for f16 and bf16, whose intermediate results would lose digits.
static Type wideType(Type element) {
  return element.isF16() || element.isBF16()
             ? Float32Type::get(element.getContext())
             : element;
}

static LogicalResult finishAs(Call &call, Value value) {
  return call.finish(call.cast(value, call.resultElement()));
}

//===----------------------------------------------------------------------===//
// One combiner
//===----------------------------------------------------------------------===//

/// In the result's type: a sum of booleans counts them in i64.
template <Combiner combiner> static LogicalResult lowerArithmetic(Call &call) {
  ReductionArguments arguments = readArguments(call);
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  return call.finish(call.reduce(combiner, call.cast(arguments.x, element),
                                 arguments.dims, arguments.keepDims));
}

/// The extreme of booleans is their `or` (greatest) or `and` (least).
template <Combiner combiner>
static Value extreme(Call &call, const ReductionArguments &arguments) {
  if (call.failed())
    return {};
  Combiner used = combiner;
  if (Emitter::elementOf(arguments.x).isInteger(1))
    used = combiner == Combiner::Maximum ? Combiner::Or : Combiner::And;
  return call.reduce(used, arguments.x, arguments.dims, arguments.keepDims);
}

template <Combiner combiner> static LogicalResult lowerExtreme(Call &call) {
  return call.finish(extreme<combiner>(call, readArguments(call)));
}

/// The first position of an extreme along one dimension; NaN is one. It is the
/// least position among those whose element is the extreme or NaN.
template <Combiner combiner>
static Value position(Call &call, Value x, int64_t dim, bool keepDims) {
  if (call.failed())
    return {};
  // Booleans have no order of their own here.
  if (Emitter::elementOf(x).isInteger(1))
    x = call.cast(x, call.builder.getI8Type());
  SmallVector<OpFoldResult> sizes = call.sizesOf(x);
  Value found = call.reduce(combiner, x, dim, /*keepDims=*/true);
  Value isFound =
      call.compare(ComparePredicate::EQ, x, call.broadcast(found, sizes));
  if (isa<FloatType>(Emitter::elementOf(x)))
    isFound =
        call.apply<OrOp>(isFound, call.compare(ComparePredicate::NE, x, x));
  Value positions = call.iota(dim, sizes, call.builder.getI64Type());
  if (call.failed())
    return {};
  Value candidates = call.make<SelectOp>(
      positions.getType(), isFound, positions,
      call.fillLike(std::numeric_limits<int64_t>::max(), positions));
  return call.reduce(Combiner::Minimum, candidates, dim, keepDims);
}

/// `max.dim`: the extremes and their positions.
template <Combiner combiner>
static LogicalResult lowerExtremeWithPositions(Call &call) {
  ReductionArguments arguments = readArguments(call);
  if (mlir::failed(call.finish(extreme<combiner>(call, arguments))))
    return failure();
  if (!call.isUsed(1))
    return success();
  if (arguments.dims.size() != 1)
    return call.fail("positions in a tensor without dimensions");
  return call.set(1,
                  position<combiner>(call, arguments.x, arguments.dims.front(),
                                     arguments.keepDims));
}

/// Positions along one dimension, or in row-major order where none is given.
template <Combiner combiner> static LogicalResult lowerPosition(Call &call) {
  ReductionArguments arguments = readArguments(call);
  if (call.failed())
    return failure();
  auto [x, dims, keepDims] = arguments;
  if (call.has("dim") && dims.size() == 1)
    return call.finish(position<combiner>(call, x, dims.front(), keepDims));
  x = call.reshape(x, call.countOf(x, dims));
  Value found = position<combiner>(call, x, 0, /*keepDims=*/false);
  if (keepDims && found) {
    SmallVector<OpFoldResult> ones(Emitter::rankOf(arguments.x),
                                   call.math.constant(1));
    found = call.reshape(found, ones);
  }
  return call.finish(found);
}

/// Whether any or all elements are not zero.
template <Combiner combiner> static LogicalResult lowerTruth(Call &call) {
  ReductionArguments arguments = readArguments(call);
  if (call.failed())
    return failure();
  Value truth = call.cast(arguments.x, call.builder.getI1Type());
  return call.finish(
      call.reduce(combiner, truth, arguments.dims, arguments.keepDims));
}

//===----------------------------------------------------------------------===//
// Means and variances
//===----------------------------------------------------------------------===//

static LogicalResult lowerMean(Call &call) {
  ReductionArguments arguments = readArguments(call);
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  if (!isa<FloatType>(element))
    return call.fail("the mean of integers");
  Value x = call.cast(arguments.x, wideType(element));
  return finishAs(call, call.mean(x, arguments.dims, arguments.keepDims));
}

/// Variances and deviations: means of squared distances to the mean, by
/// n - correction; `withMean` gives the mean as a second result.
template <bool isDeviation, bool withMean>
static LogicalResult lowerVariance(Call &call) {
  auto [x, dims, keepDims] = readArguments(call);
  int64_t correction = 1;
  if (call.has("correction"))
    correction = call.integer("correction");
  else if (call.has("unbiased"))
    correction = call.flag("unbiased");
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  if (!isa<FloatType>(element))
    return call.fail("the variance of integers");
  x = call.cast(x, wideType(element));
  Value mean = call.mean(x, dims, /*keepDims=*/true);
  if (call.failed())
    return failure();
  Value distance = call.apply<SubOp>(x, call.broadcast(mean, call.sizesOf(x)));
  Value result = call.mean(call.apply<MulOp>(distance, distance), dims,
                           keepDims, correction);
  if (withMean && result) {
    mean = call.cast(call.reshape(mean, call.sizesOf(result)), element);
    if (mlir::failed(call.set(1, mean)))
      return failure();
  }
  if (isDeviation)
    result = call.apply<SqrtOp>(result);
  return finishAs(call, result);
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

static LogicalResult norm(Call &call, StringRef ordName) {
  ReductionArguments arguments = readArguments(call);
  double ord = call.number(ordName, 2.0);
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  if (!isa<FloatType>(element))
    return call.fail("the norm of integers");
  Value x = call.cast(arguments.x, wideType(element));
  auto reduce = [&](Combiner combiner, Value value) {
    return call.reduce(combiner, value, arguments.dims, arguments.keepDims);
  };
  if (ord == 2)
    return finishAs(call, call.apply<SqrtOp>(
                              reduce(Combiner::Add, call.apply<MulOp>(x, x))));
  if (ord == 0) {
    Value nonZero =
        call.compare(ComparePredicate::NE, x, call.fillLike(0.0, x));
    if (call.failed())
      return failure();
    return finishAs(
        call, reduce(Combiner::Add, call.cast(nonZero, Emitter::elementOf(x))));
  }
  Value size = call.apply<AbsOp>(x);
  if (ord == 1)
    return finishAs(call, reduce(Combiner::Add, size));
  if (ord == std::numeric_limits<double>::infinity())
    return finishAs(call, reduce(Combiner::Maximum, size));
  if (ord == -std::numeric_limits<double>::infinity())
    return finishAs(call, reduce(Combiner::Minimum, size));
  Value powers = call.apply<PowOp>(size, call.fillLike(ord, size));
  Value sum = reduce(Combiner::Add, powers);
  return finishAs(call, call.apply<PowOp>(sum, call.fillLike(1 / ord, sum)));
}

static LogicalResult lowerVectorNorm(Call &call) { return norm(call, "ord"); }
static LogicalResult lowerNorm(Call &call) { return norm(call, "p"); }

/// log(sum(exp(x - max))) + max; an infinite maximum is not subtracted.
static LogicalResult lowerLogSumExp(Call &call) {
  ReductionArguments arguments = readArguments(call);
  Type element = call.resultElement();
  if (call.failed())
    return failure();
  if (!isa<FloatType>(element))
    return call.fail("the logarithm of a sum of integers");
  Value x = call.cast(arguments.x, wideType(element));
  Value max = call.reduce(Combiner::Maximum, x, arguments.dims, true);
  Value zero = call.fillLike(0.0, max);
  Value infinite =
      call.compare(ComparePredicate::EQ, call.apply<AbsOp>(max),
                   call.fillLike(std::numeric_limits<double>::infinity(), max));
  if (call.failed())
    return failure();
  max = call.make<SelectOp>(max.getType(), infinite, zero, max);
  if (call.failed())
    return failure();
  Value shifted = call.apply<SubOp>(x, call.broadcast(max, call.sizesOf(x)));
  Value sum = call.reduce(Combiner::Add, call.apply<ExpOp>(shifted),
                          arguments.dims, arguments.keepDims);
  if (call.failed())
    return failure();
  max = call.reshape(max, call.sizesOf(sum));
  return finishAs(call, call.apply<AddOp>(call.apply<LogOp>(sum), max));
}

void ourc::aten::populateReduction(LoweringTable &table) {
  table.add({"sum.default", "sum.dim_IntList"}, lowerArithmetic<Combiner::Add>);
  table.add({"prod.default", "prod.dim_int"}, lowerArithmetic<Combiner::Mul>);
  table.add({"amax.default", "max.default"}, lowerExtreme<Combiner::Maximum>);
  table.add({"amin.default", "min.default"}, lowerExtreme<Combiner::Minimum>);
  table.add("max.dim", lowerExtremeWithPositions<Combiner::Maximum>);
  table.add("min.dim", lowerExtremeWithPositions<Combiner::Minimum>);
  table.add("argmax.default", lowerPosition<Combiner::Maximum>);
  table.add("argmin.default", lowerPosition<Combiner::Minimum>);
  table.add({"any.default", "any.dim", "any.dims"}, lowerTruth<Combiner::Or>);
  table.add({"all.default", "all.dim", "all.dims"}, lowerTruth<Combiner::And>);

  table.add({"mean.default", "mean.dim"}, lowerMean);
  table.add({"var.default", "var.dim", "var.correction"},
            lowerVariance<false, false>);
  table.add({"std.default", "std.dim", "std.correction"},
            lowerVariance<true, false>);
  table.add("var_mean.correction", lowerVariance<false, true>);
  table.add("std_mean.correction", lowerVariance<true, true>);

  table.add("linalg_vector_norm.default", lowerVectorNorm);
  table.add("logsumexp.default", lowerLogSumExp);
  table.add({"norm.Scalar", "norm.ScalarOpt_dim"}, lowerNorm);
}
