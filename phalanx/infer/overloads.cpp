#include "phalanx/infer/overloads.h"

#include <algorithm>
#include <compare>
#include <cstddef>

#include "phalanx/infer/conversion.h"

namespace phalanx::infer {
namespace {

using enum DType;

constexpr std::array signed_types = {int8, int16, int32, int64};
constexpr std::array unsigned_types = {uint8, uint16, uint32, uint64};
constexpr std::array half_types = {float16};
constexpr std::array small_float_types = {float16, bfloat16};
constexpr std::array real_types = {float32, float64};
constexpr std::array complex_types = {complex64, complex128};
constexpr std::array bool_type = {boolean};
// Narrower integers are widened to these first.
constexpr std::array machine_types = {int64, uint64};

template <std::size_t... n>
constexpr auto join(const std::array<Signature, n>&... parts) {
  std::array<Signature, (n + ...)> all = {};
  std::size_t at = 0;
  const auto append = [&](const auto& part) {
    for (const Signature& signature : part) all[at++] = signature;
  };
  (append(parts), ...);
  return all;
}

// Operands of one type, for each of the types; the result is `result(type)`, or of that type too.
template <std::size_t n, typename Result>
constexpr auto each(const std::array<DType, n>& types, const Result& result) {
  std::array<Signature, n> all = {};
  for (std::size_t i = 0; i < n; ++i) all[i] = {result(types[i]), {types[i], types[i], types[i]}};
  return all;
}
template <std::size_t n>
constexpr auto each(const std::array<DType, n>& types) {
  return each(types, [](DType type) { return type; });
}
template <std::size_t n>
constexpr auto each_to(DType result, const std::array<DType, n>& types) {
  return each(types, [result](DType) { return result; });
}

// Every pair of a first and a second type.
template <std::size_t n, std::size_t m, typename Result>
constexpr auto pairs(
    const std::array<DType, n>& first, const std::array<DType, m>& second, const Result& result) {
  std::array<Signature, n * m> all = {};
  std::size_t at = 0;
  for (DType a : first) {
    for (DType b : second) all[at++] = {result(a, b), {a, b, b}};
  }
  return all;
}

constexpr DType widest(DType type) { return is_unsigned(type) ? uint64 : int64; }
constexpr DType first_widest(DType first, DType) { return widest(first); }
constexpr DType first_of(DType first, DType) { return first; }
constexpr DType always_float64(DType, DType) { return float64; }
// One signed operand makes the result signed, also for int64 with uint64.
constexpr DType signed_if_any(DType first, DType second) {
  return is_signed(first) || is_signed(second) ? int64 : uint64;
}

constexpr auto integer_pairs = pairs(machine_types, machine_types, signed_if_any);
constexpr auto integers = join(each(signed_types), each(unsigned_types));
constexpr auto reals = each(real_types);
constexpr auto complexes = each(complex_types);

constexpr auto binary = join(integer_pairs, reals, complexes);
constexpr auto real_binary = join(integer_pairs, reals);
constexpr auto true_divide =
    join(pairs(machine_types, machine_types, always_float64), reals, complexes);
// A float to an integer power stays the float that it is.
constexpr auto power = join(
    integer_pairs, pairs(real_types, std::array{int32, int64, uint64}, first_of), reals, complexes);
constexpr auto bitwise = join(each(bool_type), integer_pairs);
// The sign of the second operand does not matter.
constexpr auto shift = join(
    pairs(signed_types, std::array{uint64, int64}, first_widest),
    pairs(unsigned_types, std::array{uint64, int64}, first_widest));
constexpr auto order = join(
    each(bool_type),
    each_to(boolean, signed_types),
    each_to(boolean, unsigned_types),
    each_to(boolean, real_types));
constexpr auto equality = join(order, each_to(boolean, complex_types));
constexpr auto sign = join(
    each(unsigned_types, widest),
    each(signed_types, widest),
    reals,
    complexes,
    each_to(int64, bool_type));
constexpr auto invert =
    join(each(bool_type), each(unsigned_types, widest), each(signed_types, widest));
constexpr auto truth = equality;
constexpr auto to_bool = join(equality, each_to(boolean, small_float_types));
constexpr auto to_int = join(
    integers,
    each_to(int64, bool_type),
    each_to(int64, small_float_types),
    each_to(int64, real_types));
constexpr auto to_float = join(
    each_to(float64, signed_types),
    each_to(float64, unsigned_types),
    each_to(float64, bool_type),
    each(half_types),
    each_to(float32, std::array{bfloat16}),
    reals);
constexpr auto to_complex = join(
    each_to(complex128, signed_types),
    each_to(complex128, unsigned_types),
    each_to(complex64, std::array{float32}),
    each_to(complex128, std::array{float64}),
    each_to(complex128, complex_types));
constexpr auto absolute = join(integers, reals, each(complex_types, real_part_of));
constexpr auto round = each_to(int64, real_types);
constexpr auto round_digits = pairs(real_types, std::array{int64}, first_of);
constexpr auto math = join(each_to(float64, machine_types), reals);
constexpr auto math_half = join(math, each(half_types));
constexpr auto half = each(half_types);
constexpr auto half_compare = each_to(boolean, half_types);
constexpr auto math_power = join(reals, pairs(real_types, std::array{int32}, first_of));
constexpr auto ldexp = pairs(real_types, std::array{int32}, first_of);
constexpr auto predicate = join(each_to(boolean, machine_types), each_to(boolean, real_types));
constexpr auto modf = each(std::array{float64, float32});
constexpr auto divmod = join(each(machine_types), reals);
constexpr auto complex_math = complexes;
constexpr auto complex_real = each(complex_types, real_part_of);
constexpr auto complex_predicate = each_to(boolean, complex_types);
constexpr auto bits = integers;
// All but uint64 is reversed as 32 bits, int64 too, as in Numba.
constexpr auto bits_reverse = each(std::array{uint32, uint64});
constexpr auto bits_find = join(each_to(uint32, signed_types), each_to(uint32, unsigned_types));

// What conversions of the operands a family allows.
enum class Allow : std::uint8_t { any, of_integers, lossless, identity };

struct Family {
  std::span<const Signature> signatures;
  Allow allow = Allow::any;
};

struct FamilyRow {
  Overloads name;
  Family family;
};

// The rest is decided otherwise: unified, select, complex_pair.
constexpr std::array family_table = {
    FamilyRow{Overloads::binary, {binary}},
    FamilyRow{Overloads::real_binary, {real_binary}},
    FamilyRow{Overloads::true_divide, {true_divide}},
    FamilyRow{Overloads::power, {power}},
    FamilyRow{Overloads::bitwise, {bitwise, Allow::lossless}},
    FamilyRow{Overloads::shift, {shift, Allow::lossless}},
    FamilyRow{Overloads::order, {order}},
    FamilyRow{Overloads::equality, {equality}},
    FamilyRow{Overloads::sign, {sign}},
    FamilyRow{Overloads::invert, {invert, Allow::lossless}},
    FamilyRow{Overloads::truth, {truth}},
    FamilyRow{Overloads::to_bool, {to_bool, Allow::identity}},
    FamilyRow{Overloads::to_int, {to_int, Allow::identity}},
    FamilyRow{Overloads::to_float, {to_float, Allow::identity}},
    FamilyRow{Overloads::to_complex, {to_complex, Allow::identity}},
    FamilyRow{Overloads::absolute, {absolute}},
    FamilyRow{Overloads::round, {round}},
    FamilyRow{Overloads::round_digits, {round_digits}},
    FamilyRow{Overloads::real, {reals}},
    FamilyRow{Overloads::math, {math}},
    FamilyRow{Overloads::math_half, {math_half}},
    FamilyRow{Overloads::half, {half}},
    FamilyRow{Overloads::half_compare, {half_compare}},
    FamilyRow{Overloads::math_power, {math_power}},
    FamilyRow{Overloads::ldexp, {ldexp}},
    FamilyRow{Overloads::frexp, {reals}},
    FamilyRow{Overloads::modf, {modf}},
    FamilyRow{Overloads::divmod, {divmod}},
    FamilyRow{Overloads::predicate, {predicate}},
    FamilyRow{Overloads::complex_math, {complex_math}},
    FamilyRow{Overloads::complex_real, {complex_real}},
    FamilyRow{Overloads::complex_polar, {complex_real}},
    FamilyRow{Overloads::complex_predicate, {complex_predicate}},
    FamilyRow{Overloads::bits, {bits, Allow::of_integers}},
    FamilyRow{Overloads::bits_reverse, {bits_reverse, Allow::of_integers}},
    FamilyRow{Overloads::bits_find, {bits_find, Allow::of_integers}},
};

Family family_of(Overloads name) {
  const auto* row = std::ranges::find(family_table, name, &FamilyRow::name);
  return row == family_table.end() ? Family{} : row->family;
}

// Compared field by field: an unsafe conversion is worse than any number of safe ones.
struct Cost {
  int unsafe = 0;
  int safe = 0;
  int promotions = 0;
  auto operator<=>(const Cost&) const = default;
};

bool is_whole(DType dtype) { return is_integer(dtype) || is_boolean(dtype); }

std::optional<Cost> cost_of(
    const Signature& signature, std::span<const DType> operands, Allow allow) {
  Cost cost;
  if (allow == Allow::of_integers && !std::ranges::all_of(operands, is_whole))
    return std::nullopt;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    switch (conversion(operands[i], signature.operands[i])) {
      case Conversion::exact:
        continue;
      case Conversion::promote:
        ++cost.promotions;
        break;
      case Conversion::safe:
        ++cost.safe;
        break;
      case Conversion::unsafe:
        ++cost.unsafe;
        break;
      case Conversion::none:
        return std::nullopt;
    }
    if (allow == Allow::identity)
      return std::nullopt;
  }
  if (allow == Allow::lossless && cost.unsafe != 0)
    return std::nullopt;
  return cost;
}

}  // namespace

std::optional<Signature> choose(Overloads family, std::span<const DType> operands) {
  const auto [signatures, allow] = family_of(family);
  std::optional<Signature> best;
  Cost best_cost;
  for (const Signature& signature : signatures) {
    const auto cost = cost_of(signature, operands, allow);
    if (cost && (!best || *cost < best_cost)) {
      best = signature;
      best_cost = *cost;
    }
  }
  return best;
}

}  // namespace phalanx::infer
