//===- ContractionNest.cpp - The analysis behind the strategy contraction
//---===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "strategy/cpu/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ourc;

namespace {
class Analysis {
public:
  Analysis(kernel::FuncOp kernel, std::string *reason, bool packsBatch)
      : kernel(kernel), reason(reason), packsBatch(packsBatch) {}

  LogicalResult run();
  ContractionNest nest;

private:
  LogicalResult fail(const Twine &text) {
    if (reason)
      *reason = text.str();
    return failure();
  }
  LogicalResult findContraction();
  LogicalResult analyseBody();
  LogicalResult classifyLoops();
  LogicalResult analyseA();
  LogicalResult analyseB();
  LogicalResult analyseInit();
  LogicalResult analyseEpilogues();
  LogicalResult addEpilogue(linalg::LinalgOp op);
  LogicalResult analyseResults();

  kernel::FuncOp kernel;
  std::string *reason;
  bool packsBatch;
  /// The tensors of the contraction's result space: its loops to their indices.
  llvm::MapVector<Value, AffineMap> maps;
};
} // namespace

TypedAttr ContractionNest::getSplat(Value tensor) {
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>()) {
    TypedAttr value;
    return matchPattern(fill.value(), m_Constant(&value)) ? value : TypedAttr();
  }
  DenseElementsAttr elements;
  if (matchPattern(tensor, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<TypedAttr>();
  return {};
}

LogicalResult Analysis::findContraction() {
  for (Operation &op : kernel.getBody().front()) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp) {
      if (op.getDialect() == kernel->getDialect() &&
          !isa<kernel::ReturnOp, kernel::WinogradFilterOp>(op))
        return fail("it holds '" + op.getName().getStringRef() + "'");
      continue;
    }
    if (linalgOp.getNumParallelLoops() == linalgOp.getNumLoops())
      continue;
    if (nest.op)
      return fail("it has more than one reduction");
    nest.op = linalgOp;
  }
  if (!nest.op)
    return fail("it has no contraction");
  if (nest.op.getNumDpsInputs() != 2 || nest.op.getNumDpsInits() != 1 ||
      !nest.op.hasPureTensorSemantics())
    return fail("its reduction does not multiply two tensors");
  return success();
}

/// Strips the conversions to the accumulator's type; gives the block argument.
static BlockArgument stripExtensions(Value value, bool &isUnsigned) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op))
      return {};
    isUnsigned |= isa<arith::ExtUIOp>(op);
    value = op->getOperand(0);
  }
  return cast<BlockArgument>(value);
}

LogicalResult Analysis::analyseBody() {
  Block *body = nest.op.getBlock();
  Value sum = body->getTerminator()->getOperand(0);
  Operation *add = sum.getDefiningOp();
  if (!add || !isa<arith::AddFOp, arith::AddIOp>(add))
    return fail("its reduction is not a sum of products");
  BlockArgument out = body->getArgument(2);
  Value product = add->getOperand(0) == out   ? add->getOperand(1)
                  : add->getOperand(1) == out ? add->getOperand(0)
                                              : Value();
  Operation *mul = product ? product.getDefiningOp() : nullptr;
  if (!mul || !isa<arith::MulFOp, arith::MulIOp>(mul))
    return fail("its reduction is not a sum of products");
  bool lhsUnsigned = false, rhsUnsigned = false;
  BlockArgument lhs = stripExtensions(mul->getOperand(0), lhsUnsigned);
  BlockArgument rhs = stripExtensions(mul->getOperand(1), rhsUnsigned);
  if (lhs && rhs && lhs.getArgNumber() == 1 && rhs.getArgNumber() == 0) {
    std::swap(lhs, rhs);
    std::swap(lhsUnsigned, rhsUnsigned);
  }
  if (!lhs || !rhs || lhs.getArgNumber() != 0 || rhs.getArgNumber() != 1)
    return fail("its products are not of one element of each operand");

  Type type = out.getType();
  if (type.isInteger(1) || !isa<FloatType, IntegerType>(type) ||
      (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 16))
    return fail("it sums elements of a type that is not supported");
  bool narrow = type.isF16() || type.isBF16();
  nest.accType = narrow ? Float32Type::get(kernel.getContext()) : type;
  nest.aUnsigned = lhsUnsigned;
  nest.bUnsigned = rhsUnsigned;
  return success();
}

