//===- MathCoefficients.h - Minimax coefficients --------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by scripts/fit-polynomials: edit that. Lowest degree first.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_COMMON_MATHCOEFFICIENTS_H
#define OURC_CONVERSION_COMMON_MATHCOEFFICIENTS_H

namespace ourc::coefficients {

/// (exp(r) - 1 - r) / r^2 on |r| <= ln(2)/2.
/// Maximal error 2^-28.2 (relative to the function).
inline constexpr float kExp[] = {
    0x1.fffffc0000000p-2f,  // 0.49999994
    0x1.55548c0000000p-3f,  // 0.166665167
    0x1.5558580000000p-5f,  // 0.0416681021
    0x1.123de00000000p-7f,  // 0.00836919248
    0x1.6ac7220000000p-10f, // 0.00138388772
};

/// (2^r - 1) / r on |r| <= 1/2.
/// Maximal error 2^-26.3 (relative to the function).
inline constexpr float kExp2[] = {
    0x1.62e4300000000p-1f,  // 0.693147182
    0x1.ebfb940000000p-3f,  // 0.240225941
    0x1.c6af9e0000000p-5f,  // 0.0555036627
    0x1.3b68160000000p-7f,  // 0.00962544512
    0x1.5ef4e00000000p-10f, // 0.00133879296
    0x1.179a860000000p-13f, // 0.000133325389
};

/// (log(1 + f) - f + f^2/2) / f^3 on [sqrt(1/2) - 1, sqrt(2) - 1].
/// Maximal error 2^-27.5 (relative to the function).
inline constexpr float kLog[] = {
    0x1.55554e0000000p-2f,  // 0.333333224
    -0x1.0001580000000p-2f, // -0.250005126
    0x1.99a2ca0000000p-3f,  // 0.200017527
    -0x1.54ea240000000p-3f, // -0.166462213
    0x1.2307b60000000p-3f,  // 0.142104551
    -0x1.03f3fe0000000p-3f, // -0.126930222
    0x1.f33c000000000p-4f,  // 0.121883392
    -0x1.adc8860000000p-4f, // -0.104927562
    0x1.9aac280000000p-5f,  // 0.0501309186
};

/// erf(x) / x - 1 over x^2 on |x| <= 0.925.
/// Maximal error 2^-29.9 (relative to the function).
inline constexpr float kErfSmall[] = {
    0x1.06eba80000000p-3f,   // 0.128379166
    -0x1.8127400000000p-2f,  // -0.376126289
    0x1.ce2d760000000p-4f,   // 0.112836324
    -0x1.b8043c0000000p-6f,  // -0.0268564783
    0x1.54769a0000000p-8f,   // 0.00519505749
    -0x1.a7fdaa0000000p-11f, // -0.000808698416
    0x1.56f0d00000000p-14f,  // 8.17634282e-05
};

/// -log(1 - erf(x)) on [0.92, 4], weighted by 1 - erf(x).
/// Maximal error 2^-28.9 (relative to the function).
inline constexpr float kErfLarge[] = {
    0x1.b2299a0000000p-13f,  // 0.000207024816
    0x1.20ac300000000p+0f,   // 1.12762737
    0x1.4647b20000000p-1f,   // 0.637265742
    0x1.a9655c0000000p-4f,   // 0.103856429
    -0x1.6b8eec0000000p-6f,  // -0.0221898369
    0x1.8da2c60000000p-9f,   // 0.00303372066
    -0x1.98d7a80000000p-13f, // -0.000194951252
};

/// erf(x) / x over w = x^2 / 7.25 - 1 on |w| <= 1, weighted by x + 0.3.
/// Maximal error 2^-23.2 (relative to the function).
inline constexpr float kErfWhole[] = {
    0x1.7c40320000000p-2f,  // 0.371338636
    -0x1.7b6e4c0000000p-3f, // -0.185268968
    0x1.1998d60000000p-3f,  // 0.137498543
    -0x1.c6e61a0000000p-4f, // -0.111059286
    0x1.740cba0000000p-4f,  // 0.0908324495
    -0x1.29a4ae0000000p-4f, // -0.0726668164
    0x1.c51e920000000p-5f,  // 0.0553124286
    -0x1.405fd00000000p-5f, // -0.039108187
    0x1.b791a20000000p-6f,  // 0.0268291552
    -0x1.3333fc0000000p-6f, // -0.018750187
    0x1.5298900000000p-7f,  // 0.0103331283
    -0x1.a3ae880000000p-9f, // -0.00320191775
    0x1.24b7820000000p-9f,  // 0.00223325216
    -0x1.72a14a0000000p-9f, // -0.00282768277
    0x1.2529500000000p-10f, // 0.0011183219
};

/// (tanh(x) / x - 1) / x^2 over x^2 on |x| <= 0.56.
/// Maximal error 2^-29.6 (relative to the function).
inline constexpr float kTanhSmall[] = {
    -0x1.55554a0000000p-2f, // -0.333333164
    0x1.110cd80000000p-3f,  // 0.133325279
    -0x1.b918820000000p-5f, // -0.053844694
    0x1.58a54a0000000p-6f,  // 0.0210355017
    -0x1.9777fc0000000p-8f, // -0.00621747877
};

/// (sin(r) / r - 1) / r^2 over r^2 on |r| <= pi/4.
/// Maximal error 2^-32.5 (relative to the function).
inline constexpr float kSin[] = {
    -0x1.5555560000000p-3f,  // -0.166666672
    0x1.1111760000000p-7f,   // 0.00833338033
    -0x1.a05ba40000000p-13f, // -0.000198534952
    0x1.7cccfe0000000p-19f,  // 2.83718668e-06
};

/// (cos(r) - 1 + r^2/2) / r^4 over r^2 on |r| <= pi/4.
/// Maximal error 2^-37.0 (relative to the function).
inline constexpr float kCos[] = {
    0x1.5555560000000p-5f,   // 0.0416666679
    -0x1.6c175e0000000p-10f, // -0.001388898
    0x1.a071b20000000p-16f,  // 2.4822004e-05
    -0x1.3612900000000p-22f, // -2.88777528e-07
};

/// (atan(x) / x - 1) / x^2 over x^2 on |x| <= 1.
/// Maximal error 2^-28.7 (relative to the function).
inline constexpr float kAtan[] = {
    -0x1.5555400000000p-2f,  // -0.333333015
    0x1.9992660000000p-3f,   // 0.199986264
    -0x1.24262a0000000p-3f,  // -0.142650917
    0x1.c0c8e20000000p-4f,   // 0.109566577
    -0x1.58bcfc0000000p-4f,  // -0.0841646045
    0x1.dc983a0000000p-5f,   // 0.058178056
    -0x1.012eea0000000p-5f,  // -0.0313944407
    0x1.6965920000000p-7f,   // 0.0110289538
    -0x1.dcc3a20000000p-10f, // -0.00181871105
};

/// (asin(x) / x - 1) / x^2 over x^2 on |x| <= 0.5.
/// Maximal error 2^-31.7 (relative to the function).
inline constexpr float kAsin[] = {
    0x1.55554c0000000p-3f, // 0.166666597
    0x1.3338aa0000000p-4f, // 0.0750052109
    0x1.6ca7dc0000000p-5f, // 0.0445136353
    0x1.04cd0c0000000p-5f, // 0.0318360552
    0x1.d589f20000000p-7f, // 0.0143291885
    0x1.349e480000000p-5f, // 0.0376731306
};

/// (log2((1 + s) / (1 - s)) / s - 2/ln(2)) / s^2 over s^2, for pow.
/// Maximal error 2^-50.7 (relative to the function).
inline constexpr double kPowLog2[] = {
    0x1.ec709dc39dbacp-1, // 0.961796694
    0x1.2776c51573ce8p-1, // 0.577078017
    0x1.a61757942972cp-2, // 0.412198418
    0x1.484f6ca6eeebfp-2, // 0.32061548
    0x1.0bbe8230778f9p-2, // 0.26146892
    0x1.f0f6ed0445668p-3, // 0.242658474
};

/// (2^r - 1) / r on |r| <= 1/2, for pow.
/// Maximal error 2^-42.1 (relative to the function).
inline constexpr double kPowExp2[] = {
    0x1.62e42fefa37d1p-1,  // 0.693147181
    0x1.ebfbdff81bdfep-3,  // 0.240226507
    0x1.c6b08d70c8a0cp-5,  // 0.0555041087
    0x1.3b2ab72412ff9p-7,  // 0.00961812918
    0x1.5d87fd934473fp-10, // 0.00133335576
    0x1.430898226058ap-13, // 0.00015403441
    0x1.ffce3e57739bdp-17, // 1.52529966e-05
    0x1.63ea7e136ed2cp-20, // 1.32589037e-06
    0x1.b3ef7debb3d2bp-24, // 1.01499147e-07
};

} // namespace ourc::coefficients

#endif // OURC_CONVERSION_COMMON_MATHCOEFFICIENTS_H
