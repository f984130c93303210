//===- LoadedModel.h - A model.so in this process -------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OURC_TOOLS_OURC_RUN_LOADEDMODEL_H
#define OURC_TOOLS_OURC_RUN_LOADEDMODEL_H

#include "runtime/abi/Model.h"

namespace ourc::run {

/// The functions of a shared object, and a model made by them. Errors go to
/// stderr.
class LoadedModel {
public:
  LoadedModel() = default;
  LoadedModel(const LoadedModel &) = delete;
  LoadedModel &operator=(const LoadedModel &) = delete;
  ~LoadedModel();

  bool load(const char *path);
  /// `weights`: null for the default file; not looked for when the model has no
  /// parameters.
  bool create(const char *path, const char *weights);
  /// Without weights: enough to describe the model.
  bool createBare();
  /// False, and the model's message is printed, unless `status` is OURC_OK.
  bool good(int32_t status) const;

  const OurcProgram *program = nullptr;
  OurcModel *model = nullptr;
  decltype(&ourc_model_run) run = nullptr;
  decltype(&ourc_model_result_shapes) resultShapes = nullptr;
  decltype(&ourc_model_memory) memory = nullptr;
  decltype(&ourc_model_describe) describe = nullptr;
  decltype(&ourc_model_time_launches) timeLaunches = nullptr;
  decltype(&ourc_model_launch_times) launchTimes = nullptr;

private:
  void *handle = nullptr;
  decltype(&ourc_model_program) getProgram = nullptr;
  decltype(&ourc_model_create) createModel = nullptr;
  decltype(&ourc_model_create_from_program) createFromProgram = nullptr;
  decltype(&ourc_model_destroy) destroy = nullptr;
  decltype(&ourc_last_error) lastError = nullptr;
};

} // namespace ourc::run

#endif // OURC_TOOLS_OURC_RUN_LOADEDMODEL_H
