// Arrays, pointers and what lies there.
#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/nvptx/function_emitter.h"
#include "phalanx/ir/typing.h"

namespace phalanx::codegen::nvptx {

using ir::Op;
using ir::Operation;

namespace {

// The greatest power of two that divides `bytes`.
constexpr std::size_t lowest_bit(std::size_t bytes) { return bytes & (~bytes + 1); }

// What an access of `type` through `address`, a pointer or a view, may rely on. GPUs fault on
// misaligned accesses, and NumPy packs records: a float64 field may lie at any byte.
std::size_t alignment_through(const Operation& address, const ir::Type& type) {
  std::size_t alignment = ir::alignment_of(type);
  const Operation* step = &address;
  while (true) {
    switch (step->op) {
      case Op::pointer_field: {
        const ir::Type& record = step->operands[0]->type.element();
        const std::size_t offset = record.fields()[static_cast<std::size_t>(step->index)].offset;
        for (const std::size_t bytes : {offset, ir::size_of(record)}) {
          if (bytes != 0)
            alignment = std::min(alignment, lowest_bit(bytes));
        }
        break;
      }
      case Op::array_element:
      case Op::checked_element:  // of a view, whose strides are multiples of what it was made of
      case Op::array_data:
      case Op::array_make:
      case Op::pointer_offset:  // which moves by whole elements, or not at all
        break;
      case Op::parameter:
        // A record by its address may be in another one, which is packed.
        if (step->type.is_pointer() && step->type.element().is_record())
          alignment = std::min(alignment, ir::alignment_of(step->type.element()));
        return alignment;
      default:
        return alignment;
    }
    step = step->operands[0];
  }
}

}  // namespace

bool FunctionEmitter::emit_memory(const Operation& operation) {
  const auto& operands = operation.operands;
  switch (operation.op) {
    case Op::array_make:
      define(operation, make_array(operation));
      return true;
    case Op::array_data:
      define(operation, {operand(operation, 0)});
      return true;
    case Op::array_shape:
      define(operation, {components(operands[0])[static_cast<std::size_t>(operation.index) + 1]});
      return true;
    case Op::array_stride:
      define(operation, {stride_of(*operands[0], static_cast<unsigned>(operation.index))});
      return true;
    case Op::array_element:
      define(operation, {element_pointer(operation, operands.size() - 1)});
      return true;
    case Op::array_load:
      define(
          operation,
          load(
              element_pointer(operation, operands.size() - 1),
              operation.type,
              alignment_through(*operands[0], operation.type)));
      return true;
    case Op::array_store: {
      llvm::Value* pointer = element_pointer(operation, operands.size() - 2);
      const ir::Type& element = operands[0]->type.element();
      store(
          pointer, element, components(operands.back()), alignment_through(*operands[0], element));
      return true;
    }
    case Op::wrap_index: {
      llvm::Value* index = operand(operation, 0);
      llvm::Value* is_negative = builder_.CreateICmpSLT(index, builder_.getInt64(0));
      llvm::Value* wrapped = builder_.CreateAdd(index, operand(operation, 1));
      define(operation, {builder_.CreateSelect(is_negative, wrapped, index)});
      return true;
    }
    case Op::pointer_offset: {
      llvm::Value* moved =
          builder_.CreateGEP(builder_.getInt8Ty(), operand(operation, 0), operand(operation, 1));
      define(operation, {as_pointer(moved, operation.type)});
      return true;
    }
    case Op::pointer_field:
      define(operation, {field_pointer(operation)});
      return true;
    default:
      return emit_access(operation) || emit_allocation(operation);
  }
}

// Through pointers.
bool FunctionEmitter::emit_access(const Operation& operation) {
  const auto& operands = operation.operands;
  switch (operation.op) {
    case Op::load:
      define(
          operation,
          load(
              operand(operation, 0),
              operation.type,
              alignment_through(*operands[0], operation.type)));
      return true;
    case Op::store:
      store(
          operand(operation, 0),
          operands[1]->type,
          components(operands[1]),
          alignment_through(*operands[0], operands[1]->type));
      return true;
    default:
      return false;
  }
}

bool FunctionEmitter::emit_allocation(const Operation& operation) {
  switch (operation.op) {
    case Op::shared_array:
      define(operation, array_at(shared_array_of(state_, operation), operation));
      return true;
    case Op::dynamic_shared_array:
      define(operation, dynamic_shared(operation));
      return true;
    case Op::local_array:
      define(operation, array_at(local_memory(operation), operation));
      return true;
    case Op::constant_array:
      define(operation, array_at(constant_array_of(state_, operation.index), operation));
      return true;
    default:
      return false;
  }
}

Components FunctionEmitter::make_array(const Operation& operation) {
  Components value{as_pointer(operand(operation, 0), operation.type)};
  for (std::size_t i = 1; i < operation.operands.size(); ++i)
    value.push_back(operand(operation, i));
  PHX_ASSERT(value.size() == component_count(operation.type));
  return value;
}

// The components of an array of a known shape.
Components FunctionEmitter::array_at(llvm::Value* pointer, const Operation& operation) {
  Components value{pointer};
  std::vector<std::int64_t> shape = operation.shape;
  if (operation.op == Op::constant_array)
    shape = state_.source.constants[static_cast<std::size_t>(operation.index)].shape;
  for (const std::int64_t extent : shape)
    value.push_back(builder_.getInt64(static_cast<std::uint64_t>(extent)));
  if (operation.type.layout() != ir::Layout::c)
    fail(operation, "only row-major memory is allocated");
  return value;
}

// Bytes between neighbours of one dimension: stored, or the product of the extents that run faster.
llvm::Value* FunctionEmitter::stride_of(const Operation& array, unsigned dimension) {
  const ir::Type& type = array.type;
  const Components& parts = components(&array);
  const unsigned ndim = type.ndim();
  if (type.layout() == ir::Layout::any)
    return parts[1 + ndim + dimension];
  llvm::Value* stride = builder_.getInt64(ir::element_stride(type.element()));
  const bool is_c = type.layout() == ir::Layout::c;
  const unsigned first = is_c ? dimension + 1 : 0;
  const unsigned end = is_c ? ndim : dimension;
  for (unsigned i = first; i < end; ++i)
    stride = builder_.CreateMul(stride, parts[1 + i], "", true, true);
  return stride;
}

// Indices are inside the array, so that neither products nor sums overflow.
llvm::Value* FunctionEmitter::element_pointer(const Operation& operation, std::size_t indices) {
  const ir::Type& type = operation.operands[0]->type;
  const Components& parts = components(operation.operands[0]);
  const auto ndim = static_cast<unsigned>(indices);
  llvm::Value* data = parts[0];
  const auto index = [&](unsigned i) { return operand(operation, i + 1); };
  if (ndim == 0)
    return data;
  if (type.layout() == ir::Layout::any) {
    llvm::Value* offset = nullptr;
    for (unsigned i = 0; i < ndim; ++i) {
      llvm::Value* part = builder_.CreateMul(index(i), parts[1 + ndim + i], "", false, true);
      offset = offset == nullptr ? part : builder_.CreateAdd(offset, part, "", false, true);
    }
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), data, offset);
  }
  const bool is_c = type.layout() == ir::Layout::c;
  const auto slowest_first = [&](unsigned i) { return is_c ? i : ndim - 1 - i; };
  llvm::Value* linear = index(slowest_first(0));
  for (unsigned i = 1; i < ndim; ++i) {
    const unsigned dimension = slowest_first(i);
    linear = builder_.CreateMul(linear, parts[1 + dimension], "", true, true);
    linear = builder_.CreateAdd(linear, index(dimension), "", true, true);
  }
  llvm::Type* step = llvm::ArrayType::get(builder_.getInt8Ty(), ir::element_stride(type.element()));
  if (type.element().is_scalar())
    step = memory_type(builder_.getContext(), type.element().dtype());
  return builder_.CreateInBoundsGEP(step, data, linear);
}

