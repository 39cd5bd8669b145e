// What an operation is beyond its name: an atomic's update, a fence's scope, what is reported or
// raised. The IR's text has each as a quoted text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "phalanx/base/fault.h"
#include "phalanx/base/launch_memory.h"
#include "phalanx/ir/op.h"

namespace phalanx::ir {

// `inc` and `dec` wrap around at the operand; `nanmax` and `nanmin` prefer numbers to NaN.
enum class Atomic : std::uint8_t {
  add,
  sub,
  max,
  min,
  nanmax,
  nanmin,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  exchange,
  inc,
  dec
};
enum class BlockVote : std::uint8_t { count, all, any };
enum class Vote : std::uint8_t { all, any, equal, ballot };
enum class Shuffle : std::uint8_t { index, up, down, bitwise_xor };
enum class Match : std::uint8_t { any, all };
enum class FenceScope : std::uint8_t {
  block,
  device,
  system
};  // whose threads see memory in order
enum class CacheOperator : std::uint8_t { ca, cg, cs, lu, cv, wb, wt };  // as PTX names them

template <typename Kind>
inline constexpr std::array<std::string_view, 0> kind_names = {};
template <>
inline constexpr std::array<std::string_view, 12> kind_names<Atomic> = {
    "add", "sub", "max", "min", "nanmax", "nanmin", "and", "or", "xor", "exch", "inc", "dec"};
template <>
inline constexpr std::array<std::string_view, 3> kind_names<BlockVote> = {"count", "all", "any"};
template <>
inline constexpr std::array<std::string_view, 4> kind_names<Vote> = {"all", "any", "eq", "ballot"};
template <>
inline constexpr std::array<std::string_view, 4> kind_names<Shuffle> = {
    "index", "up", "down", "xor"};
template <>
inline constexpr std::array<std::string_view, 2> kind_names<Match> = {"any", "all"};
template <>
inline constexpr std::array<std::string_view, 3> kind_names<FenceScope> = {
    "block", "device", "system"};
template <>
inline constexpr std::array<std::string_view, 7> kind_names<CacheOperator> = {
    "ca", "cg", "cs", "lu", "cv", "wb", "wt"};

// As the IR's text has it.
template <typename Kind>
constexpr std::string_view name_of_kind(Kind kind) {
  return kind_names<Kind>.at(static_cast<std::size_t>(kind));
}

constexpr bool is_maximum(Atomic kind) { return kind == Atomic::max || kind == Atomic::nanmax; }
constexpr bool is_extremum(Atomic kind) {
  return is_maximum(kind) || kind == Atomic::min || kind == Atomic::nanmin;
}
constexpr bool prefers_numbers(Atomic kind) {
  return kind == Atomic::nanmax || kind == Atomic::nanmin;
}

using Detail = std::variant<
    std::monostate,
    Atomic,
    BlockVote,
    Vote,
    Shuffle,
    Match,
    FenceScope,
    CacheOperator,
    Report,
    Raise,
    LaunchMemory>;

// "" where there is none.
std::string text_of(Op op, const Detail& detail);
// Nothing where the operation cannot be that. Throws ValueError for a broken program of launch
// memory.
std::optional<Detail> detail_from_text(Op op, std::string_view text);
// True if the operation may have that detail.
bool fits(Op op, const Detail& detail);

}  // namespace phalanx::ir
