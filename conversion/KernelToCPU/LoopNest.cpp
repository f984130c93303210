//===- LoopNest.cpp - The loops of row, pointwise and pool ----------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/LoopNest.h"
#include "conversion/KernelToCPU/LaneLoop.h"
#include "conversion/KernelToCPU/Memory.h"
#include "conversion/KernelToCPU/Nest.h"
#include "conversion/KernelToCPU/ReductionParts.h"
#include "conversion/KernelToCPU/TransposeTile.h"
#include "strategy/cpu/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

/// One task iteration of a long vector loop: a few times what hides a call.
static constexpr int64_t kChunk = 2048;

/// So many rows can be shared among threads without cutting them.
static constexpr int64_t kEnoughRows = 64;

/// How many vectors of expensive elements are computed together, along a loop
/// of a known size. LLVM splits a vector that is larger than a register, and
/// leaves the parts of an operation beside one another: no polynomial then
/// waits for its own latency.
static int64_t chooseInterleave(Value root, const NestAnalysis &analysis,
                                const NestOptions &options) {
  if (!analysis.isExpensive || options.parts != 0 || analysis.laneDim < 0 ||
      analysis.transposedDim >= 0)
    return 1;
  auto type = cast<RankedTensorType>(root.getType());
  int64_t size = type.getDimSize(analysis.laneDim);
  for (int64_t d = analysis.laneDim - 1; d >= 0 && !analysis.hasReduction;
       --d) {
    if (!analysis.collapsible.test(d) || ShapedType::isDynamic(size))
      break;
    size = ShapedType::isDynamic(type.getDimSize(d))
               ? ShapedType::kDynamic
               : size * type.getDimSize(d);
  }
  if (ShapedType::isDynamic(size))
    return 1;
  // The last vectors are computed with lanes off.
  int64_t vectors = llvm::divideCeil(size, options.lanes);
  for (int64_t many = options.interleave; many > 1; many /= 2)
    if (8 * int64_t(llvm::alignTo(vectors, many)) <= 9 * vectors)
      return many;
  return 1;
}

/// The lanes of a nest. Where they are rows that reduce apart, one vector would
/// touch one cache line of each row of the operand: several at a time (which
/// LLVM splits) keep memory and the adders busy.
static int64_t chooseLanes(Value root, const NestAnalysis &analysis,
                           const NestOptions &options) {
  if (!analysis.hasReduction && analysis.laneDim < 0)
    return 1;
  if (!analysis.hasReduction || analysis.laneDim < 0 ||
      !analysis.rows.test(analysis.laneDim) || analysis.isExpensive)
    return options.lanes * chooseInterleave(root, analysis, options);
  auto type = cast<RankedTensorType>(root.getType());
  int64_t many = options.unroll * options.lanes;
  int64_t size = type.getDimSize(analysis.laneDim);
  return !ShapedType::isDynamic(size) && size % many == 0 ? many
                                                          : options.lanes;
}

Nest::Nest(KernelABI &abi, const NestOptions &options, ArrayRef<Root> roots,
           ArrayRef<Root> rowRoots, NestAnalysis given)
    : abi(abi), options(options), roots(roots), rowRoots(rowRoots),
      analysis(std::move(given)), loc(abi.getLoc()),
      lanes(chooseLanes(roots[0].tensor, analysis, options)),
      reader(abi, lanes,
             std::max<int64_t>(1, options.unroll * options.lanes / lanes)) {}

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

void Nest::makeGroups() {
  Value first = roots[0].tensor;
  int64_t rank = cast<RankedTensorType>(first.getType()).getRank();
  indices.assign(rank, LaneIndex());
  for (int64_t d = 0; d < rank; ++d) {
    bool row =
        analysis.hasReduction ? analysis.rows.test(d) : d != analysis.laneDim;
    Value size = abi.getDim(first, d);
    bool join =
        d > 0 && analysis.collapsible.test(d - 1) && analysis.laneDim != d - 1;
    // A tile's sides are single dimensions of its operand.
    if (analysis.transposedDim >= 0)
      join &= d != analysis.transposedDim && d != analysis.laneDim;
    if (join && analysis.hasReduction)
      join = groups.back().row == row && (row || analysis.kept.empty());
    if (!join) {
      groups.push_back({d, d, row, size});
      continue;
    }
    OpBuilder top = abi.getSizeBuilder();
    groups.back().last = d;
    groups.back().row &= row;
    groups.back().size =
        top.createOrFold<arith::MulIOp>(loc, groups.back().size, size);
  }
}

