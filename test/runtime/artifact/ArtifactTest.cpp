//===- ArtifactTest.cpp - Tests of a model.so and of ourc-run -------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shared object is linked from program.c and libourc_artifact.a as the
// compiler links its artifacts.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Npy.h"
#include "runtime/io/SafeTensors.h"
#include "test/runtime/TestTensors.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <sys/wait.h>

using namespace ourc::runtime;
using namespace ourc::test;

namespace {

const char artifact[] = "test/runtime/artifact/model.so";
const char tool[] = "tools/ourc-run/ourc-run";

struct Finished {
  int status;
  std::string output; // and errors
};

Finished shell(const std::string &command) {
  Finished finished = {-1, ""};
  std::FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return finished;
  char block[4096];
  while (size_t count = std::fread(block, 1, sizeof(block), pipe))
    finished.output.append(block, count);
  int status = pclose(pipe);
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
  return finished;
}

std::set<std::string> names(const std::string &nmFlags) {
  Finished finished =
      shell("/usr/lib/llvm-22/bin/llvm-nm -D --just-symbol-name " + nmFlags +
            " " + artifact);
  EXPECT_EQ(finished.status, 0) << finished.output;
  std::set<std::string> names;
  std::istringstream lines(finished.output);
  for (std::string line; std::getline(lines, line);)
    names.insert(line.substr(0, line.find('@')));
  return names;
}

//===----------------------------------------------------------------------===//
// The shared object
//===----------------------------------------------------------------------===//

TEST(Artifact, ExportsTheModelABIAlone) {
  EXPECT_EQ(names("--defined-only"),
            std::set<std::string>(
                {"ourc_last_error", "ourc_model_bind", "ourc_model_bind_file",
                 "ourc_model_create", "ourc_model_create_from_program",
                 "ourc_model_describe", "ourc_model_destroy",
                 "ourc_model_launch_times", "ourc_model_memory",
                 "ourc_model_observe", "ourc_model_prepare",
                 "ourc_model_program", "ourc_model_result_shapes",
                 "ourc_model_run", "ourc_model_run_on_stream",
                 "ourc_model_time_launches", "ourc_model_use_graphs"}));
}

TEST(Artifact, ImportsLibcLibmAndThreadsAlone) {
  const std::set<std::string> allowed = {
      // libc: memory, text, files, threads, the dynamic linker
      "__errno_location", "__stack_chk_fail", "__tls_get_addr", "abort", "bcmp",
      "calloc", "clock_gettime", "close", "dl_iterate_phdr", "dladdr",
      "dlclose", "dlopen", "dlsym", "fprintf", "free", "fstat", "madvise",
      "malloc", "memcmp", "memcpy", "memmove", "memset", "mmap", "munmap",
      "open", "posix_memalign", "pthread_getspecific", "pthread_key_create",
      "pthread_key_delete", "pthread_mutex_destroy", "pthread_mutex_init",
      "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_mutexattr_destroy",
      "pthread_mutexattr_init", "pthread_mutexattr_settype", "pthread_once",
      "pthread_setspecific", "realloc", "sched_getcpu", "snprintf", "stderr",
      "strchr", "strcmp", "strcpy", "strerror", "strlen", "strncmp", "strrchr",
      "syscall", "vsnprintf",
      // libm, from program.c
      "expf"};
  std::set<std::string> imports = names("--undefined-only");
  bool sanitized = imports.count("__asan_init");
  EXPECT_EQ(imports.count("malloc"), 1u); // the list was read
  for (const std::string &name : imports)
    if (!sanitized || (name.rfind("__asan_", 0) && name.rfind("__ubsan_", 0)))
      EXPECT_TRUE(allowed.count(name)) << name;
}

TEST(Artifact, NeedsLibcAndLibmAlone) {
  Finished finished =
      shell(std::string("/usr/lib/llvm-22/bin/llvm-readelf -d ") + artifact);
  std::istringstream lines(finished.output);
  std::set<std::string> needed;
  for (std::string line; std::getline(lines, line);)
    if (line.find("NEEDED") != std::string::npos)
      needed.insert(line.substr(line.find('[')));
  needed.erase("[ld-linux-x86-64.so.2]");
  EXPECT_EQ(needed, std::set<std::string>({"[libc.so.6]", "[libm.so.6]"}));
}

TEST(Artifact, TheToolNeedsNeitherPythonNorLLVM) {
  Finished finished = shell(std::string("ldd ") + tool);
  EXPECT_EQ(finished.status, 0);
  EXPECT_NE(finished.output.find("libc.so.6"), std::string::npos);
  std::vector<const char *> unwanted = {"python", "LLVM", "MLIR", "not found"};
  // The sanitizers' own library needs it.
  if (finished.output.find("libclang_rt.asan") == std::string::npos)
    unwanted.push_back("stdc++");
  for (const char *name : unwanted)
    EXPECT_EQ(finished.output.find(name), std::string::npos) << finished.output;
}

//===----------------------------------------------------------------------===//
// ourc-run
//===----------------------------------------------------------------------===//

class OurcRun : public ::testing::Test {
protected:
  OurcRun() {
    // A copy, with its weights beside it.
    model = temporaryFile("model.so");
    shell(std::string("cp -fL ") + artifact + " " + model);
    float w[] = {1, 10, 100};
    int64_t three = 3;
    SafeTensorSource weights = {"w", OURC_F32, 1, &three, w};
    EXPECT_EQ(writeSafeTensors(temporaryFile("model.safetensors").c_str(),
                               &weights, 1),
              OURC_OK);
    x = temporaryFile("x.npy");
    half = temporaryFile("half.npy");
    count = temporaryFile("count.npy");
    y = temporaryFile("y.npy");
    float ones[] = {0, 1, 2, 3, 4, 5};
    int64_t shape[] = {2, 3};
    EXPECT_EQ(writeNpy(x.c_str(), OURC_F32, 2, shape, ones), OURC_OK);
    uint16_t halves[] = {0x3f80, 0xbf80};
    EXPECT_EQ(writeNpy(half.c_str(), OURC_BF16, 1, shape, halves), OURC_OK);
    int64_t forty = 40;
    EXPECT_EQ(writeNpy(count.c_str(), OURC_I64, 0, nullptr, &forty), OURC_OK);
    std::remove(y.c_str());
  }
  /// Runs the tool with `model` and these arguments.
  Finished run(const std::string &arguments) {
    return shell(std::string(tool) + " " + model + " " + arguments);
  }
  std::string inputs() {
    return "--input " + x + " --input " + half + " --input " + count + " ";
  }
  void expectFailure(const std::string &arguments, const std::string &message) {
    Finished finished = run(arguments);
    EXPECT_EQ(finished.status, 1) << finished.output;
    EXPECT_NE(finished.output.find("ourc-run: " + message), std::string::npos)
        << finished.output << "\nwanted: " << message;
  }
  void expectY() {
    NpyArray array;
    ASSERT_EQ(array.open(y.c_str()), OURC_OK) << ourc_last_error();
    ASSERT_EQ(array.rank, 2);
    for (int i = 0; i < 6; ++i) {
      float wanted = std::exp(static_cast<float>(i)) *
                     static_cast<float>(std::pow(10, i % 3));
      EXPECT_NEAR(reinterpret_cast<float *>(array.data)[i], wanted,
                  1e-5 * wanted);
    }
  }
  std::string model, x, half, count, y;
};

TEST_F(OurcRun, InOrder) {
  Finished finished = run(inputs() + "--output " + y);
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_EQ(finished.output, "");
  expectY();
}

TEST_F(OurcRun, ByName) {
  std::string halfAgain = temporaryFile("half_again.npy");
  std::string counted = temporaryFile("counted.npy");
  Finished finished =
      run("--input count=" + count + " --input=half=" + half + " --input " + x +
          " --output half_again=" + halfAgain + " --output=" + y +
          " --output count=" + counted + " --repeat 3");
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_NE(finished.output.find("3 runs: first "), std::string::npos)
      << finished.output;
  EXPECT_NE(finished.output.find("; 0 allocations after the first run"),
            std::string::npos)
      << finished.output;
  expectY();
  NpyArray array;
  ASSERT_EQ(array.open(halfAgain.c_str()), OURC_OK);
  EXPECT_TRUE(array.rawTwoBytes);
  EXPECT_EQ(reinterpret_cast<uint16_t *>(array.data)[1], 0xbf80);
  NpyArray counts;
  ASSERT_EQ(counts.open(counted.c_str()), OURC_OK);
  EXPECT_EQ(*reinterpret_cast<int64_t *>(counts.data), 43);
  // The input's file is as it was.
  ASSERT_EQ(counts.open(count.c_str()), OURC_OK);
  EXPECT_EQ(*reinterpret_cast<int64_t *>(counts.data), 40);
}

TEST_F(OurcRun, ThreadsThatShareACoreAreReported) {
  Finished finished =
      shell("OMP_NUM_THREADS=2 OMP_PROC_BIND=false taskset -c 0 " +
            std::string(tool) + " " + model + " --repeat 2 " + inputs());
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_NE(finished.output.find("warning: 2 threads share a core"),
            std::string::npos)
      << finished.output;
}

TEST_F(OurcRun, FortranOrder) {
  std::string bytes = readFile(x);
  size_t at = bytes.find("False");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 5, "True ");
  float values[] = {0, 3, 1, 4, 2, 5};
  bytes.replace(bytes.size() - 24, 24, reinterpret_cast<char *>(values), 24);
  writeFile(x, bytes);
  Finished finished = run(inputs() + "--output " + y);
  EXPECT_EQ(finished.status, 0) << finished.output;
  expectY();
}

