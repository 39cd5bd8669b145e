// Arrays that are best computed together: what one kernel has computed for the one, the other
// needs.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "phalanx/arrays/node.h"

namespace phalanx::arrays {

struct Family;

// What arrays that are the same array share: its value, which has one dtype and shape for ever.
class Cell {
 public:
  explicit Cell(NodePtr value)
      : element(value->element), shape(value->shape), value_(std::move(value)) {}

  const ir::Type element;
  const ShapePtr shape;
  std::atomic<bool> is_read_only = false;
  std::atomic<bool> is_number = false;
  // Guarded by the graph's lock; null: no other array shares elements.
  std::shared_ptr<Family> family = nullptr;

  // Threads may read it while another one assigns.
  NodePtr value() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  void set_value(NodePtr value) {
    const std::lock_guard lock(mutex_);
    value_.swap(value);
  }

 private:
  mutable std::mutex mutex_;
  NodePtr value_;
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
