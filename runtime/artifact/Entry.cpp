//===- Entry.cpp - What a model.so exports of its own ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rest of runtime/abi/Model.h is in runtime/core.
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/Model.h"

/// Defined by the compiler's object files. Hidden: a process may load many
/// artifacts, and each reads its own.
extern "C" __attribute__((visibility("hidden"))) const OurcProgram ourc_program;

const OurcProgram *ourc_model_program(void) { return &ourc_program; }

int32_t ourc_model_create(const char *weightsPath, OurcModel **model) {
  int32_t status = ourc_model_create_from_program(&ourc_program, model);
  if (status || !weightsPath)
    return status;
  status = ourc_model_bind_file(*model, weightsPath);
  if (!status)
    status = ourc_model_prepare(*model);
  if (status) {
    ourc_model_destroy(*model);
    *model = nullptr;
  }
  return status;
}
