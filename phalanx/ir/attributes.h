// Which attribute of an operation has a meaning: the printer, the parser, the verifier and the
// comparison of operations read it from here.
#pragma once

#include <string_view>

#include "phalanx/ir/op.h"

namespace phalanx::ir {

constexpr Attribute attribute_of(Op op) {
  return is_elementwise(op) ? Attribute::none : structure_info(op).attribute;
}

constexpr bool has_detail(Op op) { return attribute_of(op) >= Attribute::Report; }

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
