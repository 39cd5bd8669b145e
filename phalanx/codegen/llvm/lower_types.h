// IR types as LLVM types: in registers, in memory, and as components where a value has several.
#pragma once

#include <vector>

#include <llvm/IR/DerivedTypes.h>

#include "phalanx/ir/ir.h"

namespace phalanx::codegen {

// True if pointers keep the IR's memory spaces (GPU) or all lie in one (CPU).
enum class AddressSpaces : std::uint8_t { flat, nvptx };

// Register form of a scalar: i1, iN, half, bfloat, float, double, {T, T}; lanes == 0: one value.
llvm::Type* register_type(llvm::LLVMContext& context, DType dtype, unsigned lanes = 0);
// Memory form: bool is i8, a complex number [2 x T].
llvm::Type* memory_type(llvm::LLVMContext& context, DType dtype);

unsigned address_space(ir::Space space, AddressSpaces spaces);

// A value of any IR type is kept as a list of components, each one LLVM value: a scalar or pointer
// is one; an array view is its data pointer, its extents (i64) and, for layout `any`, its byte
// strides (i64); a tuple is the components of its elements in order; a small vector is its
// elements; a record is one blob of integers (see record_type).
std::vector<llvm::Type*> component_types(
    llvm::LLVMContext& context, const ir::Type& type, AddressSpaces spaces);
unsigned component_count(const ir::Type& type);
// The first component of element `index` of a tuple type.
unsigned first_component(const ir::Type& tuple, unsigned index);

// [n x iA] with A the record's alignment, or bytes where its size is not a multiple of that.
llvm::Type* record_type(llvm::LLVMContext& context, const ir::Type& record);

}  // namespace phalanx::codegen
