//===- Outline.cpp - From a group of operations to a kernel and its launch
//----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/kernel/Outline.h"

#include "transforms/kernel/Booleans.h"

#include "dialects/ourc/OurcDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ourc;

bool ourc::isClonedIntoKernels(Operation *op) {
  if (isa<tensor::EmptyOp>(op))
    return true;
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return matchPattern(fill.value(), m_Constant()) &&
           fill.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>();
  Attribute constant;
  if (matchPattern(op, m_Constant(&constant)))
    return !isa<DenseElementsAttr>(constant) ||
           isa<SplatElementsAttr>(constant);
  // Index arithmetic; sizes are found again among the kernel's arguments.
  return op->getNumResults() == 1 && op->getResult(0).getType().isIndex() &&
         isPure(op);
}

bool ourc::isView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
      op);
}

/// What an operation of a group overwrites in part: the destination of its
/// result, which it reads. Null for other operations.
static Value getUpdated(Operation *op) {
  auto scatter = dyn_cast<kernel::ScatterOp>(op);
  return scatter ? scatter.getOutput() : Value();
}

RankedTensorType ourc::getBufferType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (!tensor.getElementType().isInteger(1))
    return tensor;
  return tensor.clone(IntegerType::get(type.getContext(), 8));
}

namespace {
/// Builds one kernel.
class KernelBuilder {
public:
  KernelBuilder(OpBuilder &builder, const OperationGroup &group,
                SymbolicShapes &shapes)
      : builder(builder), group(group), shapes(shapes) {}

  FailureOr<OutlinedKernel> build(StringRef name);
  std::string reason;

private:
  void collectBoundary();
  void nameDimensions();
  /// Makes `value`, a value from outside that is not an argument, in the body.
  LogicalResult materialize(OpBuilder &body, Value value);
  LogicalResult cloneOp(OpBuilder &body, Operation *op);
  /// An index of the program as one of the kernel.
  Value materializeIndex(OpBuilder &body, Value index);
  Value materializeExpr(OpBuilder &body, Location loc, AffineExpr expr);

  OpBuilder &builder;
  const OperationGroup &group;
  SymbolicShapes &shapes;
  OutlinedKernel out;
  IRMapping mapping;
  /// The first argument dimension of each size.
  DenseMap<AffineExpr, std::pair<unsigned, int64_t>> homes;
};
} // namespace

void KernelBuilder::collectBoundary() {
  llvm::SetVector<Value> inputs;
  auto visit = [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (def && (group.contains(def) || isClonedIntoKernels(def)))
      return;
    if (isa<RankedTensorType>(value.getType()))
      inputs.insert(value);
  };
  for (Operation *op : group)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *top =
                group.front()->getBlock()->findAncestorOpInBlock(*user);
            return !top || !group.contains(top);
          }))
        out.results.push_back(result);
  for (Operation *op : group) {
    // What a result of the kernel overwrites in part is its destination alone.
    Value updated = getUpdated(op);
    if (updated && !group.contains(updated.getDefiningOp()) &&
        llvm::is_contained(out.results, op->getResult(0)))
      out.updated[op->getResult(0)] = updated;
    else
      updated = {};
    for (Value operand : op->getOperands())
      if (operand != updated)
        visit(operand);
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::for_each(captured, visit);
  }
  out.inputs = inputs.takeVector();
}

Value KernelBuilder::materializeExpr(OpBuilder &body, Location loc,
                                     AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(body, loc, constant.getValue());
  auto home = homes.find(expr);
  if (home != homes.end()) {
    Value argument = out.kernel.getBody().getArgument(home->second.first);
    return tensor::DimOp::create(body, loc, argument, home->second.second);
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return {};
  Value lhs = materializeExpr(body, loc, binary.getLHS());
  Value rhs = lhs ? materializeExpr(body, loc, binary.getRHS()) : Value();
  if (!rhs)
    return {};
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(body, loc, lhs, rhs);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(body, loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return arith::FloorDivSIOp::create(body, loc, lhs, rhs);
  case AffineExprKind::CeilDiv:
    return arith::CeilDivSIOp::create(body, loc, lhs, rhs);
  case AffineExprKind::Mod:
    return arith::RemSIOp::create(body, loc, lhs, rhs);
  default:
    return {};
  }
}

Value KernelBuilder::materializeIndex(OpBuilder &body, Value index) {
  if (Value known = mapping.lookupOrNull(index))
    return known;
  Value value = materializeExpr(body, index.getLoc(), shapes.getIndex(index));
  if (value) {
    mapping.map(index, value);
    return value;
  }
  // Arithmetic that is not affine: its operands may be.
  Operation *def = index.getDefiningOp();
  if (!def || !isa<arith::ArithDialect>(def->getDialect()))
    return {};
  for (Value operand : def->getOperands())
    if (failed(materialize(body, operand)))
      return {};
  return body.clone(*def, mapping)->getResult(0);
}

LogicalResult KernelBuilder::materialize(OpBuilder &body, Value value) {
  if (mapping.contains(value))
    return success();
  if (value.getType().isIndex() && !matchPattern(value, m_Constant())) {
    if (materializeIndex(body, value))
      return success();
    reason = "a size of the kernel is not a size of its operands";
    return failure();
  }
  Operation *def = value.getDefiningOp();
  if (!def || !(isClonedIntoKernels(def) ||
                isa<arith::ArithDialect>(def->getDialect()))) {
    reason = "an operand that is not a tensor cannot enter the kernel";
    return failure();
  }
  return cloneOp(body, def);
}

LogicalResult KernelBuilder::cloneOp(OpBuilder &body, Operation *op) {
  for (Value operand : op->getOperands())
    if (failed(materialize(body, operand)))
      return failure();
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (failed(materialize(body, value)))
      return failure();
  body.clone(*op, mapping);
  return success();
}

void KernelBuilder::nameDimensions() {
  llvm::MapVector<AffineExpr, FlatSymbolRefAttr> names;
  MLIRContext *context = builder.getContext();
  unsigned index = 0;
  auto name = [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<Attribute> shape;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      if (!type.isDynamicDim(i)) {
        shape.push_back(builder.getI64IntegerAttr(type.getDimSize(i)));
        continue;
      }
      AffineExpr expr = shapes.getSize(value, i);
      auto [it, isNew] = names.insert({expr, {}});
      if (isNew) {
        it->second = FlatSymbolRefAttr::get(
            context, ("d" + Twine(names.size() - 1)).str());
        homes[expr] = {index, i};
      }
      shape.push_back(it->second);
    }
    if (!type.hasStaticShape())
      out.kernel.setArgAttr(index, kernel::kShapeAttrName,
                            builder.getArrayAttr(shape));
    ++index;
  };
  for (Value input : out.inputs)
    name(input);
  for (Value result : out.results)
    name(result);
}

