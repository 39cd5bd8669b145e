// A kernel of a loaded module: ready to be launched on one device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "phalanx/base/binary.h"
#include "phalanx/base/cpu_kernel.h"
#include "phalanx/base/export.h"
#include "phalanx/base/launch_memory.h"
#include "phalanx/base/target.h"
#include "phalanx/runtime/module.h"

namespace phalanx::runtime {

struct KernelAttributes {
  std::uint32_t registers = 0;            // of a thread; 0 on the CPU device
  std::uint64_t local_bytes = 0;          // of a thread
  std::uint64_t static_shared_bytes = 0;  // of a block
  std::uint64_t constant_bytes = 0;
  std::uint32_t max_threads_per_block = 1024;
};

class PHX_API Executable : public std::enable_shared_from_this<Executable> {
 public:
  // The kernel of that entry of the module; errors carry `name`.
  Executable(std::shared_ptr<Module> module, std::size_t entry, std::string name)
      : module_(std::move(module)),
        entry_(&module_->binary().entries.at(entry)),
        name_(std::move(name)) {}
  virtual ~Executable() = default;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  DeviceKind kind() const { return module_->kind(); }
  Module& module() const { return *module_; }
  const Binary& binary() const { return module_->binary(); }  // the image that it is in
  const Entry& entry() const { return *entry_; }
  const LaunchMemory& launch_memory() const { return entry_->launch_memory; }
  const std::string& name() const { return name_; }

  virtual KernelAttributes attributes() = 0;

 private:
  std::shared_ptr<Module> module_;
  const Entry* entry_;
  std::string name_;
};

// x86 code in memory; `code` keeps it there.
struct LoadedObject {
  CpuKernel entry = nullptr;
  std::shared_ptr<void> code;
};

// Links and loads the object of a binary for the CPU device. `jit` has one: the runtime knows no
// LLVM.
using ObjectLoader = std::function<LoadedObject(const Binary& binary)>;

}  // namespace phalanx::runtime
