#include <filesystem>
#include <string_view>
#include <utility>

#include "phalanx/base/build_id.h"
#include "phalanx/base/cuda_c_interface.h"
#include "phalanx/base/errors.h"
#include "phalanx/frontend/cuda_c.h"
#include "phalanx/frontend/cuda_c/source_lines.h"
#include "phalanx/ir/parser.h"

namespace phalanx::frontend {

namespace {

// Strings as the library takes them; they live as long as this does.
class Texts {
 public:
  explicit Texts(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) items_.push_back(text.c_str());
  }
  PhxTexts get() const { return {items_.data(), items_.size()}; }

 private:
  std::vector<const char*> items_;
};

template <typename Function>
Function function_of(const SharedLibrary& library, const char* name) {
  return reinterpret_cast<Function>(library.find(name));
}

}  // namespace

std::string CudaCCompiler::library_beside_engine() {
  static const char here = 0;
  const std::filesystem::path engine = SharedLibrary().path_of(&here);
  return engine.parent_path() / "libphalanx_cudac.so";
}

CudaCCompiler::CudaCCompiler(const std::string& library) : library_(library) {
  if (!library_.is_open())
    throw DeviceError(
        "CUDA C needs the library phalanx_cudac, which cannot be loaded: " + library_.problem());
  library_.keep();
  const auto build = function_of<PhxCudaCBuild>(library_, cuda_c_build_symbol);
  if (build == nullptr || build_id() != build())
    throw DeviceError(
        library + " is of another version of phalanx; install both packages anew, of one version");
}

CudaCResult CudaCCompiler::compile(const CudaCSource& source) const {
  const Texts folders(source.folders);
  const Texts macros(source.macros);
  const Texts kernels(source.kernels);
  const PhxCudaCSource given = {
      .name = source.name.c_str(),
      .text = source.text.c_str(),
      .text_bytes = source.text.size(),
      .folders = folders.get(),
      .macros = macros.get(),
      .kernels = kernels.get(),
      .standard = source.standard,
      .architecture = source.architecture,
      .keeps_assertions = source.keeps_assertions,
      .is_linked = source.is_linked};
  PhxCudaCResult made = function_of<PhxCudaCCompile>(library_, cuda_c_compile_symbol)(&given);
  CudaCResult result = {
      .has_module = made.ir != nullptr, .ir = made.ir == nullptr ? "" : made.ir, .log = made.log};
  function_of<PhxCudaCRelease>(library_, cuda_c_release_symbol)(&made);
  return result;
}

std::shared_ptr<ir::Module> module_of(const CudaCSource& source, const CudaCResult& result) {
  std::shared_ptr<ir::Module> module = ir::parse(result.ir);
  place_lines(*module, source);
  return module;
}

}  // namespace phalanx::frontend
