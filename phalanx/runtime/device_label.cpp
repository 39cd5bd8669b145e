#include "phalanx/runtime/device_label.h"

#include "phalanx/runtime/device.h"

namespace phalanx::runtime {

std::string label_of(const Device& device) {
  const std::string kind(name_of(device.kind()));
  const bool is_plain = device.is_host() && device.ordinal() == 0;
  return is_plain ? kind : kind + ":" + std::to_string(device.ordinal());
}

}  // namespace phalanx::runtime
