//===- MmaMultiplier.cpp - Multiplying tiles on tensor cores ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToGPU/TileMultiplier.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ourc;
using namespace ourc::gpucodegen;

namespace {
// Lane 4 g + t holds, of each 16 x 8 tile, (g, 2 t), (g, 2 t + 1),
// (g + 8, 2 t), (g + 8, 2 t + 1).
class MmaMultiplier : public TileMultiplier {
public:
  MmaMultiplier(KernelFrame &frame, Type element, int64_t warpsM,
                int64_t warpsN)
      : TileMultiplier(frame), element(element), warpsM(warpsM),
        warpsN(warpsN) {}

  void begin(OpBuilder &builder, const SharedTile &left,
             const SharedTile &right, Value rowsLeft,
             Value columnsLeft) override;
  SmallVector<Value> step(OpBuilder &builder, Value stage,
                          ValueRange sums) override;
  Value getFirstRow(OpBuilder &builder) override {
    LaneMath math(builder, frame);
    return math.add(warpM, math.shiftRight(lane, 2));
  }
  Value getFirstColumn(OpBuilder &builder) override {
    LaneMath math(builder, frame);
    return math.add(warpN, math.mul(math.bitAnd(lane, 3), 2));
  }
  /// Four a tile of mma.
  size_t getNumber(size_t row, size_t column) const override {
    return getFirst(static_cast<int64_t>(row / 2),
                    static_cast<int64_t>(column / 2)) +
           row % 2 * 2 + column % 2;
  }

private:
  /// The first of the sums of the 16 x 8 tile (m, n).
  size_t getFirst(int64_t m, int64_t n) const {
    return static_cast<size_t>(4 * (m * stepsN + n));
  }
  void multiply(OpBuilder &builder, ArrayRef<Value> a, ArrayRef<Value> b,
                int64_t m, int64_t n, SmallVectorImpl<Value> &sums);
  SmallVector<Value> multiplyAll(OpBuilder &builder, Value stage,
                                 ValueRange sums, bool guarded);
  /// Runs `body`, which changes `count` sums from `first` on, where `condition`
  /// holds.
  void
  guard(OpBuilder &builder, Value condition, size_t first, size_t count,
        SmallVectorImpl<Value> &sums,
        llvm::function_ref<void(OpBuilder &, SmallVectorImpl<Value> &)> body);

  Type element;
  int64_t warpsM, warpsN;
  /// The lane's number and the warp's place in the tile, i32.
  Value lane, warpM, warpN;
  /// Tiles of mma (16 x 8) of a warp, and steps of 16 along k of a stage.
  int64_t stepsM = 0, stepsN = 0, stepsK = 0;
  SmallVector<FragmentLoader> loaders;
  /// Whether the whole tile is of use; null when it is known to be.
  Value whole;
  /// For each step, whether any of the warp's rows and columns there are.
  SmallVector<Value> someRows, someColumns;
};
} // namespace

void MmaMultiplier::begin(OpBuilder &builder, const SharedTile &left,
                          const SharedTile &right, Value rowsLeft,
                          Value columnsLeft) {
  Location loc = frame.getLoc();
  LaneMath math(builder, frame);
  auto freeOf = [](const SharedTile &tile) {
    return tile.rowsAlongK ? tile.rowElements : tile.rows;
  };
  int64_t tileM = freeOf(left), tileN = freeOf(right);
  int64_t warpTileM = tileM / warpsM, warpTileN = tileN / warpsN;
  stepsM = warpTileM / 16;
  stepsN = warpTileN / 8;
  stepsK = (left.rowsAlongK ? left.rows : left.rowElements) / 16;

  Value thread = math.fromIndex(frame.getThreadId());
  lane = math.bitAnd(thread, 31);
  Value warp = math.shiftRight(thread, 5);
  warpN = math.mul(math.bitAnd(warp, warpsN - 1), warpTileN);
  warpM = math.mul(math.shiftRight(warp, llvm::Log2_64(warpsN)), warpTileM);
  loaders.emplace_back(math, left, /*isLeft=*/true, lane, warpM);
  loaders.emplace_back(math, right, /*isLeft=*/false, lane, warpN);

  for (int64_t m = 0; m < stepsM * 2; ++m)
    rows.push_back(8 * m);
  for (int64_t n = 0; n < stepsN; ++n)
    columns.append({8 * n, 8 * n + 1});

  // Tiles of mma that lie beyond the result are not multiplied.
  auto check = [&](Value left, int64_t size, Value first, int64_t step,
                   int64_t count, SmallVectorImpl<Value> &some) {
    if (!left)
      return;
    Value all = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                      left, math.constant(size));
    whole =
        whole ? Value(arith::AndIOp::create(builder, loc, whole, all)) : all;
    for (int64_t i = 0; i < count; ++i)
      some.push_back(arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::slt,
          math.add(first, math.constant(i * step)), left));
  };
  check(rowsLeft, tileM, warpM, 16, stepsM, someRows);
  check(columnsLeft, tileN, warpN, 8, stepsN, someColumns);
}

