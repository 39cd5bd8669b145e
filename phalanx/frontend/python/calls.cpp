// Calls: evaluating arguments, and what each kind of callee does with them.
#include <algorithm>
#include <array>

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/flags.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/times.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/frontend/python/walker.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/infer/functions.h"
#include "phalanx/ir/build_threads.h"

namespace phalanx::frontend::python {

Call Walker::evaluate_call(const tree::Call& node, bool is_lazy) {
  Call call;
  for (const auto& argument : node.arguments) {
    const auto* starred = std::get_if<tree::Starred>(&argument->node);
    if (starred == nullptr) {
      call.arguments.push_back(is_lazy ? unevaluated(*argument) : evaluate(*argument));
      continue;
    }
    const Value value = evaluate(*starred->value);
    const auto elements = emitter_.elements_of(value);
    if (!elements)
      fail(argument->location, describe(value) + " cannot be unpacked", "Only tuples can.");
    call.arguments.insert(call.arguments.end(), elements->begin(), elements->end());
  }
  for (const tree::Keyword& keyword : node.keywords) {
    if (keyword.name.empty())
      diagnostics().unsupported(
          keyword.value->location,
          "** in a call cannot be used in a kernel",
          "Name each argument.");
    call.keywords.emplace_back(keyword.name, evaluate(*keyword.value));
  }
  return call;
}

namespace {

std::string list_of(const std::vector<Value>& values) {
  std::string text;
  for (const Value& value : values) text += (text.empty() ? "" : ", ") + describe(value);
  return text;
}

}  // namespace

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

}  // namespace

