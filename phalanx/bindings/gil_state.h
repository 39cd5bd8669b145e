// What a thread knows of the GIL that it has given away and not taken back.
#pragma once

#include "phalanx/base/thread_local.h"

namespace phalanx::bindings {

struct GilState {
  bool is_without = false;  // a profile that begins meanwhile must not look at its frames
  bool is_aside = false;    // it went by a GraphAside (arrays.h)
};
inline PHX_THREAD_LOCAL GilState gil_state;

}  // namespace phalanx::bindings
