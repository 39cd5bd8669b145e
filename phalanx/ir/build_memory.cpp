#include "phalanx/ir/build_memory.h"

namespace phalanx::ir {

namespace {

Builder::Value array_of(
    Builder& builder, Op op, Type element, std::vector<std::int64_t> shape, Space space) {
  const auto ndim = static_cast<unsigned>(shape.size());
  Operation& operation = builder.append(
      op, Type::array(std::move(element), ndim, Layout::c, space, space != Space::constant));
  operation.shape = std::move(shape);
  return &operation;
}

}  // namespace

Builder::Value shared_array(Builder& builder, Type element, std::vector<std::int64_t> shape) {
  return array_of(builder, Op::shared_array, std::move(element), std::move(shape), Space::shared);
}
Builder::Value dynamic_shared_array(Builder& builder, Type element) {
  return &builder.append(
      Op::dynamic_shared_array, Type::array(std::move(element), 1, Layout::c, Space::shared));
}
Builder::Value sized_shared_array(Builder& builder, Type element, Builder::Values extents) {
  const auto ndim = static_cast<unsigned>(extents.size());
  return &builder.append(
      Op::sized_shared_array,
      Type::array(std::move(element), ndim, Layout::c, Space::shared),
      std::move(extents));
}
Builder::Value local_array(Builder& builder, Type element, std::vector<std::int64_t> shape) {
  return array_of(builder, Op::local_array, std::move(element), std::move(shape), Space::local);
}
Builder::Value constant_array(Builder& builder, const Module& module, std::size_t index) {
  const ConstantArray& array = module.constants.at(index);
  const auto ndim = static_cast<unsigned>(array.shape.size());
  Type type = Type::array(array.element, ndim, Layout::c, Space::constant, false);
  Operation& operation = builder.append(Op::constant_array, std::move(type));
  operation.index = static_cast<std::int64_t>(index);
  return &operation;
}

Builder::Value global_array(Builder& builder, const Module& module, std::size_t index) {
  const Global& global = module.globals.at(index);
  const auto ndim = static_cast<unsigned>(global.shape.size());
  const bool is_mutable = global.space == Space::global;
  Operation& operation = builder.append(
      Op::global_array, Type::array(global.element, ndim, Layout::c, global.space, is_mutable));
  operation.index = static_cast<std::int64_t>(index);
  return &operation;
}

Builder::Value memory_mark(Builder& builder) {
  return &builder.append(Op::memory_mark, DType::int64);
}

Builder::Value hinted_load(Builder& builder, CacheOperator cache, Builder::Value pointer) {
  Operation& operation = builder.append(Op::hinted_load, pointer->type.element(), {pointer});
  operation.detail = cache;
  return &operation;
}
void hinted_store(
    Builder& builder, CacheOperator cache, Builder::Value pointer, Builder::Value value) {
  builder.append(Op::hinted_store, {}, {pointer, value}).detail = cache;
}

}  // namespace phalanx::ir
