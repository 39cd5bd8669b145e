#include "phalanx/arrays/flat_expression.h"

#include "phalanx/arrays/siblings.h"

namespace phalanx::arrays {

bool FlatExpression::read(const NodePtr& root) {
  const std::int64_t size = root->size();
  device_ = root->device;
  // Larger values may be computed together with others, and those of one element take no loop.
  if (!std::holds_alternative<Call>(root->made_by) || size < 2 || size >= RecentArrays::least_size)
    return false;
  root_ = &root;
  return add(root).has_value() && device_ != nullptr;
}

// The number of a node that was met before, or is added now; nothing where it does not belong here.
std::optional<FlatExpression::Number> FlatExpression::add(const NodePtr& node) {
  for (const Known& known : std::span(known_).first(known_count_)) {
    if (known.node == node.get())
      return known.number;
  }
  std::optional<Number> number;
  if (const auto* call = std::get_if<Call>(&node->made_by))
    number = add_call(node, *call);
  else if (const auto* memory = std::get_if<Memory>(&node->made_by))
    number = add_array(*node, *memory);
  else if (std::holds_alternative<arrays::Number>(node->made_by))
    number = add_number(node);  // which has no dimensions
  if (!number || known_count_ == most_nodes)
    return std::nullopt;
  known_[known_count_++] = {node.get(), *number};
  return number;
}

std::optional<FlatExpression::Number> FlatExpression::add_call(
    const NodePtr& node, const Call& call) {
  const bool is_root = node == *root_;
  const bool has_shape = node->shape == root()->shape || *node->shape == *root()->shape;
  // A part shares its operand's memory, and what was computed on the way before is kept now.
  if (!has_shape || call.function->part >= 0 || (!is_root && node->inlined > 0 && node->weight > 1))
    return std::nullopt;
  std::array<Number, 3> operands = {};
  std::size_t count = 0;
  for (const NodePtr& each : call.in_order()) {
    const auto operand = add(each);
    if (!operand)
      return std::nullopt;
    operands.at(count++) = *operand;
  }
  if (known_count_ == most_nodes)
    return std::nullopt;
  write('c');
  write(call.function->number);
  write(node->dtype);
  for (const Number operand : std::span(operands).first(count)) write(operand);
  if (!is_root)
    inlined_.at(inlined_count_++) = node;
  return next_++;
}

// Arrays of the same memory are one, as in a program.
std::optional<FlatExpression::Number> FlatExpression::add_array(
    const Node& node, const Memory& memory) {
  if (known_count_ == most_nodes || !is_flat(*memory))
    return std::nullopt;
  for (std::size_t i = 0; i < array_count_; ++i) {
    const views::DeviceArray& other = *arrays_.at(i);
    if (other.address == memory->address && other.element == memory->element)
      return array_numbers_.at(i);
  }
  if (array_count_ == most_arrays)
    return std::nullopt;
  write('a');
  write(node.dtype);
  arrays_.at(array_count_) = memory;
  array_numbers_.at(array_count_++) = next_;
  return next_++;
}

std::optional<FlatExpression::Number> FlatExpression::add_number(const NodePtr& node) {
  if (known_count_ == most_nodes || number_count_ == most_numbers)
    return std::nullopt;
  write('n');
  write(node->dtype);
  numbers_.at(number_count_++) = node;
  return next_++;
}

bool FlatExpression::is_flat(const views::DeviceArray& array) {
  if (device_ == nullptr && array.device->is_host())
    device_ = array.device;
  if (array.device != device_ || array.shape != *root()->shape)
    return false;
  auto stride = static_cast<std::int64_t>(array.item_bytes());
  for (std::size_t i = array.shape.size(); i-- > 0;) {
    if (array.strides[i] != stride)
      return false;
    stride *= array.shape[i];
  }
  return true;
}

}  // namespace phalanx::arrays
