// Expressions but calls.
#include <algorithm>

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/flags.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/visit_tree.h"
#include "phalanx/frontend/python/walker.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/build_calls.h"

namespace phalanx::frontend::python {
namespace {

constexpr std::string_view usable_entities =
    "From outside they see numbers, strings, tuples, NumPy arrays, functions, types and modules.";

// Advice for a name that is not known.
std::string did_you_mean(const std::string& name) {
  return name.empty() ? "" : "Did you mean '" + name + "'?";
}

}  // namespace

Value Walker::unevaluated(const tree::Expression& expression) {
  const AtLocation at(builder(), expression.location);
  return std::visit(
      [&](const auto& node) { return this->expression(expression, node); }, expression.node);
}

Value Walker::evaluated(const Value& value, const tree::Expression& expression) {
  const AtLocation at(builder(), expression.location);
  require_known(value, expression.location);
  return value.is<LazyArray>() ? Value(emitter_.materialize(value)) : value;
}

Value Walker::evaluate(const tree::Expression& expression) {
  return evaluated(unevaluated(expression), expression);
}

Value Walker::read(const Value& value) {
  if (const auto* intrinsic = value.as<IntrinsicEntity>()) {
    if (auto read = read_intrinsic(emitter_, intrinsic->name))
      return std::move(*read);
  }
  return value;
}

// What a nested function sees of the functions around it. It sees itself too, by its own name or by
// that of the variable that holds it.
std::optional<Value> Walker::captured_value(const std::string& name, Location where) {
  const auto captured = unit_->captured.find(name);
  const auto* function =
      captured == unit_->captured.end() ? nullptr : captured->second.as<LocalFunction>();
  const bool is_open = function != nullptr && !function->captured;
  if (captured != unit_->captured.end() && !is_open)
    return captured->second;
  const bool is_itself =
      is_open ? function->tree == unit_->tree : unit_->is_nested && name == unit_->tree->name;
  if (is_itself)
    return LocalFunction{
        .tree = unit_->tree,
        .defaults = is_open ? function->defaults : std::make_shared<const std::vector<Value>>(),
        .home = unit_,
        .captured = std::make_shared<const Captures>(unit_->captured)};
  if (is_open)
    fail(
        where,
        "functions inside a function cannot call each other in a circle",
        "Define them outside, or make them one function.");
  return std::nullopt;
}

namespace {

// `has_value` is the name's flag: see names.h. One that is known now is true: else the name would
// be Unbound.
void report_absent(
    ir::Builder& builder, const std::string& name, const Value& has_value, Location where) {
  const auto* flag = has_value.as<Runtime>();
  if (flag == nullptr)
    return;
  const AtLocation at(builder, where);
  ir::report_if(
      builder,
      builder.elementwise(ir::Op::logical_not, {flag->operation}),
      {.check = Check::unassigned, .subject = name});
}

}  // namespace

void Walker::report_unassigned(NameId name, Location where) {
  if (known_names_->flags != 0 && !unit_->is_library)
    report_absent(
        builder(), known_names_->locals[name], names_.at(name + known_names_->flags).value, where);
}

Value Walker::name_value(const std::string& name, Location where) {
  if (const NameId* id = known_names_->find(name)) {
    const Value& value = names_.at(*id).value;
    if (value.is<Pending>())
      throw Untyped{where, "the type of '" + name + "' cannot be determined here", {}};
    if (value.is<Unbound>()) {
      // In a loop it may get its value in an earlier iteration.
      if (!loops_.empty())
        throw Untyped{where, "'" + name + "' is used before it is assigned", {}};
      fail(where, "'" + name + "' is used before it is assigned");
    }
    if (const auto* conflict = value.as<Conflict>())
      fail(where, conflict->message, conflict->advice);
    report_unassigned(*id, where);
    return names_.at(*id).meaning();
  }
  if (auto captured = captured_value(name, where)) {
    if (const auto flag = unit_->captured.find(flag_of(name)); flag != unit_->captured.end())
      report_absent(builder(), name, flag->second, where);
    return std::move(*captured);
  }
  if (name == tree::matrix_product && !session_->options().is_function)
    diagnostics().unsupported(
        where, "the operator @ cannot be used in a kernel", "Write the loops.");
  const Value value = value_of(unit_->environment->lookup(name));
  if (value.is<Unbound>())
    fail(
        where,
        "the name '" + name + "' is not defined",
        did_you_mean(unit_->environment->similar(name, known_names_->locals)));
  if (const auto* unusable = value.as<UnusableEntity>())
    fail(
        where,
        "Untyped global name '" + name + "': kernels cannot use " + unusable->what,
        usable_entities);
  return value;
}

Value Walker::expression(const tree::Expression& at, const tree::Name& node) {
  return read(name_value(node.text, at.location));
}

Value Walker::expression(const tree::Expression& at, const tree::Constant& node) {
  return std::visit(
      [&](const auto& constant) -> Value {
        using T = std::decay_t<decltype(constant)>;
        if constexpr (std::is_same_v<T, tree::None>)
          return none_value();
        else if constexpr (std::is_same_v<T, tree::Ellipsis>)
          return EllipsisValue{};
        else if constexpr (std::is_same_v<T, bool>)
          return boolean_literal(constant);
        else if constexpr (std::is_same_v<T, std::int64_t>)
          return integer_literal(constant);
        else if constexpr (std::is_same_v<T, std::uint64_t>)
          return integer_literal(static_cast<std::int64_t>(constant), DType::uint64);
        else if constexpr (std::is_same_v<T, tree::BigInteger>)
          too_wide(at.location, constant);
        else if constexpr (std::is_same_v<T, double>)
          return float_literal(constant);
        else if constexpr (std::is_same_v<T, std::complex<double>>)
          return Literal{DType::complex128, constant};
        else
          return TextEntity{constant};
      },
      node.value);
}

void Walker::too_wide(Location where, const tree::BigInteger& integer) const {
  const std::string which = integer.digits.empty() ? "an integer" : "the integer " + integer.digits;
  fail(
      where,
      which + " fits no type: Int value is too large",
      "Integers go from -2**63 to 2**64 - 1. Write a float, such as 1e30, where it need not be "
      "exact.");
}

// True if a function of the user's may be called, which may write to any array.
bool Walker::calls_functions(const tree::Expression& expression) {
  bool found = false;
  if (const auto* call = std::get_if<tree::Call>(&expression.node)) {
    const auto* attribute = std::get_if<tree::Attribute>(&call->callee->node);
    const tree::Expression& first = attribute == nullptr ? *call->callee : *attribute->owner;
    const auto* name = std::get_if<tree::Name>(&first.node);
    found = std::holds_alternative<tree::Lambda>(first.node);
    if (name != nullptr) {
      Value callee = name_value(name->text, first.location);
      if (attribute != nullptr && callee.is<ScopeEntity>())
        callee = attribute_of(callee, *attribute);
      found =
          callee.is<FunctionEntity>() || callee.is<LocalFunction>() || callee.is<OverloadEntity>();
    }
  }
  tree::for_each_child(
      expression, [&](const tree::Expression& child) { found = found || calls_functions(child); });
  return found;
}

Value Walker::expression(const tree::Expression&, const tree::Binary& node) {
  Value left = unevaluated(*node.left);
  if (left.is<LazyArray>() && calls_functions(*node.right))
    left = emitter_.materialize(left);
  return operate(node.op, left, unevaluated(*node.right));
}

Value Walker::expression(const tree::Expression&, const tree::Unary& node) {
  if (node.op == tree::UnaryOperator::logical_not) {
    const Value negated = emitter_.logical_not(condition(*node.operand));
    return is_constant(*node.operand) ? negated : as_computed(negated);
  }
  return emitter_.unary(node.op, unevaluated(*node.operand));
}

// ---- Short circuit ----

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
Value Walker::possible_value(const Emission& emission) {
  try {
    return emission();
  } catch (const Untyped& reason) {
    if (!untyped_)
      untyped_ = reason;
    return Pending{};
  }
}

// Both values are emitted into the branches of an `if`. Where they are cheap and free of effects
// they are computed both, and one is selected.
Value Walker::choose(const Value& condition, const Emission& then, const Emission& otherwise) {
  if (const auto known = known_truth(condition)) {
    const Emission& branch = *known ? then : otherwise;
    return prunes(condition) ? branch() : taken(branch, *known ? otherwise : then);
  }
  const Bindings before = names_;
  ir::Region& here = builder().region();
  const ir::Builder::Branches branches = builder().if_(emitter_.materialize(condition));
  std::vector<Edge> edges;
  std::vector<Binding> values;
  const auto emit = [&](ir::Region& region, const Emission& emission) {
    const auto inside = builder().enter(region);
    names_ = before;
    values.push_back({possible_value(emission), builder().location()});
    edges.push_back(edge());
  };
  emit(branches.then, then);
  emit(branches.otherwise, otherwise);
  if (values[0].value.is<Pending>() && values[1].value.is<Pending>())
    throw Untyped{*untyped_};
  NameSet all;  // a walrus inside may have bound any name
  for (NameId name = 0; name < names_.size(); ++name) all.add(name);
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
    names_ = before;
    return emitter_.select(condition, values[0].value, values[1].value);
  }
  const Binding merged = merge("the expression", values, edges, before);
  join(all, all, std::move(edges), before);
  if (const auto* conflict = merged.value.as<Conflict>())
    fail(builder().location(), conflict->message, conflict->advice);
  return merged.value;
}

