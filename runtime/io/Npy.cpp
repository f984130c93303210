//===- Npy.cpp - Arrays in .npy files -------------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Npy.h"

#include "runtime/abi/Model.h"
#include "runtime/io/OutputFile.h"
#include "runtime/support/DType.h"
#include "runtime/support/Failure.h"

using namespace ourc::runtime;

namespace {

constexpr char magic[] = "\x93NUMPY";
constexpr int64_t magicBytes = 6;

long long number(int64_t value) { return value; }

/// Reads the header's dictionary: strings, True, False, tuples of integers.
class HeaderParser {
public:
  HeaderParser(const char *text, int64_t length)
      : at(text), end(text + length) {}

  /// What is wrong, or null.
  const char *parse(NpyArray &array, bool &fortran);

private:
  const char *readString(char *text, int64_t room);
  const char *readShape(NpyArray &array);
  bool readSize(int64_t &size);
  void skipBlanks() {
    while (at != end && (*at == ' ' || *at == '\n' || *at == '\t'))
      ++at;
  }
  bool take(char letter) {
    skipBlanks();
    if (at == end || *at != letter)
      return false;
    ++at;
    return true;
  }
  bool takeWord(const char *word) {
    skipBlanks();
    int64_t length = static_cast<int64_t>(std::strlen(word));
    if (end - at < length ||
        std::memcmp(at, word, static_cast<uint64_t>(length)) != 0)
      return false;
    at += length;
    return true;
  }

  const char *at, *end;
};

const char *HeaderParser::readString(char *text, int64_t room) {
  skipBlanks();
  if (at == end || (*at != '\'' && *at != '"'))
    return "expected a string";
  char quote = *at++;
  int64_t length = 0;
  for (; at != end && *at != quote; ++at) {
    if (*at == '\\' || *at == 0 || *at == '\n' || length + 1 == room)
      return "a string that is none of ours";
    text[length++] = *at;
  }
  text[length] = 0;
  if (at == end)
    return "a string does not end";
  ++at;
  return nullptr;
}

bool HeaderParser::readSize(int64_t &size) {
  skipBlanks();
  if (at == end || *at < '0' || *at > '9')
    return false;
  size = 0;
  for (; at != end && *at >= '0' && *at <= '9'; ++at)
    if (__builtin_mul_overflow(size, 10, &size) ||
        __builtin_add_overflow(size, *at - '0', &size))
      return false;
  if (at != end && *at == 'L') // Python 2 wrote long integers like this
    ++at;
  return true;
}

const char *HeaderParser::readShape(NpyArray &array) {
  if (!take('('))
    return "expected a tuple as shape";
  array.rank = 0;
  while (!take(')')) {
    if (array.rank == OURC_MAX_RANK)
      return "too many dimensions";
    if (!readSize(array.shape[array.rank]))
      return "expected a size in shape";
    ++array.rank;
    if (!take(',')) {
      if (!take(')'))
        return "expected ',' or ')' in shape";
      break;
    }
  }
  return nullptr;
}

const char *HeaderParser::parse(NpyArray &array, bool &fortran) {
  bool hasDescr = false, hasOrder = false, hasShape = false;
  if (!take('{'))
    return "expected a dictionary";
  while (!take('}')) {
    char key[16];
    if (const char *error = readString(key, sizeof(key)))
      return error;
    if (!take(':'))
      return "expected ':'";
    if (!std::strcmp(key, "descr")) {
      if (take('['))
        return "a structured type, must be a plain one";
      if (const char *error = readString(array.descr, sizeof(array.descr)))
        return error;
      hasDescr = true;
    } else if (!std::strcmp(key, "fortran_order")) {
      fortran = takeWord("True");
      if (!fortran && !takeWord("False"))
        return "expected True or False";
      hasOrder = true;
    } else if (!std::strcmp(key, "shape")) {
      if (const char *error = readShape(array))
        return error;
      hasShape = true;
    } else {
      return "an unknown key";
    }
    if (!take(',')) {
      if (!take('}'))
        return "expected ',' or '}'";
      break;
    }
  }
  skipBlanks();
  if (at != end)
    return "text after the dictionary";
  if (!hasDescr || !hasOrder || !hasShape)
    return "descr, fortran_order or shape is missing";
  return nullptr;
}

/// The element types that NumPy has, as it writes them.
struct Name {
  int32_t dtype;
  const char *descr;
};
constexpr Name names[] = {
    {OURC_F64, "<f8"}, {OURC_F32, "<f4"}, {OURC_F16, "<f2"}, {OURC_BF16, "<V2"},
    {OURC_I64, "<i8"}, {OURC_I32, "<i4"}, {OURC_I16, "<i2"}, {OURC_I8, "|i1"},
    {OURC_U8, "|u1"},  {OURC_BOOL, "|b1"}};

/// Bytes of an element of this type; 0: none that can be read.
int64_t resolveType(NpyArray &array) {
  const char *descr = array.descr;
  bool wide = descr[0] == '<' || descr[0] == '=';
  if (!wide && descr[0] != '|')
    return 0;
  const char *kind = descr + 1;
  if (!std::strcmp(kind, "V2") || (wide && !std::strcmp(kind, "u2"))) {
    array.rawTwoBytes = true;
    return 2;
  }
  for (const Name &name : names)
    if (!std::strcmp(kind, name.descr + 1) && (wide || name.descr[0] == '|')) {
      array.dtype = name.dtype;
      return dtypeBytes(name.dtype);
    }
  return 0;
}

} // namespace

