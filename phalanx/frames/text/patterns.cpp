#include "phalanx/frames/text_patterns.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>

#include "phalanx/base/errors.h"
#include "phalanx/frames/csv/utf8.h"
#include "phalanx/frames/text/texts.h"
#include "phalanx/frames/text/utf8.h"

namespace phalanx::frames {
namespace {

using text::Appender;
using text::Texts;

struct Free {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
  void operator()(pcre2_compile_context* context) const { pcre2_compile_context_free(context); }
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
  void operator()(pcre2_jit_stack* stack) const { pcre2_jit_stack_free(stack); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

constexpr std::size_t first_stack = std::size_t{32}
                                    << 10U;  // bytes of a thread's for compiled code
constexpr std::size_t last_stack = std::size_t{8} << 20U;

// One pattern as PCRE2 has compiled it, to machine code where the system lets it.
struct Code {
  Owned<pcre2_code> code;
  bool is_native = false;

  Code(std::string_view pattern, std::uint32_t options) {
    const Owned<pcre2_compile_context> context(pcre2_compile_context_create(nullptr));
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    int error = 0;
    std::size_t place = 0;
    code.reset(pcre2_compile(
        reinterpret_cast<PCRE2_SPTR>(pattern.data()),
        pattern.size(),
        options,
        &error,
        &place,
        context.get()));
    if (code == nullptr) {
      std::array<PCRE2_UCHAR, 256> message = {};
      pcre2_get_error_message(error, message.data(), message.size());
      throw ValueError(
          "a pattern is not compiled: " + std::string(reinterpret_cast<char*>(message.data())));
    }
    is_native = pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE) == 0;
  }
};

enum class Found { no, yes, failed };

}  // namespace

struct TextPattern::Codes {
  Code of_ascii;
  Code of_others;
};

std::string TextPattern::unicode_version() {
  std::array<char, 64> version = {};
  pcre2_config(PCRE2_CONFIG_UNICODE_VERSION, version.data());
  return version.data();
}

TextPattern::TextPattern(std::string_view of_ascii, std::string_view of_others)
    : codes_(new Codes{Code(of_ascii, 0), Code(of_others, PCRE2_UTF)}) {}
TextPattern::~TextPattern() = default;

namespace {

// What a thread needs to match.
class Matcher {
 public:
  explicit Matcher(const TextPattern& pattern)
      : codes_(&pattern.codes()),
        data_(pcre2_match_data_create_from_pattern(codes_->of_others.code.get(), nullptr)),
        context_(pcre2_match_context_create(nullptr)),
        stack_(pcre2_jit_stack_create(first_stack, last_stack, nullptr)) {
    if (data_ == nullptr || context_ == nullptr || stack_ == nullptr)
      throw OutOfMemoryError("no memory to match a pattern");
    pcre2_jit_stack_assign(context_.get(), nullptr, stack_.get());
    places_ = pcre2_get_ovector_pointer(data_.get());
    groups_ = pcre2_get_ovector_count(data_.get());
  }

  // False: it is no UTF-8 of Unicode.
  bool set_text(std::string_view text) {
    text_ = text.data() == nullptr ? std::string_view("") : text;
    is_ascii_ = text::is_ascii(text_);
    return is_ascii_ || csv::end_of_utf8(text_.data(), text_.size()) == text_.size();
  }

  // From a byte on; `not_empty`: an empty match does not count there.
  Found find(std::size_t from, bool not_empty = false) {
    const Code& code = is_ascii_ ? codes_->of_ascii : codes_->of_others;
    const std::uint32_t options = not_empty ? PCRE2_NOTEMPTY_ATSTART : 0;
    const auto* const text = reinterpret_cast<PCRE2_SPTR>(text_.data());
    // The text was looked at by set_text.
    const int status =
        code.is_native
            ? pcre2_jit_match(
                  code.code.get(), text, text_.size(), from, options, data_.get(), context_.get())
            : pcre2_match(
                  code.code.get(),
                  text,
                  text_.size(),
                  from,
                  options | PCRE2_NO_UTF_CHECK,
                  data_.get(),
                  context_.get());
    if (status >= 0)
      return Found::yes;
    return status == PCRE2_ERROR_NOMATCH ? Found::no : Found::failed;
  }

  // Calls `visit()` for the matches one after another, as Python's finditer, until it is false.
  template <typename Visit>
  bool for_matches(const Visit& visit) {
    std::size_t from = 0;
    bool was_empty = false;
    for (;;) {
      const Found found = find(from, was_empty);
      if (found != Found::yes)
        return found == Found::no;
      was_empty = end() == begin();
      from = end();
      if (!visit())
        return true;
    }
  }

  std::size_t begin(std::size_t group = 0) const { return places_[2 * group]; }
  std::size_t end(std::size_t group = 0) const { return places_[2 * group + 1]; }
  bool has(std::size_t group) const { return group < groups_ && places_[2 * group] != PCRE2_UNSET; }

