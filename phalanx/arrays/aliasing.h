// If a kernel reads the memory that it writes.
#pragma once

#include "phalanx/arrays/program.h"
#include "phalanx/views/device_array.h"

namespace phalanx::arrays {

// The program's one result is what is in the target's elements already.
bool is_copy_of(const Program& program, const views::DeviceArray& target);
// Some element of the array, or may be.
bool reads(const Program& program, const views::DeviceArray& written);
// Some element that is written for another index, or may be.
bool reads_elsewhere(const Program& program, const views::DeviceArray& target);

}  // namespace phalanx::arrays
