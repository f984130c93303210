//===- CAPITest.cpp - The compiler's flat C ABI ---------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/CAPI.h"

#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <vector>

namespace {

/// Compiles `text` with `options`; null on failure.
OurcCompilation *compile(const std::string &text,
                         const char *options = nullptr) {
  OurcCompilation *compilation = nullptr;
  int32_t code = ourc_compile(text.data(), text.size(), options, &compilation);
  EXPECT_EQ(code == OURC_OK, compilation != nullptr);
  return compilation;
}

/// Expects that `text` is refused with a message that contains `message`.
void expectError(const std::string &text, const char *message,
                 const char *options = nullptr) {
  OurcCompilation *compilation = compile(text, options);
  EXPECT_EQ(compilation, nullptr);
  EXPECT_NE(strstr(ourc_compile_error(), message), nullptr)
      << ourc_compile_error();
  ourc_compilation_destroy(compilation);
}

/// A program that needs no kernel: its results are copies.
const std::string copies = R"(
ourc.symbol @s {min = 1 : i64, max = 8 : i64}
func.func @main(%x: tensor<?x2xf32> {ourc.name = "x", ourc.shape = [@s, 2]},
                %w: tensor<3xf32> {ourc.parameter = "w"})
    -> (tensor<?xf32> {ourc.name = "y"}, tensor<3xf32>, tensor<2xi64>) {
  %y = tensor.collapse_shape %x [[0, 1]] : tensor<?x2xf32> into tensor<?xf32>
  %c = arith.constant dense<[7, 8]> : tensor<2xi64>
  return %y, %w, %c : tensor<?xf32>, tensor<3xf32>, tensor<2xi64>
})";

DLTensor tensor(void *data, std::vector<int64_t> &shape, uint8_t code,
                uint8_t bits) {
  DLTensor result = {};
  result.data = data;
  result.device.device_type = kDLCPU;
  result.ndim = static_cast<int32_t>(shape.size());
  result.dtype.code = code;
  result.dtype.bits = bits;
  result.dtype.lanes = 1;
  result.shape = shape.data();
  return result;
}

/// Runs the model of `copies` for `rows` rows and checks what it returns.
template <typename Bind, typename Run>
void expectCopies(OurcModel *model, int64_t rows, Bind bind, Run run) {
  std::vector<float> x(rows * 2), w = {4, 5, 6}, y(rows * 2), v(3);
  std::vector<int64_t> c(2);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i) + 0.5f;
  std::vector<int64_t> xs = {rows, 2}, ws = {3}, ys = {rows * 2}, cs = {2};
  DLTensor dx = tensor(x.data(), xs, kDLFloat, 32),
           dw = tensor(w.data(), ws, kDLFloat, 32),
           dy = tensor(y.data(), ys, kDLFloat, 32),
           dv = tensor(v.data(), ws, kDLFloat, 32),
           dc = tensor(c.data(), cs, kDLInt, 64);
  const DLTensor *parameters[] = {&dw}, *inputs[] = {&dx};
  DLTensor *results[] = {&dy, &dv, &dc};
  ASSERT_EQ(bind(model, parameters, 1), OURC_OK);
  ASSERT_EQ(run(model, inputs, 1, results, 3), OURC_OK);
  EXPECT_EQ(x, y);
  EXPECT_EQ(w, v);
  EXPECT_EQ(c, (std::vector<int64_t>{7, 8}));
}

TEST(CAPITest, CompilesAndRuns) {
  OurcCompilation *compilation = compile(copies);
  ASSERT_NE(compilation, nullptr) << ourc_compile_error();
  OurcModel *model = nullptr, *again = nullptr;
  ASSERT_EQ(ourc_compilation_model(compilation, &model), OURC_OK)
      << ourc_compile_error();
  ASSERT_EQ(ourc_compilation_model(compilation, &again), OURC_OK);
  EXPECT_EQ(model, again);
  for (int64_t rows : {1, 5, 8})
    expectCopies(model, rows, ourc_model_bind, ourc_model_run);
  ourc_compilation_destroy(compilation);
}

/// y = relu(x wᵀ + b), through every stage from ATen calls on.
const std::string linearRelu = R"(
ourc.symbol @rows {min = 1 : i64, max = 64 : i64}
func.func @main(%x: tensor<?x37xf32> {ourc.name = "x", ourc.shape = [@rows, 37]},
                %w: tensor<19x37xf32> {ourc.parameter = "w", ourc.frozen},
                %b: tensor<19xf32> {ourc.parameter = "b", ourc.frozen})
    -> (tensor<?x19xf32> {ourc.name = "y"}) {
  %0 = aten.call "linear.default"(input = %x, weight = %w, bias = %b)
      : (tensor<?x37xf32>, tensor<19x37xf32>, tensor<19xf32>) -> tensor<?x19xf32>
  %1 = aten.call "relu.default"(self = %0)
      : (tensor<?x19xf32>) -> tensor<?x19xf32>
  return %1 : tensor<?x19xf32>
})";

