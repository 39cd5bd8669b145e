// A kernel that is ready to be launched on one device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "phalanx/base/binary.h"
#include "phalanx/base/cpu_kernel.h"
#include "phalanx/base/export.h"
#include "phalanx/base/launch_memory.h"
#include "phalanx/base/target.h"

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
  // `name` is the kernel's as the user wrote it: errors carry it.
  Executable(DeviceKind kind, Binary binary, std::string name)
      : kind_(kind), binary_(std::move(binary)), name_(std::move(name)) {}
  virtual ~Executable() = default;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  DeviceKind kind() const { return kind_; }
  const Binary& binary() const { return binary_; }  // the code itself may have been dropped
  const LaunchMemory& launch_memory() const { return binary_.launch_memory; }
  const std::string& name() const { return name_; }

  virtual KernelAttributes attributes() = 0;

  // The driver's handle of the module that was loaded on a GPU, and the address and size of one of
  // its global variables. 0 and nothing on the CPU device.
  virtual std::uintptr_t module() const { return 0; }
  virtual std::optional<std::pair<std::uintptr_t, std::size_t>> global(
      const std::string& /*name*/) {
    return std::nullopt;
  }

  // Lives as long as the loaded code does, and goes before it.
  void attach(std::shared_ptr<void> companion) { companion_ = std::move(companion); }

 protected:
  void detach() { companion_.reset(); }

 private:
  DeviceKind kind_;
  Binary binary_;
  std::string name_;
  std::shared_ptr<void> companion_;
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
