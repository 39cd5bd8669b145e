// Copies of arrays' memory on other devices.
#pragma once

#include <memory>

#include "phalanx/views/device_array.h"

namespace phalanx::arrays {

// Bytes of a device's memory: [low, high).
struct AddressRange {
  runtime::Address low = 0;
  runtime::Address high = 0;
};

// Those bytes of the array's memory, which it reaches, on another device: from GPU to GPU directly.
// Waits for the copy: whoever has the memory may write to it or let it go then. Throws
// OutOfMemoryError.
runtime::Buffer copied_across(
    const views::DeviceArray& array, const AddressRange& range, runtime::Device& to);

// Where a memory's bytes are now.
struct Relocation {
  std::shared_ptr<views::SharedMemory> memory;  // which has them in its buffer
  runtime::Address was_at = 0;
  runtime::Device& device;
};

// The array there.
views::DeviceArray relocated(const views::DeviceArray& array, const Relocation& relocation);

}  // namespace phalanx::arrays
