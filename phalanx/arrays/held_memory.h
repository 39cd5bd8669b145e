// Pending arrays that keep memory from being freed: what they are computed of may have been dropped
// by the program.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "phalanx/arrays/node.h"
#include "phalanx/arrays/siblings.h"

namespace phalanx::arrays {

class HeldMemory {
 public:
  // An array whose value is pending and has_memory. Thread-safe.
  void add(const std::shared_ptr<Cell>& cell);

  // Values that are to be computed, oldest first, as more memory than Residency::most_held() is in
  // use by pending nodes alone; each takes half of its part of what can be freed then, or less.
  // Under the graph's lock.
  std::vector<NodePtr> holders();

 private:
  std::vector<NodePtr> pending_values();

  std::mutex mutex_;
  std::vector<std::weak_ptr<Cell>> cells_;  // of what is pending, and some that were
  std::size_t next_cleaning_ = 64;
};

}  // namespace phalanx::arrays
