// What an operation is beyond its name: an atomic's update, a fence's scope, what is reported or
// raised. The IR's text has each as a quoted text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "phalanx/base/fault.h"
#include "phalanx/base/launch_memory.h"
#include "phalanx/ir/op.h"

namespace phalanx::ir {

// Atomic: `inc` and `dec` wrap around at the operand; `nanmax` and `nanmin` prefer numbers to NaN.
// FenceScope: whose threads see memory in order. CacheOperator: as PTX names them.
#define KINDS(type, texts, ...) enum class type : std::uint8_t { __VA_ARGS__ };
#include "phalanx/ir/structure_ops.def"

// The names of a type's enumerators in the IR's text, with spaces between.
template <typename Kind>
inline constexpr std::string_view kind_names;
#define KINDS(type, texts, ...) \
  template <>                   \
  inline constexpr std::string_view kind_names<type> = texts;
#include "phalanx/ir/structure_ops.def"

namespace detail {
// Takes the first word off a text, with the space after it.
constexpr std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size() < text.size() ? word.size() + 1 : word.size());
  return word;
}
}  // namespace detail

// As the IR's text has it.
template <typename Kind>
constexpr std::string_view name_of_kind(Kind kind) {
  std::string_view names = kind_names<Kind>;
  for (auto i = static_cast<std::size_t>(kind); i > 0; --i) detail::take_word(names);
  return detail::take_word(names);
}
// Nothing where no enumerator is called so.
template <typename Kind>
constexpr std::optional<Kind> kind_from_name(std::string_view name) {
  std::string_view names = kind_names<Kind>;
  for (std::size_t i = 0; !names.empty(); ++i) {
    if (detail::take_word(names) == name)
      return static_cast<Kind>(i);
  }
  return std::nullopt;
}
static_assert(name_of_kind(Atomic::dec) == "dec" && name_of_kind(Vote::equal) == "eq");
static_assert(kind_from_name<Shuffle>("xor") == Shuffle::bitwise_xor);

constexpr bool is_maximum(Atomic kind) { return kind == Atomic::max || kind == Atomic::nanmax; }
constexpr bool is_extremum(Atomic kind) {
  return is_maximum(kind) || kind == Atomic::min || kind == Atomic::nanmin;
}
constexpr bool prefers_numbers(Atomic kind) {
  return kind == Atomic::nanmax || kind == Atomic::nanmin;
}

using Detail = std::variant<
    std::monostate,
#define KINDS(type, ...) type,
#include "phalanx/ir/structure_ops.def"
    Report,
    Raise,
    LaunchMemory>;

// "" where there is none.
std::string text_of(Op op, const Detail& detail);
// Nothing where the operation cannot be that. Throws ValueError for a broken program of launch
// memory.
std::optional<Detail> detail_from_text(Op op, std::string_view text);
// True if the operation may have that detail: it is of the type that structure_ops.def says.
bool fits(Op op, const Detail& detail);

}  // namespace phalanx::ir
