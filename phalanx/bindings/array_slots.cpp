#include "phalanx/bindings/array_slots.h"

#include <array>
#include <complex>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/arrays/products.h"
#include "phalanx/arrays/times.h"
#include "phalanx/base/errors.h"
#include "phalanx/bindings/array_buffer.h"
#include "phalanx/bindings/array_indexing.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/cpython.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/numpy.h"
#include "phalanx/numpy/times.h"

namespace nb = nanobind;

namespace phalanx::bindings {

using arrays::Array;
using arrays::NodePtr;
using arrays::Operand;

namespace {

// `sign` is that of an int which int64 does not hold.
arrays::LargeInteger large_integer(nb::handle integer, int sign) {
  arrays::LargeInteger made{
      .value = PyLong_AsDouble(integer.ptr()), .text = nb::str(integer).c_str()};
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    made.value = sign * std::numeric_limits<double>::infinity();
  }
  const std::uint64_t exact = sign < 0 ? 0 : PyLong_AsUnsignedLongLong(integer.ptr());
  if (PyErr_Occurred() != nullptr)
    PyErr_Clear();
  else if (sign > 0)
    made.exact = exact;
  return made;
}

}  // namespace

std::optional<Operand> operand_of(nb::handle object) {
  if (const Array* array = array_in(object))
    return Operand(*array);
  PyTypeObject* const type = Py_TYPE(object.ptr());
  if (type == &PyBool_Type)
    return Operand(object.ptr() == Py_True);
  if (type == &PyFloat_Type)
    return Operand(PyFloat_AsDouble(object.ptr()));
  if (type == &PyLong_Type) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (overflow != 0)
      return Operand(large_integer(object, overflow));
    return Operand(std::int64_t{value});
  }
  if (type == &PyComplex_Type) {
    return Operand(
        std::complex(PyComplex_RealAsDouble(object.ptr()), PyComplex_ImagAsDouble(object.ptr())));
  }
  return std::nullopt;
}

NodePtr number_node(nb::handle number, const ir::Type& element) {
  const DType dtype = element.dtype();
  if (is_boolean(dtype)) {
    const int is_true = PyObject_IsTrue(number.ptr());
    if (is_true < 0)
      throw nb::python_error();
    return graph().number(dtype, is_true == 1);
  }
  if (is_complex(dtype)) {
    const double real = PyComplex_RealAsDouble(number.ptr());
    if (PyErr_Occurred() != nullptr)
      throw nb::python_error();
    return graph().number(dtype, std::complex(real, PyComplex_ImagAsDouble(number.ptr())));
  }
  if (is_floating(dtype)) {
    const double value = PyFloat_AsDouble(number.ptr());
    if (PyErr_Occurred() != nullptr)
      throw nb::python_error();
    return graph().number(dtype, value);
  }
  const nb::int_ integer(number);
  int overflow = 0;
  const std::int64_t value = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  if (overflow > 0 && dtype == DType::uint64) {
    const std::uint64_t large = PyLong_AsUnsignedLongLong(integer.ptr());
    if (PyErr_Occurred() != nullptr)
      throw nb::python_error();
    return graph().number(dtype, static_cast<std::int64_t>(large));
  }
  if (overflow != 0)
    throw std::overflow_error(
        "Python integer " + std::string(nb::str(integer).c_str()) + " out of bounds for " +
        std::string(info(dtype).name));
  arrays::check_range(value, dtype);
  return graph().number(element, value);
}

