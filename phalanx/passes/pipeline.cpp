#include "phalanx/passes/pipeline.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "phalanx/ir/abi.h"
#include "phalanx/ir/verifier.h"
#include "phalanx/ir/warp_operations.h"
#include "phalanx/passes/passes.h"

namespace phalanx::passes {

namespace {

// When a pass runs: asked right before it would.
bool always(const ir::Module& /*module*/, Checks /*checks*/) { return true; }

bool checks_anything(const ir::Module& /*module*/, Checks checks) { return checks.any(); }

bool checks_unassigned(const ir::Module& /*module*/, Checks checks) {
  return checks.has(Check::unassigned);
}

bool checks_barriers(const ir::Module& /*module*/, Checks checks) {
  return checks.has(Check::barriers);
}

bool tracks_accesses(const ir::Module& /*module*/, Checks checks) {
  return checks.has(Check::races) || checks.has(Check::uninitialized);
}

template <typename Holds>
bool holds_one(const ir::Module& module, const Holds& holds) {
  bool found = false;
  for (const auto& function : module.functions) {
    ir::for_each(std::as_const(function->body), [&](const ir::Operation& operation) {
      found = found || holds(operation);
    });
  }
  return found;
}

bool has_known_locals(const ir::Module& module, Checks /*checks*/) {
  return holds_one(
      module, [](const ir::Operation& operation) { return operation.op == ir::Op::local_array; });
}

bool has_generic_pointers(const ir::Module& module, Checks /*checks*/) {
  return holds_one(module, [](const ir::Operation& operation) {
    return operation.op == ir::Op::pointer_offset && operation.type.space() == ir::Space::generic &&
           operation.operands[0]->type.space() != ir::Space::generic;
  });
}

bool has_marked_integers(const ir::Module& module, Checks /*checks*/) {
  return holds_one(module, [](const ir::Operation& operation) { return operation.no_wrap; });
}

// Kernels that take the bounds of their pointers are checked by them.
bool has_pointer_bounds(const ir::Module& module, Checks /*checks*/) {
  return std::ranges::any_of(module.functions, [](const auto& function) {
    const auto& parameters = function->parameters;
    return !parameters.empty() && ir::is_bounds(parameters.back()->type);
  });
}

// False if the code has to tell threads that returned from those that take another path to the end:
// masks may name only the former.
bool returns_are_alike(const ir::Module& module, Checks checks) {
  if (!checks.has(Check::masks))
    return true;
  bool has_masks = false;
  for (const auto& function : module.functions) {
    ir::for_each(std::as_const(function->body), [&](const ir::Operation& operation) {
      has_masks |= ir::has_mask(operation.op);
    });
  }
  return !has_masks;
}

constexpr std::array passes_in_order = {
#define PASS(name, when) \
  Pass{#name, [](ir::Module& module, Checks /*checks*/) { name(module); }, when},
#define PASS_WITH_CHECKS(name, when) Pass{#name, name, when},
#include "phalanx/passes/passes.def"
#undef PASS
#undef PASS_WITH_CHECKS
};

}  // namespace

std::span<const Pass> pipeline() { return passes_in_order; }

const Pass* find_pass(std::string_view name) {
  const auto* const found = std::ranges::find(passes_in_order, name, &Pass::name);
  return found == passes_in_order.end() ? nullptr : found;
}

void run(const Pass& pass, ir::Module& module, Checks checks) {
  pass.run(module, checks);
#ifndef NDEBUG
  try {
    ir::verify(module);
  } catch (const ir::VerifyError& error) {
    throw ir::VerifyError("after " + std::string(pass.name) + ": " + error.what());
  }
#endif
}

void run_standard(ir::Module& module, Checks checks) {
  for (const Pass& pass : passes_in_order) {
    if (pass.when(module, checks))
      run(pass, module, checks);
  }
}

}  // namespace phalanx::passes
