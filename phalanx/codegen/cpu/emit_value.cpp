// Values without memory: elementwise operations, casts, constants, threads, parts of aggregates.
#include <llvm/IR/Constants.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/stateless_operations.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

class PlainValues : EmitterPart {
 public:
  using EmitterPart::EmitterPart;

  Value emit(const Operation& operation);

 private:
  Value emit_elementwise(const Operation& operation);
  Value emit_cast(const Operation& operation);
  Value emit_complex(const Operation& operation);
  Value emit_bitcast(const Operation& operation);
  Value emit_constant(const Operation& operation);
  Value emit_thread_query(const Operation& operation);
  Value emit_get(const Operation& operation);
  Value emit_array_part(const Operation& operation);
  Value emit_wrap_index(const Operation& operation);
  Value concatenated(const Operation& operation);
};

Value PlainValues::emit(const Operation& operation) {
  if (ir::is_elementwise(operation.op))
    return emit_elementwise(operation);
  switch (operation.op) {
    case Op::constant:
      return emit_constant(operation);
    case Op::cast:
      return emit_cast(operation);
    case Op::bitcast:
      return emit_bitcast(operation);
    case Op::complex_make:
    case Op::complex_real:
    case Op::complex_imag:
      return emit_complex(operation);
    case Op::get:
      return emit_get(operation);
    case Op::tuple_make:
    case Op::vector_make:
    case Op::array_make:
      return concatenated(operation);
    case Op::wrap_index:
      return emit_wrap_index(operation);
    case Op::thread_index:
    case Op::block_index:
    case Op::block_extent:
    case Op::grid_extent:
    case Op::lane_index:
      return emit_thread_query(operation);
    case Op::tuple_get:
    case Op::vector_get:
    case Op::array_data:
    case Op::array_shape:
    case Op::array_stride:
      return emit_array_part(operation);
    case Op::undefined:
      return emit_undefined(emitter_, operation);
    default:
      break;
  }
  throw CompileError(
      CompileError::Kind::unsupported,
      "the CPU device does not support '" + std::string(ir::name_of(operation.op)) + "'");
}

Value PlainValues::emit_elementwise(const Operation& operation) {
  Value special;
  if (emitter_.indices().try_emit_remainder(operation, special) ||
      emitter_.conditions().try_emit_first_lanes(operation, special))
    return special;
  return emit_operation_on(emitter_, operation.op, operation);
}

Value PlainValues::emit_cast(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  llvm::Value* value = emitter_.operand(operation, 0, shape.uniformity != Uniformity::varying);
  OpEmitter emitter = emitter_.ops();
  llvm::Value* result = codegen::emit_cast(
      emitter, operation.operands[0]->type.dtype(), operation.type.dtype(), value);
  if (shape.uniformity == Uniformity::varying)
    result = splat(builder_, result, emitter_.lanes());
  return {{shape, result}};
}

Value PlainValues::emit_bitcast(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const ir::Type& from = operation.operands[0]->type;
  llvm::Value* value = emitter_.operand(operation, 0, shape.uniformity != Uniformity::varying);
  if (from.is_scalar() && operation.type.is_scalar()) {
    OpEmitter emitter = emitter_.ops();
    value = codegen::emit_bitcast(emitter, from.dtype(), operation.type.dtype(), value);
  } else {
    value =
        builder_.CreateBitOrPointerCast(value, emitter_.component_type(operation.type, 0, shape));
  }
  return {{shape, value}};
}

Value PlainValues::emit_complex(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const bool as_scalar = shape.uniformity != Uniformity::varying;
  OpEmitter emitter = emitter_.ops();
  if (operation.op == Op::complex_make) {
    const auto part = [&](unsigned i) {
      const Component known = emitter_.value_of(*operation.operands[i])[0];
      return as_scalar ? known.value : emitter_.vector_of(known);
    };
    llvm::Value* real = part(0);
    return {{shape, make_complex(emitter, real, part(1))}};
  }
  llvm::Value* number = emitter_.operand(operation, 0, as_scalar);
  return {
      {shape,
       operation.op == Op::complex_real ? real_of(emitter, number)
                                        : imaginary_of(emitter, number)}};
}

Value PlainValues::emit_constant(const Operation& operation) {
  return {
      {shapes_.of(operation, 0),
       codegen::emit_constant(emitter_.context(), operation.type.dtype(), operation.constant)}};
}

