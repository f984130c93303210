//===- DescribeTest.cpp - Tests of the JSON of a model --------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Json.h"
#include "test/runtime/TestTensors.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace ourc::test;

namespace {

class Describe : public ::testing::Test {
protected:
  Describe() {
    program.symbols = {{"batch", 1, 8, 2}};
    auto batch = Program::symbol(0);
    program.inputs = {program.desc("a \"quoted\"\nname", OURC_BF16,
                                   {batch, Program::size(3)}, {1, 0})};
    program.parameters = {program.desc("w", OURC_BOOL, {Program::size(2)})};
    program.results = {
        program.inputs[0],
        program.desc(nullptr, OURC_F64, {Program::computed(0)}, {0})};
    program.results[0].updates = 0;
    program.program.numComputedDims = 1;
    program.program.shapes = [](const int64_t *, int64_t *, int64_t *) {};
    program.program.run = [](OurcContext *, void *const *, const int64_t *,
                             void *, const int64_t *) -> int32_t { return 0; };
  }
  std::string text() {
    Model model(program.get());
    EXPECT_EQ(model.status, OURC_OK) << ourc_last_error();
    std::string text = ourc_model_describe(model);
    ourc::runtime::JsonReader json(text.data(),
                                   static_cast<int64_t>(text.size()));
    EXPECT_TRUE(json.skipValue() && json.expectEnd())
        << json.error() << " at " << json.errorOffset() << "\n"
        << text;
    return text;
  }
  void expectIn(const char *part) {
    EXPECT_NE(text().find(part), std::string::npos) << text();
  }
  Program program;
};

TEST_F(Describe, Everything) {
  expectIn(R"({"name": "test", "target": "cpu", "abi_version": 2, )");
  expectIn(R"("symbols": [{"name": "batch", "min": 1, "max": 8, )"
           R"("multiple_of": 2}], )");
  expectIn(R"("inputs": [{"name": "a \"quoted\"\u000aname", )"
           R"("dtype": "bfloat16", "shape": ["batch", 3], )"
           R"("layout": [1, 0]}], )");
  expectIn(R"("parameters": [{"name": "w", "dtype": "bool", "shape": [2]}], )");
  expectIn(R"("layout": [1, 0], "updates": 0}, )");
  expectIn(R"({"name": null, "dtype": "float64", "shape": [null]}], )");
  expectIn(R"("memory": {"arena_bytes": 0, )");
  expectIn(R"("threads": {"library": )");
  expectIn(R"(, "sharing_a_core": )");
  expectIn(R"("report": null})");
}

TEST_F(Describe, ReportGoesInAsItIs) {
  program.program.report = R"({"kernels": [1, 2]})";
  expectIn(R"("report": {"kernels": [1, 2]}})");
}

TEST_F(Describe, AReportThatIsNoJsonBecomesAString) {
  program.program.report = "{oops";
  expectIn(R"("report": "{oops"})");
}

} // namespace
