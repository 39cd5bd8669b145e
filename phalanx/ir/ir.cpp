#include "phalanx/ir/ir.h"

#include <algorithm>

#include "phalanx/base/errors.h"
#include "phalanx/ir/typing.h"

namespace phalanx::ir {

Function* Module::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(functions, [&](const auto& function) { return function->name == name; });
  return found == functions.end() ? nullptr : found->get();
}

std::size_t size_of(const Global& global) {
  std::size_t bytes = element_stride(global.element);
  for (const std::int64_t extent : global.shape) bytes *= static_cast<std::size_t>(extent);
  return bytes;
}

std::vector<Function*> Module::kernels() const {
  std::vector<Function*> found;
  for (const auto& function : functions) {
    if (function->kind == FunctionKind::kernel)
      found.push_back(function.get());
  }
  return found;
}

Function& Module::kernel() const {
  const auto is_kernel = [](const auto& function) {
    return function->kind == FunctionKind::kernel || function->kind == FunctionKind::exported;
  };
  PHX_ASSERT(std::ranges::count_if(functions, is_kernel) == 1);
  return **std::ranges::find_if(functions, is_kernel);
}

bool ends_flow(const Operation& operation) {
  switch (operation.op) {
    case Op::break_:
    case Op::continue_:
    case Op::return_:
    case Op::raise:
      return true;
    case Op::if_:
      return ends_flow(operation.regions.at(0)) && ends_flow(operation.regions.at(1));
    default:
      return false;
  }
}

bool ends_flow(const Region& region) { return !region.empty() && ends_flow(*region.back()); }

}  // namespace phalanx::ir
