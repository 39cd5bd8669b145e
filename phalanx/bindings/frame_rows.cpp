#include <nanobind/nanobind.h>

#include "phalanx/bindings/frames.h"

namespace phalanx::bindings {

void bind_frame_rows(nanobind::class_<Frames>&) {}

}  // namespace phalanx::bindings
