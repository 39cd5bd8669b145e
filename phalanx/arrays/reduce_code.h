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
};

// All that decides the code.
struct ReduceForm {
  ProgramForm program;
  std::string name;  // the reduction's
  const numpy::Reduction* reduction = nullptr;
  ReduceWay way = ReduceWay::columns;
  std::size_t kept_loops = 0;
  std::size_t reduced_loops = 0;
  std::uint32_t threads = 256;  // of a block
  std::uint8_t at_once = 1;     // elements that a thread reads before it folds the first
  bool is_split = false;        // states are stored, of each chunk, for a second kernel
  bool is_narrow = true;        // 32 bits count the indices
  bool is_empty = false;        // there is nothing to fold: the identity

  void write_key(KeyWriter& writer) const;
};

// Parameters: kept indices of the outer loops, iterations, iterations of a chunk; kept extents,
// reduced extents; an output for each number of the state, or for the last; the program, whose
// loops are the reduced ones within the kept ones (`columns`: the innermost kept one last).
std::shared_ptr<ir::Module> make_reduce_module(const ReduceForm& form);

}  // namespace phalanx::arrays
