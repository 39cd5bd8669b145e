#include "phalanx/passes/launch_program.h"

#include <vector>

#include "phalanx/base/errors.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;

namespace {

// What the message calls a value that differs from thread to thread, or that only the kernel knows.
std::string reason_of(const Operation& value) {
  switch (value.op) {
    case Op::thread_index:
      return "threadIdx";
    case Op::block_index:
      return "blockIdx";
    case Op::lane_index:
      return "laneid";
    case Op::get:
      return "a variable that has several values in the kernel";
    case Op::load:
    case Op::array_load:
    case Op::hinted_load:
      return "a value that is read from memory";
    case Op::parameter:
      return "a parameter of a function that calls itself";
    default:
      return "what the kernel computes by '" + std::string(ir::name_of(value.op)) + "'";
  }
}

bool is_whole(const ir::Type& type) {
  return type.is_scalar() && (is_integer(type.dtype()) || is_boolean(type.dtype()));
}

std::int64_t number_of(const ir::Constant& constant) {
  if (const auto* flag = std::get_if<bool>(&constant))
    return *flag ? 1 : 0;
  return std::get<std::int64_t>(constant);
}

}  // namespace

LaunchPrograms::LaunchPrograms(const ir::Function& kernel) {
  std::vector<ir::Type> types;
  types.reserve(kernel.parameters.size());
  for (const auto& parameter : kernel.parameters) types.push_back(parameter->type);
  layout_ = ir::layout_parameters(types);
}

// The first slot of a parameter or of a part of one.
std::size_t LaunchPrograms::slot_of(const Operation& value) const {
  if (value.op == Op::parameter)
    return layout_.first_slot.at(static_cast<std::size_t>(value.index));
  const Operation& whole = *value.operands[0];
  std::size_t slot = slot_of(whole);
  if (value.op == Op::array_shape)
    return slot + 1 + static_cast<std::size_t>(value.index);
  for (std::int64_t i = 0; i < value.index; ++i)  // tuple_get
    slot += ir::flatten(whole.type.fields().at(static_cast<std::size_t>(i)).type).size();
  return slot;
}

bool LaunchPrograms::add_parameter(const Operation& value, SizeProgram& program) const {
  const Operation* part = &value;
  while (part->op == Op::tuple_get || (part->op == Op::array_shape && part == &value))
    part = part->operands[0];
  if (part->op != Op::parameter)
    return false;
  const auto offset = static_cast<std::int64_t>(layout_.slots.at(slot_of(value)).offset);
  program.push_back(
      {.kind = SizeStep::Kind::parameter, .dtype = value.type.dtype(), .number = offset});
  return true;
}

void LaunchPrograms::add(const Operation& value, SizeProgram& program) const {
  if (!is_whole(value.type))
    throw NotUniform{"a number that is not whole", value.location};
  if (add_parameter(value, program))
    return;
  const auto kind = size_step(ir::name_of(value.op));
  if (!kind || program.size() > LaunchMemory::longest)
    throw NotUniform{reason_of(value), value.location};
  SizeStep step{.kind = *kind, .dtype = value.type.dtype(), .number = value.index};
  if (value.op == Op::constant)
    step.number = number_of(value.constant);
  for (const Operation* operand : value.operands) add(*operand, program);
  if (ir::is_elementwise(value.op) && ir::info(value.op).rule == ir::Rule::compare)
    step.dtype = value.operands[0]->type.dtype();
  program.push_back(step);
}

SizeProgram LaunchPrograms::program_of(const Operation& value) const {
  SizeProgram program;
  add(value, program);
  return program;
}

}  // namespace phalanx::passes
