#include "phalanx/infer/conversion.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "phalanx/base/errors.h"

namespace phalanx::infer {
namespace {

// Row: from, column: to, both in the order of dtypes.def. = exact, p promote, s safe, u unsafe.
// The closure of Numba's rules; bfloat16 (no part of Numba) as numba-cuda has it, and from bool.
constexpr std::array<std::string_view, dtype_table.size()> conversion_table = {
    // ? i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 c8 c16
    "=ssssssssssssss",  // boolean
    "u=pppuuuussssss",  // int8
    "uu=ppuuuuuussss",  // int16
    "uuu=puuuuuuusus",  // int32
    "uuuu=uuuuuuusus",  // int64
    "uusss=pppusssss",  // uint8
    "uuussu=ppuuusus",  // uint16
    "uuuusuu=puuusus",  // uint32
    "uuuuuuuu=uuusus",  // uint64
    "uuuuuuuuu=uppss",  // float16
    "uuuuuuuuuu=ssss",  // bfloat16
    "uuuuuuuuuuu=pss",  // float32
    "uuuuuuuuuuuu=us",  // float64
    "-------------=p",  // complex64
    "-------------u=",  // complex128
};
static_assert(std::ranges::all_of(conversion_table, [](std::string_view row) {
  return row.size() == dtype_table.size();
}));

Conversion array_conversion(const ir::Type& from, const ir::Type& to) {
  const bool fits = from.element() == to.element() && from.ndim() == to.ndim() &&
                    (to.layout() == ir::Layout::any || to.layout() == from.layout()) &&
                    (from.is_mutable() || !to.is_mutable());
  return fits ? Conversion::safe : Conversion::none;
}

bool is_plain_tuple(const ir::Type& type) { return type.is_tuple() && type.name().empty(); }

Conversion tuple_conversion(const ir::Type& from, const ir::Type& to) {
  if (!is_plain_tuple(from) || !is_plain_tuple(to) || from.fields().size() != to.fields().size())
    return Conversion::none;
  Conversion worst = Conversion::exact;
  for (std::size_t i = 0; i < from.fields().size(); ++i)
    worst = std::max(worst, conversion(from.fields()[i].type, to.fields()[i].type));
  return worst;
}

DType signed_of(unsigned bits) {
  switch (bits) {
    case 8:
      return DType::int8;
    case 16:
      return DType::int16;
    case 32:
      return DType::int32;
    default:
      return DType::int64;
  }
}

// The narrowest NumPy float that holds every value of the type (every float but float64's is 64).
DType float_for(DType dtype) {
  if (is_floating(dtype))
    return dtype;
  const std::size_t bytes = size_of(dtype);
  if (bytes == 1)
    return DType::float16;
  return bytes == 2 ? DType::float32 : DType::float64;
}

DType promoted_integers(DType first, DType second) {
  if (is_signed(first) == is_signed(second))
    return size_of(first) >= size_of(second) ? first : second;
  const DType positive = is_signed(first) ? second : first;
  const DType either = is_signed(first) ? first : second;
  if (size_of(either) > size_of(positive))
    return either;
  return positive == DType::uint64 ? DType::float64 : signed_of(2 * bits_of(positive));
}

DType promoted_floats(DType first, DType second) {
  const bool brain = first == DType::bfloat16 || second == DType::bfloat16;
  const DType a = float_for(first);
  const DType b = float_for(second);
  if (size_of(a) != size_of(b))
    return size_of(a) > size_of(b) ? a : b;
  if (!brain || size_of(a) != 2)
    return a;
  const bool half = first == DType::float16 || second == DType::float16;
  return half ? DType::float32 : DType::bfloat16;
}

unsigned scalar_bits(const ir::Type& type) {
  // As in Numba, where bool and everything that is not a number sorts as 0 bits.
  return type.is_scalar() && !is_boolean(type.dtype()) ? bits_of(type.dtype()) : 0;
}

std::optional<ir::Type> unified_arrays(const ir::Type& first, const ir::Type& second) {
  if (first.element() != second.element() || first.ndim() != second.ndim())
    return std::nullopt;
  const ir::Layout layout = first.layout() == second.layout() ? first.layout() : ir::Layout::any;
  const ir::Space space = first.space() == second.space() ? first.space() : ir::Space::generic;
  const bool is_mutable = first.is_mutable() && second.is_mutable();
  return ir::Type::array(first.element(), first.ndim(), layout, space, is_mutable);
}

bool has_fields_of(const ir::Type& first, const ir::Type& second) {
  return first.name() == second.name() &&
         std::ranges::equal(
             first.fields(), second.fields(), {}, &ir::Field::name, &ir::Field::name);
}

std::optional<ir::Type> unified_tuples(const ir::Type& first, const ir::Type& second) {
  if (!has_fields_of(first, second))
    return std::nullopt;
  std::vector<ir::Field> fields;
  std::vector<ir::Type> elements;
  for (std::size_t i = 0; i < first.fields().size(); ++i) {
    const auto element = unify(first.fields()[i].type, second.fields()[i].type);
    if (!element)
      return std::nullopt;
    fields.push_back({first.fields()[i].name, *element});
    elements.push_back(*element);
  }
  return first.name().empty() ? ir::Type::tuple(std::move(elements))
                              : ir::Type::named_tuple(first.name(), std::move(fields));
}

}  // namespace

Conversion conversion(DType from, DType to) {
  switch (conversion_table.at(static_cast<std::size_t>(from))[static_cast<std::size_t>(to)]) {
    case '=':
      return Conversion::exact;
    case 'p':
      return Conversion::promote;
    case 's':
      return Conversion::safe;
    case 'u':
      return Conversion::unsafe;
    default:
      return Conversion::none;
  }
}

Conversion conversion(const ir::Type& from, const ir::Type& to) {
  if (from == to)
    return Conversion::exact;
  if (from.is_scalar() && to.is_scalar())
    return conversion(from.dtype(), to.dtype());
  if (from.is_array() && to.is_array())
    return array_conversion(from, to);
  if (from.is_pointer() && to.is_pointer())
    return from.element() == to.element() && to.space() == ir::Space::generic ? Conversion::safe
                                                                              : Conversion::none;
  return tuple_conversion(from, to);
}

DType promoted(DType first, DType second) {
  if (first == second || is_boolean(second))
    return first;
  if (is_boolean(first))
    return second;
  if (is_complex(first) || is_complex(second)) {
    const DType real = promoted_floats(real_part_of(first), real_part_of(second));
    return real == DType::float64 ? DType::complex128 : DType::complex64;
  }
  if (is_integer(first) && is_integer(second))
    return promoted_integers(first, second);
  return promoted_floats(first, second);
}

std::optional<ir::Type> unify(const ir::Type& first, const ir::Type& second) {
  if (first == second)
    return first;
  if (first.is_scalar() && second.is_scalar())
    return ir::Type(promoted(first.dtype(), second.dtype()));
  if (first.is_array() && second.is_array())
    return unified_arrays(first, second);
  if (first.is_tuple() && second.is_tuple())
    return unified_tuples(first, second);
  if (first.is_pointer() && second.is_pointer() && first.element() == second.element())
    return ir::Type::pointer(first.element(), ir::Space::generic);
  return std::nullopt;
}

std::optional<ir::Type> unify(std::span<const ir::Type> types) {
  if (types.empty())
    return std::nullopt;
  std::vector<ir::Type> sorted(types.begin(), types.end());
  std::ranges::stable_sort(sorted, {}, scalar_bits);
  std::optional<ir::Type> result = sorted.front();
  for (std::size_t i = 1; result && i < sorted.size(); ++i) result = unify(*result, sorted[i]);
  return result;
}

}  // namespace phalanx::infer