Value Nest::getGrain(Value perIteration) {
  OpBuilder top = abi.getSizeBuilder();
  Value grain = abi.getConstant(options.grain);
  if (!options.grainInElements)
    return grain;
  Value one = abi.getConstant(1);
  if (std::optional<int64_t> per = getConstant(perIteration))
    return abi.getConstant(
        std::max<int64_t>(1, options.grain / std::max<int64_t>(1, *per)));
  top = abi.getSizeBuilder();
  Value per = arith::MaxSIOp::create(top, loc, perIteration, one);
  grain = arith::DivSIOp::create(top, loc, grain, per);
  return arith::MaxSIOp::create(top, loc, grain, one);
}

/// Whether the rows besides those on lanes are work for some threads.
bool Nest::hasManyRows() {
  int64_t rows = 1;
  for (Group &group : groups)
    if (group.row && !isLane(group) && !isTransposed(group))
      rows *= getConstant(group.size).value_or(kEnoughRows);
  return rows >= kEnoughRows;
}

LogicalResult Nest::emit() {
  makeGroups();
  if (hasManyRows())
    for (Group &group : groups)
      if (group.row && isLane(group))
        laneRows = &group;
  // Iterations are rows; lanes that are rows count by vectors, and a long loop
  // over lanes outside of rows is cut into chunks.
  Value count = abi.getConstant(1), perIteration = abi.getConstant(1);
  for (Group &group : groups) {
    Value size = group.size;
    if (&group == laneRows)
      continue;
    if (group.row && (isLane(group) || isTransposed(group))) {
      Value up = abi.getConstant(lanes - 1), by = abi.getConstant(lanes);
      OpBuilder top = abi.getSizeBuilder();
      size = top.createOrFold<arith::AddIOp>(loc, size, up);
      size = top.createOrFold<arith::DivUIOp>(loc, size, by);
      perIteration = by;
    } else if (!group.row && isLane(group) && !analysis.hasReduction) {
      std::optional<int64_t> known = getConstant(size);
      if (!known || *known > kChunk) {
        Value up = abi.getConstant(kChunk - 1), by = abi.getConstant(kChunk);
        OpBuilder top = abi.getSizeBuilder();
        size = top.createOrFold<arith::AddIOp>(loc, size, up);
        chunks = top.createOrFold<arith::DivUIOp>(loc, size, by);
        top = abi.getSizeBuilder();
        perIteration = top.createOrFold<arith::MinSIOp>(loc, by, group.size);
        size = chunks;
      } else {
        perIteration = size;
        continue;
      }
    } else if (!group.row) {
      continue;
    }
    OpBuilder top = abi.getSizeBuilder();
    count = top.createOrFold<arith::MulIOp>(loc, count, size);
  }
  Value grain = getGrain(perIteration);
  if (numParts) {
    // Each part is work for a thread.
    perPart = count;
    grain = abi.getConstant(1);
    OpBuilder top = abi.getSizeBuilder();
    count = top.createOrFold<arith::MulIOp>(loc, count, numParts);
  }

  OpBuilder builder = abi.getBodyBuilder();
  LogicalResult result = success();
  abi.emitParallelFor(
      builder, count, grain, [&](OpBuilder &task, Value begin, Value end) {
        if (prepare)
          prepare(reader, task.getInsertionBlock());
        func::CallOp allocation;
        if (!analysis.kept.empty()) {
          scratch = abi.emitThreadScratch(task, abi.getConstant(0));
          allocation = scratch.getDefiningOp<func::CallOp>();
        }
        Value one = arith::ConstantIntOp::create(task, loc, 1, 64);
        auto loop = scf::ForOp::create(task, loc, begin, end, one);
        OpBuilder inside(loop.getBody()->getTerminator());
        result = emitIteration(inside, loop.getInductionVar());
        if (allocation)
          allocation->setOperand(1, reader.getScratchBytes());
      });
  return result;
}