LogicalResult Analysis::classifyLoops() {
  unsigned numLoops = nest.op.getNumLoops();
  SmallVector<AffineMap> indexing = nest.op.getIndexingMapsArray();
  AffineMap out = indexing[2];
  if (!out.isProjectedPermutation())
    return fail("its result is indexed by more than single loops");
  // B is the operand that the result's last dimension comes from, so that
  // vectors run along it.
  if (out.getNumResults() != 0) {
    unsigned last = out.getDimPosition(out.getNumResults() - 1);
    if (indexing[0].isFunctionOfDim(last) &&
        !indexing[1].isFunctionOfDim(last) &&
        indexing[0].isProjectedPermutation()) {
      std::swap(nest.aOperand, nest.bOperand);
      std::swap(nest.aUnsigned, nest.bUnsigned);
    }
  }
  AffineMap a = indexing[nest.aOperand], b = indexing[nest.bOperand];
  if (!b.isProjectedPermutation())
    return fail("its second operand is indexed by more than single loops");

  SmallVector<std::optional<Product>> sizes(numLoops);
  for (OpOperand &operand : nest.op->getOpOperands()) {
    AffineMap map = nest.op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
        std::optional<Product> &size = sizes[loop.getPosition()];
        if (!size || !size->isConstant())
          size = Product::getSize(operand.get(), dim);
      }
  }
  for (std::optional<Product> &size : sizes) {
    if (!size)
      return fail("a loop's size is not that of an operand's dimension");
    nest.sizes.push_back(*size);
  }

  for (AffineExpr expr : out.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    bool inA = a.isFunctionOfDim(loop), inB = b.isFunctionOfDim(loop);
    if (!inA && !inB)
      return fail("a loop steps through neither of its operands");
    (inA && inB ? nest.batch : inA ? nest.m : nest.n).push_back(loop);
  }
  for (unsigned loop = 0; loop < numLoops; ++loop) {
    if (out.isFunctionOfDim(loop))
      continue;
    if (!a.isFunctionOfDim(loop) || !b.isFunctionOfDim(loop))
      return fail("it sums over a loop that steps through one operand alone");
    nest.k.push_back(loop);
  }
  return success();
}

LogicalResult Analysis::analyseA() {
  OpOperand &operand = nest.op->getOpOperand(nest.aOperand);
  AffineMap map = nest.op.getMatchingIndexingMap(&operand);
  Value tensor = operand.get();
  nest.aType = getElementTypeOrSelf(tensor);

  SmallVector<int64_t> low;
  auto pad = tensor.getDefiningOp<tensor::PadOp>();
  if (pad) {
    Value value = pad.getConstantPaddingValue();
    if (!value || !(matchPattern(value, m_AnyZeroFloat()) ||
                    matchPattern(value, m_Zero())))
      return fail("its operand is padded with something else than zero");
    for (auto [dim, amounts] : llvm::enumerate(
             llvm::zip_equal(pad.getMixedLowPad(), pad.getMixedHighPad()))) {
      auto [below, above] = amounts;
      std::optional<int64_t> l = getConstantIntValue(below);
      std::optional<int64_t> h = getConstantIntValue(above);
      if (!l || *l < 0 || (h && *h < 0))
        return fail("its operand is padded by an amount that is not a "
                    "constant, or is cut");
      low.push_back(*l);
      if (*l == 0 && h && *h == 0)
        continue;
      // Which loops step through this dimension, and how far.
      ContractionNest::Padding padding{
          ~0u, ~0u, 0, 0, *l, Product::getSize(pad.getSource(), dim)};
      StridedView unit{{}, {Product(1)}, {}};
      std::optional<LinearAccess> index =
          LinearAccess::get(unit, map.getSubMap({unsigned(dim)}));
      if (!index)
        return fail("a padded index is not a linear function of the loops");
      for (auto [loop, step] : llvm::enumerate(index->strides)) {
        if (step.isZero())
          continue;
        bool isM = llvm::is_contained(nest.m, loop);
        bool isK = llvm::is_contained(nest.k, loop);
        if ((!isM && !isK) || (isM ? padding.mStep : padding.kStep) != 0 ||
            !step.isConstant() || step.constant < 0)
          return fail("a padded dimension is not stepped through by one loop "
                      "of the result and one of the sum");
        (isM ? padding.m : padding.k) = loop;
        (isM ? padding.mStep : padding.kStep) = step.constant;
      }
      if (padding.kStep == 0 || padding.mStep == 0)
        return fail("a padded dimension is not stepped through by one loop of "
                    "the result and one of the sum");
      nest.padding.push_back(padding);
    }
    tensor = pad.getSource();
  }

  std::optional<StridedView> view = StridedView::get(tensor, reason);
  if (!view)
    return failure();
  for (auto [dim, amount] : llvm::enumerate(low))
    if (amount != 0)
      view->offset.push_back(view->strides[dim] * Product(-amount));
  std::optional<LinearAccess> access = LinearAccess::get(*view, map, reason);
  if (!access)
    return failure();
  nest.a = *access;
  return success();
}

