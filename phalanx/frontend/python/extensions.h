// Functions, methods and attributes that are written in Python, one implementation for each tuple
// of types: Numba's extension API, and Phalanx's own library of NumPy functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

class Calls;

class Extensions {
 public:
  Extensions(Walk& walk, Calls& calls) : walk_(walk), calls_(calls) {}

  // The one of that name in the library or of the user's; nothing where there is none.
  std::optional<OverloadEntity> find(std::string_view name);
  // `otherwise`: what is called where no overload fits.
  Value call(const OverloadEntity& function, const Call& call, const Value& otherwise = {});

  // a[positions], a[mask]: nothing, or false, for other values and indices.
  std::optional<Value> elements_at(const Value& owner, const Value& index);
  bool set_elements_at(const Value& owner, const Value& index, const Value& value);

  // An attribute or a method of the type; nothing where there is none of that name.
  std::optional<Value> attribute(const Value& owner, const std::string& name);

 private:
  Walk& walk_;
  Calls& calls_;
};

}  // namespace phalanx::frontend::python
