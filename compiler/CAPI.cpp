//===- CAPI.cpp - The compiler's flat C ABI -------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/CAPI.h"

#include "compiler/Session.h"
#include "runtime/core/ParallelFor.h"
#include "runtime/measure/Peaks.h"

using namespace ourc;

struct OurcCompilation {
  std::unique_ptr<Session> session;
  OurcModel *model = nullptr;
  std::string report;
};

static thread_local std::string lastError;

static int32_t fail(int32_t code, llvm::StringRef message) {
  lastError = message.str();
  return code;
}

static int32_t fail(int32_t code, llvm::Error error) {
  return fail(code, llvm::toString(std::move(error)));
}

extern "C" {

OURC_EXPORT int32_t ourc_compile(const char *mlir, size_t length,
                                 const char *options,
                                 OurcCompilation **compilation) {
  if (!compilation)
    return fail(OURC_ERROR_ARGUMENT, "'compilation' is null");
  *compilation = nullptr;
  if (!mlir)
    return fail(OURC_ERROR_ARGUMENT, "'mlir' is null");
  llvm::Expected<CompileOptions> parsed =
      CompileOptions::parse(options ? options : "");
  if (!parsed)
    return fail(OURC_ERROR_ARGUMENT, parsed.takeError());
  llvm::Expected<std::unique_ptr<Session>> session =
      Session::compile(llvm::StringRef(mlir, length), *parsed);
  if (!session)
    return fail(OURC_ERROR_ARGUMENT, session.takeError());
  *compilation = new OurcCompilation{std::move(*session), nullptr, ""};
  return OURC_OK;
}

OURC_EXPORT int32_t ourc_compilation_model(OurcCompilation *compilation,
                                           OurcModel **model) {
  if (!compilation || !model)
    return fail(OURC_ERROR_ARGUMENT, "'compilation' or 'model' is null");
  *model = nullptr;
  if (!compilation->model) {
    llvm::Expected<const OurcProgram *> program = compilation->session->load();
    if (!program)
      return fail(OURC_ERROR_RUNTIME, program.takeError());
    if (int32_t code =
            ourc_model_create_from_program(*program, &compilation->model))
      return fail(code, ourc_last_error());
  }
  *model = compilation->model;
  return OURC_OK;
}

OURC_EXPORT int32_t ourc_compilation_write(OurcCompilation *compilation,
                                           const char *path) {
  if (!compilation || !path)
    return fail(OURC_ERROR_ARGUMENT, "'compilation' or 'path' is null");
  if (llvm::Error error = compilation->session->write(path))
    return fail(OURC_ERROR_RUNTIME, std::move(error));
  return OURC_OK;
}

OURC_EXPORT const char *ourc_compilation_report(OurcCompilation *compilation) {
  if (!compilation)
    return "{}";
  compilation->report = compilation->session->report();
  return compilation->report.c_str();
}

OURC_EXPORT int32_t ourc_machine_peaks(OurcMachinePeaks *peaks) {
  if (!peaks)
    return fail(OURC_ERROR_ARGUMENT, "'peaks' is null");
  peaks->threads = runtime::threadsInfo().maxThreads;
  peaks->flops = runtime::measureFlops(peaks->threads);
  peaks->flops16 = runtime::measureFlops16(peaks->threads);
  peaks->bandwidth = runtime::measureReadBandwidth(peaks->threads);
  return OURC_OK;
}

OURC_EXPORT const char *ourc_compile_error(void) { return lastError.c_str(); }

OURC_EXPORT void ourc_compilation_destroy(OurcCompilation *compilation) {
  if (!compilation)
    return;
  ourc_model_destroy(compilation->model);
  delete compilation;
}

} // extern "C"
