// The element types of arrays by the names that NumPy gives them.
#include <string>
#include <string_view>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/numpy/times.h"

namespace phalanx::bindings {

std::string_view dtype_name(DType dtype) {
  return dtype == DType::boolean ? "bool" : info(dtype).name;
}

std::string element_name(const ir::Type& element) {
  return element.is_time() ? numpy::name_of_time(element)
                           : std::string(dtype_name(element.dtype()));
}

ir::Type element_named(const std::string& name) {
  if (const auto dtype = dtype_from_name(name == "bool" ? "boolean" : name))
    return *dtype;
  if (auto time = numpy::time_named(name))
    return *std::move(time);
  throw TypeError("arrays have no dtype " + name);
}

}  // namespace phalanx::bindings