LogicalResult Analysis::analyseB() {
  OpOperand &operand = nest.op->getOpOperand(nest.bOperand);
  AffineMap map = nest.op.getMatchingIndexingMap(&operand);
  nest.bType = getElementTypeOrSelf(operand.get());
  if (auto filter = operand.get().getDefiningOp<kernel::WinogradFilterOp>()) {
    nest.transformed = dyn_cast<BlockArgument>(filter.getTransformed());
    if (!nest.transformed)
      return fail("its transformed filters are computed in the kernel");
    nest.b.strides.resize(nest.op.getNumLoops(), Product(0));
    nest.packedTile =
        cast<RankedTensorType>(nest.transformed.getType()).getShape().back();
    return success();
  }
  auto unpack = operand.get().getDefiningOp<linalg::UnPackOp>();
  if (!unpack) {
    std::optional<LinearAccess> access =
        LinearAccess::get(operand.get(), map, reason);
    if (!access)
      return failure();
    nest.b = *access;
    return success();
  }

  ArrayRef<int64_t> tiled = unpack.getInnerDimsPos();
  ArrayRef<int64_t> tiles = unpack.getStaticInnerTiles();
  bool pairs = tiled.size() == 2 && tiles[1] == 2;
  if ((tiled.size() != 1 && !pairs) || ShapedType::isDynamic(tiles[0]))
    return fail("its packed operand has more than one tiled dimension, and the "
                "second does not hold pairs");
  auto getLoop = [&](int64_t dim) -> std::optional<unsigned> {
    if (auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim)))
      return loop.getPosition();
    return std::nullopt;
  };
  std::optional<unsigned> loop = getLoop(tiled[0]);
  bool alongColumns = loop && nest.n.size() == 1 && *loop == nest.n[0];
  bool alongBatch = loop && packsBatch && llvm::is_contained(nest.batch, *loop);
  if (!alongColumns && (!alongBatch || pairs))
    return fail("its packed operand is not tiled along the result's columns");
  if (pairs) {
    nest.pairLoop = getLoop(tiled[1]);
    if (!nest.pairLoop || !llvm::is_contained(nest.k, *nest.pairLoop) ||
        !nest.canTakePairs(*nest.pairLoop))
      return fail("its packed operand holds pairs of a loop that is not taken "
                  "in pairs");
  }
  std::optional<StridedView> packed =
      StridedView::get(unpack.getSource(), reason);
  if (!packed)
    return failure();
  if (!packed->strides.back().isOne())
    return fail("its packed operand's tiles are not contiguous");
  ArrayRef<int64_t> perm = unpack.getOuterDimsPerm();
  StridedView unpacked{packed->argument,
                       SmallVector<Product>(map.getNumResults()),
                       packed->offset};
  for (unsigned outer = 0; outer < map.getNumResults(); ++outer) {
    int64_t dim = perm.empty() ? outer : perm[outer];
    if (dim == tiled[0]) {
      nest.panelStride = packed->strides[outer];
      unpacked.strides[dim] = Product(pairs ? 2 : 1);
    } else if (pairs && dim == tiled[1]) {
      // Two steps are one pair of each column.
      unpacked.strides[dim] = packed->strides[outer];
      unpacked.strides[dim].constant /= 2;
    } else {
      unpacked.strides[dim] = packed->strides[outer];
    }
  }
  std::optional<LinearAccess> access = LinearAccess::get(unpacked, map, reason);
  if (!access)
    return failure();
  nest.b = *access;
  nest.packedTile = tiles[0];
  nest.packedLoop = *loop;
  return success();
}

