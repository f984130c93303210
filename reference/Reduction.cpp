//===- Reduction.cpp - The meaning of reductions and windows --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Models.h"

#include "mlir/IR/DialectRegistry.h"
#include <cmath>

using namespace mlir;
using namespace ourc;
using namespace ourc::reference;

static double joinReal(Combiner combiner, double x, double y) {
  switch (combiner) {
  case Combiner::Add:
    return x + y;
  case Combiner::Mul:
    return x * y;
  case Combiner::Maximum:
    return std::isnan(x) || std::isnan(y) ? NAN : std::max(x, y);
  case Combiner::Minimum:
    return std::isnan(x) || std::isnan(y) ? NAN : std::min(x, y);
  case Combiner::And:
  case Combiner::Or:
    break;
  }
  llvm_unreachable("not a combiner of floats");
}

static int64_t joinInteger(Combiner combiner, int64_t x, int64_t y) {
  switch (combiner) {
  case Combiner::Add:
    return static_cast<int64_t>(static_cast<uint64_t>(x) +
                                static_cast<uint64_t>(y));
  case Combiner::Mul:
    return static_cast<int64_t>(static_cast<uint64_t>(x) *
                                static_cast<uint64_t>(y));
  case Combiner::Maximum:
    return std::max(x, y);
  case Combiner::Minimum:
    return std::min(x, y);
  case Combiner::And:
    return x & y;
  case Combiner::Or:
    return x | y;
  }
  llvm_unreachable("unknown combiner");
}

/// The value of an empty reduction.
static Element startOf(Combiner combiner, Type type) {
  bool isFloat = isa<FloatType>(type);
  int64_t top =
      isFloat || type.isInteger(1)
          ? 1
          : static_cast<int64_t>(llvm::maxIntN(type.getIntOrFloatBitWidth()));
  switch (combiner) {
  case Combiner::Add:
  case Combiner::Or:
    return {0, 0};
  case Combiner::Mul:
    return {1, 1};
  case Combiner::Maximum:
    return {-INFINITY, -top - 1};
  case Combiner::Minimum:
    return {INFINITY, top};
  case Combiner::And:
    return {0, type.isInteger(1) ? 1 : -1};
  }
  llvm_unreachable("unknown combiner");
}

void reference::joinInto(Combiner combiner, Element &place,
                         const Element &value, Type type) {
  if (isa<FloatType>(type))
    place.real = joinReal(combiner, place.real, value.real);
  else
    place.integer =
        wrapInteger(joinInteger(combiner, place.integer, value.integer), type);
}

namespace {
struct ReduceMeaning {
  Results operator()(ReduceOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    const Tensor &x = operands[0];
    auto keep = [&](ArrayRef<int64_t> all) {
      SmallVector<int64_t> kept;
      for (auto [i, value] : llvm::enumerate(all))
        if (!llvm::is_contained(op.getDimensions(), static_cast<int64_t>(i)))
          kept.push_back(value);
      return kept;
    };
    Tensor result(x.element, keep(x.shape));
    llvm::fill(result.data, startOf(op.getCombiner(), x.element));
    x.forEach([&](ArrayRef<int64_t> index) {
      joinInto(op.getCombiner(), result.at(keep(index)), x.at(index),
               x.element);
    });
    return single(result);
  }
};

struct PoolMeaning {
  Results operator()(PoolOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    const Tensor &x = operands[0];
    size_t count = op.getWindow().size();
    SmallVector<int64_t> shape(x.shape);
    for (size_t i = 0; i < count; ++i)
      shape[i + 1] = (x.shape[i + 1] + op.getLow()[i] + op.getHigh()[i] -
                      op.getDilations()[i] * (op.getWindow()[i] - 1) - 1) /
                         op.getStrides()[i] +
                     1;
    Combiner combiner =
        op.getKind() == PoolKind::Max ? Combiner::Maximum : Combiner::Add;
    Tensor result(x.element, shape);
    Tensor window(x.element, op.getWindow()); // for its indices
    result.forEach([&](ArrayRef<int64_t> index) {
      Element &place = result.at(index);
      place = startOf(combiner, x.element);
      window.forEach([&](ArrayRef<int64_t> tap) {
        SmallVector<int64_t> from(index);
        bool inside = true;
        for (size_t i = 0; i < count; ++i) {
          from[i + 1] = index[i + 1] * op.getStrides()[i] +
                        tap[i] * op.getDilations()[i] - op.getLow()[i];
          inside &= from[i + 1] >= 0 && from[i + 1] < x.shape[i + 1];
        }
        if (inside)
          joinInto(combiner, place, x.at(from), x.element);
      });
    });
    return single(result);
  }
};
} // namespace

void ourc::reference::registerReductionModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, OurcDialect *) {
    ReduceOp::attachInterface<Model<ReduceOp, ReduceMeaning>>(*context);
    PoolOp::attachInterface<Model<PoolOp, PoolMeaning>>(*context);
  });
}
