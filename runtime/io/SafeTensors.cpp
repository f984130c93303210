//===- SafeTensors.cpp - Weights in a .safetensors file -------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/io/SafeTensors.h"

#include "runtime/abi/ProgramABI.h"
#include "runtime/io/Json.h"
#include "runtime/io/OutputFile.h"
#include "runtime/support/DType.h"
#include "runtime/support/Failure.h"

#include <algorithm>
#include <cstdarg>

using namespace ourc::runtime;

namespace {

/// The specification's limit.
constexpr uint64_t maxHeaderBytes = 100'000'000;

/// Reads the header; positions in pools stand for pointers until all is read.
class HeaderParser {
public:
  HeaderParser(const char *path, const char *header, int64_t headerBytes,
               int64_t dataBytes)
      : path(path), json(header, headerBytes), dataBytes(dataBytes) {}

  struct Entry {
    int64_t name, dtypeName, shape; // positions in the pools
    int32_t rank;
    int64_t begin, end;
  };
  int32_t parse();

  Text names;
  Vec<int64_t> sizes;
  Vec<Entry> entries;

private:
  __attribute__((format(printf, 2, 3))) int32_t bad(const char *format, ...);
  int32_t parseTensor(const Text &name);
  int32_t parseShape(Entry &entry, const Text &name);
  int64_t pool(const Text &text) {
    int64_t position = names.size();
    names.append(text.c_str(), text.size() + 1);
    return position;
  }

