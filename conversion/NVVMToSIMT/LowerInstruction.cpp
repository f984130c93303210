//===- LowerInstruction.cpp - One NVVM operation as calls --------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/NVVMToSIMT/SimtRuntime.h"
#include "runtime/simt/SimtOps.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ourc::simt;

namespace {

/// Lowers the operation that it was made for.
class InstructionLowering {
public:
  InstructionLowering(Operation *op, RuntimeCalls &runtime, Value scratch,
                      const BufferRoots &roots)
      : op(op), runtime(runtime), scratch(scratch), roots(roots), builder(op),
        loc(op->getLoc()), i32(builder.getI32Type()) {}

  LogicalResult lower() {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<NVVM::ThreadIdXOp>([&](auto) { return special("tid", 0); })
        .Case<NVVM::ThreadIdYOp>([&](auto) { return special("tid", 1); })
        .Case<NVVM::ThreadIdZOp>([&](auto) { return special("tid", 2); })
        .Case<NVVM::BlockDimXOp>([&](auto) { return special("ntid", 0); })
        .Case<NVVM::BlockDimYOp>([&](auto) { return special("ntid", 1); })
        .Case<NVVM::BlockDimZOp>([&](auto) { return special("ntid", 2); })
        .Case<NVVM::BlockIdXOp>([&](auto) { return special("ctaid", 0); })
        .Case<NVVM::BlockIdYOp>([&](auto) { return special("ctaid", 1); })
        .Case<NVVM::BlockIdZOp>([&](auto) { return special("ctaid", 2); })
        .Case<NVVM::GridDimXOp>([&](auto) { return special("nctaid", 0); })
        .Case<NVVM::GridDimYOp>([&](auto) { return special("nctaid", 1); })
        .Case<NVVM::GridDimZOp>([&](auto) { return special("nctaid", 2); })
        .Case<NVVM::LaneIdOp>([&](auto) { return special("laneid"); })
        .Case<NVVM::WarpIdOp>([&](auto) { return special("warpid"); })
        .Case<NVVM::WarpSizeOp>([&](auto) { return replace(i32Constant(32)); })
        .Case<NVVM::Barrier0Op>([&](auto) {
          call("barrier", {}, {site(), i32Constant(0), i32Constant(0)});
          return replace({});
        })
        .Case<NVVM::MembarOp>([&](NVVM::MembarOp membar) {
          call("fence", {},
               {i32Constant(membar.getScope() == NVVM::MemScopeKind::CTA
                                ? OURC_SIMT_SCOPE_BLOCK
                                : 0)});
          return replace({});
        })
        .Case<NVVM::BarrierArriveOp>([&](NVVM::BarrierArriveOp arrive) {
          Value id = arrive.getBarrierId();
          call("barrier_arrive", {},
               {site(), id ? id : i32Constant(0), arrive.getNumberOfThreads()});
          return replace({});
        })
        .Case<NVVM::MBarrierInitOp>([&](NVVM::MBarrierInitOp init) {
          if (init.getPredicate())
            return unsupported("with a predicate");
          call("mbarrier_init", {}, {site(), init.getAddr(), init.getCount()});
          return replace({});
        })
        .Case<NVVM::MBarrierInvalOp>([&](NVVM::MBarrierInvalOp inval) {
          call("mbarrier_inval", {}, {site(), inval.getAddr()});
          return replace({});
        })
        .Case<NVVM::MBarrierArriveOp>([&](NVVM::MBarrierArriveOp arrive) {
          if (arrive.getRelaxed())
            return unsupported("that is relaxed");
          Value count = arrive.getCount();
          return arriveAtMBarrier(
              arrive.getAddr(), count ? count : i32Constant(1), i32Constant(0));
        })
        .Case<NVVM::MBarrierArriveNocompleteOp>(
            [&](NVVM::MBarrierArriveNocompleteOp arrive) {
              return arriveAtMBarrier(arrive.getAddr(), arrive.getCount(),
                                      i32Constant(0));
            })
        .Case<NVVM::MBarrierTestWaitOp>([&](NVVM::MBarrierTestWaitOp test) {
          if (test.getRelaxed())
            return unsupported("that is relaxed");
          return testMBarrier(test.getAddr(), test.getStateOrPhase());
        })
        .Case<NVVM::MBarrierTryWaitOp>([&](NVVM::MBarrierTryWaitOp test) {
          if (test.getRelaxed())
            return unsupported("that is relaxed");
          return testMBarrier(test.getAddr(), test.getStateOrPhase());
        })
        .Case<NVVM::MBarrierTryWaitParityOp>(
            [&](NVVM::MBarrierTryWaitParityOp wait) {
              call("mbarrier_wait", {},
                   {site(), wait.getAddr(), wait.getPhase()});
              return replace({});
            })
        .Case<NVVM::CpAsyncMBarrierArriveOp>(
            [&](NVVM::CpAsyncMBarrierArriveOp arrive) {
              call("cp_async_mbarrier", {},
                   {site(), arrive.getAddr(), i32Constant(arrive.getNoinc())});
              return replace({});
            })
        .Case<NVVM::ConvertFloatToTF32Op>(
            [&](auto convert) { return lowerOp(convert); })
        .Case<NVVM::CpAsyncCommitGroupOp>([&](auto) {
          call("cp_async_commit", {}, {});
          return replace({});
        })
        .Case<NVVM::CpAsyncWaitGroupOp>([&](NVVM::CpAsyncWaitGroupOp wait) {
          call("cp_async_wait", {}, {i32Constant(wait.getN())});
          return replace({});
        })
        .Case<NVVM::SyncWarpOp>([&](NVVM::SyncWarpOp sync) {
          call("syncwarp", {}, {site(), sync.getMask()});
          return replace({});
        })
        .Case<NVVM::BarrierOp, NVVM::ShflOp, NVVM::VoteSyncOp, NVVM::CpAsyncOp,
              NVVM::LdMatrixOp, NVVM::StMatrixOp, NVVM::MmaOp>(
            [&](auto typed) { return lowerOp(typed); })
        .Default([](Operation *other) {
          return other->emitOpError(
              "is not an instruction of the SIMT machine");
        });
  }

private:
  Value i32Constant(int64_t value) {
    return RuntimeCalls::constant(builder, loc, static_cast<int32_t>(value));
  }
  Value site() { return runtime.getSite(builder, op); }

