#include "phalanx/arrays/nest.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>

namespace phalanx::arrays {

std::int64_t Nest::count() const {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

Nest collapse(const Nest& nest) {
  Nest result;
  result.strides.resize(nest.strides.size());
  for (std::size_t loop = 0; loop < nest.extents.size(); ++loop) {
    const std::int64_t extent = nest.extents[loop];
    if (extent == 1)
      continue;
    const auto goes_on = [&](std::size_t operand) {
      return result.strides[operand].back() == extent * nest.strides[operand][loop];
    };
    bool is_merged = !result.extents.empty();
    for (std::size_t i = 0; is_merged && i < nest.strides.size(); ++i) is_merged = goes_on(i);
    if (is_merged) {
      result.extents.back() *= extent;
      for (std::size_t i = 0; i < nest.strides.size(); ++i)
        result.strides[i].back() = nest.strides[i][loop];
    } else {
      result.extents.push_back(extent);
      for (std::size_t i = 0; i < nest.strides.size(); ++i)
        result.strides[i].push_back(nest.strides[i][loop]);
    }
  }
  return result;
}

Order order_of(const Strides& space, const std::vector<Access>& accesses) {
  Order order = in_c_order(space.size());
  if (space.size() < 2)
    return order;
  const auto precedes = [&](std::size_t a, std::size_t b) {
    // The first operand that moves along both decides.
    for (const Access& access : accesses) {
      const std::int64_t first = std::abs(access.strides[a]);
      const std::int64_t second = std::abs(access.strides[b]);
      if (first != 0 && second != 0 && first != second)
        return first > second;
    }
    return false;
  };
  // Insertion sort: `precedes` is no strict weak order where operands disagree.
  for (std::size_t i = 1; i < order.size(); ++i) {
    for (std::size_t j = i; j > 0 && precedes(order[j], order[j - 1]); --j)
      std::swap(order[j], order[j - 1]);
  }
  return order;
}

Order in_c_order(std::size_t dimensions) {
  Order order(dimensions);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Strides strides_in(const Program& program, const views::DeviceArray& output) {
  if (output.strides.size() == program.space.size())
    return {output.strides.begin(), output.strides.end()};
  Strides strides;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < program.space.size(); ++i) {
    const bool has =
        !program.is_row[i] && kept < output.shape.size() && output.shape[kept] == program.space[i];
    strides.push_back(has ? output.strides[kept++] : 0);
  }
  return strides;
}

Strides strides_in_order(ExtentSpan extents, const Order& order, std::size_t item_bytes) {
  Strides strides(extents.size());
  auto stride = static_cast<std::int64_t>(item_bytes);
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= extents[order[i]];
  }
  return strides;
}

Nest nest_of(const Strides& space, const std::vector<const Strides*>& strides, const Order& order) {
  Nest nest;
  for (const std::size_t dimension : order) nest.extents.push_back(space[dimension]);
  nest.strides.reserve(strides.size());
  for (const Strides* own : strides) {
    Strides& ordered = nest.strides.emplace_back();
    for (const std::size_t dimension : order) ordered.push_back((*own)[dimension]);
  }
  return nest;
}

std::vector<const Strides*> strides_of(const Program& program, std::span<const Output> outputs) {
  std::vector<const Strides*> strides;
  strides.reserve(outputs.size() + program.accesses.size() + program.positions.size());
  for (const Output& output : outputs) strides.push_back(&output.strides);
  for (const Access& access : program.accesses) strides.push_back(&access.strides);
  for (const PositionsUse& positions : program.positions) strides.push_back(&positions.steps);
  return strides;
}

void require_loop(Nest& nest) {
  if (!nest.extents.empty())
    return;
  nest.extents.push_back(1);
  for (Strides& own : nest.strides) own.push_back(0);
}

Nest whole_nest(const Program& program, std::span<const Output> outputs, const Order& order) {
  Nest nest = collapse(nest_of(program.space, strides_of(program, outputs), order));
  require_loop(nest);
  return nest;
}

}  // namespace phalanx::arrays
