#include "phalanx/numpy/promotion.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>
#include <vector>

#include "phalanx/infer/conversion.h"
#include "phalanx/numpy/times.h"

namespace phalanx::numpy {
namespace {

// bool, integers, floats, complex numbers.
int rank(DType dtype) {
  if (is_boolean(dtype))
    return 0;
  if (is_integer(dtype))
    return 1;
  return is_floating(dtype) ? 2 : 3;
}

bool holds(DType larger, DType smaller) { return infer::promoted(larger, smaller) == larger; }

// The least type that holds all of them. Pair by pair would give more: int16, uint16 and float32
// meet in float32, though the first two meet in int32.
DType promoted(const std::vector<DType>& dtypes) {
  DType all = dtypes.front();
  for (const DType dtype : dtypes) all = infer::promoted(all, dtype);
  for (const DType candidate : dtypes) {
    if (std::ranges::all_of(dtypes, [&](DType each) { return holds(candidate, each); }))
      return candidate;
  }
  for (const DType a : dtypes) {
    for (const DType b : dtypes) {
      const DType candidate = infer::promoted(a, b);
      const auto fits = [&](DType each) { return holds(candidate, each); };
      if (holds(all, candidate) && std::ranges::all_of(dtypes, fits))
        all = candidate;
    }
  }
  return all;
}

// A number of Python's beside numbers of a lesser kind: int64, float64, or the complex type with
// the precision of the floats there are.
DType with_weak(DType strong, DType weak) {
  if (fits_weak(weak, strong))
    return strong;
  if (!is_complex(weak) || !is_floating(strong))
    return weak;
  return size_of(strong) <= sizeof(float) ? DType::complex64 : DType::complex128;
}

std::vector<DType> dtypes_of(std::span<const Operand> operands, bool are_weak) {
  std::vector<DType> dtypes;
  for (const Operand& operand : operands) {
    if (operand.is_weak == are_weak)
      dtypes.push_back(operand.dtype);
  }
  return dtypes;
}

// The types that decide the loop: Python's numbers count where they are of a kind of their own.
std::vector<DType> deciding(std::span<const Operand> operands) {
  std::vector<DType> dtypes = dtypes_of(operands, false);
  const std::vector<DType> weak = dtypes_of(operands, true);
  if (weak.empty())
    return dtypes;
  const DType widest = std::ranges::max(weak, {}, rank);
  const auto ranks = dtypes | std::views::transform(rank);
  if (dtypes.empty() || rank(widest) > std::ranges::max(ranks))
    dtypes.push_back(result_type(operands));
  return dtypes;
}

// With the loops of 16 bits before that of float32; bfloat16's is for those who use the type.
std::vector<DType> loops_of(const infer::Ufunc& ufunc, const std::vector<DType>& operands) {
  std::vector<DType> loops = infer::loops_of(ufunc);
  const auto single = std::ranges::find(loops, DType::float32);
  if (single == loops.end())
    return loops;
  const bool is_brain = std::ranges::find(operands, DType::bfloat16) != operands.end();
  loops.insert(single, is_brain ? DType::bfloat16 : DType::float16);
  return loops;
}

bool are_whole(const std::vector<DType>& dtypes) {
  return std::ranges::all_of(dtypes, [](DType each) { return rank(each) <= 1; });
}

// NumPy refuses them, though their operands have loops that hold them.
bool refuses_booleans(const infer::Ufunc& ufunc) {
  constexpr std::array<std::string_view, 6> names = {
      "subtract", "negative", "positive", "sign", "gcd", "lcm"};
  return std::ranges::find(names, ufunc.name) != names.end();
}

bool is_logical(const infer::Ufunc& ufunc) {
  return ufunc.name.starts_with("logical_") && ufunc.arity == 2;
}

infer::Typing typing_of(const infer::Ufunc& ufunc, DType loop) {
  infer::Typing typing;
  typing.declared.fill(loop);
  typing.operands.fill(loop);
  typing.result = infer::result_in(ufunc, loop);
  typing.yields = typing.result;
  return typing;
}

// Comparisons of int64 with uint64 are exact: no type holds both.
std::optional<infer::Typing> mixed_comparison(
    const infer::Ufunc& ufunc, const std::vector<DType>& dtypes) {
  const bool is_comparison = ufunc.op && ir::info(*ufunc.op).rule == ir::Rule::compare;
  if (!is_comparison || dtypes.size() != 2 || !is_integer(dtypes[0]) || !is_integer(dtypes[1]) ||
      !is_floating(infer::promoted(dtypes[0], dtypes[1])))
    return std::nullopt;
  infer::Typing typing = typing_of(ufunc, DType::int64);
  typing.operands[is_unsigned(dtypes[0]) ? 0 : 1] = DType::uint64;
  typing.declared = typing.operands;
  return typing;
}

}  // namespace

bool fits_weak(DType weak, DType wanted) { return rank(weak) <= rank(wanted); }

DType result_type(std::span<const Operand> operands) {
  const std::vector<DType> strong = dtypes_of(operands, false);
  const std::vector<DType> weak = dtypes_of(operands, true);
  if (weak.empty())
    return promoted(strong);
  const DType widest = std::ranges::max(weak, {}, rank);
  return strong.empty() ? widest : with_weak(promoted(strong), widest);
}

bool can_cast(DType from, DType to, Casting casting) {
  switch (casting) {
    case Casting::equivalent:
      return from == to;
    case Casting::safe:
      return holds(to, from);
    case Casting::same_kind: {
      const bool loses_sign = is_signed(from) && is_unsigned(to);
      return holds(to, from) || (rank(from) <= rank(to) && !loses_sign);
    }
    case Casting::unsafe:
      return true;
  }
  return false;
}

bool can_cast(const ir::Type& from, const ir::Type& to, Casting casting) {
  if (from.is_scalar() && to.is_scalar())
    return can_cast(from.dtype(), to.dtype(), casting);
  if (from.is_time() && to.is_time() && from.time_kind() == to.time_kind())
    return can_cast_time(from, to, casting);
  if (from.is_scalar() && to.is_time() && to.time_kind() == ir::TimeKind::timedelta)
    return can_cast(from.dtype(), DType::int64, casting) && casting != Casting::equivalent;
  if (!from.is_record() || !to.is_record() || casting == Casting::equivalent)
    return from == to;
  return std::ranges::equal(from.fields(), to.fields(), [&](const auto& a, const auto& b) {
    return a.shape == b.shape && can_cast(a.type, b.type, casting);
  });
}

std::optional<infer::Typing> resolve(const infer::Ufunc& ufunc, std::span<const Operand> operands) {
  if (operands.size() != static_cast<std::size_t>(ufunc.arity))
    return std::nullopt;
  std::vector<DType> dtypes = deciding(operands);
  if (is_logical(ufunc))
    return typing_of(ufunc, DType::boolean);
  if (refuses_booleans(ufunc) && std::ranges::all_of(dtypes, is_boolean))
    return std::nullopt;
  if (const auto typing = mixed_comparison(ufunc, dtypes))
    return typing;
  // Quotients of integers are float64, not the least float that holds the operands.
  if (ufunc.op == ir::Op::true_divide && are_whole(dtypes))
    dtypes = {DType::float64};
  for (const DType loop : loops_of(ufunc, dtypes)) {
    if (std::ranges::all_of(
            dtypes, [&](DType each) { return can_cast(each, loop, Casting::safe); }))
      return typing_of(ufunc, loop);
  }
  return std::nullopt;
}

}  // namespace phalanx::numpy
