// The keyword arguments of a Python call, taken one by one.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/base/errors.h"

namespace phalanx::bindings {

class Keywords {
 public:
  // `function`: the name of what is called, for errors, which are TypeError. `given` and what is
  // added must live as long as this.
  Keywords(const char* function, const nanobind::kwargs& given) : function_(function) {
    for (const auto [name, value] : given)
      given_.push_back({nanobind::cast<std::string_view>(name), value});
  }

  // Positional arguments after those that the function names, as keywords of these names.
  void add(const nanobind::args& positional, std::initializer_list<const char*> names) {
    if (positional.size() > names.size())
      fail("takes no positional argument after '" + std::string(names.end()[-1]) + "'");
    auto name = names.begin();
    for (const nanobind::handle value : positional) {
      if (find(*name) != given_.end())
        fail("got two values for '" + std::string(*name) + "'");
      given_.push_back({*name++, value});
    }
  }

  // Leaves `value` as it is where the keyword is not given; false then.
  template <typename T>
  bool take(std::string_view name, T& value) {
    const auto given = find(name);
    if (given == given_.end())
      return false;
    if (!nanobind::try_cast(given->value, value))
      fail("cannot take " + text_of(given->value) + " as '" + std::string(name) + "'");
    given_.erase(given);
    return true;
  }
  nanobind::object take(std::string_view name) {
    nanobind::object value = nanobind::none();
    take(name, value);
    return value;
  }
  template <typename T>
  T required(std::string_view name) {
    T value;
    if (!take(name, value))
      fail("misses '" + std::string(name) + "'");
    return value;
  }

  void refuse_others() const {
    if (!given_.empty())
      fail("has no keyword '" + std::string(given_.front().name) + "'");
  }

 private:
  struct Given {
    std::string_view name;
    nanobind::handle value;
  };

  std::vector<Given>::iterator find(std::string_view name) {
    return std::ranges::find(given_, name, &Given::name);
  }
  static std::string text_of(nanobind::handle object) { return nanobind::repr(object).c_str(); }
  [[noreturn]] void fail(const std::string& text) const {
    throw TypeError(std::string(function_) + "() " + text);
  }

  const char* function_;
  std::vector<Given> given_;
};

}  // namespace phalanx::bindings
