// Which thread index becomes the lanes: how far apart the elements are that neighbours along each
// dimension access, by a dataflow analysis over strides (as LLVM's ScalarEvolution has them for
// loops, here for the dimensions of the grid).
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "phalanx/codegen/cpu/grid_loops.h"
#include "phalanx/codegen/grid_position.h"

namespace phalanx::codegen {

using ir::Op;
using ir::Operation;

namespace {

// How much a value grows from a thread to its neighbour: a constant, or nothing of the kind.
using Step = std::optional<std::int64_t>;
using Steps = std::array<Step, 3>;  // by dimension

constexpr Steps same_for_all = {0, 0, 0};
constexpr Steps unknown = {std::nullopt, std::nullopt, std::nullopt};

class StrideAnalysis {
 public:
  explicit StrideAnalysis(const ir::Function& kernel) : variables_(kernel.variables.size()) {
    // Variables of loops: what they are set to may depend on themselves. Steps only ever get
    // unknown, so that few rounds are enough; one that is not is given up.
    constexpr int most_rounds = 8;
    for (int round = 0; round < most_rounds; ++round) {
      const std::vector<std::optional<Steps>> before = variables_;
      ir::for_each(kernel.body, [&](const Operation& operation) { visit(operation); });
      if (variables_ == before)
        return;
    }
    is_complete_ = false;
  }

  Steps of(const Operation& operation) const {
    const auto known = steps_.find(&operation);
    return is_complete_ && known != steps_.end() ? known->second : unknown;
  }

 private:
  void visit(const Operation& operation) {
    if (operation.op == Op::set) {
      std::optional<Steps>& variable = variables_.at(operation.variable);
      if (const auto value = find(*operation.operands[0]))
        variable = variable ? join(*variable, *value) : *value;
      return;
    }
    if (const auto steps = step_of(operation))
      steps_[&operation] = *steps;
  }

  // Nothing where it depends on a variable that is not known to be set yet.
  std::optional<Steps> find(const Operation& operation) const {
    if (operation.op == Op::parameter)
      return same_for_all;
    const auto known = steps_.find(&operation);
    return known == steps_.end() ? std::nullopt : std::optional(known->second);
  }

  static Steps join(const Steps& a, const Steps& b) {
    Steps joined;
    for (std::size_t d = 0; d < joined.size(); ++d) joined[d] = a[d] == b[d] ? a[d] : std::nullopt;
    return joined;
  }

  std::optional<Steps> step_of(const Operation& operation) const {
    switch (operation.op) {
      case Op::constant:
        return same_for_all;
      case Op::thread_index: {
        Steps steps = same_for_all;
        steps.at(static_cast<std::size_t>(operation.index)) = 1;
        return steps;
      }
      case Op::get:
        return variables_.at(operation.variable);
      default:
        break;
    }
    std::vector<Steps> operands;
    for (const Operation* operand : operation.operands) {
      const auto steps = find(*operand);
      if (!steps)
        return std::nullopt;
      operands.push_back(*steps);
    }
    Steps steps;
    for (unsigned d = 0; d < steps.size(); ++d) steps[d] = step_along(operation, operands, d);
    return steps;
  }

  static Step step_along(
      const Operation& operation, const std::vector<Steps>& operands, unsigned d) {
    const auto operand = [&](std::size_t i) { return operands[i][d]; };
    switch (operation.op) {
      case Op::cast:
      case Op::wrap_index:
        return operand(0);
      case Op::add:
        return operand(0) && operand(1) ? Step(*operand(0) + *operand(1)) : std::nullopt;
      case Op::subtract:
        return operand(0) && operand(1) ? Step(*operand(0) - *operand(1)) : std::nullopt;
      case Op::pointer_offset:
        return operand(0) && operand(1) ? Step(*operand(0) + *operand(1)) : std::nullopt;
      default:
        break;
    }
    if (std::ranges::all_of(operands, [d](const Steps& steps) { return steps[d] == 0; }))
      return 0;
    if (operation.op != Op::multiply)
      return std::nullopt;
    const Step one = times(operand(0), *operation.operands[1]);
    return one ? one : times(operand(1), *operation.operands[0]);
  }

