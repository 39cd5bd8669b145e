// Texts of columns, row by row: UTF-8 in, UTF-8 out. Characters are code points, as in Python.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/frames/column.h"
#include "phalanx/frames/memory.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// Texts that own their memory. The mask is that of the column that they were made of.
struct WrittenTexts {
  Memory<std::int64_t> offsets;
  Memory<char> bytes;
  // Rows that were left out, which have no bytes here: the caller has other means for them.
  std::vector<std::int64_t> left_out;
};

// What each of some characters becomes: none, one or several others.
class PHX_API CharacterMap {
 public:
  // `characters` ascend; that at `i` becomes the bytes from offsets[i] to offsets[i + 1]. Throws
  // ValueError where they do not.
  CharacterMap(
      std::span<const std::int64_t> characters,
      std::span<const std::int64_t> offsets,
      std::string_view bytes);

  // Null for a character that stays.
  const std::string_view* find(char32_t character) const {
    const std::size_t page = character >> page_bits;
    if (page >= pages_.size() || pages_[page] < 0)
      return nullptr;
    const std::size_t place =
        (static_cast<std::size_t>(pages_[page]) << page_bits) + (character & (page_size - 1));
    const std::int32_t entry = entries_[place];
    return entry < 0 ? nullptr : &texts_[static_cast<std::size_t>(entry)];
  }
  // What ASCII characters become where each becomes one, else null.
  const std::uint8_t* ascii() const { return is_simple_ ? ascii_ : nullptr; }

 private:
  static constexpr unsigned page_bits = 8;
  static constexpr std::size_t page_size = std::size_t{1} << page_bits;

  std::string bytes_;
  std::vector<std::string_view> texts_;
  std::vector<std::int32_t> pages_;
  std::vector<std::int32_t> entries_;
  std::uint8_t ascii_[128];
  bool is_simple_ = true;
};

// A bit for each character that has some property.
class PHX_API CharacterSet {
 public:
  explicit CharacterSet(std::span<const std::int64_t> characters);
  bool contains(char32_t character) const {
    return character < 128 ? (ascii_[character >> 6U] >> (character & 63U) & 1U) != 0
                           : contains_beyond(character);
  }

 private:
  bool contains_beyond(char32_t character) const;

  std::uint64_t ascii_[2] = {};
  std::vector<std::uint64_t> bits_;
};

// Which characters of a text take the first map and not the second one.
enum class Initials {
  none,
  first,  // of the text
  words,  // those that are not after one of the set
};

struct CaseRule {
  const CharacterMap* initial = nullptr;  // null for Initials::none
  const CharacterMap* other = nullptr;
  const CharacterSet* in_words = nullptr;
  Initials initials = Initials::none;
  // A character whose rows are left out, as what it becomes depends on others; 0: none.
  char32_t left_out = 0;
};
PHX_API WrittenTexts
map_characters(runtime::Runtime& runtime, const Key& texts, const CaseRule& rule);

// Bytes for which 1 means yes. Rows that are missing have 0.
using Flags = Memory<std::uint8_t>;

// Where each character is in the set, and there is one at least.
PHX_API Flags
all_in_set(runtime::Runtime& runtime, const Key& texts, const CharacterSet& characters);
// Where a character is in `wanted` and none is in `unwanted`.
PHX_API Flags any_in_set(
    runtime::Runtime& runtime,
    const Key& texts,
    const CharacterSet& wanted,
    const CharacterSet& unwanted);
PHX_API Flags all_ascii(runtime::Runtime& runtime, const Key& texts);

PHX_API Flags contains(runtime::Runtime& runtime, const Key& texts, std::string_view wanted);
// Where the text begins (or ends) with one of some others.
PHX_API Flags has_affix(
    runtime::Runtime& runtime,
    const Key& texts,
    std::span<const std::string> affixes,
    bool at_start);

using Counts = Memory<std::int64_t>;
PHX_API Counts lengths(runtime::Runtime& runtime, const Key& texts);  // in characters
// How often a text is there, without overlaps; an empty one before each character and at the end.
PHX_API Counts occurrences(runtime::Runtime& runtime, const Key& texts, std::string_view wanted);

