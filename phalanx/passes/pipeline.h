// The passes over the IR, in order.
#pragma once

#include <span>
#include <string_view>

#include "phalanx/base/fault.h"
#include "phalanx/ir/ir.h"

namespace phalanx::passes {

struct Pass {
  std::string_view name;
  void (*run)(ir::Module& module, Checks checks);
  bool (*when)(const ir::Module& module, Checks checks);
};

// Every row of passes.def. A pass that runs several times is there several times.
std::span<const Pass> pipeline();
// The first row of that name; nullptr if there is none.
const Pass* find_pass(std::string_view name);

// Runs the pass, its `when` aside, and verifies the module where asserts are compiled in.
void run(const Pass& pass, ir::Module& module, Checks checks = {});
// What every kernel goes through before code generation: each row whose `when` holds.
void run_standard(ir::Module& module, Checks checks = {});

}  // namespace phalanx::passes
