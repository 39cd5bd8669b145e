#include "phalanx/bindings/numpy_make.h"

#include <algorithm>
#include <array>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/made_once.h"
#include "phalanx/bindings/numpy.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

struct Number {
  DType dtype;
  int number;  // NumPy's
};
constexpr std::array numbers = {
    Number{DType::boolean, 0},
    Number{DType::int8, 1},
    Number{DType::uint8, 2},
    Number{DType::int16, 3},
    Number{DType::uint16, 4},
    Number{DType::int32, 5},
    Number{DType::uint32, 6},
    Number{DType::int64, 7},
    Number{DType::uint64, 8},
    Number{DType::float32, 11},
    Number{DType::float64, 12},
    Number{DType::complex64, 14},
    Number{DType::complex128, 15},
    Number{DType::float16, 23},
};

// NumPy's C interface is a table whose rows never move; these are the ones used here.
struct NumpyTable {
  PyObject* (*descr_from_type)(int number) = nullptr;  // row 45
  PyObject* (*new_from_descr)(
      PyTypeObject* type,
      PyObject* descr,  // taken over
      int ndim,
      const std::int64_t* shape,
      const std::int64_t* strides,
      void* data,
      int flags,
      PyObject* owner) = nullptr;                              // row 94
  int (*set_base)(PyObject* array, PyObject* base) = nullptr;  // row 282; takes `base` over
  PyTypeObject* array_type = nullptr;                          // row 2
};

nb::object multiarray() {
  try {
    return nb::module_::import_("numpy._core.multiarray");
  } catch (nb::python_error&) {
    return nb::module_::import_("numpy.core.multiarray");  // before NumPy 2
  }
}

NumpyTable load_table() {
  const nb::object capsule = multiarray().attr("_ARRAY_API");
  auto* rows = static_cast<void**>(PyCapsule_GetPointer(capsule.ptr(), nullptr));
  if (rows == nullptr)
    throw nb::python_error();
  return {
      .descr_from_type = reinterpret_cast<PyObject* (*)(int)>(rows[45]),
      .new_from_descr = reinterpret_cast<decltype(NumpyTable::new_from_descr)>(rows[94]),
      .set_base = reinterpret_cast<decltype(NumpyTable::set_base)>(rows[282]),
      .array_type = static_cast<PyTypeObject*>(rows[2])};
}

const NumpyTable& numpy_table() {
  static MadeOnce<NumpyTable> table;
  return table.get(load_table);
}

}  // namespace

nb::object make_numpy_array(DType dtype, const ArrayMemory& memory, const nb::object& owner) {
  const auto* row = std::ranges::find(numbers, dtype, &Number::dtype);
  if (row == numbers.end())
    throw TypeError("NumPy has no element type " + std::string(info(dtype).text));
  const NumpyTable& numpy = numpy_table();
  nb::object array = nb::steal(numpy.new_from_descr(
      numpy.array_type,
      numpy.descr_from_type(row->number),
      static_cast<int>(memory.shape.size()),
      memory.shape.data(),
      memory.strides.data(),
      memory.data,
      memory.is_writeable ? NumpyArray::writeable : 0,
      nullptr));
  if (!array.is_valid() || numpy.set_base(array.ptr(), nb::object(owner).release().ptr()) != 0)
    throw nb::python_error();
  return array;
}

}  // namespace phalanx::bindings