Components FunctionEmitter::load(
    llvm::Value* pointer, const ir::Type& type, std::size_t alignment_bytes) {
  llvm::LLVMContext& context = builder_.getContext();
  const llvm::Align alignment(alignment_bytes);
  const auto numbers = [&](DType dtype, unsigned count) {
    Components value;
    llvm::Type* vector = llvm::FixedVectorType::get(memory_type(context, dtype), count);
    llvm::Value* all = builder_.CreateAlignedLoad(vector, pointer, alignment);
    for (unsigned i = 0; i < count; ++i)
      value.push_back(from_memory(builder_, dtype, builder_.CreateExtractElement(all, i)));
    return value;
  };
  switch (type.kind()) {
    case ir::TypeKind::scalar: {
      if (is_complex(type.dtype())) {
        const Components parts = numbers(real_part_of(type.dtype()), 2);
        return {make_complex(ops_, parts[0], parts[1])};
      }
      llvm::Type* stored = memory_type(context, type.dtype());
      llvm::Value* value = builder_.CreateAlignedLoad(stored, pointer, alignment);
      return {from_memory(builder_, type.dtype(), value)};
    }
    case ir::TypeKind::vector:
      return numbers(type.dtype(), type.lanes());
    case ir::TypeKind::pointer:
    case ir::TypeKind::record: {
      llvm::Type* stored = component_types(context, type, AddressSpaces::nvptx).front();
      return {builder_.CreateAlignedLoad(stored, pointer, alignment)};
    }
    default:
      throw CompileError(
          CompileError::Kind::lowering, ir::to_string(type) + " has no form in memory");
  }
}

