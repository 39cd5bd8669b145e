// Random numbers as arrays, and functions that NumPy has no ufunc for.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <vector>

#include "phalanx/arrays/typed_functions.h"
#include "phalanx/bindings/arrays.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

using arrays::Array;

namespace {

std::vector<arrays::NodePtr> nodes_of(const std::vector<Array>& operands) {
  std::vector<arrays::NodePtr> nodes;
  nodes.reserve(operands.size());
  for (const Array& each : operands) nodes.push_back(each.value());
  return nodes;
}

}  // namespace

void bind_array_functions(nb::module_& module) {
  module.def(
      "array_draw",
      [](const std::string& name,
         const Extents& shape,
         std::uint64_t key,
         std::int64_t first,
         const std::vector<Array>& parameters) {
        return make_array(
            Array(graph(), arrays::draw(graph(), {name, key, first}, shape, nodes_of(parameters))));
      },
      "name"_a,
      "shape"_a,
      "key"_a,
      "first"_a,
      "parameters"_a = std::vector<Array>(),
      "Random numbers: a function of numpy/random.h, of its elements from number `first` on.");
  module.def(
      "array_portable",
      [](const std::string& name, const Array& operand) {
        return make_array(Array(graph(), arrays::portable(graph(), name, operand.value())));
      },
      "name"_a,
      "operand"_a,
      "A function of floats whose results are the same on all devices.");
  module.def(
      "array_special",
      [](const std::string& name, const std::vector<Array>& operands) {
        return make_array(Array(graph(), arrays::special(graph(), name, nodes_of(operands))));
      },
      "name"_a,
      "operands"_a,
      "A function of numpy/special.h.");
}

}  // namespace phalanx::bindings
