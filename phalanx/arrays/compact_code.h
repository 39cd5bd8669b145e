// The code of compact_kernel.h's kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "phalanx/arrays/kernel_code.h"

namespace phalanx::arrays {

// A block takes so many elements that follow each other: each of its warps, of 32 threads, a part,
// of which its threads take one element each, and the next ones after that.
constexpr std::uint32_t compact_threads = 256;
constexpr std::uint32_t compact_rounds = 8;
constexpr std::int64_t compact_block = std::int64_t{compact_threads} * compact_rounds;

// All that decides the code. The program's first result is the mask, the others are what is taken.
struct CompactForm {
  ProgramForm program;
  std::size_t loops = 1;
  bool is_narrow = true;    // 32 bits count the indices
  bool is_counting = true;  // stores how many elements each block has; else moves them
  // A block is one thread, which takes one element after the other: for CPUs.
  bool is_sequential = false;

  void write_key(KeyWriter& writer) const;
};

// Parameters: elements; the extents of the loops; a pointer to each block's count (int32), or to
// where its elements go (int64) and to each output; the program.
std::shared_ptr<ir::Module> make_compact_module(const CompactForm& form);

}  // namespace phalanx::arrays
