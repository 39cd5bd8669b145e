// Which buffers there are, for check mode: what memory an address that is a mere number leads into.
#pragma once

#include <cstddef>
#include <optional>

#include "phalanx/base/export.h"
#include "phalanx/runtime/buffer.h"

namespace phalanx::runtime {

struct MemoryRange {
  Address begin = 0;
  std::size_t bytes = 0;  // 0: it was freed, and is kept for the next buffer
};

// Buffers are noted from now on: it takes time, so that nobody does who does not check. Where
// PHALANX_CHECK is set, from the first one on.
PHX_API void note_buffers();
// The buffer that an address is in, or was in until it was freed; none where nobody noted one, and
// where the memory went back to whom it came from, since it may be another's by then.
PHX_API std::optional<MemoryRange> buffer_at(Address address);

// A buffer begins and ends; nothing happens where they are not noted.
void note_allocated(Address begin, std::size_t bytes);
void note_freed(Address begin) noexcept;
// A pool gives memory back, before another may get it: what began there, or all that was freed.
void note_returned(Address begin) noexcept;
void note_all_returned() noexcept;

}  // namespace phalanx::runtime
