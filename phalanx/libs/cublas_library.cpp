#include "phalanx/libs/cublas_library.h"

#include <filesystem>
#include <string>
#include <string_view>

#include "phalanx/base/dlopen.h"
#include "phalanx/libs/nvidia_library.h"

namespace phalanx::libs {
namespace {

namespace fs = std::filesystem;

constexpr runtime::LibraryEntry entries[] = {
#define CUBLAS(name, symbol, type, parameters) {#name, #symbol},
#include "phalanx/libs/cublas_table.def"
#undef CUBLAS
};

// cuBLAS needs a library that is beside it, where the loader may not look.
void open_beside(const std::string& file) {
  const fs::path path(file);
  if (!path.has_parent_path())
    return;
  std::string name = path.filename().string();
  const std::string_view stem = "libcublas";
  if (!name.starts_with(stem))
    return;
  name.insert(stem.size(), "Lt");
  SharedLibrary library((path.parent_path() / name).string());
  if (library.is_open())
    library.keep();
}

}  // namespace

// Functions with sizes of 64 bits are there since version 12.
runtime::LibraryChoice cublas_choice() {
  return choice_of(
      {"cuBLAS",
       "libcublas",
       "PHALANX_CUBLAS",
       {"13", "12"},
       "pip install nvidia-cublas (CUDA 13) or nvidia-cublas-cu12, or install the CUDA toolkit and "
       "set CUDA_HOME"});
}

const CublasFunctions& cublas_library() {
  static const runtime::LibraryTable<CublasFunctions> table = [] {
    const runtime::LibraryChoice choice = cublas_choice();
    open_beside(choice.files.front());
    runtime::LibraryTable<CublasFunctions> opened(choice, entries);
    opened.library().require_all();
    return opened;
  }();
  return table.functions();
}

}  // namespace phalanx::libs
