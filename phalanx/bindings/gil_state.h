// What a thread knows of the GIL that it has given away and not taken back.
#pragma once

namespace phalanx::bindings {

struct GilState {
  bool is_without = false;  // a profile that begins meanwhile must not look at its frames
  bool is_aside = false;    // it went by a GraphAside (arrays.h)
};
inline thread_local GilState gil_state;

}  // namespace phalanx::bindings
