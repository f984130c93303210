//===- Interpreter.cpp - What a kernel means, computed in f64 -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace ourc;
using namespace ourc::test;

Tensor::Tensor(Type element, ArrayRef<int64_t> shape)
    : element(element), shape(shape) {
  int64_t size = 1;
  for (int64_t dim : shape)
    size *= dim;
  data.resize(size);
}

int64_t Tensor::getLinearIndex(ArrayRef<int64_t> index) const {
  int64_t linear = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    linear = linear * shape[d] + index[d];
  return linear;
}

static const llvm::fltSemantics &getSemantics(Type type) {
  return cast<FloatType>(type).getFloatSemantics();
}

Tensor Tensor::fromMemory(Type element, ArrayRef<int64_t> shape,
                          const void *memory) {
  Tensor tensor(element, shape);
  unsigned bits = element.getIntOrFloatBitWidth();
  const char *bytes = static_cast<const char *>(memory);
  for (Scalar &scalar : tensor.data) {
    uint64_t raw = 0;
    memcpy(&raw, bytes, bits / 8);
    bytes += bits / 8;
    llvm::APInt value(bits, raw);
    if (isa<FloatType>(element)) {
      llvm::APFloat number(getSemantics(element), value);
      bool lost;
      number.convert(llvm::APFloat::IEEEdouble(),
                     llvm::APFloat::rmNearestTiesToEven, &lost);
      scalar.f = number.convertToDouble();
    } else {
      scalar.i = value.getSExtValue();
    }
  }
  return tensor;
}

void Tensor::toMemory(void *memory) const {
  unsigned bits = element.getIntOrFloatBitWidth();
  char *bytes = static_cast<char *>(memory);
  for (const Scalar &scalar : data) {
    uint64_t raw = scalar.i;
    if (isa<FloatType>(element)) {
      llvm::APFloat number(scalar.f);
      bool lost;
      number.convert(getSemantics(element), llvm::APFloat::rmNearestTiesToEven,
                     &lost);
      raw = number.bitcastToAPInt().getZExtValue();
    }
    memcpy(bytes, &raw, bits / 8);
    bytes += bits / 8;
  }
}

namespace {

class Interpreter {
public:
  llvm::Expected<std::vector<Tensor>> run(kernel::FuncOp kernel,
                                          ArrayRef<Tensor> arguments);

private:
  using Scalars = llvm::SmallDenseMap<Value, Scalar>;

  llvm::Error fail(Operation *op) {
    return llvm::createStringError("the interpreter does not know '" +
                                   op->getName().getStringRef() + "'");
  }

  llvm::Error visit(Operation *op);
  llvm::Error visitLinalg(linalg::LinalgOp op);
  llvm::Error visitPad(tensor::PadOp op);
  llvm::Error visitUnpack(linalg::UnPackOp op);
  void visitWinogradFilter(kernel::WinogradFilterOp op);
  llvm::Error visitSlice(tensor::ExtractSliceOp op);
  llvm::Error visitReshape(Operation *op);
  llvm::Error visitConcat(tensor::ConcatOp op);
  llvm::Error visitCoupledReduce(kernel::CoupledReduceOp op);
  llvm::Error visitAttention(kernel::AttentionOp op);

  /// Runs a region on scalars; gives what its terminator passes on.
  llvm::Error runBlock(Block &block, ArrayRef<Scalar> arguments,
                       ArrayRef<int64_t> loops, std::vector<Scalar> &results);
  llvm::Error runScalar(Operation &op, Scalars &scalars,
                        ArrayRef<int64_t> loops);
  Scalar lookup(Value value, const Scalars &scalars);

  std::vector<int64_t> getShape(Value value);
  int64_t getIndex(OpFoldResult value) {
    if (auto attr = dyn_cast<Attribute>(value))
      return cast<IntegerAttr>(attr).getInt();
    return lookup(cast<Value>(value), Scalars()).i;
  }

  llvm::DenseMap<Value, Tensor> tensors;
  Scalars outer;
};

} // namespace

