// Whole functions: the kernel itself, and device functions for the arguments they are called with.
#include <algorithm>

#include "phalanx/frontend/python/call_arguments.h"
#include "phalanx/frontend/python/entry.h"
#include "phalanx/frontend/python/walker.h"

namespace phalanx::frontend::python {
namespace {

// A recursive function is emitted again until the type of its result no longer changes.
constexpr int most_rounds = 24;
constexpr std::size_t deepest_call = 100;  // long before the stack ends

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
  const Diagnostics diagnostics = diagnostics_of(session, unit, *instance.function);
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

std::vector<ir::Parameter> numbered_parameters(const std::vector<ir::Type>& types) {
  std::vector<ir::Parameter> parameters;
  for (const ir::Type& type : types)
    parameters.push_back({.name = "a" + std::to_string(parameters.size()), .type = type});
  return parameters;
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
