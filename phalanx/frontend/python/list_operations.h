// Methods and operators of lists, which the library has in Python (_library/lists.py).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

class ListTypes;
class Extensions;

class ListOperations {
 public:
  ListOperations(Walk& walk, ListTypes& types, Extensions& extensions)
      : walk_(walk), types_(types), extensions_(extensions) {}

  // The method of a list, or of a list display.
  Value method(const Value& list, const std::string& name);
  // The arguments that a list's method is called with: the list learns from them what it holds.
  Call arguments(const Method& method, Call call);

  // These give nothing where no operand is a list.
  std::optional<Value> binary(ir::Op op, const Value& left, const Value& right);  // a + b, a * n
  std::optional<Value> compare(tree::Comparison comparison, const Value& left, const Value& right);
  std::optional<Value> slice(const Value& owner, const Value& index);
  bool set_slice(const Value& owner, const Value& index, const Value& value);

 private:
  Value call(std::string_view name, std::vector<Value> arguments);

  Walk& walk_;
  ListTypes& types_;
  Extensions& extensions_;
};

}  // namespace phalanx::frontend::python
