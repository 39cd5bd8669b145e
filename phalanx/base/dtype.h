// The element types that every room shares, as one table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace phalanx {

enum class DType : std::uint8_t {
#define DTYPE(name, bytes, kind, numpy, text) name,
#include "phalanx/base/dtypes.def"
#undef DTYPE
};

enum class DTypeKind : std::uint8_t {
  boolean,
  signed_integer,
  unsigned_integer,
  floating,
  complex_floating,
};

struct DTypeInfo {
  std::string_view name;
  std::size_t bytes;
  DTypeKind kind;
  std::string_view numpy_code;  // as in NumPy's `dtype.str` without the byte order; empty if none
  std::string_view text;        // as in the IR's printed form
};

inline constexpr std::array dtype_table = {
#define DTYPE(name, bytes, kind, numpy, text) DTypeInfo{#name, bytes, DTypeKind::kind, numpy, text},
#include "phalanx/base/dtypes.def"
#undef DTYPE
};

constexpr const DTypeInfo& info(DType dtype) {
  return dtype_table.at(static_cast<std::size_t>(dtype));
}
constexpr std::size_t size_of(DType dtype) { return info(dtype).bytes; }
constexpr DTypeKind kind_of(DType dtype) { return info(dtype).kind; }
constexpr unsigned bits_of(DType dtype) { return static_cast<unsigned>(8 * size_of(dtype)); }

constexpr bool is_boolean(DType dtype) { return kind_of(dtype) == DTypeKind::boolean; }
constexpr bool is_signed(DType dtype) { return kind_of(dtype) == DTypeKind::signed_integer; }
constexpr bool is_unsigned(DType dtype) { return kind_of(dtype) == DTypeKind::unsigned_integer; }
constexpr bool is_integer(DType dtype) { return is_signed(dtype) || is_unsigned(dtype); }
constexpr bool is_floating(DType dtype) { return kind_of(dtype) == DTypeKind::floating; }
constexpr bool is_complex(DType dtype) { return kind_of(dtype) == DTypeKind::complex_floating; }

// complex64 -> float32, complex128 -> float64; any other type is returned as it is.
constexpr DType real_part_of(DType dtype) {
  if (dtype == DType::complex64)
    return DType::float32;
  return dtype == DType::complex128 ? DType::float64 : dtype;
}

// Searches the table by `name` ("float32"); nothing when there is no such type.
constexpr std::optional<DType> dtype_from_name(std::string_view name) {
  for (std::size_t i = 0; i < dtype_table.size(); ++i) {
    if (dtype_table.at(i).name == name)
      return static_cast<DType>(i);
  }
  return std::nullopt;
}

static_assert(info(DType::complex128).bytes == 16);
static_assert(dtype_from_name("float32") == DType::float32);

}  // namespace phalanx
