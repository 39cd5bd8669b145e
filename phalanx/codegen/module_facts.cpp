#include "phalanx/codegen/module_facts.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "phalanx/base/errors.h"

namespace phalanx::codegen {

namespace {

bool has_op(const ir::Region& region, ir::Op op) {
  bool found = false;
  ir::for_each(region, [&](const ir::Operation& operation) { found |= operation.op == op; });
  return found;
}

bool has_op(const ir::Module& module, ir::Op op) {
  return std::ranges::any_of(
      module.functions, [op](const auto& function) { return has_op(function->body, op); });
}

// Volatile accesses to shared memory are also how older programs let the threads of a warp, which
// ran in lockstep, read what others have written.
bool is_of_warp(const ir::Operation& operation) {
  if (operation.op == ir::Op::hinted_load || operation.op == ir::Op::hinted_store) {
    const ir::Space space = operation.operands[0]->type.space();
    return space == ir::Space::shared || space == ir::Space::generic;
  }
  return operation.op == ir::Op::lane_index || ir::is_of(ir::OpFamily::warp, operation.op);
}

}  // namespace

bool needs_full_warp(const ir::Module& module) {
  bool found = false;
  for (const auto& function : module.functions) {
    // Pieces have a width of their own.
    if (function->kind != ir::FunctionKind::parallel_body)
      ir::for_each(
          function->body, [&](const ir::Operation& operation) { found |= is_of_warp(operation); });
  }
  return found;
}

bool uses_print(const ir::Module& module) { return has_op(module, ir::Op::print); }

bool can_raise(const ir::Module& module) { return has_op(module, ir::Op::raise); }

bool is_cooperative(const ir::Module& module) {
  return has_op(module, ir::Op::cooperative) || has_op(module, ir::Op::grid_barrier);
}

LaunchMemory launch_memory(const ir::Module& module) {
  LaunchMemory memory;
  ir::for_each(module.kernel().body, [&](const ir::Operation& operation) {
    if (operation.op == ir::Op::launch_memory)
      memory = std::get<LaunchMemory>(operation.detail);
  });
  return memory;
}

bool stages_tiles(const ir::Module& module) {
  bool found = false;
  ir::for_each(module.kernel().body, [&](const ir::Operation& operation) {
    if (operation.op == ir::Op::loop)
      found |= std::ranges::any_of(operation.regions, [](const ir::Region& region) {
        return has_op(region, ir::Op::barrier);
      });
  });
  return found;
}

std::uint32_t memory_bytes(std::uint64_t bytes, std::string_view owner) {
  if (bytes > std::numeric_limits<std::uint32_t>::max())
    throw CompileError(
        CompileError::Kind::lowering,
        fmt::format(
            "the arrays of a {} take {} bytes together, more than any device has for them; pass an "
            "array in global memory",
            owner,
            bytes));
  return static_cast<std::uint32_t>(bytes);
}

}  // namespace phalanx::codegen
