#include "phalanx/ir/detail.h"

#include <algorithm>

namespace phalanx::ir {

namespace {

template <typename Kind>
std::optional<Detail> find(std::string_view text) {
  const auto& names = kind_names<Kind>;
  const auto found = std::ranges::find(names, text);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Kind>(found - names.begin());
}

std::optional<Detail> cache_operator(Op op, std::string_view text) {
  using enum CacheOperator;
  const auto found = find<CacheOperator>(text);
  if (!found)
    return std::nullopt;
  const auto cache = std::get<CacheOperator>(*found);
  const bool is_of_both = cache == cg || cache == cs;
  const bool is_of_stores = cache == wb || cache == wt;
  return is_of_both || is_of_stores == (op == Op::hinted_store) ? found : std::nullopt;
}

// The first word of a text, which loses it and the space after it.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(word.size() + 1, text.size()));
  return word;
}

// "races write tile": the category, where the operation has not always the same; the verb, where
// the category has one; the subject.
std::optional<Detail> report(Op op, std::string_view text) {
  Report made;
  if (op != Op::checked_element) {
    const auto check = check_from_name(take_word(text));
    if (!check)
      return std::nullopt;
    made.check = *check;
  }
  if (has_verb(made.check)) {
    made.verb = verb_from_name(take_word(text));
    if (made.verb == Verb::none)
      return std::nullopt;
  }
  made.subject = text;
  return made;
}

Raise raise(std::string_view text) {
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos)
    return {.type = std::string(text), .message = {}};
  return {
      .type = std::string(text.substr(0, colon)), .message = std::string(text.substr(colon + 2))};
}

struct Writer {
  Op op;

  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const Report& report) const {
    const std::string rest = to_string(report);
    if (op == Op::checked_element)
      return rest;
    return std::string(name_of(report.check)) + (rest.empty() ? "" : " ") + rest;
  }
  std::string operator()(const Raise& raise) const { return to_string(raise); }
  std::string operator()(const LaunchMemory& memory) const { return memory.text(); }
  template <typename Kind>
  std::string operator()(Kind kind) const {
    return std::string(name_of_kind(kind));
  }
};

}  // namespace

std::string text_of(Op op, const Detail& detail) { return std::visit(Writer{op}, detail); }

std::optional<Detail> detail_from_text(Op op, std::string_view text) {
  switch (op) {
    case Op::atomic:
      return find<Atomic>(text);
    case Op::block_vote:
      return find<BlockVote>(text);
    case Op::vote:
      return find<Vote>(text);
    case Op::shuffle:
      return find<Shuffle>(text);
    case Op::match:
      return find<Match>(text);
    case Op::fence:
      return find<FenceScope>(text);
    case Op::hinted_load:
    case Op::hinted_store:
      return cache_operator(op, text);
    case Op::checked_element:
    case Op::report_if:
    case Op::track_access:
    case Op::track_row:
      return report(op, text);
    case Op::raise:
      return raise(text);
    case Op::launch_memory:
      return LaunchMemory::parse(text);
    default:
      return std::nullopt;
  }
}

bool fits(Op op, const Detail& detail) {
  switch (op) {
    case Op::checked_element:
    case Op::report_if:
    case Op::track_access:
    case Op::track_row:
      return std::holds_alternative<Report>(detail);
    case Op::raise:
      return std::holds_alternative<Raise>(detail);
    case Op::launch_memory:
      return std::holds_alternative<LaunchMemory>(detail);
    default: {
      const auto known = detail_from_text(op, text_of(op, detail));
      return (known ? known->index() : 0) == detail.index();
    }
  }
}

}  // namespace phalanx::ir
