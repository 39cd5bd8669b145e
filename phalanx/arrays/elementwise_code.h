// The code of elementwise_kernel.h's kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "phalanx/arrays/kernel_code.h"

namespace phalanx::arrays {

// How the threads of a grid go over the space.
enum class ElementwiseWay : std::uint8_t {
  items,    // one index for each thread, which works out its own of each loop
  rows,     // the innermost loop along x, the others row by row; a thread has `strip` at once
  strips,   // of one loop: a thread computes `strip` packs of `pack` neighbours, a block apart
  squares,  // the last two loops in squares, of which shared memory keeps what is read across
};

// A square's side, and the rows of threads that share it.
constexpr std::uint32_t square_side = 32;
constexpr std::uint32_t square_rows = 8;
// What shared memory a block may have for one element of each crossed operand.
constexpr std::size_t most_crossed_bytes = 40960 / (square_side * (square_side + 1));

// All that decides the code.
struct ElementwiseForm {
  ProgramForm program;
  std::span<const OperandForm> outputs;
  std::size_t loops = 1;
  ElementwiseWay way = ElementwiseWay::rows;
  bool is_narrow = true;  // 32 bits count the indices
  std::uint8_t strip = 1;
  std::uint8_t pack = 1;  // of operands that are contiguous and begin at multiples of a pack
  // squares: the accesses whose elements follow each other along the last loop but one
  std::vector<bool> is_crossed = {};

  void write_key(KeyWriter& writer) const;
};

// Parameters: the extents of the loops, of squares how many there are along the last two; the
// outputs; the program.
std::shared_ptr<ir::Module> make_elementwise_module(const ElementwiseForm& form);

}  // namespace phalanx::arrays
