// Where NVIDIA's libraries are looked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "phalanx/runtime/library_table.h"

namespace phalanx::libs {

struct NvidiaLibrary {
  std::string title;                       // "cuFFT"
  std::string stem;                        // "libcufft"
  const char* variable = nullptr;          // PHALANX_CUFFT
  std::vector<std::string_view> versions;  // in file names, the newest first
  std::string remedy;
};

// In this order: what the variable names, and nothing else then; what the process has loaded;
// beside the Python packages that are loaded; in toolkits; the loader's path.
runtime::LibraryChoice choice_of(const NvidiaLibrary& library);

}  // namespace phalanx::libs
