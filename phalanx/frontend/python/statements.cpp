// Statements but loops.
#include <algorithm>

#include "phalanx/frontend/python/calls.h"
#include "phalanx/frontend/python/computed_text.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/extensions.h"
#include "phalanx/frontend/python/iteration.h"
#include "phalanx/frontend/python/joins.h"
#include "phalanx/frontend/python/list_operations.h"
#include "phalanx/frontend/python/list_types.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/loops.h"
#include "phalanx/frontend/python/returns.h"
#include "phalanx/frontend/python/untaken.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/frontend/python/visit_tree.h"
#include "phalanx/frontend/python/walker.h"

namespace phalanx::frontend::python {
namespace {

// What each kind of statement does; one object is one statement.
struct Statements {
  void operator()(const tree::Evaluate& node);
  void operator()(const tree::Assign& node);
  void operator()(const tree::AugmentedAssign& node);
  void operator()(const tree::If& node);
  void operator()(const tree::While& node);
  void operator()(const tree::For& node) { for_loop(walker, at, node); }
  void operator()(const tree::Break&) { walker.loops().jump(true, at.location); }
  void operator()(const tree::Continue&) { walker.loops().jump(false, at.location); }
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
  Walk& walk = walker.walk();
  Emitter& emitter = walk.emitter;
};

void Statements::leave_out(const Untyped& reason) {
  walk.postpone(reason);
  const auto joins = walk.known_names.joins.find(&at);
  if (joins != walk.known_names.joins.end()) {
    for (const NameId name : joins->second.assigned.members())
      walk.names[name] = {Pending{}, at.location};
  } else if (const auto* assign = std::get_if<tree::Assign>(&at.node)) {
    for (const auto& target : assign->targets) {
      if (const auto* name = std::get_if<tree::Name>(&target->node))
        walk.bind(name->text, Pending{}, at.location);
    }
  } else if (std::holds_alternative<tree::Return>(at.node)) {
    walk.is_reachable = false;
    walk.builder().return_();
  }
}

void Statements::operator()(const tree::Evaluate& node) { walker.evaluate(*node.value); }

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

void Statements::operator()(const tree::Assign& node) {
  // What goes into a part of an array is computed there.
  const bool is_lazy =
      node.targets.size() == 1 && std::holds_alternative<tree::Subscript>(node.targets[0]->node);
  Value value = walker.unevaluated(*node.value);
  if (value.is<LazyArray>() && !is_lazy)
    value = emitter.materialize(value);
  if (!is_lazy)
    value = walker.list_types().grown(value);
  const auto* display = std::get_if<tree::Tuple>(&node.value->node);
  const bool is_swap = display != nullptr && display->elements.size() <= most_swapped &&
                       !tree::is_constant(*node.value);
  for (const auto& target : node.targets) {
    const bool is_unpacked = std::holds_alternative<tree::Tuple>(target->node) && !is_swap;
    walker.assign(*target, is_unpacked ? with_items(value) : value);
  }
}

void Statements::operator()(const tree::AugmentedAssign& node) {
  // Owner and index are evaluated once.
  if (const auto* subscript = std::get_if<tree::Subscript>(&node.target->node)) {
    const Value owner = walker.evaluate(*subscript->owner);
    const Value index = walker.evaluate(*subscript->index);
    if (const auto chosen = walker.extensions().elements_at(owner, index)) {
      walker.extensions().set_elements_at(
          owner, index, walker.binary(node.op, *chosen, walker.evaluate(*node.value)));
      return;
    }
    const Value before = emitter.item(owner, index);
    const auto type = type_of(before);
    if (type && type->is_array()) {
      augment_view(emitter, node.op, emitter.materialize(before), walker.unevaluated(*node.value));
      return;
    }
    emitter.set_item(owner, index, walker.binary(node.op, before, walker.evaluate(*node.value)));
    return;
  }
  if (const auto* attribute = std::get_if<tree::Attribute>(&node.target->node)) {
    const Value owner = walker.evaluate(*attribute->owner);
    const Value before = emitter.attribute(owner, attribute->name);
    emitter.set_attribute(
        owner, attribute->name, walker.binary(node.op, before, walker.evaluate(*node.value)));
    return;
  }
  const Value before = walker.unevaluated(*node.target);
  if (node.op == ir::Op::add && (before.is<OpenList>() || is_list(before))) {
    const Call more = {.arguments = {walker.evaluate(*node.value)}, .keywords = {}};
    walker.calls().call(walker.lists().method(before, "extend"), more);
    return;
  }
  if (is_array(before) && walk.options().is_function && !ufunc_of(node.op).empty()) {
    augment_view(emitter, node.op, emitter.materialize(before), walker.unevaluated(*node.value));
    return;
  }
  walker.assign(*node.target, walker.binary(node.op, before, walker.evaluate(*node.value)));
}

void Statements::operator()(const tree::If& node) {
  const Value condition = walker.branch_condition(*node.condition);
  const JoinNames& joins = walk.known_names.joins.at(&at);
  if (const auto known = known_truth(condition)) {
    const Untaken::Types others =
        Untaken(walker).prunes(condition)
            ? Untaken::Types()
            : Untaken(walker).types_after(*known ? node.otherwise : node.then, joins.live_after);
    walker.body(*known ? node.then : node.otherwise);
    if (walk.is_reachable)
      Untaken(walker).widen(others);
    return;
  }
  const Bindings before = walk.names;
  const ir::Builder::Branches branches = walk.builder().if_(emitter.materialize(condition));
  std::vector<Edge> edges;
  const auto follow = [&](ir::Region& region, const tree::Body& statements) {
    const auto inside = walk.builder().enter(region);
    walk.names = before;
    walk.is_reachable = true;
    walker.body(statements);
    if (walk.is_reachable)
      edges.push_back(walk.edge());
  };
  follow(branches.then, node.then);
  follow(branches.otherwise, node.otherwise);
  walker.joins().join(joins.assigned, joins.live_after, edges, before);
}

void Statements::operator()(const tree::While& node) {
  walker.loops().emit(at, {.body = node.body, .otherwise = node.otherwise, .condition = [&] {
                             return walker.branch_condition(*node.condition);
                           }});
}

bool holds_none(const Value& value) {
  const auto* tuple = value.as<TupleValue>();
  return tuple != nullptr && std::ranges::any_of(*tuple->elements, [](const Value& element) {
           return element.is_none() || holds_none(element);
         });
}

void Statements::operator()(const tree::Return& node) {
  Value value = node.value ? walker.unevaluated(*node.value) : none_value();
  value =
      walker.list_types().grown(value.is<LazyArray>() ? Value(emitter.materialize(value)) : value);
  const bool is_kernel = walk.instance.function->kind == ir::FunctionKind::kernel;
  if (is_kernel && !value.is_none())
    throw CompileError(
        CompileError::Kind::kernel_result,
        walk.diagnostics().message(
            at.location,
            "CUDA kernel must have void return type, and this returns " + describe(value),
            "Write the result into an array that is an argument."));
  if (walk.instance.is_recursive && holds_none(value))
    walk.fail(
        at.location,
        "Return type of recursive function does not converge: it returns None, and a tuple that "
        "holds what it returns",
        "Return values of one type.");
  walker.returns().add(value, at.location);
}

void Statements::operator()(const tree::Assert& node) {
  // As in numba-cuda: asserts count in debug builds only.
  if (!walk.options().debug)
    return;
  std::string message_text;
  if (node.message) {
    const Value message = walker.evaluate(*node.message);
    const auto* known = message.as<TextEntity>();
    if (known == nullptr)
      walk.fail(node.message->location, "the message of an assert must be a constant string");
    message_text = known->text;
  }
  walk.raise_when(
      emitter.logical_not(walker.condition(*node.condition)),
      emitter.exception("AssertionError", message_text));
}

Raise Statements::exception(const tree::Raise& node, ExceptionArguments& arguments) {
  if (!node.exception)
    return {.type = "RuntimeError", .message = {}};
  const auto* call = std::get_if<tree::Call>(&node.exception->node);
  const tree::Expression& type = call == nullptr ? *node.exception : *call->callee;
  const Value exception = walker.evaluate(type);
  const auto* named = exception.as<ExceptionEntity>();
  if (named == nullptr)
    walk.fail(
        type.location,
        "only exceptions can be raised, found " + describe(exception),
        "Write raise ValueError(\"text\").");
  if (walk.options().is_function) {
    for (std::size_t i = 0; call != nullptr && i < call->arguments.size(); ++i) {
      const AtLocation argument(walk.builder(), call->arguments[i]->location);
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
      walk.fail(
          call->arguments[i]->location,
          "the arguments of an exception must be constants, found " + describe(argument),
          "Write the value into an array, or print it.");
    raise.message +=
        (i == 0 ? "" : ", ") + (known != nullptr ? known->text : std::to_string(*number));
  }
  return raise;
}

void Statements::operator()(const tree::Raise& node) {
  ExceptionArguments arguments(emitter);
  Raise raise = exception(node, arguments);
  walk.builder().append(ir::Op::raise, {}, arguments.numbers()).detail = std::move(raise);
  walk.is_reachable = false;
}

void Statements::operator()(const tree::Delete& node) {
  for (const std::string& name : node.names) walk.bind(name, Unbound{}, at.location);
}

void Statements::operator()(const tree::Define& node) {
  walk.bind(node.function->name, walker.local_function(node.function), at.location);
}

void Statements::operator()(const tree::Unsupported& node) {
  walk.diagnostics().unsupported(
      at.location, node.what + " cannot be used in a kernel", node.advice);
}

}  // namespace

void Walker::body(const tree::Body& statements) {
  for (const auto& statement : statements) {
    // What cannot be reached need not type.
    if (!walk_.is_reachable)
      return;
    this->statement(*statement);
  }
}

void Walker::statement(const tree::Statement& statement) {
  const AtLocation at(walk_.builder(), statement.location);
  const Loops::Nesting nesting = loops().nesting();
  try {
    std::visit(Statements{*this, statement}, statement.node);
  } catch (const Untyped& reason) {
    loops().leave_to(nesting);
    walk_.is_reachable = true;
    Statements{*this, statement}.leave_out(reason);
  }
}

}  // namespace phalanx::frontend::python
