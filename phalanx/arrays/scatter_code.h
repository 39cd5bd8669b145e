// The code of scatter_kernel.h's kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "phalanx/arrays/kernel_code.h"
#include "phalanx/ir/detail.h"

namespace phalanx::arrays {

// What happens to an element.
enum class WriteKind : std::uint8_t {
  store,   // it becomes the value
  update,  // it becomes the function of itself and the value
  atomic,  // the same by one atomic operation: other threads may update it, too
  swap,    // the same by a loop of compare-and-swap
};

// The atomic operation that does what the function does to elements of the type, where there is
// one.
std::optional<ir::Atomic> atomic_of(const Function& function, DType element);
// True if compare-and-swap takes elements of the type: words of up to 64 bits.
bool has_swap(DType element);

// All that decides the code. The program's first result is how many bytes the element is from the
// target's; then come the value, of unary functions none, and the condition, if there is one.
struct ScatterForm {
  ProgramForm program;
  OperandForm target;
  std::size_t loops = 1;
  bool is_narrow = true;       // 32 bits count the indices
  bool is_sequential = false;  // a block is one thread, which goes over a chunk in order
  bool has_condition = false;
  WriteKind kind = WriteKind::store;
  const Function* function = nullptr;  // but for stores

  void write_key(KeyWriter& writer) const;
};

// Parameters: of sequential ones how many rows (of one loop: elements) there are, and how many a
// chunk has; the extents of the loops; the target; the program.
std::shared_ptr<ir::Module> make_scatter_module(const ScatterForm& form);

}  // namespace phalanx::arrays
