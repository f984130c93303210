//===- Contraction.cpp - Contractions on tensor cores ------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/gpu/ContractionStructure.h"
#include "strategy/gpu/GPUStrategies.h"

using namespace mlir;
using namespace ourc;

/// A size below which a tile would be mostly empty, if it is known.
static bool isBelow(int64_t size, int64_t least) {
  return !ShapedType::isDynamic(size) && size < least;
}

static LogicalResult refuse(std::string *reason, llvm::StringRef why) {
  if (reason)
    *reason = why.str();
  return failure();
}

namespace {
class GPUContractionStrategy : public Strategy {
public:
  llvm::StringRef getName() const override { return "contraction"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    auto structure = analyzeContraction(kernel, reason);
    if (!structure || failed(checkTensorCoreTypes(*structure, reason)))
      return failure();
    // Depthwise convolutions and small groups use little of what they load.
    if (structure->hasWindow() &&
        (isBelow(structure->getSize(structure->m), 8) ||
         isBelow(structure->getSize(structure->n), 8)))
      return refuse(reason, "its windows make too few results each");
    return success();
  }

  Assignment assign(kernel::FuncOp kernel) const override {
    std::string reason;
    ContractionStructure structure = *analyzeContraction(kernel, &reason);
    int64_t m = structure.getSize(structure.m);
    int64_t n = structure.getSize(structure.n);
    // Large tiles reuse operands more, but need enough of them for all SMs.
    int64_t tileM = 64, tileN = 64, warpsM = 2, warpsN = 2;
    if (m >= 1024 && n >= 1024)
      tileM = tileN = 128;
    // Few rows or columns: no larger than they are.
    if (!ShapedType::isDynamic(m) && m <= 32) {
      tileM = m <= 16 ? 16 : 32;
      warpsM = 1;
      warpsN = 4;
    } else if (!ShapedType::isDynamic(n) && n <= 32) {
      tileN = n <= 16 ? 16 : 32;
      warpsM = 4;
      warpsN = 1;
    }
    Assignment assignment;
    assignment.schedule = kernel::GPUContractionAttr::get(
        kernel.getContext(), tileM, tileN, /*tileK=*/32, warpsM, warpsN,
        /*stages=*/3);
    return assignment;
  }
};

/// Contractions of f32, which tensor cores would round.
class GPUTileStrategy : public Strategy {
public:
  llvm::StringRef getName() const override { return "tile"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    auto structure = analyzeContraction(kernel, reason);
    if (!structure || failed(checkSingleTypes(*structure, reason)))
      return failure();
    // A matrix times a vector reads each element once: a row a block is better.
    if (isBelow(structure->getSize(structure->m), 4) ||
        isBelow(structure->getSize(structure->n), 4))
      return refuse(reason, "its rows or columns are too few for tiles");
    return success();
  }

  Assignment assign(kernel::FuncOp kernel) const override {
    std::string reason;
    ContractionStructure structure = *analyzeContraction(kernel, &reason);
    int64_t m = structure.getSize(structure.m);
    int64_t n = structure.getSize(structure.n);
    int64_t tileM = 64, tileN = 64, threadsM = 16, threadsN = 8;
    if (m >= 1024 && n >= 1024) {
      tileM = tileN = 128;
      threadsN = 16;
    } else if (!ShapedType::isDynamic(m) && m <= 16) {
      tileM = 16;
      threadsM = 8;
      threadsN = 16;
    } else if (!ShapedType::isDynamic(n) && n <= 16) {
      tileN = 16;
    }
    Assignment assignment;
    assignment.schedule =
        kernel::GPUTileAttr::get(kernel.getContext(), tileM, tileN,
                                 /*tileK=*/16, threadsM, threadsN,
                                 /*stages=*/3);
    return assignment;
  }
};
} // namespace

std::unique_ptr<Strategy>
ourc::createGPUContractionStrategy(const GPUDescription &) {
  return std::make_unique<GPUContractionStrategy>();
}

std::unique_ptr<Strategy> ourc::createGPUTileStrategy(const GPUDescription &) {
  return std::make_unique<GPUTileStrategy>();
}
