// NumPy's rules (types, shapes, memory) for the Python package and for tests.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "phalanx/base/strided.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/infer/names.h"
#include "phalanx/infer/signature.h"
#include "phalanx/infer/ufuncs.h"
#include "phalanx/numpy/broadcast.h"
#include "phalanx/numpy/loop_choice.h"
#include "phalanx/numpy/overlap.h"
#include "phalanx/numpy/promotion.h"
#include "phalanx/numpy/reduction_types.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

using Names = std::vector<std::string>;

std::string name_of(DType dtype) { return infer::numba_name(dtype); }

// "float32", or "int", "float" and "complex" for Python's own numbers.
std::vector<numpy::Operand> operands_of(const Names& names) {
  std::vector<numpy::Operand> operands;
  for (const std::string& name : names) {
    if (name == "int")
      operands.push_back({DType::int64, true});
    else if (name == "float")
      operands.push_back({DType::float64, true});
    else if (name == "complex")
      operands.push_back({DType::complex128, true});
    else
      operands.push_back({infer::parse_numba_type(name).dtype(), false});
  }
  return operands;
}

std::string result_type(const Names& operands) {
  return name_of(numpy::result_type(operands_of(operands)));
}

bool can_cast(const ir::Type& from, const ir::Type& to, std::string_view casting) {
  constexpr std::array<std::string_view, 4> names = {"equiv", "safe", "same_kind", "unsafe"};
  const auto found = std::ranges::find(names, casting);
  if (found == names.end())
    throw std::invalid_argument("casting must be equiv, safe, same_kind or unsafe");
  return numpy::can_cast(from, to, static_cast<numpy::Casting>(found - names.begin()));
}

bool can_cast_named(std::string_view from, std::string_view to, std::string_view casting) {
  return can_cast(infer::parse_numba_type(from), infer::parse_numba_type(to), casting);
}

std::optional<std::pair<std::string, std::string>> loop_of(
    std::string_view name, const Names& operands) {
  const infer::Ufunc* ufunc = infer::find_ufunc(name);
  const auto typing =
      ufunc == nullptr ? std::nullopt : numpy::resolve(*ufunc, operands_of(operands));
  if (!typing)
    return std::nullopt;
  return std::pair(name_of(typing->operands[0]), name_of(typing->result));
}

std::optional<std::pair<std::string, std::string>> reduction_types(
    std::string_view name, std::string_view element, const std::optional<std::string>& dtype) {
  const auto dtype_of = [](std::string_view text) { return infer::parse_numba_type(text).dtype(); };
  const auto given = dtype ? std::optional(dtype_of(*dtype)) : std::nullopt;
  const auto typing = numpy::reduction_typing(name, dtype_of(element), given);
  if (!typing)
    return std::nullopt;
  return std::pair(name_of(typing->computed), name_of(typing->result));
}

// type, is_number, is_weak
using ArgumentParts = std::tuple<std::optional<ir::Type>, bool, bool>;

std::optional<std::size_t> choose_loop(
    const std::vector<numpy::LoopInputs>& loops, const std::vector<ArgumentParts>& parts) {
  std::vector<numpy::Argument> arguments;
  for (const auto& [type, is_number, is_weak] : parts)
    arguments.push_back({type, is_number, is_weak});
  return numpy::choose_loop(loops, arguments);
}

nb::tuple broadcast(const std::vector<Extents>& shapes) {
  nb::list extents;
  for (const std::int64_t extent : numpy::broadcast(shapes)) extents.append(extent);
  return nb::tuple(extents);
}

std::pair<Extents, std::vector<Extents>> collapse(
    const Extents& shape, const std::vector<Extents>& strides) {
  StridedLoops loops = numpy::collapse(shape, strides);
  return {std::move(loops.extents), std::move(loops.strides)};
}

// address, shape, strides, bytes of an item
using MemoryParts = std::tuple<std::uint64_t, Extents, Extents, std::size_t>;

StridedMemory memory_of(const MemoryParts& parts) {
  const auto& [address, shape, strides, item_bytes] = parts;
  return {address, shape, strides, item_bytes};
}

void bind_types_of_results(nb::module_& module) {
  module.def(
      "numpy_result_type",
      &result_type,
      "operands"_a,
      "NumPy's type for them together: dtypes, or int, float and complex for Python's numbers.");
  module.def(
      "numpy_can_cast",
      &can_cast,
      "from_type"_a,
      "to"_a,
      "casting"_a,
      "As numpy.can_cast: casting is equiv, safe, same_kind or unsafe.");
  module.def("numpy_can_cast", &can_cast_named, "from_type"_a, "to"_a, "casting"_a);
  module.def(
      "numpy_loop",
      &loop_of,
      "ufunc"_a,
      "operands"_a,
      "The type of the loop that NumPy takes, and its result's; None if it has none.");
  module.def(
      "numpy_reduction_types",
      &reduction_types,
      "name"_a,
      "element"_a,
      "dtype"_a = nb::none(),
      "What NumPy's reduction computes in, and its result's type; None if it has none.");
  module.def(
      "choose_loop",
      &choose_loop,
      "loops"_a,
      "arguments"_a,
      "Which of a user's loops, by the types of their inputs, takes arguments: type (None for one "
      "that no kernel has), is_number, is_weak.");
}

void bind_shapes(nb::module_& module) {
  module.def(
      "broadcast_shapes",
      &broadcast,
      "shapes"_a,
      "The shape that all stretch to. Raises ValueError in NumPy's words.");
  module.def(
      "stretched_strides",
      [](const Extents& own_shape, const Extents& own_strides, const Extents& shape) {
        return numpy::stretched_strides(own_shape, own_strides, shape);
      },
      "own_shape"_a,
      "own_strides"_a,
      "shape"_a,
      "The byte strides under which an array has the shape.");
  module.def(
      "collapse",
      &collapse,
      "shape"_a,
      "strides"_a,
      "The same elements in as few dimensions as serve, the last array's fastest one last.");
  module.def(
      "kept_order",
      [](const Extents& shape, const std::vector<Extents>& strides) {
        return numpy::kept_order(shape, strides);
      },
      "shape"_a,
      "strides"_a,
      "The dimensions in the order that NumPy gives a new array of these arrays' elements.");
  module.def(
      "may_share_memory",
      [](const MemoryParts& a, const MemoryParts& b) {
        return may_share(memory_of(a), memory_of(b));
      },
      "a"_a,
      "b"_a,
      "False only if no byte is of both arrays: address, shape, strides and itemsize of each.");
  module.def(
      "may_change_memory",
      [](const MemoryParts& written, const MemoryParts& read) {
        return numpy::may_change(memory_of(written), memory_of(read));
      },
      "written"_a,
      "read"_a,
      "As may_share_memory, and False where both are one view.");
}

}  // namespace

void bind_numpy_rules(nb::module_& module) {
  bind_types_of_results(module);
  bind_shapes(module);
}

}  // namespace phalanx::bindings
