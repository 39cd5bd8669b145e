#include "phalanx/bindings/array_slots.h"

#include <array>
#include <complex>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/array_indexing.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/numpy.h"

namespace nb = nanobind;

namespace phalanx::bindings {

using arrays::Array;
using arrays::NodePtr;

std::optional<ArrayOperand> operand_of(nb::handle object) {
  if (const Array* array = array_in(object))
    return ArrayOperand{.node = array->value(), .type = {array->dtype()}};
  PyTypeObject* const type = Py_TYPE(object.ptr());
  if (type == &PyBool_Type)
    return ArrayOperand{.number = object.ptr() == Py_True, .type = {DType::boolean, false}};
  if (type == &PyFloat_Type)
    return ArrayOperand{.number = PyFloat_AsDouble(object.ptr()), .type = {DType::float64, true}};
  if (type == &PyLong_Type) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (overflow != 0)
      return ArrayOperand{
          .number = overflow * std::numeric_limits<double>::infinity(),
          .type = {DType::int64, true},
          .large = object};
    return ArrayOperand{.number = std::int64_t{value}, .type = {DType::int64, true}};
  }
  if (type == &PyComplex_Type) {
    const std::complex value(
        PyComplex_RealAsDouble(object.ptr()), PyComplex_ImagAsDouble(object.ptr()));
    return ArrayOperand{.number = value, .type = {DType::complex128, true}};
  }
  return std::nullopt;
}

namespace {

bool holds(DType dtype, std::int64_t value) {
  if (!is_integer(dtype))
    return true;
  const unsigned bits = bits_of(dtype);
  if (is_unsigned(dtype))
    return value >= 0 && (bits == 64 || value < std::int64_t{1} << bits);
  const std::int64_t limit =
      bits == 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (bits - 1)) - 1;
  return value >= -limit - 1 && value <= limit;
}

void check_range(const ir::Constant& value, DType dtype) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer != nullptr && !holds(dtype, *integer))
    throw std::overflow_error(
        "Python integer " + std::to_string(*integer) + " out of bounds for " +
        std::string(info(dtype).name));
}

// The number as one of the type's kind.
ir::Constant converted(const ir::Constant& value, DType dtype) {
  check_range(value, dtype);
  const auto convert = [&](auto number) -> ir::Constant {
    if constexpr (std::is_same_v<decltype(number), std::complex<double>>)
      return number;
    else if (is_boolean(dtype))
      return number != 0;
    else if (is_integer(dtype))
      return static_cast<std::int64_t>(number);
    else if (is_floating(dtype))
      return static_cast<double>(number);
    else
      return std::complex<double>(static_cast<double>(number));
  };
  return std::visit(convert, value);
}

// The same of an int beyond int64.
ir::Constant converted_large(nb::handle integer, DType dtype) {
  if (is_floating(dtype) || is_complex(dtype)) {
    const double value = PyLong_AsDouble(integer.ptr());
    if (PyErr_Occurred() != nullptr)
      throw nb::python_error();
    return is_complex(dtype) ? ir::Constant(std::complex(value)) : ir::Constant(value);
  }
  if (dtype == DType::uint64) {
    const std::uint64_t value = PyLong_AsUnsignedLongLong(integer.ptr());
    if (PyErr_Occurred() == nullptr)
      return static_cast<std::int64_t>(value);
    PyErr_Clear();
  }
  throw std::overflow_error(
      "Python integer " + std::string(nb::str(integer).c_str()) + " out of bounds for " +
      std::string(info(dtype).name));
}

// How an int that is no value of the integer type is beyond it: 1 above, -1 below; else 0.
int side_beyond(const ArrayOperand& operand, DType dtype) {
  if (operand.node || !is_integer(dtype))
    return 0;
  if (operand.large) {
    const bool is_above = std::get<double>(*operand.number) > 0;
    if (is_above && dtype == DType::uint64) {
      PyLong_AsUnsignedLongLong(operand.large.ptr());
      if (PyErr_Occurred() == nullptr)
        return 0;
      PyErr_Clear();
    }
    return is_above ? 1 : -1;
  }
  const auto* integer = std::get_if<std::int64_t>(&*operand.number);
  return integer == nullptr || holds(dtype, *integer) ? 0 : *integer > 0 ? 1 : -1;
}

