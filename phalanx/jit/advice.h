// Which performance warnings are given.
#pragma once

namespace phalanx::jit {

struct Advice {
  bool low_occupancy = true;
  bool implicit_copies = true;
  bool float64 = true;
  bool strides = true;
  bool parallel = true;

  static constexpr Advice none() { return {false, false, false, false, false}; }
};

}  // namespace phalanx::jit
