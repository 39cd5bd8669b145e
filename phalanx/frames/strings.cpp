#include "phalanx/frames/strings.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "phalanx/frames/parts.h"

namespace phalanx::frames {
namespace {

constexpr std::int64_t narrow_length = 7;  // bytes of a word, beside the length
constexpr std::int64_t wide_length = 15;

// Up to 8 bytes as the low bytes of a number.
std::uint64_t load(const char* bytes, std::size_t count) {
  std::uint64_t loaded = 0;
  if (count >= 8) {
    std::memcpy(&loaded, bytes, 8);
  } else if (count >= 4) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::memcpy(&low, bytes, 4);
    std::memcpy(&high, bytes + count - 4, 4);
    loaded = low | std::uint64_t{high} << (8 * (count - 4));
  } else {
    for (std::size_t i = 0; i < count; ++i)
      loaded |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return loaded;
}

// The length above the bytes: below the greatest word, that of missing strings.
template <typename Word>
Word exact_word(std::string_view text) {
  constexpr unsigned length_shift = 8 * (sizeof(Word) - 1);
  Word word = static_cast<Word>(text.size()) << length_shift;
  if (text.size() > 8)
    word |= static_cast<Word>(load(text.data() + 8, text.size() - 8)) << (8 * sizeof(Word) - 64);
  return word | load(text.data(), text.size());
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const Wide product = Wide{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

// 128 bits of all bytes; the greatest are left for missing strings.
Wide hash_string(std::string_view text, std::uint64_t seed) {
  std::uint64_t low = seed ^ 0xa0761d6478bd642f;
  std::uint64_t high = text.size() + 0xe7037ed1a0b428db;
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left > 8; at += 8, left -= 8) {
    const std::uint64_t bytes = load(at, 8);
    low = mix(bytes ^ low, 0x8ebc6af09c88c6e3 ^ high);
    high = hash_word(bytes + high);
  }
  const std::uint64_t last = load(at, left);
  const std::uint64_t first_half = mix(last ^ low, 0x589965cc75374cc3 ^ high);
  return Wide{hash_word(last + high) >> 1U} << 64U | first_half;
}

}  // namespace

Strings::Strings(std::vector<Key> pieces) : pieces_(std::move(pieces)) {
  for (Key& piece : pieces_) {
    begins_.push_back(begins_.back() + piece.column.rows);
    if (piece.bytes == nullptr)
      piece.bytes = "";  // all are empty, which is not missing
  }
}

Strings::Position Strings::position_of(std::int64_t row) const {
  std::size_t piece = 0;
  while (row >= begins_[piece + 1]) ++piece;
  return {&pieces_[piece], row - begins_[piece]};
}

bool Strings::is_missing(std::int64_t row) const {
  const Position position = position_of(row);
  const std::uint8_t* const valid = position.piece->column.valid;
  return valid != nullptr && valid[position.row] == 0;
}

std::string_view Strings::operator[](std::int64_t row) const {
  const Position position = position_of(row);
  const std::int64_t* const offset = position.piece->offsets + position.row;
  return {position.piece->bytes + offset[0], static_cast<std::size_t>(offset[1] - offset[0])};
}

template <typename Visit>
void Strings::for_strings(std::int64_t first, std::int64_t count, const Visit& visit) const {
  for (std::int64_t i = 0; i < count;) {
    const Position position = position_of(first + i);
    const Key& piece = *position.piece;
    const std::int64_t end = std::min(count, i + piece.column.rows - position.row);
    const std::int64_t* offset = piece.offsets + position.row;
    const std::uint8_t* const valid =
        piece.column.valid == nullptr ? nullptr : piece.column.valid + position.row - i;
    for (; i < end; ++i, ++offset) {
      if (valid != nullptr && valid[i] == 0)
        visit(i, std::string_view());
      else
        visit(i, {piece.bytes + offset[0], static_cast<std::size_t>(offset[1] - offset[0])});
    }
  }
}

void Strings::hash(std::int64_t first, std::int64_t count, std::uint64_t* to) const {
  for_strings(first, count, [to](std::int64_t i, std::string_view text) {
    to[i] =
        text.data() == nullptr ? missing_hash : static_cast<std::uint64_t>(hash_string(text, 0));
  });
}

std::int64_t Strings::longest(runtime::Runtime& runtime) const {
  std::atomic<std::size_t> all{0};
  for_ranges(runtime, rows(), [&](std::int64_t first, std::int64_t last) {
    std::size_t most = 0;
    for_strings(first, last - first, [&](std::int64_t, std::string_view text) {
      most = std::max(most, text.size());
    });
    std::size_t seen = all;
    while (seen < most && !all.compare_exchange_weak(seen, most)) {
    }
  });
  return static_cast<std::int64_t>(all.load());
}

Groups Strings::group(runtime::Runtime& runtime) const {
  const std::int64_t length = longest(runtime);
  const auto exact = [&]<typename Word>(Word none) {
    const auto read = [&, none](std::int64_t first, std::int64_t count, Word* to) {
      for_strings(first, count, [to, none](std::int64_t i, std::string_view text) {
        to[i] = text.data() == nullptr ? none : exact_word<Word>(text);
      });
    };
    return group_words<Word>(runtime, {rows(), none, read});
  };
  if (length <= narrow_length)
    return exact(~std::uint64_t{0});
  if (length <= wide_length)
    return exact(~Wide{0});
  // Strings of one hash are compared: with another seed they will differ.
  for (std::uint64_t seed = 0;; ++seed) {
    Groups groups = group_hashes(runtime, seed);
    if (are_same(runtime, groups))
      return groups;
  }
}

Groups Strings::group_hashes(runtime::Runtime& runtime, std::uint64_t seed) const {
  constexpr Wide none = ~Wide{0};
  const auto read = [&](std::int64_t first, std::int64_t count, Wide* to) {
    for_strings(first, count, [&](std::int64_t i, std::string_view text) {
      to[i] = text.data() == nullptr ? none : hash_string(text, seed);
    });
  };
  return group_words<Wide>(runtime, {rows(), none, read});
}

bool Strings::are_same(runtime::Runtime& runtime, const Groups& groups) const {
  std::atomic<bool> same{true};
  for_ranges(runtime, rows(), [&](std::int64_t first, std::int64_t last) {
    for_strings(first, last - first, [&](std::int64_t i, std::string_view text) {
      const std::int64_t row = first + i;
      const std::int64_t code =
          groups.is_wide() ? groups.wide_codes[row] : groups.narrow_codes[row];
      if (code >= 0 && groups.first_rows[code] != row && (*this)[groups.first_rows[code]] != text)
        same = false;
    });
  });
  return same;
}

std::vector<std::int64_t> Strings::ranks(
    runtime::Runtime& runtime, std::span<const std::int64_t> rows) const {
  struct Entry {
    std::uint64_t prefix;  // compares as the first bytes do
    std::size_t index;
  };
  std::vector<Entry> entries(rows.size());
  for_ranges(runtime, static_cast<std::int64_t>(rows.size()), [&](auto first, auto last) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
      const std::string_view text = (*this)[rows[i]];
      // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): its length goes along.
      entries[i] = {__builtin_bswap64(load(text.data(), std::min<std::size_t>(text.size(), 8))), i};
    }
  });
  const auto is_before = [&](const Entry& a, const Entry& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix
                                : (*this)[rows[a.index]] < (*this)[rows[b.index]];
  };
  const Parts parts(runtime, static_cast<std::int64_t>(rows.size()));
  const auto at = [&](std::int64_t part) {
    return entries.begin() + parts.begin(std::min(part, parts.count()));
  };
  for_each_task(runtime, parts.count(), [&](std::int64_t part) {
    std::sort(at(part), at(part + 1), is_before);
  });
  for (std::int64_t step = 1; step < parts.count(); step *= 2)
    for_each_task(runtime, (parts.count() + 2 * step - 1) / (2 * step), [&](std::int64_t pair) {
      const std::int64_t part = pair * 2 * step;
      std::inplace_merge(at(part), at(part + step), at(part + 2 * step), is_before);
    });
  std::vector<std::int64_t> ranks(rows.size());
  for (std::size_t i = 0; i < entries.size(); ++i)
    ranks[entries[i].index] = static_cast<std::int64_t>(i);
  return ranks;
}

}  // namespace phalanx::frames
