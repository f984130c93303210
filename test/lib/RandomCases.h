//===- RandomCases.h - Inputs and comparisons for checked kernels ---------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_LIB_RANDOMCASES_H
#define OURC_TEST_LIB_RANDOMCASES_H

#include "test/lib/Interpreter.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <random>

namespace ourc::test {

/// What "M=0,1,7;N=5" says: for each name, the sizes to run.
llvm::SmallVector<std::pair<std::string, llvm::SmallVector<int64_t>>>
parseSizes(llvm::StringRef text);

/// A random value; with `special`, sometimes a zero, a denormal, an infinity or
/// not a number.
Scalar makeRandom(mlir::Type element, std::mt19937_64 &random, bool special);

/// Makes random [panel][4][4][channel][lane] what kernel.winograd_filter takes:
/// the transform of the filters that it says to be the transform of.
void makeWinogradFilter(Tensor &transformed);

/// Compares `got` with `wanted`; says where they differ most. `tolerance` is
/// the greatest error relative to the greatest magnitude; 0: by the element
/// type.
llvm::Error compare(const Tensor &got, const Tensor &wanted,
                    const llvm::Twine &what, double tolerance);

} // namespace ourc::test

#endif // OURC_TEST_LIB_RANDOMCASES_H
