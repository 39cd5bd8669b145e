// The returns of a function: their values, and the type of the result that holds them all.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

class ListTypes;

class Returns {
 public:
  Returns(Walk& walk, ListTypes& list_types) : walk_(walk), list_types_(list_types) {}

  // Emits a return of the value, which finish() completes.
  void add(const Value& value, Location where);
  std::size_t count() const { return returns_.size(); }
  // Takes back those after the first `count`.
  void keep(std::size_t count) { returns_.resize(count); }
  // Of those after the first `count`, which are on paths that are never taken, the types count.
  void keep_types(std::size_t count);

  // After the body: what the returns give becomes the result of the function.
  void finish();
  // The value of all returns; see Instance.
  const std::optional<Value>& result() const { return result_; }

 private:
  bool are_of_open_lists();
  ir::Type unified_type() const;
  void emit_optional(const Value& value, const ir::Type& type);
  void emit_none(const ir::Type& type);

  Walk& walk_;
  ListTypes& list_types_;
  std::vector<std::pair<Edge, Binding>> returns_;
  std::vector<ir::Type> untaken_;
  std::optional<Value> result_;
};

}  // namespace phalanx::frontend::python
