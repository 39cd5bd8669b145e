// What the program's log is told of the kernels of arrays.
#pragma once

#include "phalanx/arrays/kernel_notes.h"

namespace phalanx::bindings {

// Gives the notes to phalanx._core.progress, if this thread has the GIL; else leaves them.
void tell_notes(arrays::KernelNotes& notes) noexcept;

// Those of the graph, of which there is one. tell_waiting_notes() gives them where a thread has the
// GIL again.
void set_waiting_notes(arrays::KernelNotes& notes);
void tell_waiting_notes() noexcept;

}  // namespace phalanx::bindings
