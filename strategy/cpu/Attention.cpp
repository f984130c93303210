//===- Attention.cpp - Attention with an online softmax -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/Attention.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "strategy/cpu/CPUStrategies.h"

using namespace mlir;
using namespace ourc;

Type AttentionNest::getComputeType() const {
  kernel::AttentionOp attention = op;
  return attention.getScore().front().getArgument(0).getType();
}

std::optional<AttentionNest> AttentionNest::get(kernel::FuncOp kernel,
                                                std::string *reason) {
  auto fail = [&](const Twine &text) {
    if (reason)
      *reason = text.str();
    return std::nullopt;
  };
  AttentionNest nest;
  for (auto op : kernel.getBody().front().getOps<kernel::AttentionOp>()) {
    if (nest.op)
      return fail("it has more than one attention");
    nest.op = op;
  }
  if (!nest.op)
    return fail("it has no attention");
  nest.numBatch = nest.op.getNumBatch();

  // The result may be reshaped: its order in memory stays.
  kernel::ReturnOp returned = kernel.getReturnOp();
  Value value =
      returned.getNumOperands() == 1 ? returned.getOperand(0) : Value();
  while (value &&
         isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
             value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  if (value != nest.op.getResult())
    return fail("the kernel's result is not the attention's");

  unsigned numOperands = nest.op->getNumOperands();
  nest.sizes.resize(nest.numBatch + 4);
  for (OpOperand &operand : nest.op->getOpOperands()) {
    AffineMap map = nest.op.getMap(operand.getOperandNumber());
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
        Product &size = nest.sizes[loop.getPosition()];
        Product here = Product::getSize(operand.get(), dim);
        if (size.isOne() || here.isConstant())
          size = here;
      }
  }
  if (!nest.sizes[nest.d()].isConstant() || !nest.sizes[nest.e()].isConstant())
    return fail("the number of features of a key or of a value is dynamic");

  LinearAccess *accesses[] = {&nest.queries, &nest.keys, &nest.values};
  for (auto [i, access] : llvm::enumerate(accesses)) {
    std::optional<LinearAccess> found =
        LinearAccess::get(nest.op->getOperand(i), nest.op.getMap(i), reason);
    if (!found)
      return std::nullopt;
    *access = *found;
  }
  for (unsigned i = 3; i + 1 < numOperands; ++i)
    nest.scoreOperands.push_back(
        LinearAccess::get(nest.op->getOperand(i), nest.op.getMap(i)));

  AffineMap map = nest.op.getMap(numOperands - 1);
  StridedView view{
      kernel.getDestination(0), SmallVector<Product>(map.getNumResults()), {}};
  Product stride;
  for (unsigned dim = map.getNumResults(); dim-- > 0;) {
    view.strides[dim] = stride;
    stride = stride * nest.sizes[map.getDimPosition(dim)];
  }
  nest.result = *LinearAccess::get(view, map);
  return nest;
}

namespace {
class AttentionStrategy : public Strategy {
public:
  explicit AttentionStrategy(const cpu::MachineDescription &machine)
      : machine(machine) {}

  StringRef getName() const override { return "attention"; }

  LogicalResult match(kernel::FuncOp kernel,
                      std::string *reason) const override {
    return success(AttentionNest::get(kernel, reason).has_value());
  }

  bool readsThroughViews() const override { return true; }

  Assignment assign(kernel::FuncOp kernel) const override {
    std::optional<AttentionNest> nest = AttentionNest::get(kernel);
    assert(nest && "assign follows match");
    Type type = nest->getComputeType();
    int64_t lanes = machine.getLanes(type.getIntOrFloatBitWidth());
    auto getConstant = [&](unsigned loop) {
      const Product &size = nest->sizes[loop];
      return size.isConstant() ? size.constant : -1;
    };
    // Six rows of four vectors (AVX2: two) fill the registers. Narrow values
    // take more rows of two instead; code is there for each number of rows that
    // occurs, so only where there are few numbers.
    bool isNarrow = machine.numVectorRegisters >= 32 &&
                    getConstant(nest->s()) > 6 &&
                    getConstant(nest->e()) <= 2 * lanes;
    // Scores of 512 keys take a quarter of L1. Fewer keys lie closer together.
    int64_t kb = 512, numKeys = getConstant(nest->t());
    if (numKeys >= 0)
      kb =
          std::clamp<int64_t>(llvm::alignTo(numKeys, 4 * lanes), 4 * lanes, kb);
    bool isBF16 =
        llvm::all_of(nest->op->getOperands().take_front(3), [](Value x) {
          return getElementTypeOrSelf(x.getType()).isBF16();
        });
    Assignment assignment;
    assignment.schedule = kernel::CPUAttentionAttr::get(
        kernel.getContext(), /*mr=*/isNarrow ? 14 : 6, kb, lanes,
        /*depth=*/isBF16 && machine.multipliesPairs ? 2 : 1);
    return assignment;
  }

private:
  cpu::MachineDescription machine;
};
} // namespace

std::unique_ptr<Strategy>
ourc::createCPUAttentionStrategy(const cpu::MachineDescription &machine) {
  return std::make_unique<AttentionStrategy>(machine);
}
