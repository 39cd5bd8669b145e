#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>

#include "phalanx/base/dlopen.h"
#include "phalanx/base/errors.h"
#include "phalanx/base/library_call.h"
#include "phalanx/runtime/cuda/driver_types.h"
#include "phalanx/runtime/cuda_source.h"

namespace phalanx::runtime {

namespace {

using cuda::Result;
using ProgramHandle = struct ProgramTag*;

struct Nvrtc {
#define NVRTC(name, symbol, type, parameters) type(*name) parameters = nullptr;
#include "phalanx/runtime/cuda/nvrtc_table.def"
#undef NVRTC
};

struct Entry {
  const char* symbol;
  std::size_t offset;  // of the pointer in Nvrtc
};
constexpr Entry entries[] = {
#define NVRTC(name, symbol, type, parameters) {#symbol, offsetof(Nvrtc, name)},
#include "phalanx/runtime/cuda/nvrtc_table.def"
#undef NVRTC
};
static_assert(sizeof(Nvrtc) == std::size(entries) * sizeof(void*));

Nvrtc load(const std::string& path) {
  SharedLibrary library(path);
  if (!library.is_open())
    throw DeviceError("NVRTC cannot be loaded: " + library.problem());
  Nvrtc table;
  for (const Entry& entry : entries) {
    void* function = library.find(entry.symbol);
    if (function == nullptr)
      throw DeviceError(path + " is no NVRTC that we know: it lacks " + entry.symbol);
    std::memcpy(reinterpret_cast<std::byte*>(&table) + entry.offset, &function, sizeof(function));
  }
  library.keep();
  return table;
}

class Program {
 public:
  Program(const Nvrtc& nvrtc, const CudaSource& source) : nvrtc_(nvrtc) {
    check(nvrtc_.create(&handle_, source.text.c_str(), source.name.c_str(), 0, nullptr, nullptr));
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { nvrtc_.destroy(&handle_); }

  void compile(const CudaSource& source) {
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
  const Nvrtc nvrtc = load(library);
  Program program(nvrtc, source);
  program.compile(source);
  return {program.ptx(), program.log()};
}

}  // namespace phalanx::runtime