void FunctionEmitter::store(
    llvm::Value* pointer,
    const ir::Type& type,
    const Components& value,
    std::size_t alignment_bytes) {
  const llvm::Align alignment(alignment_bytes);
  const auto numbers = [&](DType dtype, const Components& parts) {
    llvm::Type* stored = memory_type(builder_.getContext(), dtype);
    const auto count = static_cast<unsigned>(parts.size());
    llvm::Value* all = llvm::PoisonValue::get(llvm::FixedVectorType::get(stored, count));
    for (unsigned i = 0; i < count; ++i)
      all = builder_.CreateInsertElement(all, to_memory(builder_, dtype, parts[i]), i);
    builder_.CreateAlignedStore(all, pointer, alignment);
  };
  if (type.is_vector()) {
    numbers(type.dtype(), value);
    return;
  }
  if (type.is_scalar() && is_complex(type.dtype())) {
    const DType part = real_part_of(type.dtype());
    numbers(part, {real_of(ops_, value[0]), imaginary_of(ops_, value[0])});
    return;
  }
  llvm::Value* stored = value[0];
  if (type.is_scalar())
    stored = to_memory(builder_, type.dtype(), stored);
  builder_.CreateAlignedStore(stored, pointer, alignment);
}

llvm::Value* FunctionEmitter::field_pointer(const Operation& operation) {
  const ir::Type& record = operation.operands[0]->type.element();
  const ir::Field& field = record.fields()[static_cast<std::size_t>(operation.index)];
  return builder_.CreateInBoundsGEP(
      builder_.getInt8Ty(), operand(operation, 0), builder_.getInt64(field.offset));
}

llvm::Value* FunctionEmitter::local_memory(const Operation& operation) {
  std::uint64_t count = 1;
  for (const std::int64_t extent : operation.shape) count *= static_cast<std::uint64_t>(extent);
  const ir::Type& element = operation.type.element();
  llvm::Type* type = llvm::ArrayType::get(builder_.getInt8Ty(), ir::element_stride(element));
  if (element.is_scalar())
    type = memory_type(builder_.getContext(), element.dtype());
  const auto requested = static_cast<std::size_t>(operation.index);
  const llvm::Align alignment(std::max<std::size_t>({ir::alignment_of(element), requested, 4}));
  return entry_alloca(
      llvm::ArrayType::get(type, count),
      alignment,
      operation.name.empty() ? llvm::Twine("local") : llvm::Twine(operation.name));
}

// All of them begin where the launch's dynamic shared memory does, after fixed arrays that had to
// be moved there.
Components FunctionEmitter::dynamic_shared(const Operation& operation) {
  auto* type = llvm::FunctionType::get(builder_.getInt32Ty(), false);
  auto* read = llvm::InlineAsm::get(type, "mov.u32 $0, %dynamic_smem_size;", "=r", false);
  llvm::Value* bytes = builder_.CreateZExt(builder_.CreateCall(read), builder_.getInt64Ty());
  if (state_.moved_shared_bytes != 0)
    bytes = builder_.CreateSub(bytes, builder_.getInt64(state_.moved_shared_bytes));
  llvm::Value* stride = builder_.getInt64(ir::element_stride(operation.type.element()));
  return {dynamic_shared_memory(state_), builder_.CreateUDiv(bytes, stride)};
}

}  // namespace phalanx::codegen::nvptx
