// Names in IR variables: those that differ between the edges of a join, or that a loop changes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

// A value kept in variables: one for each number, array or pointer in it.
struct Carried {
  void make_variables(ir::Builder& builder);
  void set(Emitter& emitter, const Value& value) const;
  Value get(Emitter& emitter) const;

  std::string name;
  NameId id = 0;
  ir::Type type = {};
  std::vector<ir::VariableId> variables = {};  // made when first used
  Value head = {};                             // what the name means at a loop's head
};

// What `emit` appends is before the jump that ends the region.
void at_end_of(ir::Builder& builder, ir::Region& region, const std::function<void()>& emit);

// True if a name that the path taken did not assign reads as 0, as an empty array or list. Arrays
// of blocks and threads do not: their content is undefined in any case.
bool has_zero(const ir::Type& type);

// What `sole` of a name is that all these bind; Unbound where they do not agree.
Value sole_of(const std::vector<Binding>& bound);

}  // namespace phalanx::frontend::python
