// The locals that check mode adds: each says whether another one has a value.
#pragma once

#include <string>

namespace phalanx::frontend::python {

// No name of Python's is like it.
inline std::string flag_of(const std::string& name) { return name + ".assigned"; }

}  // namespace phalanx::frontend::python
