#include "phalanx/jit/from_cpp.h"

#include <algorithm>
#include <span>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/ir/printer.h"
#include "phalanx/ir/verifier.h"

namespace phalanx::jit {

namespace {

std::vector<std::byte> key_of(const ir::Module& module) {
  const std::string text = ir::print(module);
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::shared_ptr<Kernel> make_kernel(
    Engine& engine, std::shared_ptr<ir::Module> module, const codegen::Options& options) {
  const auto is_kernel = [](const auto& function) {
    return function->kind == ir::FunctionKind::kernel;
  };
  const auto count = std::ranges::count_if(module->functions, is_kernel);
  if (count != 1)
    throw ValueError(
        "a module to make a kernel of has one kernel, this one has " + std::to_string(count));
  if (!module->globals.empty())
    throw ValueError("a module with globals is for make_module, which says where they are");
  ir::verify(*module);
  const ir::Function& function = **std::ranges::find_if(module->functions, is_kernel);
  KernelDescription description{.name = function.name, .options = options};
  for (const auto& parameter : function.parameters) description.types.push_back(parameter->type);
  description.key = key_of(*module);
  return std::make_shared<Kernel>(
      engine, std::move(description), [module = std::move(module)] { return module; });
}

std::shared_ptr<Module> make_module(
    Engine& engine,
    const std::shared_ptr<const ir::Module>& module,
    const codegen::Options& options) {
  return std::make_shared<Module>(
      engine, ModuleDescription{.key = key_of(*module), .options = options}, module);
}

}  // namespace phalanx::jit
