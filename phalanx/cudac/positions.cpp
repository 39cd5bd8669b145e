#include "phalanx/cudac/positions.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "phalanx/ir/idioms.h"

namespace phalanx::cudac {

namespace {

using ir::Op;

constexpr std::uint64_t most_threads = 1024;  // of a block, along a dimension
constexpr std::uint64_t most_blocks = std::uint64_t{1} << 25U;
constexpr std::uint64_t most_rows_of_blocks = 65535;  // along y and z
constexpr std::uint64_t largest = (std::uint64_t{1} << 31U) - 1;
constexpr unsigned deepest = 16;

// The operation below casts that keep an integer's bits.
const ir::Operation* uncast(const ir::Operation* value) {
  while (value->op == Op::cast && value->operands[0]->type.is_scalar() &&
         is_integer(value->operands[0]->type.dtype()) && bits_of(value->type.dtype()) >= 32)
    value = value->operands[0];
  return value;
}

// The two are of one dimension, in either order.
bool is_pair(const ir::Operation* a, const ir::Operation* b, Op one, Op other) {
  if (a->op != one)
    std::swap(a, b);
  return a->op == one && b->op == other && a->index == b->index;
}

// The dimension of blockIdx * blockDim.
std::optional<std::int64_t> origin_dimension(const ir::Operation* value) {
  value = uncast(value);
  if (value->op != Op::multiply)
    return std::nullopt;
  const ir::Operation* a = uncast(value->operands[0]);
  const ir::Operation* b = uncast(value->operands[1]);
  return is_pair(a, b, Op::block_index, Op::block_extent) ? std::optional(a->index) : std::nullopt;
}

// blockIdx by what may be the extent of a block, which programs also write as a constant.
bool is_origin(const ir::Operation* a, const ir::Operation* b) {
  if (a->op != Op::block_index)
    std::swap(a, b);
  const auto* number = std::get_if<std::int64_t>(&b->constant);
  return a->op == Op::block_index && b->op == Op::constant && number != nullptr && *number >= 0 &&
         static_cast<std::uint64_t>(*number) <= most_threads;
}

// Numbers that are not negative, and what they are at most.
std::optional<std::uint64_t> most(const ir::Operation* value, unsigned depth = 0) {
  value = uncast(value);
  if (depth > deepest)
    return std::nullopt;
  switch (value->op) {
    case Op::thread_index:
      return most_threads - 1;
    case Op::block_extent:
      return most_threads;
    case Op::block_index:
    case Op::grid_extent:
      return value->index == 0 ? most_blocks : most_rows_of_blocks;
    case Op::constant: {
      const auto* number = std::get_if<std::int64_t>(&value->constant);
      const bool is_known = number != nullptr && *number >= 0;
      return is_known ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
    }
    case Op::add:
    case Op::multiply:
      break;
    default:
      return std::nullopt;
  }
  const ir::Operation* a = uncast(value->operands[0]);
  const ir::Operation* b = uncast(value->operands[1]);
  const bool is_product = value->op == Op::multiply;
  if (is_product && (is_origin(a, b) || is_pair(a, b, Op::block_index, Op::block_extent) ||
                     is_pair(a, b, Op::grid_extent, Op::block_extent)))
    return largest - most_threads;
  const auto x = most(a, depth + 1);
  const auto y = most(b, depth + 1);
  if (!x || !y || *x > largest || *y > largest)
    return std::nullopt;
  const std::uint64_t result = is_product ? *x * *y : *x + *y;
  return result <= largest ? std::optional(result) : std::nullopt;
}

}  // namespace

ir::Operation* grid_position(ir::Builder& builder, Op op, ir::Operation* x, ir::Operation* y) {
  if (op != Op::add)
    return nullptr;
  if (uncast(x)->op == Op::thread_index)
    std::swap(x, y);
  const auto dimension = origin_dimension(x);
  const ir::Operation* thread = uncast(y);
  if (!dimension || thread->op != Op::thread_index || thread->index != *dimension)
    return nullptr;
  ir::Operation* position =
      ir::global_index(builder, static_cast<unsigned>(*dimension), DType::int64);
  ir::Operation* narrow = builder.cast(position, DType::int32);
  narrow->no_wrap = true;
  return builder.cast(narrow, x->type.dtype());
}

ir::Operation* signed_sum(ir::Builder& builder, const ir::Operation& sum) {
  if (sum.op != Op::add || sum.no_wrap || sum.type != ir::Type(DType::uint32))
    return nullptr;
  const auto as_int = [&](ir::Operation* value) {
    const bool was_int =
        value->op == Op::cast && value->operands[0]->type == ir::Type(DType::int32);
    return was_int ? value->operands[0] : nullptr;
  };
  ir::Operation* a = sum.operands[0];
  ir::Operation* b = sum.operands[1];
  if (!is_small(*b))
    std::swap(a, b);
  ir::Operation* number = as_int(a);
  if (number == nullptr || !is_small(*b))
    return nullptr;
  ir::Operation* result = builder.elementwise(Op::add, {number, builder.cast(b, DType::int32)});
  result->no_wrap = true;
  return result;
}

bool is_small(const ir::Operation& value) { return most(&value).has_value(); }

}  // namespace phalanx::cudac
