//===- OperandReader.cpp - Elements of any tensor in a kernel -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/OperandReader.h"
#include "conversion/KernelToCPU/BodyEmitter.h"
#include "conversion/KernelToCPU/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

//===----------------------------------------------------------------------===//
// Where to emit, and what is known already
//===----------------------------------------------------------------------===//

void OperandReader::bind(Value tensor, Provider provider, Block *home) {
  cache.clear();
  bound[tensor] = {std::move(provider), home};
}

void OperandReader::unbind(Value tensor) {
  cache.clear();
  bound.erase(tensor);
}

bool OperandReader::dependsOn(Value tensor, Value on) {
  llvm::SetVector<Value> reached;
  reached.insert(tensor);
  for (unsigned i = 0; i < reached.size(); ++i) {
    if (reached[i] == on)
      return true;
    if (Operation *op = reached[i].getDefiningOp()) {
      for (Value operand : op->getOperands())
        reached.insert(operand);
      op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (operand.getParentRegion() == op->getParentRegion())
            reached.insert(operand);
      });
    }
  }
  return false;
}

OpBuilder OperandReader::hoist(OpBuilder &builder, Value tensor,
                               ArrayRef<Value> values) {
  llvm::SmallPtrSet<Block *, 4> homes;
  for (auto &[other, entry] : bound)
    if (tensor && dependsOn(tensor, other))
      homes.insert(entry.second);
  for (Value value : values)
    homes.insert(value.getParentBlock());
  OpBuilder at(builder);
  Block *block = builder.getInsertionBlock();
  while (!homes.contains(block)) {
    auto loop = dyn_cast_or_null<scf::ForOp>(block->getParentOp());
    if (!loop)
      break;
    at.setInsertionPoint(loop);
    block = loop->getBlock();
  }
  return at;
}

void OperandReader::remember(Value tensor, Indices indices, Value mask,
                             Block *block, Value value) {
  cache[tensor].push_back(
      {SmallVector<LaneIndex>(indices), mask, block, value});
}

static bool encloses(Block *outer, Block *inner) {
  while (inner) {
    if (inner == outer)
      return true;
    Operation *parent = inner->getParentOp();
    inner = parent ? parent->getBlock() : nullptr;
  }
  return false;
}

FailureOr<Value> OperandReader::read(OpBuilder &builder, Location loc,
                                     Value tensor, Indices indices,
                                     Value mask) {
  assert(static_cast<int64_t>(indices.size()) ==
             cast<RankedTensorType>(tensor.getType()).getRank() &&
         "one index for each dimension");
  // Where all lanes agree, the mask does not matter: one of them is on.
  if (llvm::all_of(indices, [](auto &index) { return index.isUniform(); }))
    mask = {};
  SmallVector<Value> values;
  for (const LaneIndex &index : indices)
    index.collectValues(values);
  if (mask)
    values.push_back(mask);
  OpBuilder at = hoist(builder, tensor, values);
  bool moved = at.getInsertionBlock() != builder.getInsertionBlock();
  OpBuilder &use = moved ? at : builder;
  Block *block = use.getInsertionBlock();
  for (Entry &entry : cache[tensor])
    if (entry.mask == mask && Indices(entry.indices) == indices &&
        encloses(entry.block, block))
      return entry.value;
  FailureOr<Value> value = keptTensors.contains(tensor)
                               ? readKept(use, loc, tensor, indices, mask)
                               : compute(use, loc, tensor, indices, mask);
  if (succeeded(value))
    remember(tensor, indices, mask, block, *value);
  return value;
}

FailureOr<Value> OperandReader::compute(OpBuilder &builder, Location loc,
                                        Value tensor, Indices indices,
                                        Value mask) {
  if (auto it = bound.find(tensor); it != bound.end()) {
    Provider provider = it->second.first;
    return provider(builder, loc, indices, mask);
  }
  if (getStorage(tensor))
    return readMemory(builder, loc, tensor, indices, mask);
  Operation *op = tensor.getDefiningOp();
  auto result = cast<OpResult>(tensor);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return readConstant(builder, loc, tensor,
                        cast<ElementsAttr>(constant.getValue()), indices, mask);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (linalgOp.getNumReductionLoops() != 0)
      return readReduction(builder, result, indices, mask);
    return readElementwise(builder, linalgOp, result.getResultNumber(), indices,
                           mask);
  }
  if (isa<kernel::CoupledReduceOp>(op))
    return readReduction(builder, result, indices, mask);
  return readShaped(builder, loc, op, indices, mask);
}

//===----------------------------------------------------------------------===//
// Memory and constants
//===----------------------------------------------------------------------===//

LaneIndex OperandReader::scale(OpBuilder &builder, Location loc,
                               const LaneIndex &index, Value factor) {
  APInt constant;
  if (matchPattern(factor, m_ConstantInt(&constant)))
    return index * constant.getSExtValue();
  if (index == LaneIndex())
    return index;
  if (index.isUniform()) {
    Value base = index.emitBase(builder, loc);
    return LaneIndex(
        arith::MulIOp::create(builder, loc, base, factor).getResult());
  }
  Value all = index.emitVector(builder, loc, lanes);
  Value by = emitSplat(builder, loc, factor, lanes);
  return LaneIndex::perLane(arith::MulIOp::create(builder, loc, all, by));
}

