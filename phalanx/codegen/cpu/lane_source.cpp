#include "phalanx/codegen/cpu/lane_source.h"

#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

// A vector is written once, before the loop over the lanes: LLVM writes all of it again for each
// element that it takes out of it at an index that it does not know.
LaneSource lane_source(Emitter& emitter, const Component& component) {
  if (component.shape.is_uniform())
    return {LaneSource::Form::one, component.value};
  llvm::Value* vector = emitter.vector_of(component);
  if (emitter.lanes() == 1 || !vector->getType()->isVectorTy())
    return {LaneSource::Form::vector, vector};
  llvm::AllocaInst* slot = emitter.make_slot(vector->getType(), "lanes");
  emitter.write(vector, slot);
  return {LaneSource::Form::memory, slot, vector->getType()->getScalarType()};
}

llvm::Value* lane_from(Emitter& emitter, const LaneSource& source, llvm::Value* lane) {
  llvm::IRBuilder<>& builder = emitter.builder();
  switch (source.form) {
    case LaneSource::Form::one:
      return source.value;
    case LaneSource::Form::vector:
      return emitter.lane_of(source.value, lane);
    case LaneSource::Form::memory:
      break;
  }
  return builder.CreateLoad(source.element, builder.CreateGEP(source.element, source.value, lane));
}

}  // namespace phalanx::codegen::cpu
