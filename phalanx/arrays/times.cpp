#include "phalanx/arrays/times.h"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/ir/constants.h"
#include "phalanx/numpy/broadcast.h"
#include "phalanx/numpy/time_loops.h"
#include "phalanx/numpy/times.h"

namespace phalanx::arrays {
namespace {

ir::Type type_of(const Operand& operand) {
  return operand.node ? operand.node->element : ir::Type(operand.type.dtype);
}

std::vector<ir::Type> types_of(std::span<const Operand> operands) {
  std::vector<ir::Type> types;
  types.reserve(operands.size());
  for (const Operand& operand : operands) types.push_back(type_of(operand));
  return types;
}

std::string text_of(const ir::Type& type) {
  return "dtype('" +
         (type.is_time() ? numpy::code_of_time(type) : std::string(info(type.dtype()).name)) + "')";
}

[[noreturn]] void refuse(const infer::Ufunc& ufunc, std::span<const Operand> operands) {
  std::string types;
  for (const Operand& operand : operands)
    types += (types.empty() ? "" : " and ") + text_of(type_of(operand));
  throw TypeError(
      "ufunc '" + std::string(ufunc.name) + "' cannot use operands with types " + types);
}

// The element has no meaning to kernels: what changes it alone costs them nothing.
NodePtr relabelled(Graph& graph, const NodePtr& count, const ir::Type& element) {
  return graph.call(cast_function(DType::int64, DType::int64), {{count}}, element);
}

NodePtr called(
    Graph& graph,
    const numpy::TypedFunction& function,
    const NodePtr& node,
    const ir::Type& element) {
  return graph.call(typed_function(function), {{node}}, element);
}

NodePtr scaled(
    Graph& graph, const NodePtr& node, const numpy::TimeScale& scale, const ir::Type& element) {
  if (scale.factor == 1 && scale.divisor == 1)
    return relabelled(graph, node, element);
  const NodePtr operands[] = {
      node, graph.number(DType::int64, scale.factor), graph.number(DType::int64, scale.divisor)};
  return graph.call(typed_function(numpy::scaled_time()), operands, element);
}

numpy::TimeScale checked_scale(const numpy::TimeUnit& from, const numpy::TimeUnit& to) {
  const auto scale = numpy::scale_between(from, to);
  if (!scale)
    throw std::overflow_error(
        "Integer overflow while computing the conversion factor between NumPy datetime units " +
        std::string(numpy::time_units.at(from.row).name) + " and " +
        std::string(numpy::time_units.at(to.row).name));
  return *scale;
}

// Points in time, of which one counts years or months, by the calendar.
NodePtr by_calendar(
    Graph& graph,
    const NodePtr& node,
    const numpy::TimeUnit& from,
    const numpy::TimeUnit& to,
    const ir::Type& element) {
  const numpy::TimeUnit month{.row = numpy::month_row};
  const numpy::TimeUnit day{.row = numpy::day_row};
  const bool is_to_days = from.is_calendar();
  const auto& function = is_to_days ? numpy::days_of_months() : numpy::months_of_days();
  checked_scale(from, to);
  NodePtr made = scaled(graph, node, checked_scale(from, is_to_days ? month : day), node->element);
  made = called(graph, function, made, node->element);
  return scaled(graph, made, checked_scale(is_to_days ? day : month, to), element);
}

// Between units of one kind of time.
NodePtr in_unit(Graph& graph, const NodePtr& node, const ir::Type& element) {
  const numpy::TimeUnit from = numpy::unit_of(node->element);
  const numpy::TimeUnit to = numpy::unit_of(element);
  const bool is_point = element.time_kind() == ir::TimeKind::datetime;
  if (is_point && !from.is_generic() && from.is_calendar() != to.is_calendar())
    return by_calendar(graph, node, from, to, element);
  return scaled(graph, node, checked_scale(from, to), element);
}

NodePtr operand_node(Graph& graph, const Operand& operand, const ir::Type& element) {
  if (operand.node)
    return graph.cast(operand.node, element);
  if (operand.large)
    throw std::overflow_error("int too big to convert");
  const auto value = ir::cast_constant(*operand.number, operand.type.dtype, element.dtype());
  return graph.number(element, *value);
}

}  // namespace

bool has_time(std::span<const Operand> operands) {
  return std::ranges::any_of(
      operands, [](const Operand& each) { return each.node && each.node->element.is_time(); });
}

NodePtr never_equal(Graph& graph, const infer::Ufunc& ufunc, std::span<const Operand> operands) {
  if (!has_time(operands) || numpy::resolve_times(ufunc, types_of(operands)))
    return nullptr;
  std::vector<Extents> shapes;
  for (const Operand& operand : operands) {
    if (operand.node)
      shapes.push_back(*operand.node->shape);
  }
  return graph.filled(ufunc.op == ir::Op::not_equal, numpy::broadcast(shapes));
}

NodePtr apply_times(Graph& graph, const infer::Ufunc& ufunc, std::span<const Operand> operands) {
  const auto typing = numpy::resolve_times(ufunc, types_of(operands));
  if (!typing)
    refuse(ufunc, operands);
  std::vector<NodePtr> nodes;
  nodes.reserve(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i)
    nodes.push_back(operand_node(graph, operands[i], typing->operands.at(i)));
  return graph.call(typed_function(*typing->function), nodes, typing->result);
}

NodePtr cast_time(Graph& graph, const NodePtr& node, const ir::Type& element) {
  const ir::Type& own = node->element;
  if (own == element)
    return node;
  if (!element.is_time()) {
    const NodePtr count = relabelled(graph, node, DType::int64);
    return graph.cast(count, element);
  }
  const bool keeps_unit = element.name() == numpy::generic_unit && own.is_time();
  const ir::Type wanted = keeps_unit ? ir::Type::time(element.time_kind(), own.name()) : element;
  if (!own.is_time() && is_floating(own.dtype()))
    return called(graph, numpy::count_of_float(), graph.cast(node, DType::float64), wanted);
  if (!own.is_time() && is_complex(own.dtype())) {
    const NodePtr real = graph.call(part_function(own.dtype(), false), {{node}});
    return cast_time(graph, real, wanted);
  }
  if (!own.is_time())
    return relabelled(graph, graph.cast(node, DType::int64), wanted);
  // A point is so many units after 1970: the count is kept, whatever the units.
  if (own.time_kind() != wanted.time_kind())
    return relabelled(graph, node, wanted);
  return own == wanted ? node : in_unit(graph, node, wanted);
}

ir::Type promoted(const ir::Type& first, const ir::Type& second) {
  if (first.is_time() || second.is_time())
    return numpy::promoted_time(first, second);
  const numpy::Operand types[] = {{first.dtype()}, {second.dtype()}};
  return numpy::result_type(types);
}

NodePtr chosen(Graph& graph, const NodePtr& condition, const NodePtr& x, const NodePtr& y) {
  const ir::Type element = promoted(x->element, y->element);
  const NodePtr operands[] = {condition, graph.cast(x, element), graph.cast(y, element)};
  return graph.call(select_function(element.dtype()), operands, element);
}

std::pair<std::string_view, std::optional<ir::Type>> time_reduction(
    const ir::Type& time, std::string_view name) {
  struct Row {
    std::string_view name;
    std::string_view own;  // that of counts
    bool is_time = false;  // the result
  };
  static constexpr std::array rows = {
      Row{"sum", "time_sum", true},
      Row{"min", "min", true},
      Row{"max", "time_max", true},
      Row{"argmin", "argmin"},
      Row{"argmax", "time_argmax"},
      Row{"any", "any"},
      Row{"all", "all"},
  };
  const auto* const row = std::ranges::find(rows, name, &Row::name);
  const bool is_point = time.time_kind() == ir::TimeKind::datetime;
  if (row == rows.end() || (name == "sum" && is_point))
    throw TypeError(std::string(name) + " of " + numpy::name_of_time(time) + " is not supported");
  return {row->own, row->is_time ? std::optional(time) : std::nullopt};
}

}  // namespace phalanx::arrays
