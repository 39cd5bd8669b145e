// Arrays that are best computed together: what one kernel has computed for the one, the other
// needs.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "phalanx/arrays/node.h"

namespace phalanx::arrays {

struct Family;

// What arrays that are the same array share: its value.
struct Cell {
  NodePtr value;
  std::shared_ptr<Family> family = nullptr;  // null: no other array shares elements
  bool is_read_only = false;
};

// The arrays that were made last, as long as somebody has them.
class RecentArrays {
 public:
  // Smaller ones are not worth a search.
  static constexpr std::int64_t least_size = 32768;

  void add(const std::shared_ptr<Cell>& cell) {
    cells_.at(next_) = cell;
    next_ = (next_ + 1) % cells_.size();
  }

  // The values, no more than `most`, that are pending, have the shape and the device of the wanted
  // one, need no kernel before their own, and have a pending node in common with it.
  std::vector<NodePtr> siblings_of(const NodePtr& wanted, std::size_t most) const;

 private:
  std::array<std::weak_ptr<Cell>, 64> cells_;
  std::size_t next_ = 0;
};

}  // namespace phalanx::arrays