LogicalResult Nest::emitIteration(OpBuilder &builder, Value iteration) {
  // Split the iteration's number, the last group first.
  SmallVector<std::pair<Group *, Value>> parts;
  for (Group &group : groups) {
    if (&group != laneRows && (group.row || (isLane(group) && chunks)))
      parts.push_back({&group, group.size});
  }
  LaneIndex rest(iteration);
  if (numParts)
    std::tie(part, rest) = emitDivRem(builder, loc, rest, perPart, lanes);
  Group *laneRow = nullptr;
  Value laneBlock;
  for (auto [i, part] : llvm::enumerate(llvm::reverse(parts))) {
    auto [group, size] = part;
    bool isLaneRow = group->row && isLane(*group);
    bool isTile = group->row && isTransposed(*group);
    LaneIndex index = rest;
    if (i + 1 < parts.size()) {
      Value by = size;
      if (isLaneRow || isTile) {
        Value up = abi.getConstant(lanes - 1);
        OpBuilder top = abi.getSizeBuilder();
        by = top.createOrFold<arith::AddIOp>(loc, size, up);
        Value width = abi.getConstant(lanes);
        top = abi.getSizeBuilder();
        by = top.createOrFold<arith::DivUIOp>(loc, by, width);
      } else if (!group->row) {
        by = chunks;
      }
      std::tie(rest, index) = emitDivRem(builder, loc, rest, by, lanes);
    }
    if (isTile) {
      tileGroup = group;
      tileStart = index * lanes;
    } else if (isLaneRow) {
      laneRow = group;
      laneBlock = (index * lanes).emitBase(builder, loc);
    } else if (!group->row) {
      Value chunk = abi.getConstant(kChunk);
      lower = (index * kChunk).emitBase(builder, loc);
      upper = arith::AddIOp::create(builder, loc, lower, chunk);
      upper = arith::MinSIOp::create(builder, loc, upper, size);
    } else {
      indices[group->last] = index;
    }
  }
  lanesAreRows = laneRows || laneRow;
  if (laneRows)
    return emitLaneLoop(builder, loc, abi.getConstant(0), laneRows->size, lanes,
                        [&](OpBuilder &b, const LaneIndex &index, Value mask) {
                          indices[laneRows->last] = index;
                          return emitRow(b, mask);
                        });
  if (!laneRow)
    return emitRow(builder, {});
  return emitLaneBlock(builder, loc, laneBlock, laneRow->size, lanes,
                       [&](OpBuilder &b, const LaneIndex &index, Value mask) {
                         indices[laneRow->last] = index;
                         return emitRow(b, mask);
                       });
}

LogicalResult Nest::emitRow(OpBuilder &builder, Value mask) {
  if (!analysis.kept.empty())
    reader.keep(analysis.kept, builder.getInsertionBlock(), scratch,
                lanesAreRows, mask);
  SmallVector<LaneIndex> all = indices;
  for (const Root &root : rowRoots) {
    // A root of the rows' dimensions alone, in order.
    indices.clear();
    for (unsigned d = 0; d < all.size(); ++d)
      if (analysis.rows.test(d))
        indices.push_back(all[d]);
    if (failed(store(builder, root, mask)))
      return failure();
  }
  indices = all;
  return emitInner(builder, 0, mask);
}

