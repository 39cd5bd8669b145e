// What options, messages and the functions of Python call a device.
#pragma once

#include <string>

#include "phalanx/base/export.h"

namespace phalanx::runtime {

class Device;

// "cpu", "cuda:1".
PHX_API std::string label_of(const Device& device);

}  // namespace phalanx::runtime
