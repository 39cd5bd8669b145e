#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

using ir::Operation;

EmitterPart::EmitterPart(Emitter& emitter)
    : emitter_(emitter),
      compilation_(emitter.compilation()),
      builder_(emitter.builder()),
      shapes_(emitter.shapes()) {}

Emitter::Emitter(
    Compilation& compilation,
    llvm::IRBuilder<>& builder,
    const FunctionShapes& shapes,
    const Surroundings& surroundings)
    : WarpBuilder(compilation, builder),
      shapes_(shapes),
      surroundings_(surroundings),
      control_(*this),
      conditions_(*this),
      memory_(*this),
      indices_(*this),
      checks_(*this),
      tracker_(*this),
      reporter_(*this) {}

const Value& Emitter::value_of(const Operation& operation) {
  const auto found = values_.find(&operation);
  if (found != values_.end())
    return found->second;
  return values_[&operation] = surroundings_.resolve(*this, operation);
}

llvm::Value* Emitter::scalar(const Operation& operation, unsigned component) {
  return value_of(operation)[component].value;
}

llvm::Value* Emitter::vector(const Operation& operation, unsigned component) {
  const Component known = value_of(operation)[component];
  return vector_of(known);
}

llvm::Value* Emitter::operand(const Operation& operation, unsigned index, bool as_scalar) {
  const Component known = value_of(*operation.operands[index])[0];
  if (as_scalar || known.shape.is_uniform())
    return known.value;
  return vector_of(known);
}

Emitter::VariableSlot& Emitter::slot_of(ir::VariableId variable) {
  VariableSlot& slot = variables_[variable];
  if (!slot.components.empty())
    return slot;
  const ir::Variable& declared = shapes_.nesting().function().variables.at(variable);
  const Shapes& shapes = shapes_.of_variable(variable);
  for (unsigned i = 0; i < shapes.size(); ++i)
    slot.components.push_back(
        make_slot(component_type(declared.type, i, shapes[i]), declared.name));
  return slot;
}

}  // namespace phalanx::codegen::cpu