class LinearReluTest : public ::testing::TestWithParam<const char *> {};

/// Where a test may write.
std::string temporary(const char *name) {
  const char *folder = getenv("TEST_TMPDIR");
  return std::string(folder ? folder : "/tmp") + "/" + name;
}

TEST_P(LinearReluTest, Links) {
  OurcCompilation *compilation = compile(linearRelu, GetParam());
  ASSERT_NE(compilation, nullptr) << ourc_compile_error();
  std::string path = temporary("linear_relu.so");
  EXPECT_EQ(ourc_compilation_write(compilation, path.c_str()), OURC_OK)
      << ourc_compile_error();
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  dlclose(library);
  ourc_compilation_destroy(compilation);
}

TEST_P(LinearReluTest, Runs) {
  OurcCompilation *compilation = compile(linearRelu, GetParam());
  ASSERT_NE(compilation, nullptr) << ourc_compile_error();
  OurcModel *model = nullptr;
  ASSERT_EQ(ourc_compilation_model(compilation, &model), OURC_OK)
      << ourc_compile_error();
  constexpr int64_t in = 37, out = 19;
  std::vector<float> w(in * out), b(out);
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = std::sin(1.0f + static_cast<float>(i));
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = std::cos(static_cast<float>(i));
  std::vector<int64_t> ws = {out, in}, bs = {out};
  DLTensor dw = tensor(w.data(), ws, kDLFloat, 32),
           db = tensor(b.data(), bs, kDLFloat, 32);
  const DLTensor *parameters[] = {&dw, &db};
  ASSERT_EQ(ourc_model_bind(model, parameters, 2), OURC_OK);
  for (int64_t rows : {1, 7, 13, 64}) {
    std::vector<float> x(rows * in), y(rows * out, -1.0f);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = std::cos(0.5f * static_cast<float>(i));
    std::vector<int64_t> xs = {rows, in}, ys = {rows, out};
    DLTensor dx = tensor(x.data(), xs, kDLFloat, 32),
             dy = tensor(y.data(), ys, kDLFloat, 32);
    const DLTensor *inputs[] = {&dx};
    DLTensor *results[] = {&dy};
    ASSERT_EQ(ourc_model_run(model, inputs, 1, results, 1), OURC_OK)
        << ourc_last_error();
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < out; ++j) {
        double sum = b[j];
        for (int64_t k = 0; k < in; ++k)
          sum += static_cast<double>(x[i * in + k]) * w[j * in + k];
        EXPECT_NEAR(y[i * out + j], std::max(sum, 0.0), 1e-5)
            << rows << " rows, at " << i << ", " << j;
      }
  }
  ourc_compilation_destroy(compilation);
}

INSTANTIATE_TEST_SUITE_P(
    Options, LinearReluTest,
    ::testing::Values(R"({})", R"({"pack": false})",
                      R"({"target": "cpu:x86-64-v3"})",
                      R"({"target": "cpu:x86-64-v3", "pack": false})",
                      R"({"target": "simt"})"));

TEST(CAPITest, Report) {
  OurcCompilation *compilation = compile(copies, R"({"threads": 1})");
  ASSERT_NE(compilation, nullptr) << ourc_compile_error();
  std::string report = ourc_compilation_report(compilation);
  for (const char *key : {"\"kernels\":", "\"phases\":", "\"remarks\":",
                          "\"memory\":", "\"target\":\"cpu:native\""})
    EXPECT_NE(report.find(key), std::string::npos) << report;
  ourc_compilation_destroy(compilation);
}

