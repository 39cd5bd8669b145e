// Columns of strings, and of the codes of a dictionary.
#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "phalanx/frames/csv/columns.h"

namespace phalanx::frames::csv {
namespace {

// Copied at once: most fields are no longer, and there is padding after all of them.
constexpr std::size_t at_once = 16;

void copy_field(char* to, std::string_view field) {
  if (field.size() <= at_once)
    std::memcpy(to, field.data(), at_once);
  else
    std::memcpy(to, field.data(), field.size());
}

// Takes fields one by one.
class Taker {
 public:
  Taker(const Output& output, const Fields& fields, Strings& strings)
      : output_(output), fields_(fields), strings_(strings) {}

  void take_bytes(std::int64_t rows) {
    std::string unquoted(at_once, '\0');
    std::size_t size = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::string_view field = fields_.at(row, unquoted);
      if (is_there(field, row)) {
        if (size + field.size() + at_once > strings_.capacity)
          grow(size, field.size());
        copy_field(strings_.bytes.get() + size, field);
        size += field.size();
      }
      strings_.ends[static_cast<std::size_t>(row)] = static_cast<std::uint32_t>(size);
    }
  }

  void take_codes(std::int64_t rows) {
    std::string unquoted;
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::string_view field = fields_.at(row, unquoted);
      strings_.codes[static_cast<std::size_t>(row)] =
          is_there(field, row) ? strings_.dictionary->code_of(field) : -1;
    }
  }

 private:
  bool is_there(std::string_view field, std::int64_t row) {
    if (!output_.missing->contains(field))
      return true;
    strings_.is_missing[static_cast<std::size_t>(row)] = 1;
    strings_.has_missing = true;
    return false;
  }

  void grow(std::size_t size, std::size_t more) {
    const std::size_t capacity = 2 * (size + more + at_once) + (std::size_t{1} << 16);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (size > 0)
      std::memcpy(larger.get(), strings_.bytes.get(), size);
    strings_.bytes = std::move(larger);
    strings_.capacity = capacity;
  }

  const Output& output_;
  const Fields& fields_;
  Strings& strings_;
};

}  // namespace

std::int32_t Dictionary::code_of(std::string_view word) {
  if (const auto found = codes.find(word); found != codes.end())
    return found->second;
  if (words.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw std::bad_alloc();
  const auto code = static_cast<std::int32_t>(words.size());
  codes.emplace(words.emplace_back(word), code);
  return code;
}

void take_strings(const Output& output, const Fields& fields, std::int64_t rows, Strings& strings) {
  const auto count = static_cast<std::size_t>(rows);
  strings.has_missing = false;
  strings.is_missing.assign(count, 0);
  Taker taker(output, fields, strings);
  if (output.has_codes()) {
    strings.dictionary = std::make_unique<Dictionary>();
    strings.codes.resize(count);
    taker.take_codes(rows);
  } else {
    strings.ends.resize(count);
    taker.take_bytes(rows);
  }
}

bool must_grow(const Output& output, const Strings& strings) {
  return output.has_strings() &&
         static_cast<std::size_t>(output.byte_count) + strings.size() > output.bytes.size();
}

std::int64_t place_strings(Output& output, Strings& strings) {
  if (output.has_strings()) {
    const std::int64_t start = output.byte_count;
    output.byte_count += static_cast<std::int64_t>(strings.size());
    const auto needed = static_cast<std::size_t>(output.byte_count);
    if (needed > output.bytes.size())
      output.bytes.grow(needed + needed / 2);
    return start;
  }
  std::vector<std::int32_t> codes;
  for (const std::string& word : strings.dictionary->words)
    codes.push_back(output.dictionary->code_of(word));
  for (std::int32_t& code : strings.codes) {
    if (code >= 0)
      code = codes[static_cast<std::size_t>(code)];
  }
  return 0;
}

void write_strings(
    const Output& output, const Strings& strings, std::int64_t base, std::int64_t start) {
  const std::size_t count = strings.is_missing.size();
  if (strings.has_missing)
    std::memcpy(output.is_missing.as<char>() + base, strings.is_missing.data(), count);
  if (output.has_codes()) {
    std::copy_n(strings.codes.data(), count, output.values.as<std::int32_t>() + base);
    return;
  }
  if (strings.size() > 0)
    std::memcpy(output.bytes.as<char>() + start, strings.bytes.get(), strings.size());
  std::int64_t* const offsets = output.offsets.as<std::int64_t>() + base + 1;
  for (std::size_t i = 0; i < count; ++i) offsets[i] = start + strings.ends[i];
}

void sort_words(Output& output, std::int64_t rows) {
  std::deque<std::string>& words = output.dictionary->words;
  std::vector<std::size_t> order(words.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](auto a, auto b) { return words[a] < words[b]; });
  std::vector<std::int32_t> places(order.size());
  std::deque<std::string> sorted;
  for (const std::size_t code : order) {
    places[code] = static_cast<std::int32_t>(sorted.size());
    sorted.push_back(words[code]);
  }
  words = std::move(sorted);
  auto* const codes = output.values.as<std::int32_t>();
  for (std::int64_t row = 0; row < rows; ++row) {
    if (codes[row] >= 0)
      codes[row] = places[static_cast<std::size_t>(codes[row])];
  }
}

}  // namespace phalanx::frames::csv
