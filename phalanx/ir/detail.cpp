#include "phalanx/ir/detail.h"

#include <type_traits>

#include "phalanx/ir/attributes.h"

namespace phalanx::ir {

namespace {

using detail::take_word;

bool is_operator_of(Op op, CacheOperator cache) {
  using enum CacheOperator;
  const bool is_of_both = cache == cg || cache == cs;
  const bool is_of_stores = cache == wb || cache == wt;
  return is_of_both || is_of_stores == (op == Op::hinted_store);
}

template <typename Kind>
std::optional<Detail> kind_of(Op op, std::string_view text) {
  const auto found = kind_from_name<Kind>(text);
  if (!found)
    return std::nullopt;
  if constexpr (std::is_same_v<Kind, CacheOperator>) {
    if (!is_operator_of(op, *found))
      return std::nullopt;
  }
  return *found;
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
    std::string rest = to_string(report);
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
  switch (attribute_of(op)) {
#define KINDS(type, ...) \
  case Attribute::type:  \
    return kind_of<type>(op, text);
#include "phalanx/ir/structure_ops.def"
    case Attribute::Report:
      return report(op, text);
    case Attribute::Raise:
      return raise(text);
    case Attribute::LaunchMemory:
      return LaunchMemory::parse(text);
    default:
      return std::nullopt;
  }
}

bool fits(Op op, const Detail& detail) {
  if (const auto* cache = std::get_if<CacheOperator>(&detail); cache != nullptr)
    return attribute_of(op) == Attribute::CacheOperator && is_operator_of(op, *cache);
  switch (attribute_of(op)) {
#define KINDS(type, ...) \
  case Attribute::type:  \
    return std::holds_alternative<type>(detail);
#include "phalanx/ir/structure_ops.def"
    case Attribute::Report:
      return std::holds_alternative<Report>(detail);
    case Attribute::Raise:
      return std::holds_alternative<Raise>(detail);
    case Attribute::LaunchMemory:
      return std::holds_alternative<LaunchMemory>(detail);
    default:
      return std::holds_alternative<std::monostate>(detail);
  }
}

}  // namespace phalanx::ir
