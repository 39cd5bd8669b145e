// Rows in the order of several keys.
#pragma once

#include <span>
#include <vector>

#include "phalanx/frames/column.h"
#include "phalanx/frames/memory.h"
#include "phalanx/frames/words.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// The rows in order of the first key, those of equal ones in order of the second, and so on; rows
// of equal keys stay in their order. Strings compare by their bytes, False is less than True.
// `is_descending`: by key, or empty. Missing keys are first or last, whatever the direction.
// Throws as group_rows does.
PHX_API Memory<std::int64_t> order_rows(
    runtime::Runtime& runtime,
    std::span<const Key> keys,
    const std::vector<bool>& is_descending,
    bool missing_first);

// The rows in order of their words. Instantiated for 64 and 128 bits.
template <typename Word>
Memory<std::int64_t> order_words(runtime::Runtime& runtime, const Words<Word>& words);

}  // namespace phalanx::frames
