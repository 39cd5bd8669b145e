// The list of code generators.
#include "phalanx/codegen/codegen.h"

namespace phalanx::codegen {

#define DEVICE(kind, generator, dlpack) \
  namespace generator {                 \
  extern const Backend backend;         \
  }
#include "phalanx/base/devices.def"
#undef DEVICE

const Backend& backend_of(DeviceKind kind) {
  static constexpr std::array backends = {
#define DEVICE(kind, generator, dlpack) &generator::backend,
#include "phalanx/base/devices.def"
#undef DEVICE
  };
  return *backends[static_cast<std::size_t>(kind)];
}

Target target_of(DeviceKind kind, unsigned compute_capability) {
  return backend_of(kind).target(compute_capability);
}

Binary compile(
    const ir::Module& module,
    const Target& target,
    const Options& options,
    const CpuVariant& variant) {
  return backend_of(target.kind).compile(module, target, options, variant);
}

}  // namespace phalanx::codegen
