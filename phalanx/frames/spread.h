// Rows spread to parts by a hash of their keys, for tables that are worked on part by part.
#pragma once

#include <cstdint>
#include <span>

#include "phalanx/frames/column.h"
#include "phalanx/frames/memory.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// The part of each row, from 0 on: rows of equal keys are in the same one, also of other tables
// whose keys have these kinds. Codes of dictionaries are equal where their numbers are. Missing
// keys are equal. Throws as group_rows does, and ValueError for fewer parts than one.
PHX_API Memory<std::int32_t> spread_rows(
    runtime::Runtime& runtime, std::span<const Key> keys, std::int32_t parts);

}  // namespace phalanx::frames