LaneIndex OperandReader::linearize(OpBuilder &builder, Location loc,
                                   Value tensor, Indices indices) {
  LaneIndex offset;
  for (auto [d, index] : llvm::enumerate(indices))
    offset = offset + scale(builder, loc, index, abi.getStride(tensor, d));
  return offset;
}

FailureOr<Value> OperandReader::readMemory(OpBuilder &builder, Location loc,
                                           Value tensor, Indices indices,
                                           Value mask) {
  auto argument = cast<BlockArgument>(getStorage(tensor));
  LaneIndex offset = linearize(builder, loc, tensor, indices);
  return emitLoad(builder, loc, getElementTypeOrSelf(tensor.getType()),
                  abi.getPointer(argument), offset, lanes, mask);
}

FailureOr<Value> OperandReader::readConstant(OpBuilder &builder, Location loc,
                                             Value tensor,
                                             ElementsAttr elements,
                                             Indices indices, Value mask) {
  Type element = elements.getElementType();
  if (elements.isSplat()) {
    auto value = elements.getSplatValue<Attribute>();
    return abi.getConstant(cast<TypedAttr>(value));
  }
  // A table in the code's constant data; booleans as bytes.
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (!dense) {
    emitError(loc) << "a constant's elements must be at hand in a kernel";
    return failure();
  }
  Type storage = element.isInteger(1) ? builder.getI8Type() : element;
  if (storage != element)
    dense = dense.mapValues(storage,
                            [](const APInt &value) { return value.zext(8); });
  auto flat =
      dense.reshape(RankedTensorType::get({dense.getNumElements()}, storage));
  Value pointer = abi.getTable(flat);
  LaneIndex offset = linearize(builder, loc, tensor, indices);
  return emitLoad(builder, loc, element, pointer, offset, lanes, mask);
}

FailureOr<Value> OperandReader::readScalar(OpBuilder &builder, Location loc,
                                           Value scalar) {
  if (scalar.getType().isIndex())
    return abi.getIndex(scalar);
  Operation *op = scalar.getDefiningOp();
  Attribute constant;
  if (matchPattern(scalar, m_Constant(&constant)))
    return abi.getConstant(cast<TypedAttr>(constant));
  if (!op) {
    emitError(loc) << "a kernel's region uses a value from outside that is not "
                      "known in the kernel";
    return failure();
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<LaneIndex> indices;
    for (Value index : extract.getIndices())
      indices.push_back(LaneIndex(abi.getIndex(index)));
    return read(builder, loc, extract.getTensor(), indices);
  }
  if (isa<arith::IndexCastOp>(op)) {
    Value index = abi.getIndex(op->getOperand(0));
    unsigned bits = scalar.getType().getIntOrFloatBitWidth();
    if (bits >= 64)
      return index;
    return arith::TruncIOp::create(builder, loc, scalar.getType(), index)
        .getResult();
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    FailureOr<Value> value = readScalar(builder, loc, operand);
    if (failed(value))
      return failure();
    operands.push_back(*value);
  }
  return BodyEmitter(builder, lanes).emitOp(op, operands);
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>>
OperandReader::emitBody(OpBuilder &builder, Block &body, ValueRange arguments,
                        Indices loops, Value mask,
                        ArrayRef<std::pair<Value, Value>> known,
                        std::optional<ArrayRef<unsigned>> wanted) {
  BodyEmitter emitter(builder, lanes);
  emitter.setKnown(known);
  if (wanted)
    emitter.setWanted(*wanted);
  return emitter.emit(
      body, arguments, [&](int64_t dim) { return loops[dim]; },
      [&](tensor::ExtractOp op, Indices indices) {
        return readExtract(builder, op, indices, mask);
      },
      [&](Value outer) { return readScalar(builder, outer.getLoc(), outer); });
}

FailureOr<Value> OperandReader::readElementwise(OpBuilder &builder,
                                                linalg::LinalgOp op,
                                                unsigned result,
                                                Indices indices, Value mask) {
  Location loc = op.getLoc();
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  SmallVector<LaneIndex> loops(op.getNumLoops());
  if (!map.isPermutation()) {
    op.emitError("result ") << result << " is not written by a permutation of "
                            << "the loops, so a kernel cannot read it";
    return failure();
  }
  for (auto [expr, index] : llvm::zip(map.getResults(), indices))
    loops[cast<AffineDimExpr>(expr).getPosition()] = index;

  SmallVector<Value> arguments;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument)
      continue;
    if (argument.use_empty()) {
      arguments.push_back(Value());
      continue;
    }
    FailureOr<Value> value;
    if (op.isScalar(&operand)) {
      value = readScalar(builder, loc, operand.get());
    } else {
      FailureOr<SmallVector<LaneIndex>> at = applyMap(
          builder, loc, op.getMatchingIndexingMap(&operand), loops, lanes);
      if (failed(at))
        return failure();
      value = read(builder, loc, operand.get(), *at, mask);
    }
    if (failed(value))
      return failure();
    arguments.push_back(*value);
  }
  FailureOr<SmallVector<Value>> values =
      emitBody(builder, *op.getBlock(), arguments, loops, mask);
  if (failed(values))
    return failure();
  // The other results come for nothing.
  for (auto [i, value] : llvm::enumerate(*values)) {
    AffineMap other = op.getMatchingIndexingMap(op.getDpsInitOperand(i));
    if (i == result || !other.isPermutation())
      continue;
    SmallVector<LaneIndex> at;
    for (AffineExpr expr : other.getResults())
      at.push_back(loops[cast<AffineDimExpr>(expr).getPosition()]);
    remember(op->getResult(i), at, mask, builder.getInsertionBlock(), value);
  }
  return (*values)[result];
}

