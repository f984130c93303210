//===- Winograd.cpp - Emits the strategy winograd -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/Emitters.h"
#include "conversion/KernelToCPU/WinogradEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ourc;

static constexpr int64_t kPlanes = 16;
/// Lines of a cache, in elements of f32.
static constexpr int64_t kLine = 16;

LogicalResult ourc::emitWinograd(KernelABI &abi,
                                 kernel::CPUWinogradAttr schedule) {
  kernel::FuncOp kernel = abi.getKernel();
  std::string reason;
  std::optional<ContractionNest> nest = ContractionNest::get(kernel, &reason);
  std::optional<WinogradConvolution> convolution;
  if (nest)
    convolution = WinogradConvolution::get(*nest, &reason);
  if (!convolution)
    return kernel.emitOpError("cannot be made by the strategy winograd: ")
           << reason;
  int64_t lanes = schedule.getLanes(), nr = schedule.getNr();
  if (nr < lanes || nr % lanes != 0)
    return kernel.emitOpError("has a schedule whose nr is no multiple of its "
                              "lanes: ")
           << schedule;
  if (!nest->transformed)
    return kernel.emitOpError("has filters that are not transformed, as the "
                              "strategy winograd needs them");
  if (nest->packedTile != nr)
    return kernel.emitOpError("has filters transformed in panels of ")
           << nest->packedTile << ", but the schedule's nr is " << nr;
  return WinogradEmitter(abi, schedule, std::move(*nest), *convolution).emit();
}

/// `elements`, or a little more: an odd number of cache lines, so that equal
/// places of many rows do not meet in one set of a cache.
static int64_t spread(int64_t elements) {
  return (llvm::divideCeil(elements, kLine) | 1) * kLine;
}

WinogradEmitter::WinogradEmitter(KernelABI &abi,
                                 kernel::CPUWinogradAttr schedule,
                                 ContractionNest given,
                                 const WinogradConvolution &convolution)
    : ContractionEmitter(abi,
                         kernel::CPUContractionAttr::get(
                             schedule.getContext(), schedule.getMr(),
                             schedule.getNr(), /*kb=*/0, schedule.getLanes(),
                             /*splitN=*/true, schedule.getPrefetch(),
                             /*depth=*/1, /*mb=*/0),
                         std::move(given), /*joinLoops=*/false),
      convolution(convolution), blockTiles(schedule.getTiles()), image(nest.a) {
  inputStride =
      spread(llvm::alignTo(size(convolution.channel), schedule.getLanes()));
  inputPlane = spread(blockTiles * inputStride);
  sumPlane = spread(blockTiles * schedule.getNr());
  // Pixels of a row are the rows of the epilogue; tiles those of a product.
  rowLoop = convolution.column;
  columnLoop = convolution.filter;
  for (Product &stride : nest.a.strides)
    stride = Product(0);
  nest.a.strides[convolution.column] = Product(inputStride);
  nest.a.strides[convolution.channel] = Product(1);
  b.strides[convolution.channel] = Product(schedule.getNr());
}

LogicalResult WinogradEmitter::emit() {
  int64_t tiles = convolution.getNumTiles(nest);
  int64_t channels = size(convolution.channel);
  int64_t filters = size(convolution.filter);
  if (tiles == 0 || filters == 0)
    return success();
  Value blocks = code.constant(llvm::divideCeil(tiles, blockTiles));
  Value grain =
      code.grain(code.constant(kPlanes * blockTiles * channels * filters));
  int64_t bytes = kPlanes * (inputPlane + sumPlane) * 4;

  OpBuilder atEntry = code.builder;
  abi.emitParallelFor(
      atEntry, blocks, grain, [&](OpBuilder &inTask, Value begin, Value end) {
        code.builder = inTask;
        inputs = abi.emitThreadScratch(code.builder, code.constant(bytes));
        sums = code.address(inputs, kPlanes * inputPlane, nest.accType);
        code.loop(begin, end, 1, [&](Value block) { emitBlock(block); });
      });
  return failure(anyError);
}

void WinogradEmitter::emitBlock(Value block) {
  Value first = code.mul(block, code.constant(blockTiles));
  Value zero = code.constant(0);
  Value count =
      code.min(code.constant(blockTiles),
               code.sub(code.constant(convolution.getNumTiles(nest)), first));
  code.loop(zero, count, 1,
            [&](Value slot) { emitInputs(code.add(first, slot), slot); });
  Value panels = code.constant(
      llvm::divideCeil(size(convolution.filter), schedule.getNr()));
  code.loop(zero, panels, 1, [&](Value index) {
    emitPanel(index, [&](Panel &panel) {
      emitProducts(panel);
      code.loop(zero, count, 1, [&](Value slot) {
        emitResults(panel, code.add(first, slot), slot);
      });
    });
  });
}

