#include "phalanx/frontend/python/calls.h"

#include <algorithm>
#include <array>

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/closures.h"
#include "phalanx/frontend/python/constructors.h"
#include "phalanx/frontend/python/declared_calls.h"
#include "phalanx/frontend/python/entry.h"
#include "phalanx/frontend/python/extensions.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/item_calls.h"
#include "phalanx/frontend/python/iterables.h"
#include "phalanx/frontend/python/list_operations.h"
#include "phalanx/frontend/python/list_types.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/build_threads.h"

namespace phalanx::frontend::python {
namespace {

Call computed_arguments(Emitter& emitter, Call call) {
  const auto compute = [&](Value& value) {
    if (value.is<LazyArray>())
      value = emitter.materialize(value);
  };
  std::ranges::for_each(call.arguments, compute);
  for (auto& [name, value] : call.keywords) compute(value);
  return call;
}

// What to write instead of a function that there is not.
std::string_view instead_of(std::string_view name) {
  struct Row {
    std::string_view name;
    std::string_view advice;
  };
  constexpr std::string_view text = "Texts are not computed: print() and return take numbers.";
  constexpr std::string_view loop = "Write a loop that fills an array.";
  constexpr std::array rows = {
      Row{"builtins.slice", "Write the bounds into the index: a[begin:end]."},
      Row{"builtins.reversed", "Write range(n - 1, -1, -1)."},
      Row{"builtins.map", loop},
      Row{"builtins.filter", loop},
      Row{"builtins.set", loop},
      Row{"builtins.dict", loop},
      Row{"builtins.chr", text},
  };
  const auto row = std::ranges::find(rows, name, &Row::name);
  if (row != rows.end())
    return row->advice;
  return name.starts_with("numpy.")
             ? "Write it as a loop, or call it outside and pass what it gives."
             : "";
}

}  // namespace

Value Calls::call(const Value& callee, const Call& call) {
  if (callee.is<IntrinsicEntity>())
    return call_named(callee, call);
  if (const auto* type = callee.as<TypeEntity>())
    return construct(walk_.emitter, type->type, call);
  if (const auto* type = callee.as<TupleClassEntity>())
    return construct(walk_.emitter, *type, call);
  if (const auto* function = callee.as<FunctionEntity>())
    return call_reference(*function, call);
  if (const auto* function = callee.as<OverloadEntity>())
    return extensions_.call(*function, call);
  if (const auto* function = callee.as<LocalFunction>())
    return call_local(*function, call);
  if (const auto* method = callee.as<Method>())
    return call_method(*method, call);
  walk_.emitter.fail(describe(callee) + " cannot be called in a kernel");
}

Value Calls::call_named(const Value& callee, const Call& call) {
  const auto* intrinsic = callee.as<IntrinsicEntity>();
  const bool is_length = intrinsic->name == "builtins.len" && call.arguments.size() == 1;
  if (is_length && call.arguments[0].is<OpenList>())
    return list_types_.number_of_open_list(DType::int64);
  for (const Value& argument : call.arguments)
    list_types_.require_known(argument, walk_.builder().location());
  // cmath's own rows are for finite numbers; where(condition) has nothing to choose from; what
  // takes lists is written in Python.
  const bool is_ours =
      intrinsic->name.starts_with("cmath.") || std::ranges::any_of(call.arguments, is_list) ||
      (intrinsic->name == "numpy.where" && call.arguments.size() + call.keywords.size() == 1);
  if (is_length && call.arguments[0].is<Iterable>())
    return iteration_extent(walk_.emitter, call.arguments[0]);
  if (intrinsic->name == "builtins.list" && call.arguments.empty())
    return list_types_.grown(TupleValue{
        .elements = std::make_shared<const std::vector<Value>>(),
        .list_at = walk_.builder().location()});
  if (const auto extension = is_ours ? extensions_.find(intrinsic->name) : std::nullopt)
    return extensions_.call(*extension, computed_arguments(walk_.emitter, call), callee);
  if (auto value = call_intrinsic(walk_.emitter, intrinsic->name, call))
    return std::move(*value);
  if (const auto extension = extensions_.find(intrinsic->name))
    return extensions_.call(*extension, computed_arguments(walk_.emitter, call));
  const std::string known = describe(callee);
  // A method of a class of Python's: float.fromhex.
  if (const std::size_t dot = known.rfind('.');
      dot != std::string::npos && intrinsic->name.starts_with("builtins."))
    walk_.emitter.fail(
        "Unknown attribute '" + known.substr(dot + 1) + "': " + known +
        " cannot be called in a kernel");
  walk_.emitter.fail(
      known + " cannot be called in a kernel with (" + list_of(call.arguments) + ")",
      instead_of(intrinsic->name));
}

namespace {

Value conjugate(Emitter& emitter, const Value& value) {
  if (!is_complex(type_of(value)->dtype()))
    return value;
  ir::Operation* number = emitter.materialize(value);
  ir::Operation* imaginary = emitter.builder().complex_imag(number);
  return emitter.builder().complex_make(
      emitter.builder().complex_real(number),
      emitter.builder().elementwise(ir::Op::negative, {imaginary}));
}

}  // namespace

Value Calls::call_method(const Method& method, const Call& call) {
  if (method.self->is<OpenList>() || is_list(*method.self))
    return extensions_.call(
        {method.overloads}, with_self(*method.self, lists_.arguments(method, call)));
  if (method.overloads)
    return extensions_.call(
        {method.overloads}, computed_arguments(walk_.emitter, with_self(*method.self, call)));
  if (is_array_method(method.name)) {
    if (method.name == "copy" && !walk_.options().is_function)
      return local_copy(walk_.emitter, walk_.emitter.materialize(*method.self));
    Call whole = call;
    whole.arguments.insert(whole.arguments.begin(), *method.self);
    return *call_intrinsic(walk_.emitter, "numpy." + method.name, whole);
  }
  const bool takes_arguments =
      method.name == "reshape" || method.name == "view" || method.name == "transpose";
  if (!call.keywords.empty() || (!call.arguments.empty() && !takes_arguments))
    walk_.emitter.fail(method.name + "() takes no arguments in a kernel");
  if (method.name == "conjugate")
    return conjugate(walk_.emitter, *method.self);
  if (method.name == "bit_count")
    return *walk_.emitter.scalar_function("cuda.popc", {*method.self});
  ir::Operation* array = walk_.emitter.materialize(*method.self);
  if (method.name == "transpose" && !call.arguments.empty())
    return transposed(
        walk_.emitter,
        array,
        call.arguments.size() == 1
            ? walk_.emitter.elements_of(call.arguments[0]).value_or(call.arguments)
            : call.arguments);
  if (method.name == "transpose")
    return transposed(walk_.emitter, array);
  const bool is_function = walk_.options().is_function;
  // As NumPy: what is not contiguous is copied, but for a view of another type.
  if (is_function && method.name != "view" &&
      (method.name == "flatten" || array->type.layout() != ir::Layout::c))
    array = walk_.emitter.materialize(copied(walk_.emitter, array));
  if (method.name == "ravel" || (method.name == "flatten" && is_function))
    return reshaped(walk_.emitter, array, {integer_literal(-1)});
  if (method.name == "view" && call.arguments.size() == 1)
    return viewed_as(walk_.emitter, array, dtype_argument(walk_.emitter, call.arguments[0]));
  if (method.name != "reshape")
    walk_.emitter.fail(
        "arrays cannot be flattened to a copy in a kernel", "Use ravel() for a view.");
  std::vector<Value> shape = call.arguments;
  if (shape.size() == 1) {
    if (const auto elements = walk_.emitter.elements_of(shape[0]))
      shape = *elements;
  }
  return reshaped(walk_.emitter, array, shape);
}

// ---- Functions written in Python ----

namespace {

// The arguments in the order of the parameters, defaults filled in. Failures name the function.
std::vector<Value> bind_arguments(
    const Emitter& emitter,
    const tree::Function& function,
    const std::vector<Value>& defaults,
    const Call& call) {
  const auto& parameters = function.parameters;
  const std::string name = function.name + "()";
  std::vector<Value> bound(parameters.size());
  std::vector<Value> rest;
  const auto positional = static_cast<std::size_t>(
      std::ranges::count(parameters, false, &tree::Parameter::is_keyword_only));
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (i < positional)
      bound[i] = call.arguments[i];
    else
      rest.push_back(call.arguments[i]);
  }
  if (!rest.empty() && function.variadic.empty())
    emitter.fail(
        name + " takes " + std::to_string(positional) +
        (positional < parameters.size() ? " positional" : "") + " arguments, and got " +
        std::to_string(call.arguments.size()));
  for (const auto& [keyword, value] : call.keywords) {
    const auto parameter = std::ranges::find(parameters, keyword, &tree::Parameter::name);
    if (parameter == parameters.end())
      emitter.fail(name + " has no parameter " + keyword);
    Value& slot = bound[static_cast<std::size_t>(parameter - parameters.begin())];
    if (!slot.is<Unbound>())
      emitter.fail(name + " got two values for " + keyword);
    slot = value;
  }
  const std::size_t first_default = parameters.size() - defaults.size();
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (!bound[i].is<Unbound>())
      continue;
    if (i < first_default)
      emitter.fail(name + " misses the argument " + parameters[i].name);
    bound[i] = defaults[i - first_default];
  }
  if (!function.variadic.empty())
    bound.push_back(tuple_value(std::move(rest)));
  return bound;
}