/// Calls `body` for each index below `shape`, in row-major order.
static llvm::Error forEach(ArrayRef<int64_t> shape,
                           function_ref<llvm::Error(ArrayRef<int64_t>)> body) {
  for (int64_t dim : shape)
    if (dim <= 0)
      return llvm::Error::success();
  std::vector<int64_t> index(shape.size(), 0);
  for (;;) {
    if (llvm::Error error = body(index))
      return error;
    size_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1])
      index[--d] = 0;
    if (d == 0)
      return llvm::Error::success();
  }
}

static std::vector<int64_t> applyMap(AffineMap map, ArrayRef<int64_t> loops) {
  SmallVector<int64_t> results = map.compose(loops);
  return std::vector<int64_t>(results.begin(), results.end());
}

/// Wraps an integer to its type's width.
static int64_t wrap(int64_t value, Type type) {
  if (type.isIndex())
    return value;
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits >= 64
             ? value
             : llvm::APInt(64, uint64_t(value)).trunc(bits).getSExtValue();
}

static uint64_t asUnsigned(int64_t value, Type type) {
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return bits >= 64 ? uint64_t(value)
                    : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}

Scalar Interpreter::lookup(Value value, const Scalars &scalars) {
  if (auto it = scalars.find(value); it != scalars.end())
    return it->second;
  if (auto it = outer.find(value); it != outer.end())
    return it->second;
  llvm_unreachable("a scalar is used before it is computed");
}

std::vector<int64_t> Interpreter::getShape(Value value) {
  return tensors.find(value)->second.shape;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static bool compare(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return !unordered && a != b;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || a == b;
  case P::UGT:
    return unordered || a > b;
  case P::UGE:
    return unordered || a >= b;
  case P::ULT:
    return unordered || a < b;
  case P::ULE:
    return unordered || a <= b;
  case P::UNE:
    return a != b;
  case P::UNO:
    return unordered;
  }
  return false;
}

static double maximum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? NAN : a > b ? a : b;
}

static double minimum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? NAN : a < b ? a : b;
}

/// Rounds to the type, where it is narrower than f32: such a cast is meant.
static double roundTo(double value, Type type) {
  if (!type.isF16() && !type.isBF16())
    return value;
  llvm::APFloat number(value);
  bool lost;
  number.convert(getSemantics(type), llvm::APFloat::rmNearestTiesToEven, &lost);
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &lost);
  return number.convertToDouble();
}

