// Memory of numbers in the host, not initialised, in huge pages where it is long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "phalanx/base/export.h"

namespace phalanx::frames {

// Aligned to a cache line; given back by std::free. Throws std::bad_alloc.
PHX_API void* allocate_bytes(std::size_t bytes);

struct FreeBytes {
  void operator()(void* bytes) const noexcept;
};

template <typename T>
class Memory {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Memory() = default;
  explicit Memory(std::int64_t size)
      : data_(static_cast<T*>(allocate_bytes(static_cast<std::size_t>(size) * sizeof(T)))),
        size_(size) {}

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::int64_t size() const { return size_; }
  T& operator[](std::int64_t i) { return data_.get()[i]; }
  const T& operator[](std::int64_t i) const { return data_.get()[i]; }
  // Fewer from now on; the rest stays allocated.
  void shorten(std::int64_t size) { size_ = size; }
  // The caller is to give it back by std::free.
  T* release() { return data_.release(); }

 private:
  std::unique_ptr<T, FreeBytes> data_;
  std::int64_t size_ = 0;
};

}  // namespace phalanx::frames
