//===- ModelTuner.cpp - Measures the schedules of a program's kernels -----===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ourc-tune/ModelTuner.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace ourc;
using namespace ourc::tune;
namespace json = llvm::json;

/// A candidate must take less than this share of the compiler's choice to be
/// tried again, and must do so again to be kept.
static constexpr double kWorthTrying = 0.97, kWorthKeeping = 0.98;
/// Candidates measured from one measurement of the compiler's choice to the
/// next, and how often the chosen ones are measured again.
static constexpr unsigned kBetween = 3, kAgain = 5;

namespace {
/// One kernel on its way.
struct Tuned {
  const KernelCandidates *kernel;
  unsigned best = 0; ///< among its schedules
  double ratio = 1;  ///< of its time to that of the first
  double seconds = 0, ownSeconds = 0;
};
} // namespace

static json::Object makeEntry(const KernelCandidates &kernel,
                              unsigned schedule) {
  return json::Object{{"kernel", kernel.key},
                      {"name", kernel.name},
                      {"schedule", kernel.schedules[schedule]}};
}

static json::Value makeFile(json::Array entries) {
  return json::Object{{"schedules", std::move(entries)}};
}

llvm::Expected<llvm::sys::fs::TempFile> tune::createTempFile() {
  llvm::SmallString<128> path;
  llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, path);
  llvm::sys::path::append(path, "ourc-tune-%%%%%%%%.json");
  return llvm::sys::fs::TempFile::create(path);
}

/// Measures with the schedules `entries`, written to a file that is gone
/// afterwards.
static llvm::Expected<Times> measureWith(json::Array entries,
                                         MeasureApart measureApart) {
  if (entries.empty())
    return measureApart("");
  llvm::Expected<llvm::sys::fs::TempFile> file = createTempFile();
  if (!file)
    return file.takeError();
  llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
  os << makeFile(std::move(entries));
  os.flush();
  llvm::Expected<Times> times = measureApart(file->TmpName);
  llvm::consumeError(file->discard());
  return times;
}

static double getTime(const Times &times, const KernelCandidates &kernel) {
  auto found = times.kernels.find(kernel.name);
  return found == times.kernels.end() ? 0 : found->second;
}

static double median(std::vector<double> values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

llvm::Expected<json::Value>
tune::tuneModel(llvm::ArrayRef<KernelCandidates> kernels,
                MeasureApart measureApart) {
  std::vector<Tuned> all;
  size_t most = 0;
  for (const KernelCandidates &kernel : kernels) {
    all.push_back({&kernel});
    most = std::max(most, kernel.schedules.size());
  }
  llvm::errs() << llvm::formatv("{0} kernels, at most {1} schedules each\n",
                                kernels.size(), most);

  // Every candidate between two measurements of the compiler's own choice.
  llvm::Expected<Times> before = measureApart("");
  if (!before)
    return before.takeError();
  llvm::errs() << llvm::formatv("own choice: {0:f3} ms a call\n",
                                1e3 * before->call);
  for (size_t first = 1; first < most; first += kBetween) {
    std::vector<std::pair<unsigned, Times>> tried;
    for (size_t c = first; c < std::min(most, first + kBetween); ++c) {
      json::Array entries;
      for (const KernelCandidates &kernel : kernels)
        if (c < kernel.schedules.size())
          entries.push_back(makeEntry(kernel, c));
      llvm::Expected<Times> times =
          measureWith(std::move(entries), measureApart);
      if (!times)
        return times.takeError();
      llvm::errs() << llvm::formatv("candidates {0}: {1:f3} ms a call\n", c,
                                    1e3 * times->call);
      tried.push_back({c, std::move(*times)});
    }
    llvm::Expected<Times> after = measureApart("");
    if (!after)
      return after.takeError();
    for (auto &[c, times] : tried)
      for (Tuned &tuned : all) {
        double own =
            (getTime(*before, *tuned.kernel) + getTime(*after, *tuned.kernel)) /
            2;
        double seconds = getTime(times, *tuned.kernel);
        if (c < tuned.kernel->schedules.size() && own > 0 && seconds > 0 &&
            seconds < tuned.ratio * own) {
          tuned.ratio = seconds / own;
          tuned.best = c;
        }
      }
    before = std::move(after);
  }

  // The best ones together, in turns with the compiler's choice.
  std::vector<Tuned *> chosen;
  for (Tuned &tuned : all)
    if (tuned.best != 0 && tuned.ratio < kWorthTrying)
      chosen.push_back(&tuned);
  if (chosen.empty())
    return makeFile({});
  auto makeEntries = [&] {
    json::Array entries;
    for (Tuned *tuned : chosen)
      entries.push_back(makeEntry(*tuned->kernel, tuned->best));
    return entries;
  };
  std::vector<Times> own, given;
  for (unsigned i = 0; i < kAgain; ++i) {
    llvm::Expected<Times> without = measureApart("");
    if (!without)
      return without.takeError();
    llvm::Expected<Times> with = measureWith(makeEntries(), measureApart);
    if (!with)
      return with.takeError();
    own.push_back(std::move(*without));
    given.push_back(std::move(*with));
  }
  auto medianOf = [](const std::vector<Times> &times, const Tuned &tuned) {
    std::vector<double> seconds;
    for (const Times &one : times)
      seconds.push_back(getTime(one, *tuned.kernel));
    return median(std::move(seconds));
  };
  auto extreme = [](const std::vector<Times> &times, const Tuned &tuned,
                    bool greatest) {
    double found = getTime(times.front(), *tuned.kernel);
    for (const Times &one : times)
      found = greatest ? std::max(found, getTime(one, *tuned.kernel))
                       : std::min(found, getTime(one, *tuned.kernel));
    return found;
  };
  json::Array entries;
  for (Tuned *tuned : chosen) {
    tuned->ownSeconds = medianOf(own, *tuned);
    tuned->seconds = medianOf(given, *tuned);
    // Every time of the new schedule beats every one of the other.
    bool keep = tuned->seconds < kWorthKeeping * tuned->ownSeconds &&
                extreme(given, *tuned, /*greatest=*/true) <
                    extreme(own, *tuned, /*greatest=*/false);
    llvm::errs() << llvm::formatv("{0}: {1:f1} us, own choice {2:f1} us{3}\n",
                                  tuned->kernel->name, 1e6 * tuned->seconds,
                                  1e6 * tuned->ownSeconds,
                                  keep ? "" : ": not kept");
    if (!keep)
      continue;
    json::Object entry = makeEntry(*tuned->kernel, tuned->best);
    entry["us"] = 1e6 * tuned->seconds;
    entry["own_us"] = 1e6 * tuned->ownSeconds;
    entries.push_back(std::move(entry));
  }
  return makeFile(std::move(entries));
}
