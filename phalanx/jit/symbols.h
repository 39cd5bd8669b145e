// Addresses of what generated code calls: vector math, libm, memset and the like.
#pragma once

#include <string>
#include <utility>

#include "phalanx/base/dlopen.h"

namespace phalanx::jit {

// Finds functions in the process (libm, libc) and, opened at the first need, in SLEEF.
class Symbols {
 public:
  // `sleef_file` empty: beside the module in _libs/, else where the system's loader finds it.
  explicit Symbols(std::string sleef_file = {}) : sleef_file_(std::move(sleef_file)) {}

  // Null when there is no such function. Thread-safe only under the loader's lock.
  void* find(const std::string& name);

 private:
  const SharedLibrary& sleef();

  std::string sleef_file_;
  SharedLibrary sleef_;  // stays open: code that calls it may outlive everything here
};

}  // namespace phalanx::jit
