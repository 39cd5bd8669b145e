// Dataflow analysis of thread and block indices: a kernel's threads use their position in the grid
// only, or more than that.
#pragma once

#include <array>
#include <optional>

#include "phalanx/ir/idioms.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen {

class GridPosition {
 public:
  explicit GridPosition(const ir::Region& body);

  // Threads share nothing with their block or warp, and nothing names them to the user: any thread
  // may run in any block.
  bool is_independent() const { return is_independent_; }
  // True if the kernel looks at the position in the grid only, of the indices along `dimension`.
  bool is_whole(unsigned dimension) const { return !sees_indices_.at(dimension); }
  // The same, and of the extents the number of all threads only: the threads along it may be
  // divided into blocks in any other way.
  bool can_divide(unsigned dimension) const {
    return is_whole(dimension) && !sees_extents_.at(dimension);
  }
  bool uses(unsigned dimension) const { return uses_.at(dimension); }
  ir::Position part_of(const ir::Operation& operation) const { return parts_.of(operation); }

 private:
  void visit(const ir::Operation& operation);
  void note_use(ir::Position used, ir::Position made);

  bool is_independent_ = true;
  std::array<bool, 3> sees_indices_ = {};
  std::array<bool, 3> sees_extents_ = {};
  std::array<bool, 3> uses_ = {};
  ir::Positions parts_;
};

// The dimension along which neighbouring threads are best run side by side, as lanes of a vector:
// that in which most accesses of arrays are element after element. `axes` has bit d where dimension
// d has threads enough. Nothing where the kernel must run in the blocks that it is launched in.
std::optional<unsigned> find_lane_axis(const ir::Module& module, unsigned axes);

}  // namespace phalanx::codegen
