// Statements but loops.
#include <algorithm>

#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/computed_text.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/untaken.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/frontend/python/visit_tree.h"
#include "phalanx/frontend/python/walker.h"

namespace phalanx::frontend::python {

// What each kind of statement does; one object is one statement.
struct Walker::Statements {
  void operator()(const tree::Evaluate& node);
  void operator()(const tree::Assign& node);
  void operator()(const tree::AugmentedAssign& node);
  void operator()(const tree::If& node);
  void operator()(const tree::While& node) { walker.while_loop(at, node); }
  void operator()(const tree::For& node) { walker.for_loop(at, node); }
  void operator()(const tree::Break&) { walker.jump(true, at.location); }
  void operator()(const tree::Continue&) { walker.jump(false, at.location); }
  void operator()(const tree::Pass&) {}
  void operator()(const tree::Return& node);
  void operator()(const tree::Assert& node);
  void operator()(const tree::Raise& node);
  void operator()(const tree::Delete& node);
  void operator()(const tree::Define& node);
  void operator()(const tree::Unsupported& node);

  // The statement, whose types are not known yet: the names it would bind get no value, so that
  // what reads them is left out too.
  void leave_out(const Untyped& reason);

  Raise exception(const tree::Raise& node, ExceptionArguments& arguments);

  Walker& walker;
  const tree::Statement& at;
};

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
    std::visit(Statements{*this, statement}, statement.node);
  } catch (const Untyped& reason) {
    depth_ = depth;
    loops_.resize(loops);
    is_reachable_ = true;
    Statements{*this, statement}.leave_out(reason);
  }
}

void Walker::Statements::leave_out(const Untyped& reason) {
  if (!walker.untyped_)
    walker.untyped_ = reason;
  const auto joins = walker.known_names_->joins.find(&at);
  if (joins != walker.known_names_->joins.end()) {
    for (const NameId name : joins->second.assigned.members())
      walker.names_[name] = {Pending{}, at.location};
  } else if (const auto* assign = std::get_if<tree::Assign>(&at.node)) {
    for (const auto& target : assign->targets) {
      if (const auto* name = std::get_if<tree::Name>(&target->node))
        walker.bind(name->text, Pending{}, at.location);
    }
  } else if (std::holds_alternative<tree::Return>(at.node)) {
    walker.is_reachable_ = false;
    walker.builder().return_();
  }
}

void Walker::Statements::operator()(const tree::Evaluate& node) { walker.evaluate(*node.value); }

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

void Walker::Statements::operator()(const tree::Assign& node) {
  // What goes into a part of an array is computed there.
  const bool is_lazy =
      node.targets.size() == 1 && std::holds_alternative<tree::Subscript>(node.targets[0]->node);
  Value value = walker.unevaluated(*node.value);
  if (value.is<LazyArray>() && !is_lazy)
    value = walker.emitter_.materialize(value);
  if (!is_lazy)
    value = walker.grown(value);
  const auto* display = std::get_if<tree::Tuple>(&node.value->node);
  const bool is_swap = display != nullptr && display->elements.size() <= most_swapped &&
                       !tree::is_constant(*node.value);
  for (const auto& target : node.targets) {
    const bool is_unpacked = std::holds_alternative<tree::Tuple>(target->node) && !is_swap;
    walker.assign(*target, is_unpacked ? with_items(value) : value);
  }
}

void Walker::Statements::operator()(const tree::AugmentedAssign& node) {
  // Owner and index are evaluated once.
  if (const auto* subscript = std::get_if<tree::Subscript>(&node.target->node)) {
    const Value owner = walker.evaluate(*subscript->owner);
    const Value index = walker.evaluate(*subscript->index);
    if (const auto chosen = walker.elements_at(owner, index)) {
      walker.set_elements_at(
          owner, index, walker.operate(node.op, *chosen, walker.evaluate(*node.value)));
      return;
    }
    const Value before = walker.emitter_.item(owner, index);
    const auto type = type_of(before);
    if (type && type->is_array()) {
      augment_view(
          walker.emitter_,
          node.op,
          walker.emitter_.materialize(before),
          walker.unevaluated(*node.value));
      return;
    }
    walker.emitter_.set_item(
        owner, index, walker.operate(node.op, before, walker.evaluate(*node.value)));
    return;
  }
  if (const auto* attribute = std::get_if<tree::Attribute>(&node.target->node)) {
    const Value owner = walker.evaluate(*attribute->owner);
    const Value before = walker.emitter_.attribute(owner, attribute->name);
    walker.emitter_.set_attribute(
        owner, attribute->name, walker.operate(node.op, before, walker.evaluate(*node.value)));
    return;
  }
  const Value before = walker.unevaluated(*node.target);
  if (node.op == ir::Op::add && (before.is<OpenList>() || is_list(before))) {
    const Call more = {.arguments = {walker.evaluate(*node.value)}, .keywords = {}};
    walker.call(walker.list_method(before, "extend"), more);
    return;
  }
  if (is_array(before) && walker.session_->options().is_function && !ufunc_of(node.op).empty()) {
    augment_view(
        walker.emitter_,
        node.op,
        walker.emitter_.materialize(before),
        walker.unevaluated(*node.value));
    return;
  }
  walker.assign(*node.target, walker.operate(node.op, before, walker.evaluate(*node.value)));
}