void WinogradEmitter::locate(Value tile) {
  SmallVector<Value> sizes;
  if (convolution.image)
    sizes.push_back(code.constant(size(*convolution.image)));
  sizes.push_back(code.constant(convolution.getTileRows(nest)));
  sizes.push_back(code.constant(convolution.getTileColumns(nest)));
  SmallVector<Value> parts = code.delinearize(tile, sizes);
  Value two = code.constant(2);
  at[convolution.column] = code.mul(parts.pop_back_val(), two);
  at[convolution.row] = code.mul(parts.pop_back_val(), two);
  if (convolution.image)
    at[*convolution.image] = parts.pop_back_val();
}

void WinogradEmitter::forget() {
  at[convolution.column] = at[convolution.row] = nullptr;
  if (convolution.image)
    at[*convolution.image] = nullptr;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

Value WinogradEmitter::areInputsInside() {
  Value inside;
  auto require = [&](Value condition) {
    inside = inside ? arith::AndIOp::create(code.builder, code.loc, inside,
                                            condition)
                    : condition;
  };
  auto check = [&](unsigned loop, int64_t low, int64_t inputs) {
    if (low > 0)
      require(code.less(code.constant(low - 1), at[loop]));
    int64_t last = (size(loop) + 1) / 2 * 2 + 1 - low;
    if (last >= inputs)
      require(code.less(at[loop], code.constant(inputs + low - 3)));
  };
  check(convolution.row, convolution.lowRow, convolution.inputRows);
  check(convolution.column, convolution.lowColumn, convolution.inputColumns);
  return inside;
}

void WinogradEmitter::emitInputs(Value tile, Value slot) {
  locate(tile);
  if (Value inside = areInputsInside())
    code.branch(
        inside, [&] { emitChannels(slot, true); },
        [&] { emitChannels(slot, false); });
  else
    emitChannels(slot, true);
  forget();
}

/// All channels of a tile. Where not all inputs are `inside`, those outside are
/// zero.
void WinogradEmitter::emitChannels(Value slot, bool inside) {
  // 1 where a row or column of the tile is inside: rows first.
  SmallVector<Value> valid;
  auto addLine = [&](unsigned loop, int64_t low, int64_t inputs) {
    for (int64_t i = 0; i < 4; ++i) {
      Value index = code.add(at[loop], code.constant(i - low));
      Value below = code.less(code.constant(-1), index);
      Value above = code.less(index, code.constant(inputs));
      Value both = arith::AndIOp::create(code.builder, code.loc, below, above);
      valid.push_back(arith::ExtUIOp::create(code.builder, code.loc,
                                             code.builder.getI64Type(), both));
    }
  };
  if (!inside) {
    addLine(convolution.row, convolution.lowRow, convolution.inputRows);
    addLine(convolution.column, convolution.lowColumn,
            convolution.inputColumns);
  }
  int64_t channels = size(convolution.channel);
  code.loop(
      code.constant(0), code.constant(channels / lanes), 1,
      [&](Value vector) { emitChannelVector(slot, vector, lanes, valid); });
  if (channels % lanes != 0)
    emitChannelVector(slot, code.constant(channels / lanes), channels % lanes,
                      valid);
}

void WinogradEmitter::emitChannelVector(Value slot, Value vector, int64_t count,
                                        ArrayRef<Value> valid) {
  Type element = nest.aType;
  Value channel = code.mul(vector, code.constant(lanes));
  Value source = code.address(
      code.address(abi.getPointer(image.argument), getOffset(image), element),
      channel, element);
  Value target = code.address(
      inputs, code.add(code.mul(slot, code.constant(inputStride)), channel),
      element);
  int64_t rowStride = image.strides[convolution.row].constant;
  int64_t columnStride = image.strides[convolution.column].constant;
  emitWinogradInput(
      code,
      [&](int64_t row, int64_t column) {
        Value mask = code.mask(count);
        if (!valid.empty())
          mask = code.mask(code.mul(code.mul(valid[row], valid[4 + column]),
                                    code.constant(count)));
        return code.loadVector(
            code.address(source, row * rowStride + column * columnStride,
                         element),
            element, mask);
      },
      [&](int64_t row, int64_t column, Value value) {
        code.storeVector(
            value,
            code.address(target, (row * 4 + column) * inputPlane, element));
      });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void WinogradEmitter::emitProducts(const Panel &panel) {
  code.loop(code.constant(0), code.constant(kPlanes), 1,
            [&](Value plane) { emitProduct(panel, plane); });
}

/// One of the sixteen products: tiles x channels times channels x nr.
void WinogradEmitter::emitProduct(const Panel &panel, Value plane) {
  int64_t channels = size(convolution.channel), nr = schedule.getNr();
  Type element = nest.aType;
  Value part = code.add(code.mul(panel.index, code.constant(kPlanes)), plane);
  auto getWeights = [&](Value part) {
    return code.address(abi.getPointer(nest.transformed),
                        code.mul(part, code.constant(channels * nr)), element);
  };
  Value weights = getWeights(part), next;
  int64_t prefetch = schedule.getPrefetch();
  if (prefetch != 0) {
    int64_t parts = kPlanes * llvm::divideCeil(size(convolution.filter), nr);
    next = getWeights(
        code.min(code.add(part, code.constant(1)), code.constant(parts - 1)));
  }
  Value from =
      code.address(inputs, code.mul(plane, code.constant(inputPlane)), element);
  Value to =
      code.address(sums, code.mul(plane, code.constant(sumPlane)), element);
  code.equalTiles(
      code.constant(blockTiles), schedule.getMr(),
      [&](Value first, int64_t size) {
        Tile tile{{}, first, size, {}};
        Place place{code.address(from,
                                 code.mul(first, code.constant(inputStride)),
                                 element),
                    weights,
                    {}};
        if (next) {
          // Each tile fetches its share.
          int64_t bytes = llvm::divideCeil(channels, prefetch) * 64;
          place.ahead =
              code.address(next,
                           code.mul(code.div(first, code.constant(size)),
                                    code.constant(bytes)),
                           code.builder.getI8Type());
        }
        SmallVector<bool> rows(size, true);
        Accumulators start(size * panel.vectors, code.zero(nest.accType));
        Accumulators results =
            emitRun(panel, tile, Product(channels), convolution.channel, place,
                    rows, std::move(start));
        Value target =
            code.address(to, code.mul(first, code.constant(nr)), element);
        for (int64_t i = 0; i < size; ++i)
          for (int64_t v = 0; v < panel.vectors; ++v)
            code.storeVector(results[i * panel.vectors + v],
                             code.address(target, i * nr + v * lanes, element));
      });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void WinogradEmitter::emitResults(const Panel &panel, Value tile, Value slot) {
  locate(tile);
  at[convolution.filter] = panel.firstColumn;
  Type element = nest.accType;
  Value source = code.address(
      sums, code.mul(slot, code.constant(schedule.getNr())), element);
  SmallVector<SmallVector<Value, 4>> results; // [vector][pixel]
  for (int64_t v = 0; v < panel.vectors; ++v)
    results.push_back(
        emitWinogradOutput(code, [&](int64_t row, int64_t column) {
          return code.loadVector(
              code.address(source, (row * 4 + column) * sumPlane + v * lanes,
                           element),
              element);
        }));
  auto emitPixels = [&](int64_t row, int64_t count) {
    Accumulators pixels;
    for (int64_t column = 0; column < count; ++column)
      for (int64_t v = 0; v < panel.vectors; ++v)
        pixels.push_back(results[v][row * 2 + column]);
    emitEpilogue(panel, Tile{{}, at[convolution.column], count, {}}, pixels);
  };
  int64_t rows = size(convolution.row), columns = size(convolution.column);
  Value firstRow = at[convolution.row];
  for (int64_t row = 0; row < 2; ++row) {
    at[convolution.row] = code.add(firstRow, code.constant(row));
    auto emitRow = [&] {
      if (columns % 2 == 0)
        return emitPixels(row, 2);
      Value second = code.add(at[convolution.column], code.constant(1));
      code.branch(
          code.less(second, code.constant(columns)),
          [&] { emitPixels(row, 2); }, [&] { emitPixels(row, 1); });
    };
    if (row == 1 && rows % 2 != 0)
      code.branch(code.less(at[convolution.row], code.constant(rows)), emitRow);
    else
      emitRow();
  }
  at[convolution.filter] = nullptr;
  forget();
}
