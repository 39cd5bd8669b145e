// The arguments of one call, evaluated.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "phalanx/frontend/python/value.h"

namespace phalanx::frontend::python {

struct Call {
  std::vector<Value> arguments;
  std::vector<std::pair<std::string, Value>> keywords;
};

}  // namespace phalanx::frontend::python