llvm::Error Interpreter::runScalar(Operation &op, Scalars &scalars,
                                   ArrayRef<int64_t> loops) {
  auto in = [&](unsigned i) { return lookup(op.getOperand(i), scalars); };
  auto type = [&](unsigned i) { return op.getOperand(i).getType(); };
  auto setF = [&](double value) { scalars[op.getResult(0)].f = value; };
  auto setI = [&](int64_t value) {
    scalars[op.getResult(0)].i = wrap(value, op.getResult(0).getType());
  };
  auto unary = [&](double (*function)(double)) { setF(function(in(0).f)); };
  using namespace arith;
  bool known = true;
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](arith::ConstantOp constant) {
        if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
          setF(number.getValueAsDouble());
        else if (auto number = dyn_cast<IntegerAttr>(constant.getValue()))
          setI(number.getValue().getSExtValue());
        else
          known = false;
      })
      .Case([&](linalg::IndexOp index) { setI(loops[index.getDim()]); })
      .Case([&](AddFOp) { setF(in(0).f + in(1).f); })
      .Case([&](SubFOp) { setF(in(0).f - in(1).f); })
      .Case([&](MulFOp) { setF(in(0).f * in(1).f); })
      .Case([&](DivFOp) { setF(in(0).f / in(1).f); })
      .Case([&](NegFOp) { setF(-in(0).f); })
      .Case([&](MaximumFOp) { setF(maximum(in(0).f, in(1).f)); })
      .Case([&](MinimumFOp) { setF(minimum(in(0).f, in(1).f)); })
      .Case([&](MaxNumFOp) { setF(std::fmax(in(0).f, in(1).f)); })
      .Case([&](MinNumFOp) { setF(std::fmin(in(0).f, in(1).f)); })
      .Case<ExtFOp, TruncFOp>([&](Operation *cast) {
        setF(roundTo(in(0).f, cast->getResult(0).getType()));
      })
      .Case<SIToFPOp>([&](Operation *) { setF(double(in(0).i)); })
      .Case<UIToFPOp>(
          [&](Operation *) { setF(double(asUnsigned(in(0).i, type(0)))); })
      .Case<FPToSIOp>([&](Operation *) { setI(int64_t(in(0).f)); })
      .Case([&](AddIOp) { setI(in(0).i + in(1).i); })
      .Case([&](SubIOp) { setI(in(0).i - in(1).i); })
      .Case([&](MulIOp) { setI(int64_t(uint64_t(in(0).i) * in(1).i)); })
      .Case([&](AndIOp) { setI(in(0).i & in(1).i); })
      .Case([&](OrIOp) { setI(in(0).i | in(1).i); })
      .Case([&](XOrIOp) { setI(in(0).i ^ in(1).i); })
      .Case([&](MaxSIOp) { setI(std::max(in(0).i, in(1).i)); })
      .Case([&](MinSIOp) { setI(std::min(in(0).i, in(1).i)); })
      .Case<ExtSIOp, TruncIOp, IndexCastOp>([&](Operation *) { setI(in(0).i); })
      .Case([&](ExtUIOp) { setI(int64_t(asUnsigned(in(0).i, type(0)))); })
      .Case(
          [&](SelectOp) { scalars[op.getResult(0)] = in(0).i ? in(1) : in(2); })
      .Case([&](CmpFOp cmp) {
        setI(compare(cmp.getPredicate(), in(0).f, in(1).f));
      })
      .Case([&](CmpIOp cmp) {
        unsigned bits =
            type(0).isIndex() ? 64 : type(0).getIntOrFloatBitWidth();
        setI(applyCmpPredicate(cmp.getPredicate(),
                               llvm::APInt(64, uint64_t(in(0).i)).trunc(bits),
                               llvm::APInt(64, uint64_t(in(1).i)).trunc(bits)));
      })
      .Case([&](math::ExpOp) { unary(std::exp); })
      .Case([&](math::Exp2Op) { unary(std::exp2); })
      .Case([&](math::ExpM1Op) { unary(std::expm1); })
      .Case([&](math::LogOp) { unary(std::log); })
      .Case([&](math::Log1pOp) { unary(std::log1p); })
      .Case([&](math::Log2Op) { unary(std::log2); })
      .Case([&](math::TanhOp) { unary(std::tanh); })
      .Case([&](math::ErfOp) { unary(std::erf); })
      .Case([&](math::SqrtOp) { unary(std::sqrt); })
      .Case([&](math::RsqrtOp) { setF(1 / std::sqrt(in(0).f)); })
      .Case([&](math::SinOp) { unary(std::sin); })
      .Case([&](math::CosOp) { unary(std::cos); })
      .Case([&](math::AbsFOp) { unary(std::fabs); })
      .Case([&](math::FloorOp) { unary(std::floor); })
      .Case([&](math::CeilOp) { unary(std::ceil); })
      .Case([&](math::TruncOp) { unary(std::trunc); })
      .Case([&](math::RoundEvenOp) { unary(std::nearbyint); })
      .Case([&](math::AbsIOp) { setI(std::abs(in(0).i)); })
      .Case([&](math::PowFOp) { setF(std::pow(in(0).f, in(1).f)); })
      .Case([&](math::FmaOp) { setF(in(0).f * in(1).f + in(2).f); })
      .Case(
          [&](tensor::DimOp dim) { setI(getShape(dim.getSource())[in(1).i]); })
      .Case([&](tensor::ExtractOp extract) {
        const Tensor &source = tensors.find(extract.getTensor())->second;
        std::vector<int64_t> index;
        for (unsigned i = 1; i < op.getNumOperands(); ++i)
          index.push_back(in(i).i);
        scalars[op.getResult(0)] = source.data[source.getLinearIndex(index)];
      })
      .Default([&](Operation *) { known = false; });
  return known ? llvm::Error::success() : fail(&op);
}