namespace {

std::string dtype_code(const ir::Type& element) {
  return element.is_time() ? numpy::code_of_time(element) : element_name(element);
}

PyObject* not_implemented() { return Py_NewRef(Py_NotImplemented); }

// What is no array and no plain number: NumPy's arrays and numbers, and lists, become arrays; the
// others have operators of their own. They come to the other operand's device, if that has one.
std::optional<Operand> coerced(nb::handle object, const std::optional<Operand>& other) {
  runtime::Device* const place = other && other->node ? if_elsewhere(other->node->device) : nullptr;
  if (place == nullptr) {
    if (const std::optional<Array> copy = array_of_numpy(object, true))
      return Operand(*copy);
  }
  const nb::object coerce = nb::module_::import_("phalanx._arrays.coerce").attr("operand");
  const nb::object made =
      coerce(object, place != nullptr ? nb::cast(place->shared_from_this()) : nb::none());
  if (made.is_none())
    return std::nullopt;
  return operand_of(made);
}

// The operands of an operator; the second one is asked for if the first one is any.
std::array<std::optional<Operand>, 2> operands_of(PyObject* left, PyObject* right) {
  std::array<std::optional<Operand>, 2> made = {operand_of(left), operand_of(right)};
  if (!made[0])
    made[0] = coerced(left, made[1]);
  if (made[0] && !made[1])
    made[1] = coerced(right, made[0]);
  return made;
}

// What NumPy's protocol for ufuncs gives, where an operand has it, and no operators.
PyObject* by_protocol(const infer::Ufunc& ufunc, nb::handle left, nb::handle right) {
  const nb::object ask = nb::module_::import_("phalanx._arrays.protocols").attr("operator");
  return ask(nb::str(ufunc.name.data(), ufunc.name.size()), left, right).release().ptr();
}

// With `is_equality` of operands that cannot be compared, too.
PyObject* binary(
    const infer::Ufunc& ufunc, PyObject* left, PyObject* right, bool is_equality = false) {
  return guarded([&]() -> PyObject* {
    auto [first, second] = operands_of(left, right);
    if (!first || !second)
      return by_protocol(ufunc, left, right);
    std::array<Operand, 2> operands = {*std::move(first), *std::move(second)};
    NodePtr value = is_equality ? arrays::never_equal(graph(), ufunc, operands) : nullptr;
    if (!value)
      value = arrays::apply(graph(), ufunc, operands);
    return make_array(Array::of_result(graph(), std::move(value))).release().ptr();
  });
}

const infer::Ufunc& named(const char* name) { return *infer::find_ufunc(name); }

template <const auto& name>
PyObject* binary_slot(PyObject* left, PyObject* right) {
  static const infer::Ufunc& ufunc = named(name);
  return binary(ufunc, left, right);
}

template <const auto& name>
PyObject* unary_slot(PyObject* self) {
  static const infer::Ufunc& ufunc = named(name);
  return guarded([&] {
    Operand operand = *operand_of(self);
    return make_array(Array::of_result(graph(), arrays::apply(graph(), ufunc, {&operand, 1})))
        .release()
        .ptr();
  });
}

// Bool, or an array of bools; `pow` has a third operand, which arrays do not take.
template <const auto& name>
PyObject* ternary_slot(PyObject* left, PyObject* right, PyObject* modulus) {
  return modulus == Py_None ? binary_slot<name>(left, right) : not_implemented();
}

template <const auto& name>
PyObject* inplace_slot(PyObject* self, PyObject* other) {
  static const infer::Ufunc& ufunc = named(name);
  return guarded([&]() -> PyObject* {
    auto [left, right] = operands_of(self, other);
    if (!left || !right)
      return not_implemented();
    Array& array = *array_in(self);
    std::array<Operand, 2> operands = {*std::move(left), *std::move(right)};
    NodePtr value = arrays::apply(graph(), ufunc, operands);
    if (array.is_number())
      return make_array(Array::of_result(graph(), std::move(value))).release().ptr();
    if (!numpy::can_cast(value->element, array.element_type(), numpy::Casting::same_kind))
      throw TypeError(
          "Cannot cast ufunc '" + std::string(ufunc.name) + "' output from dtype('" +
          dtype_code(value->element) + "') to dtype('" + dtype_code(array.element_type()) +
          "') with casting rule 'same_kind'");
    {
      const GraphAside no_gil;
      array.assign(std::move(value));
    }
    return Py_NewRef(self);
  });
}

// a @ b.
PyObject* product(PyObject* left, PyObject* right) {
  return guarded([&]() -> PyObject* {
    auto operands = operands_of(left, right);
    for (std::optional<Operand>& operand : operands) {
      if (!operand)
        return not_implemented();
      if (operand->graph == nullptr)  // a number, which the product refuses
        operand->node = graph().number(operand->type.dtype, *operand->number);
    }
    NodePtr made = arrays::matmul(graph(), operands[0]->node, operands[1]->node);
    return make_array(Array::of_result(graph(), std::move(made))).release().ptr();
  });
}

constexpr char add[] = "add";
constexpr char subtract[] = "subtract";
constexpr char multiply[] = "multiply";
constexpr char true_divide[] = "true_divide";
constexpr char floor_divide[] = "floor_divide";
constexpr char remainder_[] = "remainder";
constexpr char power[] = "power";
constexpr char bitwise_and[] = "bitwise_and";
constexpr char bitwise_or[] = "bitwise_or";
constexpr char bitwise_xor[] = "bitwise_xor";
constexpr char left_shift[] = "left_shift";
constexpr char right_shift[] = "right_shift";
constexpr char negative[] = "negative";
constexpr char positive[] = "positive";
constexpr char absolute[] = "absolute";
constexpr char invert[] = "invert";

// Nothing is equal to what is neither number nor array, element by element, as NumPy has it.
PyObject* compare_with_none(PyObject* left, bool is_equal) {
  return guarded([&] {
    NodePtr answer = graph().filled(!is_equal, array_in(left)->shape());
    return make_array(Array::of_result(graph(), std::move(answer))).release().ptr();
  });
}

PyObject* compare(PyObject* left, PyObject* right, int op) {
  const bool is_text = PyUnicode_Check(right) || PyBytes_Check(right);
  if ((op == Py_EQ || op == Py_NE) && (right == Py_None || is_text))
    return compare_with_none(left, op == Py_EQ);
  static const std::array<const infer::Ufunc*, 6> ufuncs = {
      &named("less"),
      &named("less_equal"),
      &named("equal"),
      &named("not_equal"),
      &named("greater"),
      &named("greater_equal")};
  return binary(*ufuncs.at(static_cast<std::size_t>(op)), left, right, op == Py_EQ || op == Py_NE);
}

template <typename Function>
void* slot(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

std::span<PyType_Slot> array_slots() {
  static PyType_Slot slots[] = {
      {Py_nb_add, slot(binary_slot<add>)},
      {Py_nb_subtract, slot(binary_slot<subtract>)},
      {Py_nb_multiply, slot(binary_slot<multiply>)},
      {Py_nb_true_divide, slot(binary_slot<true_divide>)},
      {Py_nb_floor_divide, slot(binary_slot<floor_divide>)},
      {Py_nb_remainder, slot(binary_slot<remainder_>)},
      {Py_nb_power, slot(ternary_slot<power>)},
      {Py_nb_matrix_multiply, slot(product)},
      {Py_nb_and, slot(binary_slot<bitwise_and>)},
      {Py_nb_or, slot(binary_slot<bitwise_or>)},
      {Py_nb_xor, slot(binary_slot<bitwise_xor>)},
      {Py_nb_lshift, slot(binary_slot<left_shift>)},
      {Py_nb_rshift, slot(binary_slot<right_shift>)},
      {Py_nb_negative, slot(unary_slot<negative>)},
      {Py_nb_positive, slot(unary_slot<positive>)},
      {Py_nb_absolute, slot(unary_slot<absolute>)},
      {Py_nb_invert, slot(unary_slot<invert>)},
      {Py_nb_inplace_add, slot(inplace_slot<add>)},
      {Py_nb_inplace_subtract, slot(inplace_slot<subtract>)},
      {Py_nb_inplace_multiply, slot(inplace_slot<multiply>)},
      {Py_nb_inplace_true_divide, slot(inplace_slot<true_divide>)},
      {Py_nb_inplace_floor_divide, slot(inplace_slot<floor_divide>)},
      {Py_nb_inplace_remainder, slot(inplace_slot<remainder_>)},
      {Py_nb_inplace_and, slot(inplace_slot<bitwise_and>)},
      {Py_nb_inplace_or, slot(inplace_slot<bitwise_or>)},
      {Py_nb_inplace_xor, slot(inplace_slot<bitwise_xor>)},
      {Py_nb_inplace_lshift, slot(inplace_slot<left_shift>)},
      {Py_nb_inplace_rshift, slot(inplace_slot<right_shift>)},
      {Py_tp_richcompare, slot(compare)},
      {Py_mp_subscript, slot(array_item)},
      {Py_mp_ass_subscript, slot(assign_array_item)},
      {Py_bf_getbuffer, slot(get_array_buffer)},
      {Py_bf_releasebuffer, slot(release_array_buffer)},
      {0, nullptr},
  };
  return slots;
}

}  // namespace phalanx::bindings
