// The devices of one kind.
#pragma once

#include "phalanx/runtime/device.h"

namespace phalanx::runtime {

class DeviceFamily {
 public:
  DeviceFamily() = default;
  virtual ~DeviceFamily() = default;
  DeviceFamily(const DeviceFamily&) = delete;
  DeviceFamily& operator=(const DeviceFamily&) = delete;

  // 0 where they cannot be used. Never throws, and starts none of them.
  virtual int count() = 0;

  // The same one each time, for as long as the family lives. Thread-safe. Throws DeviceError or
  // ValueError where there is no such device.
  virtual Device& device(int ordinal) = 0;
};

}  // namespace phalanx::runtime