  // The step of a product with a constant, where both are small.
  static Step times(Step step, const Operation& factor) {
    constexpr std::int64_t largest = 1 << 16;
    const auto* number = std::get_if<std::int64_t>(&factor.constant);
    if (!step || factor.op != Op::constant || number == nullptr || std::abs(*number) > largest ||
        std::abs(*step) > largest)
      return std::nullopt;
    return *step * *number;
  }

  bool is_complete_ = true;
  std::vector<std::optional<Steps>> variables_;
  std::unordered_map<const Operation*, Steps> steps_;
};

// What the accesses of a region cost with the lanes along one dimension: a vector of elements that
// follow each other, one element for all, or one element at a time.
class AccessCost {
 public:
  AccessCost(const StrideAnalysis& strides, unsigned dimension)
      : strides_(strides), dimension_(dimension) {}

  double of(const ir::Region& region) const {
    constexpr double usual_trips = 8;
    double cost = 0;
    for (const auto& operation : region) {
      cost += of_access(*operation);
      const double trips = operation->op == Op::loop ? usual_trips : 1;
      for (const ir::Region& nested : operation->regions) cost += trips * of(nested);
    }
    return cost;
  }

 private:
  double of_access(const Operation& access) const {
    if (access.op == Op::load || access.op == Op::store)
      return of_pointer(access);
    if (access.op != Op::array_load && access.op != Op::array_store)
      return 0;
    const ir::Type& type = access.operands[0]->type;
    if (!type.is_array() || type.ndim() == 0 || type.space() == ir::Space::local)
      return 0;
    const unsigned nearest = type.layout() == ir::Layout::f ? 0 : type.ndim() - 1;
    bool is_same = true;
    for (unsigned i = 0; i < type.ndim(); ++i) {
      const Step step = strides_.of(*access.operands[1 + i])[dimension_];
      if (!step || (*step != 0 && i != nearest))
        return gather;
      is_same = is_same && *step == 0;
      if (i == nearest && std::abs(*step) > 1)
        return gather;
    }
    if (is_same)
      return access.op == Op::array_load ? scalar : gather;
    return vector;
  }

  double of_pointer(const Operation& access) const {
    const Operation& pointer = *access.operands[0];
    if (pointer.type.space() == ir::Space::local)
      return 0;
    const Step step = strides_.of(pointer)[dimension_];
    if (step == 0)
      return access.op == Op::load ? scalar : gather;
    const bool is_next = step == static_cast<std::int64_t>(ir::size_of(pointer.type.element()));
    return is_next ? vector : gather;
  }

  static constexpr double vector = 1;
  static constexpr double scalar = 0.25;
  static constexpr double gather = 8;

  const StrideAnalysis& strides_;
  unsigned dimension_;
};

}  // namespace

std::optional<unsigned> find_lane_axis(const ir::Module& module, unsigned axes) {
  // Blocks that go through a grid-stride loop together follow each other along x as they are.
  if (axes == 1 && cpu::has_grid_loop_alone(module))
    return std::nullopt;
  const ir::Function& kernel = module.kernel();
  const GridPosition position(kernel.body);
  const auto can_divide = [&](unsigned dimension) { return position.can_divide(dimension); };
  if (!position.is_independent() || !can_divide(0) || !can_divide(1) || !can_divide(2))
    return std::nullopt;
  const StrideAnalysis strides(kernel);
  std::optional<unsigned> best;
  double least = 0;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    if ((axes & (1U << dimension)) == 0 || !position.uses(dimension))
      continue;
    const double cost = AccessCost(strides, dimension).of(kernel.body);
    if (!best || cost < least) {
      best = dimension;
      least = cost;
    }
  }
  return best;
}

}  // namespace phalanx::codegen
