// Values without memory: elementwise operations, casts, constants, threads, parts of aggregates.
#include <llvm/IR/Constants.h>

#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

Emitter::Emitter(
    Compilation& compilation,
    llvm::IRBuilder<>& builder,
    const FunctionShapes& shapes,
    const Surroundings& surroundings)
    : WarpBuilder(compilation, builder),
      shapes_(shapes),
      surroundings_(surroundings),
      tracker_(*this, compilation, builder, shapes) {}

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

// A value in the form that `shape` asks for, which covers its own.
llvm::Value* Emitter::converted(const Component& component, const Shape& shape) {
  return shape.uniformity == Uniformity::varying ? vector_of(component) : component.value;
}

// For emission over whole operands: single values stay single where possible.
llvm::Value* Emitter::operand(const Operation& operation, unsigned index, bool as_scalar) {
  const Component known = value_of(*operation.operands[index])[0];
  if (as_scalar || known.shape.is_uniform())
    return known.value;
  return vector_of(known);
}

Value Emitter::emit_elementwise(const Operation& operation) {
  Value special;
  if (try_emit_affine_remainder(operation, special) || try_emit_first_lanes(operation, special))
    return special;
  return emit_operation_on(operation.op, operation);
}

// The elementwise operation `op` on the operands of `operation`.
Value Emitter::emit_operation_on(Op op, const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const bool as_scalar = shape.uniformity != Uniformity::varying;
  llvm::SmallVector<llvm::Value*, 3> operands;
  for (unsigned i = 0; i < operation.operands.size(); ++i)
    operands.push_back(operand(operation, i, as_scalar));
  const unsigned typed = op == Op::select ? 1 : 0;
  OpEmitter emitter = ops();
  if (operation.fast_math) {
    emitter.fastmath = *operation.fast_math;
    emitter.contracts = emitter.fastmath.has(FastFlag::contract);
  }
  llvm::Value* result =
      codegen::emit_elementwise(emitter, op, operation.operands[typed]->type, operands);
  if (!as_scalar)
    result = splat(builder_, result, lanes());
  return {{shape, result}};
}

Value Emitter::emit_cast(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  llvm::Value* value = operand(operation, 0, shape.uniformity != Uniformity::varying);
  OpEmitter emitter = ops();
  llvm::Value* result = codegen::emit_cast(
      emitter, operation.operands[0]->type.dtype(), operation.type.dtype(), value);
  if (shape.uniformity == Uniformity::varying)
    result = splat(builder_, result, lanes());
  return {{shape, result}};
}

Value Emitter::emit_bitcast(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const ir::Type& from = operation.operands[0]->type;
  llvm::Value* value = operand(operation, 0, shape.uniformity != Uniformity::varying);
  if (from.is_scalar() && operation.type.is_scalar()) {
    OpEmitter emitter = ops();
    value = codegen::emit_bitcast(emitter, from.dtype(), operation.type.dtype(), value);
  } else {
    value = builder_.CreateBitOrPointerCast(value, component_type(operation.type, 0, shape));
  }
  return {{shape, value}};
}

Value Emitter::emit_complex(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const bool as_scalar = shape.uniformity != Uniformity::varying;
  OpEmitter emitter = ops();
  if (operation.op == Op::complex_make) {
    const auto part = [&](unsigned i) {
      const Component known = value_of(*operation.operands[i])[0];
      return as_scalar ? known.value : vector_of(known);
    };
    llvm::Value* real = part(0);
    return {{shape, make_complex(emitter, real, part(1))}};
  }
  llvm::Value* number = operand(operation, 0, as_scalar);
  return {
      {shape,
       operation.op == Op::complex_real ? real_of(emitter, number)
                                        : imaginary_of(emitter, number)}};
}

Value Emitter::emit_constant(const Operation& operation) {
  return {
      {shapes_.of(operation, 0),
       codegen::emit_constant(context(), operation.type.dtype(), operation.constant)}};
}

Value Emitter::emit_undefined(const Operation& operation) {
  Value value;
  const Shapes& shapes = shapes_.of(operation);
  for (unsigned i = 0; i < shapes.size(); ++i)
    value.push_back(
        {shapes[i], llvm::Constant::getNullValue(component_type(operation.type, i, shapes[i]))});
  return value;
}

Value Emitter::emit_thread_query(const Operation& operation) {
  const std::size_t dimension = launch_dimension(compilation_.variant, operation.index);
  const Shape& shape = shapes_.of(operation, 0);
  switch (operation.op) {
    case Op::thread_index:
      return {{shape, warp.thread.at(dimension)}};
    case Op::block_index:
      return {{shape, launch.block_index.at(dimension)}};
    case Op::block_extent:
      // In a parallel body: constant, and the word in the launch says something else.
      if (compilation_.kernel.kind == ir::FunctionKind::parallel_body ||
          compilation_.variant.shape == BlockShape::single)
        return {{shape, builder_.getInt32(lanes())}};
      return {{shape, launch.block.at(dimension)}};
    case Op::grid_extent:
      return {{shape, launch.grid.at(dimension)}};
    default:  // lane_index: of warps of 32, as wide as ours
      return {{shape, builder_.getInt32(0)}};
  }
}

Value Emitter::emit_get(const Operation& operation) {
  const VariableSlot& slot = slot_of(operation.variable);
  const Shapes& shapes = shapes_.of(operation);
  Value value;
  for (unsigned i = 0; i < shapes.size(); ++i) {
    llvm::Type* type = component_type(operation.type, i, shapes[i]);
    value.push_back({shapes[i], read(type, slot.components[i])});
  }
  return value;
}

Value Emitter::emit_wrap_index(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const bool as_scalar = shape.uniformity != Uniformity::varying;
  llvm::Value* index = operand(operation, 0, as_scalar);
  llvm::Value* extent = operand(operation, 1, as_scalar);
  if (!as_scalar) {
    index = splat(builder_, index, lanes());
    extent = splat(builder_, extent, lanes());
  }
  llvm::Value* is_negative =
      builder_.CreateICmpSLT(index, llvm::Constant::getNullValue(index->getType()));
  llvm::Value* wrapped = builder_.CreateAdd(index, extent);
  return {{shape, builder_.CreateSelect(is_negative, wrapped, index)}};
}

Value Emitter::concatenated(const Operation& operation) {
  Value value;
  for (const Operation* part : operation.operands) {
    const Value& components = value_of(*part);
    value.append(components.begin(), components.end());
  }
  return value;
}

// Parts of tuples, vectors and views.
Value Emitter::emit_array_part(const Operation& operation) {
  const Operation& whole = *operation.operands[0];
  const Value known = value_of(whole);
  const auto index = static_cast<unsigned>(operation.index);
  switch (operation.op) {
    case Op::tuple_get: {
      const unsigned first = first_component(whole.type, index);
      const unsigned count = component_count(operation.type);
      return {known.begin() + first, known.begin() + first + count};
    }
    case Op::vector_get:
      return {known[index]};
    case Op::array_data:
      return {known[0]};
    case Op::array_shape:
      return {known[1 + index]};
    default:
      return {strides_of(whole.type, known).at(index)};
  }
}

}  // namespace phalanx::codegen::cpu
