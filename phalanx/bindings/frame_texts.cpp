// Texts of columns.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/frames.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/frames/text.h"
#include "phalanx/frames/text_patterns.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {
namespace {

using frames::CharacterMap;
using frames::CharacterSet;

template <typename Work>
auto without_gil(const Work& work) {
  const GilReleased no_gil;
  return work(engine().runtime());
}

std::span<const std::int64_t> integers(FrameArguments& arguments, nb::handle given) {
  const HostArray& array = arguments.array(given, "the numbers");
  return {array.elements<std::int64_t>(DType::int64), static_cast<std::size_t>(array.size())};
}

frames::Key texts_of(FrameArguments& arguments, nb::handle given) {
  const frames::Key key = arguments.key(given);
  if (!key.is_strings())
    throw TypeError("only keys (\"string\", offsets, bytes, mask) are texts");
  return key;
}

// Offsets, bytes and the rows that were left out.
nb::tuple texts_to_python(frames::WrittenTexts& made) {
  return nb::make_tuple(
      numpy_of(made.offsets, DType::int64),
      numpy_of_buffer(made.bytes.take_buffer(), DType::uint8, made.bytes.size()),
      made.left_out);
}

nb::object flags_to_python(frames::Flags& made) { return numpy_of(made, DType::boolean); }

// Makes texts of texts.
template <typename Work>
nb::tuple texts_by(nb::handle given, const Work& work) {
  FrameArguments arguments;
  const frames::Key key = texts_of(arguments, given);
  frames::WrittenTexts made =
      without_gil([&](runtime::Runtime& runtime) { return work(runtime, key); });
  return texts_to_python(made);
}

template <typename Work>
nb::object flags_by(nb::handle given, const Work& work) {
  FrameArguments arguments;
  const frames::Key key = texts_of(arguments, given);
  frames::Flags made = without_gil([&](runtime::Runtime& runtime) { return work(runtime, key); });
  return flags_to_python(made);
}

template <typename Work>
nb::object counts_by(nb::handle given, const Work& work) {
  FrameArguments arguments;
  const frames::Key key = texts_of(arguments, given);
  frames::Counts made = without_gil([&](runtime::Runtime& runtime) { return work(runtime, key); });
  return numpy_of(made, DType::int64);
}

// A text for all rows as bytes, or a column.
frames::TextOperand operand_of(FrameArguments& arguments, nb::handle given) {
  frames::TextOperand made;
  made.is_column = !nb::isinstance<nb::bytes>(given);
  if (made.is_column) {
    made.column = texts_of(arguments, given);
  } else {
    const auto bytes = nb::borrow<nb::bytes>(given);
    made.constant.assign(bytes.c_str(), bytes.size());
  }
  return made;
}

std::string bytes_of(const nb::bytes& given) { return {given.c_str(), given.size()}; }

frames::TextSlice slice_of(
    const std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>, std::int64_t>&
        given) {
  return {std::get<0>(given), std::get<1>(given), std::get<2>(given)};
}
using SliceArgument =
    std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>, std::int64_t>;

nb::tuple map_characters(
    nb::handle given,
    const CharacterMap& other,
    const CharacterMap* initial,
    const CharacterSet* in_words,
    std::uint32_t left_out) {
  frames::CaseRule rule;
  rule.other = &other;
  rule.initial = initial;
  rule.in_words = in_words;
  rule.left_out = left_out;
  if (initial != nullptr)
    rule.initials = in_words == nullptr ? frames::Initials::first : frames::Initials::words;
  return texts_by(given, [&](runtime::Runtime& runtime, const frames::Key& key) {
    return frames::map_characters(runtime, key, rule);
  });
}

nb::object has_affix(nb::handle given, const std::vector<nb::bytes>& affixes, bool at_start) {
  std::vector<std::string> texts;
  for (const nb::bytes& each : affixes) texts.push_back(bytes_of(each));
  return flags_by(given, [&](runtime::Runtime& runtime, const frames::Key& key) {
    return frames::has_affix(runtime, key, texts, at_start);
  });
}

nb::tuple character_at(nb::handle given, std::int64_t position) {
  FrameArguments arguments;
  const frames::Key key = texts_of(arguments, given);
  frames::TakenCharacters made = without_gil(
      [&](runtime::Runtime& runtime) { return frames::characters_at(runtime, key, position); });
  return nb::make_tuple(texts_to_python(made.texts), flags_to_python(made.there));
}

nb::tuple pad(
    nb::handle given, std::int64_t width, const nb::bytes& fill, bool on_left, bool on_right) {
  const frames::Padding padding = {width, bytes_of(fill), on_left, on_right};
  return texts_by(given, [&](runtime::Runtime& runtime, const frames::Key& key) {
    return frames::pad_texts(runtime, key, padding);
  });
}

nb::tuple replace(
    nb::handle given, const nb::bytes& wanted, const nb::bytes& replacement, std::int64_t most) {
  const std::string from = bytes_of(wanted);
  const std::string to = bytes_of(replacement);
  return texts_by(given, [&](runtime::Runtime& runtime, const frames::Key& key) {
    return frames::replace_text(runtime, key, from, to, most);
  });
}

nb::tuple join(nb::handle given, std::int64_t rows, const std::optional<nb::bytes>& fill) {
  FrameArguments arguments;
  std::vector<frames::TextOperand> operands;
  for (const nb::handle each : nb::iter(given)) operands.push_back(operand_of(arguments, each));
  const std::string filler = fill ? bytes_of(*fill) : std::string();
  frames::WrittenTexts made = without_gil([&](runtime::Runtime& runtime) {
    return frames::join_texts(runtime, operands, rows, fill ? &filler : nullptr);
  });
  return texts_to_python(made);
}

nb::tuple split(
    nb::handle given,
    const nb::bytes& separator,
    const CharacterSet* spaces,
    std::int64_t most,
    bool from_end) {
  FrameArguments arguments;
  const frames::Key key = texts_of(arguments, given);
  const frames::TextSplit rule = {bytes_of(separator), spaces, most, from_end};
  if (rule.separator.empty() && spaces == nullptr)
    throw ValueError("empty separator");
  frames::SplitTexts made = without_gil(
      [&](runtime::Runtime& runtime) { return frames::split_texts(runtime, key, rule); });
  return nb::make_tuple(
      numpy_of(made.counts, DType::int64), made.widest, texts_to_python(made.parts));
}

nb::object compare(nb::handle left, nb::handle right, std::int64_t rows, bool only_equal) {
  FrameArguments arguments;
  const frames::TextOperand a = operand_of(arguments, left);
  const frames::TextOperand b = operand_of(arguments, right);
  if (only_equal) {
    frames::Flags made = without_gil(
        [&](runtime::Runtime& runtime) { return frames::equal_texts(runtime, a, b, rows); });
    return flags_to_python(made);
  }
  frames::Memory<std::int8_t> made = without_gil(
      [&](runtime::Runtime& runtime) { return frames::compare_texts(runtime, a, b, rows); });
  return numpy_of(made, DType::int8);
}

nb::object positions_each(nb::handle texts, nb::handle wanted, std::int64_t rows) {
  FrameArguments arguments;
  const frames::TextOperand a = operand_of(arguments, texts);
  const frames::TextOperand b = operand_of(arguments, wanted);
  frames::Counts made = without_gil(
      [&](runtime::Runtime& runtime) { return frames::positions_each(runtime, a, b, rows); });
  return numpy_of(made, DType::int64);
}

nb::tuple slice_each(nb::handle given, nb::handle firsts, nb::handle lasts) {
  FrameArguments arguments;
  const auto bounds = [&](nb::handle each) {
    return each.is_none() ? std::span<const std::int64_t>() : integers(arguments, each);
  };
  const frames::Key key = texts_of(arguments, given);
  const auto begins = bounds(firsts);
  const auto ends = bounds(lasts);
  frames::WrittenTexts made = without_gil(
      [&](runtime::Runtime& runtime) { return frames::slice_each(runtime, key, begins, ends); });
  return texts_to_python(made);
}

nb::tuple write_numbers(nb::handle values, nb::handle mask) {
  FrameArguments arguments;
  const frames::Column column = arguments.column(values, mask);
  frames::WrittenTexts made = without_gil(
      [&](runtime::Runtime& runtime) { return frames::write_numbers(runtime, column); });
  return texts_to_python(made);
}

nb::tuple read_numbers(nb::handle given, nb::handle like) {
  FrameArguments arguments;
  const frames::Key key = texts_of(arguments, given);
  const DType dtype = arguments.array(like, "an array of the dtype").dtype();
  frames::ReadNumbers made = without_gil(
      [&](runtime::Runtime& runtime) { return frames::read_numbers(runtime, key, dtype); });
  const std::int64_t rows = key.column.rows;
  return nb::make_tuple(numpy_of_buffer(made.values.take_buffer(), dtype, rows), made.left_out);
}

void bind_characters(nb::class_<Frames>& frames) {
  nb::class_<CharacterMap>(frames, "CharacterMap", "What some characters become.")
      .def(
          "__init__",
          [](CharacterMap* made,
             nb::handle characters,
             nb::handle offsets,
             const nb::bytes& bytes) {
            FrameArguments arguments;
            new (made) CharacterMap(
                integers(arguments, characters), integers(arguments, offsets), bytes_of(bytes));
          },
          "characters"_a,
          "offsets"_a,
          "bytes"_a);
  nb::class_<CharacterSet>(frames, "CharacterSet", "Characters, by ascending code points (int64).")
      .def(
          "__init__",
          [](CharacterSet* made, nb::handle characters) {
            FrameArguments arguments;
            new (made) CharacterSet(integers(arguments, characters));
          },
          "characters"_a);
}

void bind_flags(nb::class_<Frames>& frames) {
  frames.def_static(
      "text_all_in",
      [](nb::handle key, const CharacterSet& set) {
        return flags_by(key, [&](runtime::Runtime& runtime, const frames::Key& texts) {
          return frames::all_in_set(runtime, texts, set);
        });
      },
      "key"_a,
      "characters"_a,
      "Which texts (a key of strings) have characters of a set alone, and one at least.");
  frames.def_static(
      "text_any_in",
      [](nb::handle key, const CharacterSet& wanted, const CharacterSet& unwanted) {
        return flags_by(key, [&](runtime::Runtime& runtime, const frames::Key& texts) {
          return frames::any_in_set(runtime, texts, wanted, unwanted);
        });
      },
      "key"_a,
      "wanted"_a,
      "unwanted"_a,
      "Which texts have a character of one set and none of another.");
  frames.def_static(
      "text_all_ascii",
      [](nb::handle key) { return flags_by(key, frames::all_ascii); },
      "key"_a,
      "Which texts are ASCII.");
  frames.def_static(
      "text_contains",
      [](nb::handle key, const nb::bytes& wanted) {
        const std::string text = bytes_of(wanted);
        return flags_by(key, [&](runtime::Runtime& runtime, const frames::Key& texts) {
          return frames::contains(runtime, texts, text);
        });
      },
      "key"_a,
      "wanted"_a,
      "Which texts contain one.");
  frames.def_static(
      "text_has_affix",
      has_affix,
      "key"_a,
      "affixes"_a,
      "at_start"_a,
      "Which texts begin, or end, with one of some.");
  frames.def_static(
      "text_compare",
      compare,
      "left"_a,
      "right"_a,
      "rows"_a,
      "only_equal"_a,
      "Which texts of two columns (keys, or bytes for all rows) are equal; else -1, 0 or 1 (int8)\n"
      "by their code points. Missing ones give False or 0.");
}

void bind_counts(nb::class_<Frames>& frames) {
  frames.def_static(
      "text_lengths",
      [](nb::handle key) { return counts_by(key, frames::lengths); },
      "key"_a,
      "Characters of each text (int64).");
  frames.def_static(
      "text_occurrences",
      [](nb::handle key, const nb::bytes& wanted) {
        const std::string text = bytes_of(wanted);
        return counts_by(key, [&](runtime::Runtime& runtime, const frames::Key& texts) {
          return frames::occurrences(runtime, texts, text);
        });
      },
      "key"_a,
      "wanted"_a,
      "How often each text contains one (int64).");
  frames.def_static(
      "text_positions",
      [](nb::handle key, const nb::bytes& wanted, const SliceArgument& within, bool takes_last) {
        const std::string text = bytes_of(wanted);
        return counts_by(key, [&](runtime::Runtime& runtime, const frames::Key& texts) {
          return frames::positions(runtime, texts, text, slice_of(within), takes_last);
        });
      },
      "key"_a,
      "wanted"_a,
      "within"_a,
      "takes_last"_a,
      "The character at which each text first (or last) contains one, -1 where it does not.");
  frames.def_static(
      "text_positions_each",
      positions_each,
      "texts"_a,
      "wanted"_a,
      "rows"_a,
      "The character at which each text of a column (a key, or bytes for all rows) first contains\n"
      "that of another, -1 where it does not, 0 where one is missing.");
}

void bind_cuts(nb::class_<Frames>& frames) {
  frames.def_static(
      "text_slice",
      [](nb::handle key, const SliceArgument& slice) {
        return texts_by(key, [&](runtime::Runtime& runtime, const frames::Key& texts) {
          return frames::slice_texts(runtime, texts, slice_of(slice));
        });
      },
      "key"_a,
      "slice"_a,
      "The characters of a slice (first, last, step).");
  frames.def_static(
      "text_slice_each",
      slice_each,
      "key"_a,
      "firsts"_a.none(),
      "lasts"_a.none(),
      "The characters of a slice whose bounds (int64, or None) each row has of its own.");
  frames.def_static(
      "text_character",
      character_at,
      "key"_a,
      "position"_a,
      "The character at a position, and which texts have one.");
  frames.def_static(
      "text_strip",
      [](nb::handle key, const CharacterSet& set, bool at_start, bool at_end) {
        return texts_by(key, [&](runtime::Runtime& runtime, const frames::Key& texts) {
          return frames::strip_texts(runtime, texts, set, at_start, at_end);
        });
      },
      "key"_a,
      "characters"_a,
      "at_start"_a,
      "at_end"_a,
      "The texts without the characters of a set at their ends.");
  frames.def_static(
      "text_remove_affix",
      [](nb::handle key, const nb::bytes& affix, bool at_start) {
        const std::string text = bytes_of(affix);
        return texts_by(key, [&](runtime::Runtime& runtime, const frames::Key& texts) {
          return frames::remove_affix(runtime, texts, text, at_start);
        });
      },
      "key"_a,
      "affix"_a,
      "at_start"_a,
      "The texts without one at the start or the end.");
  frames.def_static(
      "text_split",
      split,
      "key"_a,
      "separator"_a,
      "spaces"_a.none(),
      "most"_a,
      "from_end"_a,
      "How many parts each text has (int64), the most of one, and all parts, row after row.\n"
      "Parts are between separators (bytes), or between characters of `spaces`.");
}

void bind_fills(nb::class_<Frames>& frames) {
  frames.def_static(
      "text_pad",
      pad,
      "key"_a,
      "width"_a,
      "fill"_a,
      "on_left"_a,
      "on_right"_a,
      "The texts filled up to a width; on neither side means as str.zfill does.");
  frames.def_static(
      "text_repeat",
      [](nb::handle key, std::int64_t times) {
        return texts_by(key, [&](runtime::Runtime& runtime, const frames::Key& texts) {
          return frames::repeat_texts(runtime, texts, times);
        });
      },
      "key"_a,
      "times"_a,
      "The texts so many times.");
  frames.def_static(
      "text_replace",
      replace,
      "key"_a,
      "wanted"_a,
      "replacement"_a,
      "most"_a,
      "The first `most` occurrences (less than 0: all) replaced.");
  frames.def_static(
      "text_join",
      join,
      "operands"_a,
      "rows"_a,
      "fill"_a.none(),
      "The texts of columns (keys) and bytes for all rows one after another. `fill`: what missing\n"
      "ones are; None: the row is empty.");
}

nb::tuple pattern_matches(nb::handle given, const frames::TextPattern& pattern) {
  FrameArguments arguments;
  const frames::Key key = texts_of(arguments, given);
  frames::PatternFlags made = without_gil(
      [&](runtime::Runtime& runtime) { return frames::pattern_matches(runtime, key, pattern); });
  return nb::make_tuple(flags_to_python(made.found), made.left_out);
}

nb::tuple pattern_counts(nb::handle given, const frames::TextPattern& pattern) {
  FrameArguments arguments;
  const frames::Key key = texts_of(arguments, given);
  frames::PatternCounts made = without_gil(
      [&](runtime::Runtime& runtime) { return frames::pattern_counts(runtime, key, pattern); });
  return nb::make_tuple(numpy_of(made.counts, DType::int64), made.left_out);
}

nb::tuple pattern_replace(
    nb::handle given,
    const frames::TextPattern& pattern,
    const nb::list& replacement,
    std::int64_t most) {
  std::vector<frames::ReplacementPart> parts;
  for (const nb::handle each : replacement) {
    if (nb::isinstance<nb::bytes>(each))
      parts.push_back({bytes_of(nb::borrow<nb::bytes>(each))});
    else
      parts.push_back({{}, nb::cast<std::int32_t>(each)});
  }
  return texts_by(given, [&](runtime::Runtime& runtime, const frames::Key& key) {
    return frames::pattern_replace(runtime, key, pattern, parts, most);
  });
}

nb::tuple pattern_groups(
    nb::handle given, const frames::TextPattern& pattern, std::int64_t groups) {
  FrameArguments arguments;
  const frames::Key key = texts_of(arguments, given);
  if (groups < 1)
    throw ValueError("a pattern of which groups are taken has one at least");
  frames::PatternGroups found = without_gil([&](runtime::Runtime& runtime) {
    return frames::pattern_groups(runtime, key, pattern, groups);
  });
  nb::list made;
  const auto numbers = static_cast<std::size_t>(2 * key.column.rows);
  for (std::int64_t group = 0; group < groups; ++group) {
    const std::span<const std::int64_t> places = {
        found.places.data() + static_cast<std::size_t>(group) * numbers, numbers};
    frames::TakenCharacters texts = without_gil(
        [&](runtime::Runtime& runtime) { return frames::texts_at(runtime, key, places); });
    made.append(nb::make_tuple(texts_to_python(texts.texts), flags_to_python(texts.there)));
  }
  return nb::make_tuple(made, found.left_out);
}

void bind_patterns(nb::class_<Frames>& frames) {
  nb::class_<phalanx::frames::TextPattern>(
      frames, "TextPattern", "A pattern of PCRE2's for texts of ASCII, and one for all others.")
      .def(
          "__init__",
          [](frames::TextPattern* made, const nb::bytes& of_ascii, const nb::bytes& of_others) {
            new (made) frames::TextPattern(bytes_of(of_ascii), bytes_of(of_others));
          },
          "of_ascii"_a,
          "of_others"_a)
      .def_static(
          "unicode_version",
          &frames::TextPattern::unicode_version,
          "The version of Unicode whose classes of characters PCRE2 has.");
  frames.def_static(
      "pattern_matches",
      pattern_matches,
      "key"_a,
      "pattern"_a,
      "Where a pattern is found, and the rows that were left out.");
  frames.def_static(
      "pattern_counts",
      pattern_counts,
      "key"_a,
      "pattern"_a,
      "How often a pattern is found (int64), and the rows that were left out.");
  frames.def_static(
      "pattern_replace",
      pattern_replace,
      "key"_a,
      "pattern"_a,
      "replacement"_a,
      "most"_a,
      "The first `most` matches (0: all) replaced by texts (bytes) and groups (int).");
  frames.def_static(
      "pattern_groups",
      pattern_groups,
      "key"_a,
      "pattern"_a,
      "groups"_a,
      "What each group of the first match is, and which there are; and the rows left out.");
}

}  // namespace

void bind_frame_texts(nb::class_<Frames>& frames) {
  bind_characters(frames);
  frames.def_static(
      "text_map",
      map_characters,
      "key"_a,
      "other"_a,
      "initial"_a.none() = nb::none(),
      "in_words"_a.none() = nb::none(),
      "left_out"_a = 0,
      "Characters by a map: offsets (int64), bytes (uint8) and the rows left out, those with the\n"
      "character `left_out`. The first of a text, or of a word of `in_words`, is by `initial`.");
  bind_flags(frames);
  bind_counts(frames);
  bind_cuts(frames);
  bind_fills(frames);
  bind_patterns(frames);
  frames.def_static(
      "write_numbers",
      write_numbers,
      "values"_a,
      "mask"_a.none(),
      "Numbers as Python writes them.");
  frames.def_static(
      "read_numbers",
      read_numbers,
      "key"_a,
      "like"_a,
      "Texts read as numbers of an array's dtype, and the rows left out, which are others.");
}

}  // namespace phalanx::bindings