llvm::Error Interpreter::runBlock(Block &block, ArrayRef<Scalar> arguments,
                                  ArrayRef<int64_t> loops,
                                  std::vector<Scalar> &results) {
  Scalars scalars;
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    scalars[argument] = value;
  for (Operation &op : block.without_terminator())
    if (llvm::Error error = runScalar(op, scalars, loops))
      return error;
  results.clear();
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(lookup(value, scalars));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

llvm::Error Interpreter::visitLinalg(linalg::LinalgOp op) {
  std::vector<int64_t> loops(op.getNumLoops(), -1);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        loops[loop.getPosition()] = getShape(operand.get())[dim];
  }
  if (llvm::is_contained(loops, -1))
    return llvm::createStringError("a loop's size is not known");
  SmallVector<Tensor> outputs;
  for (Value init : op.getDpsInits())
    outputs.push_back(tensors.find(init)->second);
  unsigned numInputs = op.getNumDpsInputs();
  std::vector<Scalar> results;
  llvm::Error error = forEach(loops, [&](ArrayRef<int64_t> at) -> llvm::Error {
    SmallVector<Scalar> arguments;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType())) {
        arguments.push_back(lookup(operand.get(), Scalars()));
        continue;
      }
      const Tensor &tensor =
          operand.getOperandNumber() >= numInputs
              ? outputs[operand.getOperandNumber() - numInputs]
              : tensors.find(operand.get())->second;
      arguments.push_back(tensor.data[tensor.getLinearIndex(
          applyMap(op.getMatchingIndexingMap(&operand), at))]);
    }
    if (llvm::Error error = runBlock(*op.getBlock(), arguments, at, results))
      return error;
    for (auto [i, result] : llvm::enumerate(results)) {
      AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(i));
      outputs[i].data[outputs[i].getLinearIndex(applyMap(map, at))] = result;
    }
    return llvm::Error::success();
  });
  if (error)
    return error;
  for (auto [result, output] : llvm::zip(op->getResults(), outputs))
    tensors[result] = std::move(output);
  return llvm::Error::success();
}

llvm::Error Interpreter::visitPad(tensor::PadOp op) {
  Value fill = op.getConstantPaddingValue();
  if (!fill)
    return fail(op);
  const Tensor &source = tensors.find(op.getSource())->second;
  std::vector<int64_t> shape, low;
  for (auto [dim, amounts] : llvm::enumerate(
           llvm::zip_equal(op.getMixedLowPad(), op.getMixedHighPad()))) {
    low.push_back(getIndex(std::get<0>(amounts)));
    shape.push_back(source.shape[dim] + low.back() +
                    getIndex(std::get<1>(amounts)));
  }
  Tensor result(source.element, shape);
  Scalars scalars;
  if (llvm::Error error = runScalar(*fill.getDefiningOp(), scalars, {}))
    return error;
  llvm::fill(result.data, scalars[fill]);
  llvm::Error error =
      forEach(source.shape, [&](ArrayRef<int64_t> at) -> llvm::Error {
        std::vector<int64_t> to(at);
        for (size_t d = 0; d < to.size(); ++d)
          to[d] += low[d];
        result.data[result.getLinearIndex(to)] =
            source.data[source.getLinearIndex(at)];
        return llvm::Error::success();
      });
  tensors[op.getResult()] = std::move(result);
  return error;
}

