//===- Report.cpp - What a compilation did --------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Report.h"

#include "conversion/GraphToLLVM/KernelReport.h"
#include "runtime/core/MemoryPlan.h"
#include "transforms/buffer/ProgramFunctions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ourc;

void Report::addSeconds(llvm::StringRef phase, double seconds) {
  for (auto &[name, sum] : phases)
    if (name == phase) {
      sum += seconds;
      return;
    }
  phases.emplace_back(phase.str(), seconds);
}

void Report::countOps(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>(kMainName);
  if (!main || main.isExternal())
    return;
  for (Operation &op : main.getBody().front())
    if (!op.hasTrait<OpTrait::IsTerminator>() &&
        !op.hasTrait<OpTrait::ConstantLike>() &&
        llvm::any_of(op.getResultTypes(), llvm::IsaPred<TensorType>))
      ++numOps;
}

void Report::describePlanned(ModuleOp module) {
  describeProgram(module, program);
  auto main = module.lookupSymbol<func::FuncOp>(kMainName);
  if (!main)
    return;
  SmallVector<OurcBufferDesc> lifetimes;
  SmallVector<int64_t> bytes;
  for (auto view : main.getOps<memref::ViewOp>()) {
    auto offset = dyn_cast<BlockArgument>(view.getByteShift());
    if (!offset)
      continue;
    auto lifetime = main.getArgAttrOfType<DenseI64ArrayAttr>(
        offset.getArgNumber(), kLifetimeAttrName);
    MemRefType type = view.getType();
    // Sizes of a dynamic program are known in a call; the model reports them.
    if (!lifetime || !type.hasStaticShape())
      return;
    lifetimes.push_back(
        {static_cast<int32_t>(lifetime[0]), static_cast<int32_t>(lifetime[1])});
    bytes.push_back(type.getNumElements() *
                    llvm::divideCeil(type.getElementTypeBitWidth(), 8));
  }
  SmallVector<int64_t> offsets(bytes.size());
  runtime::MemoryPlan plan;
  if (runtime::planMemory(lifetimes.data(), bytes.data(), bytes.size(),
                          runtime::PlanEffort::quick, offsets.data(),
                          plan) != runtime::PlanStatus::ok)
    return;
  memory["sum"] = plan.sumOfBuffers;
  memory["lower_bound"] = plan.lowerBound;
  memory["arena"] = plan.arenaBytes;
}

llvm::json::Object Report::describe() const {
  llvm::json::Object object(program);
  object["ops"] = numOps;
  object["memory"] = llvm::json::Object(memory);
  object["remarks"] = llvm::json::Array(remarks);
  return object;
}

static std::string print(llvm::json::Object object) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(object));
  return text;
}

std::string Report::save() const { return print(describe()); }

bool Report::restore(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  llvm::json::Object *object = value->getAsObject();
  if (!object)
    return false;
  numOps = object->getInteger("ops").value_or(0);
  if (llvm::json::Object *known = object->getObject("memory"))
    memory = std::move(*known);
  if (llvm::json::Array *known = object->getArray("remarks"))
    remarks = std::move(*known);
  for (const char *taken : {"ops", "memory", "remarks"})
    object->erase(taken);
  program = std::move(*object);
  return true;
}

std::string Report::json() const {
  llvm::json::Object seconds;
  for (const auto &[name, sum] : phases)
    seconds[name] = sum;
  llvm::json::Object object = describe();
  object["target"] = target;
  object["cache"] = cache;
  object["phases"] = std::move(seconds);
  return print(std::move(object));
}
