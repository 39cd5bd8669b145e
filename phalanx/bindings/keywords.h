// The keyword arguments of a Python call, taken one by one.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "phalanx/base/errors.h"

namespace phalanx::bindings {

class Keywords {
 public:
  // `function`: the name of what is called, for the error.
  Keywords(const char* function, const nanobind::kwargs& given)
      : function_(function), given_(nanobind::steal<nanobind::dict>(PyDict_Copy(given.ptr()))) {}

  // Leaves `value` as it is where the keyword is not given.
  template <typename T>
  void take(const char* name, T& value) {
    if (!given_.contains(name))
      return;
    value = nanobind::cast<T>(given_[name]);
    nanobind::del(given_[name]);
  }
  nanobind::object take(const char* name) {
    nanobind::object value = nanobind::none();
    take(name, value);
    return value;
  }

  // Throws TypeError for a keyword that has not been taken.
  void refuse_others() const {
    for (const auto [name, value] : given_)
      throw TypeError(
          std::string(function_) + "() has no keyword " +
          std::string(nanobind::repr(name).c_str()));
  }

 private:
  const char* function_;
  nanobind::dict given_;
};

}  // namespace phalanx::bindings
