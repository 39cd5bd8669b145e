#include "phalanx/jit/symbols.h"

#include <dlfcn.h>

#include <array>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/libdevice_functions.h"
#include "phalanx/runtime/routines.h"

namespace phalanx::jit {

namespace {

constexpr const char* sleef_name = "libsleef.so.3";
// Conversions of float16 live in libgcc; a statically linked Python may not bring libm along.
constexpr std::array system_libraries = {"libm.so.6", "libgcc_s.so.1"};

// The wheel bundles its libraries in _libs/ beside the module this code is part of.
std::string bundled(const char* library) {
  Dl_info here{};
  if (::dladdr(reinterpret_cast<const void*>(&bundled), &here) == 0 || here.dli_fname == nullptr)
    return {};
  const std::string file = here.dli_fname;
  const std::size_t slash = file.rfind('/');
  return (slash == std::string::npos ? "." : file.substr(0, slash)) + "/_libs/" + library;
}

}  // namespace

void* Symbols::sleef() {
  if (sleef_ == nullptr && !sleef_file_.empty())
    sleef_ = ::dlopen(sleef_file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (sleef_ == nullptr)
    sleef_ = ::dlopen(bundled(sleef_name).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (sleef_ == nullptr)
    sleef_ = ::dlopen(sleef_name, RTLD_NOW | RTLD_LOCAL);
  if (sleef_ == nullptr)
    throw DeviceError(
        std::string("the vector math library ") + sleef_name +
        " cannot be opened (Debian: apt install libsleef3): " + ::dlerror());
  return sleef_;
}

void* Symbols::find(const std::string& name) {
  if (name.starts_with("Sleef_"))
    return ::dlsym(sleef(), name.c_str());
  if (void* found = runtime::find_routine(name))
    return found;
  if (void* found = runtime::find_libdevice_function(name))
    return found;
  if (void* found = ::dlsym(RTLD_DEFAULT, name.c_str()))
    return found;
  for (const char* library : system_libraries) {
    void* opened = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (void* found = opened == nullptr ? nullptr : ::dlsym(opened, name.c_str()))
      return found;
  }
  return nullptr;
}

}  // namespace phalanx::jit