LogicalResult Analysis::analyseInit() {
  OpOperand &operand = nest.op->getOpOperand(2);
  if ((nest.initValue = ContractionNest::getSplat(operand.get())))
    return success();
  nest.init = LinearAccess::get(
      operand.get(), nest.op.getMatchingIndexingMap(&operand), reason);
  return success(nest.init.has_value());
}

LogicalResult Analysis::addEpilogue(linalg::LinalgOp op) {
  if (op.getNumParallelLoops() != op.getNumLoops() ||
      !op.hasPureTensorSemantics())
    return fail("an operation on its result is not elementwise");
  ContractionNest::Epilogue epilogue;
  epilogue.op = op;
  unsigned numLoops = nest.op.getNumLoops();
  SmallVector<AffineExpr> loops(op.getNumLoops());
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto it = maps.find(operand->get());
    if (it == maps.end())
      continue;
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (!map.isProjectedPermutation())
      return fail("an operation on its result indexes it by more than loops");
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      loops[cast<AffineDimExpr>(expr).getPosition()] =
          it->second.getResult(dim);
  }
  for (AffineExpr loop : loops) {
    if (!loop)
      return fail("an operation on its result repeats it");
    epilogue.loops.push_back(cast<AffineDimExpr>(loop).getPosition());
  }
  AffineMap toContraction =
      AffineMap::get(numLoops, 0, loops, kernel.getContext());
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand).compose(toContraction);
    epilogue.operands.push_back(std::nullopt);
    if (auto it = maps.find(operand->get()); it != maps.end()) {
      if (it->second != map)
        return fail("an operation joins elements of its result that are not "
                    "computed together");
      continue;
    }
    if (ContractionNest::getSplat(operand->get()))
      continue;
    epilogue.operands.back() = LinearAccess::get(operand->get(), map);
    if (epilogue.operands.back())
      continue;
    nest.needsLoops = true;
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return fail("an operand that the kernel computes is indexed by more than "
                  "single loops");
    // The vectors beyond the last column would have no lane to compute.
    if (!nest.n.empty() && !nest.sizes[nest.n.back()].isConstant())
      return fail("the number of columns is dynamic where the kernel computes "
                  "an operand");
  }
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.payloadUsesValueFromOperand(&init))
      return fail("an operation on its result reads its destination");
  nest.needsLoops |= op.hasIndexSemantics();
  for (OpResult result : op->getResults())
    maps[result] =
        op.getIndexingMapMatchingResult(result).compose(toContraction);
  nest.epilogues.push_back(std::move(epilogue));
  return success();
}

