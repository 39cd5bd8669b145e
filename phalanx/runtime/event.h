// A point in a stream that can be waited for and timed.
#pragma once

#include <cstdint>

#include "phalanx/base/export.h"

namespace phalanx::runtime {

class Stream;

class PHX_API Event {
 public:
  Event() = default;
  virtual ~Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  virtual void record(Stream& stream) = 0;
  virtual bool query() const = 0;  // true when the point was reached, or nothing was recorded
  virtual void synchronize() const = 0;
  // Milliseconds from `start` to this event; both were recorded and made with timing.
  virtual float elapsed_ms_since(const Event& start) = 0;
  virtual std::uintptr_t handle() const = 0;  // the driver's CUevent; 0 on the CPU device
};

}  // namespace phalanx::runtime
