//===- Profile.cpp - What each kernel of a call takes ---------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ourc-run/Profile.h"

#include "runtime/core/ParallelFor.h"
#include "runtime/io/Json.h"
#include "runtime/measure/Peaks.h"

#include <algorithm>

using namespace ourc;
using namespace ourc::run;
using runtime::JsonReader;
using runtime::Text;
using runtime::Vec;

namespace {
/// A kernel of the report, and what its launches in one call took.
struct Kernel {
  int64_t name = 0, strategy = 0, schedule = 0; ///< where they are in `strings`
  bool hasCost = false;
  int64_t flops = 0, flops16 = 0, bytesRead = 0, bytesWritten = 0;
  int64_t launches = 0;
  double seconds = 0;
};

struct Launch {
  int64_t kernel = -1;
  int64_t places = 0, numPlaces = 0; ///< in Description::places
};

/// What the report says of kernels and launches.
class Description {
public:
  /// False where the text is no report that names them.
  bool read(const char *text);
  const char *string(int64_t at) const { return strings.c_str() + at; }

  Vec<Kernel> kernels;
  Vec<Launch> sequence;
  Vec<int64_t> places;

private:
  int64_t readString(JsonReader &json);
  void readCost(JsonReader &json, Kernel &kernel);
  void readKernels(JsonReader &json);
  void readSequence(JsonReader &json);
  void readReport(JsonReader &json);

  Text strings; ///< each with its zero
};
} // namespace

int64_t Description::readString(JsonReader &json) {
  Text value;
  json.readString(value);
  int64_t at = strings.size();
  strings.append(value.c_str(), value.size());
  strings.append("", 1);
  return at;
}

void Description::readCost(JsonReader &json, Kernel &kernel) {
  if (json.peek() != '{') {
    json.skipValue();
    return;
  }
  Text key;
  kernel.hasCost = true;
  json.beginObject();
  while (json.nextKey(key)) {
    auto is = [&](const char *name) { return !std::strcmp(key.c_str(), name); };
    int64_t *number = is("flops")           ? &kernel.flops
                      : is("flops16")       ? &kernel.flops16
                      : is("bytes_read")    ? &kernel.bytesRead
                      : is("bytes_written") ? &kernel.bytesWritten
                                            : nullptr;
    if (number)
      json.readInteger(*number);
    else
      json.skipValue();
  }
}

void Description::readKernels(JsonReader &json) {
  Text key;
  json.beginArray();
  while (json.nextElement()) {
    Kernel kernel;
    json.beginObject();
    while (json.nextKey(key)) {
      auto is = [&](const char *name) {
        return !std::strcmp(key.c_str(), name);
      };
      if (is("name"))
        kernel.name = readString(json);
      else if (is("strategy"))
        kernel.strategy = readString(json);
      else if (is("schedule"))
        kernel.schedule = readString(json);
      else if (is("cost"))
        readCost(json, kernel);
      else
        json.skipValue();
    }
    kernels.push(kernel);
  }
}

void Description::readSequence(JsonReader &json) {
  Text key;
  json.beginArray();
  while (json.nextElement()) {
    Launch launch;
    launch.places = places.size();
    json.beginObject();
    while (json.nextKey(key)) {
      if (!std::strcmp(key.c_str(), "kernel")) {
        json.readInteger(launch.kernel);
      } else if (!std::strcmp(key.c_str(), "locations")) {
        json.beginArray();
        while (json.nextElement())
          places.push(readString(json));
      } else {
        json.skipValue();
      }
    }
    launch.numPlaces = places.size() - launch.places;
    sequence.push(launch);
  }
}

void Description::readReport(JsonReader &json) {
  if (json.peek() != '{') {
    json.skipValue();
    return;
  }
  Text key;
  json.beginObject();
  while (json.nextKey(key)) {
    if (!std::strcmp(key.c_str(), "kernels"))
      readKernels(json);
    else if (!std::strcmp(key.c_str(), "sequence"))
      readSequence(json);
    else
      json.skipValue();
  }
}

bool Description::read(const char *text) {
  strings.append("", 1); // of what is not said
  JsonReader json(text, static_cast<int64_t>(std::strlen(text)));
  Text key;
  json.beginObject();
  while (json.nextKey(key)) {
    if (!std::strcmp(key.c_str(), "report"))
      readReport(json);
    else
      json.skipValue();
  }
  for (const Launch &launch : sequence)
    if (launch.kernel < 0 || launch.kernel >= kernels.size())
      return false;
  return !json.failed() && !sequence.empty();
}

bool Profile::takeCall() {
  const OurcLaunchTime *times = nullptr;
  int64_t count = 0;
  if (!loaded.good(loaded.launchTimes(loaded.model, &times, &count)))
    return false;
  int64_t ofCall = 0, first = 0, last = 0;
  if (calls == 1) // the first one is not needed
    taken.clear(), wholes.clear();
  for (int64_t i = 0; i < count; ++i) {
    if (times[i].launch < 0)
      continue;
    if (ofCall++ == 0)
      first = times[i].begin;
    last = times[i].end;
    taken.push(times[i].end - times[i].begin);
  }
  wholes.push(last - first);
  ++calls;
  if (launches >= 0 && launches != ofCall) {
    std::fprintf(stderr, "ourc-run: calls launch different numbers of kernels, "
                         "so they cannot be profiled\n");
    return false;
  }
  launches = ofCall;
  return true;
}

