//===- MachinePeak.h - How fast multiply-adds can be ----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TEST_LIB_MACHINEPEAK_H
#define OURC_TEST_LIB_MACHINEPEAK_H

namespace ourc::test {

/// The most f32 multiply-adds a second of one core, measured now: 24 (AVX2: 12)
/// independent chains of vector multiply-adds.
double measureMultiplyAdds();

/// The seconds that the calling thread has run, which other programs do not
/// disturb, or those of a clock on the wall.
double getSeconds(bool ofThread);

} // namespace ourc::test

#endif // OURC_TEST_LIB_MACHINEPEAK_H
