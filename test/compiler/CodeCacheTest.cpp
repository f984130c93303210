//===- CodeCacheTest.cpp - Compiled code on disk --------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/CodeCache.h"

#include "compiler/Session.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <sys/wait.h>
#include <unistd.h>

using namespace ourc;

namespace {

class CodeCacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ourc-cache", folder));
    options.cache = folder.str().str();
  }
  void TearDown() override {
    llvm::sys::fs::remove_directories(folder);
    unsetenv("OURC_CACHE_DIR");
    unsetenv("OURC_CACHE_MIB");
  }

  CompileTarget target(const char *name = "cpu:x86-64-v3") {
    return llvm::cantFail(CompileTarget::parse(name));
  }

  std::vector<std::string> files() {
    std::vector<std::string> found;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(folder, code), end;
         it != end && !code; it.increment(code))
      if (!llvm::StringRef(it->path()).ends_with(".timestamp"))
        found.push_back(it->path());
    return found;
  }

  void write(const std::string &path, llvm::StringRef content) {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    ASSERT_FALSE(code);
    os << content;
  }

  std::string read(const std::string &path) {
    return (*llvm::MemoryBuffer::getFile(path, false, false))
        ->getBuffer()
        .str();
  }

  llvm::SmallString<128> folder;
  CompileOptions options;
};

TEST_F(CodeCacheTest, KeepsWhatIsStored) {
  CodeCache cache(options, target());
  ASSERT_TRUE(cache.isOn());
  std::string key = cache.getKey("kernel", "text");
  EXPECT_FALSE(cache.load(key));
  std::string payload("a\0b", 3);
  cache.store(key, payload);
  EXPECT_EQ(cache.load(key), payload);
  EXPECT_EQ(CodeCache(options, target()).load(key), payload);
  EXPECT_EQ(cache.getNumHits(), 1);
  EXPECT_EQ(cache.getNumMisses(), 1);
  ASSERT_EQ(files().size(), 1u); // nothing temporary is left
}

TEST_F(CodeCacheTest, KeysTellContentKindAndTargetApart) {
  CodeCache cache(options, target());
  std::string key = cache.getKey("kernel", "text");
  EXPECT_EQ(key, CodeCache(options, target()).getKey("kernel", "text"));
  EXPECT_NE(key, cache.getKey("kernel", "texu"));
  EXPECT_NE(key, cache.getKey("kernelt", "ext"));
  EXPECT_NE(
      key,
      CodeCache(options, target("cpu:x86-64-v4")).getKey("kernel", "text"));
  EXPECT_NE(key, CodeCache(options, target("simt")).getKey("kernel", "text"));
}

TEST_F(CodeCacheTest, KnowsItsBuild) {
  EXPECT_GE(compilerBuildId().size(), 8u);
}

TEST_F(CodeCacheTest, IsWhereItIsAskedFor) {
  options.cache = "off";
  EXPECT_FALSE(CodeCache(options, target()).isOn());
  options.cache = "";
  setenv("OURC_CACHE_DIR", "off", 1);
  EXPECT_FALSE(CodeCache(options, target()).isOn());
  setenv("OURC_CACHE_DIR", folder.c_str(), 1);
  CodeCache cache(options, target());
  ASSERT_TRUE(cache.isOn());
  cache.store(cache.getKey("kernel", "text"), "payload");
  EXPECT_EQ(files().size(), 1u);
  // What is dumped must be made.
  options.dumpKernels = "/tmp/anywhere";
  EXPECT_FALSE(CodeCache(options, target()).isOn());
}

TEST_F(CodeCacheTest, DamagedEntriesAreIgnored) {
  CodeCache cache(options, target());
  std::string key = cache.getKey("kernel", "text");
  cache.store(key, std::string(1000, 'x'));
  std::string path = files().front(), whole = read(path);
  std::vector<std::string> damaged = {"",
                                      "ourc code 1\n",
                                      whole.substr(0, 40),
                                      whole.substr(0, whole.size() - 1),
                                      whole + "x",
                                      "x" + whole};
  for (size_t i :
       {size_t(0), size_t(12), size_t(43), size_t(44), size_t(500)}) {
    damaged.push_back(whole);
    damaged.back()[i] ^= 1;
  }
  for (const std::string &content : damaged) {
    write(path, content);
    ::testing::internal::CaptureStderr();
    EXPECT_FALSE(cache.load(key));
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("is damaged"),
              std::string::npos);
    EXPECT_TRUE(files().empty()) << "it is removed";
  }
  cache.store(key, "new");
  EXPECT_EQ(cache.load(key), "new");
}