TEST(CAPITest, ReportsCostsAndLaunches) {
  // Of the table only the gathered rows are read; a product of bf16 counts
  // apart from what is done in f32.
  OurcCompilation *compilation = compile(R"(
    func.func @main(%ids: tensor<6xi64>, %table: tensor<1000x32xbf16>,
                    %w: tensor<32x16xbf16>) -> tensor<6x16xbf16> {
      %0 = aten.call "embedding.default"(weight = %table, indices = %ids)
          : (tensor<1000x32xbf16>, tensor<6xi64>) -> tensor<6x32xbf16> loc("net.py":3:0)
      %1 = aten.call "mm.default"(self = %0, mat2 = %w)
          : (tensor<6x32xbf16>, tensor<32x16xbf16>) -> tensor<6x16xbf16> loc("net.py":4:0)
      return %1 : tensor<6x16xbf16>
    })",
                                         R"({"pack": false})");
  ASSERT_NE(compilation, nullptr) << ourc_compile_error();
  llvm::Expected<llvm::json::Value> report =
      llvm::json::parse(ourc_compilation_report(compilation));
  ASSERT_TRUE(bool(report));
  const llvm::json::Object &object = *report->getAsObject();
  int64_t flops16 = 0, bytes = 0, launches = 0;
  std::string lines;
  for (const llvm::json::Value &launch : *object.getArray("sequence")) {
    ++launches;
    const llvm::json::Object &kernel = *(*object.getArray(
        "kernels"))[*launch.getAsObject()->getInteger("kernel")]
                                            .getAsObject();
    const llvm::json::Object *cost = kernel.getObject("cost");
    ASSERT_NE(cost, nullptr);
    flops16 += *cost->getInteger("flops16");
    bytes += *cost->getInteger("bytes_read");
    for (const llvm::json::Value &line :
         *launch.getAsObject()->getArray("locations"))
      lines += line.getAsString()->str() + " ";
  }
  EXPECT_EQ(flops16, 2 * 6 * 16 * 32);
  EXPECT_GE(launches, 1);
  EXPECT_LE(bytes, 6 * 8 + 2 * 6 * 32 * 2 + 32 * 16 * 2);
  EXPECT_GE(bytes, 6 * 8 + 6 * 32 * 2 + 32 * 16 * 2);
  EXPECT_NE(lines.find("net.py:4"), std::string::npos) << lines;
  ourc_compilation_destroy(compilation);
}

TEST(CAPITest, MeasuresPeaks) {
  OurcMachinePeaks peaks;
  ASSERT_EQ(ourc_machine_peaks(&peaks), OURC_OK);
  EXPECT_GE(peaks.threads, 1);
  EXPECT_GT(peaks.flops, 0);
  EXPECT_GE(peaks.flops16, 0);
  EXPECT_GT(peaks.bandwidth, 0);
  EXPECT_EQ(ourc_machine_peaks(nullptr), OURC_ERROR_ARGUMENT);
}

TEST(CAPITest, ReportsWhatWasNotFused) {
  OurcCompilation *compilation = compile(R"(
    func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>)
        -> tensor<8x8xf32> {
      %0 = aten.call "mm.default"(self = %x, mat2 = %w)
          : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("net.py":3:0)
      %1 = aten.call "mm.default"(self = %0, mat2 = %w)
          : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("net.py":4:0)
      return %1 : tensor<8x8xf32>
    })");
  ASSERT_NE(compilation, nullptr) << ourc_compile_error();
  std::string report = ourc_compilation_report(compilation);
  for (const char *part :
       {"not fused into the kernel of linalg.", ": as ", "net.py:4"})
    EXPECT_NE(report.find(part), std::string::npos) << report;
  ourc_compilation_destroy(compilation);
}

TEST(CAPITest, WritesAnArtifact) {
  OurcCompilation *compilation = compile(copies);
  ASSERT_NE(compilation, nullptr) << ourc_compile_error();
  std::string path = temporary("copies.so");
  ASSERT_EQ(ourc_compilation_write(compilation, path.c_str()), OURC_OK)
      << ourc_compile_error();
  ourc_compilation_destroy(compilation);

  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  auto create = reinterpret_cast<decltype(&ourc_model_create)>(
      dlsym(library, "ourc_model_create"));
  auto bind = reinterpret_cast<decltype(&ourc_model_bind)>(
      dlsym(library, "ourc_model_bind"));
  auto run = reinterpret_cast<decltype(&ourc_model_run)>(
      dlsym(library, "ourc_model_run"));
  auto destroy = reinterpret_cast<decltype(&ourc_model_destroy)>(
      dlsym(library, "ourc_model_destroy"));
  ASSERT_TRUE(create && bind && run && destroy);
  OurcModel *model = nullptr;
  ASSERT_EQ(create(nullptr, &model), OURC_OK);
  expectCopies(model, 3, bind, run);
  destroy(model);
  dlclose(library);
}

TEST(CAPITest, CannotWrite) {
  OurcCompilation *compilation = compile(copies);
  ASSERT_NE(compilation, nullptr) << ourc_compile_error();
  EXPECT_NE(ourc_compilation_write(compilation, "/no/such/folder/a.so"),
            OURC_OK);
  EXPECT_NE(strstr(ourc_compile_error(), "/no/such/folder/a.so"), nullptr)
      << ourc_compile_error();
  ourc_compilation_destroy(compilation);
}

