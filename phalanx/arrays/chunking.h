// How the space of a program is cut into chunks, so that what each reads of sources fits a buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/program.h"

namespace phalanx::arrays {

// A range of indices along each dimension of a space.
struct Chunk {
  Strides first;
  Strides extents;
  Strides number;  // which one along each dimension
};

// The bytes of one source that a chunk reads by accesses that move alike and overlap.
struct Window {
  std::vector<std::size_t> accesses;
  std::size_t most_bytes = 0;  // of any chunk
};

struct ChunkLimits {
  Order order;                  // dimensions, in the order in which they are cut
  std::vector<bool> is_whole;   // those that must not be cut; empty: none
  std::vector<bool> is_folded;  // those that results lack, which of a chunk follow each other then
  std::size_t item_bytes = 0;   // of an index's result, where chunks have a buffer for results
  std::size_t most_bytes = 0;   // of the windows of a chunk, and what it writes
};

class Chunking {
 public:
  // Nothing where no chunks are small enough, or would read far more than all that is needed.
  static std::optional<Chunking> find(const Program& program, const ChunkLimits& limits);

  // Chunks along each dimension.
  const Strides& counts() const { return counts_; }
  std::int64_t count() const;
  // The last dimension that is cut moves fastest.
  Chunk chunk(std::int64_t number) const;
  std::size_t result_bytes() const { return result_bytes_; }  // at most, of any chunk
  // Where the results of a chunk begin and how many bytes they are, if all results follow each
  // other with the dimensions in the order in which they are cut.
  ByteRange results_of(const Chunk& chunk) const;

  const std::vector<Window>& windows() const { return windows_; }
  // Bytes of the window's source.
  ByteRange range_of(const Program& program, const Window& window, const Chunk& chunk) const;

 private:
  bool cut(const Program& program, const ChunkLimits& limits);
  bool reads_little(const Program& program) const;
  bool writes_one_range(const std::vector<bool>& is_folded) const;
  std::size_t bytes_at(const Program& program, const ChunkLimits& limits, std::int64_t extent);

  Strides space_;
  Order order_;
  Strides extents_;
  Strides counts_;
  std::size_t item_bytes_ = 0;
  std::size_t result_bytes_ = 0;
  std::size_t last_ = 0;  // position in the order of the last dimension that is cut
  std::vector<Window> windows_;
};

// What the program computes at the chunk's indices.
Program part_of(const Program& program, const Chunk& chunk);

}  // namespace phalanx::arrays