void MmaMultiplier::multiply(OpBuilder &builder, ArrayRef<Value> a,
                             ArrayRef<Value> b, int64_t m, int64_t n,
                             SmallVectorImpl<Value> &sums) {
  Location loc = frame.getLoc();
  auto multiplicand =
      element.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  auto result = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(4, builder.getF32Type()));
  size_t first = getFirst(m, n);
  SmallVector<Value> c(sums.begin() + first, sums.begin() + first + 4);
  Value product = NVVM::MmaOp::create(
      builder, loc, result, a, b, c, ArrayRef<int64_t>{16, 8, 16}, std::nullopt,
      std::nullopt, std::array<NVVM::MMATypes, 2>{multiplicand, multiplicand},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  for (size_t i = 0; i < 4; ++i)
    sums[first + i] = LLVM::ExtractValueOp::create(builder, loc, product,
                                                   static_cast<int64_t>(i));
}

void MmaMultiplier::guard(
    OpBuilder &builder, Value condition, size_t first, size_t count,
    SmallVectorImpl<Value> &sums,
    llvm::function_ref<void(OpBuilder &, SmallVectorImpl<Value> &)> body) {
  Location loc = frame.getLoc();
  SmallVector<Value> before(sums.begin() + first, sums.begin() + first + count);
  auto branch = scf::IfOp::create(builder, loc, TypeRange(ValueRange(before)),
                                  condition, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder then = OpBuilder::atBlockEnd(branch.thenBlock());
  SmallVector<Value> inside(sums.begin(), sums.end());
  body(then, inside);
  scf::YieldOp::create(then, loc, ArrayRef(inside).slice(first, count));
  OpBuilder otherwise = OpBuilder::atBlockEnd(branch.elseBlock());
  scf::YieldOp::create(otherwise, loc, before);
  llvm::copy(branch.getResults(), sums.begin() + first);
}

SmallVector<Value> MmaMultiplier::multiplyAll(OpBuilder &builder, Value stage,
                                              ValueRange carried,
                                              bool guarded) {
  Location loc = frame.getLoc();
  LaneMath math(builder, frame);
  SmallVector<Value> sums(carried);
  Type pair = VectorType::get({2}, element);
  auto load = [&](unsigned operand, int64_t free, int64_t k) {
    SmallVector<Value> registers =
        loaders[operand].load(builder, math, frame, stage, free, k);
    // f16 comes in pairs, bf16 in integers.
    if (element.isF16())
      for (Value &value : registers)
        value = LLVM::BitcastOp::create(builder, loc, pair, value);
    return registers;
  };
  auto half = [](ArrayRef<Value> registers, int64_t n) {
    return registers.slice(static_cast<size_t>(2 * (n % 2)), 2);
  };
  for (int64_t k = 0; k < stepsK; ++k) {
    SmallVector<SmallVector<Value>> left, right;
    for (int64_t m = 0; m < stepsM; ++m)
      left.push_back(load(0, m, k));
    if (!guarded) {
      for (int64_t n = 0; n < stepsN; n += 2) {
        SmallVector<Value> b = load(1, n / 2, k);
        for (int64_t m = 0; m < stepsM; ++m)
          for (int64_t h = 0; h < 2; ++h)
            multiply(builder, left[static_cast<size_t>(m)], half(b, n + h), m,
                     n + h, sums);
      }
      continue;
    }
    for (int64_t n = 0; n < stepsN; n += 2)
      right.push_back(load(1, n / 2, k));
    for (int64_t m = 0; m < stepsM; ++m) {
      auto row = [&](OpBuilder &inside, SmallVectorImpl<Value> &own) {
        for (int64_t n = 0; n < stepsN; ++n) {
          auto one = [&](OpBuilder &inner, SmallVectorImpl<Value> &values) {
            multiply(inner, left[static_cast<size_t>(m)],
                     half(right[static_cast<size_t>(n / 2)], n), m, n, values);
          };
          if (someColumns.empty())
            one(inside, own);
          else
            guard(inside, someColumns[static_cast<size_t>(n)], getFirst(m, n),
                  4, own, one);
        }
      };
      if (someRows.empty()) {
        row(builder, sums);
        continue;
      }
      guard(builder, someRows[static_cast<size_t>(m)], getFirst(m, 0),
            getFirst(1, 0), sums, row);
    }
  }
  return sums;
}

SmallVector<Value> MmaMultiplier::step(OpBuilder &builder, Value stage,
                                       ValueRange sums) {
  if (!whole)
    return multiplyAll(builder, stage, sums, /*guarded=*/false);
  Location loc = frame.getLoc();
  auto branch = scf::IfOp::create(builder, loc, sums.getTypes(), whole,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  auto fill = [&](Block *block, bool guarded) {
    OpBuilder inside = OpBuilder::atBlockEnd(block);
    scf::YieldOp::create(inside, loc,
                         multiplyAll(inside, stage, sums, guarded));
  };
  fill(branch.thenBlock(), /*guarded=*/false);
  fill(branch.elseBlock(), /*guarded=*/true);
  return SmallVector<Value>(branch.getResults());
}

std::unique_ptr<TileMultiplier>
gpucodegen::createMmaMultiplier(KernelFrame &frame, Type element,
                                int64_t warpsM, int64_t warpsN) {
  return std::make_unique<MmaMultiplier>(frame, element, warpsM, warpsN);
}
