#include "phalanx/arrays/typed_functions.h"

#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/ir/constants.h"
#include "phalanx/numpy/random.h"
#include "phalanx/numpy/special.h"

namespace phalanx::arrays {
namespace {

// The elements' numbers: one term for each dimension, so that they are no array in memory.
NodePtr element_numbers(Graph& graph, const Extents& shape, std::int64_t first) {
  const auto extents = std::make_shared<const Extents>(shape);
  const Function& add = integer_function("add");
  NodePtr sum;
  std::int64_t step = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1 && (sum || i > 0))
      continue;
    const Positions along = {static_cast<unsigned>(i), sum ? 0 : first, step};
    NodePtr term = graph.positions(extents, along);
    sum = sum ? graph.call(add, {{sum, std::move(term)}}) : std::move(term);
    step *= shape[i];
  }
  return sum ? sum : graph.number(DType::int64, first);
}

NodePtr called(
    Graph& graph,
    const numpy::TypedFunction* row,
    std::string_view name,
    std::span<const NodePtr> operands) {
  if (row == nullptr)
    throw ValueError("there is no function '" + std::string(name) + "' of arrays");
  if (operands.size() != row->operands.size())
    throw TypeError(
        std::string(name) + " takes " + std::to_string(row->operands.size()) + " operands, not " +
        std::to_string(operands.size()));
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const DType wanted = row->operand(i);
    if (operands[i]->element != ir::Type(wanted))
      throw TypeError(
          "operand " + std::to_string(i) + " of " + std::string(name) + " is to be " +
          std::string(info(wanted).name));
  }
  return graph.call(typed_function(*row), operands);
}

}  // namespace

NodePtr draw(
    Graph& graph, const Draw& of, const Extents& shape, std::span<const NodePtr> parameters) {
  std::vector<NodePtr> operands = {
      element_numbers(graph, shape, of.first),
      graph.number(DType::uint64, static_cast<std::int64_t>(of.key))};
  operands.insert(operands.end(), parameters.begin(), parameters.end());
  return called(graph, numpy::find_draw(of.name), of.name, operands);
}

NodePtr portable(Graph& graph, std::string_view name, const NodePtr& operand) {
  return called(graph, numpy::find_draw(name), name, {{operand}});
}

NodePtr special(Graph& graph, std::string_view name, std::span<const NodePtr> operands) {
  return called(graph, numpy::find_special(name), name, operands);
}

}  // namespace phalanx::arrays