Value Walker::boolean_operand(
    const std::vector<tree::ExpressionPtr>& operands, std::size_t first, bool is_and) {
  const Value value = evaluate(*operands[first]);
  if (first + 1 == operands.size())
    return value;
  const auto rest = [&] { return boolean_operand(operands, first + 1, is_and); };
  const auto same = [&] { return value; };
  const Value condition = emitter_.truth(value);
  return is_and ? choose(condition, rest, same) : choose(condition, same, rest);
}

Value Walker::expression(const tree::Expression&, const tree::Boolean& node) {
  return boolean_operand(node.operands, 0, node.is_and);
}

Value Walker::comparison_chain(const tree::Compare& node, std::size_t first, const Value& left) {
  const Value right = unevaluated(*node.rest[first]);
  require_known(left, builder().location());
  require_known(right, builder().location());
  const auto of_lists = list_compare(node.comparisons[first], left, right);
  const Value result =
      of_lists ? *of_lists : emitter_.compare(node.comparisons[first], left, right);
  if (first + 1 == node.rest.size())
    return result;
  return choose(
      emitter_.truth(result),
      [&] { return comparison_chain(node, first + 1, right); },
      [] { return boolean_literal(false); });
}

Value Walker::expression(const tree::Expression&, const tree::Compare& node) {
  return comparison_chain(node, 0, unevaluated(*node.first));
}

