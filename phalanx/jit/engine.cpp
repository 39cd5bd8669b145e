#include "phalanx/jit/engine.h"

#include <utility>

namespace phalanx::jit {

Engine::Engine(
    CacheOptions cache,
    Compiler compiler,
    runtime::RuntimeOptions options,
    const runtime::cuda::Driver* driver)
    : compiler_(std::move(compiler)),
      runtime_(std::move(options), driver),
      cache_(std::move(cache), [this](const std::string& text) {
        warn({.warning = {.kind = Warning::Kind::cache, .text = text}});
      }) {}

const Target& Engine::host_target() {
  const std::lock_guard lock(mutex_);
  if (!host_target_)
    host_target_ = compiler_.host_target();
  return *host_target_;
}

Target Engine::target_of(runtime::Device& device) {
  if (device.kind() == DeviceKind::cpu)
    return host_target();
  return compiler_.cuda_target(device.limits().compute_capability);
}

void Engine::disable_devices(std::string reason) {
  const std::lock_guard lock(mutex_);
  disabled_ = &reasons_.emplace_back(std::move(reason));
}

void Engine::warn(LocatedWarning warning) {
  const std::lock_guard lock(mutex_);
  warnings_.push_back(std::move(warning));
}

std::vector<LocatedWarning> Engine::take_warnings() {
  const std::lock_guard lock(mutex_);
  return std::exchange(warnings_, {});
}

}  // namespace phalanx::jit
