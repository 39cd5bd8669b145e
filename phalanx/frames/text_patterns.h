// Regular expressions over columns of texts, by PCRE2. docs/decisions/0074-text-patterns.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/frames/column.h"
#include "phalanx/frames/memory.h"
#include "phalanx/frames/text.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// A pattern in PCRE2's syntax, compiled twice: for texts of ASCII, which it then reads as bytes,
// and for all others. Threads may share it.
class PHX_API TextPattern {
 public:
  // Throws ValueError for a pattern that PCRE2 refuses.
  TextPattern(std::string_view of_ascii, std::string_view of_others);
  ~TextPattern();
  TextPattern(const TextPattern&) = delete;
  TextPattern& operator=(const TextPattern&) = delete;

  // The version of Unicode whose classes of characters PCRE2 has, as "14.0.0".
  static std::string unicode_version();

  struct Codes;
  const Codes& codes() const { return *codes_; }

 private:
  std::unique_ptr<Codes> codes_;
};

// `left_out` has the rows that are no UTF-8 of Unicode, or at which PCRE2 has met one of its
// limits: another engine has to look at them.
struct PatternFlags {
  Flags found;
  std::vector<std::int64_t> left_out;
};
PHX_API PatternFlags
pattern_matches(runtime::Runtime& runtime, const Key& texts, const TextPattern& pattern);

// How often the pattern is found: after an empty match comes one that is not empty or begins later.
struct PatternCounts {
  Counts counts;
  std::vector<std::int64_t> left_out;
};
PHX_API PatternCounts
pattern_counts(runtime::Runtime& runtime, const Key& texts, const TextPattern& pattern);

// What a match is replaced by: texts, and groups between them.
struct ReplacementPart {
  std::string text;
  std::int32_t group = -1;  // less than 0: the text
};
PHX_API WrittenTexts pattern_replace(
    runtime::Runtime& runtime,
    const Key& texts,
    const TextPattern& pattern,
    const std::vector<ReplacementPart>& replacement,
    std::int64_t most);

// Where the groups of the first match begin and end, in bytes of the column: two numbers for each
// row and group, one group's after another's, -1 where there is none.
struct PatternGroups {
  Memory<std::int64_t> places;
  std::vector<std::int64_t> left_out;
};
PHX_API PatternGroups pattern_groups(
    runtime::Runtime& runtime, const Key& texts, const TextPattern& pattern, std::int64_t groups);

// The texts at such places of a column, and which there are.
PHX_API TakenCharacters
texts_at(runtime::Runtime& runtime, const Key& texts, std::span<const std::int64_t> places);

}  // namespace phalanx::frames
