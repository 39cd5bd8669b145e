// Columns and keys of frames as they lie in memory: Arrow's layout, missing values as bytes.
#pragma once

#include <cstdint>

#include "phalanx/base/dtype.h"
#include "phalanx/base/export.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// Numbers, one a row. Rows whose byte of `valid` is 0 are missing, of floats also NaN.
struct Column {
  DType dtype = DType::int64;
  const void* values = nullptr;
  const std::uint8_t* valid = nullptr;  // null: none is missing by it
  std::int64_t rows = 0;
  bool has_nat = false;  // int64 whose least value is NumPy's NaT, which is missing
};

// What rows are grouped, joined or ordered by: the numbers of a column; the codes of a dictionary,
// -1 of which is missing; or strings, whose column has the validity and the rows alone.
struct Key {
  Column column;
  bool is_codes = false;
  const std::int64_t* offsets = nullptr;  // of strings: rows + 1 of them; else null
  const char* bytes = nullptr;

  bool is_strings() const { return offsets != nullptr; }
};

// Throws TypeError for a dtype that no column of frames has: float16, complex numbers.
PHX_API void check_column(const Column& column);
// The same for keys, and ValueError for strings whose offsets do not grow.
PHX_API void check_key(runtime::Runtime& runtime, const Key& key);

// Calls `visit` with a number of the dtype's type; booleans are bytes of 0 and 1.
template <typename Visit>
decltype(auto) with_type(DType dtype, const Visit& visit) {
  switch (dtype) {
    case DType::boolean:
    case DType::uint8:
      return visit(std::uint8_t{});
    case DType::int8:
      return visit(std::int8_t{});
    case DType::int16:
      return visit(std::int16_t{});
    case DType::uint16:
      return visit(std::uint16_t{});
    case DType::int32:
      return visit(std::int32_t{});
    case DType::uint32:
      return visit(std::uint32_t{});
    case DType::uint64:
      return visit(std::uint64_t{});
    case DType::float32:
      return visit(float{});
    case DType::float64:
      return visit(double{});
    default:
      return visit(std::int64_t{});
  }
}

}  // namespace phalanx::frames
