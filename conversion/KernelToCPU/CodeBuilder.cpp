//===- CodeBuilder.cpp - Short forms for what emitters write --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/KernelToCPU/CodeBuilder.h"
#include "conversion/common/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

std::optional<int64_t> CodeBuilder::getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

template <typename Op, typename Fold>
Value CodeBuilder::arith(Value lhs, Value rhs, Fold fold) {
  std::optional<int64_t> l = getConstant(lhs), r = getConstant(rhs);
  if (l && r)
    return constant(fold(*l, *r));
  return Op::create(builder, loc, lhs, rhs);
}

Value CodeBuilder::add(Value lhs, Value rhs) {
  if (getConstant(lhs) == 0)
    return rhs;
  if (getConstant(rhs) == 0)
    return lhs;
  return arith<arith::AddIOp>(lhs, rhs,
                              [](int64_t a, int64_t b) { return a + b; });
}

Value CodeBuilder::sub(Value lhs, Value rhs) {
  if (getConstant(rhs) == 0)
    return lhs;
  return arith<arith::SubIOp>(lhs, rhs,
                              [](int64_t a, int64_t b) { return a - b; });
}

Value CodeBuilder::mul(Value lhs, Value rhs) {
  if (getConstant(lhs) == 1)
    return rhs;
  if (getConstant(rhs) == 1)
    return lhs;
  if (getConstant(lhs) == 0 || getConstant(rhs) == 0)
    return constant(0);
  return arith<arith::MulIOp>(lhs, rhs,
                              [](int64_t a, int64_t b) { return a * b; });
}

Value CodeBuilder::min(Value lhs, Value rhs) {
  return arith<arith::MinSIOp>(
      lhs, rhs, [](int64_t a, int64_t b) { return std::min(a, b); });
}

Value CodeBuilder::max(Value lhs, Value rhs) {
  return arith<arith::MaxSIOp>(
      lhs, rhs, [](int64_t a, int64_t b) { return std::max(a, b); });
}

Value CodeBuilder::div(Value lhs, Value rhs) {
  if (getConstant(rhs) == 1)
    return lhs;
  return arith<arith::DivUIOp>(lhs, rhs,
                               [](int64_t a, int64_t b) { return a / b; });
}

Value CodeBuilder::rem(Value lhs, Value rhs) {
  if (getConstant(rhs) == 1)
    return constant(0);
  return arith<arith::RemUIOp>(lhs, rhs,
                               [](int64_t a, int64_t b) { return a % b; });
}

Value CodeBuilder::ceilDiv(Value lhs, Value rhs) {
  return div(add(lhs, sub(rhs, constant(1))), rhs);
}

Value CodeBuilder::less(Value lhs, Value rhs) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lhs,
                               rhs);
}

Value CodeBuilder::product(const Product &product) {
  Value result = constant(product.constant);
  if (product.isZero())
    return result;
  for (const Product::Factor &factor : product.factors)
    result = mul(result, factor.dim < 0 ? abi.getIndex(factor.value)
                                        : abi.getDim(factor.value, factor.dim));
  return result;
}

Value CodeBuilder::product(ArrayRef<Value> values) {
  Value result = constant(1);
  for (Value value : values)
    result = mul(result, value);
  return result;
}

SmallVector<Value> CodeBuilder::delinearize(Value index,
                                            ArrayRef<Value> sizes) {
  SmallVector<Value> parts(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    parts[i] = i == 0 ? index : rem(index, sizes[i]);
    if (i != 0)
      index = div(index, sizes[i]);
  }
  return parts;
}

Value CodeBuilder::grain(Value work) {
  return add(div(constant(1000000), max(work, constant(1))), constant(1));
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

Value CodeBuilder::broadcast(Value scalar) {
  return vector::BroadcastOp::create(builder, loc, vectorOf(scalar.getType()),
                                     scalar);
}

Value CodeBuilder::splat(TypedAttr value) {
  return abi.getConstant(
      DenseElementsAttr::get(vectorOf(value.getType()), Attribute(value)));
}

Value CodeBuilder::zero(Type element) {
  return splat(builder.getZeroAttr(element));
}

Value CodeBuilder::mask(int64_t count) {
  if (count >= lanes)
    return {};
  SmallVector<bool> on(lanes, false);
  std::fill_n(on.begin(), count, true);
  return abi.getConstant(
      DenseElementsAttr::get(vectorOf(builder.getI1Type()), on));
}

Value CodeBuilder::mask(Value count) {
  if (std::optional<int64_t> known = getConstant(count))
    return mask(std::clamp<int64_t>(*known, 0, lanes));
  Value clamped = min(max(count, constant(0)), constant(lanes));
  Value narrow =
      arith::TruncIOp::create(builder, loc, builder.getI32Type(), clamped);
  SmallVector<int32_t> numbers(lanes);
  std::iota(numbers.begin(), numbers.end(), 0);
  Value steps = abi.getConstant(DenseElementsAttr::get(
      vectorOf(builder.getI32Type()), ArrayRef<int32_t>(numbers)));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, steps,
                               broadcast(narrow));
}

