// Expressions: what each kind of them evaluates to.
#include <algorithm>

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/calls.h"
#include "phalanx/frontend/python/debug_checks.h"
#include "phalanx/frontend/python/extensions.h"
#include "phalanx/frontend/python/flags.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/list_operations.h"
#include "phalanx/frontend/python/list_types.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/loops.h"
#include "phalanx/frontend/python/short_circuit.h"
#include "phalanx/frontend/python/visit_tree.h"
#include "phalanx/frontend/python/walker.h"
#include "phalanx/ir/build_calls.h"

namespace phalanx::frontend::python {
namespace {

constexpr std::string_view usable_entities =
    "From outside they see numbers, strings, tuples, NumPy arrays, functions, types and modules.";

constexpr std::string_view drawn_outside =
    "Draw with np.random.normal and the like, after np.random.seed, or outside and pass the array.";

// Advice for a name that is not known.
std::string did_you_mean(const std::string& name) {
  return name.empty() ? "" : "Did you mean '" + name + "'?";
}

// What each kind of expression evaluates to; one object is one expression.
struct Expressions {
  Value operator()(const tree::Name& node);
  Value operator()(const tree::Constant& node);
  Value operator()(const tree::Binary& node);
  Value operator()(const tree::Unary& node);
  Value operator()(const tree::Boolean& node);
  Value operator()(const tree::Compare& node);
  Value operator()(const tree::Conditional& node);
  Value operator()(const tree::Call& node);
  Value operator()(const tree::Attribute& node);
  Value operator()(const tree::Subscript& node);
  Value operator()(const tree::Slice& node);
  Value operator()(const tree::Tuple& node);
  Value operator()(const tree::Starred& node);
  Value operator()(const tree::NamedExpression& node);
  Value operator()(const tree::Lambda& node) { return walker.local_function(node.function); }
  Value operator()(const tree::Unsupported& node);

  Call arguments(const tree::Call& node, bool is_lazy);
  Value name_value(const std::string& name, Location where);
  std::optional<Value> captured_value(const std::string& name, Location where);
  void report_unassigned(NameId name, Location where);
  Value read(const Value& value);  // an intrinsic that is a value, such as cuda.threadIdx.x
  Value attribute_of(const Value& owner, const tree::Attribute& node);
  Value unread(const tree::Expression& expression);
  bool calls_functions(const tree::Expression& expression);
  [[noreturn]] void too_wide(Location where, const tree::BigInteger& integer) const;

