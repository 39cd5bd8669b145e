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

// The call of a method as one of a function: `self` comes first.
inline Call with_self(const Value& self, Call call) {
  call.arguments.insert(call.arguments.begin(), self);
  return call;
}

// The values in words, for errors.
inline std::string list_of(const std::vector<Value>& values) {
  std::string text;
  for (const Value& value : values) text += (text.empty() ? "" : ", ") + describe(value);
  return text;
}

}  // namespace phalanx::frontend::python
