// The list of code generators.
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
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

std::vector<Target> common_targets_for(const Target& host) {
  const Backend& backend = backend_of(host.kind);
  std::vector<Target> targets = backend.common_targets();
  std::erase_if(targets, [&](const Target& common) { return !backend.runs(host, common); });
  return targets;
}

Target common_target(std::string_view name) {
  std::string known;
  for (const DeviceRow& row : device_table) {
    for (const Target& target : backend_of(row.kind).common_targets()) {
      if (target.cpu == name)
        return target;
      known += (known.empty() ? "" : ", ") + target.cpu;
    }
  }
  throw ValueError("'" + std::string(name) + "' is none of the targets of shipped code: " + known);
}

Binary compile(
    const ir::Module& module,
    const Target& target,
    const Options& options,
    const CpuVariant& variant) {
  return backend_of(target.kind).compile(module, target, options, variant);
}

}  // namespace phalanx::codegen
