// Statements but loops.
#include <algorithm>

#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/computed_text.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/frontend/python/walker.h"

namespace phalanx::frontend::python {

void Walker::body(const tree::Body& statements) {
  for (const auto& statement : statements) {
    // What cannot be reached need not type.
    if (!is_reachable_)
      return;
    this->statement(*statement);
  }
}

void Walker::statement(const tree::Statement& statement) {
  const AtLocation at(builder(), statement.location);
  const int depth = depth_;
  const std::size_t loops = loops_.size();
  try {
    std::visit([&](const auto& node) { execute(statement, node); }, statement.node);
  } catch (const Untyped& reason) {
    depth_ = depth;
    loops_.resize(loops);
    is_reachable_ = true;
    leave_out(statement, reason);
  }
}

// The names it would bind get no value: what reads them is left out too.
void Walker::leave_out(const tree::Statement& statement, const Untyped& reason) {
  if (!untyped_)
    untyped_ = reason;
  const auto joins = known_names_->joins.find(&statement);
  if (joins != known_names_->joins.end()) {
    for (const NameId name : joins->second.assigned.members())
      names_[name] = {Pending{}, statement.location};
  } else if (const auto* assign = std::get_if<tree::Assign>(&statement.node)) {
    for (const auto& target : assign->targets) {
      if (const auto* name = std::get_if<tree::Name>(&target->node))
        bind(name->text, Pending{}, statement.location);
    }
  } else if (std::holds_alternative<tree::Return>(statement.node)) {
    is_reachable_ = false;
    builder().return_();
  }
}

// Whatever is assigned to a name whose type is declared is converted to it.
Value Walker::as_declared(const std::string& name, const Value& value, Location where) {
  if (unit_->locals == nullptr || value.is_untyped() || value.is<Conflict>() || is_list(value))
    return value;
  const auto declared = unit_->locals->find(name);
  if (declared == unit_->locals->end() || type_of(value) == declared->second)
    return value;
  const AtLocation at(builder(), where);
  return emitter_.convert(value, declared->second, "the value of " + name);
}

void Walker::bind(const std::string& name, const Value& given, Location where) {
  const Value value = as_declared(name, given, where);
  const NameId id = *known_names_->find(name);
  names_.at(id) = {value, where};
  if (known_names_->flags != 0)
    names_.at(id + known_names_->flags) = {boolean_literal(!value.is<Unbound>()), where};
  // A hint for the printer; the first name that a value gets stays.
  const auto* runtime = value.as<Runtime>();
  if (runtime != nullptr && runtime->operation->name.empty())
    runtime->operation->name = name;
}

void Walker::execute(const tree::Statement&, const tree::Evaluate& node) { evaluate(*node.value); }
void Walker::execute(const tree::Statement&, const tree::Pass&) {}

namespace {

// Python unpacks what is no display of two or three expressions item by item: see untaken.cpp.
constexpr std::size_t most_swapped = 3;

Value with_items(const Value& value) {
  const auto* tuple = value.as<TupleValue>();
  if (tuple == nullptr)
    return value;
  std::vector<Value> items;
  for (const Value& each : *tuple->elements) items.push_back(as_item(each));
  TupleValue made = *tuple;
  made.elements = std::make_shared<const std::vector<Value>>(std::move(items));
  return made;
}

}  // namespace

void Walker::execute(const tree::Statement&, const tree::Assign& node) {
  // What goes into a part of an array is computed there.
  const bool is_lazy =
      node.targets.size() == 1 && std::holds_alternative<tree::Subscript>(node.targets[0]->node);
  Value value = unevaluated(*node.value);
  if (value.is<LazyArray>() && !is_lazy)
    value = emitter_.materialize(value);
  if (!is_lazy)
    value = grown(value);
  const auto* display = std::get_if<tree::Tuple>(&node.value->node);
  const bool is_swap =
      display != nullptr && display->elements.size() <= most_swapped && !is_constant(*node.value);
  for (const auto& target : node.targets) {
    const bool is_unpacked = std::holds_alternative<tree::Tuple>(target->node) && !is_swap;
    assign(*target, is_unpacked ? with_items(value) : value);
  }
}

void Walker::assign(const tree::Expression& target, const Value& value) {
  const AtLocation at(builder(), target.location);
  if (const auto* name = std::get_if<tree::Name>(&target.node)) {
    bind(name->text, value, target.location);
  } else if (const auto* tuple = std::get_if<tree::Tuple>(&target.node)) {
    unpack(target, *tuple, value);
  } else if (const auto* subscript = std::get_if<tree::Subscript>(&target.node)) {
    const Value owner = evaluate(*subscript->owner);
    const Value index = evaluate(*subscript->index);
    if (set_list_slice(owner, index, value))
      return;
    if (is_list(owner))
      set_list_item(emitter_, owner, index, grown(value));
    else if (!set_elements_at(owner, index, value))
      emitter_.set_item(owner, index, value);
  } else if (const auto* attribute = std::get_if<tree::Attribute>(&target.node)) {
    emitter_.set_attribute(evaluate(*attribute->owner), attribute->name, value);
  } else {
    evaluate(target);  // fails, saying what it is
    diagnostics().unsupported(target.location, "this cannot be assigned to in a kernel");
  }
}

void Walker::unpack(
    const tree::Expression& target, const tree::Tuple& targets, const Value& value) {
  auto elements = emitter_.elements_of(value);
  if (!elements && session_->options().is_function && (is_array(value) || is_list(value)))
    elements = unpacked_array(value, targets.elements.size());
  if (!elements)
    fail(target.location, describe(value) + " cannot be unpacked", "Only tuples can.");
  const auto starred = std::ranges::find_if(targets.elements, [](const auto& element) {
    return std::holds_alternative<tree::Starred>(element->node);
  });
  if (starred != targets.elements.end() && elements->size() + 1 >= targets.elements.size()) {
    unpack_starred(
        targets, static_cast<std::size_t>(starred - targets.elements.begin()), *elements);
    return;
  }
  if (elements->size() != targets.elements.size())
    fail(
        target.location,
        describe(value) + " has " + std::to_string(elements->size()) +
            " elements, which do not unpack into " + std::to_string(targets.elements.size()) +
            " names");
  for (std::size_t i = 0; i < elements->size(); ++i) assign(*targets.elements[i], (*elements)[i]);
}

// a, b = array: its elements or rows, as many as there are names.
std::vector<Value> Walker::unpacked_array(const Value& value, std::size_t count) {
  const auto expected = integer_literal(static_cast<std::int64_t>(count));
  const Value array = emitter_.materialize(value);
  const bool is_list = python::is_list(array);
  if (!is_list && type_of(array)->ndim() == 0)
    emitter_.fail(describe(value) + " cannot be unpacked", "It has no dimension.");
  const Value length = is_list ? list_length(emitter_, array) : emitter_.extent(array, 0);
  emitter_.raise_where(
      emitter_.compare(tree::Comparison::not_equal, length, expected),
      "ValueError",
      std::string("unpack error: the ") + (is_list ? "list" : "array") +
          " does not have as many elements as there are names");
  std::vector<Value> elements;
  for (std::size_t i = 0; i < count; ++i)
    elements.push_back(emitter_.item(array, integer_literal(static_cast<std::int64_t>(i))));
  return elements;
}

// a, *b, c = value: what is left between the others becomes a tuple.
void Walker::unpack_starred(
    const tree::Tuple& targets, std::size_t starred, const std::vector<Value>& elements) {
  const std::size_t rest = elements.size() + 1 - targets.elements.size();
  for (std::size_t i = 0; i < targets.elements.size(); ++i) {
    if (i == starred) {
      const auto first = elements.begin() + static_cast<std::ptrdiff_t>(i);
      const auto& target = std::get<tree::Starred>(targets.elements[i]->node);
      assign(*target.value, tuple_value({first, first + static_cast<std::ptrdiff_t>(rest)}));
    } else {
      assign(*targets.elements[i], elements[i < starred ? i : i + rest - 1]);
    }
  }
}

void Walker::execute(const tree::Statement&, const tree::AugmentedAssign& node) {
  // Owner and index are evaluated once.
  if (const auto* subscript = std::get_if<tree::Subscript>(&node.target->node)) {
    const Value owner = evaluate(*subscript->owner);
    const Value index = evaluate(*subscript->index);
    if (const auto chosen = elements_at(owner, index)) {
      set_elements_at(owner, index, operate(node.op, *chosen, evaluate(*node.value)));
      return;
    }
    const Value before = emitter_.item(owner, index);
    const auto type = type_of(before);
    if (type && type->is_array()) {
      augment_view(emitter_, node.op, emitter_.materialize(before), unevaluated(*node.value));
      return;
    }
    emitter_.set_item(owner, index, operate(node.op, before, evaluate(*node.value)));
    return;
  }
  if (const auto* attribute = std::get_if<tree::Attribute>(&node.target->node)) {
    const Value owner = evaluate(*attribute->owner);
    const Value before = emitter_.attribute(owner, attribute->name);
    emitter_.set_attribute(owner, attribute->name, operate(node.op, before, evaluate(*node.value)));
    return;
  }
  const Value before = unevaluated(*node.target);
  if (node.op == ir::Op::add && (before.is<OpenList>() || is_list(before))) {
    const Call more = {.arguments = {evaluate(*node.value)}, .keywords = {}};
    call(list_method(before, "extend"), more);
    return;
  }
  if (is_array(before) && session_->options().is_function && !ufunc_of(node.op).empty()) {
    augment_view(emitter_, node.op, emitter_.materialize(before), unevaluated(*node.value));
    return;
  }
  assign(*node.target, operate(node.op, before, evaluate(*node.value)));
}

void Walker::execute(const tree::Statement& at, const tree::If& node) {
  const Value condition = branch_condition(*node.condition);
  const JoinNames& joins = known_names_->joins.at(&at);
  if (const auto known = known_truth(condition)) {
    const NameTypes others =
        prunes(condition)
            ? NameTypes()
            : types_after_untaken(*known ? node.otherwise : node.then, joins.live_after);
    body(*known ? node.then : node.otherwise);
    if (is_reachable_)
      widen_names(others);
    return;
  }
  const Bindings before = names_;
  const ir::Builder::Branches branches = builder().if_(emitter_.materialize(condition));
  std::vector<Edge> edges;
  const auto walk = [&](ir::Region& region, const tree::Body& statements) {
    const auto inside = builder().enter(region);
    names_ = before;
    is_reachable_ = true;
    body(statements);
    if (is_reachable_)
      edges.push_back(edge());
  };
  walk(branches.then, node.then);
  walk(branches.otherwise, node.otherwise);
  join(joins.assigned, joins.live_after, std::move(edges), before);
}

namespace {

bool holds_none(const Value& value) {
  const auto* tuple = value.as<TupleValue>();
  return tuple != nullptr && std::ranges::any_of(*tuple->elements, [](const Value& element) {
           return element.is_none() || holds_none(element);
         });
}

}  // namespace

void Walker::execute(const tree::Statement& at, const tree::Return& node) {
  Value value = node.value ? unevaluated(*node.value) : none_value();
  value = grown(value.is<LazyArray>() ? Value(emitter_.materialize(value)) : value);
  const bool is_kernel = instance_->function->kind == ir::FunctionKind::kernel;
  if (is_kernel && !value.is_none())
    throw CompileError(
        CompileError::Kind::kernel_result,
        diagnostics().message(
            at.location,
            "CUDA kernel must have void return type, and this returns " + describe(value),
            "Write the result into an array that is an argument."));
  if (instance_->is_recursive && holds_none(value))
    fail(
        at.location,
        "Return type of recursive function does not converge: it returns None, and a tuple that "
        "holds what it returns",
        "Return values of one type.");
  returns_.emplace_back(edge(), Binding{value, at.location});
  builder().return_();
  is_reachable_ = false;
}

void Walker::raise_when(const Value& condition, Raise raise) {
  if (const auto known = known_truth(condition)) {
    if (*known) {
      builder().raise(std::move(raise));
      is_reachable_ = false;
    }
    return;
  }
  const auto branches = builder().if_(emitter_.materialize(condition));
  const auto inside = builder().enter(branches.then);
  builder().raise(std::move(raise));
}

namespace {

// CPU functions raise by themselves; kernels in debug builds only, as in numba-cuda.
bool is_debug_kernel(const Session& session) {
  return session.options().debug && !session.options().is_function;
}

}  // namespace

Value Walker::operate(ir::Op op, const Value& left, const Value& right) {
  if (auto list = list_operator(op, left, right))
    return std::move(*list);
  const bool divides =
      op == ir::Op::true_divide || op == ir::Op::floor_divide || op == ir::Op::remainder;
  if (divides && is_debug_kernel(*session_) && emitter_.is_scalar(left) && right.is<Runtime>() &&
      emitter_.is_scalar(right))
    raise_when(
        emitter_.compare(tree::Comparison::equal, right, integer_literal(0)),
        emitter_.exception("ZeroDivisionError", "division by zero"));
  return emitter_.binary(op, left, right);
}

// Indices known now are checked by the compiler.
void Walker::check_tuple_index(const Value& owner, const Value& index) {
  if (!is_debug_kernel(*session_) || !emitter_.is_scalar(index) || known_integer(index))
    return;
  const auto elements = emitter_.elements_of(owner);
  if (!elements)
    return;
  const auto count = static_cast<std::int64_t>(elements->size());
  const Value low = emitter_.compare(tree::Comparison::less, index, integer_literal(-count));
  const Value high =
      emitter_.compare(tree::Comparison::greater_equal, index, integer_literal(count));
  raise_when(
      emitter_.select(low, boolean_literal(true), high),
      emitter_.exception("IndexError", "tuple index out of range"));
}

void Walker::execute(const tree::Statement&, const tree::Assert& node) {
  // As in numba-cuda: asserts count in debug builds only.
  if (!session_->options().debug)
    return;
  std::string message_text;
  if (node.message) {
    const Value message = evaluate(*node.message);
    const auto* known = message.as<TextEntity>();
    if (known == nullptr)
      fail(node.message->location, "the message of an assert must be a constant string");
    message_text = known->text;
  }
  raise_when(
      emitter_.logical_not(condition(*node.condition)),
      emitter_.exception("AssertionError", message_text));
}

Raise Walker::exception(const tree::Raise& node, ExceptionArguments& arguments) {
  if (!node.exception)
    return {.type = "RuntimeError", .message = {}};
  const auto* call = std::get_if<tree::Call>(&node.exception->node);
  const tree::Expression& type = call == nullptr ? *node.exception : *call->callee;
  const Value exception = evaluate(type);
  const auto* named = exception.as<ExceptionEntity>();
  if (named == nullptr)
    fail(
        type.location,
        "only exceptions can be raised, found " + describe(exception),
        "Write raise ValueError(\"text\").");
  if (session_->options().is_function) {
    for (std::size_t i = 0; call != nullptr && i < call->arguments.size(); ++i) {
      const AtLocation at(builder(), call->arguments[i]->location);
      arguments.add(evaluate(*call->arguments[i]));
    }
    return {.type = named->name, .message = arguments.text()};
  }
  Raise raise = {.type = named->name, .message = {}};
  if (call == nullptr)
    return raise;
  for (std::size_t i = 0; i < call->arguments.size(); ++i) {
    const Value argument = evaluate(*call->arguments[i]);
    const auto* known = argument.as<TextEntity>();
    const auto number = known_integer(argument);
    if (known == nullptr && !number)
      fail(
          call->arguments[i]->location,
          "the arguments of an exception must be constants, found " + describe(argument),
          "Write the value into an array, or print it.");
    raise.message +=
        (i == 0 ? "" : ", ") + (known != nullptr ? known->text : std::to_string(*number));
  }
  return raise;
}

Raise Emitter::exception(std::string_view type, const std::string& message) const {
  Raise raise = {.type = std::string(type), .message = message};
  if (session_->options().is_function)
    raise.message = message.empty() ? "()" : "(" + quoted(message) + ",)";
  return raise;
}

void Walker::execute(const tree::Statement&, const tree::Raise& node) {
  ExceptionArguments arguments(emitter_);
  Raise raise = exception(node, arguments);
  builder().append(ir::Op::raise, {}, arguments.numbers()).detail = std::move(raise);
  is_reachable_ = false;
}

void Walker::execute(const tree::Statement& at, const tree::Delete& node) {
  for (const std::string& name : node.names) bind(name, Unbound{}, at.location);
}

void Walker::execute(const tree::Statement& at, const tree::Define& node) {
  bind(node.function->name, expression({}, tree::Lambda{node.function}), at.location);
}

void Walker::execute(const tree::Statement& at, const tree::Unsupported& node) {
  diagnostics().unsupported(at.location, node.what + " cannot be used in a kernel", node.advice);
}

}  // namespace phalanx::frontend::python