TEST(CAPITest, NullArguments) {
  OurcCompilation *compilation = nullptr;
  EXPECT_EQ(ourc_compile(nullptr, 0, nullptr, &compilation),
            OURC_ERROR_ARGUMENT);
  EXPECT_EQ(ourc_compile("", 0, nullptr, nullptr), OURC_ERROR_ARGUMENT);
  OurcModel *model = nullptr;
  EXPECT_EQ(ourc_compilation_model(nullptr, &model), OURC_ERROR_ARGUMENT);
  EXPECT_EQ(ourc_compilation_write(nullptr, "a.so"), OURC_ERROR_ARGUMENT);
  EXPECT_STREQ(ourc_compilation_report(nullptr), "{}");
  ourc_compilation_destroy(nullptr);
}

TEST(CAPITest, Options) {
  expectError(copies, "not JSON", "{");
  expectError(copies, "must be a JSON object", "[]");
  expectError(
      copies,
      "unknown option 'packs'; valid ones are 'cache', 'dump_kernels', 'pack', "
      "'schedules', 'strict', 'target', 'threads'",
      R"({"packs": true})");
  expectError(copies, "option 'pack' must be a boolean", R"({"pack": 1})");
  expectError(copies, "option 'threads' must be an integer from 0 to 4096",
              R"({"threads": -1})");
  expectError(copies, "unknown target 'tpu'", R"({"target": "tpu"})");
}

TEST(CAPITest, MalformedPrograms) {
  expectError("", "has no function '@main'");
  expectError("func.func @main(", "input:1:");
  expectError("func.func private @main()", "has no function '@main'");
  expectError("func.func @main(%x: index) { return }",
              "argument 0 must be a ranked tensor");
  expectError("func.func @main(%x: tensor<*xf32>) { return }",
              "argument 0 must be a ranked tensor");
  expectError("func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {"
              "  return %x : tensor<?xf32> }",
              "'ourc.shape'");
  expectError("func.func @main(%x: tensor<2xcomplex<f32>>) { return }",
              "cannot be passed to or from a program");
  expectError("func.func @f() { return } func.func @main() { return }",
              "'@f' must be inlined");
  for (const char *name : {"shapes", "init"})
    expectError("func.func @" + std::string(name) +
                    "(%x: tensor<f32>) -> tensor<f32> {"
                    "  return %x : tensor<f32> }"
                    "func.func @main() { return }",
                "is the compiler's name");
  expectError(R"(
    kernel.func @k(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32>
        attributes {schedule = #kernel.cpu_contraction<mr = 8, nr = 48,
                        kb = 0, lanes = 16, splitN = true>} {
      kernel.return %x : tensor<4xf32>
    }
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = kernel.launch @k(%x) outs(%e)
          : (tensor<4xf32>) outs(tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })",
              "is scheduled for another target than 'simt'",
              R"({"target": "simt"})");
  // What is no UTF-8 text at all.
  expectError(std::string("\xff\xfe\0\x01", 4), "error");
}

TEST(CAPITest, UnsupportedOpsAreNamedAtOnce) {
  const std::string text = R"(
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = aten.call "no_such_op.default"(self = %x)
          : (tensor<3xf32>) -> tensor<3xf32> loc("net.py":7:0)
      %1 = aten.call "nor_this.default"(self = %0)
          : (tensor<3xf32>) -> tensor<3xf32> loc("net.py":9:0)
      return %1 : tensor<3xf32>
    })";
  for (const char *part : {"net.py:7", "no_such_op", "net.py:9", "nor_this"})
    expectError(text, part);
}

TEST(CAPITest, ErrorsNameTheUsersLine) {
  expectError(R"(
    func.func @main(%x: tensor<?xf32> loc("net.py":12:3)) -> tensor<?xf32> {
      return %x : tensor<?xf32>
    })",
              "net.py:12:3: error: the size of result 0");
}

TEST(CAPITest, ManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      if (i % 2) {
        expectError("nonsense", "nonsense");
        return;
      }
      OurcCompilation *compilation = compile(copies);
      ASSERT_NE(compilation, nullptr) << ourc_compile_error();
      OurcModel *model = nullptr;
      ASSERT_EQ(ourc_compilation_model(compilation, &model), OURC_OK);
      expectCopies(model, 2, ourc_model_bind, ourc_model_run);
      ourc_compilation_destroy(compilation);
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace
