// An image in a device's memory: its kernels and the globals that they share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "phalanx/base/binary.h"
#include "phalanx/base/export.h"
#include "phalanx/base/target.h"
#include "phalanx/runtime/buffer.h"

namespace phalanx::runtime {

class Executable;

// A global variable of a loaded module.
struct GlobalMemory {
  Address address = 0;
  std::size_t bytes = 0;
};

class PHX_API Module : public std::enable_shared_from_this<Module> {
 public:
  Module(DeviceKind kind, Binary binary) : kind_(kind), binary_(std::move(binary)) {}
  virtual ~Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  DeviceKind kind() const { return kind_; }
  const Binary& binary() const { return binary_; }

  // The kernel of an entry, which keeps the module. `name` is the kernel's as the user wrote it:
  // errors carry it.
  virtual std::shared_ptr<Executable> kernel(std::size_t entry, std::string name) = 0;

  // The driver's handle of a module on a GPU, and one of its globals: 0, and nothing where it has
  // none of that name and on the CPU device, whose modules have their globals elsewhere
  // (LoadOptions::load_object finds them).
  virtual std::uintptr_t handle() const { return 0; }
  virtual std::optional<GlobalMemory> global(const std::string& /*name*/) { return std::nullopt; }

  // Lives as long as the loaded code does, and goes before it.
  void attach(std::shared_ptr<void> companion) { companion_ = std::move(companion); }

 protected:
  void detach() { companion_.reset(); }

 private:
  DeviceKind kind_;
  Binary binary_;
  std::shared_ptr<void> companion_;
};

}  // namespace phalanx::runtime
