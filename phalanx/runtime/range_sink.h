// Who is told, while it happens, of what the engine does, as ranges that nest in each thread.
#pragma once

#include <string>

#include "phalanx/runtime/profile_record.h"

namespace phalanx::runtime {

class RangeSink {
 public:
  RangeSink() = default;
  virtual ~RangeSink() = default;
  RangeSink(const RangeSink&) = delete;
  RangeSink& operator=(const RangeSink&) = delete;

  virtual void push(ProfileKind kind, const std::string& text) noexcept = 0;
  virtual void pop() noexcept = 0;
};

// The kinds of records that are ranges. Copies and memory are not: a GPU's own profiler has them.
constexpr bool is_range(ProfileKind kind) {
  switch (kind) {
    case ProfileKind::launch:
    case ProfileKind::graph:
    case ProfileKind::call:
    case ProfileKind::compile:
    case ProfileKind::expression:
    case ProfileKind::scope:
      return true;
    default:
      return false;
  }
}

}  // namespace phalanx::runtime
