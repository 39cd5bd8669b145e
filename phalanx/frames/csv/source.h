// Where text comes from, by place.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace phalanx::frames::csv {

// Bytes of any value that may be read before and after a text: loads of vectors pass its ends.
inline constexpr std::size_t padding = 64;

// A buffer that keeps its memory from one use to the next.
class Scratch {
 public:
  // `size` bytes with padding around them, of any value.
  char* reserve(std::size_t size);

 private:
  std::unique_ptr<char[]> memory_;
  std::size_t size_ = 0;
};

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  virtual std::int64_t size() const = 0;
  // The bytes [first, last), padded; in `scratch` or elsewhere. Threads may call it at once. Throws
  // SourceError when they are not there any more.
  virtual const char* fetch(std::int64_t first, std::int64_t last, Scratch& scratch) const = 0;
  // Puts the bytes [first, last) to `to`, in the same way.
  virtual void read(std::int64_t first, std::int64_t last, char* to) const = 0;
  // Throws SourceError when the text is not what it was at first.
  virtual void check() const = 0;
};

}  // namespace phalanx::frames::csv