int32_t NpyArray::parse(const char *path) {
  auto bytesAt = [&](int64_t position, int count) {
    int64_t value = 0;
    for (int i = count - 1; i >= 0; --i)
      value =
          value << 8 | static_cast<unsigned char>(file.data()[position + i]);
    return value;
  };
  if (file.size() < magicBytes + 4 ||
      std::memcmp(file.data(), magic, magicBytes) != 0)
    return fail(OURC_ERROR_ARGUMENT, "'%s' is no .npy file", path);
  int major = static_cast<unsigned char>(file.data()[magicBytes]);
  if (major < 1 || major > 3)
    return fail(OURC_ERROR_ARGUMENT,
                "'%s' has version %d of the .npy format, must be 1, 2 or 3",
                path, major);
  int64_t lengthBytes = major == 1 ? 2 : 4;
  int64_t headerAt = magicBytes + 2 + lengthBytes;
  if (file.size() < headerAt ||
      file.size() - headerAt <
          bytesAt(magicBytes + 2, static_cast<int>(lengthBytes)))
    return fail(OURC_ERROR_ARGUMENT, "'%s' is cut short", path);
  int64_t headerBytes = bytesAt(magicBytes + 2, static_cast<int>(lengthBytes));

  bool fortran = false;
  if (const char *error = HeaderParser(file.data() + headerAt, headerBytes)
                              .parse(*this, fortran))
    return fail(OURC_ERROR_ARGUMENT, "'%s': malformed header: %s", path, error);
  int64_t bytes = resolveType(*this);
  if (!bytes)
    return fail(OURC_ERROR_ARGUMENT, "'%s' has elements of type '%s': %s", path,
                descr,
                descr[0] == '>' ? "big-endian, must be little-endian"
                                : "no tensor has them");

  int64_t stride = 1;
  bool overflow = false, empty = false;
  for (int32_t i = 0; i < rank; ++i) {
    int32_t dim = fortran ? i : rank - 1 - i;
    strides[dim] = stride;
    empty |= shape[dim] == 0;
    overflow |= __builtin_mul_overflow(stride, shape[dim], &stride);
  }
  overflow |= __builtin_mul_overflow(bytes, stride, &bytes);
  int64_t present = file.size() - headerAt - headerBytes;
  if (empty)
    bytes = 0;
  else if (overflow)
    bytes = INT64_MAX;
  if (bytes > present)
    return fail(OURC_ERROR_ARGUMENT,
                "'%s' is cut short: its shape takes %lld bytes, it has %lld",
                path, number(bytes), number(present));
  data = file.data() + headerAt + headerBytes;
  return OURC_OK;
}

int32_t NpyArray::open(const char *path) {
  dtype = -1;
  rawTwoBytes = false;
  rank = 0;
  data = nullptr;
  if (int32_t status = file.open(path, MappedFile::Access::privateWrite,
                                 OURC_ERROR_ARGUMENT))
    return status;
  return parse(path);
}

int32_t ourc::runtime::writeNpy(const char *path, int32_t dtype, int32_t rank,
                                const int64_t *shape, const void *data) {
  Text header;
  int64_t bytes = dtypeBytes(dtype);
  for (const Name &name : names)
    if (name.dtype == dtype)
      header.print("{'descr': '%s', 'fortran_order': False, 'shape': (",
                   name.descr);
  for (int32_t i = 0; i < rank; ++i) {
    header.print(rank == 1 ? "%lld," : i ? ", %lld" : "%lld", number(shape[i]));
    bytes *= shape[i];
  }
  header.append("), }");
  // The data begins at a multiple of 64; the header ends with a new line.
  constexpr int64_t prefixBytes = magicBytes + 4;
  while ((prefixBytes + header.size() + 1) % 64)
    header.append(' ');
  header.append('\n');
  char prefix[prefixBytes] = {};
  std::memcpy(prefix, magic, magicBytes);
  prefix[magicBytes] = 1;
  prefix[magicBytes + 2] = static_cast<char>(header.size() & 255);
  prefix[magicBytes + 3] = static_cast<char>(header.size() >> 8);

  OutputFile file;
  if (int32_t status = file.open(path, OURC_ERROR_ARGUMENT))
    return status;
  file.write(prefix, prefixBytes);
  file.write(header.c_str(), header.size());
  file.write(data, bytes);
  return file.close();
}
