// Values of a warp: their types, their vectors and lanes, and sums and products that keep shapes.
#include <llvm/IR/Constants.h>

#include "phalanx/codegen/cpu/shapes.h"
#include "phalanx/codegen/cpu/warp_builder.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen::cpu {

namespace {

// {T, T} -> {<n x T>, <n x T>}, [k x T] -> [k x <n x T>], T -> <n x T>.
llvm::Type* vectorized(llvm::Type* type, unsigned lanes) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    llvm::SmallVector<llvm::Type*, 2> elements;
    for (llvm::Type* element : structure->elements())
      elements.push_back(vectorized(element, lanes));
    return llvm::StructType::get(type->getContext(), elements);
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return llvm::ArrayType::get(
        vectorized(array->getElementType(), lanes), array->getNumElements());
  return llvm::FixedVectorType::get(type, lanes);
}

// select() on each part of a struct or array of vectors.
llvm::Value* select_parts(
    llvm::IRBuilderBase& builder, llvm::Value* mask, llvm::Value* a, llvm::Value* b) {
  llvm::Type* type = a->getType();
  if (type->isVectorTy())
    return builder.CreateSelect(mask, a, b);
  const unsigned parts = type->isStructTy() ? type->getStructNumElements()
                                            : static_cast<unsigned>(type->getArrayNumElements());
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < parts; ++i)
    result = builder.CreateInsertValue(
        result,
        select_parts(
            builder, mask, builder.CreateExtractValue(a, i), builder.CreateExtractValue(b, i)),
        i);
  return result;
}

}  // namespace

llvm::Type* component_type_of(
    const Compilation& compilation, const ir::Type& type, unsigned component, const Shape& shape) {
  llvm::Type* single =
      component_types(compilation.module.getContext(), type, AddressSpaces::flat).at(component);
  return shape.uniformity == Uniformity::varying ? vectorized(single, compilation.variant.lanes)
                                                 : single;
}

llvm::Type* WarpBuilder::component_type(
    const ir::Type& type, unsigned component, const Shape& shape) {
  return component_type_of(compilation_, type, component, shape);
}

llvm::Value* WarpBuilder::lane_offsets(llvm::Type* scalar, std::int64_t stride) {
  llvm::SmallVector<llvm::Constant*, 32> offsets;
  for (unsigned lane = 0; lane < lanes(); ++lane)
    offsets.push_back(
        llvm::ConstantInt::get(scalar, static_cast<std::uint64_t>(stride * lane), true));
  return llvm::ConstantVector::get(offsets);
}

llvm::Value* WarpBuilder::vector_of(const Component& component) {
  llvm::Value* value = component.value;
  switch (component.shape.uniformity) {
    case Uniformity::varying:
      return value;
    case Uniformity::affine:
      if (value->getType()->isPointerTy())
        return builder_.CreateGEP(
            builder_.getInt8Ty(),
            value,
            lane_offsets(builder_.getInt64Ty(), component.shape.stride));
      return builder_.CreateAdd(
          builder_.CreateVectorSplat(lanes(), value),
          lane_offsets(value->getType(), component.shape.stride));
    case Uniformity::block:
    case Uniformity::warp:
      break;
  }
  auto* array = llvm::dyn_cast<llvm::ArrayType>(value->getType());
  if (array == nullptr)
    return splat(builder_, value, lanes());
  llvm::Value* result = llvm::PoisonValue::get(vectorized(array, lanes()));
  for (unsigned i = 0; i < array->getNumElements(); ++i) {
    llvm::Value* element = builder_.CreateExtractValue(value, i);
    result = builder_.CreateInsertValue(result, builder_.CreateVectorSplat(lanes(), element), i);
  }
  return result;
}

llvm::Value* WarpBuilder::lane_of(llvm::Value* vector, llvm::Value* lane) {
  llvm::Type* type = vector->getType();
  if (type->isVectorTy())
    return builder_.CreateExtractElement(vector, lane);
  const unsigned parts = type->isStructTy() ? type->getStructNumElements()
                                            : static_cast<unsigned>(type->getArrayNumElements());
  llvm::SmallVector<llvm::Value*, 4> elements;
  llvm::SmallVector<llvm::Type*, 4> types;
  for (unsigned i = 0; i < parts; ++i) {
    elements.push_back(lane_of(builder_.CreateExtractValue(vector, i), lane));
    types.push_back(elements.back()->getType());
  }
  llvm::Type* single = type->isStructTy()
                           ? static_cast<llvm::Type*>(llvm::StructType::get(context(), types))
                           : llvm::ArrayType::get(types[0], parts);
  llvm::Value* result = llvm::PoisonValue::get(single);
  for (unsigned i = 0; i < parts; ++i) result = builder_.CreateInsertValue(result, elements[i], i);
  return result;
}

Component WarpBuilder::combined(
    llvm::Instruction::BinaryOps op, const Shape& shape, const Component& a, const Component& b) {
  const bool as_scalar = shape.uniformity != Uniformity::varying;
  llvm::Value* left = as_scalar ? a.value : vector_of(a);
  llvm::Value* right = as_scalar ? b.value : vector_of(b);
  return {shape, builder_.CreateBinOp(op, left, right)};
}

Component WarpBuilder::sum(const Component& a, const Component& b) {
  return combined(llvm::Instruction::Add, sum_of(a.shape, b.shape), a, b);
}

Component WarpBuilder::product(const Component& a, const Component& b) {
  return combined(llvm::Instruction::Mul, product_of(a.shape, b.shape), a, b);
}

// The byte stride of each dimension.
std::vector<Component> WarpBuilder::strides_of(const ir::Type& type, const Value& view) {
  const unsigned ndim = type.ndim();
  if (type.layout() == ir::Layout::any)
    return {view.begin() + 1 + ndim, view.begin() + 1 + 2 * ndim};
  std::vector<Component> strides(ndim);
  const auto bytes = static_cast<std::int64_t>(ir::size_of(type.element()));
  Component stride = {Shape::known(bytes), builder_.getInt64(static_cast<std::uint64_t>(bytes))};
  for (unsigned i = 0; i < ndim; ++i) {
    const unsigned dimension = type.layout() == ir::Layout::c ? ndim - 1 - i : i;
    strides[dimension] = stride;
    if (i + 1 < ndim)
      stride = product(stride, view[1 + dimension]);
  }
  return strides;
}

// Local arrays lie element after element, each for all lanes: offsets count `lanes` times.
Component WarpBuilder::add_offset(
    const Component& pointer, const Component& offset, ir::Space space) {
  Component moved = offset;
  if (space == ir::Space::local && lanes() > 1)
    moved = product(offset, {Shape::known(lanes()), builder_.getInt64(lanes())});
  Shape shape = sum_of(pointer.shape, moved.shape);
  shape.constant.reset();
  if (shape.uniformity != Uniformity::varying)
    return {shape, builder_.CreateGEP(builder_.getInt8Ty(), pointer.value, moved.value)};
  llvm::Value* base = pointer.shape.is_uniform() ? pointer.value : vector_of(pointer);
  llvm::Value* bytes = moved.shape.is_uniform() ? moved.value : vector_of(moved);
  return {shape, builder_.CreateGEP(builder_.getInt8Ty(), base, bytes)};
}

llvm::Value* WarpBuilder::select_running(llvm::Value* here, llvm::Value* elsewhere) {
  return select_parts(builder_, mask_, here, elsewhere);
}

}  // namespace phalanx::codegen::cpu