// One function of the module for each symbol, whose body the linker brings.
Value call_external(Emitter& emitter, const FunctionEntity& function, const Call& call) {
  const DeclaredSignature& signature = function.signatures.front();
  const std::string& symbol = function.external->symbol;
  if (!call.keywords.empty() || call.arguments.size() != signature.arguments.size())
    emitter.fail(
        symbol + "() is declared with " + std::to_string(signature.arguments.size()) +
        " arguments, and is called with (" + list_of(call.arguments) + ")");
  std::vector<ir::Operation*> arguments;
  std::vector<ir::Parameter> parameters;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    arguments.push_back(emitter.materialize(
        emitter.convert(call.arguments[i], signature.arguments[i], "an argument")));
    parameters.push_back({.name = "", .type = signature.arguments[i]});
  }
  ir::Function* callee = emitter.session().module().find(symbol);
  if (callee == nullptr) {
    callee = &ir::add_function(
        emitter.session().module(),
        emitter.session().unique_name(symbol),
        ir::FunctionKind::external,
        std::move(parameters),
        *signature.result);
    callee->returns_status = function.external->returns_status;
  }
  const bool is_same = std::ranges::equal(
      callee->parameters, arguments, [](const auto& parameter, const ir::Operation* argument) {
        return parameter->type == argument->type;
      });
  if (callee->kind != ir::FunctionKind::external || !is_same || callee->result != *signature.result)
    emitter.fail(
        "the name " + symbol + " means two different functions",
        "Declare another name for one of them.");
  if (function.external->is_cooperative)
    ir::cooperative(emitter.builder());
  ir::Operation* called = emitter.builder().call(*callee, arguments);
  return callee->result.is_none() ? none_value() : Value(called);
}

}  // namespace

