//===- LoopBuilder.h - Loop nests of the lowering -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_CONVERSION_OURCTOLINALG_LOOPBUILDER_H
#define OURC_CONVERSION_OURCTOLINALG_LOOPBUILDER_H

#include "dialects/ourc/OurcDialect.h"
#include "transforms/graph/SymbolicShapes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/DialectConversion.h"

namespace ourc {

/// A pattern of the lowering of one op; knows the symbolic shapes.
template <typename OpT>
class LoweringPattern : public mlir::OpConversionPattern<OpT> {
public:
  LoweringPattern(mlir::MLIRContext *context, SymbolicShapes &shapes)
      : mlir::OpConversionPattern<OpT>(context), shapes(shapes) {}

protected:
  SymbolicShapes &shapes;
};

/// The type that elements of `type` are computed in: f32 for narrower floats,
/// else the type itself. The one place that says so.
mlir::Type getComputeType(mlir::Type type);

/// An element in its compute type, and back.
mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value element);
mlir::Value narrow(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value element, mlir::Type type);

// Sums and products; of floats with fastmath<contract>.
mlir::Value createAdd(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value a, mlir::Value b);
mlir::Value createSub(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value a, mlir::Value b);
mlir::Value createMul(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value a, mlir::Value b);
/// Two elements of the type that they are computed in, joined.
mlir::Value createCombined(mlir::OpBuilder &builder, mlir::Location loc,
                           Combiner combiner, mlir::Value a, mlir::Value b);
mlir::Value createFloat(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Type type, double value);

/// A destination with the shape of `like` (a value of the ourc program) and,
/// where given, other elements.
mlir::Value createEmptyLike(mlir::OpBuilder &builder, SymbolicShapes &shapes,
                            mlir::Location loc, mlir::Value like,
                            mlir::Type element = {});

/// A destination full of one value.
mlir::Value createFilled(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value destination, mlir::TypedAttr value);

/// `value` as `type`, which may be more or less static.
mlir::Value castTo(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value value, mlir::Type type);

/// `tensor`, accumulated in the compute type of `like`'s elements, as `like`'s
/// elements.
mlir::Value narrowTensor(mlir::OpBuilder &builder, SymbolicShapes &shapes,
                         mlir::Location loc, mlir::Value tensor,
                         mlir::Value like);

/// What an operand of a loop nest may look through on its way to memory.
struct LookThrough {
  bool broadcasts = true;
  bool transposes = false;
  /// Splat constants become scalars of the body.
  bool splats = true;
  /// Whether a map may read a dimension at the constant 0.
  bool constants = true;
};

/// The inputs of one loop nest. Broadcasts (and, on request, transposes) of the
/// ourc program become part of an input's map; equal inputs are one.
class LoopInputs {
public:
  LoopInputs(mlir::ConversionPatternRewriter &rewriter, SymbolicShapes &shapes)
      : rewriter(rewriter), shapes(shapes) {}

  /// Adds `operand` of an ourc op, whose dimensions are read at the results of
  /// `map`.
  void add(mlir::Value operand, mlir::AffineMap map, LookThrough through = {});
  /// Adds a value that is already lowered.
  void addLowered(mlir::Value tensor, mlir::AffineMap map);

  mlir::ValueRange getTensors() const { return tensors; }
  llvm::ArrayRef<mlir::AffineMap> getMaps() const { return maps; }

  /// One element of each operand, in the order of `add`, inside a body whose
  /// arguments begin with the inputs' elements.
  llvm::SmallVector<mlir::Value> getElements(mlir::OpBuilder &builder,
                                             mlir::Location loc,
                                             mlir::ValueRange arguments) const;

private:
  /// An input, or the value of a splat.
  struct Operand {
    unsigned input = 0;
    mlir::TypedAttr splat;
  };

  mlir::ConversionPatternRewriter &rewriter;
  SymbolicShapes &shapes;
  llvm::SmallVector<Operand> operands;
  llvm::SmallVector<mlir::Value> tensors;
  llvm::SmallVector<mlir::AffineMap> maps;
};

/// Where `operand` (of an ourc op, read at the results of `map`) is in memory:
/// the value of the ourc program behind its broadcasts and transposes, and the
/// map to it.
std::pair<mlir::Value, mlir::AffineMap> lookThrough(mlir::Value operand,
                                                    mlir::AffineMap map,
                                                    SymbolicShapes &shapes,
                                                    LookThrough through);

using ElementsBody = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange elements,
    mlir::Value accumulator)>;

/// A `linalg.generic` with one result; the first `numParallel` loops are
/// parallel, the others reductions. `body` gets one element of each operand and
/// of the destination.
mlir::Value createLoops(mlir::OpBuilder &builder, mlir::Location loc,
                        const LoopInputs &inputs, mlir::Value destination,
                        mlir::AffineMap destinationMap, unsigned numParallel,
                        ElementsBody body);

} // namespace ourc

#endif // OURC_CONVERSION_OURCTOLINALG_LOOPBUILDER_H