TEST_F(OurcRun, WithoutAFolder) {
  Finished finished =
      shell("root=$PWD; cd " + temporaryFile("") + " && $root/" + tool +
            " model.so " + inputs() + "--output y.npy");
  EXPECT_EQ(finished.status, 0) << finished.output;
  expectY();
}

TEST_F(OurcRun, Describe) {
  Finished finished = run("--describe");
  EXPECT_EQ(finished.status, 0);
  EXPECT_EQ(finished.output.rfind("{\"name\": \"exponential\"", 0), 0u)
      << finished.output;
  EXPECT_NE(finished.output.find("\"report\": {\"kernels\": []}}"),
            std::string::npos);
  finished = run("--describe " + inputs());
  EXPECT_NE(finished.output.find("\"prepared_bytes\": 64"), std::string::npos)
      << finished.output;
}

TEST_F(OurcRun, Help) {
  Finished finished = run("--help");
  EXPECT_EQ(finished.status, 0);
  EXPECT_NE(finished.output.find("--weights FILE"), std::string::npos);
}

TEST_F(OurcRun, CommandLineErrors) {
  expectFailure("--bad", "unknown option '--bad'");
  expectFailure("another.so",
                "only one model can be run, what is 'another.so'");
  expectFailure("--input", "no value after '--input'");
  expectFailure("--output=", "no value after '--output='");
  expectFailure("--repeat 0", "--repeat must be a positive number, not '0'");
  expectFailure("--repeat 1x", "--repeat must be a positive number, not '1x'");
  model = "";
  expectFailure("", "no model.so given");
}

