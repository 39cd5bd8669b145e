#include "phalanx/frames/csv/columns.h"

#include <type_traits>

namespace phalanx::frames::csv {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
// Whole numbers with so many digits may be larger than a uint64, which decides for strings.
constexpr std::size_t digits_of_large = 19;

// How a kind's fields are read: take() is false for those that do not fit.
struct Integers {
  using Value = std::int64_t;
  static constexpr Value none = 0;
  static bool take_short(std::string_view text, Value& value) {
    return read_short_integer(
        text.data() + text.size(), static_cast<std::uint32_t>(text.size()), value);
  }
  static bool take(
      std::string_view text, const Output&, const Format& format, Seen&, Value& value) {
    return read_int64(text, format.numbers, value) == Whole::good;
  }
};

struct Unsigned {
  using Value = std::uint64_t;
  static constexpr Value none = 0;
  static bool take_short(std::string_view, Value&) { return false; }
  static bool take(
      std::string_view text, const Output&, const Format& format, Seen&, Value& value) {
    bool is_negative = false;
    return read_uint64(text, format.numbers, value, is_negative) == Whole::good && !is_negative;
  }
};

struct Floats {
  using Value = double;
  static constexpr Value none = nan_value;
  static bool take_short(std::string_view text, Value& value) {
    return read_short_decimal(
        text.data() + text.size(), static_cast<std::uint32_t>(text.size()), value);
  }
  static bool take(
      std::string_view text, const Output& output, const Format& format, Seen& seen, Value& value) {
    std::int64_t whole = 0;
    if (output.may_change && text.size() >= digits_of_large &&
        read_int64(text, format.numbers, whole) == Whole::too_large)
      seen.has_failed = true;  // all fields are to be looked at
    return read_float64(text, format.numbers, value);
  }
};

struct Booleans {
  using Value = bool;
  static constexpr Value none = false;
  static bool take_short(std::string_view, Value&) { return false; }
  static bool take(
      std::string_view text, const Output&, const Format& format, Seen&, Value& value) {
    return format.read_boolean(text, value);
  }
};

struct Dates {
  using Value = std::int64_t;
  static constexpr Value none = std::numeric_limits<std::int64_t>::min();  // NaT
  static bool take_short(std::string_view, Value&) { return false; }
  static bool take(
      std::string_view text, const Output& output, const Format&, Seen& seen, Value& value) {
    const Date date = read_date(text, output.unit);
    Facts& facts = seen.facts;
    facts.are_dates &= date.form != 0 && (facts.form == 0 || facts.form == date.form);
    facts.form = date.form;
    facts.need_nanoseconds |= date.needs_nanoseconds && output.unit != TimeUnit::nanoseconds;
    value = date.value;
    return facts.are_dates && !facts.need_nanoseconds;
  }
};

template <typename Rule>
class Writer {
 public:
  Writer(const Output& output, const Fields& fields, const Format& format, Seen& seen)
      : output_(output),
        fields_(fields),
        format_(format),
        seen_(seen),
        is_short_first_(format.numbers.is_common() && !output.missing->has_numbers()) {}

  // False where a field does not fit.
  bool write(const Rows& rows) const {
    Value* const values = output_.values.as<Value>() + rows.base;
    if (is_short_first_ && fields_.is_plain())
      return write_plain(rows, values);
    std::string unquoted;
    for (std::int64_t row = rows.first; row < rows.last; ++row) {
      if (!write_other(fields_.at(row, unquoted), rows.base + row, values[row]))
        return false;
    }
    return true;
  }

 private:
  using Value = typename Rule::Value;

  bool write_plain(const Rows& rows, Value* values) const {
    const Fields fields = fields_;  // a copy: what is written is nothing of it
    for (std::int64_t row = rows.first; row < rows.last; ++row) {
      const std::string_view field = fields.raw(row);
      if (!Rule::take_short(field, values[row]) &&
          !write_other(field, rows.base + row, values[row]))
        return false;
    }
    return true;
  }

  [[gnu::noinline]] bool write_other(std::string_view field, std::int64_t row, Value& value) const {
    bool is_there = !output_.missing->contains(field);
    if (is_there) {
      if (!Rule::take(field, output_, format_, seen_, value))
        return false;
      if constexpr (std::is_same_v<Rule, Floats>)
        is_there = !output_.missing->contains(value);
    }
    if (!is_there) {
      if (std::is_same_v<Rule, Unsigned> && output_.may_change)
        return false;  // such a column is of strings
      value = Rule::none;
      output_.is_missing.template as<std::uint8_t>()[row] = 1;
      ++seen_.missing;
    }
    return true;
  }

  const Output& output_;
  const Fields& fields_;
  const Format& format_;
  Seen& seen_;
  bool is_short_first_;
};

template <typename Rule>
bool write_as(
    const Output& output,
    const Fields& fields,
    const Rows& rows,
    const Format& format,
    Seen& seen) {
  return Writer<Rule>(output, fields, format, seen).write(rows);
}

}  // namespace

std::size_t Output::item_size() const {
  switch (kind) {
    case Kind::boolean:
      return 1;
    case Kind::category:
    case Kind::dictionary:
      return 4;
    case Kind::string:
    case Kind::inferred:
    case Kind::empty:
      return 0;
    default:
      return 8;
  }
}

void Output::reserve(std::int64_t rows, bool huge) {
  const auto count = static_cast<std::size_t>(rows);
  values = Memory(count * item_size(), huge);
  is_missing = Memory(count, false);
  if (has_codes())
    dictionary = std::make_unique<Dictionary>();
  if (has_strings()) {
    offsets = Memory((count + 1) * sizeof(std::int64_t), huge);
    bytes = Memory(count * 8, false);
  }
}

void Output::grow(std::int64_t rows) {
  const auto count = static_cast<std::size_t>(rows);
  values.grow(count * item_size());
  is_missing.grow(count);
  if (has_strings())
    offsets.grow((count + 1) * sizeof(std::int64_t));
}

void look_at(
    const Output& output,
    const Fields& fields,
    const Rows& rows,
    const Format& format,
    Seen& seen) {
  std::string unquoted;
  for (std::int64_t row = rows.first; row < rows.last && !seen.facts.is_text(); ++row) {
    const std::string_view field = fields.at(row, unquoted);
    if (output.missing->contains(field))
      seen.facts.has_missing = true;
    else
      seen.facts.add(field, rows.base + row, format);
  }
}

void write_values(
    const Output& output,
    const Fields& fields,
    const Rows& rows,
    const Format& format,
    Seen& seen) {
  const auto write = [&] {
    switch (output.kind) {
      case Kind::int64:
        return write_as<Integers>;
      case Kind::uint64:
        return write_as<Unsigned>;
      case Kind::float64:
        return write_as<Floats>;
      case Kind::boolean:
        return write_as<Booleans>;
      default:
        return write_as<Dates>;
    }
  }();
  if (!write(output, fields, rows, format, seen))
    seen.has_failed = true;
}

}  // namespace phalanx::frames::csv