Value CodeBuilder::allLanes() {
  return abi.getConstant(
      DenseElementsAttr::get(vectorOf(builder.getI1Type()), true));
}

Value CodeBuilder::laneNumbers() {
  SmallVector<int64_t> numbers(lanes);
  std::iota(numbers.begin(), numbers.end(), 0);
  return abi.getConstant(DenseElementsAttr::get(vectorOf(builder.getI64Type()),
                                                ArrayRef<int64_t>(numbers)));
}

Value CodeBuilder::convert(Value value, Type element, bool isUnsigned) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(element);
  unsigned fromBits = from.getIntOrFloatBitWidth();
  unsigned toBits = element.getIntOrFloatBitWidth();
  if (isa<FloatType>(element)) {
    if (fromBits < 32)
      return convert(emitToF32(builder, loc, value), element);
    if (toBits < 32)
      return emitFromF32(builder, loc, convert(value, builder.getF32Type()),
                         element);
    if (fromBits < toBits)
      return arith::ExtFOp::create(builder, loc, type, value);
    return arith::TruncFOp::create(builder, loc, type, value);
  }
  if (fromBits > toBits)
    return arith::TruncIOp::create(builder, loc, type, value);
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, loc, type, value);
  return arith::ExtSIOp::create(builder, loc, type, value);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static unsigned getAlignment(Type element) {
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

Value CodeBuilder::address(Value pointer, Value elements, Type type) {
  if (std::optional<int64_t> known = getConstant(elements))
    return address(pointer, *known, type);
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), type, pointer,
                             ArrayRef<LLVM::GEPArg>{elements});
}

Value CodeBuilder::address(Value pointer, int64_t elements, Type type) {
  if (elements == 0)
    return pointer;
  // A GEP's constant index has 32 bits.
  LLVM::GEPArg index = static_cast<int32_t>(elements);
  if (!llvm::isInt<32>(elements))
    index = constant(elements);
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), type, pointer,
                             ArrayRef<LLVM::GEPArg>{index});
}

/// What `element` is in memory. f16 and bf16 move as integers: where a machine
/// has no vectors of them, LLVM would convert each element there and back.
static Type getStorageType(Type element) {
  if (element.isF16() || element.isBF16())
    return IntegerType::get(element.getContext(), 16);
  return element;
}

/// The same bits as elements of another type.
static Value castElements(CodeBuilder &code, Value value, Type element) {
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(element);
  if (type == value.getType())
    return value;
  return arith::BitcastOp::create(code.builder, code.loc, type, value);
}

