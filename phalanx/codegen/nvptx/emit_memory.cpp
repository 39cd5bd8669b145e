// Arrays, pointers and what lies there.
#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/nvptx/emit_parts.h"
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

// Loads and stores.
bool emit_access(FunctionEmitter& emitter, const Operation& operation) {
  const auto& operands = operation.operands;
  switch (operation.op) {
    case Op::load:
      emitter.define(
          operation,
          load(
              emitter,
              emitter.operand(operation, 0),
              operation.type,
              alignment_through(*operands[0], operation.type)));
      return true;
    case Op::store:
      store(
          emitter,
          emitter.operand(operation, 0),
          operands[1]->type,
          emitter.components(operands[1]),
          alignment_through(*operands[0], operands[1]->type));
      return true;
    case Op::array_load:
      emitter.define(
          operation,
          load(
              emitter,
              element_pointer(emitter, operation, operands.size() - 1),
              operation.type,
              alignment_through(*operands[0], operation.type)));
      return true;
    case Op::array_store: {
      llvm::Value* pointer = element_pointer(emitter, operation, operands.size() - 2);
      const ir::Type& element = operands[0]->type.element();
      store(
          emitter,
          pointer,
          element,
          emitter.components(operands.back()),
          alignment_through(*operands[0], element));
      return true;
    }
    default:
      return false;
  }
}

const std::vector<std::int64_t>& shape_of(const ir::Module& module, const Operation& operation) {
  const auto index = static_cast<std::size_t>(operation.index);
  switch (operation.op) {
    case Op::constant_array:
      return module.constants.at(index).shape;
    case Op::global_array:
      return module.globals.at(index).shape;
    default:
      return operation.shape;
  }
}

// The components of an array of a known shape.
Components array_at(FunctionEmitter& emitter, llvm::Value* pointer, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  Components value{pointer};
  for (const std::int64_t extent : shape_of(emitter.state().source, operation))
    value.push_back(builder.getInt64(static_cast<std::uint64_t>(extent)));
  if (operation.type.layout() != ir::Layout::c)
    emitter.fail(operation, "only row-major memory is allocated");
  return value;
}

llvm::Value* local_memory(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  std::uint64_t count = 1;
  for (const std::int64_t extent : operation.shape) count *= static_cast<std::uint64_t>(extent);
  const ir::Type& element = operation.type.element();
  llvm::Type* type = llvm::ArrayType::get(builder.getInt8Ty(), ir::element_stride(element));
  if (element.is_scalar())
    type = memory_type(builder.getContext(), element.dtype());
  const auto requested = static_cast<std::size_t>(operation.index);
  const llvm::Align alignment(std::max<std::size_t>({ir::alignment_of(element), requested, 4}));
  return emitter.entry_alloca(
      llvm::ArrayType::get(type, count),
      alignment,
      operation.name.empty() ? llvm::Twine("local") : llvm::Twine(operation.name));
}

// All of them begin where the launch's dynamic shared memory does, after fixed arrays that had to
// be moved there.
Components dynamic_shared(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  auto* type = llvm::FunctionType::get(builder.getInt32Ty(), false);
  auto* read = llvm::InlineAsm::get(type, "mov.u32 $0, %dynamic_smem_size;", "=r", false);
  llvm::Value* bytes = builder.CreateZExt(builder.CreateCall(read), builder.getInt64Ty());
  if (emitter.state().moved_shared_bytes != 0)
    bytes = builder.CreateSub(bytes, builder.getInt64(emitter.state().moved_shared_bytes));
  llvm::Value* stride = builder.getInt64(ir::element_stride(operation.type.element()));
  return {dynamic_shared_memory(emitter.state()), builder.CreateUDiv(bytes, stride)};
}

bool emit_allocation(FunctionEmitter& emitter, const Operation& operation) {
  switch (operation.op) {
    case Op::shared_array:
      emitter.define(
          operation, array_at(emitter, shared_array_of(emitter.state(), operation), operation));
      return true;
    case Op::dynamic_shared_array:
      emitter.define(operation, dynamic_shared(emitter, operation));
      return true;
    case Op::local_array:
      emitter.define(operation, array_at(emitter, local_memory(emitter, operation), operation));
      return true;
    case Op::constant_array:
      emitter.define(
          operation,
          array_at(emitter, constant_array_of(emitter.state(), operation.index), operation));
      return true;
    case Op::global_array:
      emitter.define(
          operation,
          array_at(emitter, global_array_of(emitter.state(), operation.index), operation));
      return true;
    default:
      return false;
  }
}

