//===- OurcOps.td - All operations of the ourc dialect ------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_DIALECTS_OURC_OURCOPS_TD
#define OURC_DIALECTS_OURC_OURCOPS_TD

include "dialects/ourc/CompositeOps.td"
include "dialects/ourc/ContractionOps.td"
include "dialects/ourc/ElementwiseOps.td"
include "dialects/ourc/ReductionOps.td"
include "dialects/ourc/ShapeOps.td"
include "dialects/ourc/SourceOps.td"

#endif // OURC_DIALECTS_OURC_OURCOPS_TD