Value CodeBuilder::forget(Value pointer) {
  return LLVM::InlineAsmOp::create(
             builder, loc, pointer.getType(), pointer, /*asm_string=*/"",
             /*constraints=*/"=r,0", /*has_side_effects=*/false,
             /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
             LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

void CodeBuilder::fence() {
  LLVM::InlineAsmOp::create(
      builder, loc, Type(), ValueRange(), /*asm_string=*/"",
      /*constraints=*/"", /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
      ArrayAttr());
}

Value CodeBuilder::load(Value pointer, Type type) {
  Value bits = LLVM::LoadOp::create(builder, loc, getStorageType(type), pointer,
                                    getAlignment(type));
  return castElements(*this, bits, type);
}

void CodeBuilder::store(Value value, Value pointer) {
  Type type = value.getType();
  LLVM::StoreOp::create(builder, loc,
                        castElements(*this, value, getStorageType(type)),
                        pointer, getAlignment(type));
}

Value CodeBuilder::loadVector(Value pointer, Type element, Value mask) {
  Type storage = getStorageType(element);
  Value bits;
  if (mask)
    bits =
        LLVM::MaskedLoadOp::create(builder, loc, vectorOf(storage), pointer,
                                   mask, zero(storage), getAlignment(element));
  else
    bits = LLVM::LoadOp::create(builder, loc, vectorOf(storage), pointer,
                                getAlignment(element));
  return castElements(*this, bits, element);
}

void CodeBuilder::storeVector(Value vector, Value pointer, Value mask) {
  Type element = getElementTypeOrSelf(vector.getType());
  Value bits = castElements(*this, vector, getStorageType(element));
  if (mask)
    LLVM::MaskedStoreOp::create(builder, loc, bits, pointer, mask,
                                getAlignment(element));
  else
    LLVM::StoreOp::create(builder, loc, bits, pointer, getAlignment(element));
}

/// The addresses of all lanes.
static Value getLaneAddresses(CodeBuilder &code, Value pointer, Type element,
                              Value stride) {
  Value offsets = arith::MulIOp::create(
      code.builder, code.loc, code.laneNumbers(), code.broadcast(stride));
  Type pointers = VectorType::get({code.lanes}, pointer.getType());
  return LLVM::GEPOp::create(code.builder, code.loc, pointers, element, pointer,
                             ArrayRef<LLVM::GEPArg>{offsets});
}

Value CodeBuilder::loadStrided(Value pointer, Type element, Value stride,
                               Value mask) {
  if (getConstant(stride) == 1)
    return loadVector(pointer, element, mask);
  Type storage = getStorageType(element);
  Value bits = LLVM::masked_gather::create(
      builder, loc, vectorOf(storage),
      getLaneAddresses(*this, pointer, storage, stride),
      mask ? mask : allLanes(), ValueRange{zero(storage)},
      getAlignment(element));
  return castElements(*this, bits, element);
}

void CodeBuilder::storeStrided(Value vector, Value pointer, Value stride,
                               Value mask) {
  if (getConstant(stride) == 1)
    return storeVector(vector, pointer, mask);
  Type element = getElementTypeOrSelf(vector.getType());
  Type storage = getStorageType(element);
  LLVM::masked_scatter::create(
      builder, loc, castElements(*this, vector, storage),
      getLaneAddresses(*this, pointer, storage, stride),
      mask ? mask : allLanes(), getAlignment(element));
}

Value CodeBuilder::stack(Type element, int64_t elements) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto function = dyn_cast<func::FuncOp>(parent);
  if (!function)
    function = parent->getParentOfType<func::FuncOp>();
  OpBuilder top = OpBuilder::atBlockBegin(&function.getBody().front());
  Value count = arith::ConstantIntOp::create(top, loc, elements, 64);
  return LLVM::AllocaOp::create(
      top, loc, LLVM::LLVMPointerType::get(builder.getContext()), element,
      count, 64);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

SmallVector<Value> CodeBuilder::loop(Value begin, Value end, int64_t step,
                                     ValueRange carried, CarryingBody body) {
  auto loop =
      scf::ForOp::create(builder, loc, begin, end, constant(step), carried);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = loop.getBody();
  // Without carried values the loop comes with its terminator.
  if (carried.empty())
    block->getTerminator()->erase();
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, loc, next);
  return SmallVector<Value>(loop.getResults());
}

void CodeBuilder::loop(Value begin, Value end, int64_t step, LoopBody body) {
  std::optional<int64_t> b = getConstant(begin), e = getConstant(end);
  if (b && e && *e - *b <= step) {
    if (*b < *e)
      body(begin);
    return;
  }
  loop(begin, end, step, ValueRange{},
       [&](Value iv, ValueRange) -> SmallVector<Value> {
         body(iv);
         return {};
       });
}

void CodeBuilder::equalTiles(Value rows, int64_t most,
                             function_ref<void(Value, int64_t)> body) {
  Value zero = constant(0), one = constant(1);
  if (std::optional<int64_t> known = getConstant(rows)) {
    if (*known == 0)
      return;
    int64_t tiles = llvm::divideCeil(*known, most);
    int64_t least = *known / tiles, larger = *known % tiles;
    auto run = [&](int64_t first, int64_t count, int64_t size) {
      loop(zero, constant(count), 1, [&](Value t) {
        body(add(constant(first), mul(t, constant(size))), size);
      });
    };
    run(0, larger, least + 1);
    run(larger * (least + 1), tiles - larger, least);
    return;
  }
  Value tiles = max(ceilDiv(rows, constant(most)), one);
  Value least = div(rows, tiles), larger = rem(rows, tiles);
  loop(zero, tiles, 1, [&](Value t) {
    Value isLarger = arith::ExtUIOp::create(builder, loc, builder.getI64Type(),
                                            less(t, larger));
    Value size = add(least, isLarger);
    Value first = add(mul(t, least), min(t, larger));
    Value index =
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), size);
    auto cases = llvm::to_vector(llvm::seq_inclusive<int64_t>(1, most));
    auto choice = scf::IndexSwitchOp::create(builder, loc, TypeRange{}, index,
                                             cases, most);
    OpBuilder::InsertionGuard guard(builder);
    for (int64_t sizeNow : cases) {
      builder.setInsertionPointToStart(
          &choice.getCaseRegions()[sizeNow - 1].emplaceBlock());
      body(first, sizeNow);
      scf::YieldOp::create(builder, loc);
    }
    builder.setInsertionPointToStart(&choice.getDefaultRegion().emplaceBlock());
    scf::YieldOp::create(builder, loc);
  });
}

void CodeBuilder::branch(Value condition, function_ref<void()> then,
                         function_ref<void()> otherwise) {
  auto branch = scf::IfOp::create(builder, loc, condition,
                                  /*withElseRegion=*/bool(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  then();
  if (otherwise) {
    builder.setInsertionPointToStart(branch.elseBlock());
    otherwise();
  }
}