Value PlainValues::emit_thread_query(const Operation& operation) {
  const std::size_t dimension = launch_dimension(compilation_.variant, operation.index);
  const Shape& shape = shapes_.of(operation, 0);
  switch (operation.op) {
    case Op::thread_index:
      return {{shape, emitter_.warp.thread.at(dimension)}};
    case Op::block_index:
      return {{shape, emitter_.launch.block_index.at(dimension)}};
    case Op::block_extent:
      // In a parallel body: constant, and the word in the launch says something else.
      if (compilation_.kernel.kind == ir::FunctionKind::parallel_body ||
          compilation_.variant.shape == BlockShape::single)
        return {{shape, builder_.getInt32(emitter_.lanes())}};
      return {{shape, emitter_.launch.block.at(dimension)}};
    case Op::grid_extent:
      return {{shape, emitter_.launch.grid.at(dimension)}};
    default:  // lane_index: of warps of 32, as wide as ours
      return {{shape, builder_.getInt32(0)}};
  }
}

Value PlainValues::emit_get(const Operation& operation) {
  const Emitter::VariableSlot& slot = emitter_.slot_of(operation.variable);
  const Shapes& shapes = shapes_.of(operation);
  Value value;
  for (unsigned i = 0; i < shapes.size(); ++i) {
    llvm::Type* type = emitter_.component_type(operation.type, i, shapes[i]);
    value.push_back({shapes[i], emitter_.read(type, slot.components[i])});
  }
  return value;
}

Value PlainValues::emit_wrap_index(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const bool as_scalar = shape.uniformity != Uniformity::varying;
  llvm::Value* index = emitter_.operand(operation, 0, as_scalar);
  llvm::Value* extent = emitter_.operand(operation, 1, as_scalar);
  if (!as_scalar) {
    index = splat(builder_, index, emitter_.lanes());
    extent = splat(builder_, extent, emitter_.lanes());
  }
  llvm::Value* is_negative =
      builder_.CreateICmpSLT(index, llvm::Constant::getNullValue(index->getType()));
  llvm::Value* wrapped = builder_.CreateAdd(index, extent);
  return {{shape, builder_.CreateSelect(is_negative, wrapped, index)}};
}

Value PlainValues::concatenated(const Operation& operation) {
  Value value;
  for (const Operation* part : operation.operands) {
    const Value& components = emitter_.value_of(*part);
    value.append(components.begin(), components.end());
  }
  return value;
}

// Parts of tuples, vectors and views.
Value PlainValues::emit_array_part(const Operation& operation) {
  const Operation& whole = *operation.operands[0];
  const Value known = emitter_.value_of(whole);
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
      return {emitter_.strides_of(whole.type, known).at(index)};
  }
}

}  // namespace

Value emit_plain_value(Emitter& emitter, const Operation& operation) {
  return PlainValues(emitter).emit(operation);
}

Value emit_operation_on(Emitter& emitter, Op op, const Operation& operation) {
  const Shape& shape = emitter.shapes().of(operation, 0);
  const bool as_scalar = shape.uniformity != Uniformity::varying;
  llvm::SmallVector<llvm::Value*, 3> operands;
  for (unsigned i = 0; i < operation.operands.size(); ++i)
    operands.push_back(emitter.operand(operation, i, as_scalar));
  const unsigned typed = op == Op::select ? 1 : 0;
  OpEmitter ops = emitter.ops();
  if (operation.fast_math) {
    ops.fastmath = *operation.fast_math;
    ops.contracts = ops.fastmath.has(FastFlag::contract);
  }
  llvm::Value* result =
      codegen::emit_elementwise(ops, op, operation.operands[typed]->type, operands);
  if (!as_scalar)
    result = splat(emitter.builder(), result, emitter.lanes());
  return {{shape, result}};
}

Value emit_undefined(Emitter& emitter, const Operation& operation) {
  Value value;
  const Shapes& shapes = emitter.shapes().of(operation);
  for (unsigned i = 0; i < shapes.size(); ++i)
    value.push_back(
        {shapes[i],
         llvm::Constant::getNullValue(emitter.component_type(operation.type, i, shapes[i]))});
  return value;
}

}  // namespace phalanx::codegen::cpu
