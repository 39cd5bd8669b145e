// What the interpreter's operations yield.
#include <cstring>
#include <stdexcept>

#include "interpreter_thread.h"
#include "phalanx/ir/typing.h"

namespace phalanx::test {

using ir::Op;
using ir::Operation;
using ir::Type;

namespace {

constexpr auto fill = std::byte{0xcd};  // of memory without content

Words slice(const Words& words, std::size_t first, std::size_t count) {
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

Words Thread::compute(const Operation& operation) {
  if (ir::is_elementwise(operation.op)) {
    std::vector<const Words*> operands;
    for (const Operation* operand : operation.operands) operands.push_back(&value(operand));
    return elementwise(operation, operands);
  }
  switch (operation.op) {
    case Op::array_make:
    case Op::array_data:
    case Op::array_shape:
    case Op::array_stride:
    case Op::array_element:
    case Op::array_load:
    case Op::wrap_index:
    case Op::shared_array:
    case Op::dynamic_shared_array:
    case Op::local_array:
    case Op::constant_array:
      return compute_array(operation);
    case Op::thread_index:
    case Op::block_index:
    case Op::block_extent:
    case Op::grid_extent:
    case Op::lane_index:
      return compute_thread(operation);
    case Op::atomic:
    case Op::atomic_cas:
      return compute_atomic(operation);
    default:
      return compute_value(operation);
  }
}

Words Thread::compute_value(const Operation& operation) {
  const auto operand = [&](std::size_t i) -> const Words& { return value(operation.operands[i]); };
  const auto index = static_cast<std::size_t>(operation.index);
  switch (operation.op) {
    case Op::constant:
      return constant(operation.constant);
    case Op::undefined:
      return Words(words_of(operation.type));
    case Op::cast:
      return cast(operation.operands[0]->type.dtype(), operation.type.dtype(), operand(0));
    case Op::bitcast: {
      Buffer bytes(size_of(operation.type));
      store(operation.operands[0]->type, operand(0), bytes.data());
      return load(operation.type, bytes.data());
    }
    case Op::get:
      return frame().variables[operation.variable];
    case Op::complex_make:
    case Op::tuple_make:
    case Op::vector_make: {
      Words words;
      for (std::size_t i = 0; i < operation.operands.size(); ++i)
        words.insert(words.end(), operand(i).begin(), operand(i).end());
      return words;
    }
    case Op::complex_real:
      return {operand(0)[0]};
    case Op::complex_imag:
      return {operand(0)[1]};
    case Op::tuple_get:
      return slice(
          operand(0), first_word(operation.operands[0]->type, index), words_of(operation.type));
    case Op::vector_get:
      return slice(operand(0), index * words_of(operation.type), words_of(operation.type));
    case Op::load:
    case Op::hinted_load:
      return load(operation.type, as_pointer(operand(0)[0]));
    case Op::pointer_offset:
      return {operand(0)[0] + operand(1)[0]};
    case Op::pointer_field: {
      const Type& record = operation.operands[0]->type.element();
      return {operand(0)[0] + record.fields()[index].offset};
    }
    default:
      throw std::logic_error("interpreter: no " + std::string(ir::name_of(operation.op)));
  }
}

std::byte* Thread::element(const Operation& operation) {
  const Words& view = value(operation.operands[0]);
  const std::size_t ndim = operation.operands[0]->type.ndim();
  std::uint64_t address = view[0];
  for (std::size_t i = 0; i < ndim; ++i)
    address += value(operation.operands[1 + i])[0] * view[1 + ndim + i];
  return as_pointer(address);
}

Buffer& Thread::allocated(Buffer& buffer, const Operation& operation) const {
  std::size_t bytes = ir::element_stride(operation.type.element());
  for (const std::int64_t extent : operation.shape) bytes *= static_cast<std::size_t>(extent);
  if (buffer.empty())
    buffer.assign(bytes + 1, fill);
  return buffer;
}

Words Thread::compute_array(const Operation& operation) {
  const Type& type = operation.type;
  const auto operand = [&](std::size_t i) -> const Words& { return value(operation.operands[i]); };
  const auto index = static_cast<std::size_t>(operation.index);
  switch (operation.op) {
    case Op::array_make: {
      Words view;
      for (std::size_t i = 0; i < operation.operands.size(); ++i) view.push_back(operand(i)[0]);
      if (type.layout() != ir::Layout::any)
        append_strides(type, view);
      return view;
    }
    case Op::array_data:
      return {operand(0)[0]};
    case Op::array_shape:
      return {operand(0)[1 + index]};
    case Op::array_stride:
      return {operand(0)[1 + operation.operands[0]->type.ndim() + index]};
    case Op::array_element:
      return {as_word(element(operation))};
    case Op::array_load:
      return load(type, element(operation));
    case Op::wrap_index: {
      const auto at = static_cast<std::int64_t>(operand(0)[0]);
      return {at < 0 ? operand(0)[0] + operand(1)[0] : operand(0)[0]};
    }
    case Op::shared_array: {
      Buffer& buffer = allocated(memory_.shared[&operation], operation);
      return array_view(type, buffer.data(), operation.shape);
    }
    case Op::local_array: {
      Buffer& buffer = allocated(frame().local[&operation], operation);
      return array_view(type, buffer.data(), operation.shape);
    }
    case Op::dynamic_shared_array: {
      const std::size_t stride = ir::element_stride(type.element());
      const auto extent = static_cast<std::int64_t>(machine_.launch.dynamic_shared_bytes / stride);
      return array_view(type, memory_.dynamic.data(), {extent});
    }
    default: {  // constant_array
      const ir::ConstantArray& array = machine_.module.constants[index];
      return array_view(type, const_cast<std::byte*>(array.bytes.data()), array.shape);
    }
  }
}

Words Thread::compute_thread(const Operation& operation) {
  const auto dimension = static_cast<std::size_t>(operation.index);
  const auto& extent = machine_.launch.block;
  switch (operation.op) {
    case Op::thread_index:
      return {thread_.at(dimension)};
    case Op::block_index:
      return {block_.at(dimension)};
    case Op::block_extent:
      return {extent.at(dimension)};
    case Op::grid_extent:
      return {machine_.launch.grid.at(dimension)};
    default: {  // lane_index
      const auto linear = thread_[0] + extent[0] * (thread_[1] + extent[1] * thread_[2]);
      return {linear % 32};
    }
  }
}

Words Thread::compute_atomic(const Operation& operation) {
  const DType dtype = operation.type.dtype();
  std::byte* address = as_pointer(value(operation.operands[0])[0]);
  Words old = load(dtype, address);
  if (operation.op == Op::atomic_cas) {
    if (old == value(operation.operands[1]))
      store(dtype, value(operation.operands[2]), address);
    return old;
  }
  store(
      dtype,
      {atomic_result(
          std::get<ir::Atomic>(operation.detail), dtype, old[0], value(operation.operands[1])[0])},
      address);
  return old;
}

}  // namespace phalanx::test