TEST_F(OurcRun, InputErrors) {
  expectFailure("--input " + x,
                "no file for input 1 ('half') of 3: give --input");
  expectFailure(inputs() + "--input " + x, "input '" + x +
                                               "' is one too many: the model "
                                               "has 3");
  expectFailure(inputs() + "--input x=" + x, "input 'x' is given twice");
  expectFailure("--input /nowhere/x.npy",
                "cannot open '/nowhere/x.npy': No such file or directory");
  expectFailure("--input " + model, "'" + model + "' is no .npy file");
  expectFailure("--input " + half + " --input " + half + " --input " + count,
                "input 'x': '" + half +
                    "' has elements of type '<V2', must be float32");
  expectFailure("--input " + count + " --input " + half + " --input " + count,
                "input 'x': is int64, must be float32");
  int64_t shape[] = {65, 3};
  std::vector<float> many(65 * 3);
  ASSERT_EQ(writeNpy(x.c_str(), OURC_F32, 2, shape, many.data()), OURC_OK);
  expectFailure(inputs(),
                "input 'x': dimension 0 ('n') is 65, above its maximum 64");
}

TEST_F(OurcRun, OutputErrors) {
  expectFailure(inputs() + "--output /nowhere/y.npy",
                "cannot write '/nowhere/y.npy': No such file or directory");
  expectFailure(inputs() + "--output a --output b --output c --output d",
                "output 'd' is one too many: the model has 3");
}

TEST_F(OurcRun, ModelErrors) {
  std::remove(temporaryFile("model.safetensors").c_str());
  expectFailure(inputs(), "cannot open '" + temporaryFile("model.safetensors") +
                              "': No such file or directory");
  writeFile(temporaryFile("bad.safetensors"), "12345");
  expectFailure(inputs() + "--weights " + temporaryFile("bad.safetensors"),
                "'" + temporaryFile("bad.safetensors") +
                    "' has 5 bytes, too few for a .safetensors file");
  model = x;
  expectFailure(inputs(), "cannot load '" + x + "': ");
  model = "libm.so.6";
  expectFailure(inputs(), "cannot load 'libm.so.6': ");
  model = "/lib/x86_64-linux-gnu/libm.so.6";
  expectFailure(inputs(), "'" + model +
                              "' is no compiled model: it has no "
                              "ourc_model_program");
}

TEST_F(OurcRun, ErrorsOfGeneratedCode) {
  float values[] = {0, 0, 0, NAN, 0, 0};
  int64_t shape[] = {2, 3};
  ASSERT_EQ(writeNpy(x.c_str(), OURC_F32, 2, shape, values), OURC_OK);
  expectFailure(inputs(),
                "the run of 'exponential': x is not a number in row (1)");
}

} // namespace
