//===- RandomCases.cpp - Inputs and comparisons for checked kernels -------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/RandomCases.h"

#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cmath>

using namespace mlir;
using namespace ourc::test;

SmallVector<std::pair<std::string, SmallVector<int64_t>>>
ourc::test::parseSizes(StringRef dims) {
  SmallVector<std::pair<std::string, SmallVector<int64_t>>> result;
  SmallVector<StringRef> parts;
  dims.split(parts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [name, values] = part.split('=');
    SmallVector<StringRef> numbers;
    values.split(numbers, ',', -1, /*KeepEmpty=*/false);
    SmallVector<int64_t> sizes;
    for (StringRef number : numbers) {
      int64_t size = 0;
      if (number.getAsInteger(10, size) || size < 0)
        llvm::report_fatal_error("--dims: bad size '" + number + "'", false);
      sizes.push_back(size);
    }
    result.push_back({name.trim().str(), sizes});
  }
  return result;
}

Scalar ourc::test::makeRandom(Type element, std::mt19937_64 &random,
                              bool special) {
  Scalar scalar;
  if (element.isInteger(8)) {
    // Bytes are booleans, most of the time.
    scalar.i = random() % 2;
    return scalar;
  }
  if (isa<IntegerType>(element)) {
    scalar.i = int64_t(random() % 19) - 9;
    return scalar;
  }
  scalar.f = std::normal_distribution<double>()(random);
  if (special && random() % 16 == 0) {
    const double values[] = {0.0,      -0.0,      1e-40, -1e-45,
                             INFINITY, -INFINITY, NAN,   1e30};
    scalar.f = values[random() % std::size(values)];
  }
  return scalar;
}

/// The 3x3 filter that a 4x4 transform is taken for.
static std::array<double, 9> restoreWinogradFilter(ArrayRef<double> u) {
  // Of four transformed values in a line: the first, the difference of the
  // middle ones, the last.
  auto restore = [](double a, double b, double c, double d) {
    return std::array<double, 3>{a, b - c, d};
  };
  std::array<double, 3> columns[4];
  for (int j = 0; j < 4; ++j)
    columns[j] = restore(u[j], u[4 + j], u[8 + j], u[12 + j]);
  std::array<double, 9> filter;
  for (int h = 0; h < 3; ++h) {
    auto row =
        restore(columns[0][h], columns[1][h], columns[2][h], columns[3][h]);
    std::copy(row.begin(), row.end(), filter.begin() + 3 * h);
  }
  return filter;
}

void ourc::test::makeWinogradFilter(Tensor &transformed) {
  const double g[4][3] = {{1, 0, 0}, {.5, .5, .5}, {.5, -.5, .5}, {0, 0, 1}};
  int64_t inner = transformed.shape[3] * transformed.shape[4];
  for (int64_t panel = 0; panel < transformed.shape[0]; ++panel)
    for (int64_t e = 0; e < inner; ++e) {
      Scalar *first = &transformed.data[panel * 16 * inner + e];
      double u[16];
      for (int p = 0; p < 16; ++p)
        u[p] = first[p * inner].f;
      std::array<double, 9> filter = restoreWinogradFilter(u);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          double sum = 0;
          for (int h = 0; h < 3; ++h)
            for (int v = 0; v < 3; ++v)
              sum += g[i][h] * g[j][v] * filter[3 * h + v];
          first[(4 * i + j) * inner].f = sum;
        }
    }
}

/// The greatest error, relative to the greatest magnitude.
static double getTolerance(Type element) {
  if (element.isF64())
    return 1e-13;
  if (element.isF32())
    return 5e-6;
  if (element.isF16())
    return 2e-3;
  if (element.isBF16())
    return 1.6e-2;
  return 0;
}

llvm::Error ourc::test::compare(const Tensor &got, const Tensor &wanted,
                                const Twine &what, double tolerance) {
  double greatest = 0, worst = 0;
  size_t where = 0;
  bool isFloat = isa<FloatType>(got.element);
  for (const Scalar &scalar : wanted.data)
    if (std::isfinite(scalar.f))
      greatest = std::max(greatest, std::fabs(scalar.f));
  for (size_t i = 0; i < got.data.size(); ++i) {
    double error = 0;
    if (!isFloat) {
      error = got.data[i].i != wanted.data[i].i;
    } else {
      double g = got.data[i].f, w = wanted.data[i].f;
      if (std::isnan(g) != std::isnan(w))
        error = INFINITY;
      else if (!std::isnan(g) && g != w)
        error = std::isfinite(g) && std::isfinite(w)
                    ? std::fabs(g - w) / std::max(greatest, 1e-30)
                    : INFINITY;
    }
    if (error > worst) {
      worst = error;
      where = i;
    }
  }
  if (worst <= (tolerance > 0 ? tolerance : getTolerance(got.element)))
    return llvm::Error::success();
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << what << ": element " << where << " of " << got.data.size()
         << " is ";
  if (isFloat)
    stream << got.data[where].f << ", wanted " << wanted.data[where].f
           << " (relative error " << worst << ")";
  else
    stream << got.data[where].i << ", wanted " << wanted.data[where].i;
  return llvm::createStringError(text);
}
