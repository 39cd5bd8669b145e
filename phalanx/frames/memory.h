// Memory of numbers in the host, not initialised, from the CPU device's pool.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "phalanx/runtime/buffer.h"
#include "phalanx/runtime/device.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// The pool keeps what is given back: fresh pages take longer to touch than most steps of a
// group-by. Throws OutOfMemoryError.
template <typename T>
class Memory {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Memory() = default;
  Memory(runtime::Runtime& runtime, std::int64_t size)
      : buffer_(runtime.cpu().allocate(
            std::max<std::size_t>(static_cast<std::size_t>(size) * sizeof(T), 1))),
        size_(size) {}

  T* data() { return static_cast<T*>(buffer_.host()); }
  const T* data() const { return static_cast<const T*>(buffer_.host()); }
  std::int64_t size() const { return size_; }
  T& operator[](std::int64_t i) { return data()[i]; }
  const T& operator[](std::int64_t i) const { return data()[i]; }
  // Fewer from now on; the rest stays allocated.
  void shorten(std::int64_t size) { size_ = size; }
  runtime::Buffer take_buffer() { return std::move(buffer_); }

 private:
  runtime::Buffer buffer_;
  std::int64_t size_ = 0;
};

}  // namespace phalanx::frames
