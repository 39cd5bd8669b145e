// CUDA C source to IR: the front end's entry.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phalanx/ir/ir.h"

namespace phalanx::cudac {

struct Source {
  std::string name;  // as messages show it, such as kernel.cu
  std::string text;
  std::vector<std::string> folders;  // where #include looks, and nothing outside of them is read
  std::vector<std::string> macros;   // NAME or NAME=VALUE
  std::vector<std::string> kernels;  // name expressions, such as scale<float>
  unsigned standard = 17;            // of C++
  unsigned architecture = 90;        // __CUDA_ARCH__ is 10 times that
  bool keeps_assertions = true;      // else NDEBUG is defined
  // Exports the functions that other sources see, and leaves those without a body to others.
  bool is_linked = false;
};

struct Compiled {
  // Kernels are called as their name expression, else as their plain name where they are extern
  // "C", else by the mangled name. Null where the source has errors.
  std::unique_ptr<ir::Module> module;
  std::string log;  // errors and warnings with their lines, as a compiler prints them
};

// A struct that a kernel takes by value is a tuple of its members.
Compiled compile(const Source& source);

}  // namespace phalanx::cudac
