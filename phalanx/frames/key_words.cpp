#include "phalanx/frames/key_words.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <numeric>
#include <ranges>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/frames/images.h"
#include "phalanx/frames/parts.h"
#include "phalanx/frames/strings.h"

namespace phalanx::frames {

KeyWords::KeyWords(
    runtime::Runtime& runtime, const std::vector<std::span<const Key>>& tables, WordOptions options)
    : runtime_(runtime), options_(std::move(options)) {
  for (const std::span<const Key> keys : tables) {
    rows_ += rows_of(keys);
    begins_.push_back(rows_);
  }
  for (std::size_t key = 0; key < tables.front().size(); ++key) {
    std::vector<Piece> pieces;
    if (tables.front()[key].is_strings())
      pieces = codes_of_strings(tables, key);
    else
      for (const std::span<const Key> keys : tables)
        pieces.push_back({keys[key].column, keys[key].is_codes});
    add(std::move(pieces), !options_.is_descending.empty() && options_.is_descending[key]);
  }
}

// Digits whose number would pass 128 bits are grouped first, which leaves no more than rows.
void KeyWords::add(std::vector<Piece> pieces, bool is_flipped) {
  Digit digit;
  digit.pieces = std::move(pieces);
  find_range(digit);
  const bool is_empty = digit.least > digit.greatest;
  if (is_empty)
    digit.least = digit.greatest = 0;
  const bool has_digit = digit.has_missing && !options_.drops_missing;
  const Wide values = is_empty ? 0 : Wide{digit.greatest - digit.least} + 1;
  digit.is_flipped = is_flipped;
  digit.drops_missing = digit.has_missing && options_.drops_missing;
  digit.shift = has_digit && options_.missing_first ? 1 : 0;
  digit.missing = digit.shift != 0 ? 0 : values;
  digit.size = std::max<Wide>(values + (has_digit ? 1 : 0), 1);
  drops_ = drops_ || digit.drops_missing;
  if (size_ > (~Wide{0} - 1) / digit.size)
    group_digits();
  size_ *= digit.size;
  digits_.push_back(std::move(digit));
  set_strides();
}

void KeyWords::set_strides() {
  Wide stride = 1;
  for (auto& digit : std::views::reverse(digits_)) {
    digit.stride = stride;
    stride *= digit.size;
  }
}

void KeyWords::find_range(Digit& digit) const {
  std::mutex mutex;
  for (const Piece& piece : digit.pieces)
    with_type(piece.column.dtype, [&]<typename T>(T) {
      const Missing<T> missing(piece.column, piece.is_codes);
      const T* const values = static_cast<const T*>(piece.column.values);
      for_ranges(runtime_, piece.column.rows, [&](std::int64_t row, std::int64_t last) {
        Range range = {~std::uint64_t{0}, 0, false};
        const bool can_miss = missing.can_be();
        for (; row < last; ++row) {
          if (can_miss && missing(row)) {
            range.has_missing = true;
            continue;
          }
          const std::uint64_t image = image_of(values[row]);
          range.least = std::min(range.least, image);
          range.greatest = std::max(range.greatest, image);
        }
        const std::lock_guard lock(mutex);
        digit.least = std::min(digit.least, range.least);
        digit.greatest = std::max(digit.greatest, range.greatest);
        digit.has_missing = digit.has_missing || range.has_missing;
      });
    });
}

std::vector<KeyWords::Piece> KeyWords::codes_of_strings(
    const std::vector<std::span<const Key>>& tables, std::size_t key) {
  std::vector<Key> columns;
  columns.reserve(tables.size());
  for (const std::span<const Key> keys : tables) columns.push_back(keys[key]);
  const Strings strings(std::move(columns));
  Groups groups = strings.group(runtime_);
  std::vector<std::int64_t> ranks;
  if (options_.is_ordered)
    ranks =
        strings.ranks(runtime_, {groups.first_rows.data(), static_cast<std::size_t>(groups.count)});
  return keep_codes(std::move(groups), ranks);
}

// The codes of groups, or their ranks, as pieces of the tables.
std::vector<KeyWords::Piece> KeyWords::keep_codes(
    Groups groups, const std::vector<std::int64_t>& ranks) {
  const bool is_wide = groups.is_wide();
  const auto rank = [&](auto* codes) {
    for_ranges(runtime_, rows_, [&](std::int64_t row, std::int64_t last) {
      for (; row < last; ++row)
        if (codes[row] >= 0)
          codes[row] = static_cast<std::remove_reference_t<decltype(*codes)>>(
              ranks[static_cast<std::size_t>(codes[row])]);
    });
  };
  std::vector<Piece> pieces;
  const auto cut = [&](auto* codes, DType dtype) {
    if (!ranks.empty())
      rank(codes);
    for (std::size_t table = 0; table + 1 < begins_.size(); ++table) {
      const std::int64_t rows = begins_[table + 1] - begins_[table];
      pieces.push_back({{dtype, codes + begins_[table], nullptr, rows}, true});
    }
  };
  if (is_wide)
    cut(kept_.emplace_back(std::move(groups.wide_codes)).data(), DType::int64);
  else
    cut(kept_narrow_.emplace_back(std::move(groups.narrow_codes)).data(), DType::int32);
  return pieces;
}

// Replaces all digits by one.
void KeyWords::group_digits() {
  Groups groups = is_narrow() ? group_words(runtime_, words<std::uint64_t>())
                              : group_words(runtime_, words<Wide>());
  std::vector<std::int64_t> ranks;
  if (options_.is_ordered) {
    const auto count = static_cast<std::size_t>(groups.count);
    std::vector<std::pair<Wide, std::size_t>> found(count);
    for (std::size_t i = 0; i < count; ++i) {
      found[i].second = i;
      read_words(groups.first_rows[static_cast<std::int64_t>(i)], 1, &found[i].first);
    }
    std::ranges::sort(found);
    ranks.resize(count);
    for (std::size_t i = 0; i < count; ++i) ranks[found[i].second] = static_cast<std::int64_t>(i);
  }
  digits_.clear();
  size_ = 1;
  add(keep_codes(std::move(groups), ranks), false);
}

template <typename Word>
void KeyWords::add_digits(
    const Digit& digit,
    std::size_t table,
    std::int64_t first,
    std::span<Word> to,
    std::uint8_t* dropped) {
  const Piece& piece = digit.pieces[table];
  const auto stride = static_cast<Word>(digit.stride);
  const auto shift = static_cast<Word>(digit.shift);
  const auto missing_digit = static_cast<Word>(static_cast<Word>(digit.missing) * stride);
  with_type(piece.column.dtype, [&]<typename T>(T) {
    const T* const values = static_cast<const T*>(piece.column.values) + first;
    const auto digit_of = [&](T value) {
      const std::uint64_t image = image_of(value);
      const std::uint64_t distance =
          digit.is_flipped ? digit.greatest - image : image - digit.least;
      return static_cast<Word>((Word{distance} + shift) * stride);
    };
    if (!digit.has_missing) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i] += digit_of(values[i]);
      return;
    }
    const Missing<T> missing(piece.column, piece.is_codes);
    for (std::size_t i = 0; i < to.size(); ++i) {
      const bool is_missing = missing(first + static_cast<std::int64_t>(i));
      if (is_missing && digit.drops_missing)
        dropped[i] = 1;
      else
        to[i] += is_missing ? missing_digit : digit_of(values[i]);
    }
  });
}

