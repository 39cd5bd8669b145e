// Which reductions a kernel folds on its way to something else: row by row, so that a row is read
// from memory once. softmax, x - x.mean(axis=1, keepdims=True), variances.
//
// What "loop fusion around a row reduction" is in XLA and Triton ("online" or "persistent"
// reductions): one block has a row, whose elements its threads visit once for each reduction.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "phalanx/arrays/node.h"

namespace phalanx::arrays {

class RowFusion {
 public:
  RowFusion() = default;
  // What the kernel of a node can fold, of a reduction the operand's kernel; nothing where that
  // does not pay on the device.
  static RowFusion find(const Node& root, runtime::Device& device);

  bool empty() const { return folded_.empty(); }
  // A reduction that is folded on the way.
  bool folds(const Node& node) const { return folded_.contains(&node); }
  // The same, or what is computed of such.
  bool contains(const Node& node) const { return above_.contains(&node); }
  // For each dimension of the kernel's space if it is along the row.
  const std::vector<bool>& is_row() const { return is_row_; }

 private:
  class Search;

  std::unordered_set<const Node*> folded_;
  std::unordered_set<const Node*> above_;
  std::vector<bool> is_row_;
};

}  // namespace phalanx::arrays