  Walker& walker;
  const tree::Expression& at;
  Walk& walk = walker.walk();
  Emitter& emitter = walk.emitter;
};

Value Expressions::read(const Value& value) {
  if (const auto* intrinsic = value.as<IntrinsicEntity>()) {
    if (auto read = read_intrinsic(emitter, intrinsic->name))
      return std::move(*read);
  }
  return value;
}

// What a nested function sees of the functions around it. It sees itself too, by its own name or by
// that of the variable that holds it.
std::optional<Value> Expressions::captured_value(const std::string& name, Location where) {
  const auto captured = walk.unit.captured.find(name);
  const auto* function =
      captured == walk.unit.captured.end() ? nullptr : captured->second.as<LocalFunction>();
  const bool is_open = function != nullptr && !function->captured;
  if (captured != walk.unit.captured.end() && !is_open)
    return captured->second;
  const bool is_itself = is_open ? function->tree == walk.unit.tree
                                 : walk.unit.is_nested && name == walk.unit.tree->name;
  if (is_itself)
    return LocalFunction{
        .tree = walk.unit.tree,
        .defaults = is_open ? function->defaults : std::make_shared<const std::vector<Value>>(),
        .home = &walk.unit,
        .captured = std::make_shared<const Captures>(walk.unit.captured)};
  if (is_open)
    walk.fail(
        where,
        "functions inside a function cannot call each other in a circle",
        "Define them outside, or make them one function.");
  return std::nullopt;
}

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

void Expressions::report_unassigned(NameId name, Location where) {
  if (walk.known_names.flags != 0 && !walk.unit.is_library)
    report_absent(
        walk.builder(),
        walk.known_names.locals[name],
        walk.names.at(name + walk.known_names.flags).value,
        where);
}

Value Expressions::name_value(const std::string& name, Location where) {
  if (const NameId* id = walk.known_names.find(name)) {
    const Value& value = walk.names.at(*id).value;
    if (value.is<Pending>())
      throw Untyped{where, "the type of '" + name + "' cannot be determined here", {}};
    if (value.is<Unbound>()) {
      // In a loop it may get its value in an earlier iteration.
      if (walker.loops().is_inside())
        throw Untyped{where, "'" + name + "' is used before it is assigned", {}};
      walk.fail(where, "'" + name + "' is used before it is assigned");
    }
    if (const auto* conflict = value.as<Conflict>())
      walk.fail(where, conflict->message, conflict->advice);
    report_unassigned(*id, where);
    return walk.names.at(*id).meaning();
  }
  if (auto captured = captured_value(name, where)) {
    if (const auto flag = walk.unit.captured.find(flag_of(name)); flag != walk.unit.captured.end())
      report_absent(walk.builder(), name, flag->second, where);
    return std::move(*captured);
  }
  if (name == tree::matrix_product && !walk.options().is_function)
    walk.diagnostics().unsupported(
        where, "the operator @ cannot be used in a kernel", "Write the loops.");
  const Value value = value_of(walk.unit.environment->lookup(name));
  if (value.is<Unbound>())
    walk.fail(
        where,
        "the name '" + name + "' is not defined",
        did_you_mean(walk.unit.environment->similar(name, walk.known_names.locals)));
  if (const auto* unusable = value.as<UnusableEntity>())
    walk.fail(
        where,
        "Untyped global name '" + name + "': kernels cannot use " + unusable->what,
        usable_entities);
  return value;
}

Value Expressions::operator()(const tree::Name& node) {
  return read(name_value(node.text, at.location));
}

Value Expressions::operator()(const tree::Constant& node) {
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

void Expressions::too_wide(Location where, const tree::BigInteger& integer) const {
  const std::string which = integer.digits.empty() ? "an integer" : "the integer " + integer.digits;
  walk.fail(
      where,
      which + " fits no type: Int value is too large",
      "Integers go from -2**63 to 2**64 - 1. Write a float, such as 1e30, where it need not be "
      "exact.");
}

// True if a function of the user's may be called, which may write to any array.
bool Expressions::calls_functions(const tree::Expression& expression) {
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

Value Expressions::operator()(const tree::Binary& node) {
  Value left = walker.unevaluated(*node.left);
  if (left.is<LazyArray>() && calls_functions(*node.right))
    left = emitter.materialize(left);
  return walker.binary(node.op, left, walker.unevaluated(*node.right));
}

Value Expressions::operator()(const tree::Unary& node) {
  if (node.op == tree::UnaryOperator::logical_not) {
    const Value negated = emitter.logical_not(walker.condition(*node.operand));
    return tree::is_constant(*node.operand) ? negated : as_computed(negated);
  }
  return emitter.unary(node.op, walker.unevaluated(*node.operand));
}

Value Expressions::operator()(const tree::Boolean& node) {
  return ShortCircuit(walker).operand(node.operands, 0, node.is_and);
}

Value Expressions::operator()(const tree::Compare& node) {
  return ShortCircuit(walker).chain(node, 0, walker.unevaluated(*node.first));
}

Value Expressions::operator()(const tree::Conditional& node) {
  return ShortCircuit(walker).choose(
      walker.condition(*node.condition),
      [&] { return walker.evaluate(*node.then); },
      [&] { return walker.evaluate(*node.otherwise); });
}

Value Expressions::operator()(const tree::Call& node) {
  const Value callee = walker.evaluate(*node.callee);
  return walker.calls().call(callee, arguments(node, callee.is<IntrinsicEntity>()));
}

Call Expressions::arguments(const tree::Call& node, bool is_lazy) {
  Call call;
  for (const auto& argument : node.arguments) {
    const auto* starred = std::get_if<tree::Starred>(&argument->node);
    if (starred == nullptr) {
      call.arguments.push_back(
          is_lazy ? walker.unevaluated(*argument) : walker.evaluate(*argument));
      continue;
    }
    const Value value = walker.evaluate(*starred->value);
    const auto elements = emitter.elements_of(value);
    if (!elements)
      walk.fail(argument->location, describe(value) + " cannot be unpacked", "Only tuples can.");
    call.arguments.insert(call.arguments.end(), elements->begin(), elements->end());
  }
  for (const tree::Keyword& keyword : node.keywords) {
    if (keyword.name.empty())
      walk.diagnostics().unsupported(
          keyword.value->location,
          "** in a call cannot be used in a kernel",
          "Name each argument.");
    call.keywords.emplace_back(keyword.name, walker.evaluate(*keyword.value));
  }
  return call;
}

Value Expressions::attribute_of(const Value& owner, const tree::Attribute& node) {
  const auto* tuple = owner.as<TupleValue>();
  const bool is_display = walk.options().is_function && tuple != nullptr && tuple->list_at;
  if (is_display || owner.is<OpenList>() || is_list(owner))
    return walker.lists().method(owner, node.name);
  if (const auto* scope = owner.as<ScopeEntity>()) {
    const Value value = value_of(scope->scope->attribute(node.name));
    if (value.is<Unbound>())
      emitter.fail(
          scope->scope->describe() + " has no attribute " + node.name,
          did_you_mean(scope->scope->similar(node.name)));
    if (const auto* unusable = value.as<UnusableEntity>())
      emitter.fail(
          "Unknown attribute '" + node.name + "': kernels cannot use " + unusable->what,
          unusable->what.starts_with("numpy.random.") ? drawn_outside : usable_entities);
    return value;
  }
  if (const auto* intrinsic = owner.as<IntrinsicEntity>()) {
    const std::string name = intrinsic->name + "." + node.name;
    const auto is_value = [](const std::string& each) {
      return std::ranges::find(intrinsic_values(), each, &IntrinsicValue::name) !=
             intrinsic_values().end();
    };
    if (is_value(intrinsic->name) && !is_value(name))
      emitter.fail(intrinsic->name + " has no attribute " + node.name);
    return IntrinsicEntity{name};
  }
  const auto type = type_of(owner);
  const bool is_own = type && type->is_array() && is_array_method(node.name);
  if (!is_own) {
    if (auto value = walker.extensions().attribute(owner, node.name))
      return std::move(*value);
  }
  return emitter.attribute(owner, node.name);
}

// What is before a dot: of cuda.threadIdx.x only x is read.
Value Expressions::unread(const tree::Expression& expression) {
  const AtLocation here(walk.builder(), expression.location);
  if (const auto* name = std::get_if<tree::Name>(&expression.node))
    return name_value(name->text, expression.location);
  if (const auto* attribute = std::get_if<tree::Attribute>(&expression.node))
    return attribute_of(unread(*attribute->owner), *attribute);
  return walker.unevaluated(expression);
}

Value Expressions::operator()(const tree::Attribute& node) {
  return read(attribute_of(unread(*node.owner), node));
}

Value Expressions::operator()(const tree::Subscript& node) {
  const Value owner = walker.evaluate(*node.owner);
  const Value index = walker.evaluate(*node.index);
  const auto* scope = owner.as<ScopeEntity>();
  const auto* key = index.as<TextEntity>();
  if (scope != nullptr && key != nullptr) {
    const Value value = value_of(scope->scope->item(key->text));
    if (value.is<Unbound>())
      emitter.fail(scope->scope->describe() + " has no item '" + key->text + "'");
    return value;
  }
  check_tuple_index(walk, owner, index);
  if (auto slice = walker.lists().slice(owner, index))
    return std::move(*slice);
  if (auto elements = walker.extensions().elements_at(owner, index))
    return std::move(*elements);
  const Value item = emitter.item(owner, index);
  return tree::is_constant(*node.owner) ? item : as_item(item);
}

Value Expressions::operator()(const tree::Slice& node) {
  const auto part = [&](const tree::ExpressionPtr& bound) {
    return bound ? walker.evaluate(*bound) : none_value();
  };
  std::array<Value, 3> parts = {part(node.lower), part(node.upper), part(node.step)};
  return SliceValue{std::make_shared<const std::array<Value, 3>>(std::move(parts))};
}

Value Expressions::operator()(const tree::Tuple& node) {
  // Open lists may be returned together with others, or unpacked.
  const auto part = [&](const tree::Expression& element) {
    const Value value = walker.unevaluated(element);
    return value.is<OpenList>() ? value : walker.evaluated(value, element);
  };
  std::vector<Value> elements;
  for (const auto& element : node.elements) {
    const auto* starred = std::get_if<tree::Starred>(&element->node);
    if (starred == nullptr) {
      elements.push_back(part(*element));
      continue;
    }
    const Value value = walker.evaluate(*starred->value);
    const auto more = emitter.elements_of(value);
    if (!more)
      walk.fail(element->location, describe(value) + " cannot be unpacked", "Only tuples can.");
    elements.insert(elements.end(), more->begin(), more->end());
  }
  TupleValue tuple = {.elements = std::make_shared<const std::vector<Value>>(std::move(elements))};
  if (node.is_list)
    tuple.list_at = at.location;
  return tuple;
}

Value Expressions::operator()(const tree::Starred&) {
  walk.diagnostics().unsupported(at.location, "a starred name cannot be assigned to in a kernel");
}

Value Expressions::operator()(const tree::NamedExpression& node) {
  const Value value = walker.evaluate(*node.value);
  walk.bind(node.name, value, at.location);
  return value;
}

Value Expressions::operator()(const tree::Unsupported& node) {
  walk.diagnostics().unsupported(
      at.location, node.what + " cannot be used in a kernel", node.advice);
}

}  // namespace

Value Walker::unevaluated(const tree::Expression& expression) {
  const AtLocation at(walk_.builder(), expression.location);
  return std::visit(Expressions{*this, expression}, expression.node);
}

Value Walker::evaluated(const Value& value, const tree::Expression& expression) {
  const AtLocation at(walk_.builder(), expression.location);
  list_types().require_known(value, expression.location);
  return value.is<LazyArray>() ? Value(walk_.emitter.materialize(value)) : value;
}

Value Walker::evaluate(const tree::Expression& expression) {
  return evaluated(unevaluated(expression), expression);
}

Value Walker::binary(ir::Op op, const Value& left, const Value& right) {
  if (auto list = lists().binary(op, left, right))
    return std::move(*list);
  check_division(walk_, op, left, right);
  return walk_.emitter.binary(op, left, right);
}

Value Walker::local_function(const std::shared_ptr<const tree::Function>& function) {
  std::vector<Value> defaults;
  for (const tree::Parameter& parameter : function->parameters) {
    if (parameter.default_value)
      defaults.push_back(evaluate(*parameter.default_value));
  }
  return LocalFunction{
      .tree = function,
      .defaults = std::make_shared<const std::vector<Value>>(std::move(defaults)),
      .home = &walk_.unit};
}

}  // namespace phalanx::frontend::python
