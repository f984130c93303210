//===- Vec.h - A growing array over malloc --------------------------------===//
//
// Part of ourc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's only container: an array of plain data over malloc, because an
// artifact must not need the C++ library. It is for bookkeeping, small against
// the tensors; when no memory is left for it the process ends with a message.
// Memory for tensors is core/Block.h's and reports exhaustion to the caller.
//
//===----------------------------------------------------------------------===//

#ifndef OURC_RUNTIME_SUPPORT_VEC_H
#define OURC_RUNTIME_SUPPORT_VEC_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace ourc::runtime {

/// Ends the process: no memory for `bytes` of bookkeeping.
[[noreturn]] inline void outOfMemory(uint64_t bytes) {
  std::fprintf(stderr, "ourc: out of memory (%llu bytes)\n",
               static_cast<unsigned long long>(bytes));
  std::abort();
}

template <typename T> class Vec {
  static_assert(std::is_trivially_copyable<T>::value &&
                    std::is_trivially_destructible<T>::value,
                "elements are moved by realloc and never destroyed");

public:
  Vec() = default;
  Vec(const Vec &) = delete;
  Vec &operator=(const Vec &) = delete;
  Vec(Vec &&other) { swap(other); }
  Vec &operator=(Vec &&other) {
    swap(other);
    return *this;
  }
  ~Vec() { std::free(items); }

  void swap(Vec &other) {
    T *otherItems = other.items;
    int64_t otherCount = other.count, otherRoom = other.room;
    other.items = items, other.count = count, other.room = room;
    items = otherItems, count = otherCount, room = otherRoom;
  }

  int64_t size() const { return count; }
  bool empty() const { return count == 0; }
  T *data() { return items; }
  const T *data() const { return items; }
  T &operator[](int64_t index) { return items[index]; }
  const T &operator[](int64_t index) const { return items[index]; }
  T *begin() { return items; }
  T *end() { return items + count; }
  const T *begin() const { return items; }
  const T *end() const { return items + count; }
  T &back() { return items[count - 1]; }
  void clear() { count = 0; }

  void reserve(int64_t wanted) {
    if (wanted <= room)
      return;
    uint64_t bytes;
    if (wanted < 0 || __builtin_mul_overflow(static_cast<uint64_t>(wanted),
                                             sizeof(T), &bytes))
      outOfMemory(UINT64_MAX);
    void *grown = std::realloc(static_cast<void *>(items), bytes);
    if (!grown)
      outOfMemory(bytes);
    items = static_cast<T *>(grown);
    room = wanted;
  }

  /// New elements are zero bytes.
  void resize(int64_t wanted) {
    reserve(wanted);
    if (wanted > count)
      std::memset(static_cast<void *>(items + count), 0,
                  static_cast<uint64_t>(wanted - count) * sizeof(T));
    count = wanted;
  }

  void push(const T &item) {
    T copy = item; // `item` may be an element of this array
    if (count == room)
      reserve(room ? room * 2 : 8);
    items[count++] = copy;
  }

  void insert(int64_t index, const T &item) {
    push(item);
    T last = items[count - 1];
    std::memmove(static_cast<void *>(items + index + 1), items + index,
                 static_cast<uint64_t>(count - 1 - index) * sizeof(T));
    items[index] = last;
  }

private:
  T *items = nullptr;
  int64_t count = 0;
  int64_t room = 0;
};

} // namespace ourc::runtime

#endif // OURC_RUNTIME_SUPPORT_VEC_H