Components make_array(FunctionEmitter& emitter, const Operation& operation) {
  Components value{as_pointer(emitter.builder(), emitter.operand(operation, 0), operation.type)};
  for (std::size_t i = 1; i < operation.operands.size(); ++i)
    value.push_back(emitter.operand(operation, i));
  PHX_ASSERT(value.size() == component_count(operation.type));
  return value;
}

// Bytes between neighbours of one dimension: stored, or the product of the extents that run faster.
llvm::Value* stride_of(FunctionEmitter& emitter, const Operation& array, unsigned dimension) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const ir::Type& type = array.type;
  const Components& parts = emitter.components(&array);
  const unsigned ndim = type.ndim();
  if (type.layout() == ir::Layout::any)
    return parts[1 + ndim + dimension];
  llvm::Value* stride = builder.getInt64(ir::element_stride(type.element()));
  const bool is_c = type.layout() == ir::Layout::c;
  const unsigned first = is_c ? dimension + 1 : 0;
  const unsigned end = is_c ? ndim : dimension;
  for (unsigned i = first; i < end; ++i)
    stride = builder.CreateMul(stride, parts[1 + i], "", true, true);
  return stride;
}

llvm::Value* field_pointer(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const ir::Type& record = operation.operands[0]->type.element();
  const ir::Field& field = record.fields()[static_cast<std::size_t>(operation.index)];
  return builder.CreateInBoundsGEP(
      builder.getInt8Ty(), emitter.operand(operation, 0), builder.getInt64(field.offset));
}

}  // namespace

llvm::Value* as_pointer(llvm::IRBuilder<>& builder, llvm::Value* pointer, const ir::Type& type) {
  const unsigned space = address_space(type.space(), AddressSpaces::nvptx);
  return builder.CreateAddrSpaceCast(pointer, llvm::PointerType::get(builder.getContext(), space));
}

Components load(FunctionEmitter& emitter, llvm::Value* pointer, const ir::Type& type) {
  return load(emitter, pointer, type, ir::alignment_of(type));
}

void store(
    FunctionEmitter& emitter, llvm::Value* pointer, const ir::Type& type, const Components& value) {
  store(emitter, pointer, type, value, ir::alignment_of(type));
}

bool emit_memory(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const auto& operands = operation.operands;
  switch (operation.op) {
    case Op::array_make:
      emitter.define(operation, make_array(emitter, operation));
      return true;
    case Op::array_data:
      emitter.define(operation, {emitter.operand(operation, 0)});
      return true;
    case Op::array_shape:
      emitter.define(
          operation,
          {emitter.components(operands[0])[static_cast<std::size_t>(operation.index) + 1]});
      return true;
    case Op::array_stride:
      emitter.define(
          operation, {stride_of(emitter, *operands[0], static_cast<unsigned>(operation.index))});
      return true;
    case Op::array_element:
      emitter.define(operation, {element_pointer(emitter, operation, operands.size() - 1)});
      return true;
    case Op::wrap_index: {
      llvm::Value* index = emitter.operand(operation, 0);
      llvm::Value* is_negative = builder.CreateICmpSLT(index, builder.getInt64(0));
      llvm::Value* wrapped = builder.CreateAdd(index, emitter.operand(operation, 1));
      emitter.define(operation, {builder.CreateSelect(is_negative, wrapped, index)});
      return true;
    }
    case Op::pointer_offset: {
      llvm::Value* moved = builder.CreateGEP(
          builder.getInt8Ty(), emitter.operand(operation, 0), emitter.operand(operation, 1));
      emitter.define(operation, {as_pointer(builder, moved, operation.type)});
      return true;
    }
    case Op::pointer_field:
      emitter.define(operation, {field_pointer(emitter, operation)});
      return true;
    default:
      return emit_access(emitter, operation) || emit_allocation(emitter, operation);
  }
}

