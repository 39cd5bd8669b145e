// Reaching definitions as gated values (Ottenstein, Ballance and MacCabe, 1990): what a variable
// holds where it is read, as a choice among values. Through branches, not through loops.
#pragma once

#include <optional>
#include <unordered_map>

#include "phalanx/ir/ir.h"

namespace phalanx::passes {

class ReachingValues {
 public:
  explicit ReachingValues(const ir::Function& function);

  // Either one value, or the choice between two by a condition.
  struct Choice {
    const ir::Operation* value = nullptr;  // null: the choice below
    const ir::Operation* condition = nullptr;
    // Where the two are looked up again: after the end of the branches.
    struct Point {
      const ir::Region* region;
      std::size_t position;  // of the operation that comes next
    };
    Point then = {};
    Point otherwise = {};
  };

  using Point = Choice::Point;
  Point before(const ir::Operation& operation) const;
  // Nothing where a loop or a jump comes between.
  std::optional<Choice> at(Point point, ir::VariableId variable) const;

 private:
  void note(const ir::Region& region, const ir::Operation* owner);
  std::optional<Choice> through(const ir::Operation& branch, ir::VariableId variable) const;

  std::unordered_map<const ir::Operation*, Point> points_;
  std::unordered_map<const ir::Region*, const ir::Operation*> owners_;
  std::size_t variables_;
};

}  // namespace phalanx::passes