LogicalResult Nest::emitInner(OpBuilder &builder, unsigned depth, Value mask) {
  // The lanes' loop is the innermost one; the others keep their order.
  SmallVector<Group *> order;
  Group *last = nullptr;
  for (Group &group : groups) {
    if (group.row)
      continue;
    if (isLane(group))
      last = &group;
    else
      order.push_back(&group);
  }
  if (last)
    order.push_back(last);
  if (depth == order.size() && tileGroup)
    return emitTile(builder, mask);
  if (depth == order.size()) {
    for (const Root &root : roots)
      if (failed(store(builder, root, mask)))
        return failure();
    return success();
  }
  Group &group = *order[depth];
  bool part = &group == last && chunks;
  return emitLaneLoop(
      builder, loc, part ? lower : abi.getConstant(0),
      part ? upper : group.size, &group == last ? lanes : 1,
      [&](OpBuilder &b, const LaneIndex &index, Value laneMask) {
        indices[group.last] = index;
        return emitInner(b, depth + 1, laneMask ? laneMask : mask);
      });
}

/// One vector of each of up to `lanes` rows along the transposed dimension.
LogicalResult Nest::emitTile(OpBuilder &builder, Value mask) {
  Value zero = abi.getConstant(0), one = abi.getConstant(1);
  Value count = abi.getConstant(lanes);
  std::optional<int64_t> known = getConstant(tileGroup->size);
  if (!known || *known % lanes != 0) {
    Value start = tileStart.emitBase(builder, loc);
    Value left = arith::SubIOp::create(builder, loc, tileGroup->size, start);
    count = arith::MinSIOp::create(builder, loc, left, count);
  }
  auto loop = scf::ForOp::create(builder, loc, zero, count, one);
  OpBuilder inside(loop.getBody()->getTerminator());
  indices[tileGroup->last] = tileStart + LaneIndex(loop.getInductionVar());
  TransposeTile tile(reader, loop, tileStart);
  for (Value tensor : analysis.transposed)
    reader.bind(
        tensor,
        [&, tensor](OpBuilder &b, Location l, OperandReader::Indices at,
                    Value m) { return tile.read(b, l, tensor, at, m); },
        loop.getBody());
  for (const Root &root : roots)
    if (failed(store(inside, root, mask)))
      return failure();
  for (Value tensor : analysis.transposed)
    reader.unbind(tensor);
  return success();
}

LogicalResult Nest::store(OpBuilder &builder, const Root &root, Value mask) {
  if (body)
    return body(builder, reader, indices, part.emitBase(builder, loc), mask);
  FailureOr<Value> value =
      reader.read(builder, loc, root.tensor, indices, mask);
  if (failed(value))
    return failure();
  SmallVector<LaneIndex> at(indices);
  if (!at.empty())
    at[root.dim] = at[root.dim] + root.offset;
  LaneIndex offset = reader.linearize(builder, loc, root.shape, at);
  emitStore(builder, loc, *value, abi.getPointer(root.destination), offset,
            lanes, mask);
  return success();
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// What is written for the kernel's result `number`: reshapes need nothing
/// done, and the parts of a concatenation are written where they belong.
static void collectRoots(KernelABI &abi, unsigned number,
                         SmallVectorImpl<Root> &roots) {
  kernel::FuncOp kernel = abi.getKernel();
  BlockArgument destination = kernel.getDestination(number);
  Value tensor = kernel.getReturnOp().getOperand(number);
  auto strip = [](Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
              op))
        break;
      value = op->getOperand(0);
    }
    return value;
  };
  tensor = strip(tensor);
  auto concat = tensor.getDefiningOp<tensor::ConcatOp>();
  if (!concat || !concat->hasOneUse()) {
    roots.push_back({tensor, destination, tensor, 0, LaneIndex()});
    return;
  }
  int64_t dim = concat.getDim();
  LaneIndex offset;
  for (Value input : concat.getInputs()) {
    roots.push_back({input, destination, concat.getResult(), dim, offset});
    offset = offset + LaneIndex(abi.getDim(input, dim));
  }
}

/// Whether two tensors have the same sizes, as far as that is known.
static bool haveSameShape(KernelABI &abi, Value a, Value b) {
  auto x = cast<RankedTensorType>(a.getType());
  auto y = cast<RankedTensorType>(b.getType());
  if (x.getRank() != y.getRank())
    return false;
  for (int64_t d = 0; d < x.getRank(); ++d)
    if (abi.getDim(a, d) != abi.getDim(b, d))
      return false;
  return true;
}

