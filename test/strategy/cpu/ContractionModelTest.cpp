//===- ContractionModelTest.cpp - The choice of register tiles ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/ContractionModel.h"

#include "gtest/gtest.h"

using namespace ourc;

namespace {

cpu::MachineDescription getMachine(const char *spec) {
  std::string error;
  auto machine = cpu::MachineDescription::parse(spec, error);
  EXPECT_TRUE(machine.has_value()) << error;
  machine->l1Bytes = 48 * 1024;
  machine->l2Bytes = 1024 * 1024;
  return *machine;
}

ContractionShape makeShape(int64_t rows, int64_t columns, int64_t depth) {
  ContractionShape shape;
  shape.rows = rows;
  shape.columns = columns;
  shape.depth = depth;
  shape.lanes = 16;
  shape.rowBytes = depth * 4;
  shape.rowElements = depth;
  return shape;
}

TEST(ContractionModel, TilesFitTheRegisters) {
  for (const char *spec : {"cpu:x86-64-v4", "cpu:x86-64-v3"})
    for (bool dynamic : {false, true}) {
      cpu::MachineDescription machine = getMachine(spec);
      for (RegisterTile tile : enumerateTiles(machine, dynamic)) {
        // AVX-512 takes the element of A from memory.
        int64_t element = machine.numVectorRegisters >= 32 ? 0 : 1;
        EXPECT_LE(tile.rows * tile.vectors + tile.vectors + element,
                  machine.numVectorRegisters)
            << tile.rows << "x" << tile.vectors;
      }
    }
}

TEST(ContractionModel, RowsOfAnImageAreCutEvenly) {
  cpu::MachineDescription machine = getMachine("cpu:x86-64-v4");
  ContractionShape shape = makeShape(56, 64, 576);
  shape.outerRows = 56;
  shape.rowBytes = 64 * 4;
  EXPECT_EQ(chooseTile(shape, machine), (RegisterTile{14, 2}));
}

TEST(ContractionModel, RowsThatShareCacheSetsAreFew) {
  cpu::MachineDescription machine = getMachine("cpu:x86-64-v4");
  // 3072 floats are three pages: all rows of a tile meet in one set.
  ContractionShape shape = makeShape(128, 768, 3072);
  EXPECT_LE(chooseTile(shape, machine).rows, 8);
  EXPECT_GT(estimateCycles(shape, {14, 2}, machine),
            estimateCycles(shape, {8, 2}, machine));
  shape.rowBytes += 64;
  EXPECT_EQ(chooseTile(shape, machine).rows, 14);
}

TEST(ContractionModel, ThreadsGetEqualShares) {
  cpu::MachineDescription machine = getMachine("cpu:x86-64-v4");
  // Two panels of 32 columns, not one of 64 or of 48 and 16.
  EXPECT_EQ(chooseTile(makeShape(196, 64, 512), machine).vectors, 2);
}

TEST(ContractionModel, AllTilesOfAPanelFetchTheNextOne) {
  cpu::MachineDescription machine = getMachine("cpu:x86-64-v4");
  // 16 tiles; a step reads two lines of B.
  EXPECT_EQ(choosePrefetch(makeShape(128, 3072, 768), {8, 2}, 16, 4, machine),
            8);
  // Fewer tiles than lines of a step.
  EXPECT_EQ(choosePrefetch(makeShape(8, 3072, 768), {8, 3}, 1, 4, machine), 1);
  // Weights that stay in the cache, and two panels for two threads.
  EXPECT_EQ(choosePrefetch(makeShape(128, 128, 256), {8, 2}, 16, 4, machine),
            0);
  EXPECT_EQ(choosePrefetch(makeShape(128, 64, 9999), {8, 2}, 16, 4, machine),
            0);
}

TEST(ContractionModel, FewRowsSplitColumnsAndManySplitRows) {
  cpu::MachineDescription machine = getMachine("cpu:x86-64-v4");
  // Weights of 9 MB, read once.
  EXPECT_TRUE(
      chooseBlocks(makeShape(128, 3072, 768), {8, 2}, 4, machine).splitColumns);
  // The same for eight sequences: what is read of A is to stay in the cache.
  ContractionBlocks blocks =
      chooseBlocks(makeShape(1024, 3072, 768), {8, 2}, 4, machine);
  EXPECT_FALSE(blocks.splitColumns);
  EXPECT_LE(blocks.units * 8 * 768 * 4, machine.l2Bytes / 2);
  EXPECT_EQ(blocks.tiles, blocks.units);
  // Small weights and a large result, which is written once, row by row.
  blocks = chooseBlocks(makeShape(25088, 256, 64), {14, 2}, 4, machine);
  EXPECT_FALSE(blocks.splitColumns);
  EXPECT_LE(blocks.units * 14 * (64 + 256) * 4, machine.l2Bytes / 4);
  // Two units are shared evenly, three are not.
  ContractionShape shape = makeShape(600, 64, 512);
  shape.outerRows = 3;
  EXPECT_TRUE(chooseBlocks(shape, {14, 2}, 4, machine).splitColumns);
}

TEST(ContractionModelTest, PairsWithoutAnInstructionNeedMoreRegisters) {
  cpu::MachineDescription with = getMachine("cpu:sapphirerapids");
  cpu::MachineDescription without = getMachine("cpu:x86-64-v4");
  ASSERT_TRUE(with.multipliesPairs);
  ASSERT_FALSE(without.multipliesPairs);
  EXPECT_EQ(enumerateTiles(with, false, /*pairs=*/true),
            enumerateTiles(with, false));
  // Sums, two halves of each vector of B and of one pair of A.
  for (const char *spec : {"cpu:x86-64-v4", "cpu:x86-64-v3"}) {
    cpu::MachineDescription machine = getMachine(spec);
    for (RegisterTile tile : enumerateTiles(machine, false, /*pairs=*/true))
      EXPECT_LE(tile.rows * tile.vectors + 2 * tile.vectors + 2,
                machine.numVectorRegisters);
  }
}

TEST(ContractionModelTest, PairsNeedTwelveSums) {
  // Four rows and one vector leave the instruction waiting.
  ContractionShape shape = makeShape(64, 64, 256);
  double products =
      estimateCycles(shape, {8, 1}, getMachine("cpu:sapphirerapids"));
  shape.pairs = true;
  EXPECT_GT(estimateCycles(shape, {8, 1}, getMachine("cpu:sapphirerapids")),
            products);
}

} // namespace