namespace {

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

Value Walker::call(const Value& callee, const Call& call) {
  if (const auto* intrinsic = callee.as<IntrinsicEntity>()) {
    const bool is_length = intrinsic->name == "builtins.len" && call.arguments.size() == 1;
    if (is_length && call.arguments[0].is<OpenList>())
      return number_of_open_list(DType::int64);
    for (const Value& argument : call.arguments) require_known(argument, builder().location());
    // cmath's own rows are for finite numbers; where(condition) has nothing to choose from; what
    // takes lists is written in Python.
    const bool is_ours =
        intrinsic->name.starts_with("cmath.") || std::ranges::any_of(call.arguments, is_list) ||
        (intrinsic->name == "numpy.where" && call.arguments.size() + call.keywords.size() == 1);
    if (is_length && call.arguments[0].is<Iterable>())
      return iteration_extent(call.arguments[0]);
    if (intrinsic->name == "builtins.list" && call.arguments.empty())
      return grown(TupleValue{
          .elements = std::make_shared<const std::vector<Value>>(),
          .list_at = builder().location()});
    if (const auto extension = is_ours ? this->extension(intrinsic->name) : std::nullopt)
      return call_overloaded(*extension, computed_arguments(emitter_, call), callee);
    if (auto value = call_intrinsic(emitter_, intrinsic->name, call))
      return std::move(*value);
    if (const auto extension = this->extension(intrinsic->name))
      return call_overloaded(*extension, computed_arguments(emitter_, call));
    const std::string known = describe(callee);
    // A method of a class of Python's: float.fromhex.
    if (const std::size_t dot = known.rfind('.');
        dot != std::string::npos && intrinsic->name.starts_with("builtins."))
      emitter_.fail(
          "Unknown attribute '" + known.substr(dot + 1) + "': " + known +
          " cannot be called in a kernel");
    emitter_.fail(
        known + " cannot be called in a kernel with (" + list_of(call.arguments) + ")",
        instead_of(intrinsic->name));
  }
  if (const auto* type = callee.as<TypeEntity>())
    return construct(type->type, call);
  if (const auto* type = callee.as<TupleClassEntity>())
    return construct(*type, call);
  if (const auto* function = callee.as<FunctionEntity>())
    return call_reference(*function, call);
  if (const auto* function = callee.as<OverloadEntity>())
    return call_overloaded(*function, call);
  if (const auto* function = callee.as<LocalFunction>())
    return call_local(*function, call);
  if (const auto* method = callee.as<Method>())
    return call_method(*method, call);
  emitter_.fail(describe(callee) + " cannot be called in a kernel");
}

Value Walker::call_method(const Method& method, const Call& call) {
  if (method.self->is<OpenList>() || is_list(*method.self))
    return call_overloaded(
        {method.overloads}, with_self(*method.self, list_arguments(method, call)));
  if (method.overloads)
    return call_overloaded(
        {method.overloads}, computed_arguments(emitter_, with_self(*method.self, call)));
  if (is_array_method(method.name)) {
    if (method.name == "copy" && !session_->options().is_function)
      return local_copy(emitter_, emitter_.materialize(*method.self));
    Call whole = call;
    whole.arguments.insert(whole.arguments.begin(), *method.self);
    return *call_intrinsic(emitter_, "numpy." + method.name, whole);
  }
  const bool takes_arguments =
      method.name == "reshape" || method.name == "view" || method.name == "transpose";
  if (!call.keywords.empty() || (!call.arguments.empty() && !takes_arguments))
    emitter_.fail(method.name + "() takes no arguments in a kernel");
  if (method.name == "conjugate")
    return conjugate(*method.self);
  if (method.name == "bit_count")
    return *emitter_.scalar_function("cuda.popc", {*method.self});
  ir::Operation* array = emitter_.materialize(*method.self);
  if (method.name == "transpose" && !call.arguments.empty())
    return transposed(
        emitter_,
        array,
        call.arguments.size() == 1
            ? emitter_.elements_of(call.arguments[0]).value_or(call.arguments)
            : call.arguments);
  if (method.name == "transpose")
    return transposed(emitter_, array);
  const bool is_function = session_->options().is_function;
  // As NumPy: what is not contiguous is copied, but for a view of another type.
  if (is_function && method.name != "view" &&
      (method.name == "flatten" || array->type.layout() != ir::Layout::c))
    array = emitter_.materialize(copied(emitter_, array));
  if (method.name == "ravel" || (method.name == "flatten" && is_function))
    return reshaped(emitter_, array, {integer_literal(-1)});
  if (method.name == "view" && call.arguments.size() == 1)
    return viewed_as(emitter_, array, dtype_argument(emitter_, call.arguments[0]));
  if (method.name != "reshape")
    emitter_.fail("arrays cannot be flattened to a copy in a kernel", "Use ravel() for a view.");
  std::vector<Value> shape = call.arguments;
  if (shape.size() == 1) {
    if (const auto elements = emitter_.elements_of(shape[0]))
      shape = *elements;
  }
  return reshaped(emitter_, array, shape);
}

Value Walker::conjugate(const Value& value) {
  if (!is_complex(type_of(value)->dtype()))
    return value;
  ir::Operation* number = emitter_.materialize(value);
  ir::Operation* imaginary = builder().complex_imag(number);
  return builder().complex_make(
      builder().complex_real(number), builder().elementwise(ir::Op::negative, {imaginary}));
}

// The numbers and vectors that are given, one after the other.
Value Walker::construct_vector(const ir::Type& type, const Call& call) {
  ir::Builder::Values lanes;
  for (const Value& value : call.arguments) {
    const auto given = type_of(value);
    const bool is_vector = given && given->is_vector() && !given->is_time();
    for (unsigned i = 0; i < (is_vector ? given->lanes() : 1); ++i) {
      const Value part = is_vector ? builder().vector_get(emitter_.materialize(value), i) : value;
      lanes.push_back(emitter_.convert(part, type.dtype(), "a part of the vector"));
    }
  }
  if (lanes.size() != type.lanes() || !call.keywords.empty())
    emitter_.fail(
        describe(type) + " is made of " + std::to_string(type.lanes()) + " numbers, found (" +
            list_of(call.arguments) + ")",
        "Numbers and vectors may be mixed.");
  return builder().vector_make(type, std::move(lanes));
}

Value Walker::construct(const ir::Type& type, const Call& call) {
  if (type.is_vector() && !type.is_time())
    return construct_vector(type, call);
  if (type.is_scalar() && call.arguments.size() == 1 && is_time(call.arguments[0]))
    return emitter_.cast(time_count(emitter_, call.arguments[0]), type.dtype());
  if (call.arguments.size() != 1 || !call.keywords.empty() || !type.is_scalar())
    emitter_.fail("the type " + describe(type) + " is called with one number");
  const Value& value = call.arguments.front();
  const DType from = emitter_.scalar_dtype(value, "what becomes a " + describe(type));
  if (!infer::can_construct(type.dtype(), from))
    emitter_.fail(
        describe(value) + " does not convert to " + describe(type),
        is_complex(from) ? "Take its .real or .imag." : "");
  return as_computed(emitter_.cast(value, type.dtype()));
}

Value Walker::construct(const TupleClassEntity& type, const Call& call) {
  std::vector<Value> elements = call.arguments;
  elements.resize(type.field_names.size());
  for (const auto& [name, value] : call.keywords) {
    const auto field = std::ranges::find(type.field_names, name);
    if (field == type.field_names.end())
      emitter_.fail(type.name + " has no field " + name);
    elements[static_cast<std::size_t>(field - type.field_names.begin())] = value;
  }
  const bool is_complete = call.arguments.size() <= type.field_names.size() &&
                           std::ranges::none_of(elements, &Value::is<Unbound>);
  if (!is_complete)
    emitter_.fail(
        type.name + " has " + std::to_string(type.field_names.size()) + " fields, and got (" +
        list_of(call.arguments) + ")");
  return TupleValue{
      .elements = std::make_shared<const std::vector<Value>>(std::move(elements)),
      .name = type.name,
      .field_names = std::make_shared<const std::vector<std::string>>(type.field_names)};
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

// The type of a value inside a function that declares it as `declared`: numbers have the declared
// type; arrays and pointers keep the layout and the space that the caller has them in, but are
// read-only where they are declared so.
ir::Type passed_type(const ir::Type& given, const ir::Type& declared) {
  if (given == declared || infer::conversion(given, declared) == infer::Conversion::none)
    return declared;
  if (given.is_array())
    return ir::Type::array(
        given.element(),
        given.ndim(),
        given.layout(),
        given.space(),
        given.is_mutable() && declared.is_mutable());
  if (given.is_pointer())
    return given;
  if (!given.is_tuple())
    return declared;
  std::vector<ir::Type> elements;
  for (std::size_t i = 0; i < given.fields().size(); ++i)
    elements.push_back(passed_type(given.fields()[i].type, declared.fields()[i].type));
  return ir::Type::tuple(std::move(elements));
}

}  // namespace

// One function of the module for each symbol, whose body the linker brings.
Value Walker::call_external(const FunctionEntity& function, const Call& call) {
  const DeclaredSignature& signature = function.signatures.front();
  const std::string& symbol = function.external->symbol;
  if (!call.keywords.empty() || call.arguments.size() != signature.arguments.size())
    emitter_.fail(
        symbol + "() is declared with " + std::to_string(signature.arguments.size()) +
        " arguments, and is called with (" + list_of(call.arguments) + ")");
  std::vector<ir::Operation*> arguments;
  std::vector<ir::Parameter> parameters;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    arguments.push_back(emitter_.materialize(
        emitter_.convert(call.arguments[i], signature.arguments[i], "an argument")));
    parameters.push_back({.name = "", .type = signature.arguments[i]});
  }
  ir::Function* callee = session_->module().find(symbol);
  if (callee == nullptr) {
    callee = &ir::add_function(
        session_->module(),
        session_->unique_name(symbol),
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
    emitter_.fail(
        "the name " + symbol + " means two different functions",
        "Declare another name for one of them.");
  if (function.external->is_cooperative)
    ir::cooperative(builder());
  ir::Operation* called = builder().call(*callee, arguments);
  return callee->result.is_none() ? none_value() : Value(called);
}

Value Walker::call_reference(const FunctionEntity& function, const Call& call) {
  if (function.external)
    return call_external(function, call);
  std::shared_ptr<const FunctionSource> source;
  try {
    source = function.function->source();
  } catch (const CompileError& error) {
    diagnostics().unsupported(builder().location(), error.what());
  }
  std::vector<Value> defaults;
  for (const Entity& entity : source->defaults) defaults.push_back(value_of(entity));
  std::vector<Value> arguments =
      handed_on(bind_arguments(emitter_, *source->tree, defaults, call), source->is_library);
  const FunctionUnit unit = {
      .tree = source->tree,
      .file = source->file,
      .environment = source->environment,
      .is_library = source->is_library,
      .fast_math = session_->options().is_function ? function.fast_math : std::nullopt,
      .locals = function.locals};
  if (function.signatures.empty())
    return call_function(unit, std::move(arguments));
  const DeclaredSignature& signature = fitting_signature(function, arguments);
  const auto passed = [&](const Value& value, const ir::Type& declared, std::string_view what) {
    const auto given = type_of(value);
    return emitter_.convert(value, given ? passed_type(*given, declared) : declared, what);
  };
  for (std::size_t i = 0; i < arguments.size(); ++i)
    arguments[i] = passed(arguments[i], signature.arguments[i], "an argument");
  const Value result = call_function(unit, std::move(arguments));
  if (!signature.result || signature.result->is_none() || result.is_none())
    return result;
  return passed(result, *signature.result, "the result");
}

namespace {

// How much converting the arguments costs: unsafe conversions, safe ones, promotions. Nothing when
// one of them does not convert.
std::optional<std::array<int, 3>> conversion_cost(
    const std::vector<Value>& arguments, const DeclaredSignature& signature) {
  if (arguments.size() != signature.arguments.size())
    return std::nullopt;
  std::array<int, 3> cost = {};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto type = type_of(arguments[i]);
    if (!type)
      return std::nullopt;
    switch (infer::conversion(*type, signature.arguments[i])) {
      case infer::Conversion::none:
        return std::nullopt;
      case infer::Conversion::unsafe:
        ++cost[0];
        break;
      case infer::Conversion::safe:
        ++cost[1];
        break;
      case infer::Conversion::promote:
        ++cost[2];
        break;
      case infer::Conversion::exact:
        break;
    }
  }
  return cost;
}

}  // namespace

const DeclaredSignature& Walker::fitting_signature(
    const FunctionEntity& function, const std::vector<Value>& arguments) const {
  const DeclaredSignature* best = nullptr;
  std::array<int, 3> least = {};
  std::string declared;
  for (const DeclaredSignature& signature : function.signatures) {
    std::string types;
    for (const ir::Type& type : signature.arguments)
      types += (types.empty() ? "" : ", ") + describe(type);
    declared += (declared.empty() ? "(" : ", (") + types + ")";
    const auto cost = conversion_cost(arguments, signature);
    if (cost && (best == nullptr || *cost < least)) {
      best = &signature;
      least = *cost;
    }
  }
  if (best == nullptr)
    emitter_.fail(
        "Invalid use of type(" + function.function->name() + ") with parameters (" +
            list_of(arguments) + ")",
        "It is declared for " + declared + ".");
  return *best;
}

Value Walker::call_local(const LocalFunction& function, const Call& call) {
  const LocalFunction callee = frozen(function);
  const FunctionUnit& home = *function.home;
  std::vector<Value> arguments =
      handed_on(bind_arguments(emitter_, *callee.tree, *callee.defaults, call), home.is_library);
  return call_function(
      {.tree = callee.tree,
       .file = home.file,
       .environment = home.environment,
       .captured = *callee.captured,
       .is_nested = true,
       .is_library = home.is_library},
      std::move(arguments));
}

// The local function with the values that the names it sees have now.
LocalFunction Walker::frozen(const LocalFunction& function) {
  if (function.captured || std::ranges::find(freezing_, function.tree) != freezing_.end())
    return function;  // or sees itself: name_value finds it again
  freezing_.push_back(function.tree);
  Captures captured;
  for (const std::string& name : free_names(*function.tree)) {
    if (name == function.tree->name)
      continue;  // sees itself
    if (const NameId* id = known_names_->find(name)) {
      const Value& value = names_.at(*id).value;
      if (!value.is<Unbound>() && !value.is<Pending>() && !value.is<Conflict>())
        captured.emplace(name, freeze(names_.at(*id).meaning()));
      if (known_names_->flags != 0)
        captured.emplace(flag_of(name), names_.at(*id + known_names_->flags).value);
    } else if (const auto outer = unit_->captured.find(name); outer != unit_->captured.end()) {
      captured.emplace(name, outer->second);
      if (const auto flag = unit_->captured.find(flag_of(name)); flag != unit_->captured.end())
        captured.insert(*flag);
    }
  }
  freezing_.pop_back();
  std::vector<Value> defaults;
  for (const Value& value : *function.defaults) defaults.push_back(freeze(value));
  LocalFunction copy = function;
  copy.defaults = std::make_shared<const std::vector<Value>>(std::move(defaults));
  copy.captured = std::make_shared<const Captures>(std::move(captured));
  return copy;
}

Value Walker::freeze(const Value& value) {
  if (const auto* function = value.as<LocalFunction>())
    return frozen(*function);
  const auto* tuple = value.as<TupleValue>();
  if (tuple == nullptr)
    return value;
  std::vector<Value> elements;
  for (const Value& element : *tuple->elements) elements.push_back(freeze(element));
  TupleValue copy = *tuple;
  copy.elements = std::make_shared<const std::vector<Value>>(std::move(elements));
  return copy;
}

}  // namespace phalanx::frontend::python
