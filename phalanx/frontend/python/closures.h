// Closures: local functions with the values that the names around them have when they are called.
#pragma once

#include <memory>
#include <vector>

#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

// Takes the names of the walk, and those that its function captured itself.
class Closures {
 public:
  explicit Closures(const Walk& walk) : walk_(walk) {}

  // The local function with the values that the names it sees have now.
  LocalFunction frozen(const LocalFunction& function);
  // The value with all local functions in it frozen.
  Value freeze(const Value& value);

 private:
  const Walk& walk_;
  std::vector<std::shared_ptr<const tree::Function>> freezing_;
};

}  // namespace phalanx::frontend::python
