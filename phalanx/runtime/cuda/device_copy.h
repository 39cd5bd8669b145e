// Small helpers around the driver's copies and fills.
#pragma once

#include <cstddef>
#include <span>

#include "phalanx/runtime/cuda/context.h"

namespace phalanx::runtime::cuda {

// True when the driver can copy from or to it without staging: page-locked by anybody, or managed.
bool is_pinned(const Driver& driver, const void* host);

// The first stream's later work starts after what the others have queued so far.
void wait_for_streams(Context& context, std::span<const StreamHandle> streams) noexcept;

// A pattern of 1, 2, 4, 8 or 16 bytes, `count` times.
void fill_device(
    Context& context,
    DevicePointer to,
    std::span<const std::byte> pattern,
    std::size_t count,
    StreamHandle stream);

}  // namespace phalanx::runtime::cuda
