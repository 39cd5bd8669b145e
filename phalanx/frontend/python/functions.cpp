// Whole functions: the kernel itself, and device functions for the arguments they are called with.
#include <algorithm>

#include "phalanx/frontend/python/call_arguments.h"
#include "phalanx/frontend/python/carried.h"
#include "phalanx/frontend/python/entry.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/abi.h"

namespace phalanx::frontend::python {
namespace {

// A recursive function is emitted again until the type of its result no longer changes.
constexpr int most_rounds = 24;
constexpr std::size_t deepest_call = 100;  // long before the stack ends

// True if the value is a range, or a string, of numbers that its function computes.
bool is_computed_inside(const Value& value) {
  if (value.is<ComputedText>())
    return true;
  const auto* iterable = value.as<Iterable>();
  return iterable != nullptr && std::ranges::any_of(*iterable->parts, [](const Value& part) {
           return part.is<Runtime>() || is_computed_inside(part);
         });
}

// The value of all returns, as a caller gets it.
std::optional<Value> common_result(const std::vector<std::pair<Edge, Binding>>& returns) {
  if (returns.empty())
    return none_value();
  const Value& first = returns.front().second.value;
  const bool is_known = first.is_none() || (!type_of(first) && !is_computed_inside(first));
  const bool is_common = std::ranges::all_of(
      returns, [&](const auto& item) { return is_same(item.second.value, first); });
  if (is_known && is_common)
    return first;
  return std::nullopt;
}

ir::Type optional_type(const ir::Type& type) {
  return ir::Type::named_tuple(
      std::string(ir::optional_name),
      {{.name = "is_given", .type = DType::boolean}, {.name = "value", .type = type}});
}

CodeKind code_kind(const Session& session, const ir::Function& function) {
  if (session.options().is_function)
    return CodeKind::function;
  return function.kind == ir::FunctionKind::kernel ? CodeKind::kernel : CodeKind::device_function;
}

}  // namespace

Walker::Walker(Session& session, const FunctionUnit& unit, Instance& instance)
    : session_(&session),
      unit_(&unit),
      known_names_(&session.names(*unit.tree)),
      instance_(&instance),
      emitter_(
          session,
          *instance.function,
          Diagnostics(unit.file, unit.tree->name, code_kind(session, *instance.function)),
          unit.is_in_parallel_body,
          unit.is_library) {
  builder().set_fast_math(unit.fast_math);
}

Walker::~Walker() = default;

void Walker::run(const std::vector<Value>& arguments) {
  names_.assign(known_names_->locals.size(), Binding{});
  for (NameId name = known_names_->flags; name < names_.size() && name != 0; ++name)
    names_[name].value = boolean_literal(false);
  const auto& parameters = unit_->tree->parameters;
  builder().at(unit_->tree->location);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool is_rest = i == parameters.size();
    const std::string& name = is_rest ? unit_->tree->variadic : parameters[i].name;
    bind(name, arguments[i], is_rest ? unit_->tree->location : parameters[i].location);
  }
  body(unit_->tree->body);
  if (is_reachable_) {
    returns_.emplace_back(edge(), Binding{none_value(), unit_->tree->location});
    builder().return_();
  }
  finish_returns();
}

// The type that holds the values of all returns; those of None beside others are left out.
ir::Type Walker::unified_result() const {
  std::vector<ir::Type> types;
  const Binding* first = nullptr;
  for (const auto& [edge, binding] : returns_) {
    if (binding.value.is_none())
      continue;
    const auto type = type_of(binding.value);
    if (type)
      types.push_back(*type);
    if (!type || !infer::unify(types)) {
      if (first == nullptr)
        fail(binding.where, describe(binding.value) + " cannot be returned here");
      const Conflict both = conflict("the result", *first, binding);
      fail(binding.where, both.message, "Return values of one type.");
    }
    if (first == nullptr)
      first = &binding;
  }
  for (const ir::Type& type : untaken_returns_) {
    types.push_back(type);
    if (!infer::unify(types))
      types.pop_back();
  }
  return *infer::unify(types);
}

