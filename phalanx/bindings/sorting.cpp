// Sorting of NumPy's arrays, on all threads.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/lent_bytes.h"
#include "phalanx/runtime/sorting.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

runtime::SortedRows rows_of(const LentBytes& values, const std::string& dtype, std::int64_t count) {
  const DType kind = element_named(dtype).dtype();
  const auto item = static_cast<std::int64_t>(size_of(kind));
  if (!runtime::has_sort(kind))
    throw TypeError("there is no sort of " + dtype);
  const auto bytes = static_cast<std::int64_t>(values.size());
  if (count <= 0 || bytes % (count * item) != 0)
    throw ValueError("the array has no rows of " + std::to_string(count));
  return {kind, bytes / (count * item), count};
}

bool overlap(const LentBytes& a, const LentBytes& b) {
  return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

}  // namespace

void bind_sorting(nb::module_& module) {
  module.def(
      "has_sort",
      [](const std::string& dtype) { return runtime::has_sort(element_named(dtype).dtype()); },
      "dtype"_a);
  module.def(
      "sort_rows",
      [](nb::handle array, const std::string& dtype, std::int64_t count, nb::handle sorted) {
        const LentBytes values(array);
        const LentBytes made(sorted, PyBUF_WRITABLE);
        const runtime::SortedRows shape = rows_of(values, dtype, count);
        if (made.size() != values.size() || overlap(made, values))
          throw ValueError("the sorted rows are to be another array of the same size");
        const GilReleased no_gil;
        runtime::sort_rows(engine().runtime(), shape, values.data(), made.data());
      },
      "array"_a,
      "dtype"_a,
      "count"_a,
      "sorted"_a,
      "Sorts rows of `count` elements of an array in C order, to another; NaN come last.");
  module.def(
      "argsort_rows",
      [](nb::handle array, const std::string& dtype, std::int64_t count, nb::handle order) {
        const LentBytes values(array);
        const LentBytes indices(order, PyBUF_WRITABLE);
        const runtime::SortedRows shape = rows_of(values, dtype, count);
        const auto elements = static_cast<std::size_t>(shape.rows * count);
        if (indices.size() != elements * sizeof(std::int64_t))
          throw ValueError("the indices are to be of int64, as many as the elements");
        const GilReleased no_gil;
        runtime::argsort_rows(
            engine().runtime(),
            shape,
            values.data(),
            reinterpret_cast<std::int64_t*>(indices.data()));
      },
      "array"_a,
      "dtype"_a,
      "count"_a,
      "order"_a,
      "The indices that sort rows of `count` elements, those of equal elements in order.");
}

}  // namespace phalanx::bindings
