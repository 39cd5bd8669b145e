#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "phalanx/codegen/libdevice.h"

namespace phalanx::codegen {

std::string libdevice_path() {
  if (const char* named = std::getenv("PHALANX_LIBDEVICE"); named != nullptr && *named != '\0')
    return named;
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&libdevice_path), &self) == 0 ||
      self.dli_fname == nullptr)
    return {};
  const std::filesystem::path bundled =
      std::filesystem::path(self.dli_fname).parent_path() / "_libs" / "libdevice.10.bc";
  std::error_code error;
  return std::filesystem::exists(bundled, error) ? bundled.string() : std::string();
}

}  // namespace phalanx::codegen
