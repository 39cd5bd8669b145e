// Which rows of two tables belong together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "phalanx/frames/column.h"
#include "phalanx/frames/memory.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

enum class JoinKind : std::uint8_t { inner, left, right, outer, semi, anti };
PHX_API std::optional<JoinKind> join_named(std::string_view name);

// Pairs of rows; -1 where there is no partner.
struct JoinedRows {
  Memory<std::int64_t> left;
  Memory<std::int64_t> right;
};

// In pandas' order: that of the left rows, of the right ones for `right`, and for equal keys that
// of the other rows; for `outer` that of the keys, the first one first and missing ones last. Of
// `semi` and `anti`, the left rows with and without partners, `right` is -1 throughout. Missing
// keys are equal. Throws as group_rows does, and ValueError where the sides' keys differ in number
// and TypeError where they differ in kind or dtype.
PHX_API JoinedRows join_rows(
    runtime::Runtime& runtime,
    std::span<const Key> left,
    std::span<const Key> right,
    JoinKind kind);

// What join_rows throws of sides that do not fit each other.
void check_sides(runtime::Runtime& runtime, std::span<const Key> left, std::span<const Key> right);

enum class AsofDirection : std::uint8_t { backward, forward, nearest };
PHX_API std::optional<AsofDirection> direction_named(std::string_view name);

// `tolerance`: the greatest distance, as the dtype counts it; less than 0: any.
struct AsofOptions {
  AsofDirection direction = AsofDirection::backward;
  bool allows_exact = true;
  double tolerance = -1;
};

// One side of a join by the nearest key: the sorted column, and keys that must be equal.
struct AsofSide {
  Column on;
  std::span<const Key> by;
};

// For each left row the right one whose `on` is the last that is not greater (`backward`), the
// first that is not less (`forward`), or the nearer of both; -1 where there is none. Of equal ones
// it is the last, `forward` the first. Throws ValueError where `on` is missing or not sorted.
PHX_API Memory<std::int64_t> asof_rows(
    runtime::Runtime& runtime,
    const AsofSide& left,
    const AsofSide& right,
    const AsofOptions& options);

}  // namespace phalanx::frames
