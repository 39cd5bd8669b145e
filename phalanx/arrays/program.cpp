#include "phalanx/arrays/program.h"

#include <algorithm>
#include <limits>

#include "phalanx/base/errors.h"

namespace phalanx::arrays {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace

ProgramBuilder::ProgramBuilder(const Extents& space) {
  program_.space = Strides(space.begin(), space.end());
  program_.steps.reserve(16);
  program_.accesses.reserve(8);
  known_.reserve(16);
}

void ProgramBuilder::add_result(const NodePtr& node) {
  Map identity(program_.space.size());
  for (std::size_t i = 0; i < identity.size(); ++i)
    identity[i] = {.dimension = static_cast<std::int32_t>(i), .start = 0, .step = 1};
  program_.results.push_back(add(node, broadcast(identity, program_.space, *node->shape)));
}

// The last dimensions of the operand go with those of the shape; extents of 1 are repeated.
ProgramBuilder::Map ProgramBuilder::broadcast(
    const Map& map, std::span<const std::int64_t> shape, const Extents& operand) {
  const std::size_t first = shape.size() - operand.size();
  Map result(operand.size());
  for (std::size_t i = 0; i < operand.size(); ++i) {
    if (operand[i] != 1 || shape[first + i] == 1)
      result[i] = map[first + i];
  }
  return result;
}

std::uint16_t ProgramBuilder::add(const NodePtr& node, const Map& map) {
  auto found = std::ranges::find(maps_, map);
  if (found == maps_.end())
    found = maps_.insert(maps_.end(), map);
  const auto number = static_cast<std::size_t>(found - maps_.begin());
  for (const Known& known : known_) {
    if (known.node == node.get() && known.map == number)
      return known.step;
  }
  const std::uint16_t step = add_new(node, map);
  known_.push_back({node.get(), number, step});
  return step;
}

std::uint16_t ProgramBuilder::add_new(const NodePtr& node, const Map& map) {
  const auto as_number = [&](const Number& number) {
    program_.numbers.push_back({node->dtype, number.value});
    return append(
        {.kind = StepKind::number,
         .dtype = node->dtype,
         .index = static_cast<std::uint16_t>(program_.numbers.size() - 1)});
  };
  const auto as_view = [&](const View& view) {
    Map base(view.axes.size());
    for (std::size_t i = 0; i < base.size(); ++i) {
      const Axis& axis = view.axes[i];
      base[i] = {.dimension = Axis::none, .start = axis.start, .step = 0};
      if (axis.dimension != Axis::none) {
        const Axis& outer = map[static_cast<std::size_t>(axis.dimension)];
        base[i] = {
            .dimension = outer.dimension,
            .start = axis.start + axis.step * outer.start,
            .step = axis.step * outer.step};
      }
    }
    return add(view.base, base);
  };
  const auto no_element = [](const auto&) -> std::uint16_t {
    PHX_ASSERT(false);  // reductions, routines and other shapes are computed before
    return 0;
  };
  return std::visit(
      Overloaded{
          as_number,
          as_view,
          [&](const Positions& positions) { return add_positions(positions, map); },
          [&](const Call& call) { return add_call(*node, call, map); },
          [&](const Memory& memory) { return add_load(memory, map, node->dtype); },
          no_element},
      node->made_by);
}

std::uint16_t ProgramBuilder::add_load(const Memory& memory, const Map& map, DType dtype) {
  Access access{.memory = memory, .offset = 0, .strides = Strides(program_.space.size())};
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::int64_t stride = memory->strides[i];
    access.offset += map[i].start * stride;
    if (map[i].dimension != Axis::none)
      access.strides[static_cast<std::size_t>(map[i].dimension)] += map[i].step * stride;
  }
  const auto is_same = [&](const Access& other) {
    return other.memory->address + static_cast<runtime::Address>(other.offset) ==
               memory->address + static_cast<runtime::Address>(access.offset) &&
           other.strides == access.strides && other.memory->element == memory->element;
  };
  auto found = std::ranges::find_if(program_.accesses, is_same);
  if (found == program_.accesses.end())
    found = program_.accesses.insert(program_.accesses.end(), std::move(access));
  return append(
      {.kind = StepKind::load,
       .dtype = dtype,
       .index = static_cast<std::uint16_t>(found - program_.accesses.begin())});
}

std::uint16_t ProgramBuilder::add_positions(const Positions& positions, const Map& map) {
  const Axis& axis = map[positions.dimension];
  PositionsUse use{
      .start = positions.start + positions.step * axis.start,
      .steps = Strides(program_.space.size())};
  if (axis.dimension != Axis::none)
    use.steps[static_cast<std::size_t>(axis.dimension)] = positions.step * axis.step;
  auto found = std::ranges::find(program_.positions, use);
  if (found == program_.positions.end())
    found = program_.positions.insert(program_.positions.end(), std::move(use));
  return append(
      {.kind = StepKind::positions,
       .dtype = DType::int64,
       .index = static_cast<std::uint16_t>(found - program_.positions.begin())});
}

std::uint16_t ProgramBuilder::add_call(const Node& node, const Call& call, const Map& map) {
  const Function& function = *call.function;
  Step step{.kind = StepKind::call, .dtype = node.dtype, .function = &function};
  for (unsigned i = 0; i < function.arity; ++i) {
    const NodePtr& operand = call.operands[i];
    const Map there = broadcast(map, *node.shape, *operand->shape);
    step.operands[i] = as(add(operand, there), function.operands[i]);
  }
  return append(step);
}

// The step's value in another type.
std::uint16_t ProgramBuilder::as(std::uint16_t step, DType dtype) {
  const DType own = program_.steps[step].dtype;
  if (own == dtype)
    return step;
  return append(
      {.kind = StepKind::call,
       .dtype = dtype,
       .function = &cast_function(own, dtype),
       .operands = {step}});
}

// Value numbering: a step that the program has already is not computed again.
std::uint16_t ProgramBuilder::append(const Step& step) {
  const auto found = std::ranges::find(program_.steps, step);
  if (found != program_.steps.end())
    return static_cast<std::uint16_t>(found - program_.steps.begin());
  PHX_ASSERT(program_.steps.size() < std::numeric_limits<std::uint16_t>::max());
  program_.steps.push_back(step);
  return static_cast<std::uint16_t>(program_.steps.size() - 1);
}

}  // namespace phalanx::arrays
