// Private to the walker's loops and joins: names that live in IR variables.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "phalanx/frontend/python/walker.h"

namespace phalanx::frontend::python {

// A value kept in variables: one for each number, array or pointer in it.
struct Walker::Carried {
  std::string name;
  NameId id = 0;
  ir::Type type = {};
  std::vector<ir::VariableId> variables = {};  // made when first used
  Value head = {};                             // what the name means at a loop's head
};

// A name at the head of a loop, remembered from one emission of the loop to the next.
struct Walker::Memory {
  std::map<NameId, ir::Type> types;
  std::map<NameId, Conflict> conflicts;
  std::map<NameId, Value> literals;  // see Binding::sole
};

// True if a name that the path taken did not assign reads as 0, as an empty array or list. Arrays
// of blocks and threads do not: their content is undefined in any case.
bool has_zero(const ir::Type& type);

// What `sole` of a name is that all these bind; Unbound where they do not agree.
Value sole_of(const std::vector<Binding>& bound);

struct Walker::LoopFrame {
  int break_depth = 0;     // depth of the operation that a break leaves
  int continue_depth = 0;  // depth of the loop that continues, or of the block that is left
  bool continue_breaks = false;
  std::vector<Edge> breaks = {};
  std::vector<Edge> continues = {};
  std::vector<Carried> carried = {};
};

// How a loop goes on: both are called where the loop's operations belong.
struct Walker::LoopParts {
  const tree::Body& body;
  const tree::Body& otherwise;
  std::function<Value()> condition;       // at the start of each iteration
  std::function<void()> begin = nullptr;  // binds the loop's names
  std::function<void()> step = nullptr;   // after the body, also after continue
  // Where the loop is the inner one of two, which `begin` may leave with break_(): what the outer
  // one does around it.
  std::function<void()> before_run = nullptr;
  std::function<void()> after_run = nullptr;
};

// What an emission adds, so that it can be taken back.
struct Walker::Checkpoint {
  ir::Region* region;
  std::size_t operations;
  std::size_t variables;
  std::size_t returns;
  std::vector<std::pair<std::size_t, std::size_t>> edges;  // of the loops around
  std::optional<Untyped> untyped;
  Bindings names;
};

}  // namespace phalanx::frontend::python