/// Whether `tensor` has the sizes of the rows of `of`.
static bool isOfRows(KernelABI &abi, Value tensor, Value of,
                     const llvm::SmallBitVector &rows) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getRank() != static_cast<int64_t>(rows.count()))
    return false;
  int64_t at = 0;
  for (unsigned d : rows.set_bits())
    if (abi.getDim(tensor, at++) != abi.getDim(of, d))
      return false;
  return true;
}

LogicalResult ourc::emitLoopNests(KernelABI &abi, const NestOptions &options) {
  std::optional<ReductionParts> reduced;
  NestOptions ofNests = options;
  if (options.parts != 0) {
    reduced.emplace(abi, options, options.parts);
    if (failed(reduced->emit()))
      return failure();
    ofNests.grain = kElementGrain;
    ofNests.grainInElements = true;
  }
  SmallVector<Root> roots;
  unsigned numResults = abi.getKernel().getFunctionType().getNumResults();
  for (unsigned i = 0; i < numResults; ++i)
    collectRoots(abi, i, roots);

  SmallVector<NestAnalysis> analyses;
  for (const Root &root : roots) {
    analyses.emplace_back(root.tensor, [&](Value tensor) {
      return reduced && reduced->isComputed(tensor);
    });
    // Along a concatenation, a part is not contiguous with what is outside.
    if (root.shape != root.tensor && root.dim > 0)
      analyses.back().collapsible.reset(root.dim - 1);
  }
  // Roots with inner loops open the nests; roots of their rows join them.
  SmallVector<bool> done(roots.size(), false);
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < roots.size(); ++i)
    if (!analyses[i].hasReduction || !analyses[i].rows.all())
      order.push_back(i);
  for (unsigned i = 0; i < roots.size(); ++i)
    if (!llvm::is_contained(order, i))
      order.push_back(i);
  for (unsigned i : order) {
    if (done[i])
      continue;
    SmallVector<Root> same, rows;
    NestAnalysis analysis = analyses[i];
    bool inner = analysis.hasReduction && !analysis.rows.all();
    for (unsigned j = 0; j < roots.size(); ++j) {
      if (done[j])
        continue;
      NestAnalysis &other = analyses[j];
      if (i == j || (haveSameShape(abi, roots[i].tensor, roots[j].tensor) &&
                     other.laneDim == analysis.laneDim &&
                     (other.rows == analysis.rows || !other.hasReduction))) {
        same.push_back(roots[j]);
        analysis.collapsible &= other.collapsible;
        if (analysis.transposedDim < 0)
          analysis.transposedDim = other.transposedDim;
        if (analysis.transposedDim == other.transposedDim)
          analysis.transposed.insert(other.transposed.begin(),
                                     other.transposed.end());
        analysis.kept.insert(other.kept.begin(), other.kept.end());
        done[j] = true;
      } else if (inner && other.hasReduction && other.rows.all() &&
                 (analysis.laneDim < 0 || !analysis.rows.test(analysis.laneDim)
                      ? other.laneDim < 0
                      : true) &&
                 isOfRows(abi, roots[j].tensor, roots[i].tensor,
                          analysis.rows)) {
        // Its dimensions are collapsed as the rows are; its own memory is
        // contiguous, so only its reads could object.
        bool collapses = true;
        SmallVector<unsigned> dims(analysis.rows.set_bits());
        for (unsigned d = 0; d + 1 < dims.size(); ++d)
          if (dims[d] + 1 == dims[d + 1] && analysis.collapsible.test(dims[d]))
            collapses &= other.collapsible.test(d);
        if (!collapses)
          continue;
        rows.push_back(roots[j]);
        analysis.kept.insert(other.kept.begin(), other.kept.end());
        done[j] = true;
      }
    }
    Nest nest(abi, ofNests, same, rows, std::move(analysis));
    if (reduced)
      nest.setPrepare([&](OperandReader &reader, Block *home) {
        reduced->bind(reader, home);
      });
    if (failed(nest.emit()))
      return failure();
  }
  return success();
}