TEST_F(CodeCacheTest, AFolderThatCannotBeWrittenIsNoError) {
  options.cache = "/proc/ourc-cache";
  CodeCache cache(options, target());
  std::string key = cache.getKey("kernel", "text");
  cache.store(key, "payload");
  EXPECT_FALSE(cache.load(key));
  cache.prune();
}

TEST_F(CodeCacheTest, IsPrunedToItsLimit) {
  setenv("OURC_CACHE_MIB", "1", 1);
  CodeCache cache(options, target());
  std::string payload(400 << 10, 'x');
  for (int i = 0; i < 6; ++i)
    cache.store(cache.getKey("kernel", std::to_string(i)), payload);
  EXPECT_EQ(files().size(), 6u);
  cache.prune();
  EXPECT_LE(files().size(), 2u);
  EXPECT_GE(files().size(), 1u);
}

TEST_F(CodeCacheTest, ProcessesShareIt) {
  constexpr int numProcesses = 6, numKeys = 12, rounds = 20;
  auto payloadOf = [](int key) {
    return std::string(20000 + 1000 * key, char('a' + key));
  };
  std::vector<pid_t> children;
  for (int p = 0; p < numProcesses; ++p) {
    pid_t child = fork();
    if (child == 0) {
      bool good = true;
      CodeCache cache(options, target());
      for (int round = 0; round < rounds; ++round)
        for (int k = 0; k < numKeys; ++k) {
          std::string key = cache.getKey("kernel", std::to_string(k));
          std::optional<std::string> known = cache.load(key);
          good &= !known || *known == payloadOf(k);
          if (!known || (round + p) % 3 == 0)
            cache.store(key, payloadOf(k));
        }
      _exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(files().size(), size_t(numKeys));
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

constexpr const char *program = R"(
  func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = ourc.softmax %x dim 1 : tensor<8x16xf32> loc("net.py":3:0)
    return %0 : tensor<8x16xf32>
  })";

TEST_F(CodeCacheTest, ASessionTakesCodeFromIt) {
  auto compile = [&](llvm::StringRef text) {
    return llvm::cantFail(Session::compile(text, options));
  };
  std::unique_ptr<Session> cold = compile(program), warm = compile(program);
  EXPECT_NE(cold->report().find("\"hits\":0"), std::string::npos)
      << cold->report();
  EXPECT_NE(warm->report().find("\"hits\":1,\"misses\":0"), std::string::npos)
      << warm->report();
  // The report tells of the same kernels.
  auto kernelsOf = [](const Session &session) {
    llvm::json::Value report =
        llvm::cantFail(llvm::json::parse(session.report()));
    return *report.getAsObject()->get("kernels");
  };
  EXPECT_EQ(kernelsOf(*cold), kernelsOf(*warm));
  EXPECT_TRUE(bool(cold->load()));
  EXPECT_TRUE(bool(warm->load()));

  // Other lines: the program is compiled, its kernel is known.
  std::string moved = program;
  moved.replace(moved.find(":3:0"), 4, ":4:0");
  std::unique_ptr<Session> similar = compile(moved);
  EXPECT_NE(similar->report().find("\"hits\":1,\"misses\":1"),
            std::string::npos)
      << similar->report();
  EXPECT_NE(similar->report().find("net.py:4"), std::string::npos);

  // Another target shares nothing; without a cache nothing is said of one.
  options.target = "cpu:x86-64-v3";
  EXPECT_NE(compile(program)->report().find("\"hits\":0"), std::string::npos);
  options.cache = "off";
  EXPECT_NE(compile(program)->report().find("\"cache\":null"),
            std::string::npos);
}

TEST_F(CodeCacheTest, ASessionSurvivesADamagedCache) {
  llvm::cantFail(Session::compile(program, options));
  for (const std::string &path : files())
    write(path, "nonsense");
  ::testing::internal::CaptureStderr();
  llvm::Expected<std::unique_ptr<Session>> session =
      Session::compile(program, options);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("is damaged"),
            std::string::npos);
  ASSERT_TRUE(bool(session));
  EXPECT_TRUE(bool((*session)->load()));
  session = Session::compile(program, options);
  ASSERT_TRUE(bool(session));
  EXPECT_NE((*session)->report().find("\"hits\":1"), std::string::npos);
}

} // namespace
