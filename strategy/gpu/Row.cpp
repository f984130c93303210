//===- Row.cpp - Reductions along rows ---------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/GPUStrategies.h"
#include "strategy/gpu/RowStructure.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ourc;

static constexpr int64_t warpSize = 32;
/// Most bytes that a thread asks memory for at once, and the unit that global
/// memory moves.
static constexpr int64_t accessBytes = 16, sectorBytes = 32;
/// Elements of a row that a thread holds without spilling; more where a warp
/// has a row for itself and only its tail makes them so many.
static constexpr int64_t heldElements = 8, mostHeldElements = 32;
/// Shared memory that leaves room for several blocks.
static constexpr int64_t tileBytes = 40 * 1024;

/// The bytes of an element of each operand that has the rows and their elements
/// side by side, as `rows` has.
static SmallVector<int64_t> getRowBytes(kernel::FuncOp kernel,
                                        const RowStructure &rows) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(rows.getRowTensor().getType()).getShape());
  size_t rowRank = shape.size();
  llvm::append_range(shape, getRowSizes(rows));
  SmallVector<int64_t> bytes;
  for (Type type : kernel.getArgumentTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    unsigned bits = tensor.getElementType().isIntOrFloat()
                        ? tensor.getElementTypeBitWidth()
                        : 0;
    if (shape.size() > rowRank && tensor.getShape() == ArrayRef(shape) &&
        bits != 0 && bits % 8 == 0)
      bytes.push_back(bits / 8);
  }
  return bytes;
}

/// Whether rows, and not the elements of one, lie side by side in what the
/// first reduction reads: sums over the pixels of an image whose channels come
/// last.
static bool areRowsNeighbours(const RowStructure &rows) {
  constexpr int64_t enoughRows = 8;
  Operation *op = rows.reductions.front();
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(rows.getRowTensor().getType()).getShape();
  if (shape.empty() ||
      (!ShapedType::isDynamic(shape.back()) && shape.back() < enoughRows))
    return false;
  if (auto coupled = dyn_cast<kernel::CoupledReduceOp>(op)) {
    auto type = cast<RankedTensorType>(coupled.getInputs().front().getType());
    return !llvm::is_contained(coupled.getDimensions(), type.getRank() - 1);
  }
  auto generic = cast<linalg::GenericOp>(op);
  AffineMap out = generic.getIndexingMapMatchingResult(generic->getResult(0));
  return llvm::any_of(generic.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = generic.getMatchingIndexingMap(input);
    return map.isPermutation() &&
           map.getResults().back() == out.getResults().back();
  });
}

/// How a kernel is made whose rows have `length` elements.
static kernel::GPURowAttr chooseSchedule(kernel::FuncOp kernel,
                                         const RowStructure &rows) {
  int64_t length = getRowLength(rows);
  auto get = [&](int64_t threads, int64_t count, int64_t width, int64_t chunks,
                 bool staged, int64_t columns = 1) {
    return kernel::GPURowAttr::get(kernel.getContext(), threads, count, width,
                                   chunks, staged, columns);
  };
  if (areRowsNeighbours(rows)) {
    // Four elements or more for each thread, until the block is large.
    int64_t slices = 8;
    if (!ShapedType::isDynamic(length))
      slices =
          std::clamp<int64_t>(llvm::bit_floor<uint64_t>(length / 4), 1, 16);
    return get(slices, 1, 1, 0, false, warpSize);
  }
  // Loops: about eight elements a thread; one warp needs no shared memory.
  bool known = !ShapedType::isDynamic(length);
  int64_t threads = known && length <= 256 ? 32 : length >= 4096 ? 256 : 128;
  kernel::GPURowAttr loops = get(threads, 1, 1, 0, false);
  SmallVector<int64_t> bytes = getRowBytes(kernel, rows);
  if (!known || length < 2 || bytes.empty())
    return loops;

  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(rows.getRowTensor().getType()).getShape();
  bool fewRows = !ShapedType::isDynamicShape(shape) &&
                 ShapedType::getNumElements(shape) < 4;
  int64_t most = *llvm::max_element(bytes), whole = accessBytes / most;
  bool fits = length % whole == 0 && length >= warpSize * whole;
  // Rows that are no multiple of an access, or less than a warp's, are moved as
  // one piece of memory with their neighbours.
  if (!fits && length <= warpSize * mostHeldElements && !fewRows) {
    int64_t count = 4, perRow = 0;
    for (int64_t each : bytes) {
      while (count < 32 && count * length * each % sectorBytes != 0)
        count *= 2;
      perRow += length * each;
    }
    if (count * perRow <= tileBytes)
      return get(warpSize, count, 1, llvm::divideCeil(length, warpSize), true);
  }
  int64_t width = whole;
  while (width > 1 && (length % width != 0 || length < warpSize * width))
    width /= 2;
  if (length <= warpSize * heldElements)
    return get(warpSize, fewRows ? 1 : 4, width,
               llvm::divideCeil(length, warpSize * width), false);
  int64_t perThread = std::max(heldElements / width, int64_t(1)) * width;
  threads = std::min<int64_t>(
      llvm::alignTo(llvm::divideCeil(length, perThread), warpSize), 1024);
  int64_t chunks = llvm::divideCeil(length, threads * width);
  return chunks * width <= mostHeldElements
             ? get(threads, 1, width, chunks, false)
             : loops;
}

namespace {
class GPURowStrategy : public Strategy {
public:
  llvm::StringRef getName() const override { return "row"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    return success(analyzeRows(kernel, reason).has_value());
  }

  Assignment assign(kernel::FuncOp kernel) const override {
    std::string reason;
    RowStructure rows = *analyzeRows(kernel, &reason);
    Assignment assignment;
    assignment.schedule = chooseSchedule(kernel, rows);
    return assignment;
  }
};
} // namespace

std::unique_ptr<Strategy> ourc::createGPURowStrategy(const GPUDescription &) {
  return std::make_unique<GPURowStrategy>();
}
