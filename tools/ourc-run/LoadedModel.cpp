//===- LoadedModel.cpp - A model.so in this process -----------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ourc-run/LoadedModel.h"

#include "runtime/support/Text.h"

#include <dlfcn.h>
#include <elf.h>

using namespace ourc;
using namespace ourc::run;

LoadedModel::~LoadedModel() {
  if (model)
    destroy(model);
  // The object stays loaded: threads of the OpenMP runtime may still be in it.
}

bool LoadedModel::good(int32_t status) const {
  if (status)
    std::fprintf(stderr, "ourc-run: %s\n", lastError());
  return status == OURC_OK;
}

/// Whether the file ends before the segments that its headers name: the
/// system's loader would map them and the first touch would end the process.
static bool isCutShort(const char *path) {
  std::FILE *file = std::fopen(path, "rb");
  if (!file)
    return false; // the loader says why
  auto read = [&](uint64_t offset, void *to, size_t size) {
    return offset <= uint64_t(INT64_MAX) &&
           !std::fseek(file, static_cast<long>(offset), SEEK_SET) &&
           std::fread(to, 1, size, file) == size;
  };
  Elf64_Ehdr header;
  bool cut = false;
  if (read(0, &header, sizeof(header)) &&
      !std::memcmp(header.e_ident, ELFMAG, SELFMAG) &&
      header.e_ident[EI_CLASS] == ELFCLASS64) {
    std::fseek(file, 0, SEEK_END);
    uint64_t size = std::ftell(file);
    for (unsigned i = 0; i < header.e_phnum && !cut; ++i) {
      Elf64_Phdr segment;
      cut = !read(header.e_phoff + uint64_t(i) * header.e_phentsize, &segment,
                  sizeof(segment)) ||
            segment.p_offset > size ||
            segment.p_filesz > size - segment.p_offset;
    }
  }
  std::fclose(file);
  return cut;
}

bool LoadedModel::load(const char *path) {
  // A bare name would be looked for among the system's libraries.
  runtime::Text local;
  local.append(std::strchr(path, '/') ? "" : "./");
  local.append(path);
  if (isCutShort(local.c_str())) {
    std::fprintf(stderr, "ourc-run: '%s' is cut short\n", path);
    return false;
  }
  handle = dlopen(local.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    std::fprintf(stderr, "ourc-run: cannot load '%s': %s\n", path, dlerror());
    return false;
  }
  auto resolve = [&](auto &function, const char *name) {
    void *symbol = dlsym(handle, name);
    std::memcpy(&function, &symbol, sizeof(symbol));
    if (!symbol)
      std::fprintf(stderr,
                   "ourc-run: '%s' is no compiled model: it has no %s\n", path,
                   name);
    return symbol != nullptr;
  };
  if (!resolve(getProgram, "ourc_model_program") ||
      !resolve(createModel, "ourc_model_create") ||
      !resolve(createFromProgram, "ourc_model_create_from_program") ||
      !resolve(destroy, "ourc_model_destroy") ||
      !resolve(run, "ourc_model_run") ||
      !resolve(resultShapes, "ourc_model_result_shapes") ||
      !resolve(memory, "ourc_model_memory") ||
      !resolve(describe, "ourc_model_describe") ||
      !resolve(timeLaunches, "ourc_model_time_launches") ||
      !resolve(launchTimes, "ourc_model_launch_times") ||
      !resolve(lastError, "ourc_last_error"))
    return false;
  program = getProgram();
  // Of another version not even the counts can be read.
  if (program->abiVersion != OURC_ABI_VERSION) {
    std::fprintf(stderr,
                 "ourc-run: '%s' has ABI version %u, this tool reads version "
                 "%d: compile it again\n",
                 path, program->abiVersion, OURC_ABI_VERSION);
    return false;
  }
  return true;
}

bool LoadedModel::createBare() {
  return good(createFromProgram(program, &model));
}

bool LoadedModel::create(const char *path, const char *weights) {
  runtime::Text beside;
  if (!weights && program->numParameters) {
    int64_t length = static_cast<int64_t>(std::strlen(path));
    if (length > 3 && !std::strcmp(path + length - 3, ".so"))
      length -= 3;
    beside.append(path, length);
    beside.append(".safetensors");
    weights = beside.c_str();
  }
  return good(createModel(weights, &model));
}
