// Branches that are known not to be taken, and what their types still mean: see untaken.cpp.
#pragma once

#include <functional>
#include <map>

#include "phalanx/frontend/python/walker.h"

namespace phalanx::frontend::python {

class Untaken {
 public:
  using Types = std::map<NameId, ir::Type>;

  explicit Untaken(Walker& walker) : walker_(walker), walk_(walker.walk()) {}

  // True if a condition known now leaves a branch out of the types too.
  bool prunes(const Value& condition) const;
  // The types of the scalars among `names` after the branch.
  Types types_after(const tree::Body& statements, const NameSet& names);
  // Names get the type that holds the values of the other branch too.
  void widen(const Types& types);
  // The value of the branch taken, in the type that holds that of the other too.
  Value taken(const std::function<Value()>& branch, const std::function<Value()>& other);

 private:
  void emit(const std::function<void()>& emission);

  Walker& walker_;
  Walk& walk_;
};

}  // namespace phalanx::frontend::python
