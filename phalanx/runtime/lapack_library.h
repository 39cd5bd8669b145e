// The LAPACK of the process.
#pragma once

#include <cstddef>
#include <string>

#include "phalanx/base/dlopen.h"

namespace phalanx::runtime {

// NumPy's or SciPy's, where it is a library of its own; the one that PHALANX_LAPACK names goes
// first; else PyPI's scipy-openblas32 or the system's.
class LapackLibrary {
 public:
  LapackLibrary();

  bool is_there() const { return library_.is_open(); }
  bool has_wide_integers() const { return is_wide_; }  // of 64 bits; else of 32
  // "dgesv"; null where the library lacks it.
  void* find(const std::string& routine) const;

 private:
  bool open(const std::string& file, SharedLibrary::Mode mode = SharedLibrary::Mode::lazy);

  SharedLibrary library_;
  const char* prefix_ = "";
  const char* suffix_ = "";
  bool is_wide_ = false;
};

// Looked for at the first call.
const LapackLibrary& lapack_library();

}  // namespace phalanx::runtime