 private:
  const TextPattern::Codes* codes_;
  Owned<pcre2_match_data> data_;
  Owned<pcre2_match_context> context_;
  Owned<pcre2_jit_stack> stack_;
  const std::size_t* places_ = nullptr;
  std::size_t groups_ = 0;
  std::string_view text_;
  bool is_ascii_ = true;
};

// Calls `visit(row, matcher)` for each row that is not missing, whose text the matcher has; false:
// the row is left out. Returns those that are.
template <typename Visit>
std::vector<std::int64_t> for_rows(
    runtime::Runtime& runtime, const Texts& texts, const TextPattern& pattern, const Visit& visit) {
  const Parts parts(runtime, texts.rows(), 4);
  std::vector<std::vector<std::int64_t>> left_out(static_cast<std::size_t>(parts.count()));
  for_each_task(runtime, parts.count(), [&](std::int64_t part) {
    Matcher matcher(pattern);
    for (std::int64_t row = parts.begin(part); row < parts.end(part); ++row)
      if (!texts.is_missing(row) && !(matcher.set_text(texts[row]) && visit(row, matcher)))
        left_out[static_cast<std::size_t>(part)].push_back(row);
  });
  std::vector<std::int64_t> all;
  for (const std::vector<std::int64_t>& each : left_out)
    all.insert(all.end(), each.begin(), each.end());
  return all;
}

void append_match(
    std::string_view text,
    const Matcher& matcher,
    const std::vector<ReplacementPart>& replacement,
    Appender& appender) {
  for (const ReplacementPart& part : replacement) {
    const auto group = static_cast<std::size_t>(part.group);
    if (part.group < 0)
      appender.append(part.text);
    else if (matcher.has(group))
      appender.append(text.substr(matcher.begin(group), matcher.end(group) - matcher.begin(group)));
  }
}

}  // namespace

PatternFlags pattern_matches(
    runtime::Runtime& runtime, const Key& key, const TextPattern& pattern) {
  const Texts texts(key);
  PatternFlags made = {Flags(runtime, texts.rows()), {}};
  std::fill_n(made.found.data(), texts.rows(), std::uint8_t{0});
  made.left_out = for_rows(runtime, texts, pattern, [&](std::int64_t row, Matcher& matcher) {
    const Found found = matcher.find(0);
    made.found[row] = found == Found::yes ? 1 : 0;
    return found != Found::failed;
  });
  return made;
}

PatternCounts pattern_counts(
    runtime::Runtime& runtime, const Key& key, const TextPattern& pattern) {
  const Texts texts(key);
  PatternCounts made = {Counts(runtime, texts.rows()), {}};
  std::fill_n(made.counts.data(), texts.rows(), std::int64_t{0});
  made.left_out = for_rows(runtime, texts, pattern, [&](std::int64_t row, Matcher& matcher) {
    std::int64_t count = 0;
    const bool good = matcher.for_matches([&] {
      ++count;
      return true;
    });
    made.counts[row] = count;
    return good;
  });
  return made;
}

WrittenTexts pattern_replace(
    runtime::Runtime& runtime,
    const Key& key,
    const TextPattern& pattern,
    const std::vector<ReplacementPart>& replacement,
    std::int64_t most) {
  const Texts texts(key);
  const auto write = [&](std::int64_t row, Matcher& matcher, Appender& appender) {
    const std::string_view text = texts[row];
    std::size_t done = 0;
    std::int64_t left = most;
    if (!matcher.set_text(text))
      return false;
    const bool good = matcher.for_matches([&] {
      appender.append(text.substr(done, matcher.begin() - done));
      append_match(text, matcher, replacement, appender);
      done = matcher.end();
      return --left != 0;
    });
    appender.append(text.substr(done));
    return good;
  };
  return text::write_parts(
      runtime, texts.rows(), text::bytes_of(texts), [&](const auto& for_each_row) {
        Matcher matcher(pattern);
        for_each_row([&](std::int64_t row, Appender& appender) {
          return texts.is_missing(row) || write(row, matcher, appender);
        });
      });
}

PatternGroups pattern_groups(
    runtime::Runtime& runtime, const Key& key, const TextPattern& pattern, std::int64_t groups) {
  const Texts texts(key);
  const std::int64_t rows = texts.rows();
  PatternGroups made = {Memory<std::int64_t>(runtime, 2 * rows * groups), {}};
  std::fill_n(made.places.data(), 2 * rows * groups, std::int64_t{-1});
  made.left_out = for_rows(runtime, texts, pattern, [&](std::int64_t row, Matcher& matcher) {
    const Found found = matcher.find(0);
    if (found != Found::yes)
      return found == Found::no;
    const std::int64_t first = texts.offsets()[row];
    for (std::int64_t group = 0; group < groups; ++group) {
      const auto number = static_cast<std::size_t>(group) + 1;
      if (!matcher.has(number))
        continue;
      std::int64_t* const place = made.places.data() + 2 * (group * rows + row);
      place[0] = first + static_cast<std::int64_t>(matcher.begin(number));
      place[1] = first + static_cast<std::int64_t>(matcher.end(number));
    }
    return true;
  });
  return made;
}

TakenCharacters texts_at(
    runtime::Runtime& runtime, const Key& key, std::span<const std::int64_t> places) {
  const Texts texts(key);
  const std::int64_t rows = texts.rows();
  const std::int64_t size = texts.offsets()[rows];
  if (std::ssize(places) != 2 * rows)
    throw ValueError("places of texts are two for each row");
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t begin = places[static_cast<std::size_t>(2 * i)];
    const std::int64_t end = places[static_cast<std::size_t>(2 * i + 1)];
    if (begin != -1 && (begin < 0 || end < begin || end > size))
      throw ValueError("places of texts are in the column: see row " + std::to_string(i));
  }
  Flags there(runtime, rows);
  const auto write = [&](std::int64_t row, Appender& appender) {
    const std::int64_t* const place = places.data() + 2 * row;
    there[row] = place[0] < 0 ? 0 : 1;
    if (place[0] >= 0)
      appender.append({texts.bytes() + place[0], static_cast<std::size_t>(place[1] - place[0])});
    return true;
  };
  WrittenTexts made = text::write_texts(runtime, rows, text::bytes_of(texts) / 2, write);
  return {std::move(made), std::move(there)};
}

}  // namespace phalanx::frames
