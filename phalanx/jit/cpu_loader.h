// Puts x86 objects into executable memory and finds their kernels.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "phalanx/base/export.h"
#include "phalanx/jit/symbols.h"
#include "phalanx/runtime/executable.h"

namespace phalanx::jit {

using LoadedKernel = runtime::LoadedObject;

class PHX_API CpuLoader {
 public:
  // The address of a symbol that an object does not define itself; null: there is none. Called by
  // one thread at a time. load() throws what it throws.
  using Find = std::function<void*(const std::string& name)>;

  explicit CpuLoader(Symbols symbols = Symbols());
  explicit CpuLoader(Find find);
  ~CpuLoader();
  CpuLoader(const CpuLoader&) = delete;
  CpuLoader& operator=(const CpuLoader&) = delete;

  using Object = std::span<const std::byte>;

  // `global`: where the module's global of a name is, which the object calls by its name after
  // codegen::global_prefix. `name`: what profilers and debuggers call the code; the symbol where
  // none is given. Throws DeviceError that says which symbol is missing or what is wrong
  // with the object. Thread-safe.
  LoadedKernel load(
      Object object,
      const std::string& entry,
      const Find& global = nullptr,
      const std::string& name = {});

 private:
  struct Session;
  // Also held by what was loaded: code may outlive the loader.
  std::shared_ptr<Session> session_;
};

}  // namespace phalanx::jit
