//===- KernelArgument.cpp - What a kernel gets, from the command line --===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ourc-simt/KernelArgument.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cstring>
#include <random>

using namespace ourc::tools;

static const llvm::fltSemantics &getSemantics(unsigned bits, bool bfloat) {
  if (bfloat)
    return llvm::APFloat::BFloat();
  return bits == 64   ? llvm::APFloat::IEEEdouble()
         : bits == 32 ? llvm::APFloat::IEEEsingle()
                      : llvm::APFloat::IEEEhalf();
}

llvm::Expected<KernelArgument> KernelArgument::parse(llvm::StringRef text) {
  auto wrong = [&](const llvm::Twine &what) {
    return llvm::createStringError("argument '" + text + "': " + what);
  };
  KernelArgument argument;
  auto [head, values] = text.split('=');
  auto [type, extent] = head.split('[');
  if (!extent.empty()) {
    argument.buffer = true;
    if (!extent.consume_back("]") || extent.getAsInteger(10, argument.count) ||
        argument.count < 0)
      return wrong("a buffer is written f32[64]");
  }
  llvm::StringRef width = type;
  if (width.consume_front("bf"))
    argument.bfloat = argument.floating = true;
  else if (width.consume_front("f"))
    argument.floating = true;
  else if (!width.consume_front("i"))
    width = "";
  if (width.getAsInteger(10, argument.bits) ||
      !(argument.bits == 16 || (!argument.bfloat && argument.bits == 32) ||
        (!argument.bfloat && argument.bits == 64) ||
        (!argument.floating && argument.bits == 8)))
    return wrong("the type must be i8, i16, i32, i64, f16, bf16, f32 or f64");
  argument.values = values.str();
  if (values.empty()) {
    if (!argument.buffer)
      return wrong("a scalar needs a value: i32=7");
    argument.values = "poison";
    return argument;
  }
  bool named = values == "zeros" || values == "ones" || values == "iota" ||
               values == "random" || values == "poison";
  if (named && argument.buffer)
    return argument;
  llvm::SmallVector<llvm::StringRef> parts;
  values.split(parts, ',');
  for (llvm::StringRef part : parts) {
    double value;
    if (part.getAsDouble(value))
      return wrong("'" + part +
                   "' is no number, nor zeros, ones, iota, random or poison");
    argument.list.push_back(value);
  }
  if (static_cast<int64_t>(argument.list.size()) != argument.count)
    return wrong("has " + llvm::Twine(argument.list.size()) +
                 " values for a buffer of " + llvm::Twine(argument.count));
  return argument;
}

void KernelArgument::write(char *data, double value) const {
  uint64_t raw = static_cast<uint64_t>(static_cast<int64_t>(value));
  if (floating) {
    llvm::APFloat number(value);
    bool inexact;
    number.convert(getSemantics(bits, bfloat),
                   llvm::APFloat::rmNearestTiesToEven, &inexact);
    raw = number.bitcastToAPInt().getZExtValue();
  }
  std::memcpy(data, &raw, bits / 8); // little endian
}

void KernelArgument::fill(char *data) const {
  std::mt19937 random(1);
  for (int64_t i = 0; i < count; ++i) {
    char *at = data + i * getElementBytes();
    if (!list.empty())
      write(at, list[static_cast<size_t>(i)]);
    else if (values == "iota")
      write(at, static_cast<double>(i));
    else if (values == "random")
      write(at, static_cast<double>(random() % 17) - 8);
    else if (values == "poison")
      std::memset(at, 0xff, bits / 8);
    else
      write(at, values == "ones");
  }
}

void KernelArgument::print(const char *data, llvm::raw_ostream &os) const {
  for (int64_t i = 0; i < count; ++i) {
    uint64_t raw = 0;
    std::memcpy(&raw, data + i * getElementBytes(), bits / 8);
    if (i)
      os << " ";
    if (floating) {
      llvm::APFloat number(getSemantics(bits, bfloat), llvm::APInt(bits, raw));
      bool inexact;
      number.convert(llvm::APFloat::IEEEdouble(),
                     llvm::APFloat::rmNearestTiesToEven, &inexact);
      os << llvm::format("%.9g", number.convertToDouble());
    } else {
      os << llvm::SignExtend64(raw, bits);
    }
  }
}
