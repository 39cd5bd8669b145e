// Expressions that evaluate only some of their operands, and conditions.
#include "phalanx/frontend/python/short_circuit.h"

#include <algorithm>

#include "phalanx/frontend/python/joins.h"
#include "phalanx/frontend/python/list_operations.h"
#include "phalanx/frontend/python/list_types.h"
#include "phalanx/frontend/python/untaken.h"
#include "phalanx/infer/conversion.h"

namespace phalanx::frontend::python {
namespace {

constexpr std::size_t most_speculated = 8;

// Cheap, and without effect or fault: may be computed where it is not needed.
bool is_speculatable(const ir::Operation& operation) {
  using ir::Op;
  switch (operation.op) {
    case Op::constant:
    case Op::cast:
    case Op::complex_real:
    case Op::complex_imag:
    case Op::get:
    case Op::array_shape:
    case Op::array_stride:
    case Op::thread_index:
    case Op::block_index:
    case Op::block_extent:
    case Op::grid_extent:
    case Op::lane_index:
      return true;
    default:
      break;
  }
  if (!ir::is_elementwise(operation.op))
    return false;
  const ir::Rule rule = ir::info(operation.op).rule;
  return rule != ir::Rule::float_math && rule != ir::Rule::power &&
         rule != ir::Rule::floor_divide && rule != ir::Rule::true_divide;
}

bool is_speculatable(const ir::Region& region) {
  return region.size() <= most_speculated && std::ranges::all_of(region, [](const auto& operation) {
           return is_speculatable(*operation);
         });
}

void append(ir::Region& from, ir::Region& to) {
  std::ranges::move(from, std::back_inserter(to));
  from.clear();
}

}  // namespace

// Pending where the value is not known in this round: the other branch may tell the type.
Value ShortCircuit::possible(const Emission& emission) {
  try {
    return emission();
  } catch (const Untyped& reason) {
    walk_.postpone(reason);
    return Pending{};
  }
}

// Both values are emitted into the branches of an `if`. Where they are cheap and free of effects
// they are computed both, and one is selected.
Value ShortCircuit::choose(
    const Value& condition, const Emission& then, const Emission& otherwise) {
  if (const auto known = known_truth(condition)) {
    const Emission& branch = *known ? then : otherwise;
    return Untaken(walker_).prunes(condition)
               ? branch()
               : Untaken(walker_).taken(branch, *known ? otherwise : then);
  }
  const Bindings before = walk_.names;
  ir::Region& here = walk_.builder().region();
  const ir::Builder::Branches branches = walk_.builder().if_(walk_.emitter.materialize(condition));
  std::vector<Edge> edges;
  std::vector<Binding> values;
  const auto emit = [&](ir::Region& region, const Emission& emission) {
    const auto inside = walk_.builder().enter(region);
    walk_.names = before;
    values.push_back({possible(emission), walk_.builder().location()});
    edges.push_back(walk_.edge());
  };
  emit(branches.then, then);
  emit(branches.otherwise, otherwise);
  if (values[0].value.is<Pending>() && values[1].value.is<Pending>())
    throw Untyped{*walk_.untyped};
  NameSet all;  // a walrus inside may have bound any name
  for (NameId name = 0; name < walk_.names.size(); ++name) all.add(name);
  const auto a = type_of(values[0].value);
  const auto b = type_of(values[1].value);
  const auto type =
      a && b && a->is_scalar() && b->is_scalar() ? infer::unify(*a, *b) : std::nullopt;
  const bool binds_names = edges[0].names != before || edges[1].names != before;
  if (type && !binds_names && is_speculatable(branches.then) &&
      is_speculatable(branches.otherwise)) {
    std::unique_ptr<ir::Operation> branch = std::move(here.back());
    here.pop_back();
    append(branches.then, here);
    append(branches.otherwise, here);
    walk_.names = before;
    return walk_.emitter.select(condition, values[0].value, values[1].value);
  }
  const Binding merged = walker_.joins().merge("the expression", values, edges, before);
  walker_.joins().join(all, all, edges, before);
  if (const auto* conflict = merged.value.as<Conflict>())
    walk_.fail(walk_.builder().location(), conflict->message, conflict->advice);
  return merged.value;
}

Value ShortCircuit::operand(
    const std::vector<tree::ExpressionPtr>& operands, std::size_t first, bool is_and) {
  const Value value = walker_.evaluate(*operands[first]);
  if (first + 1 == operands.size())
    return value;
  const auto rest = [&] { return operand(operands, first + 1, is_and); };
  const auto same = [&] { return value; };
  const Value condition = walk_.emitter.truth(value);
  return is_and ? choose(condition, rest, same) : choose(condition, same, rest);
}

Value ShortCircuit::chain(const tree::Compare& node, std::size_t first, const Value& left) {
  const Value right = walker_.unevaluated(*node.rest[first]);
  walker_.list_types().require_known(left, walk_.builder().location());
  walker_.list_types().require_known(right, walk_.builder().location());
  const auto of_lists = walker_.lists().compare(node.comparisons[first], left, right);
  const Value result =
      of_lists ? *of_lists : walk_.emitter.compare(node.comparisons[first], left, right);
  if (first + 1 == node.rest.size())
    return result;
  return choose(
      walk_.emitter.truth(result),
      [&] { return chain(node, first + 1, right); },
      [] { return boolean_literal(false); });
}

// Only the truth counts here, so that `a and b` needs no common type.
Value ShortCircuit::condition(const tree::Expression& expression) {
  const auto* unary = std::get_if<tree::Unary>(&expression.node);
  if (unary != nullptr && unary->op == tree::UnaryOperator::logical_not)
    return walk_.emitter.logical_not(condition(*unary->operand));
  const auto* boolean = std::get_if<tree::Boolean>(&expression.node);
  if (boolean == nullptr) {
    const Value value = walker_.unevaluated(expression);
    return value.is<OpenList>() ? walker_.list_types().number_of_open_list(DType::boolean)
                                : walk_.emitter.truth(walker_.evaluated(value, expression));
  }
  std::vector<const tree::Expression*> operands;
  for (const auto& operand : boolean->operands) operands.push_back(operand.get());
  return condition_of(operands, boolean->is_and);
}

Value ShortCircuit::condition_of(
    const std::vector<const tree::Expression*>& operands, bool is_and) {
  const Value first = condition(*operands.front());
  if (operands.size() == 1)
    return first;
  const std::vector<const tree::Expression*> others(operands.begin() + 1, operands.end());
  const Value decided = boolean_literal(!is_and);
  std::optional<Value> last;
  const auto rest = [&] { return last.emplace(condition_of(others, is_and)); };
  const auto same = [&] { return decided; };
  const Value either = is_and ? choose(first, rest, same) : choose(first, same, rest);
  // `x or True` is true, whatever x is: as Python's compiler has it, the branch is always taken.
  const Value result = last && known_truth(*last) == known_truth(decided) ? *last : either;
  return is_prunable(first) ? result : as_computed(result);
}

Value Walker::condition(const tree::Expression& expression) {
  return ShortCircuit(*this).condition(expression);
}

Value Walker::branch_condition(const tree::Expression& expression) {
  try {
    return condition(expression);
  } catch (const Untyped& reason) {
    if (!reason.is_open_list)
      throw;
    walk_.postpone(reason);
    return walk_.builder().undefined(DType::boolean);
  }
}

}  // namespace phalanx::frontend::python
