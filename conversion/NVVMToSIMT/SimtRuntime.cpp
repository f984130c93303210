//===- SimtRuntime.cpp - Calls into the SIMT machine -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/NVVMToSIMT/SimtRuntime.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ourc::simt;

Value RuntimeCalls::call(OpBuilder &builder, Location loc, StringRef name,
                         Type result, ValueRange arguments) {
  MLIRContext *context = builder.getContext();
  Type resultType = result ? result : LLVM::LLVMVoidType::get(context);
  SmallVector<Type> types;
  for (Type type : arguments.getTypes())
    types.push_back(isa<LLVM::LLVMPointerType>(type)
                        ? LLVM::LLVMPointerType::get(context)
                        : type);
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    function = LLVM::LLVMFuncOp::create(
        top, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(resultType, types));
  }
  auto call = LLVM::CallOp::create(builder, loc, function, arguments);
  return call.getNumResults() ? call.getResult() : Value();
}

Value RuntimeCalls::constant(OpBuilder &builder, Location loc, int32_t value) {
  return LLVM::ConstantOp::create(builder, loc,
                                  builder.getI32IntegerAttr(value));
}

Value RuntimeCalls::getString(OpBuilder &builder, Location loc, StringRef name,
                              StringRef text) {
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!global) {
    std::string terminated = text.str() + '\0';
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMArrayType::get(
        builder.getI8Type(), static_cast<unsigned>(terminated.size()));
    global =
        LLVM::GlobalOp::create(top, module.getLoc(), type,
                               /*isConstant=*/true, LLVM::Linkage::Internal,
                               name, builder.getStringAttr(terminated));
  }
  return LLVM::AddressOfOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      global.getSymName());
}

/// Finds the line of the printed kernel and the user's line in a location.
static void findPlaces(Location loc, FileLineColLoc &inKernel,
                       FileLineColLoc &user) {
  loc->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part);
        name && name.getName() == kKernelLineTag) {
      if (!inKernel)
        inKernel = name.getChildLoc()->findInstanceOf<FileLineColLoc>();
      return WalkResult::skip();
    }
    if (auto place = dyn_cast<FileLineColLoc>(part); place && !user)
      user = place;
    return WalkResult::advance();
  });
}

Value RuntimeCalls::getSite(OpBuilder &builder, Operation *op) {
  unsigned number = numSites++;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << " #" << number;
  FileLineColLoc inKernel, user;
  findPlaces(op->getLoc(), inKernel, user);
  auto print = [&](FileLineColLoc place) {
    os << llvm::sys::path::filename(place.getFilename().getValue()) << ":"
       << place.getLine();
  };
  if (inKernel || user) {
    os << " (";
    if (inKernel)
      print(inKernel);
    if (inKernel && user)
      os << ", for ";
    if (user)
      print(user);
    os << ")";
  }
  std::string name;
  do {
    name = "ourc_simt_site_" + std::to_string(number++);
  } while (module.lookupSymbol(name));
  return getString(builder, op->getLoc(), name, text);
}