FailureOr<OutlinedKernel> KernelBuilder::build(StringRef name) {
  collectBoundary();
  SmallVector<Type> arguments, results;
  for (Value input : out.inputs)
    arguments.push_back(getBufferType(input.getType()));
  for (Value result : out.results) {
    arguments.push_back(getBufferType(result.getType()));
    results.push_back(arguments.back());
  }
  SmallVector<Location> locs;
  for (Operation *op : group)
    locs.push_back(op->getLoc());
  out.kernel =
      kernel::FuncOp::create(builder, builder.getFusedLoc(locs), name,
                             builder.getFunctionType(arguments, results));
  nameDimensions();

  Block &block = out.kernel.getBody().front();
  OpBuilder body = OpBuilder::atBlockEnd(&block);
  auto abandon = [&]() -> FailureOr<OutlinedKernel> {
    // The kernel has no terminator yet, and nobody has seen it.
    block.dropAllDefinedValueUses();
    out.kernel.erase();
    return failure();
  };
  for (auto [input, argument] : llvm::zip(out.inputs, block.getArguments())) {
    Value value = argument;
    if (input.getType() != argument.getType())
      value = bytesToBooleans(body, input.getLoc(), argument);
    mapping.map(input, value);
  }
  // A result that fills an empty tensor of its own fills its destination.
  for (auto [i, result] : llvm::enumerate(out.results)) {
    if (Value updated = out.updated.lookup(result)) {
      if (mapping.contains(updated) ||
          updated.getType() != out.kernel.getDestination(i).getType()) {
        reason = "it reads elsewhere what it overwrites in part";
        return abandon();
      }
      mapping.map(updated, out.kernel.getDestination(i));
      continue;
    }
    auto dps = dyn_cast<DestinationStyleOpInterface>(result.getDefiningOp());
    if (!dps)
      continue;
    Value init = dps.getDpsInits()[cast<OpResult>(result).getResultNumber()];
    if (init.getDefiningOp<tensor::EmptyOp>() && !mapping.contains(init) &&
        init.getType() == out.kernel.getDestination(i).getType())
      mapping.map(init, out.kernel.getDestination(i));
  }
  for (Operation *op : group)
    if (failed(cloneOp(body, op)))
      return abandon();
  SmallVector<Value> returned;
  for (auto [result, type] : llvm::zip(out.results, results)) {
    Value value = mapping.lookup(result);
    if (value.getType() != type)
      value = booleansToBytes(body, result.getLoc(), value);
    returned.push_back(value);
  }
  kernel::ReturnOp::create(body, out.kernel.getLoc(), returned);
  return out;
}

FailureOr<OutlinedKernel> ourc::outlineKernel(OpBuilder &builder,
                                              const OperationGroup &group,
                                              StringRef name,
                                              SymbolicShapes &shapes,
                                              std::string *reason) {
  KernelBuilder kernel(builder, group, shapes);
  FailureOr<OutlinedKernel> outlined = kernel.build(name);
  if (failed(outlined) && reason)
    *reason = kernel.reason;
  return outlined;
}

kernel::LaunchOp ourc::replaceByLaunch(OpBuilder &builder,
                                       OutlinedKernel outlined,
                                       SymbolicShapes &shapes,
                                       IRMapping &replaced) {
  Location loc = outlined.kernel.getLoc();
  SmallVector<Value> inputs, destinations;
  SmallVector<Type> types;
  for (Value input : outlined.inputs)
    inputs.push_back(replaced.lookupOrDefault(input));
  for (Value result : outlined.results) {
    RankedTensorType type = getBufferType(result.getType());
    types.push_back(type);
    if (Value updated = outlined.updated.lookup(result)) {
      destinations.push_back(replaced.lookupOrDefault(updated));
      continue;
    }
    destinations.push_back(tensor::EmptyOp::create(
        builder, loc, type,
        shapes.materializeDynamicSizes(builder, loc, result)));
  }
  auto launch = kernel::LaunchOp::create(
      builder, loc, types, outlined.kernel.getSymName(), inputs, destinations,
      /*workspace=*/Value());
  for (auto [result, replacement] :
       llvm::zip(outlined.results, launch.getResults())) {
    replaced.map(result, replacement);
    // Other groups still read the old value until they are replaced as well.
    result.replaceUsesWithIf(replacement, [](OpOperand &use) {
      return isView(use.getOwner()) ||
             use.getOwner()->hasTrait<OpTrait::IsTerminator>() ||
             isa<kernel::LaunchOp>(use.getOwner());
    });
  }
  return launch;
}