llvm::Error Interpreter::visitUnpack(linalg::UnPackOp op) {
  const Tensor &source = tensors.find(op.getSource())->second;
  Tensor result(source.element, getShape(op.getDest()));
  ArrayRef<int64_t> perm = op.getOuterDimsPerm(), dims = op.getInnerDimsPos();
  ArrayRef<int64_t> tiles = op.getStaticInnerTiles();
  llvm::Error error =
      forEach(result.shape, [&](ArrayRef<int64_t> at) -> llvm::Error {
        std::vector<int64_t> outerIndex(at), inner;
        for (auto [i, dim] : llvm::enumerate(dims)) {
          inner.push_back(at[dim] % tiles[i]);
          outerIndex[dim] = at[dim] / tiles[i];
        }
        std::vector<int64_t> from;
        for (size_t d = 0; d < at.size(); ++d)
          from.push_back(outerIndex[perm.empty() ? d : perm[d]]);
        llvm::append_range(from, inner);
        result.data[result.getLinearIndex(at)] =
            source.data[source.getLinearIndex(from)];
        return llvm::Error::success();
      });
  tensors[op.getResult()] = std::move(result);
  return error;
}

void Interpreter::visitWinogradFilter(kernel::WinogradFilterOp op) {
  const Tensor &source = tensors.find(op.getTransformed())->second;
  Tensor result(source.element,
                cast<RankedTensorType>(op.getFilter().getType()).getShape());
  int64_t channels = source.shape[3], lanes = source.shape[4];
  for (int64_t f = 0; f < result.shape[0]; ++f)
    for (int64_t c = 0; c < channels; ++c) {
      double u[4][4];
      for (int64_t i = 0; i < 4; ++i)
        for (int64_t j = 0; j < 4; ++j)
          u[i][j] =
              source
                  .data[source.getLinearIndex({f / lanes, i, j, c, f % lanes})]
                  .f;
      // Twice: the first, the difference of the middle ones, the last.
      const double weights[3][4] = {{1, 0, 0, 0}, {0, 1, -1, 0}, {0, 0, 0, 1}};
      for (int64_t h = 0; h < 3; ++h)
        for (int64_t v = 0; v < 3; ++v) {
          double sum = 0;
          for (int64_t i = 0; i < 4; ++i)
            for (int64_t j = 0; j < 4; ++j)
              sum += weights[h][i] * weights[v][j] * u[i][j];
          result.data[result.getLinearIndex({f, h, v, c})].f = sum;
        }
    }
  tensors[op.getFilter()] = std::move(result);
}

llvm::Error Interpreter::visitSlice(tensor::ExtractSliceOp op) {
  const Tensor &source = tensors.find(op.getSource())->second;
  std::vector<int64_t> sizes, shape;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes())) {
    sizes.push_back(getIndex(size));
    if (!dropped[dim])
      shape.push_back(sizes.back());
  }
  Tensor result(source.element, shape);
  int64_t next = 0;
  llvm::Error error = forEach(sizes, [&](ArrayRef<int64_t> at) -> llvm::Error {
    std::vector<int64_t> from;
    for (size_t d = 0; d < at.size(); ++d)
      from.push_back(getIndex(op.getMixedOffsets()[d]) +
                     at[d] * getIndex(op.getMixedStrides()[d]));
    result.data[next++] = source.data[source.getLinearIndex(from)];
    return llvm::Error::success();
  });
  tensors[op.getResult()] = std::move(result);
  return error;
}

llvm::Error Interpreter::visitConcat(tensor::ConcatOp op) {
  uint64_t dim = op.getDim();
  std::vector<int64_t> shape = getShape(op.getInputs().front());
  shape[dim] = 0;
  for (Value input : op.getInputs())
    shape[dim] += getShape(input)[dim];
  Tensor result(tensors.find(op.getInputs().front())->second.element, shape);
  int64_t start = 0;
  for (Value input : op.getInputs()) {
    const Tensor &part = tensors.find(input)->second;
    llvm::Error error =
        forEach(part.shape, [&](ArrayRef<int64_t> at) -> llvm::Error {
          std::vector<int64_t> to(at);
          to[dim] += start;
          result.data[result.getLinearIndex(to)] =
              part.data[part.getLinearIndex(at)];
          return llvm::Error::success();
        });
    if (error)
      return error;
    start += part.shape[dim];
  }
  tensors[op.getResult()] = std::move(result);
  return llvm::Error::success();
}

