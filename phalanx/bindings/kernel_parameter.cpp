// What parameters of declared types take as it is.
#include "phalanx/bindings/kernel_caller.h"
#include "phalanx/bindings/numpy.h"

namespace phalanx::bindings {

Parameter::Parameter(const ir::Type& declared) {
  if (declared.is_pointer()) {
    takes_ = Takes::memory;
    element_ = declared.element();
    return;
  }
  if (!declared.is_scalar())
    return;
  dtype_ = declared.dtype();
  switch (kind_of(dtype_)) {
    case DTypeKind::boolean:
      takes_ = Takes::truth;
      break;
    case DTypeKind::signed_integer:
    case DTypeKind::unsigned_integer:
      takes_ = Takes::integer;
      break;
    case DTypeKind::floating:
      takes_ = Takes::real;
      break;
    case DTypeKind::complex_floating:
      break;
  }
}

bool Parameter::takes_array_of(const ir::Type& element) const {
  const ir::Type byte = DType::uint8;  // as which void* and pointers to structs are declared
  return is_pointer() && (element_ == byte || element_ == element);
}

// For an integer -2^(bits - 1) <= number < 2^bits; what follows takes the lowest bits. Others get
// the ints that 64 bits hold.
bool Parameter::takes_int(PyObject* number) const {
  if (takes_ == Takes::truth)
    return false;
  const bool is_large = takes_ != Takes::integer || size_of(dtype_) == sizeof(std::int64_t);
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (overflow == 0) {
    const auto bits = static_cast<unsigned>(8 * size_of(dtype_));
    return is_large || (value >= -(1LL << (bits - 1)) && value < 1LL << bits);
  }
  if (overflow < 0 || !is_large)
    return false;
  const unsigned long long large = PyLong_AsUnsignedLongLong(number);
  const bool fits = large != ~0ULL || PyErr_Occurred() == nullptr;
  PyErr_Clear();
  return fits;
}

// Integers of the parameter's size, whatever their sign; floats and bools of its own kind.
bool Parameter::takes_numpy(PyTypeObject* type) const {
  const Numpy* const numpy = Numpy::loaded();
  const auto given = numpy == nullptr ? std::nullopt : numpy->scalar_dtype(type);
  if (!given || size_of(*given) != size_of(dtype_))
    return false;
  switch (takes_) {
    case Takes::memory:
    case Takes::integer:
      return is_integer(*given);
    case Takes::real:
      return is_floating(*given);
    case Takes::truth:
      return *given == DType::boolean;
    case Takes::nothing:
      break;
  }
  return false;
}

bool Parameter::takes(PyObject* number) const {
  if (takes_ == Takes::nothing)
    return false;
  PyTypeObject* const type = Py_TYPE(number);
  if (type == &PyLong_Type)
    return takes_int(number);
  if (type == &PyFloat_Type)
    return takes_ == Takes::real;
  if (type == &PyBool_Type)
    return takes_ != Takes::memory;
  return takes_numpy(type);
}

}  // namespace phalanx::bindings