// A returned list that nothing was put into is of the type of the others; false where none is.
bool Walker::returns_open_list() {
  const auto is_open = [](const auto& item) { return item.second.value.template is<OpenList>(); };
  const auto open = std::ranges::find_if(returns_, is_open);
  if (open == returns_.end())
    return false;
  for (const auto& [edge, binding] : returns_) {
    const auto type = type_of(binding.value);
    for (const auto& [other, empty] : returns_) {
      if (type)
        learn_from(empty.value, *type);
    }
  }
  if (!untyped_)
    untyped_ = Untyped{
        open->second.where,
        "the type of the elements of this list is not known",
        "Put something into it, or return [x for x in range(0)], a list of integers."};
  return true;
}

void Walker::finish_returns() {
  ir::Function& function = builder().function();
  if ((returns_.empty() && untyped_) || returns_open_list())
    return;  // nothing is known yet
  result_ = common_result(returns_);
  if (result_) {
    function.result = ir::Type::none();
    return;
  }
  const auto& declared = session_->options().result;
  const bool is_declared = function.kind == ir::FunctionKind::exported && declared;
  const ir::Type type = is_declared ? *declared : unified_result();
  function.result = type;
  result_ = Runtime{nullptr};
  const bool gives_none =
      std::ranges::any_of(returns_, [](const auto& item) { return item.second.value.is_none(); });
  const bool is_optional = gives_none && unit_->is_entry && !instance_->is_recursive;
  if (is_optional)
    function.result = optional_type(type);
  for (const auto& [edge, binding] : returns_) {
    edge.region->pop_back();
    const auto inside = builder().enter(*edge.region);
    const AtLocation at(builder(), binding.where);
    if (is_optional)
      return_optional(binding.value, type);
    else if (binding.value.is_none())
      return_nothing(type);
    else
      builder().return_(emitter_.convert(binding.value, type, "what is returned"));
  }
}

void Walker::return_optional(const Value& value, const ir::Type& type) {
  const bool is_given = !value.is_none();
  const Value number = is_given ? Value(emitter_.convert(value, type, "what is returned"))
                                : builder().undefined(type);
  const Value pair = tuple_value({boolean_literal(is_given), number});
  builder().return_(emitter_.convert(pair, optional_type(type)));
}

// None where the caller takes a value: there is no optional type inside of compiled code. Kernels
// go on with an undefined value, as they cannot raise.
void Walker::return_nothing(const ir::Type& type) {
  if (session_->options().is_function)
    builder().raise(emitter_.exception(
        "TypeError",
        unit_->tree->name + "() returns None here, and " + describe(type) +
            " elsewhere: compiled code that calls it cannot take both"));
  else
    builder().return_(builder().undefined(type));
}