  const char *path;
  JsonReader json;
  int64_t dataBytes;
};

long long number(int64_t value) { return value; }

int32_t HeaderParser::bad(const char *format, ...) {
  if (json.failed())
    return fail(OURC_ERROR_WEIGHTS,
                "'%s': malformed header: %s at byte %lld of the header", path,
                json.error(), number(json.errorOffset()));
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  return fail(OURC_ERROR_WEIGHTS, "'%s': %s", path, text);
}

int32_t HeaderParser::parseShape(Entry &entry, const Text &name) {
  entry.shape = sizes.size();
  if (!json.beginArray())
    return bad("tensor '%s': no shape", name.c_str());
  while (json.nextElement()) {
    int64_t size;
    if (!json.readInteger(size))
      return bad("tensor '%s': no size", name.c_str());
    if (size < 0)
      return bad("tensor '%s': a size of %lld", name.c_str(), number(size));
    sizes.push(size);
  }
  if (sizes.size() - entry.shape > OURC_MAX_RANK)
    return bad("tensor '%s' has rank %lld, must be at most %d", name.c_str(),
               number(sizes.size() - entry.shape), OURC_MAX_RANK);
  entry.rank = static_cast<int32_t>(sizes.size() - entry.shape);
  return OURC_OK;
}

int32_t HeaderParser::parseTensor(const Text &name) {
  Entry entry = {pool(name), -1, -1, 0, -1, -1};
  Text key, dtype;
  if (!json.beginObject())
    return bad("tensor '%s' is no object", name.c_str());
  while (json.nextKey(key)) {
    if (!std::strcmp(key.c_str(), "dtype")) {
      if (!json.readString(dtype))
        return bad("no type");
      entry.dtypeName = pool(dtype);
    } else if (!std::strcmp(key.c_str(), "shape")) {
      if (int32_t status = parseShape(entry, name))
        return status;
    } else if (!std::strcmp(key.c_str(), "data_offsets")) {
      if (!json.beginArray() || !json.nextElement() ||
          !json.readInteger(entry.begin) || !json.nextElement() ||
          !json.readInteger(entry.end) || json.nextElement())
        return bad("tensor '%s': data_offsets must be two numbers",
                   name.c_str());
    } else {
      json.skipValue();
    }
  }
  if (json.failed())
    return bad("malformed");
  const char *missing = entry.dtypeName < 0 ? "dtype"
                        : entry.shape < 0   ? "shape"
                        : entry.begin < 0   ? "data_offsets"
                                            : nullptr;
  if (missing)
    return bad("tensor '%s' has no %s", name.c_str(), missing);
  if (entry.end < entry.begin || entry.end > dataBytes)
    return bad("tensor '%s': its data, bytes %lld to %lld, is not inside the "
               "file's %lld bytes of data",
               name.c_str(), number(entry.begin), number(entry.end),
               number(dataBytes));
  int32_t type = dtypeFromSafeTensors(dtype.c_str());
  if (type >= 0) {
    int64_t bytes = dtypeBytes(type);
    bool overflow = false, empty = false;
    for (int32_t i = 0; i < entry.rank; ++i) {
      empty |= sizes[entry.shape + i] == 0;
      overflow |= __builtin_mul_overflow(bytes, sizes[entry.shape + i], &bytes);
    }
    if (empty)
      bytes = 0;
    else if (overflow)
      bytes = INT64_MAX;
    if (bytes != entry.end - entry.begin)
      return bad("tensor '%s': its data has %lld bytes, its shape and type %s "
                 "take %lld",
                 name.c_str(), number(entry.end - entry.begin), dtype.c_str(),
                 number(bytes));
  }
  entries.push(entry);
  return OURC_OK;
}

int32_t HeaderParser::parse() {
  Text key;
  if (!json.beginObject())
    return bad("the header is no object");
  while (json.nextKey(key)) {
    if (!std::strcmp(key.c_str(), "__metadata__")) {
      if (!json.skipValue())
        return bad("malformed metadata");
    } else if (int32_t status = parseTensor(key)) {
      return status;
    }
  }
  json.expectEnd();
  if (json.failed())
    return bad("malformed");

  Entry *begin = entries.begin(), *end = entries.end();
  std::sort(begin, end, [](const Entry &a, const Entry &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  auto name = [&](const Entry &entry) { return names.c_str() + entry.name; };
  for (int64_t i = 1; i < entries.size(); ++i)
    if (entries[i].begin < entries[i - 1].end &&
        entries[i].begin != entries[i].end)
      return bad("tensors '%s' and '%s' overlap", name(entries[i - 1]),
                 name(entries[i]));
  std::sort(begin, end, [&](const Entry &a, const Entry &b) {
    return std::strcmp(name(a), name(b)) < 0;
  });
  for (int64_t i = 1; i < entries.size(); ++i)
    if (!std::strcmp(name(entries[i - 1]), name(entries[i])))
      return bad("tensor '%s' is there twice", name(entries[i]));
  return OURC_OK;
}

} // namespace

int32_t SafeTensors::parse(const char *path) {
  uint64_t headerBytes = 0;
  if (file.size() < 8)
    return fail(OURC_ERROR_WEIGHTS,
                "'%s' has %lld bytes, too few for a .safetensors file", path,
                number(file.size()));
  for (int i = 7; i >= 0; --i)
    headerBytes = headerBytes << 8 | static_cast<unsigned char>(file.data()[i]);
  uint64_t rest = static_cast<uint64_t>(file.size()) - 8;
  if (headerBytes > rest || headerBytes > maxHeaderBytes)
    return fail(OURC_ERROR_WEIGHTS,
                "'%s' is no .safetensors file, or is cut short: a header of "
                "%llu bytes in a file of %lld",
                path, static_cast<unsigned long long>(headerBytes),
                number(file.size()));
  const char *header = file.data() + 8;
  const char *data = header + headerBytes;
  HeaderParser parser(path, header, static_cast<int64_t>(headerBytes),
                      static_cast<int64_t>(rest - headerBytes));
  if (int32_t status = parser.parse())
    return status;
  names.swap(parser.names);
  sizes.swap(parser.sizes);
  for (const HeaderParser::Entry &entry : parser.entries) {
    const char *dtype = names.c_str() + entry.dtypeName;
    tensors.push({names.c_str() + entry.name, dtype,
                  dtypeFromSafeTensors(dtype), entry.rank,
                  sizes.data() + entry.shape, data + entry.begin,
                  entry.end - entry.begin});
  }
  return OURC_OK;
}

int32_t SafeTensors::open(const char *path) {
  names.clear();
  sizes.clear();
  tensors.clear();
  if (int32_t status =
          file.open(path, MappedFile::Access::read, OURC_ERROR_WEIGHTS))
    return status;
  int32_t status = parse(path);
  if (status)
    file.close();
  return status;
}

const SafeTensor *SafeTensors::find(const char *name) const {
  const SafeTensor *found =
      std::lower_bound(tensors.begin(), tensors.end(), name,
                       [](const SafeTensor &tensor, const char *wanted) {
                         return std::strcmp(tensor.name, wanted) < 0;
                       });
  return found != tensors.end() && !std::strcmp(found->name, name) ? found
                                                                   : nullptr;
}

void SafeTensors::swap(SafeTensors &other) {
  file.swap(other.file);
  names.swap(other.names);
  sizes.swap(other.sizes);
  tensors.swap(other.tensors);
}

int32_t ourc::runtime::writeSafeTensors(const char *path,
                                        const SafeTensorSource *tensors,
                                        int64_t count) {
  Text header;
  header.append('{');
  Vec<int64_t> bytes;
  int64_t offset = 0;
  for (int64_t i = 0; i < count; ++i) {
    const SafeTensorSource &tensor = tensors[i];
    int64_t size = dtypeBytes(tensor.dtype);
    header.append(i ? "," : "");
    printJsonString(tensor.name, header);
    header.print(":{\"dtype\":\"%s\",\"shape\":[",
                 dtypeSafeTensorsName(tensor.dtype));
    for (int32_t d = 0; d < tensor.rank; ++d) {
      header.print(d ? ",%lld" : "%lld", number(tensor.shape[d]));
      size *= tensor.shape[d];
    }
    header.print("],\"data_offsets\":[%lld,%lld]}", number(offset),
                 number(offset + size));
    bytes.push(size);
    offset += size;
  }
  header.append('}');
  while ((header.size() + 8) % 64)
    header.append(' ');
  char length[8];
  for (int i = 0; i < 8; ++i)
    length[i] = static_cast<char>(header.size() >> (8 * i));

  OutputFile file;
  if (int32_t status = file.open(path, OURC_ERROR_WEIGHTS))
    return status;
  file.write(length, 8);
  file.write(header.c_str(), header.size());
  for (int64_t i = 0; i < count; ++i)
    file.write(tensors[i].data, bytes[i]);
  return file.close();
}