Value Calls::call_reference(const FunctionEntity& function, const Call& call) {
  if (function.external)
    return call_external(walk_.emitter, function, call);
  std::shared_ptr<const FunctionSource> source;
  try {
    source = function.function->source();
  } catch (const CompileError& error) {
    walk_.diagnostics().unsupported(walk_.builder().location(), error.what());
  }
  if (const auto* of_items = dynamic_cast<const ItemFunction*>(function.function.get()))
    return call_for_items(walk_.emitter, function, of_items->items(), source, call);
  std::vector<Value> defaults;
  for (const Entity& entity : source->defaults) defaults.push_back(value_of(entity));
  std::vector<Value> arguments = list_types_.handed_on(
      bind_arguments(walk_.emitter, *source->tree, defaults, call), source->is_library);
  for (Value& argument : arguments) argument = closures_.freeze(argument);
  return call_declared(walk_.emitter, function, *source, std::move(arguments));
}

Value Calls::call_local(const LocalFunction& function, const Call& call) {
  const LocalFunction callee = closures_.frozen(function);
  const FunctionUnit& home = *function.home;
  std::vector<Value> arguments = list_types_.handed_on(
      bind_arguments(walk_.emitter, *callee.tree, *callee.defaults, call), home.is_library);
  return call_function(
      {.tree = callee.tree,
       .file = home.file,
       .environment = home.environment,
       .captured = *callee.captured,
       .is_nested = true,
       .is_library = home.is_library},
      std::move(arguments));
}

Value Calls::call_function(FunctionUnit unit, std::vector<Value> arguments) {
  for (Value& argument : arguments) argument = closures_.freeze(argument);
  return call_compiled(walk_.session, walk_.emitter, std::move(unit), std::move(arguments));
}

}  // namespace phalanx::frontend::python