Value Walker::expression(const tree::Expression&, const tree::Conditional& node) {
  return choose(
      condition(*node.condition),
      [&] { return evaluate(*node.then); },
      [&] { return evaluate(*node.otherwise); });
}

// Only the truth counts here, so that `a and b` needs no common type.
Value Walker::condition(const tree::Expression& expression) {
  const auto* unary = std::get_if<tree::Unary>(&expression.node);
  if (unary != nullptr && unary->op == tree::UnaryOperator::logical_not)
    return emitter_.logical_not(condition(*unary->operand));
  const auto* boolean = std::get_if<tree::Boolean>(&expression.node);
  if (boolean == nullptr) {
    const Value value = unevaluated(expression);
    return value.is<OpenList>() ? number_of_open_list(DType::boolean)
                                : emitter_.truth(evaluated(value, expression));
  }
  std::vector<const tree::Expression*> operands;
  for (const auto& operand : boolean->operands) operands.push_back(operand.get());
  return condition_of(operands, boolean->is_and);
}

Value Walker::condition_of(const std::vector<const tree::Expression*>& operands, bool is_and) {
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

// ---- Parts ----

Value Walker::attribute_of(const Value& owner, const tree::Attribute& node) {
  const auto* tuple = owner.as<TupleValue>();
  const bool is_display = session_->options().is_function && tuple != nullptr && tuple->list_at;
  if (is_display || owner.is<OpenList>() || is_list(owner))
    return list_method(owner, node.name);
  if (const auto* scope = owner.as<ScopeEntity>()) {
    const Value value = value_of(scope->scope->attribute(node.name));
    if (value.is<Unbound>())
      emitter_.fail(
          scope->scope->describe() + " has no attribute " + node.name,
          did_you_mean(scope->scope->similar(node.name)));
    if (const auto* unusable = value.as<UnusableEntity>())
      emitter_.fail(
          "Unknown attribute '" + node.name + "': kernels cannot use " + unusable->what,
          usable_entities);
    return value;
  }
  if (const auto* intrinsic = owner.as<IntrinsicEntity>()) {
    const std::string name = intrinsic->name + "." + node.name;
    const auto is_value = [](const std::string& each) {
      return std::ranges::find(intrinsic_values(), each, &IntrinsicValue::name) !=
             intrinsic_values().end();
    };
    if (is_value(intrinsic->name) && !is_value(name))
      emitter_.fail(intrinsic->name + " has no attribute " + node.name);
    return IntrinsicEntity{name};
  }
  const auto type = type_of(owner);
  const bool is_own = type && type->is_array() && is_array_method(node.name);
  if (!is_own) {
    if (auto value = extended_attribute(owner, node.name))
      return std::move(*value);
  }
  return emitter_.attribute(owner, node.name);
}

// What is before a dot: of cuda.threadIdx.x only x is read.
Value Walker::unread(const tree::Expression& expression) {
  const AtLocation at(builder(), expression.location);
  if (const auto* name = std::get_if<tree::Name>(&expression.node))
    return name_value(name->text, expression.location);
  if (const auto* attribute = std::get_if<tree::Attribute>(&expression.node))
    return attribute_of(unread(*attribute->owner), *attribute);
  return unevaluated(expression);
}

Value Walker::expression(const tree::Expression&, const tree::Attribute& node) {
  return read(attribute_of(unread(*node.owner), node));
}

bool Walker::is_constant(const tree::Expression& expression) {
  const auto* tuple = std::get_if<tree::Tuple>(&expression.node);
  if (tuple == nullptr)
    return std::holds_alternative<tree::Constant>(expression.node);
  return !tuple->is_list && std::ranges::all_of(tuple->elements, [](const auto& element) {
    return is_constant(*element);
  });
}

Value Walker::expression(const tree::Expression&, const tree::Subscript& node) {
  const Value owner = evaluate(*node.owner);
  const Value index = evaluate(*node.index);
  const auto* scope = owner.as<ScopeEntity>();
  const auto* key = index.as<TextEntity>();
  if (scope != nullptr && key != nullptr) {
    const Value value = value_of(scope->scope->item(key->text));
    if (value.is<Unbound>())
      emitter_.fail(scope->scope->describe() + " has no item '" + key->text + "'");
    return value;
  }
  check_tuple_index(owner, index);
  if (auto slice = list_slice(owner, index))
    return std::move(*slice);
  if (auto elements = elements_at(owner, index))
    return std::move(*elements);
  const Value item = emitter_.item(owner, index);
  return is_constant(*node.owner) ? item : as_item(item);
}

Value Walker::expression(const tree::Expression&, const tree::Slice& node) {
  const auto part = [&](const tree::ExpressionPtr& bound) {
    return bound ? evaluate(*bound) : none_value();
  };
  std::array<Value, 3> parts = {part(node.lower), part(node.upper), part(node.step)};
  return SliceValue{std::make_shared<const std::array<Value, 3>>(std::move(parts))};
}

Value Walker::expression(const tree::Expression& at, const tree::Tuple& node) {
  // Open lists may be returned together with others, or unpacked.
  const auto part = [&](const tree::Expression& element) {
    const Value value = unevaluated(element);
    return value.is<OpenList>() ? value : evaluated(value, element);
  };
  std::vector<Value> elements;
  for (const auto& element : node.elements) {
    const auto* starred = std::get_if<tree::Starred>(&element->node);
    if (starred == nullptr) {
      elements.push_back(part(*element));
      continue;
    }
    const Value value = evaluate(*starred->value);
    const auto more = emitter_.elements_of(value);
    if (!more)
      fail(element->location, describe(value) + " cannot be unpacked", "Only tuples can.");
    elements.insert(elements.end(), more->begin(), more->end());
  }
  TupleValue tuple = {.elements = std::make_shared<const std::vector<Value>>(std::move(elements))};
  if (node.is_list)
    tuple.list_at = at.location;
  return tuple;
}

Value Walker::expression(const tree::Expression& at, const tree::Starred&) {
  diagnostics().unsupported(at.location, "a starred name cannot be assigned to in a kernel");
}

Value Walker::expression(const tree::Expression& at, const tree::NamedExpression& node) {
  const Value value = evaluate(*node.value);
  bind(node.name, value, at.location);
  return value;
}

Value Walker::expression(const tree::Expression&, const tree::Lambda& node) {
  std::vector<Value> defaults;
  for (const tree::Parameter& parameter : node.function->parameters) {
    if (parameter.default_value)
      defaults.push_back(evaluate(*parameter.default_value));
  }
  return LocalFunction{
      .tree = node.function,
      .defaults = std::make_shared<const std::vector<Value>>(std::move(defaults)),
      .home = unit_};
}

Value Walker::expression(const tree::Expression& at, const tree::Unsupported& node) {
  diagnostics().unsupported(at.location, node.what + " cannot be used in a kernel", node.advice);
}

}  // namespace phalanx::frontend::python