llvm::Error Interpreter::visitReshape(Operation *op) {
  Tensor result = tensors.find(op->getOperand(0))->second;
  std::vector<int64_t> shape;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    for (OpFoldResult size : expand.getMixedOutputShape())
      shape.push_back(getIndex(size));
  } else {
    for (auto &group :
         cast<tensor::CollapseShapeOp>(op).getReassociationIndices()) {
      int64_t size = 1;
      for (int64_t dim : group)
        size *= result.shape[dim];
      shape.push_back(size);
    }
  }
  result.shape = shape;
  tensors[op->getResult(0)] = std::move(result);
  return llvm::Error::success();
}

llvm::Error Interpreter::visitCoupledReduce(kernel::CoupledReduceOp op) {
  std::vector<int64_t> shape = getShape(op.getInputs().front());
  Tensor cells(nullptr, getShape(op.getOutputs().front()));
  std::vector<std::vector<Scalar>> states(cells.data.size());
  for (std::vector<Scalar> &state : states)
    if (llvm::Error error = runBlock(op.getInit().front(), {}, {}, state))
      return error;
  llvm::Error error = forEach(shape, [&](ArrayRef<int64_t> at) -> llvm::Error {
    std::vector<int64_t> kept;
    for (size_t d = 0; d < at.size(); ++d)
      if (!llvm::is_contained(op.getDimensions(), int64_t(d)))
        kept.push_back(at[d]);
    std::vector<Scalar> &state = states[cells.getLinearIndex(kept)];
    SmallVector<Scalar> arguments(state.begin(), state.end());
    for (Value input : op.getInputs()) {
      const Tensor &tensor = tensors.find(input)->second;
      arguments.push_back(tensor.data[tensor.getLinearIndex(at)]);
    }
    return runBlock(op.getAccumulate().front(), arguments, {}, state);
  });
  if (error)
    return error;
  SmallVector<Tensor> outputs;
  for (Value output : op.getOutputs())
    outputs.push_back(tensors.find(output)->second);
  for (auto [cell, state] : llvm::enumerate(states)) {
    std::vector<Scalar> results;
    if (llvm::Error error =
            runBlock(op.getFinish().front(), state, {}, results))
      return error;
    for (auto [output, result] : llvm::zip(outputs, results))
      output.data[cell] = result;
  }
  for (auto [result, output] : llvm::zip(op.getResults(), outputs))
    tensors[result] = std::move(output);
  return llvm::Error::success();
}

llvm::Error Interpreter::visitAttention(kernel::AttentionOp op) {
  unsigned numBatch = op.getNumBatch(), s = numBatch, t = s + 1, d = s + 2,
           e = s + 3;
  std::vector<int64_t> sizes(numBatch + 4, 0);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMap(operand.getOperandNumber());
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        sizes[loop.getPosition()] = getShape(operand.get())[dim];
  }
  auto read = [&](unsigned operand, ArrayRef<int64_t> at) {
    const Tensor &tensor = tensors.find(op->getOperand(operand))->second;
    return tensor.data[tensor.getLinearIndex(applyMap(op.getMap(operand), at))];
  };
  unsigned numOperands = op->getNumOperands();
  Tensor result = tensors.find(op.getOutput())->second;
  std::vector<int64_t> rows(sizes.begin(), sizes.begin() + numBatch + 1);
  double scale = op.getScale().convertToDouble();
  llvm::Error error = forEach(rows, [&](ArrayRef<int64_t> row) -> llvm::Error {
    std::vector<int64_t> at(row);
    at.resize(numBatch + 4, 0);
    std::vector<double> scores;
    double most = -INFINITY;
    for (at[t] = 0; at[t] < sizes[t]; ++at[t]) {
      double sum = 0;
      for (at[d] = 0; at[d] < sizes[d]; ++at[d])
        sum += read(0, at).f * read(1, at).f;
      at[d] = 0;
      SmallVector<Scalar> arguments{Scalar{scale * sum, 0}};
      for (unsigned i = 3; i + 1 < numOperands; ++i)
        arguments.push_back(read(i, at));
      std::vector<Scalar> score;
      if (llvm::Error error =
              runBlock(op.getScore().front(), arguments, {}, score))
        return error;
      bool masked = op.getCausal() && at[t] > at[s];
      scores.push_back(masked ? -INFINITY : score[0].f);
      most = maximum(most, scores.back());
    }
    at[t] = 0;
    double total = 0;
    for (double &score : scores) {
      score = std::exp(score - most);
      total += score;
    }
    bool zero = op.getZeroMaskedRows() && most == -INFINITY;
    for (at[e] = 0; at[e] < sizes[e]; ++at[e]) {
      double sum = 0;
      for (at[t] = 0; at[t] < sizes[t]; ++at[t])
        sum += scores[at[t]] / total * read(2, at).f;
      at[t] = 0;
      if (sizes[t] == 0)
        sum = NAN;
      result
          .data[result.getLinearIndex(applyMap(op.getMap(numOperands - 1), at))]
          .f = zero ? 0 : sum;
    }
    return llvm::Error::success();
  });
  tensors[op.getResult()] = std::move(result);
  return error;
}

