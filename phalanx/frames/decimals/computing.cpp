// Arithmetic of decimals row by row, and other scales.
#include <algorithm>

#include "phalanx/base/errors.h"
#include "phalanx/frames/decimals/wide.h"
#include "phalanx/frames/parts.h"

namespace phalanx::frames {
namespace decimals {

Int128 power_of_ten(int power) {
  if (power < 0 || power > most_digits)
    throw ValueError("decimals have 38 digits at most, and no power of ten beyond");
  return powers_of_ten[static_cast<std::size_t>(power)];
}

}  // namespace decimals

namespace {

using namespace decimals;  // NOLINT(google-build-using-namespace)

// One side of an operation: its rows, or one value for all.
class Side {
 public:
  Side(const Decimals& given, int shift) : given_(given), factor_(power_of_ten(shift)) {}

  bool is_there(std::int64_t row) const { return decimals::is_there(given_, at(row)); }
  // False where it has too many digits.
  bool read(std::int64_t row, Int128& value) const {
    value = load(given_.words, at(row));
    return factor_ == 1 || !__builtin_mul_overflow(value, factor_, &value);
  }

 private:
  std::int64_t at(std::int64_t row) const { return given_.rows == 1 ? 0 : row; }

  Decimals given_;
  Int128 factor_;
};

template <DecimalOperation operation>
bool compute(Int128 left, Int128 right, Int128& result) {
  if constexpr (operation == DecimalOperation::add)
    return !__builtin_add_overflow(left, right, &result);
  if constexpr (operation == DecimalOperation::sub)
    return !__builtin_sub_overflow(left, right, &result);
  if constexpr (operation == DecimalOperation::mul)
    return !__builtin_mul_overflow(left, right, &result);
  if (right == 0)
    return false;
  result = left / right;
  return true;
}

template <DecimalOperation operation>
void compute_rows(
    runtime::Runtime& runtime, const Side& left, const Side& right, MadeDecimals& made) {
  Failure failure;
  std::int64_t* const words = made.words.data();
  for_ranges(runtime, made.words.size() / 2, [&](std::int64_t row, std::int64_t last) {
    for (; row < last; ++row) {
      Int128 a = 0;
      Int128 b = 0;
      Int128 result = 0;
      if (left.is_there(row) && right.is_there(row) &&
          !(left.read(row, a) && right.read(row, b) && compute<operation>(a, b, result) &&
            fits(result, most_digits)))
        failure.add(row);
      store(words, row, result);
    }
  });
  made.failed = failure.row();
}

// The part of a division that is kept, by what becomes of the rest. False where there may be none.
bool cut(Int128 value, Int128 divisor, DecimalRounding rounding, Int128& result) {
  result = value / divisor;
  const Int128 rest = value % divisor;
  if (rest == 0)
    return true;
  if (rounding == DecimalRounding::exact)
    return false;
  if (rounding == DecimalRounding::floor) {
    result -= value < 0 ? 1 : 0;
    return true;
  }
  const UInt128 away = magnitude(rest);
  const UInt128 other = static_cast<UInt128>(divisor) - away;
  if (away > other || (away == other && result % 2 != 0))
    result += value < 0 ? -1 : 1;
  return true;
}

}  // namespace

std::optional<DecimalOperation> decimal_operation_named(std::string_view name) {
  if (name == "add")
    return DecimalOperation::add;
  if (name == "sub")
    return DecimalOperation::sub;
  if (name == "mul")
    return DecimalOperation::mul;
  if (name == "div")
    return DecimalOperation::div;
  return std::nullopt;
}

std::optional<DecimalRounding> decimal_rounding_named(std::string_view name) {
  if (name == "exact")
    return DecimalRounding::exact;
  if (name == "half_even")
    return DecimalRounding::half_even;
  if (name == "floor")
    return DecimalRounding::floor;
  return std::nullopt;
}

MadeDecimals compute_decimals(
    runtime::Runtime& runtime,
    DecimalOperation operation,
    const Decimals (&operands)[2],
    const int (&shifts)[2]) {
  const std::int64_t counts[] = {operands[0].rows, operands[1].rows};
  if (counts[0] != counts[1] && counts[0] != 1 && counts[1] != 1)
    throw ValueError("operands of decimals have as many rows, or one");
  const Side left(operands[0], shifts[0]);
  const Side right(operands[1], shifts[1]);
  const std::int64_t rows = counts[0] == 1 ? counts[1] : counts[0];
  MadeDecimals made = {Memory<std::int64_t>(runtime, 2 * rows)};
  switch (operation) {
    case DecimalOperation::add:
      compute_rows<DecimalOperation::add>(runtime, left, right, made);
      break;
    case DecimalOperation::sub:
      compute_rows<DecimalOperation::sub>(runtime, left, right, made);
      break;
    case DecimalOperation::mul:
      compute_rows<DecimalOperation::mul>(runtime, left, right, made);
      break;
    case DecimalOperation::div:
      compute_rows<DecimalOperation::div>(runtime, left, right, made);
      break;
  }
  return made;
}

MadeDecimals scale_decimals(
    runtime::Runtime& runtime,
    const Decimals& decimals,
    int power,
    int precision,
    DecimalRounding rounding) {
  // A cut of more digits than there are leaves none.
  const Int128 factor = power_of_ten(std::min(std::abs(power), most_digits));
  power_of_ten(precision);
  MadeDecimals made = {Memory<std::int64_t>(runtime, 2 * decimals.rows)};
  Failure failure;
  for_ranges(runtime, decimals.rows, [&](std::int64_t row, std::int64_t last) {
    for (; row < last; ++row) {
      Int128 result = 0;
      const Int128 value = is_there(decimals, row) ? load(decimals.words, row) : Int128{0};
      const bool is_made = power < 0 ? cut(value, factor, rounding, result)
                                     : !__builtin_mul_overflow(value, factor, &result);
      if (!is_made || !fits(result, precision))
        failure.add(row);
      store(made.words.data(), row, result);
    }
  });
  made.failed = failure.row();
  return made;
}

}  // namespace phalanx::frames
