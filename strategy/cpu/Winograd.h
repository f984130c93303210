//===- Winograd.h - 3x3 convolutions by Winograd's F(2x2, 3x3) ------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_STRATEGY_CPU_WINOGRAD_H
#define OURC_STRATEGY_CPU_WINOGRAD_H

#include "strategy/cpu/Contraction.h"

namespace ourc {

/// A contraction that is a 3x3 convolution of step one, by the roles of its
/// loops. All sizes are constants.
struct WinogradConvolution {
  std::optional<unsigned> image; ///< the loop over images
  unsigned row, column;          ///< the loops over the result's pixels
  unsigned windowRow, windowColumn, channel, filter;
  /// What lies above the first row and before the first column reads as zero.
  int64_t lowRow = 0, lowColumn = 0;
  /// Of the input; what lies beyond reads as zero, or is not needed.
  int64_t inputRows, inputColumns;

  int64_t getTileRows(const ContractionNest &nest) const {
    return (nest.sizes[row].constant + 1) / 2;
  }
  int64_t getTileColumns(const ContractionNest &nest) const {
    return (nest.sizes[column].constant + 1) / 2;
  }
  /// The tiles of all images.
  int64_t getNumTiles(const ContractionNest &nest) const {
    return getTileRows(nest) * getTileColumns(nest) *
           (image ? nest.sizes[*image].constant : 1);
  }

  /// Recognises a nest whose loops are not joined. None where it is something
  /// else; `reason` then says what.
  static std::optional<WinogradConvolution> get(const ContractionNest &nest,
                                                std::string *reason = nullptr);
};

} // namespace ourc

#endif // OURC_STRATEGY_CPU_WINOGRAD_H
