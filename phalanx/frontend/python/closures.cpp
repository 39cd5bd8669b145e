#include "phalanx/frontend/python/closures.h"

#include <algorithm>

#include "phalanx/frontend/python/flags.h"

namespace phalanx::frontend::python {

LocalFunction Closures::frozen(const LocalFunction& function) {
  if (function.captured || std::ranges::find(freezing_, function.tree) != freezing_.end())
    return function;  // or sees itself: name_value finds it again
  freezing_.push_back(function.tree);
  Captures captured;
  for (const std::string& name : free_names(*function.tree)) {
    if (name == function.tree->name)
      continue;  // sees itself
    if (const NameId* id = walk_.known_names.find(name)) {
      const Value& value = walk_.names.at(*id).value;
      if (!value.is<Unbound>() && !value.is<Pending>() && !value.is<Conflict>())
        captured.emplace(name, freeze(walk_.names.at(*id).meaning()));
      if (walk_.known_names.flags != 0)
        captured.emplace(flag_of(name), walk_.names.at(*id + walk_.known_names.flags).value);
    } else if (const auto outer = walk_.unit.captured.find(name);
               outer != walk_.unit.captured.end()) {
      captured.emplace(name, outer->second);
      if (const auto flag = walk_.unit.captured.find(flag_of(name));
          flag != walk_.unit.captured.end())
        captured.insert(*flag);
    }
  }
  freezing_.pop_back();
  std::vector<Value> defaults;
  for (const Value& value : *function.defaults) defaults.push_back(freeze(value));
  LocalFunction copy = function;
  copy.defaults = std::make_shared<const std::vector<Value>>(std::move(defaults));
  copy.captured = std::make_shared<const Captures>(std::move(captured));
  return copy;
}

Value Closures::freeze(const Value& value) {
  if (const auto* function = value.as<LocalFunction>())
    return frozen(*function);
  const auto* tuple = value.as<TupleValue>();
  if (tuple == nullptr)
    return value;
  std::vector<Value> elements;
  for (const Value& element : *tuple->elements) elements.push_back(freeze(element));
  TupleValue copy = *tuple;
  copy.elements = std::make_shared<const std::vector<Value>>(std::move(elements));
  return copy;
}

}  // namespace phalanx::frontend::python