llvm::Error Interpreter::visit(Operation *op) {
  return llvm::TypeSwitch<Operation *, llvm::Error>(op)
      .Case([&](linalg::LinalgOp linalgOp) { return visitLinalg(linalgOp); })
      .Case([&](linalg::UnPackOp unpack) { return visitUnpack(unpack); })
      .Case([&](kernel::WinogradFilterOp filter) {
        visitWinogradFilter(filter);
        return llvm::Error::success();
      })
      .Case([&](tensor::PadOp pad) { return visitPad(pad); })
      .Case([&](tensor::ExtractSliceOp slice) { return visitSlice(slice); })
      .Case([&](tensor::ConcatOp concat) { return visitConcat(concat); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](Operation *reshape) { return visitReshape(reshape); })
      .Case([&](kernel::CoupledReduceOp reduce) {
        return visitCoupledReduce(reduce);
      })
      .Case([&](kernel::AttentionOp attention) {
        return visitAttention(attention);
      })
      .Case([&](tensor::EmptyOp empty) {
        std::vector<int64_t> shape;
        for (OpFoldResult size : empty.getMixedSizes())
          shape.push_back(getIndex(size));
        tensors[empty.getResult()] =
            Tensor(empty.getType().getElementType(), shape);
        return llvm::Error::success();
      })
      .Case([&](tensor::CastOp cast) {
        tensors[cast.getResult()] = tensors.find(cast.getSource())->second;
        return llvm::Error::success();
      })
      .Default([&](Operation *other) -> llvm::Error {
        DenseElementsAttr elements;
        if (!matchPattern(other, m_Constant(&elements)))
          return runScalar(*other, outer, {});
        Tensor tensor(elements.getElementType(), elements.getType().getShape());
        for (auto [i, scalar] : llvm::enumerate(tensor.data)) {
          if (isa<FloatType>(tensor.element))
            scalar.f = (elements.getValues<APFloat>()[i]).convertToDouble();
          else
            scalar.i = (elements.getValues<APInt>()[i]).getSExtValue();
        }
        tensors[other->getResult(0)] = std::move(tensor);
        return llvm::Error::success();
      });
}

llvm::Expected<std::vector<Tensor>>
Interpreter::run(kernel::FuncOp kernel, ArrayRef<Tensor> arguments) {
  Block &block = kernel.getBody().front();
  for (auto [argument, tensor] : llvm::zip(block.getArguments(), arguments))
    tensors[argument] = tensor;
  for (Operation &op : block.without_terminator())
    if (llvm::Error error = visit(&op))
      return error;
  std::vector<Tensor> results;
  for (Value value : kernel.getReturnOp().getOperands())
    results.push_back(tensors.find(value)->second);
  return results;
}

llvm::Expected<std::vector<Tensor>>
ourc::test::interpretKernel(kernel::FuncOp kernel, ArrayRef<Tensor> arguments) {
  return Interpreter().run(kernel, arguments);
}
