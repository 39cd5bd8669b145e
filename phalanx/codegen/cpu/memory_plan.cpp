#include "phalanx/codegen/cpu/memory_plan.h"

#include <algorithm>
#include <utility>

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

constexpr std::uint64_t cache_line = 64;             // bytes of a cache line and of a vector
constexpr std::uint64_t largest_on_stack = 1 << 14;  // of one array, all lanes

std::uint64_t rounded(std::uint64_t bytes) {
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

std::uint64_t element_count(const Operation& array) {
  std::uint64_t count = 1;
  for (const std::int64_t extent : array.shape) count *= static_cast<std::uint64_t>(extent);
  return count;
}

// Where an alignment of more than a cache line is requested, the kernel looks for the address in
// this room: the scratch memory begins at a cache line. See aligned_for in emit_array.cpp.
std::uint64_t bytes_to_align(const Operation& shared_array) {
  const auto alignment = static_cast<std::uint64_t>(shared_array.index);
  return alignment > cache_line ? alignment - cache_line : 0;
}

}  // namespace

std::uint64_t local_bytes(const Operation& local_array, unsigned lanes) {
  const bool is_interleaved = local_array.type.space() == ir::Space::local;
  const std::uint64_t lane = static_cast<std::uint64_t>(local_lane_stride(local_array));
  return rounded((is_interleaved ? element_count(local_array) : 1) * lane * lanes);
}

std::int64_t local_lane_stride(const Operation& local_array) {
  const std::uint64_t element = ir::size_of(local_array.type.element());
  if (local_array.type.space() == ir::Space::local)
    return static_cast<std::int64_t>(element);
  const auto requested = static_cast<std::uint64_t>(local_array.index);
  const std::uint64_t alignment = std::max<std::uint64_t>(requested, 16);
  const std::uint64_t bytes = std::max<std::uint64_t>(element_count(local_array) * element, 1);
  return static_cast<std::int64_t>((bytes + alignment - 1) / alignment * alignment);
}

MemoryPlan plan_memory(const ir::Module& module, const CpuVariant& variant, bool keeps_locals) {
  MemoryPlan plan;
  for (const auto& function : module.functions) {
    const bool is_kernel = function->kind != ir::FunctionKind::device;
    ir::for_each(std::as_const(function->body), [&](const Operation& operation) {
      if (operation.op == Op::shared_array) {
        const std::uint64_t offset = rounded(plan.shared_bytes);
        plan.shared_offsets[&operation] = offset;
        plan.shared_bytes = offset + bytes_to_align(operation) +
                            element_count(operation) * ir::size_of(operation.type.element());
      } else if (operation.op == Op::dynamic_shared_array) {
        plan.has_dynamic_shared = true;
      } else if (operation.op == Op::local_array && is_kernel) {
        const std::uint64_t bytes = local_bytes(operation, variant.lanes);
        if (!keeps_locals && bytes <= largest_on_stack)
          return;
        plan.local_offsets[&operation] = plan.warp_bytes;
        plan.warp_bytes += bytes;
      }
    });
  }
  return plan;
}

}  // namespace phalanx::codegen::cpu
