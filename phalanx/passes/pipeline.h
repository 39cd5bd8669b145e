// The passes over the IR, in order, with the verifier between them.
#pragma once

#include <span>
#include <string_view>

#include "phalanx/base/fault.h"
#include "phalanx/ir/ir.h"

namespace phalanx::passes {

struct Pass {
  std::string_view name;
  void (*run)(ir::Module& module);
};

// What every kernel goes through before code generation.
std::span<const Pass> standard();

void run(std::span<const Pass> passes, ir::Module& module);
void run_standard(ir::Module& module, Checks checks = {});

}  // namespace phalanx::passes