static int64_t median(Vec<int64_t> &values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

/// The end of a path, and its line.
static const char *shorten(const char *place) {
  const char *slash = std::strrchr(place, '/');
  return slash ? slash + 1 : place;
}

/// " from file.py:3, ...": the places of a kernel's launches, each once.
static void appendPlaces(const Description &description, int64_t kernel,
                         Text &line) {
  constexpr int64_t kMost = 4;
  Vec<const char *> seen;
  for (const Launch &launch : description.sequence) {
    if (launch.kernel != kernel)
      continue;
    for (int64_t p = 0; p < launch.numPlaces; ++p) {
      const char *place =
          description.string(description.places[launch.places + p]);
      bool known = false;
      for (const char *other : seen)
        known |= !std::strcmp(other, place);
      if (!known)
        seen.push(place);
    }
  }
  for (int64_t i = 0; i < seen.size() && i < kMost; ++i) {
    line.append(i ? ", " : " from ");
    line.append(shorten(seen[i]));
  }
  if (seen.size() > kMost)
    line.append(", ...");
}

bool Profile::print() {
  const char *text = loaded.describe(loaded.model);
  Description description;
  if (!text || !description.read(text) ||
      description.sequence.size() != launches) {
    std::fprintf(stderr,
                 "ourc-run: the model's report does not name its launches, so "
                 "they cannot be profiled\n");
    return false;
  }
  int64_t counted = wholes.size();
  double launched = 0;
  for (int64_t i = 0; i < launches; ++i) {
    Vec<int64_t> samples;
    for (int64_t c = 0; c < counted; ++c)
      samples.push(taken[c * launches + i]);
    double seconds = 1e-9 * static_cast<double>(median(samples));
    Kernel &kernel = description.kernels[description.sequence[i].kernel];
    ++kernel.launches;
    kernel.seconds += seconds;
    launched += seconds;
  }
  Vec<int64_t> order;
  for (int64_t k = 0; k < description.kernels.size(); ++k)
    if (description.kernels[k].launches)
      order.push(k);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    double x = description.kernels[a].seconds,
           y = description.kernels[b].seconds;
    return x != y ? x > y : a < b;
  });

  int64_t threads = runtime::threadsInfo().maxThreads;
  runtime::measureFlops(threads); // wakes the threads
  double flops = runtime::measureFlops(threads);
  double flops16 = runtime::measureFlops16(threads);
  double bandwidth = runtime::measureReadBandwidth(threads);
  std::printf("peaks measured: %.0f GFLOP/s f32, %.0f GFLOP/s bf16 pairs, %.1f "
              "GB/s read, %lld threads\n",
              flops / 1e9, flops16 / 1e9, bandwidth / 1e9,
              static_cast<long long>(threads));
  std::printf("call %.3f ms, of it %.3f ms in %lld launches of %lld kernels\n",
              1e-6 * static_cast<double>(median(wholes)), 1e3 * launched,
              static_cast<long long>(launches),
              static_cast<long long>(order.size()));
  std::printf("%9s %6s %5s %9s %8s %7s %8s %7s  kernel\n", "ms", "share",
              "times", "floor ms", "of limit", "limit", "GFLOP/s", "GB/s");
  for (int64_t k : order) {
    const Kernel &kernel = description.kernels[k];
    Text line;
    line.print("%9.3f %5.1f%% %5lld ", 1e3 * kernel.seconds,
               100 * kernel.seconds / launched,
               static_cast<long long>(kernel.launches));
    if (kernel.hasCost && bandwidth > 0) {
      auto times = static_cast<double>(kernel.launches);
      double narrow = flops16 > 0 ? flops16 : flops;
      double compute = static_cast<double>(kernel.flops) / flops +
                       static_cast<double>(kernel.flops16) / narrow;
      auto bytes = static_cast<double>(kernel.bytesRead + kernel.bytesWritten);
      double memory = bytes / bandwidth;
      double floor = times * std::max(compute, memory);
      line.print("%9.3f %8.2f %7s %8.1f %7.1f", 1e3 * floor,
                 floor / kernel.seconds,
                 compute >= memory ? "compute" : "memory",
                 times * static_cast<double>(kernel.flops + kernel.flops16) /
                     kernel.seconds / 1e9,
                 times * bytes / kernel.seconds / 1e9);
    } else {
      line.print("%42s", "");
    }
    line.print("  %s: %s\n%12s%s", description.string(kernel.name),
               description.string(kernel.strategy), "",
               description.string(kernel.schedule));
    appendPlaces(description, k, line);
    std::printf("%s\n", line.c_str());
  }
  return true;
}
