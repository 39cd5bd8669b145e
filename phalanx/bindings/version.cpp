// version() and build_id() of the engine.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "phalanx/base/build_id.h"
#include "phalanx/bindings/bind.h"

namespace phalanx::bindings {

void bind_version(nanobind::module_& module) {
  module.def("version", &phalanx::version, "The version of the package, as in its metadata.");
  module.def(
      "build_id", &phalanx::build_id, "Hash of the compiler's sources and of LLVM's version.");
}

}  // namespace phalanx::bindings
