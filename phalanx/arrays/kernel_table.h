// The kernels of programs by what decides their code, compiled when they are first launched.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>

#include "phalanx/jit/engine.h"
#include "phalanx/jit/kernel.h"
#include "phalanx/runtime/launch.h"

namespace phalanx::arrays {

class KernelTable {
 public:
  using Make = std::function<std::shared_ptr<ir::Module>()>;

  explicit KernelTable(jit::Engine& engine) : engine_(&engine) {}

  // The kernel of that key, which `make` gives the IR of when there is none yet. Thread-safe.
  std::shared_ptr<jit::Kernel> find(const std::string& key, const Make& make);

  // Queues a launch. Grids without blocks are none.
  void launch(
      jit::Kernel& kernel,
      const runtime::LaunchConfig& config,
      std::span<const std::byte> arguments,
      runtime::Stream& stream);

  std::size_t size() const;

 private:
  jit::Engine* engine_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<jit::Kernel>> kernels_;
};

}  // namespace phalanx::arrays
