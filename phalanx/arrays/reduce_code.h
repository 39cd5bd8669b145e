// The code of reduce_kernel.h's kernels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phalanx/arrays/kernel_code.h"
#include "phalanx/numpy/reductions.h"

namespace phalanx::arrays {

// How threads share the work.
enum class ReduceWay : std::uint8_t {
  columns,  // a thread for each kept index: it folds all elements of a chunk
  rows,     // a block for each kept index: its threads fold every n-th element, then each other's
  // As columns, in squares of kept indices. Shared memory keeps what lies across, a part of the
  // elements at a time: operands that are the same for all of a square's rows.
  squares,
};

// A square's side, and the rows of threads that share it.
constexpr std::uint32_t fold_side = 32;
constexpr std::uint32_t fold_rows = 8;
// What shared memory a block may have for one element of each crossed operand.
constexpr std::size_t most_crossed_fold_bytes = 40960 / (fold_side * (fold_side + 1));

// All that decides the code.
struct ReduceForm {
  ProgramForm program;
  std::string name;  // the reduction's
  const numpy::Reduction* reduction = nullptr;
  ReduceWay way = ReduceWay::columns;
  std::size_t kept_loops = 0;
  std::size_t reduced_loops = 0;
  std::uint32_t threads = 256;      // of a block
  std::uint8_t at_once = 1;         // elements that a thread reads before it folds the first
  std::uint8_t wide = 1;            // columns: kept indices of a thread, a block's width apart
  bool whole_blocks_first = false;  // rows: loops of which no thread is out, then the rest
  bool is_split = false;            // into chunks, which have a place each
  bool gives_states = false;        // for a second kernel; else results
  bool is_narrow = true;            // 32 bits count the indices
  bool is_empty = false;            // there is nothing to fold: the identity
  // squares: the accesses whose elements follow each other along the innermost reduced loop
  std::vector<bool> is_crossed = {};

  // The innermost kept loop comes last; else the innermost reduced one.
  bool has_columns() const { return way != ReduceWay::rows; }

  void write_key(KeyWriter& writer) const;
};

// Parameters: kept indices of the outer loops, iterations, iterations of a chunk; kept extents,
// reduced extents; an output for each number of the state, or for the last; the program, whose
// loops are the reduced ones within the kept ones (not with `rows`: the innermost kept one last).
std::shared_ptr<ir::Module> make_reduce_module(const ReduceForm& form);

}  // namespace phalanx::arrays
