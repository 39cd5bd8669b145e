// CUDA C source to PTX, by NVIDIA's NVRTC where it is installed.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace phalanx::runtime {

struct CudaSource {
  std::string name;  // as messages show it
  std::string text;
  std::vector<std::string> options;           // NVRTC's, such as "--gpu-architecture=compute_90"
  std::vector<std::string> expressions = {};  // names, such as "scale<float>"
  // Names and texts, which are included where no folder has a file of the name.
  std::vector<std::pair<std::string, std::string>> headers = {};
};

struct CompiledSource {
  std::string ptx;
  std::string log;                   // warnings
  std::vector<std::string> symbols;  // those of the expressions
};

// `library`: the path of libnvrtc. It is opened once. Throws LibraryError when it cannot be,
// CompileError with the log when the source is wrong.
CompiledSource compile_cuda_source(const std::string& library, const CudaSource& source);

}  // namespace phalanx::runtime
