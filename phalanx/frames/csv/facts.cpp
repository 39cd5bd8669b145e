// What the fields of a column are, and which kind that makes it.
#include <algorithm>
#include <cstring>

#include "phalanx/frames/csv/columns.h"

namespace phalanx::frames::csv {

Format::Format(const Dialect& dialect, const Plan& plan)
    : numbers{dialect.decimal, dialect.thousands},
      quote(dialect.quote),
      has_floats_only(plan.reads_integers_as_floats) {
  for (const std::string& text : plan.false_texts) truths[text] = false;
  for (const std::string& text : plan.true_texts) truths[text] = true;
}

bool Format::read_boolean(std::string_view text, bool& value) const {
  if (!truths.empty()) {
    if (const auto found = truths.find(text); found != truths.end()) {
      value = found->second;
      return true;
    }
  }
  const auto equals = [&](std::string_view lower) {
    return std::ranges::equal(text, lower, [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
    });
  };
  value = equals("true");
  return value || equals("false");
}

void Facts::add(std::string_view field, std::int64_t row, const Format& format) {
  has_values = true;
  bool boolean = false;
  are_booleans = are_booleans && format.read_boolean(field, boolean);
  std::int64_t number = 0;
  const Whole small = read_int64(field, format.numbers, number);
  if (small == Whole::good) {
    has_negative |= number < 0;
    return;
  }
  std::uint64_t large = 0;
  bool is_negative = false;
  const Whole whole = read_uint64(field, format.numbers, large, is_negative);
  has_large |= whole == Whole::good && !is_negative;
  has_negative |= is_negative;
  if (row < first_no_int64) {
    first_no_int64 = row;
    is_too_large_for_int64 = small == Whole::too_large;
  }
  // What begins with a minus is found to be no uint64 at the end, if there is a large number.
  has_large_negative |= is_negative && whole != Whole::invalid && small == Whole::too_large;
  const bool is_good = whole == Whole::good || is_negative;
  if (!is_good && row < first_no_uint64) {
    first_no_uint64 = row;
    is_too_large_for_uint64 = whole == Whole::too_large;
  }
  double value = 0;
  are_floats = are_floats && read_float64(field, format.numbers, value);
}

void Facts::merge(const Facts& other) {
  has_values |= other.has_values;
  has_missing |= other.has_missing;
  has_negative |= other.has_negative;
  has_large |= other.has_large;
  has_large_negative |= other.has_large_negative;
  are_floats &= other.are_floats;
  are_booleans &= other.are_booleans;
  if (other.first_no_int64 < first_no_int64) {
    first_no_int64 = other.first_no_int64;
    is_too_large_for_int64 = other.is_too_large_for_int64;
  }
  if (other.first_no_uint64 < first_no_uint64) {
    first_no_uint64 = other.first_no_uint64;
    is_too_large_for_uint64 = other.is_too_large_for_uint64;
  }
  are_dates &= other.are_dates && (form == 0 || other.form == 0 || form == other.form);
  need_nanoseconds |= other.need_nanoseconds;
  form = std::max(form, other.form);
}

bool Facts::has_no_type_of_64_bits() const {
  return first_no_int64 != never && is_too_large_for_int64 && first_no_uint64 == never &&
         has_large && (has_negative || has_missing);
}

Kind Facts::kind(bool has_floats_only) const {
  if (!has_values)
    return Kind::float64;
  if (!has_floats_only) {
    if (first_no_int64 == never)
      return Kind::int64;
    if (is_too_large_for_int64 && first_no_uint64 == never)
      return has_no_type_of_64_bits() || has_large_negative ? Kind::string : Kind::uint64;
    if (is_too_large_for_int64 && is_too_large_for_uint64)
      return Kind::string;
  }
  if (are_floats)
    return Kind::float64;
  return are_booleans ? Kind::boolean : Kind::string;
}

std::string_view Fields::cleaned(std::string_view field, std::string& unquoted) const {
  if (has_return_ && !field.empty() && field.back() == '\r')
    field.remove_suffix(1);
  if (quote_ == Dialect::none || field.empty() ||
      static_cast<unsigned char>(field.front()) != quote_)
    return field;
  field = field.substr(1, field.size() - 2);
  const char quote = static_cast<char>(quote_);
  if (std::memchr(field.data(), quote, field.size()) == nullptr)
    return field;
  unquoted.clear();
  for (std::size_t i = 0; i < field.size(); ++i) {
    unquoted.push_back(field[i]);
    if (field[i] == quote)
      ++i;
  }
  return unquoted;
}

}  // namespace phalanx::frames::csv