  Value call(StringRef name, Type result, ValueRange arguments) {
    return runtime.call(builder, loc, ("ourc_simt_" + name).str(), result,
                        arguments);
  }

  LogicalResult replace(Value value) {
    if (op->getNumResults())
      op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return success();
  }

  LogicalResult unsupported(StringRef what) {
    return op->emitOpError(what) << " is not an instruction of the SIMT "
                                    "machine";
  }

  LogicalResult arriveAtMBarrier(Value address, Value count, Value bytes) {
    Value state = call("mbarrier_arrive", builder.getI64Type(),
                       {site(), address, count, bytes});
    return replace(state);
  }

  LogicalResult testMBarrier(Value address, Value stateOrPhase) {
    bool isParity = stateOrPhase.getType() == i32;
    if (isParity)
      stateOrPhase = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(),
                                          stateOrPhase);
    Value done = call("mbarrier_test", i32,
                      {site(), address, stateOrPhase, i32Constant(isParity)});
    return replace(
        LLVM::TruncOp::create(builder, loc, builder.getI1Type(), done));
  }

  /// cvt.rna.tf32.f32: the nearest, ties away from zero; NaN and infinities
  /// stay.
  LogicalResult lowerOp(NVVM::ConvertFloatToTF32Op convert) {
    if (convert.getRnd() != NVVM::FPRoundingMode::RNA || convert.getRelu())
      return unsupported("of this rounding");
    Value in = bits(convert.getSrc());
    Value up = LLVM::AddOp::create(builder, loc, in, i32Constant(0x1000));
    Value exponent =
        LLVM::AndOp::create(builder, loc, in, i32Constant(0x7f800000));
    Value special = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                         exponent, i32Constant(0x7f800000));
    Value chosen = LLVM::SelectOp::create(builder, loc, special, in, up);
    return replace(LLVM::AndOp::create(
        builder, loc, chosen,
        i32Constant(static_cast<int64_t>(static_cast<int32_t>(0xffffe000)))));
  }

  LogicalResult special(StringRef name) { return replace(call(name, i32, {})); }
  LogicalResult special(StringRef name, int dim) {
    return replace(call(name, i32, {i32Constant(dim)}));
  }

  /// The operand as 32 bits.
  Value bits(Value value) {
    if (value.getType() == i32)
      return value;
    return LLVM::BitcastOp::create(builder, loc, i32, value);
  }

  Value scratchAt(int64_t index) {
    if (index == 0)
      return scratch;
    return LLVM::GEPOp::create(
        builder, loc, scratch.getType(), i32, scratch,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
  }

  void storeScratch(ValueRange values) {
    for (auto [i, value] : llvm::enumerate(values))
      LLVM::StoreOp::create(builder, loc, value,
                            scratchAt(static_cast<int64_t>(i)));
  }

  /// The results that a call left in scratch memory, as the operation's type.
  Value loadScratch() {
    return LLVM::LoadOp::create(builder, loc, op->getResult(0).getType(),
                                scratch);
  }

  LogicalResult lowerOp(NVVM::BarrierOp barrier) {
    if (barrier.getReductionOp())
      return op->emitOpError("with a reduction is not an instruction of the "
                             "SIMT machine");
    Value id = barrier.getBarrierId(), threads = barrier.getNumberOfThreads();
    call(
        "barrier", {},
        {site(), id ? id : i32Constant(0), threads ? threads : i32Constant(0)});
    return replace({});
  }

  LogicalResult lowerOp(NVVM::ShflOp shfl) {
    auto kind = [&] {
      switch (shfl.getKind()) {
      case NVVM::ShflKind::up:
        return OURC_SIMT_SHFL_UP;
      case NVVM::ShflKind::down:
        return OURC_SIMT_SHFL_DOWN;
      case NVVM::ShflKind::bfly:
        return OURC_SIMT_SHFL_BFLY;
      case NVVM::ShflKind::idx:
        return OURC_SIMT_SHFL_IDX;
      }
      llvm_unreachable("unknown kind of shuffle");
    }();
    bool wantsPredicate = shfl.getReturnValueAndIsValid().value_or(false);
    Value valid =
        wantsPredicate
            ? scratch
            : Value(LLVM::ZeroOp::create(builder, loc, scratch.getType()));
    Value result = call("shfl", i32,
                        {site(), i32Constant(kind), shfl.getThreadMask(),
                         bits(shfl.getVal()), shfl.getOffset(),
                         shfl.getMaskAndClamp(), valid});
    Type valueType = shfl.getVal().getType();
    if (valueType != i32)
      result = LLVM::BitcastOp::create(builder, loc, valueType, result);
    if (!wantsPredicate)
      return replace(result);
    Value flag = LLVM::LoadOp::create(builder, loc, i32, scratch);
    flag = LLVM::TruncOp::create(builder, loc, builder.getI1Type(), flag);
    Value pair = LLVM::UndefOp::create(builder, loc, shfl.getType());
    pair = LLVM::InsertValueOp::create(builder, loc, pair, result,
                                       ArrayRef<int64_t>{0});
    pair = LLVM::InsertValueOp::create(builder, loc, pair, flag,
                                       ArrayRef<int64_t>{1});
    return replace(pair);
  }

  LogicalResult lowerOp(NVVM::VoteSyncOp vote) {
    auto kind = [&] {
      switch (vote.getKind()) {
      case NVVM::VoteSyncKind::any:
        return OURC_SIMT_VOTE_ANY;
      case NVVM::VoteSyncKind::all:
        return OURC_SIMT_VOTE_ALL;
      case NVVM::VoteSyncKind::ballot:
        return OURC_SIMT_VOTE_BALLOT;
      case NVVM::VoteSyncKind::uni:
        return OURC_SIMT_VOTE_UNI;
      }
      llvm_unreachable("unknown kind of vote");
    }();
    Value predicate = LLVM::ZExtOp::create(builder, loc, i32, vote.getPred());
    Value result = call("vote", i32,
                        {site(), i32Constant(kind), vote.getMask(), predicate});
    if (vote.getType() != i32)
      result = LLVM::TruncOp::create(builder, loc, vote.getType(), result);
    return replace(result);
  }

  LogicalResult lowerOp(NVVM::CpAsyncOp copy) {
    Value bytes = i32Constant(copy.getSize());
    call("cp_async", {},
         {site(), copy.getDst(), copy.getSrc(), bytes,
          copy.getCpSize() ? copy.getCpSize() : bytes,
          i32Constant(roots.find(copy.getSrc()))});
    return replace({});
  }

  /// Only 8x8 matrices of 16-bit elements exist.
  template <typename MatrixOp> LogicalResult checkMatrix(MatrixOp matrix) {
    if (matrix.getShape().getM() != 8 || matrix.getShape().getN() != 8 ||
        matrix.getEltType() != NVVM::LdStMatrixEltType::B16)
      return op->emitOpError("of this shape is not an instruction of the SIMT "
                             "machine: 8x8 matrices of b16 are");
    return success();
  }

  static bool isTransposed(NVVM::MMALayout layout) {
    return layout == NVVM::MMALayout::col;
  }

  LogicalResult lowerOp(NVVM::LdMatrixOp load) {
    if (failed(checkMatrix(load)))
      return failure();
    call("ldmatrix", {},
         {site(), scratch, load.getPtr(), i32Constant(load.getNum()),
          i32Constant(isTransposed(load.getLayout()))});
    return replace(loadScratch());
  }

  LogicalResult lowerOp(NVVM::StMatrixOp store) {
    if (failed(checkMatrix(store)))
      return failure();
    storeScratch(store.getSources());
    call("stmatrix", {},
         {site(), store.getPtr(), scratch,
          i32Constant(static_cast<int64_t>(store.getSources().size())),
          i32Constant(isTransposed(store.getLayout()))});
    return replace({});
  }

  /// The form of an mma that the machine has.
  static std::optional<int> getForm(NVVM::MmaOp mma) {
    using T = NVVM::MMATypes;
    static const struct {
      int form;
      int64_t m, n, k;
      T multiplicand, accumulator;
    } forms[] = {
        {OURC_SIMT_MMA_M16N8K16_F16_F32, 16, 8, 16, T::f16, T::f32},
        {OURC_SIMT_MMA_M16N8K16_BF16_F32, 16, 8, 16, T::bf16, T::f32},
        {OURC_SIMT_MMA_M16N8K8_F16_F32, 16, 8, 8, T::f16, T::f32},
        {OURC_SIMT_MMA_M16N8K8_BF16_F32, 16, 8, 8, T::bf16, T::f32},
        {OURC_SIMT_MMA_M16N8K4_TF32_F32, 16, 8, 4, T::tf32, T::f32},
        {OURC_SIMT_MMA_M16N8K8_TF32_F32, 16, 8, 8, T::tf32, T::f32},
        {OURC_SIMT_MMA_M16N8K16_F16_F16, 16, 8, 16, T::f16, T::f16},
        {OURC_SIMT_MMA_M16N8K8_F16_F16, 16, 8, 8, T::f16, T::f16},
        {OURC_SIMT_MMA_M16N8K32_S8_S32, 16, 8, 32, T::s8, T::s32},
        {OURC_SIMT_MMA_M16N8K32_U8_S32, 16, 8, 32, T::u8, T::s32},
        {OURC_SIMT_MMA_M16N8K16_S8_S32, 16, 8, 16, T::s8, T::s32},
        {OURC_SIMT_MMA_M16N8K16_U8_S32, 16, 8, 16, T::u8, T::s32},
        {OURC_SIMT_MMA_M8N8K4_F64_F64, 8, 8, 4, T::f64, T::f64},
    };
    auto shape = mma.getShape();
    if (mma.getLayoutA() != NVVM::MMALayout::row ||
        mma.getLayoutB() != NVVM::MMALayout::col ||
        mma.getMultiplicandAPtxType() != mma.getMultiplicandBPtxType() ||
        mma.accumPtxType() != mma.resultPtxType() || mma.getB1Op() ||
        mma.getIntOverflowBehavior().value_or(NVVM::MMAIntOverflow::wrapped) !=
            NVVM::MMAIntOverflow::wrapped)
      return std::nullopt;
    for (const auto &form : forms)
      if (form.m == shape.getM() && form.n == shape.getN() &&
          form.k == shape.getK() &&
          form.multiplicand == mma.getMultiplicandAPtxType() &&
          form.accumulator == mma.accumPtxType())
        return form.form;
    return std::nullopt;
  }

  LogicalResult lowerOp(NVVM::MmaOp mma) {
    std::optional<int> form = getForm(mma);
    if (!form)
      return unsupported("of this shape and type");
    SmallVector<Value> registers(mma.getOperandA());
    llvm::append_range(registers, mma.getOperandB());
    llvm::append_range(registers, mma.getOperandC());
    // One after the other, each as wide as it is.
    int64_t offset = 0;
    DataLayout data = DataLayout::closest(op);
    for (Value value : registers) {
      LLVM::StoreOp::create(builder, loc, value, scratchAt(offset / 4));
      offset += static_cast<int64_t>(data.getTypeSize(value.getType()));
    }
    call("mma", {}, {site(), i32Constant(*form), scratch});
    return replace(loadScratch());
  }

  Operation *op;
  RuntimeCalls &runtime;
  Value scratch;
  const BufferRoots &roots;
  OpBuilder builder;
  Location loc;
  Type i32;
};

} // namespace

LogicalResult ourc::simt::lowerInstruction(Operation *op, RuntimeCalls &runtime,
                                           Value scratch,
                                           const BufferRoots &roots) {
  return InstructionLowering(op, runtime, scratch, roots).lower();
}