void Walker::Statements::operator()(const tree::If& node) {
  const Value condition = walker.branch_condition(*node.condition);
  const JoinNames& joins = walker.known_names_->joins.at(&at);
  if (const auto known = known_truth(condition)) {
    const Untaken::Types others =
        walker.prunes(condition)
            ? Untaken::Types()
            : Untaken{walker}.types_after(*known ? node.otherwise : node.then, joins.live_after);
    walker.body(*known ? node.then : node.otherwise);
    if (walker.is_reachable_)
      Untaken{walker}.widen(others);
    return;
  }
  const Bindings before = walker.names_;
  const ir::Builder::Branches branches =
      walker.builder().if_(walker.emitter_.materialize(condition));
  std::vector<Edge> edges;
  const auto walk = [&](ir::Region& region, const tree::Body& statements) {
    const auto inside = walker.builder().enter(region);
    walker.names_ = before;
    walker.is_reachable_ = true;
    walker.body(statements);
    if (walker.is_reachable_)
      edges.push_back(walker.edge());
  };
  walk(branches.then, node.then);
  walk(branches.otherwise, node.otherwise);
  walker.join(joins.assigned, joins.live_after, std::move(edges), before);
}

namespace {

bool holds_none(const Value& value) {
  const auto* tuple = value.as<TupleValue>();
  return tuple != nullptr && std::ranges::any_of(*tuple->elements, [](const Value& element) {
           return element.is_none() || holds_none(element);
         });
}

}  // namespace

void Walker::Statements::operator()(const tree::Return& node) {
  Value value = node.value ? walker.unevaluated(*node.value) : none_value();
  value = walker.grown(value.is<LazyArray>() ? Value(walker.emitter_.materialize(value)) : value);
  const bool is_kernel = walker.instance_->function->kind == ir::FunctionKind::kernel;
  if (is_kernel && !value.is_none())
    throw CompileError(
        CompileError::Kind::kernel_result,
        walker.diagnostics().message(
            at.location,
            "CUDA kernel must have void return type, and this returns " + describe(value),
            "Write the result into an array that is an argument."));
  if (walker.instance_->is_recursive && holds_none(value))
    walker.fail(
        at.location,
        "Return type of recursive function does not converge: it returns None, and a tuple that "
        "holds what it returns",
        "Return values of one type.");
  walker.returns_.emplace_back(walker.edge(), Binding{value, at.location});
  walker.builder().return_();
  walker.is_reachable_ = false;
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

void Walker::Statements::operator()(const tree::Assert& node) {
  // As in numba-cuda: asserts count in debug builds only.
  if (!walker.session_->options().debug)
    return;
  std::string message_text;
  if (node.message) {
    const Value message = walker.evaluate(*node.message);
    const auto* known = message.as<TextEntity>();
    if (known == nullptr)
      walker.fail(node.message->location, "the message of an assert must be a constant string");
    message_text = known->text;
  }
  walker.raise_when(
      walker.emitter_.logical_not(walker.condition(*node.condition)),
      walker.emitter_.exception("AssertionError", message_text));
}

Raise Walker::Statements::exception(const tree::Raise& node, ExceptionArguments& arguments) {
  if (!node.exception)
    return {.type = "RuntimeError", .message = {}};
  const auto* call = std::get_if<tree::Call>(&node.exception->node);
  const tree::Expression& type = call == nullptr ? *node.exception : *call->callee;
  const Value exception = walker.evaluate(type);
  const auto* named = exception.as<ExceptionEntity>();
  if (named == nullptr)
    walker.fail(
        type.location,
        "only exceptions can be raised, found " + describe(exception),
        "Write raise ValueError(\"text\").");
  if (walker.session_->options().is_function) {
    for (std::size_t i = 0; call != nullptr && i < call->arguments.size(); ++i) {
      const AtLocation argument(walker.builder(), call->arguments[i]->location);
      arguments.add(walker.evaluate(*call->arguments[i]));
    }
    return {.type = named->name, .message = arguments.text()};
  }
  Raise raise = {.type = named->name, .message = {}};
  if (call == nullptr)
    return raise;
  for (std::size_t i = 0; i < call->arguments.size(); ++i) {
    const Value argument = walker.evaluate(*call->arguments[i]);
    const auto* known = argument.as<TextEntity>();
    const auto number = known_integer(argument);
    if (known == nullptr && !number)
      walker.fail(
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

void Walker::Statements::operator()(const tree::Raise& node) {
  ExceptionArguments arguments(walker.emitter_);
  Raise raise = exception(node, arguments);
  walker.builder().append(ir::Op::raise, {}, arguments.numbers()).detail = std::move(raise);
  walker.is_reachable_ = false;
}

void Walker::Statements::operator()(const tree::Delete& node) {
  for (const std::string& name : node.names) walker.bind(name, Unbound{}, at.location);
}

void Walker::Statements::operator()(const tree::Define& node) {
  walker.bind(node.function->name, walker.local_function(node.function), at.location);
}

void Walker::Statements::operator()(const tree::Unsupported& node) {
  walker.diagnostics().unsupported(
      at.location, node.what + " cannot be used in a kernel", node.advice);
}

}  // namespace phalanx::frontend::python
