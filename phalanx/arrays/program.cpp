#include "phalanx/arrays/program.h"

#include <algorithm>
#include <complex>
#include <limits>

#include "phalanx/base/errors.h"

namespace phalanx::arrays {
namespace {

// A GPU takes 4 KB; the rest is for what a kernel has besides the program's.
constexpr std::size_t most_parameter_bytes = 3584;

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace

bool Program::reads_sources() const {
  return std::ranges::any_of(
      accesses, [](const Access& access) { return access.spilled != nullptr; });
}

// At most: kernels have fewer loops than the space has dimensions.
bool has_too_many_parameters(const Program& program, std::size_t outputs) {
  const std::size_t operand = sizeof(std::int64_t) * (1 + program.space.size());
  const std::size_t bytes =
      operand * (outputs + program.accesses.size() + program.positions.size()) +
      sizeof(std::complex<double>) * program.numbers.size();
  return bytes > most_parameter_bytes;
}

ProgramBuilder::ProgramBuilder(const Extents& space, const RowFusion& rows)
    : ProgramBuilder(space, {.start = Extents(space.size()), .extents = space}, rows) {}

ProgramBuilder::ProgramBuilder(const Extents& space, const Region& region, const RowFusion& rows)
    : rows_(rows), space_(space), identity_(identity_map(space.size())) {
  for (std::size_t i = 0; i < space.size(); ++i) identity_[i].start = region.start[i];
  program_.space = Strides(region.extents.begin(), region.extents.end());
  program_.is_row = rows.is_row();
  program_.steps.reserve(16);
  program_.accesses.reserve(8);
  known_.reserve(16);
}

void ProgramBuilder::add_result(const NodePtr& node) {
  program_.results.push_back(add(node, broadcast(identity_, space_, *node->shape)));
}

void ProgramBuilder::add_folded_result(const Node& node) {
  program_.is_of_rows = true;
  program_.results.push_back(
      add_fold(node, std::get<Reduce>(node.made_by), identity_map(program_.space.size())));
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
  const auto load = [&] {
    return add_access(access_of(*node, map), {.kind = StepKind::load, .dtype = node->dtype});
  };
  const auto no_element = [](const auto&) -> std::uint16_t {
    PHX_ASSERT(false);  // routines and other shapes are computed before
    return 0;
  };
  return std::visit(
      Overloaded{
          as_number,
          [&](const View& view) { return add(view.base, composed(map, view.axes)); },
          [&](const Gather& gather) { return add_gather(*node, gather, map); },
          [&](const Positions& positions) { return add_positions(positions, map); },
          [&](const Call& call) { return add_call(*node, call, map); },
          [&](const Concatenation& concatenation) { return add_part(concatenation, map); },
          [&](const Memory&) { return load(); },
          [&](const SpilledPtr&) { return load(); },
          [&](const Reduce& reduce) {
            PHX_ASSERT(rows_.folds(*node));  // others are computed before
            return add_fold(
                *node,
                reduce,
                map_of_folded(
                    map,
                    reduce.is_reduced,
                    *reduce.operand->shape,
                    program_.is_row,
                    program_.space));
          },
          no_element},
      node->made_by);
}

// The space is in one of the boxes.
std::uint16_t ProgramBuilder::add_part(const Concatenation& concatenation, Map map) {
  const ExtentSpan space(program_.space.data(), program_.space.size());
  const Part& part = part_at(concatenation, map, space);
  for (std::size_t i = 0; i < map.size(); ++i) map[i].start -= part.start[i];
  return add(part.value, map);
}

// Of a node in memory, or one that was spilled.
Access ProgramBuilder::access_of(const Node& node, const Map& map) const {
  Access access{.memory = nullptr, .offset = 0, .strides = Strides(program_.space.size())};
  if (const auto* spilled = std::get_if<SpilledPtr>(&node.made_by)) {
    access.spilled = *spilled;
    access.memory = Memory(*spilled, &(*spilled)->array);
    access.offset = (*spilled)->offset;
  } else {
    access.memory = std::get<Memory>(node.made_by);
  }
  const views::DeviceArray* memory = access.memory.get();
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::int64_t stride = memory->strides[i];
    access.offset += map[i].start * stride;
    if (map[i].dimension != Axis::none)
      access.strides[static_cast<std::size_t>(map[i].dimension)] += map[i].step * stride;
  }
  return access;
}

std::uint16_t ProgramBuilder::add_access(Access access, Step step) {
  const auto address_of = [](const Access& each) {
    return each.memory->address + static_cast<runtime::Address>(each.offset);
  };
  // What has no address is told apart by its memory.
  const auto is_there = [&](const Access& other) {
    return address_of(other) == address_of(access) &&
           (access.memory->address != 0 || access.memory->memory == other.memory->memory);
  };
  const auto is_same = [&](const Access& other) {
    return is_there(other) && other.strides == access.strides &&
           other.memory->element == access.memory->element &&
           other.is_gathered == access.is_gathered;
  };
  auto found = std::ranges::find_if(program_.accesses, is_same);
  if (found == program_.accesses.end())
    found = program_.accesses.insert(program_.accesses.end(), std::move(access));
  step.index = static_cast<std::uint16_t>(found - program_.accesses.begin());
  return append(step);
}

// The place is the sum of the affine part, which becomes an access as of a view, and of each index
// times the stride of its dimension.
std::uint16_t ProgramBuilder::add_gather(const Node& node, const Gather& gather, Map map) {
  struct Moving {
    std::size_t dimension;
    std::uint16_t index;
    std::int64_t factor;
  };
  std::vector<Moving> moving;
  for (const GatherIndex& index : gather.indices) {
    const Map there = broadcast(map, *node.shape, *index.value->shape);
    moving.push_back({index.dimension, add(index.value, there), 1});
  }
  map = composed(map, gather.axes);
  const Node* base = gather.base.get();
  while (const auto* view = std::get_if<View>(&base->made_by)) {
    std::vector<Moving> below;
    for (std::size_t i = 0; i < view->axes.size(); ++i) {
      for (const Moving& each : moving) {
        if (view->axes[i].dimension == static_cast<std::int32_t>(each.dimension))
          below.push_back({i, each.index, each.factor * view->axes[i].step});
      }
    }
    moving = std::move(below);
    map = composed(map, view->axes);
    base = view->base.get();
  }
  const views::DeviceArray* memory = base->layout();
  std::optional<std::uint16_t> offset;
  for (const Moving& each : moving)
    offset = add_index(each.index, each.factor * memory->strides[each.dimension], offset);
  Access access = access_of(*base, map);
  if (!offset)
    return add_access(std::move(access), {.kind = StepKind::load, .dtype = node.dtype});
  access.is_gathered = true;
  return add_access(
      std::move(access), {.kind = StepKind::gather, .dtype = node.dtype, .operands = {*offset}});
}

// sum + index * stride
std::uint16_t ProgramBuilder::add_index(
    std::uint16_t index, std::int64_t stride, std::optional<std::uint16_t> sum) {
  const auto call = [&](const Function& function, std::uint16_t left, std::uint16_t right) {
    return append(
        {.kind = StepKind::call,
         .dtype = DType::int64,
         .function = &function,
         .operands = {left, right}});
  };
  static const Function& multiply = integer_function("multiply");
  static const Function& add = integer_function("add");
  const std::uint16_t moved = call(multiply, index, add_integer(stride));
  return sum ? call(add, *sum, moved) : moved;
}

std::uint16_t ProgramBuilder::add_integer(std::int64_t value) {
  program_.numbers.push_back({DType::int64, value});
  return append(
      {.kind = StepKind::number,
       .dtype = DType::int64,
       .index = static_cast<std::uint16_t>(program_.numbers.size() - 1)});
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
  std::size_t i = 0;
  for (const NodePtr& operand : call.in_order()) {
    const Map there = broadcast(map, *node.shape, *operand->shape);
    step.operands[i] = as(add(operand, there), function.operands[i]);
    ++i;
  }
  return append(step);
}

std::uint16_t ProgramBuilder::add_fold(
    const Node& node, const Reduce& reduce, const Map& map_of_operand) {
  auto reduction = numpy::Reduction::find(reduce.name, reduce.operand->dtype, reduce.dtype);
  const std::uint16_t operand = add(reduce.operand, map_of_operand);
  program_.folds.push_back({reduce.name, *reduction});
  return append(
      {.kind = StepKind::fold,
       .dtype = node.dtype,
       .index = static_cast<std::uint16_t>(program_.folds.size() - 1),
       .operands = {operand}});
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
