// Joins of control flow: names that differ between the incoming edges become IR variables.
#pragma once

#include <string>
#include <vector>

#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

class ListTypes;

// The types of a name that do not fit together, as an error where the name is read.
Conflict conflict_of(
    const Diagnostics& diagnostics,
    const std::string& name,
    const Binding& first,
    const Binding& second);

// Takes names and reachability from the walk; lists that nothing was put into learn at a join what
// those of other edges hold.
class Joins {
 public:
  Joins(Walk& walk, ListTypes& list_types) : walk_(walk), list_types_(list_types) {}

  // Continues after the join: `assigned` may differ between the edges, `live` of those matter.
  void join(
      const NameSet& assigned,
      const NameSet& live,
      const std::vector<Edge>& edges,
      const Bindings& before);

  // `values` and `edges` go together: what the name, or a part of it, means on each edge.
  Binding merge(
      const std::string& name,
      const std::vector<Binding>& all_values,
      const std::vector<Edge>& all_edges,
      const Bindings& before);

 private:
  Binding merge_tuples(
      const std::string& name,
      const std::vector<Binding>& values,
      const std::vector<Edge>& edges,
      const Bindings& before);
  Value merge_ranges(
      const std::string& name,
      const std::vector<Binding>& values,
      const std::vector<Edge>& edges,
      const Bindings& before);

  Walk& walk_;
  ListTypes& list_types_;
};

}  // namespace phalanx::frontend::python