//===----------------------------------------------------------------------===//
// Reads at computed places
//===----------------------------------------------------------------------===//

LaneIndex OperandReader::checkIndex(OpBuilder &builder, Location loc,
                                    const LaneIndex &index, Value size,
                                    Value mask) {
  Value given = index.emit(builder, loc, lanes);
  if (auto it = checked.find({given, size});
      it != checked.end() && index.isUniform()) {
    SmallVector<Value> values;
    it->second.collectValues(values);
    if (llvm::all_of(values, [&](Value v) {
          return encloses(v.getParentBlock(), builder.getInsertionBlock());
        }))
      return it->second;
  }
  SmallVector<Value> values;
  index.collectValues(values);
  bool vector = !index.isUniform();
  if (vector && mask)
    values.push_back(mask);
  OpBuilder at = vector ? OpBuilder(builder) : hoist(builder, Value(), values);
  OpBuilder &use =
      at.getInsertionBlock() == builder.getInsertionBlock() ? builder : at;
  if (!vector)
    given = index.emit(use, loc, lanes);

  Value limit = vector ? emitSplat(use, loc, size, lanes) : size;
  Value bad =
      arith::CmpIOp::create(use, loc, arith::CmpIPredicate::uge, given, limit);
  if (vector && mask)
    bad = arith::AndIOp::create(use, loc, bad, mask);
  Value any = vector ? vector::ReductionOp::create(
                           use, loc, vector::CombiningKind::OR, bad)
                           .getResult()
                     : bad;
  Value zero =
      arith::ConstantOp::create(use, loc, use.getZeroAttr(given.getType()));
  auto report = scf::IfOp::create(use, loc, any, /*withElseRegion=*/false);
  {
    OpBuilder inside = report.getThenBodyBuilder();
    Value value = given;
    if (vector) {
      Value worst = arith::SelectOp::create(inside, loc, bad, given, zero);
      value = vector::ReductionOp::create(inside, loc,
                                          vector::CombiningKind::MAXUI, worst);
    }
    abi.emitReportError(inside, "index out of range", value);
  }
  Value safe = arith::SelectOp::create(use, loc, bad, zero, given);
  LaneIndex result = vector ? LaneIndex::perLane(safe) : LaneIndex(safe);
  if (!vector)
    checked[{given, size}] = result;
  return result;
}

FailureOr<Value> OperandReader::readExtract(OpBuilder &builder,
                                            tensor::ExtractOp op,
                                            Indices indices, Value mask) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getTensor().getType());
  SmallVector<LaneIndex> safe(indices);
  SmallVector<Bound> bounds;
  for (auto [d, index] : llvm::enumerate(safe)) {
    // A loop's own index is in range; what is computed may not be.
    if (op.getIndices()[d].getDefiningOp<linalg::IndexOp>())
      continue;
    if (std::optional<int64_t> constant = index.getConstant();
        constant && *constant >= 0 && !type.isDynamicDim(d) &&
        *constant < type.getDimSize(d))
      continue;
    Value size = abi.getDim(op.getTensor(), d);
    index = checkIndex(builder, loc, index, size, mask);
    // Where there is no element at all, 0 is out of range as well.
    if (type.getDimSize(d) == 0 || type.isDynamicDim(d))
      bounds.push_back({LaneIndex(), false, size});
  }
  bool uniform = llvm::all_of(
      safe, [](const LaneIndex &index) { return index.isUniform(); });
  if (bounds.empty())
    return read(builder, loc, op.getTensor(), safe, mask);
  return readWindow(
      builder, loc, type.getElementType(), bounds, mask, uniform,
      [&](OpBuilder &b, Value m) {
        return read(b, loc, op.getTensor(), safe, m);
      },
      [&](OpBuilder &b, Value) -> FailureOr<Value> {
        return arith::ConstantOp::create(b, loc,
                                         b.getZeroAttr(type.getElementType()))
            .getResult();
      });
}