namespace {

// A call made while the callee's result was taken for another type must be emitted again.
bool has_converged(const Instance& instance, const Walker& walker, const ir::Type& before) {
  if (!instance.is_recursive)
    return true;
  return !walker.untyped() && instance.function->result == before;
}

// Emits the function into its instance, again while its own result is not known.
void emit_function(
    Session& session,
    const FunctionUnit& unit,
    Instance& instance,
    const std::vector<Value>& arguments) {
  const Diagnostics diagnostics(unit.file, unit.tree->name, code_kind(session, *instance.function));
  const Session::Compiling compiling(session, *unit.tree);
  for (int round = 0; round < most_rounds; ++round) {
    instance.function->body.clear();
    instance.function->variables.clear();
    const ir::Type before = instance.function->result;
    const bool was_known = instance.result.has_value();
    const Session::Round emitting(session, instance, round > 0);
    Walker walker(session, unit, instance);
    instance.has_learnt = false;
    walker.run(arguments);
    if (instance.has_learnt)
      continue;
    const bool is_final =
        has_converged(instance, walker, before) && (was_known || !instance.is_recursive);
    const bool has_learned = !was_known || instance.function->result != before;
    instance.result = walker.result();
    if (walker.untyped() && instance.waits)
      return;  // the caller that it waits for learns from what is known, and comes again
    const bool is_stuck = !instance.is_recursive || !has_learned || !walker.result();
    if (walker.untyped() && is_stuck) {
      const Untyped& missing = *walker.untyped();
      diagnostics.typing(missing.where, missing.text, missing.advice);
    }
    if (is_final) {
      instance.is_complete = !instance.waits;
      return;
    }
  }
  diagnostics.typing(
      unit.tree->location,
      "Return type of recursive function does not converge: each call of " + unit.tree->name +
          " returns another type than the call inside of it");
}

// The same for a function that is called; errors say from where.
void emit_called(
    Session& session,
    const Emitter& emitter,
    FunctionUnit unit,
    Instance& instance,
    const std::vector<Value>& arguments) {
  const bool is_called = session.depth() != 0 && !unit.is_parallel_body;
  const bool is_library = unit.is_library;
  try {
    emit_function(session, session.keep(std::move(unit)), instance, arguments);
  } catch (const CompileError& error) {
    // The host's call of a CPU function has no location in a file, and a parallel loop is no call.
    if (!is_called)
      throw;
    const Diagnostics& caller = emitter.diagnostics();
    const Location where = emitter.location();
    throw is_library ? caller.at_call(where, error) : caller.with_caller(where, error);
  }
}

// What its operations say of their numbers: as Numba has it, a function that says nothing itself
// takes over what its caller says. Nothing where that is what the whole is compiled with.
std::optional<FastMath> fast_math_of(
    const Session& session, Emitter& emitter, const FunctionUnit& unit) {
  const auto own = unit.fast_math ? unit.fast_math : emitter.builder().fast_math();
  return own == session.options().fast_math ? std::nullopt : own;
}

}  // namespace

Compiled compile_instance(
    Session& session, Emitter& emitter, FunctionUnit unit, std::vector<Value> arguments) {
  const bool keeps_literals = !session.is_compiling(*unit.tree);
  Arguments parts(emitter, keeps_literals);
  for (const Value& argument : arguments) parts.add(argument);
  parts.add(unit.captured);
  const std::string name = unit.tree->name;
  unit.is_in_parallel_body = unit.is_parallel_body || emitter.is_in_parallel_body();
  unit.fast_math = fast_math_of(session, emitter, unit);
  Instance& instance = session.instance(
      Arguments::address(unit.tree.get()) + (unit.is_in_parallel_body ? ":body:" : ":") +
      (unit.fast_math ? "fast " + std::to_string(unit.fast_math->bits()) + ":" : "") +
      Arguments::text_of(unit.locals.get()) + parts.key());
  const bool is_new = instance.function == nullptr;
  if (is_new) {
    if (session.depth() > deepest_call)
      emitter.fail(
          "the call of " + name + "() is nested too deep",
          "A recursive function must be called with arguments of the same types each time.");
    std::vector<ir::Parameter> parameters;
    for (const ir::Operation* leaf : parts.leaves())
      parameters.push_back({.name = leaf->name, .type = leaf->type});
    instance.function = &ir::add_function(
        session.module(),
        session.unique_name(unit.tree->name),
        ir::FunctionKind::device,
        std::move(parameters),
        {},
        unit.file);
  }
  if (is_new || session.is_outdated(instance)) {
    Rebuilder rebuild(*instance.function, keeps_literals);
    for (Value& argument : arguments) argument = rebuild(argument);
    unit.captured = rebuild(unit.captured);
    emit_called(session, emitter, std::move(unit), instance, arguments);
  } else if (instance.is_emitting) {
    session.call_again(instance);
  }
  if (!instance.result)
    throw Untyped{
        emitter.builder().location(),
        "cannot type infer runaway recursion: the type of what " + name +
            "() returns is not known here",
        "A recursive function must return something of a known type on another path."};
  return {instance, parts.leaves()};
}