// Indices are inside the array, so that neither products nor sums overflow.
llvm::Value* element_pointer(
    FunctionEmitter& emitter, const Operation& operation, std::size_t indices) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const ir::Type& type = operation.operands[0]->type;
  const Components& parts = emitter.components(operation.operands[0]);
  const auto ndim = static_cast<unsigned>(indices);
  llvm::Value* data = parts[0];
  const auto index = [&](unsigned i) { return emitter.operand(operation, i + 1); };
  if (ndim == 0)
    return data;
  if (type.layout() == ir::Layout::any) {
    llvm::Value* offset = nullptr;
    for (unsigned i = 0; i < ndim; ++i) {
      llvm::Value* part = builder.CreateMul(index(i), parts[1 + ndim + i], "", false, true);
      offset = offset == nullptr ? part : builder.CreateAdd(offset, part, "", false, true);
    }
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), data, offset);
  }
  const bool is_c = type.layout() == ir::Layout::c;
  const auto slowest_first = [&](unsigned i) { return is_c ? i : ndim - 1 - i; };
  llvm::Value* linear = index(slowest_first(0));
  for (unsigned i = 1; i < ndim; ++i) {
    const unsigned dimension = slowest_first(i);
    linear = builder.CreateMul(linear, parts[1 + dimension], "", true, true);
    linear = builder.CreateAdd(linear, index(dimension), "", true, true);
  }
  llvm::Type* step = llvm::ArrayType::get(builder.getInt8Ty(), ir::element_stride(type.element()));
  if (type.element().is_scalar())
    step = memory_type(builder.getContext(), type.element().dtype());
  return builder.CreateInBoundsGEP(step, data, linear);
}

Components load(
    FunctionEmitter& emitter,
    llvm::Value* pointer,
    const ir::Type& type,
    std::size_t alignment_bytes) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::LLVMContext& context = builder.getContext();
  const llvm::Align alignment(alignment_bytes);
  const auto numbers = [&](DType dtype, unsigned count) {
    Components value;
    llvm::Type* vector = llvm::FixedVectorType::get(memory_type(context, dtype), count);
    llvm::Value* all = builder.CreateAlignedLoad(vector, pointer, alignment);
    for (unsigned i = 0; i < count; ++i)
      value.push_back(from_memory(builder, dtype, builder.CreateExtractElement(all, i)));
    return value;
  };
  switch (type.kind()) {
    case ir::TypeKind::scalar: {
      if (is_complex(type.dtype())) {
        const Components parts = numbers(real_part_of(type.dtype()), 2);
        return {make_complex(emitter.ops(), parts[0], parts[1])};
      }
      llvm::Type* stored = memory_type(context, type.dtype());
      llvm::Value* value = builder.CreateAlignedLoad(stored, pointer, alignment);
      return {from_memory(builder, type.dtype(), value)};
    }
    case ir::TypeKind::vector:
      return numbers(type.dtype(), type.lanes());
    case ir::TypeKind::pointer:
    case ir::TypeKind::record: {
      llvm::Type* stored = component_types(context, type, AddressSpaces::nvptx).front();
      return {builder.CreateAlignedLoad(stored, pointer, alignment)};
    }
    default:
      throw CompileError(
          CompileError::Kind::lowering, ir::to_string(type) + " has no form in memory");
  }
}

void store(
    FunctionEmitter& emitter,
    llvm::Value* pointer,
    const ir::Type& type,
    const Components& value,
    std::size_t alignment_bytes) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const llvm::Align alignment(alignment_bytes);
  const auto numbers = [&](DType dtype, const Components& parts) {
    llvm::Type* stored = memory_type(builder.getContext(), dtype);
    const auto count = static_cast<unsigned>(parts.size());
    llvm::Value* all = llvm::PoisonValue::get(llvm::FixedVectorType::get(stored, count));
    for (unsigned i = 0; i < count; ++i)
      all = builder.CreateInsertElement(all, to_memory(builder, dtype, parts[i]), i);
    builder.CreateAlignedStore(all, pointer, alignment);
  };
  if (type.is_vector()) {
    numbers(type.dtype(), value);
    return;
  }
  if (type.is_scalar() && is_complex(type.dtype())) {
    const DType part = real_part_of(type.dtype());
    numbers(part, {real_of(emitter.ops(), value[0]), imaginary_of(emitter.ops(), value[0])});
    return;
  }
  llvm::Value* stored = value[0];
  if (type.is_scalar())
    stored = to_memory(builder, type.dtype(), stored);
  builder.CreateAlignedStore(stored, pointer, alignment);
}

}  // namespace phalanx::codegen::nvptx
