// The interpreter's elementwise operations, casts and atomics, by the words of ops.def.
#include "interpreter_arithmetic.h"

#include <cmath>
#include <complex>
#include <stdexcept>
#include <string>

#include "interpreter_values.h"
#include "phalanx/ir/constants.h"

namespace phalanx::test {

using ir::Op;

void fail(Op op, DType dtype) {
  throw std::logic_error(
      "interpreter: no " + std::string(ir::name_of(op)) + " of " + std::string(info(dtype).text));
}

namespace {

using Operands = std::vector<const Words*>;

Words complex_result(Op op, DType dtype, const Operands& x) {
  const auto at = [&](std::size_t i) {
    return std::complex<double>(as_double((*x[i])[0]), as_double((*x[i])[1]));
  };
  std::complex<double> result;
  switch (op) {
    case Op::add:
      result = at(0) + at(1);
      break;
    case Op::subtract:
      result = at(0) - at(1);
      break;
    case Op::multiply:
      result = at(0) * at(1);
      break;
    case Op::true_divide:
      result = at(0) / at(1);
      break;
    case Op::negative:
      result = -at(0);
      break;
    case Op::power:
      result = std::pow(at(0), at(1));
      break;
    case Op::sqrt:
      result = std::sqrt(at(0));
      break;
    case Op::exp:
      result = std::exp(at(0));
      break;
    case Op::log:
      result = std::log(at(0));
      break;
    case Op::sin:
      result = std::sin(at(0));
      break;
    case Op::cos:
      result = std::cos(at(0));
      break;
    case Op::equal:
      return {at(0) == at(1) ? 1U : 0U};
    case Op::not_equal:
      return {at(0) != at(1) ? 1U : 0U};
    default:
      fail(op, dtype);
  }
  return constant(ir::normalized(result, dtype));
}

}  // namespace

Words elementwise(const ir::Operation& operation, const Operands& x) {
  if (operation.op == Op::select)
    return *x[(*x[0])[0] != 0 ? 1 : 2];
  const DType dtype = operation.operands[0]->type.dtype();
  if (is_complex(dtype))
    return complex_result(operation.op, dtype, x);
  const auto word = [&](std::size_t i) { return i < x.size() ? (*x[i])[0] : 0; };
  if (operation.op == Op::ldexp) {
    const int exponent = static_cast<int>(static_cast<std::int64_t>(word(1)));
    return {as_word(rounded(std::ldexp(as_double(word(0)), exponent), dtype))};
  }
  if (is_floating(dtype)) {
    return {
        floating(operation.op, dtype, as_double(word(0)), as_double(word(1)), as_double(word(2)))};
  }
  return {integer(operation.op, dtype, word(0), word(1))};
}

namespace {

std::uint64_t to_integer(double value, DType to) {
  const double whole = std::trunc(value);
  if (is_unsigned(to) && whole >= 0 && whole < 0x1p64)
    return integer(Op::add, to, static_cast<std::uint64_t>(whole), 0);
  if (whole >= -0x1p63 && whole < 0x1p63)
    return integer(Op::add, to, static_cast<std::uint64_t>(static_cast<std::int64_t>(whole)), 0);
  return integer(Op::add, to, std::uint64_t{1} << 63U, 0);  // the device's affair
}

double to_real(DType from, std::uint64_t word, DType to) {
  if (is_floating(from) || is_complex(from))
    return rounded(as_double(word), to);
  const bool is_single = to == DType::float32;
  if (is_unsigned(from))
    return is_single ? double{static_cast<float>(word)} : rounded(static_cast<double>(word), to);
  const auto number = static_cast<std::int64_t>(word);
  return is_single ? double{static_cast<float>(number)} : rounded(static_cast<double>(number), to);
}

}  // namespace

Words cast(DType from, DType to, const Words& value) {
  const bool is_whole = is_integer(from) || is_boolean(from);
  if (is_boolean(to)) {
    if (is_whole)
      return {value[0] != 0 ? 1U : 0U};
    const bool has_imaginary = is_complex(from) && as_double(value[1]) != 0;
    return {as_double(value[0]) != 0 || has_imaginary ? 1U : 0U};
  }
  if (is_integer(to))
    return {is_whole ? integer(Op::add, to, value[0], 0) : to_integer(as_double(value[0]), to)};
  const DType part = real_part_of(to);
  Words result = {as_word(to_real(from, value[0], part))};
  if (is_complex(to))
    result.push_back(is_complex(from) ? as_word(to_real(from, value[1], part)) : as_word(0.0));
  return result;
}

std::uint64_t atomic_result(ir::Atomic kind, DType dtype, std::uint64_t old, std::uint64_t value) {
  const auto apply = [&](Op op) {
    if (is_floating(dtype))
      return floating(op, dtype, as_double(old), as_double(value), 0);
    return integer(op, dtype, old, value);
  };
  switch (kind) {
    case ir::Atomic::add:
      return apply(Op::add);
    case ir::Atomic::sub:
      return apply(Op::subtract);
    case ir::Atomic::max:
      return apply(Op::maximum);
    case ir::Atomic::min:
      return apply(Op::minimum);
    case ir::Atomic::nanmax:
      return apply(Op::fmax);
    case ir::Atomic::nanmin:
      return apply(Op::fmin);
    case ir::Atomic::bitwise_and:
      return apply(Op::bitwise_and);
    case ir::Atomic::bitwise_or:
      return apply(Op::bitwise_or);
    case ir::Atomic::bitwise_xor:
      return apply(Op::bitwise_xor);
    case ir::Atomic::exchange:
      return value;
    case ir::Atomic::inc:
      return old >= value ? 0 : old + 1;
    case ir::Atomic::dec:
      return old == 0 || old > value ? value : old - 1;
  }
  throw std::logic_error("interpreter: unknown atomic");
}

}  // namespace phalanx::test