// The characters of a slice of Python's; with steps other than 1 too.
struct TextSlice {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;
  std::int64_t step = 1;
};
// The position of a text's first (or last) occurrence within a slice, else -1: Python's find.
PHX_API Counts positions(
    runtime::Runtime& runtime,
    const Key& texts,
    std::string_view wanted,
    const TextSlice& within,
    bool takes_last);

PHX_API WrittenTexts
slice_texts(runtime::Runtime& runtime, const Key& texts, const TextSlice& slice);
// The same where each row has bounds of its own. A span that is empty leaves its bound out; throws
// ValueError where another has not as many positions as there are rows.
PHX_API WrittenTexts slice_each(
    runtime::Runtime& runtime,
    const Key& texts,
    std::span<const std::int64_t> firsts,
    std::span<const std::int64_t> lasts);
// The character at a position, counted from the end if it is negative; `there` says which have one.
struct TakenCharacters {
  WrittenTexts texts;
  Flags there;
};
PHX_API TakenCharacters
characters_at(runtime::Runtime& runtime, const Key& texts, std::int64_t position);
PHX_API WrittenTexts strip_texts(
    runtime::Runtime& runtime,
    const Key& texts,
    const CharacterSet& characters,
    bool at_start,
    bool at_end);
PHX_API WrittenTexts
remove_affix(runtime::Runtime& runtime, const Key& texts, std::string_view affix, bool at_start);

// How texts are filled up to a width in characters.
struct Padding {
  std::int64_t width = 0;
  std::string fill;       // one character
  bool on_left = false;   // with both: as str.center
  bool on_right = false;  // with neither: as str.zfill
};
PHX_API WrittenTexts pad_texts(runtime::Runtime& runtime, const Key& texts, const Padding& padding);
PHX_API WrittenTexts repeat_texts(runtime::Runtime& runtime, const Key& texts, std::int64_t times);
// The first `most` occurrences of a text (less than 0: all) replaced.
PHX_API WrittenTexts replace_text(
    runtime::Runtime& runtime,
    const Key& texts,
    std::string_view wanted,
    std::string_view replacement,
    std::int64_t most);

// What `join_texts` takes: a column, or one text for all rows.
struct TextOperand {
  Key column;
  std::string constant;
  bool is_column = true;
};
// The texts of a row one after another. Rows that miss one are empty; `fill` is what those have.
PHX_API WrittenTexts join_texts(
    runtime::Runtime& runtime,
    std::span<const TextOperand> operands,
    std::int64_t rows,
    const std::string* fill);
// The parts of each text between separators, one row's after another's. Without a separator they
// are between runs of white space, `spaces`.
struct TextSplit {
  std::string separator;
  const CharacterSet* spaces = nullptr;
  std::int64_t most = -1;  // cuts; less than 0: all
  bool from_end = false;
};
struct SplitTexts {
  Memory<std::int64_t> counts;  // parts of each row
  std::int64_t widest = 0;      // the most parts of a row
  WrittenTexts parts;
};
PHX_API SplitTexts split_texts(runtime::Runtime& runtime, const Key& texts, const TextSplit& split);

// Less than 0, 0 or greater: how the texts of each row compare by their code points.
PHX_API Memory<std::int8_t> compare_texts(
    runtime::Runtime& runtime,
    const TextOperand& left,
    const TextOperand& right,
    std::int64_t rows);
PHX_API Flags equal_texts(
    runtime::Runtime& runtime,
    const TextOperand& left,
    const TextOperand& right,
    std::int64_t rows);
// The character at which each text first contains the other one, else -1; 0 where one is missing.
PHX_API Counts positions_each(
    runtime::Runtime& runtime,
    const TextOperand& texts,
    const TextOperand& wanted,
    std::int64_t rows);

// Numbers as Python writes them: int64, uint64, floats with the fewest digits that tell them apart.
PHX_API WrittenTexts write_numbers(runtime::Runtime& runtime, const Column& numbers);
// Numbers as Python reads them. Rows of other texts are in `left_out`.
struct ReadNumbers {
  Memory<std::byte> values;
  std::vector<std::int64_t> left_out;
};
PHX_API ReadNumbers read_numbers(runtime::Runtime& runtime, const Key& texts, DType dtype);

}  // namespace phalanx::frames