bool holds_of_lesser(ir::Op comparison) {
  return comparison == ir::Op::less || comparison == ir::Op::less_equal ||
         comparison == ir::Op::not_equal;
}
bool holds_of_greater(ir::Op comparison) {
  return comparison == ir::Op::greater || comparison == ir::Op::greater_equal ||
         comparison == ir::Op::not_equal;
}

// A comparison of integers with an int that none of them can be: the answer is the same for all.
NodePtr compared_beyond(
    const infer::Ufunc& ufunc,
    const std::vector<ArrayOperand>& operands,
    const arrays::Function& function) {
  if (!ufunc.op || ir::info(*ufunc.op).rule != ir::Rule::compare)
    return nullptr;
  for (const std::size_t i : {0U, 1U}) {
    const int side = side_beyond(operands[i], function.operands.at(i));
    if (side == 0)
      continue;
    const bool is_first_lesser = (side > 0) == (i == 1);
    const bool answer = is_first_lesser ? holds_of_lesser(*ufunc.op) : holds_of_greater(*ufunc.op);
    const NodePtr& other = operands[1 - i].node;
    return other ? graph().broadcast(graph().number(DType::boolean, answer), *other->shape)
                 : graph().number(DType::boolean, answer);
  }
  return nullptr;
}

// NumPy's word on integers to negative powers, where the exponent is known.
void check_power(
    const infer::Ufunc& ufunc,
    const std::vector<ArrayOperand>& operands,
    const arrays::Function& function) {
  if (ufunc.op != ir::Op::power || operands[1].node || !is_integer(function.operands[0]))
    return;
  const auto* exponent = std::get_if<std::int64_t>(&*operands[1].number);
  if (exponent != nullptr && *exponent < 0)
    throw ValueError("Integers to negative integer powers are not allowed.");
}

std::string refused(const infer::Ufunc& ufunc, const std::vector<ArrayOperand>& operands) {
  std::string types;
  for (const ArrayOperand& operand : operands)
    types += (types.empty() ? "" : ", ") + std::string(info(operand.type.dtype).name);
  return "ufunc '" + std::string(ufunc.name) + "' is not supported for the input types (" + types +
         ")";
}

}  // namespace

namespace {

// x ** 2 and the like, as NumPy computes them: exactly, and without a logarithm. Null: as written.
const infer::Ufunc* power_of(const std::vector<ArrayOperand>& operands) {
  if (operands.size() != 2 || !operands[0].node || !operands[1].number ||
      is_boolean(operands[0].type.dtype))
    return nullptr;
  const auto* integer = std::get_if<std::int64_t>(&*operands[1].number);
  const auto* floating = std::get_if<double>(&*operands[1].number);
  const double exponent = integer != nullptr    ? static_cast<double>(*integer)
                          : floating != nullptr ? *floating
                                                : 0;
  static const infer::Ufunc& square = *infer::find_ufunc("square");
  static const infer::Ufunc& root = *infer::find_ufunc("sqrt");
  static const infer::Ufunc& reciprocal = *infer::find_ufunc("reciprocal");
  if (is_integer(operands[0].type.dtype))
    return integer != nullptr && exponent == 2 ? &square : nullptr;
  return exponent == 2 ? &square : exponent == 0.5 ? &root : exponent == -1 ? &reciprocal : nullptr;
}

}  // namespace

NodePtr number_node(nb::handle number, DType dtype) {
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
  check_range(value, dtype);
  return graph().number(dtype, value);
}

