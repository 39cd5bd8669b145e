// What parameters of declared types take as it is.
#include <limits>
#include <optional>

#include "phalanx/bindings/kernel_caller.h"
#include "phalanx/bindings/numpy.h"
#include "phalanx/jit/scalar.h"

namespace phalanx::bindings {

namespace {

// Nothing for what 64 bits do not hold.
std::optional<unsigned long long> unsigned_in(PyObject* number) {
  const unsigned long long value = PyLong_AsUnsignedLongLong(number);
  if (value != ~0ULL || PyErr_Occurred() == nullptr)
    return value;
  PyErr_Clear();
  return std::nullopt;
}

}  // namespace

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

// For an integer -2^(bits - 1) <= number < 2^bits. Others get the ints that 64 bits hold.
[[gnu::hot]] bool Parameter::fits(long long value) const {
  if (takes_ != Takes::integer || size_of(dtype_) == sizeof(value))
    return true;
  const auto bits = static_cast<unsigned>(8 * size_of(dtype_));
  return value >= -(1LL << (bits - 1)) && value < 1LL << bits;
}

bool Parameter::pass_converted(DType from, const void* bytes, Arguments& arguments) const {
  jit::convert_scalar(from, bytes, dtype_, arguments.add_scalar(dtype_));
  return true;
}

[[gnu::hot]] bool Parameter::pass_int(PyObject* number, Arguments& arguments) const {
  if (takes_ == Takes::truth)
    return false;
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (overflow < 0 || !fits(overflow == 0 ? value : std::numeric_limits<long long>::max()))
    return false;
  const auto bits = overflow == 0 ? std::optional<unsigned long long>(value) : unsigned_in(number);
  if (!bits)
    return false;
  if (takes_ == Takes::real)
    return pass_converted(overflow == 0 ? DType::int64 : DType::uint64, &*bits, arguments);
  *arguments.add_scalar(dtype_) = *bits;  // of which the parameter's own bytes are the lowest
  return true;
}

// Integers of the parameter's size, whatever their sign; floats and bools of its own kind.
bool Parameter::takes_numpy(DType given) const {
  if (size_of(given) != size_of(dtype_))
    return false;
  switch (takes_) {
    case Takes::memory:
    case Takes::integer:
      return is_integer(given);
    case Takes::real:
      return is_floating(given);
    case Takes::truth:
      return given == DType::boolean;
    case Takes::nothing:
      break;
  }
  return false;
}

bool Parameter::pass_numpy(PyObject* number, Arguments& arguments) const {
  const Numpy* const numpy = Numpy::loaded();
  const auto given = numpy == nullptr ? std::nullopt : numpy->scalar_dtype(Py_TYPE(number));
  if (!given || !takes_numpy(*given))
    return false;
  const char* const value = reinterpret_cast<const char*>(number) + numpy_scalar_offset;
  return pass_converted(*given, value, arguments);
}

[[gnu::hot]] bool Parameter::pass(PyObject* number, Arguments& arguments) const {
  if (takes_ == Takes::nothing)
    return false;
  PyTypeObject* const type = Py_TYPE(number);
  if (type == &PyLong_Type)
    return pass_int(number, arguments);
  if (type == &PyFloat_Type) {
    const double value = PyFloat_AsDouble(number);
    return takes_ == Takes::real && pass_converted(DType::float64, &value, arguments);
  }
  if (type == &PyBool_Type) {
    const bool value = number == Py_True;
    return takes_ != Takes::memory && pass_converted(DType::boolean, &value, arguments);
  }
  return pass_numpy(number, arguments);
}

}  // namespace phalanx::bindings
