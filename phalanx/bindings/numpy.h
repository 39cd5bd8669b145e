// NumPy's objects without NumPy's headers: arrays and scalars are read where they lie in memory.
//
// NumPy promises the layout of an array object to every compiled extension since 1.0. Its own
// headers would tie the build to a NumPy; instead the layout is checked once against what Python
// sees.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <optional>

#include "phalanx/ir/types.h"

namespace phalanx::bindings {

struct NumpyDescr {
  PyObject_HEAD PyTypeObject* scalar_type;
  char kind;
  char code;
  char byte_order;
  char former_flags;
  int number;
};

struct NumpyArray {
  PyObject_HEAD char* data;
  int ndim;
  const std::int64_t* shape;
  const std::int64_t* strides;
  PyObject* base;
  NumpyDescr* descr;
  int flags;

  static constexpr int c_contiguous = 0x1;
  static constexpr int f_contiguous = 0x2;
  static constexpr int aligned = 0x100;
  static constexpr int writeable = 0x400;
};

// A scalar's value follows the object's head: every numeric type is aligned there.
inline constexpr std::size_t numpy_scalar_offset = sizeof(PyObject);
static_assert(numpy_scalar_offset % 16 == 0);

// What is asked of NumPy once it has been imported by somebody; this package does not import it.
class Numpy {
 public:
  // Null while NumPy is not loaded, or when its objects do not look as expected.
  static const Numpy* loaded();

  bool is_exact_array(PyTypeObject* type) const { return type == array_type_; }
  bool is_array(PyTypeObject* type) const {
    return type == array_type_ || PyType_IsSubtype(type, array_type_) != 0;
  }
  bool is_scalar(PyTypeObject* type) const { return PyType_IsSubtype(type, generic_type_) != 0; }
  // The dtype of a numeric scalar; int64 for datetime64 and timedelta64.
  std::optional<DType> scalar_dtype(PyTypeObject* type) const;

 private:
  Numpy() = default;
  bool fill();
  bool layout_is_known(nanobind::handle numpy) const;

  PyTypeObject* array_type_ = nullptr;
  PyTypeObject* generic_type_ = nullptr;
  std::array<std::pair<PyTypeObject*, DType>, 20> scalars_ = {};
};

// By the number of a built-in dtype in native byte order; nothing for the others.
std::optional<DType> builtin_dtype(const NumpyDescr& descr);

// Any dtype, structured ones too. Throws TypeError for what kernels cannot hold.
ir::Type element_type(nanobind::handle dtype);

}  // namespace phalanx::bindings
