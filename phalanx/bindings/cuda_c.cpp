// compile_cuda_c: CUDA C to IR; KernelModule: the kernels of a module, and its globals.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "phalanx/base/build_id.h"
#include "phalanx/base/routines.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/kernel.h"
#include "phalanx/bindings/kernel_options.h"
#include "phalanx/bindings/keywords.h"
#include "phalanx/bindings/other_compilers.h"
#include "phalanx/frontend/cuda_c.h"
#include "phalanx/ir/clone.h"
#include "phalanx/ir/declarations.h"
#include "phalanx/ir/link.h"
#include "phalanx/jit/engine.h"
#include "phalanx/jit/hash.h"
#include "phalanx/jit/module.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

// One for each library, for the life of the process.
const frontend::CudaCCompiler& compiler_of(const std::string& library) {
  static std::mutex mutex;
  static std::map<std::string, frontend::CudaCCompiler> compilers;
  const std::scoped_lock lock(mutex);
  return compilers.try_emplace(library, library).first->second;
}

// Headers of folders decide too what a source becomes, so that such is compiled each time.
bool can_be_kept(const frontend::CudaCSource& source) { return source.folders.empty(); }

jit::Digest key_of(const frontend::CudaCSource& source) {
  jit::Hasher hasher;
  hasher.add(build_id()).add("CUDA C").add(source.name).add(source.text);
  for (const auto* texts : {&source.macros, &source.kernels}) {
    hasher.add(texts->size());
    for (const std::string& text : *texts) hasher.add(text);
  }
  hasher.add(source.standard)
      .add(source.architecture)
      .add(source.keeps_assertions ? 1U : 0U)
      .add(source.is_linked ? 1U : 0U);
  return hasher.digest();
}

// The IR's text and the messages, with a byte between them that neither has.
frontend::CudaCResult read(const std::vector<std::byte>& kept) {
  const std::string_view text(reinterpret_cast<const char*>(kept.data()), kept.size());
  const std::size_t end = text.find('\0');
  return {
      .has_module = true,
      .ir = std::string(text.substr(0, end)),
      .log = std::string(text.substr(end + 1))};
}

std::vector<std::byte> written(const frontend::CudaCResult& result) {
  const std::string text = result.ir + '\0' + result.log;
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// From the disk cache, else by the library, which is not even loaded before.
frontend::CudaCResult compiled(const std::string& library, const frontend::CudaCSource& source) {
  const bool is_kept = can_be_kept(source);
  const jit::Digest key = key_of(source);
  if (is_kept) {
    if (const auto found = engine().cache().find(key))
      return read(found->code);
  }
  frontend::CudaCResult result = compiler_of(library).compile(source);
  if (is_kept && result.has_module)
    engine().cache().store(key, {.code = written(result)});
  return result;
}

nb::tuple compile_cuda_c(
    const std::string& library, const std::string& name, const nb::bytes& text, nb::kwargs given) {
  Keywords keywords("compile_cuda_c", given);
  frontend::CudaCSource source = {.name = name, .text = std::string(text.c_str(), text.size())};
  keywords.take("folders", source.folders);
  keywords.take("macros", source.macros);
  keywords.take("kernels", source.kernels);
  keywords.take("standard", source.standard);
  keywords.take("architecture", source.architecture);
  keywords.take("assertions", source.keeps_assertions);
  keywords.take("linked", source.is_linked);
  keywords.refuse_others();
  frontend::CudaCResult made;
  std::shared_ptr<ir::Module> module;
  {
    const GilReleased no_gil;
    made = compiled(library, source);
    if (made.has_module)
      module = frontend::module_of(source, made);
  }
  return nb::make_tuple(module, made.log);
}

using ExternalRow = std::tuple<std::string, std::vector<ir::Type>, ir::Type, std::string>;

std::vector<ExternalRow> external_functions(const ir::Module& module) {
  std::vector<ExternalRow> rows;
  for (const auto& function : module.functions) {
    if (function->kind != ir::FunctionKind::external || function->name.starts_with(routine_prefix))
      continue;
    std::vector<ir::Type> types;
    for (const auto& parameter : function->parameters) types.push_back(parameter->type);
    rows.emplace_back(
        function->name,
        std::move(types),
        function->result,
        ir::declaration_of(*function, function->name));
  }
  return rows;
}

std::shared_ptr<jit::Module> make_kernel_module(
    std::shared_ptr<ir::Module> module, const nb::bytes& key, nb::kwargs given) {
  Keywords keywords("KernelModule", given);
  const auto bytes = std::as_bytes(std::span(key.c_str(), key.size()));
  jit::ModuleDescription description = {
      .key = {bytes.begin(), bytes.end()}, .options = take_options(keywords)};
  keywords.take("cache", description.use_cache);
  std::optional<NvrtcSource> nvrtc;
  std::optional<MachineCode> machine_code;
  keywords.take("nvrtc", nvrtc);
  keywords.take("machine_code", machine_code);
  keywords.refuse_others();
  if (machine_code) {
    description.gpu_code = [image = code_of_machine_code(*machine_code, *module)](
                               const ir::Module&, const Target&) { return image; };
    description.refusal = std::get<2>(*machine_code);
  }
  if (nvrtc)
    description.gpu_code = [source = *std::move(nvrtc)](
                               const ir::Module& kernels, const Target& target) {
      return code_of_nvrtc(source, kernels, target);
    };
  return std::make_shared<jit::Module>(engine(), description, std::move(module));
}

}  // namespace

void bind_cuda_c(nb::module_& module) {
  module.def(
      "compile_cuda_c",
      &compile_cuda_c,
      "library"_a,
      "name"_a,
      "text"_a,
      "options"_a,
      "The IR of CUDA C source, None where it has errors, and the compiler's messages. folders, "
      "macros, kernels (name expressions), standard, architecture, assertions, linked: see "
      "cuda_c.h.");
  module.def(
      "link_modules",
      [](const ir::Module& first, const std::vector<std::shared_ptr<ir::Module>>& others) {
        auto made = std::make_shared<ir::Module>(ir::clone(first));
        ir::link(*made, {others.begin(), others.end()});
        return made;
      },
      "module"_a,
      "others"_a,
      "A module in which the functions that others export have taken the place of declarations.");
  module.def(
      "external_functions",
      &external_functions,
      "module"_a,
      "Rows of name, parameters, result and declaration: functions that others are to have.");
  nb::class_<jit::Module>(module, "KernelModule", "The kernels of a module, and its globals.")
      .def(nb::new_(&make_kernel_module), "module"_a, "key"_a, "options"_a)
      .def_prop_ro("kernel_names", &jit::Module::kernel_names)
      .def(
          "kernel",
          [](const jit::Module& self, const std::string& name) {
            return KernelHandle{self.kernel(name), std::make_shared<Producer>()};
          },
          "name"_a)
      .def(
          "global_memory",
          [](jit::Module& self, runtime::Device& device, const std::string& name) {
            const runtime::GlobalMemory found = self.global(device, name);
            return std::pair(found.address, found.bytes);
          },
          "device"_a,
          "name"_a,
          "Address and bytes of a variable of the module.");
}

}  // namespace phalanx::bindings
