#include "phalanx/bindings/constant_folding.h"

#include <nanobind/stl/complex.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace nb = nanobind;

namespace phalanx::bindings {
namespace {

namespace tree = frontend::tree;

// Wider integers are not computed on the way to a value that fits.
constexpr std::uint64_t most_bits = 4096;

// The number that the expression is; invalid for everything else.
nb::object number(const tree::Expression& expression) {
  const auto* constant = std::get_if<tree::Constant>(&expression.node);
  if (constant == nullptr)
    return {};
  return std::visit(
      [](const auto& value) -> nb::object {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, tree::BigInteger>)
          return value.digits.empty()
                     ? nb::object()
                     : nb::steal(PyLong_FromString(value.digits.c_str(), nullptr, 10));
        else if constexpr (
            std::is_same_v<T, tree::None> || std::is_same_v<T, tree::Ellipsis> ||
            std::is_same_v<T, std::string>)
          return {};
        else
          return nb::cast(value);
      },
      constant->value);
}

std::uint64_t bits_of(const nb::object& integer) {
  return nb::cast<std::uint64_t>(integer.attr("bit_length")());
}

// True if the operator makes an integer with enough bits that computing it takes long.
bool is_too_wide(ir::Op op, const nb::object& left, const nb::object& right) {
  if (!nb::isinstance<nb::int_>(left) || !nb::isinstance<nb::int_>(right))
    return false;
  if (op == ir::Op::multiply)
    return bits_of(left) + bits_of(right) > most_bits;
  if (op != ir::Op::power && op != ir::Op::left_shift)
    return false;
  int overflow = 0;
  const std::int64_t count = PyLong_AsLongLongAndOverflow(right.ptr(), &overflow);
  const std::uint64_t bits = bits_of(left);
  if (overflow < 0 || count <= 0 || bits == 0 || (bits == 1 && op == ir::Op::power))
    return false;
  if (overflow > 0 || static_cast<std::uint64_t>(count) > most_bits)
    return true;
  const auto natural = static_cast<std::uint64_t>(count);
  return (op == ir::Op::power ? bits * natural : bits + natural) > most_bits;
}

PyObject* power(PyObject* left, PyObject* right) { return PyNumber_Power(left, right, Py_None); }

using Compute = PyObject* (*)(PyObject*, PyObject*);

Compute compute_of(ir::Op op) {
  switch (op) {
    case ir::Op::add:
      return PyNumber_Add;
    case ir::Op::subtract:
      return PyNumber_Subtract;
    case ir::Op::multiply:
      return PyNumber_Multiply;
    case ir::Op::true_divide:
      return PyNumber_TrueDivide;
    case ir::Op::floor_divide:
      return PyNumber_FloorDivide;
    case ir::Op::remainder:
      return PyNumber_Remainder;
    case ir::Op::power:
      return power;
    case ir::Op::left_shift:
      return PyNumber_Lshift;
    case ir::Op::right_shift:
      return PyNumber_Rshift;
    case ir::Op::bitwise_or:
      return PyNumber_Or;
    case ir::Op::bitwise_xor:
      return PyNumber_Xor;
    case ir::Op::bitwise_and:
      return PyNumber_And;
    default:
      return nullptr;
  }
}

// What raises, such as 1 / 0, is left to be computed when it runs.
Folded result(PyObject* value) {
  if (value == nullptr)
    PyErr_Clear();
  return {.value = nb::steal(value)};
}

}  // namespace

Folded fold(const tree::Binary& node) {
  const nb::object left = number(*node.left);
  const nb::object right = left.is_valid() ? number(*node.right) : nb::object();
  const Compute compute = compute_of(node.op);
  if (!right.is_valid() || compute == nullptr)
    return {};
  if (is_too_wide(node.op, left, right))
    return {.is_too_wide = true};
  return result(compute(left.ptr(), right.ptr()));
}

Folded fold(const tree::Unary& node) {
  const nb::object operand = number(*node.operand);
  if (!operand.is_valid() || nb::isinstance<nb::bool_>(operand))
    return {};
  switch (node.op) {
    case tree::UnaryOperator::plus:
      return result(PyNumber_Positive(operand.ptr()));
    case tree::UnaryOperator::minus:
      return result(PyNumber_Negative(operand.ptr()));
    case tree::UnaryOperator::invert:
      return result(PyNumber_Invert(operand.ptr()));
    case tree::UnaryOperator::logical_not:
      break;
  }
  return {};
}

Folded fold(const tree::Subscript& node) {
  const auto* tuple = std::get_if<tree::Tuple>(&node.owner->node);
  const nb::object index = number(*node.index);
  if (tuple == nullptr || tuple->is_list || !index.is_valid())
    return {};
  nb::list numbers;
  for (const auto& element : tuple->elements) {
    const nb::object value = number(*element);
    if (!value.is_valid())
      return {};
    numbers.append(value);
  }
  return result(PyObject_GetItem(numbers.ptr(), index.ptr()));
}

}  // namespace phalanx::bindings
