#include "phalanx/runtime/lapack_library.h"

#include <link.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace phalanx::runtime {

namespace {

// How libraries name dgesv: scipy_dgesv_64_ in NumPy's wheels, scipy_dgesv_ in SciPy's.
struct Spelling {
  const char* prefix;
  const char* suffix;
  bool is_wide;
};

constexpr std::array spellings = {
    Spelling{"scipy_", "_64_", true},
    Spelling{"scipy_", "_", false},
    Spelling{"", "_64_", true},
    Spelling{"", "64_", true},
    Spelling{"", "_", false},
};

constexpr std::array<std::string_view, 4> known_names = {
    "openblas", "lapack", "mkl_rt", "flexiblas"};

std::vector<std::string> loaded_files() {
  std::vector<std::string> files;
  const auto note = [](dl_phdr_info* info, std::size_t, void* list) {
    static_cast<std::vector<std::string>*>(list)->emplace_back(info->dlpi_name);
    return 0;
  };
  ::dl_iterate_phdr(note, &files);
  return files;
}

bool is_lapack(std::string_view file) {
  file.remove_prefix(file.rfind('/') + 1);
  for (const std::string_view name : known_names) {
    if (file.find(name) != std::string_view::npos)
      return true;
  }
  return false;
}

// Where PyPI's package has it, beside NumPy.
std::string beside_numpy(const std::string& file) {
  const std::size_t found = file.rfind("/numpy/");
  if (found == std::string::npos)
    return {};
  return file.substr(0, found) + "/scipy_openblas32/lib/libscipy_openblas.so";
}

}  // namespace

LapackLibrary::LapackLibrary() {
  const char* chosen = std::getenv("PHALANX_LAPACK");
  if (chosen != nullptr && open(chosen))
    return;
  const std::vector<std::string> files = loaded_files();
  for (const std::string& file : files) {
    if (is_lapack(file) && open(file, SharedLibrary::Mode::loaded))
      return;
  }
  for (const std::string& file : files) {
    const std::string other = beside_numpy(file);
    if (!other.empty() && open(other))
      return;
  }
  for (const char* name : {"libopenblas.so.0", "liblapack.so.3"}) {
    if (open(name))
      return;
  }
}

bool LapackLibrary::open(const std::string& file, SharedLibrary::Mode mode) {
  library_ = SharedLibrary(file, mode);
  for (const Spelling& spelling : spellings) {
    prefix_ = spelling.prefix;
    suffix_ = spelling.suffix;
    is_wide_ = spelling.is_wide;
    if (find("dgesdd") != nullptr) {  // of LAPACK, not of BLAS
      library_.keep();                // compiled code calls it
      return true;
    }
  }
  library_ = {};
  return false;
}

void* LapackLibrary::find(const std::string& routine) const {
  return library_.find((prefix_ + routine + suffix_).c_str());
}

const LapackLibrary& lapack_library() {
  static const LapackLibrary library;
  return library;
}

}  // namespace phalanx::runtime
