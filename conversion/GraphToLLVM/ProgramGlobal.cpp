//===- ProgramGlobal.cpp - The constant that describes a program ----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion/GraphToLLVM/ProgramGlobal.h"

#include "conversion/GraphToLLVM/ProgramLayout.h"
#include "dialects/kernel/KernelDialect.h"
#include "dialects/ourc/OurcDialect.h"
#include "runtime/abi/ProgramABI.h"
#include "transforms/buffer/ProgramFunctions.h"

using namespace mlir;
using namespace ourc;

namespace {

/// Builds constants; each nested array or string is a global of its own.
class ConstantBuilder {
public:
  ConstantBuilder(ModuleOp module)
      : module(module), layout(module.getContext()), b(module.getContext()),
        loc(module.getLoc()) {}

  /// A global whose initial value is what `fill` returns.
  LLVM::GlobalOp global(StringRef name, Type type, LLVM::Linkage linkage,
                        llvm::function_ref<Value()> fill) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(module.getBody());
    auto op = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true, linkage,
                                     name, Attribute());
    b.createBlock(&op.getInitializer());
    LLVM::ReturnOp::create(b, loc, fill());
    return op;
  }

  /// The address of a string.
  Value string(StringRef text) {
    std::string bytes = text.str();
    bytes.push_back('\0');
    LLVM::GlobalOp op;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(module.getBody());
      auto type = LLVM::LLVMArrayType::get(layout.i8, bytes.size());
      op = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                  LLVM::Linkage::Internal, nextName(),
                                  b.getStringAttr(bytes));
    }
    return LLVM::AddressOfOp::create(b, loc, op);
  }

  /// The address of an array whose elements `element` builds; null when empty.
  Value array(Type type, size_t count,
              llvm::function_ref<Value(size_t)> element) {
    if (count == 0)
      return null();
    auto arrayType = LLVM::LLVMArrayType::get(type, count);
    LLVM::GlobalOp op =
        global(nextName(), arrayType, LLVM::Linkage::Internal, [&] {
          Value value = LLVM::UndefOp::create(b, loc, arrayType);
          for (size_t i = 0; i < count; ++i)
            value = LLVM::InsertValueOp::create(b, loc, value, element(i),
                                                static_cast<int64_t>(i));
          return value;
        });
    return LLVM::AddressOfOp::create(b, loc, op);
  }

  Value structure(LLVM::LLVMStructType type, ArrayRef<Value> fields) {
    assert(type.getBody().size() == fields.size() && "a value for each field");
    Value value = LLVM::UndefOp::create(b, loc, type);
    for (auto [i, field] : llvm::enumerate(fields))
      value = LLVM::InsertValueOp::create(b, loc, value, field,
                                          static_cast<int64_t>(i));
    return value;
  }

  Value i32(int64_t value) {
    return LLVM::ConstantOp::create(b, loc, layout.i32,
                                    b.getI32IntegerAttr(value));
  }
  Value i64(int64_t value) {
    return LLVM::ConstantOp::create(b, loc, layout.i64,
                                    b.getI64IntegerAttr(value));
  }
  Value null() { return LLVM::ZeroOp::create(b, loc, layout.ptr); }
  Value function(LLVM::LLVMFuncOp func) {
    if (!func)
      return null();
    return LLVM::AddressOfOp::create(b, loc, func);
  }

  /// The address of data of the runtime.
  Value external(StringRef name) {
    LLVM::GlobalOp op;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(module.getBody());
      op = LLVM::GlobalOp::create(b, loc, layout.i8, /*isConstant=*/true,
                                  LLVM::Linkage::External, name, Attribute());
    }
    return LLVM::AddressOfOp::create(b, loc, op);
  }

  ModuleOp module;
  ProgramLayout layout;
  OpBuilder b;
  Location loc;

private:
  std::string nextName() { return "ourc_data_" + std::to_string(count++); }
  unsigned count = 0;
};

} // namespace

