// Memory of columns that grow while other threads know where it is.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "phalanx/frames/csv_reader.h"

namespace phalanx::frames::csv {

// Zeros at first. What nobody has written to takes no memory of the machine, where it is large.
class Memory {
 public:
  Memory() = default;
  // `huge`: pages of 2 MiB are wanted, where the rest of the last one does not matter.
  Memory(std::size_t size, bool huge);
  Memory(Memory&& other) noexcept { swap(other); }
  Memory& operator=(Memory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Memory();

  template <typename T = char>
  T* as() const {
    return static_cast<T*>(data_);
  }
  std::size_t size() const { return size_; }

  // May move it; what is new is zero. Throws std::bad_alloc.
  void grow(std::size_t size);
  // Gives back what is after `size`, and hands the memory on; it is empty then.
  Block release(std::size_t size);

 private:
  void swap(Memory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(huge_, other.huge_);
  }

  void* data_ = nullptr;
  std::size_t size_ = 0;
  bool huge_ = false;
};

}  // namespace phalanx::frames::csv
