#include "phalanx/passes/linear.h"

#include <algorithm>

namespace phalanx::passes {

using ir::Op;
using ir::Operation;

namespace {

constexpr unsigned deepest_sum = 16;

// `otherwise` where the result does not fit.
std::int64_t sum_or(std::int64_t a, std::int64_t b, std::int64_t otherwise) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? otherwise : result;
}

bool is_unbounded(std::int64_t bound) {
  return bound == Interval::none_low || bound == Interval::none_high;
}

// The product of two ends of intervals; "no bound" times 0 is 0.
std::int64_t product(std::int64_t a, std::int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  std::int64_t result = 0;
  if (is_unbounded(a) || is_unbounded(b) || __builtin_mul_overflow(a, b, &result))
    return (a < 0) == (b < 0) ? Interval::none_high : Interval::none_low;
  return result;
}

}  // namespace

Interval operator+(Interval a, Interval b) {
  Interval sum;
  if (a.low != Interval::none_low && b.low != Interval::none_low)
    sum.low = sum_or(a.low, b.low, a.low < 0 ? Interval::none_low : a.low);
  if (a.high != Interval::none_high && b.high != Interval::none_high)
    sum.high = sum_or(a.high, b.high, a.high > 0 ? Interval::none_high : a.high);
  return sum;
}

Interval operator*(Interval a, Interval b) {
  const auto ends = {
      product(a.low, b.low),
      product(a.low, b.high),
      product(a.high, b.low),
      product(a.high, b.high)};
  return {.low = std::min(ends), .high = std::max(ends)};
}

Interval united(Interval a, Interval b) {
  return {.low = std::min(a.low, b.low), .high = std::max(a.high, b.high)};
}

Interval intersected(Interval a, Interval b) {
  return {.low = std::max(a.low, b.low), .high = std::min(a.high, b.high)};
}

Interval range_of(DType dtype) {
  if (is_boolean(dtype))
    return {.low = 0, .high = 1};
  if (!is_integer(dtype))
    return {};
  const unsigned bits = bits_of(dtype);
  if (is_unsigned(dtype))
    return {.low = 0, .high = bits == 64 ? Interval::none_high : (std::int64_t{1} << bits) - 1};
  if (bits == 64)
    return {};
  return {.low = -(std::int64_t{1} << (bits - 1)), .high = (std::int64_t{1} << (bits - 1)) - 1};
}

bool is_linear_type(const ir::Type& type) {
  return type.is_scalar() && is_integer(type.dtype()) && type.dtype() != DType::uint64;
}

void Linear::add(const Linear& other, std::int64_t factor) {
  // Wrapping as unsigned: a form that overflows here belongs to a program that overflows.
  const auto scaled = [&](std::int64_t number) {
    return static_cast<std::int64_t>(
        static_cast<std::uint64_t>(number) * static_cast<std::uint64_t>(factor));
  };
  const auto sum = [](std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  };
  constant = sum(constant, scaled(other.constant));
  for (const auto& [value, count] : other.terms) {
    const auto at = terms.try_emplace(value, 0).first;
    at->second = sum(at->second, scaled(count));
    if (at->second == 0)
      terms.erase(at);
  }
}

namespace {

std::optional<std::int64_t> constant_of(const Operation* value) {
  if (value->op != Op::constant)
    return std::nullopt;
  if (const auto* integer = std::get_if<std::int64_t>(&value->constant))
    return *integer;
  return std::nullopt;
}

// A cast after which the number is the same for sure.
bool keeps_number(const Operation& cast) {
  const ir::Type& from = cast.operands[0]->type;
  if (!is_linear_type(from) || !is_linear_type(cast.type))
    return false;
  const Interval inner = range_of(from.dtype());
  const Interval outer = range_of(cast.type.dtype());
  return outer.low <= inner.low && inner.high <= outer.high;
}

Linear term(const Operation* value) {
  Linear form;
  form.terms[value] = 1;
  return form;
}

Linear form_of(const Operation* value, unsigned depth) {
  if (const auto constant = constant_of(value); constant && is_linear_type(value->type)) {
    Linear form;
    form.constant = *constant;
    return form;
  }
  if (depth == deepest_sum || !is_linear_type(value->type))
    return term(value);
  // Unsigned arithmetic wraps by design: i - 1 of an unsigned 0 is no number below 0. So does that
  // of 8 and 16 bits, as NumPy's; loops count in 32.
  const DType dtype = value->type.dtype();
  if (value->op != Op::cast && (!is_signed(dtype) || bits_of(dtype) < 32))
    return term(value);
  const auto& operands = value->operands;
  const auto combined = [&](std::int64_t factor) {
    Linear form = form_of(operands[0], depth + 1);
    form.add(form_of(operands[1], depth + 1), factor);
    return form;
  };
  const auto scaled = [&](const Operation* inner, std::int64_t factor) {
    Linear form;
    form.add(form_of(inner, depth + 1), factor);
    return form;
  };
  switch (value->op) {
    case Op::add:
      return combined(1);
    case Op::subtract:
      return combined(-1);
    case Op::negative:
      return scaled(operands[0], -1);
    case Op::multiply:
      if (const auto factor = constant_of(operands[1]))
        return scaled(operands[0], *factor);
      if (const auto factor = constant_of(operands[0]))
        return scaled(operands[1], *factor);
      return term(value);
    case Op::left_shift:
      if (const auto count = constant_of(operands[1]); count && *count >= 0 && *count < 32)
        return scaled(operands[0], std::int64_t{1} << *count);
      return term(value);
    case Op::cast:
      return keeps_number(*value) ? form_of(operands[0], depth + 1) : term(value);
    default:
      return term(value);
  }
}

}  // namespace

Linear linear_form(const Operation* value) { return form_of(value, 0); }

}  // namespace phalanx::passes