static FailureOr<int32_t> dtypeOf(Type type, bool isUnsigned, bool isBoolean,
                                  Location loc) {
  if (type.isInteger(1) || isBoolean)
    return OURC_BOOL;
  if (type.isF64())
    return OURC_F64;
  if (type.isF32())
    return OURC_F32;
  if (type.isF16())
    return OURC_F16;
  if (type.isBF16())
    return OURC_BF16;
  if (type.isInteger(8))
    return isUnsigned ? OURC_U8 : OURC_I8;
  if (!isUnsigned && type.isInteger(64))
    return OURC_I64;
  if (!isUnsigned && type.isInteger(32))
    return OURC_I32;
  if (!isUnsigned && type.isInteger(16))
    return OURC_I16;
  return emitError(loc) << (isUnsigned ? "unsigned " : "") << type
                        << " cannot be passed to or from a program; use f64, "
                           "f32, f16, bf16, i64, i32, i16, i8, unsigned i8 or "
                           "i1";
}

/// What a description of one argument needs, found before constants are built.
struct Described {
  std::string name;
  int32_t dtype;
  SmallVector<OurcDim> dims;
  SmallVector<int64_t> layout;
  /// The input that a result is the memory of; -1: memory of its own.
  int32_t updates = -1;
};

static FailureOr<Described> describe(func::FuncOp main, BlockArgument arg,
                                     const llvm::StringMap<int64_t> &symbols) {
  unsigned number = arg.getArgNumber();
  Described out;
  for (StringRef key :
       {StringRef(kParameterAttrName), StringRef(kNameAttrName)})
    if (auto name = main.getArgAttrOfType<StringAttr>(number, key)) {
      out.name = name.getValue().str();
      break;
    }
  auto type = cast<MemRefType>(arg.getType());
  FailureOr<int32_t> dtype =
      dtypeOf(type.getElementType(),
              static_cast<bool>(main.getArgAttr(number, kUnsignedAttrName)),
              static_cast<bool>(main.getArgAttr(number, kBooleanAttrName)),
              arg.getLoc());
  if (failed(dtype))
    return failure();
  out.dtype = *dtype;
  auto shape = main.getArgAttrOfType<ArrayAttr>(number, kDestinationAttrName);
  if (!shape)
    shape = main.getArgAttrOfType<ArrayAttr>(number, kernel::kShapeAttrName);
  for (int64_t d = 0; d < type.getRank(); ++d) {
    OurcDim dim{OURC_DIM_STATIC, type.getDimSize(d)};
    if (shape) {
      Attribute entry = shape[d];
      if (auto symbol = dyn_cast<FlatSymbolRefAttr>(entry)) {
        auto found = symbols.find(symbol.getValue());
        if (found == symbols.end())
          return main.emitError("argument ")
                 << number << " names the symbol " << symbol
                 << ", which is not an ourc.symbol";
        dim = {static_cast<int32_t>(found->second), 0};
      } else if (auto size = cast<IntegerAttr>(entry);
                 size.getType().isIndex()) {
        dim = {OURC_DIM_COMPUTED, size.getInt()};
      } else {
        dim.size = size.getInt();
      }
    } else if (type.isDynamicDim(d)) {
      return main.emitError("argument ")
             << number << " has dynamic dimensions but no 'ourc.shape'";
    }
    out.dims.push_back(dim);
  }
  // The user's order, and where in memory each of its dimensions is.
  if (auto order =
          main.getArgAttrOfType<DenseI64ArrayAttr>(number, kUserDimsAttrName)) {
    llvm::append_range(out.layout, order.asArrayRef());
    SmallVector<OurcDim> inMemory = out.dims;
    for (auto [i, dim] : llvm::enumerate(out.layout))
      out.dims[dim] = inMemory[i];
  }
  return out;
}

