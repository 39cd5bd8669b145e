#include "phalanx/jit/symbols.h"

#include <dlfcn.h>

#include <array>

#include "phalanx/runtime/libdevice_functions.h"
#include "phalanx/runtime/library_table.h"
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

const SharedLibrary& Symbols::sleef() {
  if (sleef_.is_open())
    return sleef_;
  runtime::LibraryChoice choice = {
      "vector math library SLEEF",
      {bundled(sleef_name), sleef_name},
      "install the phalanx wheel, which has it, or on Debian: apt install libsleef3"};
  if (!sleef_file_.empty())
    choice.files.insert(choice.files.begin(), sleef_file_);
  sleef_ = runtime::open_library(choice);
  sleef_.keep();
  return sleef_;
}

void* Symbols::find(const std::string& name) {
  if (name.starts_with("Sleef_"))
    return sleef().find(name.c_str());
  if (void* found = runtime::find_routine(name))
    return found;
  if (void* found = runtime::find_libdevice_function(name))
    return found;
  if (void* found = ::dlsym(RTLD_DEFAULT, name.c_str()))
    return found;
  for (const char* library : system_libraries) {
    SharedLibrary opened(library);
    opened.keep();
    if (void* found = opened.find(name.c_str()))
      return found;
  }
  return nullptr;
}

}  // namespace phalanx::jit
