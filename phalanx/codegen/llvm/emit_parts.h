// The parts of elementwise emission, one for each kind of number, and small helpers; for the back
// ends, not for other rooms.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>

#include "phalanx/codegen/llvm/emit_op.h"

namespace phalanx::codegen {

using Operands = std::span<llvm::Value* const>;

// All operands have one shape already. Comparisons and select are done by emit_op.cpp itself.
llvm::Value* emit_boolean(OpEmitter& emitter, ir::Op op, Operands operands);
llvm::Value* emit_integer(OpEmitter& emitter, ir::Op op, DType dtype, Operands operands);
llvm::Value* emit_floating(OpEmitter& emitter, ir::Op op, DType dtype, Operands operands);
llvm::Value* emit_complex(OpEmitter& emitter, ir::Op op, DType dtype, Operands operands);

// base ** exponent on integers, wrapping; 0 where the true result is not an integer.
llvm::Value* emit_integer_power(
    OpEmitter& emitter, DType dtype, llvm::Value* base, llvm::Value* exponent);

// Multiplies `base` with itself by squaring; exponent >= 1.
llvm::Value* multiply_chain(
    OpEmitter& emitter, DType dtype, llvm::Value* base, std::uint64_t exponent);

// The operation on another type, for parts that are made of others.
llvm::Value* emit(
    OpEmitter& emitter, ir::Op op, DType dtype, std::initializer_list<llvm::Value*> operands);

// A constant of the same shape as `like` (a scalar or a vector of scalars).
llvm::Value* number_like(const llvm::Value* like, double number);

// The value of a constant integer or float that is the same in all lanes.
std::optional<std::int64_t> constant_integer(const llvm::Value* value);
std::optional<double> constant_number(const llvm::Value* value);

// True if any lane of a bool is true.
llvm::Value* any_lane(llvm::IRBuilderBase& builder, llvm::Value* condition);

// `value` of type `from` in the shape of `like` but with element type `element`.
llvm::Type* with_element(const llvm::Type* like, llvm::Type* element);

}  // namespace phalanx::codegen
