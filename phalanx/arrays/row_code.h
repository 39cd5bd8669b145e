// The code of row_kernel.h's kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "phalanx/arrays/kernel_code.h"

namespace phalanx::arrays {

// All that decides the code.
struct RowForm {
  ProgramForm program;
  std::span<const OperandForm> outputs;
  std::size_t kept_loops = 0;
  std::size_t row_loops = 0;
  std::uint32_t threads = 256;      // of a block, which has one row
  std::uint8_t at_once = 1;         // elements that a thread reads before it folds the first
  bool whole_blocks_first = false;  // loops of which no thread is out, then the rest
  bool is_narrow = true;            // 32 bits count the indices

  void write_key(KeyWriter& writer) const;
};

// Parameters: the elements of a row; the extents of the kept loops, of those of a row; the outputs;
// the program, whose loops are those of a row within the kept ones.
std::shared_ptr<ir::Module> make_row_module(const RowForm& form);

}  // namespace phalanx::arrays