template <typename Word>
void KeyWords::read_words(std::int64_t first, std::int64_t count, Word* to) const {
  std::size_t table = 0;
  while (count > 0) {
    while (first >= begins_[table + 1]) ++table;
    const std::int64_t size = std::min(count, begins_[table + 1] - first);
    const std::span<Word> block(to, static_cast<std::size_t>(size));
    std::fill(block.begin(), block.end(), Word{0});
    std::uint8_t dropped[block_rows];
    if (drops_)
      std::memset(dropped, 0, block.size());
    for (const Digit& digit : digits_)
      add_digits(digit, table, first - begins_[table], block, dropped);
    if (drops_)
      for (std::size_t i = 0; i < block.size(); ++i)
        block[i] = dropped[i] != 0 ? static_cast<Word>(size_) : block[i];
    first += size;
    to += size;
    count -= size;
  }
}

template void KeyWords::read_words(std::int64_t, std::int64_t, std::uint64_t*) const;
template void KeyWords::read_words(std::int64_t, std::int64_t, Wide*) const;

std::int64_t rows_of(std::span<const Key> keys) {
  if (keys.empty())
    throw ValueError("there are no keys: give one column or more");
  for (const Key& key : keys)
    if (key.column.rows != keys.front().column.rows)
      throw ValueError(
          "keys differ in length: " + std::to_string(keys.front().column.rows) + " and " +
          std::to_string(key.column.rows) + " rows");
  return keys.front().column.rows;
}

Groups group_rows(runtime::Runtime& runtime, std::span<const Key> keys, bool drops_missing) {
  for (const Key& key : keys) check_key(runtime, key);
  rows_of(keys);
  if (keys.size() == 1 && keys.front().is_strings() && drops_missing)
    return Strings({keys.front()}).group(runtime);  // its codes are the groups'
  const KeyWords words(runtime, {keys}, {.drops_missing = drops_missing});
  return words.is_narrow() ? group_words(runtime, words.words<std::uint64_t>())
                           : group_words(runtime, words.words<Wide>());
}

}  // namespace phalanx::frames