static Value describeTensors(ConstantBuilder &c, ArrayRef<Described> tensors) {
  return c.array(c.layout.tensorDesc, tensors.size(), [&](size_t i) {
    const Described &tensor = tensors[i];
    Value dims = c.array(c.layout.dim, tensor.dims.size(), [&](size_t d) {
      return c.structure(c.layout.dim, {c.i32(tensor.dims[d].symbol),
                                        c.i64(tensor.dims[d].size)});
    });
    Value order = c.array(c.layout.i32, tensor.layout.size(),
                          [&](size_t d) { return c.i32(tensor.layout[d]); });
    return c.structure(c.layout.tensorDesc,
                       {c.string(tensor.name), c.i32(tensor.dtype),
                        c.i32(tensor.dims.size()), dims, order,
                        c.i32(tensor.updates)});
  });
}

LogicalResult ourc::emitProgramGlobal(ModuleOp module, func::FuncOp main,
                                      const ProgramSignature &signature,
                                      const GraphFunctions &functions,
                                      const ProgramFacts &facts) {
  llvm::StringMap<int64_t> numbers = programSymbolNumbers(module);
  SmallVector<Operation *> symbols = programSymbols(module);
  SmallVector<SmallVector<Described>> tensors;
  for (ArrayRef<BlockArgument> group :
       {ArrayRef(signature.inputs), ArrayRef(signature.parameters),
        ArrayRef(signature.prepared), ArrayRef(signature.results)}) {
    auto &list = tensors.emplace_back();
    for (BlockArgument arg : group) {
      FailureOr<Described> described = describe(main, arg, numbers);
      if (failed(described))
        return failure();
      list.push_back(*described);
    }
  }

  for (auto [described, arg] : llvm::zip(tensors.back(), signature.results)) {
    auto number = main.getArgAttrOfType<IntegerAttr>(arg.getArgNumber(),
                                                     kUpdatedArgAttrName);
    if (!number)
      continue;
    const auto *input = llvm::find_if(signature.inputs, [&](BlockArgument in) {
      return in.getArgNumber() == number.getInt();
    });
    if (input == signature.inputs.end())
      return main.emitError("argument ")
             << arg.getArgNumber() << ": '" << kUpdatedArgAttrName
             << "' names argument " << number.getInt()
             << ", which is not an input";
    described.updates = input - signature.inputs.begin();
  }

  ConstantBuilder c(module);
  c.global("ourc_program", c.layout.program, LLVM::Linkage::External, [&] {
    Value symbolArray = c.array(c.layout.symbol, symbols.size(), [&](size_t i) {
      auto symbol = cast<SymbolOp>(symbols[i]);
      return c.structure(c.layout.symbol,
                         {c.string(symbol.getSymName()), c.i64(symbol.getMin()),
                          c.i64(symbol.getMax()),
                          c.i64(symbol.getMultipleOf())});
    });
    Value buffers =
        c.array(c.layout.bufferDesc, signature.offsets.size(), [&](size_t i) {
          auto lifetime = main.getArgAttrOfType<DenseI64ArrayAttr>(
              signature.offsets[i].getArgNumber(), kLifetimeAttrName);
          return c.structure(c.layout.bufferDesc,
                             {c.i32(lifetime[0]), c.i32(lifetime[1])});
        });
    return c.structure(
        c.layout.program,
        {c.i32(OURC_ABI_VERSION),
         c.i32(0),
         c.string(facts.name),
         c.string(facts.target),
         c.i64(symbols.size()),
         c.i64(signature.inputs.size()),
         c.i64(signature.parameters.size()),
         c.i64(signature.prepared.size()),
         c.i64(signature.results.size()),
         symbolArray,
         describeTensors(c, tensors[0]),
         describeTensors(c, tensors[1]),
         describeTensors(c, tensors[2]),
         describeTensors(c, tensors[3]),
         c.i64(signature.offsets.size()),
         buffers,
         c.i64(facts.numComputedDims),
         c.function(functions.shapes),
         c.function(functions.init),
         c.i64(facts.initScratchBytes),
         c.function(functions.run),
         facts.report.empty() ? c.null() : c.string(facts.report),
         facts.device.empty() ? c.null() : c.external(facts.device)});
  });
  return success();
}
