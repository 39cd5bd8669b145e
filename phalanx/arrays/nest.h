// The loops around a program: extents, and how far each operand moves along each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "phalanx/arrays/node.h"
#include "phalanx/arrays/program.h"

namespace phalanx::arrays {

struct Nest {
  Strides extents;               // outermost first
  std::vector<Strides> strides;  // for each operand one for each loop

  std::int64_t count() const;
};

// Where a result goes; the strides are of the program's space.
struct Output {
  runtime::Address address = 0;
  Strides strides;  // bytes
  DType dtype = DType::boolean;
};

// The same indices in the same order, in as few loops as serve: loops of one pass go away, and two
// become one where every operand goes on after the inner one's end as the outer one moves it.
Nest collapse(const Nest& nest);

using Order = InlineVector<std::size_t, 6>;

// The dimensions of a space in the order of its operands' memory, the longest stride first: the
// order that NumPy calls K. As they are where the operands do not agree.
Order order_of(const Strides& space, const std::vector<Access>& accesses);
// All dimensions as they are.
Order in_c_order(std::size_t dimensions);
// Byte strides without gaps of an array whose dimensions lie in that order, the last one innermost:
// arrays that kernels make, and what chunks write of them to the host.
Strides strides_in_order(ExtentSpan extents, const Order& order, std::size_t item_bytes);
// The strides of an output in the program's space: what is folded stays where it is along a row,
// and along dimensions of one index, which it may lack.
Strides strides_in(const Program& program, const views::DeviceArray& output);
// The loops over the dimensions that `order` has, of operands whose strides are of the space.
Nest nest_of(const Strides& space, const std::vector<const Strides*>& strides, const Order& order);
// Those of the outputs, then of what the program reads, then of its positions.
std::vector<const Strides*> strides_of(
    const Program& program, std::span<const Output> outputs = {});
// Adds a loop of one pass where there is none.
void require_loop(Nest& nest);
// All of the program's space, collapsed, with one loop at least; the strides as strides_of() has
// them.
Nest whole_nest(const Program& program, std::span<const Output> outputs, const Order& order);

}  // namespace phalanx::arrays
