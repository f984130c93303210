//===- Composite.cpp - The meaning of norms, softmax and attention --------===//
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

/// eˣ over the sum of eˣ; NaN where all are -inf.
static void softmaxInPlace(MutableArrayRef<double> line) {
  double greatest = -INFINITY, sum = 0;
  for (double x : line)
    greatest =
        std::isnan(x) || std::isnan(greatest) ? NAN : std::max(greatest, x);
  for (double &x : line)
    sum += x = std::exp(x - greatest);
  for (double &x : line)
    x /= sum;
}

namespace {
struct SoftmaxMeaning {
  Results operator()(SoftmaxOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    Tensor result = operands[0];
    int64_t dim = op.getDim(), size = result.shape[dim];
    operands[0].forEach([&](ArrayRef<int64_t> index) {
      if (index[dim] != 0)
        return;
      SmallVector<int64_t> at(index);
      std::vector<double> line(size);
      for (at[dim] = 0; at[dim] < size; ++at[dim])
        line[at[dim]] = operands[0].at(at).real;
      softmaxInPlace(line);
      for (at[dim] = 0; at[dim] < size; ++at[dim])
        result.at(at).real = line[at[dim]];
    });
    return single(result);
  }
};

struct LayerNormMeaning {
  Results operator()(LayerNormOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    const Tensor &x = operands[0];
    Tensor result = x;
    int64_t count = 1;
    for (int64_t i = 0; i < static_cast<int64_t>(op.getNumDims()); ++i)
      count *= x.shape[x.getRank() - 1 - i];
    double epsilon = op.getEpsilon().convertToDouble();
    for (size_t row = 0; row < x.data.size(); row += count) {
      double mean = 0, variance = 0;
      for (int64_t i = 0; i < count; ++i)
        mean += x.data[row + i].real / count;
      for (int64_t i = 0; i < count; ++i)
        variance += std::pow(x.data[row + i].real - mean, 2) / count;
      for (int64_t i = 0; i < count; ++i) {
        double y =
            (x.data[row + i].real - mean) / std::sqrt(variance + epsilon);
        if (op.getWeight())
          y *= operands[1].data[i].real;
        if (op.getBias())
          y += operands.back().data[i].real;
        result.data[row + i].real = y;
      }
    }
    return single(result);
  }
};

struct BatchNormMeaning {
  Results operator()(BatchNormOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    Tensor result = operands[0];
    double epsilon = op.getEpsilon().convertToDouble();
    result.forEach([&](ArrayRef<int64_t> index) {
      int64_t c = index[op.getChannel()];
      double y = (result.at(index).real - operands[1].at(c).real) /
                 std::sqrt(operands[2].at(c).real + epsilon);
      if (op.getWeight())
        y *= operands[3].at(c).real;
      if (op.getBias())
        y += operands.back().at(c).real;
      result.at(index).real = y;
    });
    return single(result);
  }
};

struct GroupNormMeaning {
  Results operator()(GroupNormOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    const Tensor &x = operands[0];
    Tensor result = x;
    int64_t channel = op.getChannel(), groups = op.getGroups();
    int64_t size = x.shape[channel] / groups;
    double epsilon = op.getEpsilon().convertToDouble();
    // Of each sample and group: the count, the sum, then the mean; the sum of
    // squared distances.
    std::vector<double> count(x.shape[0] * groups), mean(count), squares(count);
    auto slotOf = [&](ArrayRef<int64_t> index) {
      return index[0] * groups + index[channel] / size;
    };
    x.forEach([&](ArrayRef<int64_t> index) {
      ++count[slotOf(index)];
      mean[slotOf(index)] += x.at(index).real;
    });
    for (size_t i = 0; i < mean.size(); ++i)
      mean[i] /= count[i];
    x.forEach([&](ArrayRef<int64_t> index) {
      squares[slotOf(index)] +=
          std::pow(x.at(index).real - mean[slotOf(index)], 2);
    });
    result.forEach([&](ArrayRef<int64_t> index) {
      int64_t slot = slotOf(index);
      double y = (x.at(index).real - mean[slot]) /
                 std::sqrt(squares[slot] / count[slot] + epsilon);
      if (op.getWeight())
        y *= operands[1].at(index[channel]).real;
      if (op.getBias())
        y += operands.back().at(index[channel]).real;
      result.at(index).real = y;
    });
    return single(result);
  }
};

struct AttentionMeaning {
  Results operator()(AttentionOp op, ArrayRef<Tensor> operands,
                     const Symbols &) const {
    const Tensor &q = operands[0], &k = operands[1], &v = operands[2];
    int64_t rank = q.getRank(), row = rank - 2, column = rank - 1;
    int64_t numKeys = k.shape[row], numFeatures = q.shape[column];
    SmallVector<int64_t> shape(q.shape);
    shape[column] = v.shape[column];
    Tensor result(q.element, shape);
    double scale = op.getScale().convertToDouble();
    q.forEach([&](ArrayRef<int64_t> index) {
      if (index[column] != 0)
        return;
      // The scores of one query.
      SmallVector<int64_t> a(index), b(index);
      std::vector<double> scores(numKeys);
      bool anyKey = false;
      for (int64_t key = 0; key < numKeys; ++key) {
        b[row] = key;
        for (int64_t d = 0; d < numFeatures; ++d) {
          a[column] = b[column] = d;
          scores[key] += q.at(a).real * k.at(b).real;
        }
        scores[key] *= scale;
        if (op.getMask()) {
          const Tensor &mask = operands[3];
          SmallVector<int64_t> at(index);
          at[column] = key;
          for (int64_t i = 0; i < rank; ++i)
            if (mask.shape[i] == 1)
              at[i] = 0;
          if (mask.isFloat())
            scores[key] += mask.at(at).real;
          else if (!mask.at(at).integer)
            scores[key] = -INFINITY;
        }
        if (op.getCausal() && key > index[row])
          scores[key] = -INFINITY;
        anyKey |= scores[key] != -INFINITY;
      }
      if (!anyKey && op.getZeroMaskedRows())
        return;
      softmaxInPlace(scores);
      SmallVector<int64_t> out(index);
      for (int64_t e = 0; e < v.shape[column]; ++e) {
        double sum = 0;
        b[column] = out[column] = e;
        for (int64_t key = 0; key < numKeys; ++key) {
          b[row] = key;
          sum += scores[key] * v.at(b).real;
        }
        result.at(out).real = sum;
      }
    });
    return single(result);
  }
};
} // namespace

void ourc::reference::registerCompositeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, OurcDialect *) {
    SoftmaxOp::attachInterface<Model<SoftmaxOp, SoftmaxMeaning>>(*context);
    LayerNormOp::attachInterface<Model<LayerNormOp, LayerNormMeaning>>(
        *context);
    BatchNormOp::attachInterface<Model<BatchNormOp, BatchNormMeaning>>(
        *context);
    GroupNormOp::attachInterface<Model<GroupNormOp, GroupNormMeaning>>(
        *context);
    AttentionOp::attachInterface<Model<AttentionOp, AttentionMeaning>>(
        *context);
  });
}
