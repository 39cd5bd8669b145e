// Which attribute of an operation has a meaning: the printer, the parser, the verifier and the
// comparison of operations read it from here.
#pragma once

#include <string_view>

#include "phalanx/ir/op.h"

namespace phalanx::ir {

enum class Attribute : std::uint8_t {
  none,
  constant,
  index,
  variable,
  detail,
  text,
  shape,
  callee
};

constexpr Attribute attribute_of(Op op) {
  switch (op) {
    case Op::constant:
      return Attribute::constant;
    case Op::get:
    case Op::set:
      return Attribute::variable;
    case Op::parameter:
    case Op::tuple_get:
    case Op::vector_get:
    case Op::array_shape:
    case Op::array_stride:
    case Op::pointer_field:
    case Op::constant_array:
    case Op::allocate:
    case Op::thread_index:
    case Op::block_index:
    case Op::block_extent:
    case Op::grid_extent:
    case Op::break_:
    case Op::continue_:
      return Attribute::index;
    case Op::atomic:
    case Op::block_vote:
    case Op::fence:
    case Op::vote:
    case Op::shuffle:
    case Op::match:
    case Op::hinted_load:
    case Op::hinted_store:
    case Op::raise:
    case Op::checked_element:
    case Op::report_if:
    case Op::track_access:
    case Op::track_row:
    case Op::launch_memory:
      return Attribute::detail;
    case Op::library:
    case Op::print:
      return Attribute::text;
    case Op::shared_array:
    case Op::local_array:
      return Attribute::shape;
    case Op::call:
    case Op::parallel:
    case Op::parallel_lanes:
      return Attribute::callee;
    default:
      return Attribute::none;
  }
}

// True if `index` is the least alignment in bytes that the array was given, 0 for none.
constexpr bool has_alignment(Op op) {
  return op == Op::shared_array || op == Op::local_array || op == Op::dynamic_shared_array ||
         op == Op::sized_shared_array;
}

// What `index` says where it is not 0, of operations that may go without: the least alignment in
// bytes that an array was given; the number of a memory that overlaps with none of another number.
constexpr std::string_view optional_index(Op op) {
  return has_alignment(op) ? "align" : op == Op::pointer_offset ? "memory" : "";
}

// How many regions the operation has.
constexpr std::size_t region_count(Op op) {
  if (op == Op::if_ || op == Op::loop)
    return 2;
  return op == Op::block ? 1 : 0;
}

}  // namespace phalanx::ir