NodePtr apply(const infer::Ufunc& ufunc, std::vector<ArrayOperand> operands) {
  if (ufunc.op == ir::Op::power && ufunc.name == "power") {
    if (const infer::Ufunc* simpler = power_of(operands)) {
      operands.pop_back();
      return apply(*simpler, std::move(operands));
    }
  }
  std::array<numpy::Operand, 3> types = {};
  std::array<NodePtr, 3> nodes = {};
  if (operands.size() != static_cast<std::size_t>(ufunc.arity))
    throw TypeError(
        std::string(ufunc.name) + " takes " + std::to_string(ufunc.arity) + " operands, not " +
        std::to_string(operands.size()));
  for (std::size_t i = 0; i < operands.size(); ++i) types.at(i) = operands[i].type;
  const arrays::Function* function =
      arrays::find_function(ufunc, std::span(types).first(operands.size()));
  if (function == nullptr)
    throw TypeError(refused(ufunc, operands));
  if (NodePtr known = compared_beyond(ufunc, operands, *function))
    return known;
  check_power(ufunc, operands, *function);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const DType dtype = function->operands.at(i);
    if (operands[i].node)
      nodes.at(i) = std::move(operands[i].node);
    else
      nodes.at(i) = graph().number(
          dtype,
          operands[i].large ? converted_large(operands[i].large, dtype)
                            : converted(*operands[i].number, dtype));
  }
  return graph().call(*function, std::span(nodes).first(operands.size()));
}

namespace {

PyObject* not_implemented() { return Py_NewRef(Py_NotImplemented); }

// What is no array and no plain number: NumPy's arrays and numbers, and lists, become arrays; the
// others have operators of their own.
std::optional<ArrayOperand> coerced(nb::handle object) {
  const nb::object made = nb::module_::import_("phalanx._arrays.coerce").attr("operand")(object);
  if (made.is_none())
    return std::nullopt;
  return operand_of(made);
}

PyObject* binary(const infer::Ufunc& ufunc, PyObject* left, PyObject* right) {
  return guarded([&]() -> PyObject* {
    std::vector<ArrayOperand> operands;
    for (PyObject* const each : {left, right}) {
      auto operand = operand_of(each);
      if (!operand)
        operand = coerced(each);
      if (!operand)
        return not_implemented();
      operands.push_back(std::move(*operand));
    }
    return make_array(Array::of_result(graph(), apply(ufunc, std::move(operands)))).release().ptr();
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
    std::vector<ArrayOperand> operands = {*operand_of(self)};
    return make_array(Array::of_result(graph(), apply(ufunc, std::move(operands)))).release().ptr();
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
    auto right = operand_of(other);
    if (!right)
      right = coerced(other);
    if (!right)
      return not_implemented();
    Array& array = *array_in(self);
    NodePtr value = apply(ufunc, {*operand_of(self), std::move(*right)});
    if (array.is_number())
      return make_array(Array::of_result(graph(), std::move(value))).release().ptr();
    if (!numpy::can_cast(value->dtype, array.dtype(), numpy::Casting::same_kind))
      throw TypeError(
          "Cannot cast ufunc '" + std::string(ufunc.name) + "' output from dtype('" +
          std::string(info(value->dtype).name) + "') to dtype('" +
          std::string(info(array.dtype()).name) + "') with casting rule 'same_kind'");
    {
      const GraphAside no_gil;
      array.assign(std::move(value));
    }
    return Py_NewRef(self);
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

PyObject* compare(PyObject* left, PyObject* right, int op) {
  static const std::array<const infer::Ufunc*, 6> ufuncs = {
      &named("less"),
      &named("less_equal"),
      &named("equal"),
      &named("not_equal"),
      &named("greater"),
      &named("greater_equal")};
  return binary(*ufuncs.at(static_cast<std::size_t>(op)), left, right);
}

// The buffer of the NumPy array that Python makes of it: one to write to shares the elements.
int buffer_of(PyObject* self, Py_buffer* buffer, int flags) {
  const PyObject* const done = guarded([&] {
    const bool is_writable = (flags & PyBUF_WRITABLE) != 0;
    const nb::object host = nb::module_::import_("phalanx._arrays.interchange")
                                .attr("host_view")(nb::handle(self), is_writable);
    if (PyObject_GetBuffer(host.ptr(), buffer, flags) != 0)
      throw nb::python_error();
    return Py_None;
  });
  if (done == nullptr)
    buffer->obj = nullptr;
  return done == nullptr ? -1 : 0;
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
      {Py_bf_getbuffer, slot(buffer_of)},
      {0, nullptr},
  };
  return slots;
}

}  // namespace phalanx::bindings