Value call_compiled(
    Session& session, Emitter& emitter, FunctionUnit unit, std::vector<Value> arguments) {
  const Compiled compiled =
      compile_instance(session, emitter, std::move(unit), std::move(arguments));
  const Instance& instance = compiled.instance;
  ir::Operation* called = emitter.builder().call(*instance.function, compiled.leaves);
  return instance.result->is<Runtime>() ? Value(called) : *instance.result;
}

Value Walker::call_function(FunctionUnit unit, std::vector<Value> arguments) {
  for (Value& argument : arguments) argument = freeze(argument);
  return call_compiled(*session_, emitter_, std::move(unit), std::move(arguments));
}

// ---- The entry ----

Value argument_value(ir::Operation* parameter, Environment& environment) {
  const ir::Type& type = parameter->type;
  if (!type.is_tuple() || type.fields().size() != 1 || !type.fields()[0].type.is_none())
    return parameter;
  const std::string& name = type.fields()[0].name;
  if (type.name() == text_argument_name)
    return TextEntity{name};
  if (type.name() == function_argument_name)
    return value_of(environment.lookup(name));
  const auto dtype = type.name() == dtype_argument_name ? dtype_from_name(name) : std::nullopt;
  return dtype ? Value(TypeEntity{*dtype}) : Value(parameter);
}

void remove_unused(ir::Module& module, const ir::Function& entry) {
  std::vector<const ir::Function*> used = {&entry};
  for (std::size_t i = 0; i < used.size(); ++i) {
    ir::for_each(used[i]->body, [&](const ir::Operation& operation) {
      if (operation.callee != nullptr && std::ranges::find(used, operation.callee) == used.end())
        used.push_back(operation.callee);
    });
  }
  std::erase_if(module.functions, [&](const auto& function) {
    return std::ranges::find(used, function.get()) == used.end();
  });
}

}  // namespace phalanx::frontend::python

namespace phalanx::frontend {

CompiledModule compile(
    const FunctionSource& function,
    const std::vector<ir::Type>& arguments,
    const Options& options) {
  python::Session session(options);
  const tree::Function& tree = *function.tree;
  const python::FunctionUnit& unit = session.keep(
      {.tree = function.tree, .file = function.file, .environment = function.environment});
  // What is not given has its default, which is known now.
  const auto& defaults = function.defaults;
  const bool takes_more = !tree.variadic.empty();  // *args: the rest, as a tuple
  const std::size_t named = tree.parameters.size();
  if ((arguments.size() > named && !takes_more) || arguments.size() + defaults.size() < named)
    throw TypeError(
        tree.name + "() takes " + std::to_string(tree.parameters.size()) + " arguments, and got " +
        std::to_string(arguments.size()));
  std::vector<ir::Parameter> parameters;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    // None is known now: nothing is passed.
    const std::string name =
        i < named ? tree.parameters[i].name : tree.variadic + "." + std::to_string(i - named);
    if (!arguments[i].is_none())
      parameters.push_back({.name = name, .type = arguments[i]});
  }
  python::Instance& instance = session.instance("entry");
  instance.function = &ir::add_function(
      session.module(),
      session.unique_name(options.symbol.empty() ? tree.name : options.symbol),
      options.kind,
      std::move(parameters),
      {},
      function.file);
  std::vector<python::Value> values;
  std::size_t next = 0;
  for (const ir::Type& type : arguments)
    values.push_back(
        type.is_none()
            ? python::none_value()
            : python::argument_value(
                  instance.function->parameters.at(next++).get(), *function.environment));
  const std::size_t first_default = named - defaults.size();
  while (values.size() < named)
    values.push_back(python::value_of(defaults[values.size() - first_default]));
  if (takes_more) {
    std::vector<python::Value> rest(
        values.begin() + static_cast<std::ptrdiff_t>(named), values.end());
    values.resize(named);
    values.push_back(python::tuple_value(std::move(rest)));
  }
  instance.function->returns_status = options.returns_status;
  python::emit_function(session, unit, instance, values);
  python::remove_unused(session.module(), *instance.function);
  CompiledModule compiled;
  compiled.function = instance.function;
  compiled.result = instance.function->result;
  compiled.module = session.take();
  return compiled;
}

}  // namespace phalanx::frontend
