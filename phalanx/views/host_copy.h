// Strided copies between memory that the host reaches, on the CPU's threads.
#pragma once

#include "phalanx/views/copy_plan.h"

namespace phalanx::runtime {
class Runtime;
}

namespace phalanx::views {

// Both sides of the plan are the host's, and do not overlap. Throws Interrupted as parallel_for
// does; the target is then partly written.
void copy_on_host(runtime::Runtime& runtime, const CopyPlan& plan);

}  // namespace phalanx::views
