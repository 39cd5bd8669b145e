// Which performance warnings are given. One setting for the process, apart from the engine: who
// sets it at the start of a program makes no engine, and what is put into the environment next
// counts.
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

// PHALANX_ADVICE=0 gives none, whatever is set.
Advice advice();
void set_advice(const Advice& given);

}  // namespace phalanx::jit
