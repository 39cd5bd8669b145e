// CUDA C to IR, by a library of its own that holds clang: phalanx_cudac.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "phalanx/base/dlopen.h"
#include "phalanx/base/export.h"
#include "phalanx/ir/ir.h"

namespace phalanx::frontend {

struct CudaCSource {
  std::string name;  // as messages show it, such as kernel.cu
  std::string text;
  std::vector<std::string> folders;  // where #include looks, and nothing outside of them is read
  std::vector<std::string> macros;   // NAME or NAME=VALUE
  std::vector<std::string> kernels;  // name expressions, such as scale<float>
  unsigned standard = 17;            // of C++
  unsigned architecture = 90;        // that __CUDA_ARCH__ tells of
  bool keeps_assertions = true;
  // With other modules (ir/link.h): functions that other sources see are exported, and those
  // without a body are external.
  bool is_linked = false;
};

// What the library makes of a source.
struct CudaCResult {
  bool has_module = false;  // not where the source has errors
  std::string ir;           // the module's text
  std::string log;          // the compiler's messages
};

// The module of a source that has one, for jit::make_module.
PHX_API std::shared_ptr<ir::Module> module_of(const CudaCSource& source, const CudaCResult& result);

class PHX_API CudaCCompiler {
 public:
  // Loads the library, for the life of the process. Throws DeviceError where it is not there, or
  // is of another build than the engine.
  explicit CudaCCompiler(const std::string& library = library_beside_engine());

  // libphalanx_cudac.so in the folder of the library that this code is in.
  static std::string library_beside_engine();

  CudaCResult compile(const CudaCSource& source) const;

 private:
  SharedLibrary library_;
};

}  // namespace phalanx::frontend
