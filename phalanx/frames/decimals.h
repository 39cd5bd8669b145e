// Decimals: whole numbers of 128 bits that count a power of ten, as Arrow has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "phalanx/base/export.h"
#include "phalanx/frames/aggregate.h"
#include "phalanx/frames/column.h"
#include "phalanx/frames/memory.h"
#include "phalanx/frames/text.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// The most digits that a decimal has.
inline constexpr int most_digits = 38;

// Two words for each row, the low one first, two's complement.
struct Decimals {
  const std::int64_t* words = nullptr;
  const std::uint8_t* valid = nullptr;  // null: none is missing
  std::int64_t rows = 0;
};

// Words of decimals; those of missing rows are any. `failed`: a row whose result is none of the
// dtype, or -1.
struct MadeDecimals {
  Memory<std::int64_t> words;
  std::int64_t failed = -1;
};

// Quotients are cut towards zero.
enum class DecimalOperation : std::uint8_t { add, sub, mul, div };
PHX_API std::optional<DecimalOperation> decimal_operation_named(std::string_view name);

// The results of an operation row by row; an operand of one row meets all rows of the other. Each
// is first multiplied by ten to the power of its shift. Fails where a result has too many digits,
// and for divisors that are 0. Throws ValueError for other lengths, and shifts that are no power
// of a decimal.
PHX_API MadeDecimals compute_decimals(
    runtime::Runtime& runtime,
    DecimalOperation operation,
    const Decimals (&operands)[2],
    const int (&shifts)[2]);

// What becomes of digits that are cut off.
enum class DecimalRounding : std::uint8_t { exact, half_even, floor };
PHX_API std::optional<DecimalRounding> decimal_rounding_named(std::string_view name);

// Decimals times ten to a power, which is negative where digits are cut off. Fails for more digits
// than `precision`, and where digits are cut off that are not 0 if the rounding is exact.
PHX_API MadeDecimals scale_decimals(
    runtime::Runtime& runtime,
    const Decimals& decimals,
    int power,
    int precision,
    DecimalRounding rounding = DecimalRounding::exact);

// The nearest float64 of each.
PHX_API Memory<double> decimals_to_floats(
    runtime::Runtime& runtime, const Decimals& decimals, int scale);

// The nearest decimals of some scale, of two the even one. Fails for more digits than `precision`,
// infinities and NaN, of which rows that the mask leaves out may be.
PHX_API MadeDecimals
floats_to_decimals(runtime::Runtime& runtime, const Column& floats, int scale, int precision);

// As Python writes decimals.
PHX_API WrittenTexts write_decimals(runtime::Runtime& runtime, const Decimals& decimals, int scale);

// Digits with a sign, a point and an exponent, as Python writes decimals. Fails for other texts,
// for more digits than `precision` and more than `scale` after the point.
PHX_API MadeDecimals
read_decimals(runtime::Runtime& runtime, const Key& texts, int scale, int precision);

// Means and products are rounded half away from zero, products at each factor.
enum class DecimalFold : std::uint8_t { sum, mean, product, min, max };
PHX_API std::optional<DecimalFold> decimal_fold_named(std::string_view name);

struct FoldedDecimals {
  Memory<std::int64_t> words;
  Memory<std::int64_t> counts;  // rows of each group that are not missing
  std::int64_t failed = -1;     // a group whose result has too many digits, or -1
};

// One decimal for each group; without codes all rows are one group. Throws ValueError as aggregate
// does for codes.
PHX_API FoldedDecimals fold_decimals(
    runtime::Runtime& runtime,
    const Codes& codes,
    const Decimals& decimals,
    DecimalFold fold,
    int scale);

// What the rows of a group up to each make: sum, min or max. Missing rows are left out.
PHX_API MadeDecimals run_decimals(
    runtime::Runtime& runtime, const Codes& codes, const Decimals& decimals, DecimalFold fold);

}  // namespace phalanx::frames
