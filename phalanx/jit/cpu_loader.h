// Puts x86 objects into executable memory and finds their kernels.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/jit/symbols.h"

namespace phalanx::jit {

struct LoadedKernel {
  CpuKernel entry = nullptr;
  std::shared_ptr<void> code;  // the machine code lives as long as this
};

class CpuLoader {
 public:
  explicit CpuLoader(Symbols symbols = Symbols());
  ~CpuLoader();
  CpuLoader(const CpuLoader&) = delete;
  CpuLoader& operator=(const CpuLoader&) = delete;

  // Throws DeviceError that says which symbol is missing or what is wrong with the object.
  // Thread-safe.
  LoadedKernel load(std::span<const std::byte> object, const std::string& entry);

 private:
  struct Session;
  // Also held by what was loaded: code may outlive the loader.
  std::shared_ptr<Session> session_;
};

}  // namespace phalanx::jit
