//===- Contraction.cpp - The meaning of contractions and convolutions -----===//
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

static void addProduct(Element &place, const Element &x, const Element &y,
                       Type type) {
  if (isa<FloatType>(type))
    place.real += x.real * y.real;
  else
    place.integer =
        wrapInteger(static_cast<int64_t>(static_cast<uint64_t>(place.integer) +
                                         static_cast<uint64_t>(x.integer) *
                                             static_cast<uint64_t>(y.integer)),
                    type);
}

namespace {
struct ContractMeaning {
  Results operator()(ContractOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    const Tensor &lhs = operands[0], &rhs = operands[1];
    SmallVector<int64_t> shape, summed;
    for (int64_t dim : op.getLhsBatch())
      shape.push_back(lhs.shape[dim]);
    for (int64_t dim : op.getLhsFree())
      shape.push_back(lhs.shape[dim]);
    for (int64_t dim : op.getRhsFree())
      shape.push_back(rhs.shape[dim]);
    for (int64_t dim : op.getLhsContract())
      summed.push_back(lhs.shape[dim]);
    Tensor result(lhs.element, shape);
    Tensor sums(lhs.element, summed); // for its indices
    result.forEach([&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> l(lhs.getRank()), r(rhs.getRank());
      unsigned next = 0;
      for (auto [a, b] : llvm::zip(op.getLhsBatch(), op.getRhsBatch()))
        l[a] = r[b] = index[next++];
      for (int64_t dim : op.getLhsFree())
        l[dim] = index[next++];
      for (int64_t dim : op.getRhsFree())
        r[dim] = index[next++];
      sums.forEach([&](ArrayRef<int64_t> at) {
        unsigned i = 0;
        for (auto [a, b] : llvm::zip(op.getLhsContract(), op.getRhsContract()))
          l[a] = r[b] = at[i++];
        addProduct(result.at(index), lhs.at(l), rhs.at(r), lhs.element);
      });
    });
    return single(result);
  }
};

struct ConvolutionMeaning {
  Results operator()(ConvolutionOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    const Tensor &x = operands[0], &filter = operands[1];
    size_t count = op.getStrides().size(), last = count + 1;
    SmallVector<int64_t> shape{x.shape[0]};
    for (size_t i = 0; i < count; ++i)
      shape.push_back((x.shape[i + 1] + op.getLow()[i] + op.getHigh()[i] -
                       op.getDilations()[i] * (filter.shape[i + 1] - 1) - 1) /
                          op.getStrides()[i] +
                      1);
    shape.push_back(filter.shape[0]);
    int64_t groups = op.getGroups();
    int64_t outs = filter.shape[0] / groups, ins = filter.shape[last];
    Tensor result(x.element, shape);
    SmallVector<int64_t> taps(filter.shape);
    taps[0] = 1;
    Tensor window(x.element, taps); // for its indices
    result.forEach([&](ArrayRef<int64_t> index) {
      int64_t channel = index[last];
      window.forEach([&](ArrayRef<int64_t> tap) {
        SmallVector<int64_t> from(index), at(tap);
        at[0] = channel;
        from[last] = channel / outs * ins + tap[last];
        bool inside = true;
        for (size_t i = 0; i < count; ++i) {
          from[i + 1] = index[i + 1] * op.getStrides()[i] +
                        tap[i + 1] * op.getDilations()[i] - op.getLow()[i];
          inside &= from[i + 1] >= 0 && from[i + 1] < x.shape[i + 1];
        }
        if (inside)
          addProduct(result.at(index), x.at(from), filter.at(at), x.element);
      });
    });
    return single(result);
  }
};

struct LinearMeaning {
  Results operator()(LinearOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    const Tensor &x = operands[0], &weight = operands[1];
    SmallVector<int64_t> shape(x.shape);
    shape.back() = weight.shape[0];
    Tensor result(x.element, shape);
    result.forEach([&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> from(index);
      double sum = op.getBias() ? operands[2].at(index.back()).real : 0.0;
      for (int64_t i = 0; i < weight.shape[1]; ++i) {
        from.back() = i;
        sum += x.at(from).real * weight.at({index.back(), i}).real;
      }
      result.at(index).real = sum;
    });
    return single(result);
  }
};
} // namespace

void ourc::reference::registerContractionModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, OurcDialect *) {
    ContractOp::attachInterface<Model<ContractOp, ContractMeaning>>(*context);
    ConvolutionOp::attachInterface<Model<ConvolutionOp, ConvolutionMeaning>>(
        *context);
    LinearOp::attachInterface<Model<LinearOp, LinearMeaning>>(*context);
  });
}
