#include "phalanx/codegen/llvm/lower_types.h"

#include <algorithm>

#include <llvm/IR/LLVMContext.h>

#include "phalanx/base/errors.h"

namespace phalanx::codegen {
namespace {

llvm::Type* element_type(llvm::LLVMContext& context, DType dtype) {
  switch (kind_of(dtype)) {
    case DTypeKind::boolean:
      return llvm::Type::getInt1Ty(context);
    case DTypeKind::signed_integer:
    case DTypeKind::unsigned_integer:
      return llvm::Type::getIntNTy(context, bits_of(dtype));
    default:
      break;
  }
  switch (real_part_of(dtype)) {
    case DType::float16:
      return llvm::Type::getHalfTy(context);
    case DType::bfloat16:
      return llvm::Type::getBFloatTy(context);
    case DType::float32:
      return llvm::Type::getFloatTy(context);
    default:
      return llvm::Type::getDoubleTy(context);
  }
}

void append(
    llvm::LLVMContext& context,
    const ir::Type& type,
    AddressSpaces spaces,
    std::vector<llvm::Type*>& result) {
  switch (type.kind()) {
    case ir::TypeKind::none:
      return;
    case ir::TypeKind::scalar:
      result.push_back(register_type(context, type.dtype()));
      return;
    case ir::TypeKind::pointer:
      result.push_back(llvm::PointerType::get(context, address_space(type.space(), spaces)));
      return;
    case ir::TypeKind::array:
      result.push_back(llvm::PointerType::get(context, address_space(type.space(), spaces)));
      result.insert(result.end(), component_count(type) - 1, llvm::Type::getInt64Ty(context));
      return;
    case ir::TypeKind::tuple:
      for (const ir::Field& field : type.fields()) append(context, field.type, spaces, result);
      return;
    case ir::TypeKind::record:
      result.push_back(record_type(context, type));
      return;
    case ir::TypeKind::vector:
      result.insert(result.end(), type.lanes(), register_type(context, type.dtype()));
      return;
  }
}

}  // namespace

llvm::Type* register_type(llvm::LLVMContext& context, DType dtype, unsigned lanes) {
  llvm::Type* element = element_type(context, dtype);
  if (lanes != 0)
    element = llvm::FixedVectorType::get(element, lanes);
  return is_complex(dtype) ? llvm::StructType::get(element, element) : element;
}

llvm::Type* memory_type(llvm::LLVMContext& context, DType dtype) {
  if (is_boolean(dtype))
    return llvm::Type::getInt8Ty(context);
  llvm::Type* element = element_type(context, dtype);
  return is_complex(dtype) ? llvm::ArrayType::get(element, 2) : element;
}

unsigned address_space(ir::Space space, AddressSpaces spaces) {
  if (spaces == AddressSpaces::flat)
    return 0;
  // Allocas and big constants are generic pointers in LLVM's eyes; its NVPTX back end finds out
  // where they lie, and a cast would keep small local arrays out of registers.
  switch (space) {
    case ir::Space::global:
      return 1;
    case ir::Space::shared:
      return 3;
    default:
      return 0;
  }
}

std::vector<llvm::Type*> component_types(
    llvm::LLVMContext& context, const ir::Type& type, AddressSpaces spaces) {
  std::vector<llvm::Type*> result;
  append(context, type, spaces, result);
  return result;
}

unsigned component_count(const ir::Type& type) {
  switch (type.kind()) {
    case ir::TypeKind::none:
      return 0;
    case ir::TypeKind::array:
      return 1 + type.ndim() * (type.layout() == ir::Layout::any ? 2 : 1);
    case ir::TypeKind::tuple: {
      unsigned count = 0;
      for (const ir::Field& field : type.fields()) count += component_count(field.type);
      return count;
    }
    case ir::TypeKind::vector:
      return type.lanes();
    default:
      return 1;
  }
}

unsigned first_component(const ir::Type& tuple, unsigned index) {
  PHX_ASSERT(tuple.is_tuple() && index < tuple.fields().size());
  unsigned first = 0;
  for (unsigned i = 0; i < index; ++i) first += component_count(tuple.fields()[i].type);
  return first;
}

llvm::Type* record_type(llvm::LLVMContext& context, const ir::Type& record) {
  const std::size_t bytes = ir::size_of(record);
  std::size_t unit = std::clamp<std::size_t>(ir::alignment_of(record), 1, 8);
  if (bytes % unit != 0)
    unit = 1;
  llvm::Type* word = llvm::Type::getIntNTy(context, static_cast<unsigned>(8 * unit));
  return llvm::ArrayType::get(word, bytes / unit);
}

}  // namespace phalanx::codegen