LogicalResult Analysis::analyseEpilogues() {
  maps[nest.op->getResult(0)] = nest.op.getIndexingMapsArray()[2];
  for (Operation &op : llvm::make_range(std::next(Block::iterator(nest.op)),
                                        kernel.getBody().front().end())) {
    auto uses = [&](Value value) { return maps.contains(value); };
    if (llvm::none_of(op.getOperands(), uses) || isa<kernel::ReturnOp>(op) ||
        isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return fail("'" + op.getName().getStringRef() +
                  "' on its result is not supported");
    if (failed(addEpilogue(linalgOp)))
      return failure();
  }
  return success();
}

LogicalResult Analysis::analyseResults() {
  for (auto [i, value] : llvm::enumerate(kernel.getReturnOp().getOperands())) {
    // A reshape of a whole result keeps the order in memory.
    while (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
        value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    auto it = maps.find(value);
    if (it == maps.end())
      return fail("result " + Twine(i) +
                  " of the kernel is not an elementwise function of the "
                  "contraction's result");
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    StridedView view{kernel.getDestination(i), SmallVector<Product>(rank), {}};
    Product stride;
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      view.strides[dim] = stride;
      unsigned loop =
          cast<AffineDimExpr>(it->second.getResult(dim)).getPosition();
      stride = stride * nest.sizes[loop];
    }
    std::optional<LinearAccess> access =
        LinearAccess::get(view, it->second, reason);
    if (!access)
      return failure();
    nest.results.push_back({value, *access});
  }
  return success();
}

LogicalResult Analysis::run() {
  if (kernel.getWorkspace())
    return fail("it has a workspace");
  return success(succeeded(findContraction()) && succeeded(analyseBody()) &&
                 succeeded(classifyLoops()) && succeeded(analyseA()) &&
                 succeeded(analyseB()) && succeeded(analyseInit()) &&
                 succeeded(analyseEpilogues()) && succeeded(analyseResults()));
}

std::optional<ContractionNest> ContractionNest::get(kernel::FuncOp kernel,
                                                    std::string *reason,
                                                    bool packsBatch) {
  Analysis analysis(kernel, reason, packsBatch);
  if (failed(analysis.run()))
    return std::nullopt;
  return std::move(analysis.nest);
}

bool ContractionNest::canTakePairs(unsigned loop) const {
  if (!aType.isBF16() || !bType.isBF16() || !accType.isF32())
    return false;
  // Which steps read padding must be known when code is emitted.
  return llvm::all_of(padding, [&](const Padding &padded) {
    return padded.k != loop ||
           (!m.empty() && padded.m == m.back() && padded.size.isConstant() &&
            sizes[padded.m].isConstant() && sizes[loop].isConstant());
  });
}

std::optional<unsigned> ContractionNest::choosePairLoop() const {
  std::optional<unsigned> best;
  for (unsigned loop : k) {
    if (!canTakePairs(loop) || sizes[loop].isOne())
      continue;
    if (a.strides[loop].isOne())
      return loop;
    best = loop;
  }
  return best;
}

bool ContractionNest::fitsAMXTiles(std::string *reason) const {
  auto fail = [&](StringRef text) {
    if (reason)
      *reason = text.str();
    return false;
  };
  if (!pairLoop)
    return fail("its sum is not taken in pairs of bf16");
  if (!a.strides[*pairLoop].isOne())
    return fail("the steps of its sum do not follow one another in memory");
  if (m.empty() || !sizes[m.back()].isConstant())
    return fail("its number of rows is not constant");
  for (unsigned loop : k)
    if (!sizes[loop].isConstant() || !a.strides[loop].isConstant())
      return fail("its sum's size is not constant");
  for (const Padding &padded : padding)
    if (padded.m == m.back() || padded.k == *pairLoop)
      return fail("some of its rows read padding where others do not");
  return true;
}

bool ContractionNest::isOneLoop(const LinearAccess &access, unsigned outer,
                                unsigned inner) const {
  return access.strides[outer] == access.strides[inner] * sizes[inner];
}

void ContractionNest::joinLoops() {
  // Loops of size one step through nothing.
  auto isPadded = [&](unsigned loop) {
    return llvm::any_of(padding, [&](const Padding &padded) {
      return padded.m == loop || padded.k == loop;
    });
  };
  SmallVector<LinearAccess *> all{&a, &b};
  if (init)
    all.push_back(&*init);
  for (Epilogue &epilogue : epilogues)
    for (std::optional<LinearAccess> &operand : epilogue.operands)
      if (operand)
        all.push_back(&*operand);
  for (Result &result : results)
    all.push_back(&result.access);

  auto join = [&](SmallVector<unsigned> &loops) {
    llvm::erase_if(loops, [&](unsigned loop) {
      return sizes[loop].isOne() && !isPadded(loop) && loop != pairLoop;
    });
    for (size_t i = 0; i + 1 < loops.size();) {
      unsigned outer = loops[i], inner = loops[i + 1];
      if (isPadded(outer) || isPadded(inner) ||
          !llvm::all_of(all, [&](LinearAccess *access) {
            return isOneLoop(*access, outer, inner);
          })) {
        ++i;
        continue;
      }
      sizes[inner] = sizes[inner] * sizes[outer];
      loops.erase(loops.begin() + i);
    }
  };
  // The innermost loops of the sum are those that take the shortest steps
  // through A: they become long runs.
  if (llvm::all_of(k,
                   [&](unsigned loop) { return a.strides[loop].isConstant(); }))
    llvm::sort(k, [&](unsigned x, unsigned y) {
      int64_t xStep = a.strides[x].constant, yStep = a.strides[y].constant;
      return xStep != yStep ? xStep > yStep : x < y;
    });
  // Pairs are taken in the innermost one.
  if (pairLoop) {
    llvm::erase(k, *pairLoop);
    k.push_back(*pairLoop);
  }
  join(k);
  if (needsLoops)
    return;
  join(batch);
  join(m);
  // A packed panel does not continue in the next one.
  if (packedTile == 0)
    join(n);
}
