#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/base/library_call.h"
#include "phalanx/runtime/cuda/driver_types.h"
#include "phalanx/runtime/cuda_source.h"
#include "phalanx/runtime/library_table.h"

namespace phalanx::runtime {

namespace {

using cuda::Result;
using ProgramHandle = struct ProgramTag*;

struct Nvrtc {
#define NVRTC(name, symbol, type, parameters) type(*name) parameters = nullptr;
#include "phalanx/runtime/cuda/nvrtc_table.def"
#undef NVRTC
};

constexpr LibraryEntry entries[] = {
#define NVRTC(name, symbol, type, parameters) {#name, #symbol},
#include "phalanx/runtime/cuda/nvrtc_table.def"
#undef NVRTC
};

// Libraries belong to the process, and so do their tables: each is opened once.
const Nvrtc& nvrtc_of(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, LibraryTable<Nvrtc>> opened;
  const std::lock_guard lock(mutex);
  const auto known = opened.find(path);
  if (known != opened.end())
    return known->second.functions();
  const LibraryChoice choice = {
      "NVRTC",
      {path},
      "pip install nvidia-cuda-nvrtc, or install the CUDA toolkit and set CUDA_HOME"};
  const LibraryTable<Nvrtc> table(choice, entries);
  table.library().require_all();
  return opened.emplace(path, table).first->second.functions();
}

class Program {
 public:
  Program(const Nvrtc& nvrtc, const CudaSource& source) : nvrtc_(nvrtc) {
    std::vector<const char*> names;
    std::vector<const char*> texts;
    for (const auto& [name, text] : source.headers) {
      names.push_back(name.c_str());
      texts.push_back(text.c_str());
    }
    const int count = static_cast<int>(names.size());
    check(nvrtc_.create(
        &handle_, source.text.c_str(), source.name.c_str(), count, texts.data(), names.data()));
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { nvrtc_.destroy(&handle_); }

  void compile(const CudaSource& source) {
    for (const std::string& each : source.expressions)
      check(nvrtc_.add_expression(handle_, each.c_str()));
    std::vector<const char*> options;
    for (const std::string& option : source.options) options.push_back(option.c_str());
    const Result outcome =
        nvrtc_.compile(handle_, static_cast<int>(options.size()), options.data());
    if (outcome == cuda::result::success)
      return;
    throw CompileError(
        CompileError::Kind::lowering,
        "the CUDA C source " + source.name + " does not compile (" + nvrtc_.error_text(outcome) +
            "):\n" + log());
  }

  std::string ptx() { return text(nvrtc_.ptx_size, nvrtc_.ptx); }
  std::string log() { return text(nvrtc_.log_size, nvrtc_.log); }
  std::string symbol(const std::string& expression) {
    const char* found = nullptr;
    check(nvrtc_.lowered_name(handle_, expression.c_str(), &found));
    return found;
  }

 private:
  // Both are sizes with the NUL at the end.
  std::string text(decltype(Nvrtc::ptx_size) size_of, decltype(Nvrtc::ptx) copy) {
    std::size_t bytes = 0;
    check(size_of(handle_, &bytes));
    std::string result(bytes, '\0');
    check(copy(handle_, result.data()));
    result.resize(std::strlen(result.c_str()));
    return result;
  }
  void check(Result outcome) const {
    if (outcome != cuda::result::success)
      throw DeviceError(std::string("NVRTC failed: ") + nvrtc_.error_text(outcome), outcome);
  }

  const Nvrtc& nvrtc_;
  ProgramHandle handle_ = nullptr;
};

}  // namespace

CompiledSource compile_cuda_source(const std::string& library, const CudaSource& source) {
  const LibraryCall call;
  Program program(nvrtc_of(library), source);
  program.compile(source);
  CompiledSource made = {program.ptx(), program.log(), {}};
  for (const std::string& each : source.expressions) made.symbols.push_back(program.symbol(each));
  return made;
}

}  // namespace phalanx::runtime
