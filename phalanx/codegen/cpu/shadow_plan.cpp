#include "phalanx/codegen/cpu/shadow_plan.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "phalanx/ir/abi.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

constexpr unsigned largest_granule = 4;

unsigned granule_of(const ir::Type& element) {
  const std::size_t bytes = element.is_record() ? ir::alignment_of(element) : ir::size_of(element);
  return std::min(static_cast<unsigned>(std::countr_zero(bytes)), largest_granule);
}

// Calls visit(first slot, array type) for the arrays in a parameter's type.
template <typename Visitor>
std::size_t for_each_array(const ir::Type& type, std::size_t slot, const Visitor& visit) {
  if (type.is_tuple()) {
    for (const ir::Field& field : type.fields()) slot = for_each_array(field.type, slot, visit);
    return slot;
  }
  if (type.is_array())
    visit(slot, type);
  return slot + ir::flatten(type).size();
}

ir::ParameterLayout layout_of(const ir::Function& kernel) {
  std::vector<ir::Type> types;
  for (const auto& parameter : kernel.parameters) types.push_back(parameter->type);
  return ir::layout_parameters(types);
}

// The first slot of a parameter, or of a part of one.
std::optional<std::size_t> slot_of(
    const ir::Function& kernel, const ir::ParameterLayout& layout, const Operation& value) {
  if (value.op == Op::parameter) {
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      if (kernel.parameters[i].get() == &value)
        return layout.first_slot[i];
    }
    return std::nullopt;
  }
  if (value.op != Op::tuple_get)
    return std::nullopt;
  std::optional<std::size_t> slot = slot_of(kernel, layout, *value.operands[0]);
  const auto& fields = value.operands[0]->type.fields();
  for (std::int64_t i = 0; slot && i < value.index; ++i)
    *slot += ir::flatten(fields.at(static_cast<std::size_t>(i)).type).size();
  return slot;
}

const Operation& root_of(const Operation& pointer) {
  const Operation* at = &pointer;
  while (true) {
    switch (at->op) {
      case Op::array_make:
      case Op::array_data:
      case Op::array_element:
      case Op::checked_element:
      case Op::pointer_offset:
      case Op::pointer_field:
        at = at->operands[0];
        break;
      default:
        return *at;
    }
  }
}

bool writes(const Operation& access) { return std::get<Report>(access.detail).verb != Verb::read; }

void note(ShadowPlan& plan, const ir::Function& kernel, const Operation& access) {
  const ir::Type& pointer = access.operands[0]->type;
  const bool is_shared = pointer.space() == ir::Space::shared;
  unsigned& granule = is_shared ? plan.shared_granule : plan.global_granule;
  granule = std::min(granule, granule_of(pointer.element()));
  plan.has_shadow = true;
  if (is_shared || !writes(access))
    return;
  const std::optional<std::size_t> array = shadowed_array(plan, kernel, *access.operands[0]);
  for (std::size_t i = 0; i < plan.arrays.size(); ++i) {
    if (!array || *array == i)
      plan.arrays[i].is_written = true;
  }
}

}  // namespace

ShadowPlan plan_shadow(const ir::Module& module) {
  const ir::Function& kernel = module.kernel();
  ShadowPlan plan;
  plan.shared_granule = largest_granule;
  plan.global_granule = largest_granule;
  const ir::ParameterLayout layout = layout_of(kernel);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    for_each_array(
        kernel.parameters[i]->type,
        layout.first_slot[i],
        [&](std::size_t slot, const ir::Type& type) {
          plan.arrays.push_back(
              {.offset = static_cast<std::uint32_t>(layout.slots.at(slot).offset),
               .dimensions = type.ndim(),
               .item_bytes = static_cast<std::uint32_t>(ir::size_of(type.element())),
               .has_strides = type.layout() == ir::Layout::any});
        });
  }
  for (const auto& function : module.functions) {
    ir::for_each(std::as_const(function->body), [&](const Operation& operation) {
      if (operation.op == Op::track_access || operation.op == Op::track_row)
        note(plan, kernel, operation);
      plan.has_warp_barriers |= operation.op == Op::warp_barrier;
      plan.has_fences |=
          operation.op == Op::grid_barrier ||
          (operation.op == Op::fence && !ir::has_kind(operation, ir::FenceScope::block));
    });
  }
  return plan.has_shadow ? plan : ShadowPlan{};
}

std::optional<std::size_t> shadowed_array(
    const ShadowPlan& plan, const ir::Function& kernel, const Operation& pointer) {
  const ir::ParameterLayout layout = layout_of(kernel);
  const std::optional<std::size_t> slot = slot_of(kernel, layout, root_of(pointer));
  if (!slot)
    return std::nullopt;
  for (std::size_t i = 0; i < plan.arrays.size(); ++i) {
    if (plan.arrays[i].offset == layout.slots.at(*slot).offset)
      return i;
  }
  return std::nullopt;
}

}  // namespace phalanx::codegen::cpu
