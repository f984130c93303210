//===- CompileOptions.cpp - What a caller asks of a compilation -----------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/CompileOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ourc;
using llvm::StringRef;

namespace {

/// One option: its key, its type in words, and how a value is taken.
struct Key {
  StringRef name, type;
  bool (*set)(CompileOptions &, const llvm::json::Value &);
};

} // namespace

static bool setString(std::string &field, const llvm::json::Value &value) {
  if (auto text = value.getAsString()) {
    field = text->str();
    return true;
  }
  return false;
}

static constexpr auto setTarget = [](CompileOptions &options,
                                     const llvm::json::Value &value) {
  return setString(options.target, value);
};
static constexpr auto setPack = [](CompileOptions &options,
                                   const llvm::json::Value &value) {
  if (auto flag = value.getAsBoolean())
    options.pack = *flag;
  return value.getAsBoolean().has_value();
};
static constexpr auto setStrict = [](CompileOptions &options,
                                     const llvm::json::Value &value) {
  if (auto flag = value.getAsBoolean())
    options.strict = *flag;
  return value.getAsBoolean().has_value();
};
static constexpr auto setThreads = [](CompileOptions &options,
                                      const llvm::json::Value &value) {
  auto count = value.getAsInteger();
  if (!count || *count < 0 || *count > 4096)
    return false;
  options.threads = static_cast<unsigned>(*count);
  return true;
};
static constexpr auto setDumpKernels = [](CompileOptions &options,
                                          const llvm::json::Value &value) {
  return setString(options.dumpKernels, value);
};

static constexpr auto setCache = [](CompileOptions &options,
                                    const llvm::json::Value &value) {
  return setString(options.cache, value);
};

static constexpr auto setSchedules = [](CompileOptions &options,
                                        const llvm::json::Value &value) {
  return setString(options.schedules, value);
};

static llvm::ArrayRef<Key> keys() {
  static const Key all[] = {
      {"cache", "a string", setCache},
      {"dump_kernels", "a string", setDumpKernels},
      {"pack", "a boolean", setPack},
      {"schedules", "a string", setSchedules},
      {"strict", "a boolean", setStrict},
      {"target", "a string", setTarget},
      {"threads", "an integer from 0 to 4096", setThreads},
  };
  return all;
}

llvm::Expected<CompileOptions> CompileOptions::parse(StringRef json) {
  CompileOptions options;
  if (json.trim().empty())
    return options;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(json);
  if (!value)
    return llvm::createStringError("the options are not JSON: " +
                                   llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return llvm::createStringError("the options must be a JSON object");
  for (const auto &[name, given] : *object) {
    const Key *key =
        llvm::find_if(keys(), [&, name = StringRef(name)](const Key &k) {
          return k.name == name;
        });
    if (key == keys().end()) {
      std::string valid;
      for (const Key &k : keys())
        valid += (valid.empty() ? "'" : ", '") + k.name.str() + "'";
      return llvm::createStringError("unknown option '" + StringRef(name) +
                                     "'; valid ones are " + valid);
    }
    if (!key->set(options, given))
      return llvm::createStringError("option '" + StringRef(name) +
                                     "' must be " + key->type);
  }
  return options;
}

std::string CompileOptions::getContentKey() const {
  std::string key = pack ? "pack;" : ";";
  key += strict ? "strict;" : ";";
  // What the file says, not what it is called; one that cannot be read is an
  // error of the compilation.
  if (!schedules.empty())
    if (auto file = llvm::MemoryBuffer::getFile(schedules))
      key += "schedules " + std::to_string((*file)->getBufferSize()) + ":" +
             (*file)->getBuffer().str();
  return key + ";" + source + "\n";
}
