//===- KernelReport.cpp - A program's kernels for tools -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/GraphToLLVM/KernelReport.h"

#include "dialects/kernel/KernelDialect.h"
#include "strategy/KernelCost.h"
#include "transforms/buffer/ProgramFunctions.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace ourc;

/// Appends the lines of `loc` that are not in the list yet.
static void addLines(SmallVectorImpl<std::string> &lines, Location loc) {
  loc->walk([&](Location part) {
    auto at = dyn_cast<FileLineColLoc>(part);
    if (!at)
      return WalkResult::advance();
    std::string line =
        (at.getFilename().getValue() + ":" + llvm::Twine(at.getLine())).str();
    if (!llvm::is_contained(lines, line))
      lines.push_back(std::move(line));
    return WalkResult::advance();
  });
}

SmallVector<std::string> ourc::userLines(Location loc) {
  SmallVector<std::string> lines;
  addLines(lines, loc);
  return lines;
}

static llvm::json::Object describeCost(const KernelCost &cost) {
  return llvm::json::Object{{"flops", cost.flops},
                            {"flops16", cost.flops16},
                            {"bytes_read", cost.bytesRead},
                            {"bytes_written", cost.bytesWritten}};
}

llvm::json::Array ourc::describeLaunches(ModuleOp module, StringRef function) {
  llvm::StringMap<int64_t> numbers;
  for (auto func : module.getOps<kernel::FuncOp>())
    numbers.try_emplace(func.getSymName(), numbers.size());
  llvm::json::Array launches;
  auto graph = module.lookupSymbol<func::FuncOp>(function);
  if (!graph || graph.isExternal())
    return launches;
  for (auto launch : graph.getOps<kernel::LaunchOp>())
    launches.push_back(llvm::json::Object{
        {"kernel", numbers.lookup(launch.getCallee())},
        {"locations", llvm::json::Array(userLines(launch.getLoc()))}});
  return launches;
}

void ourc::describeProgram(ModuleOp module, llvm::json::Object &report) {
  report["kernels"] = describeKernels(module);
  report["sequence"] = describeLaunches(module, kMainName);
  report["preparation"] = describeLaunches(module, kInitName);
}

llvm::json::Array ourc::describeKernels(ModuleOp module) {
  llvm::StringMap<int64_t> launches;
  llvm::StringMap<SmallVector<std::string>> lines;
  module.walk([&](kernel::LaunchOp launch) {
    ++launches[launch.getCallee()];
    // Deduplicated kernels stand for several places of the user's program.
    addLines(lines[launch.getCallee()], launch.getLoc());
  });
  llvm::json::Array kernels;
  module.walk([&](kernel::FuncOp func) {
    llvm::json::Object object;
    StringRef name = func.getSymName();
    // JSON keeps references to what is not a std::string, and the report
    // outlives the module.
    object["name"] = name.str();
    if (auto schedule = func.getSchedule()) {
      std::string text;
      llvm::raw_string_ostream(text) << *schedule;
      object["strategy"] = schedule->getStrategy().str();
      object["schedule"] = std::move(text);
    }
    auto &ofKernel = lines[name];
    addLines(ofKernel, func.getLoc());
    object["locations"] = llvm::json::Array(ofKernel);
    object["launches"] = launches.lookup(name);
    if (std::optional<KernelCost> cost = computeCost(func))
      object["cost"] = describeCost(*cost);
    kernels.push_back(std::move(object));
  });
  return kernels;
}
