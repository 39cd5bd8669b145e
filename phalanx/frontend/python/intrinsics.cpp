// Finds intrinsics by name and puts their arguments in order.
#include "phalanx/frontend/python/intrinsics.h"

#include <algorithm>
#include <array>

#include "phalanx/frontend/python.h"
#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/cmath.h"
#include "phalanx/frontend/python/ufuncs.h"
#include "phalanx/infer/functions.h"
#include "phalanx/infer/names.h"
#include "phalanx/ir/build_calls.h"
#include "phalanx/ir/libdevice.h"

namespace phalanx::frontend::python {
namespace {

std::array<std::span<const Intrinsic>, 12> all_intrinsics() {
  return {
      builtin_intrinsics(),
      iterable_intrinsics(),
      flat_intrinsics(),
      cuda_intrinsics(),
      atomic_intrinsics(),
      warp_intrinsics(),
      math_intrinsics(),
      array_intrinsics(),
      reduction_intrinsics(),
      random_intrinsics(),
      list_intrinsics(),
      routine_intrinsics()};
}

const Intrinsic* find_intrinsic(std::string_view name) {
  for (const auto& table : all_intrinsics()) {
    const auto row = std::ranges::find(table, name, &Intrinsic::name);
    if (row != table.end())
      return &*row;
  }
  return nullptr;
}

std::string_view without_module(std::string_view name) {
  constexpr std::string_view builtins = "builtins.";
  return name.starts_with(builtins) ? name.substr(builtins.size()) : name;
}

struct ParameterName {
  std::string_view name;
  bool is_optional;
};

struct ParameterNames {
  std::vector<ParameterName> names;
  bool takes_more = false;
};

ParameterNames parse_parameters(std::string_view text) {
  ParameterNames parameters;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word == "*") {
      parameters.takes_more = true;
      continue;
    }
    const bool is_optional = word.ends_with('?');
    if (is_optional)
      word.remove_suffix(1);
    parameters.names.push_back({word, is_optional});
  }
  return parameters;
}

[[noreturn]] void wrong_arguments(
    Emitter& emitter, std::string_view name, const ParameterNames& parameters) {
  std::string list;
  for (const auto& [parameter, is_optional] : parameters.names)
    list += (list.empty() ? "" : ", ") + std::string(parameter) + (is_optional ? "=..." : "");
  emitter.fail("wrong arguments: this is " + std::string(without_module(name)) + "(" + list + ")");
}

Arguments ordered(
    Emitter& emitter, std::string_view name, const ParameterNames& parameters, const Call& call) {
  Arguments arguments = call.arguments;
  if (arguments.size() > parameters.names.size() && !parameters.takes_more)
    wrong_arguments(emitter, name, parameters);
  arguments.resize(std::max(arguments.size(), parameters.names.size()));
  for (const auto& [keyword, value] : call.keywords) {
    const auto parameter = std::ranges::find(parameters.names, keyword, &ParameterName::name);
    const auto position = static_cast<std::size_t>(parameter - parameters.names.begin());
    if (parameter == parameters.names.end() || position < call.arguments.size())
      wrong_arguments(emitter, name, parameters);
    arguments[position] = value;
  }
  for (std::size_t i = 0; i < parameters.names.size(); ++i) {
    if (arguments[i].is<Unbound>() && !parameters.names[i].is_optional)
      wrong_arguments(emitter, name, parameters);
  }
  return arguments;
}

// In CPU functions these give whole numbers, as in Numba; in kernels floats, as in numba.cuda.
std::optional<Value> call_rounding(Emitter& emitter, std::string_view name, const Call& call) {
  constexpr std::array names = {"math.floor", "math.ceil", "math.trunc"};
  if (!emitter.session().options().is_function || std::ranges::find(names, name) == names.end() ||
      call.arguments.size() != 1 || !emitter.is_scalar(call.arguments[0]))
    return std::nullopt;
  const Value& number = call.arguments[0];
  const DType dtype = type_of(number)->dtype();
  if (is_integer(dtype) || dtype == DType::boolean)
    return emitter.cast(number, dtype == DType::uint64 ? dtype : DType::int64);
  const auto rounded = emitter.scalar_function(name, {number});
  return rounded ? std::optional(emitter.cast(*rounded, DType::int64)) : std::nullopt;
}

std::optional<Value> call_scalar(Emitter& emitter, std::string_view name, const Call& call) {
  constexpr std::string_view numpy = "numpy.";
  if (name.starts_with(numpy))
    return call_ufunc(emitter, name.substr(numpy.size()), call);
  if (!call.keywords.empty())
    return std::nullopt;
  if (auto whole = call_rounding(emitter, name, call))
    return whole;
  constexpr std::string_view cmath = "cmath.";
  auto value = emitter.scalar_function(without_module(name), call.arguments);
  if (!value && name.starts_with(cmath) && !call.arguments.empty())
    value = call_cmath(emitter, name.substr(cmath.size()), call.arguments);
  return value;
}

// Operands are converted as Numba converts arguments to a declared signature.
std::optional<Value> call_library(Emitter& emitter, std::string_view name, const Call& call) {
  const ir::LibraryFunction* function = ir::find_library_function(name);
  if (function == nullptr)
    return std::nullopt;
  const std::vector<DType> parameters = function->parameters();
  if (call.arguments.size() != parameters.size() || !call.keywords.empty())
    emitter.fail(
        "libdevice." + std::string(name) + "() takes " + std::to_string(parameters.size()) +
        " arguments, not " + std::to_string(call.arguments.size() + call.keywords.size()));
  std::vector<ir::Operation*> operands;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    operands.push_back(emitter.convert(
        call.arguments[i], parameters[i], "an argument of libdevice." + std::string(name)));
  const ir::Type result = function->result();
  ir::Builder& builder = emitter.builder();
  ir::Operation* called = ir::library(builder, name, result, std::move(operands));
  if (!result.is_tuple())
    return called;
  std::vector<Value> elements;
  for (std::size_t i = 0; i < result.fields().size(); ++i)
    elements.push_back(builder.tuple_get(called, i));
  return tuple_value(std::move(elements));
}

// A CPU function has no threads, blocks and shared memory; functions of numbers it may have.
void refuse_in_functions(Emitter& emitter, std::string_view name) {
  if (!emitter.session().options().is_function || !name.starts_with("cuda."))
    return;
  const bool is_of_numbers = std::ranges::any_of(
      std::array{1, 2, 3}, [&](int arity) { return infer::find_function(name, arity); });
  if (!is_of_numbers)
    emitter.fail(
        std::string(name) + " exists in kernels only",
        "Decorate the function with cuda.jit to launch it, or leave the call out.");
}

}  // namespace

std::optional<Value> call_intrinsic(Emitter& emitter, std::string_view name, const Call& call) {
  refuse_in_functions(emitter, name);
  if (const Intrinsic* intrinsic = find_intrinsic(name)) {
    const ParameterNames parameters = parse_parameters(intrinsic->parameters);
    return intrinsic->emit(emitter, ordered(emitter, name, parameters, call));
  }
  constexpr std::string_view libdevice = "cuda.libdevice.";
  if (name.starts_with(libdevice))
    return call_library(emitter, name.substr(libdevice.size()), call);
  return call_scalar(emitter, name, call);
}

std::optional<Value> read_intrinsic(Emitter& emitter, std::string_view name) {
  refuse_in_functions(emitter, name);
  const auto row = std::ranges::find(intrinsic_values(), name, &IntrinsicValue::name);
  if (row == intrinsic_values().end())
    return std::nullopt;
  return row->emit(emitter);
}

std::optional<DType> dtype_of_builtin(std::string_view intrinsic) {
  struct Row {
    std::string_view name;
    DType dtype;
  };
  constexpr std::array rows = {
      Row{"builtins.bool", DType::boolean},
      Row{"builtins.int", DType::int64},
      Row{"builtins.float", DType::float64},
      Row{"builtins.complex", DType::complex128},
  };
  const auto row = std::ranges::find(rows, intrinsic, &Row::name);
  return row == rows.end() ? std::nullopt : std::optional(row->dtype);
}

ir::Type dtype_argument(Emitter& emitter, const Value& value) {
  if (const auto* type = value.as<TypeEntity>())
    return type->type;
  if (const auto* intrinsic = value.as<IntrinsicEntity>()) {
    if (const auto dtype = dtype_of_builtin(intrinsic->name))
      return *dtype;
  }
  if (const auto* text = value.as<TextEntity>()) {
    if (const auto dtype = infer::dtype_from_numba(text->text))
      return *dtype;
    emitter.fail(
        "Invalid NumPy dtype specified: '" + text->text + "'",
        "Write a type such as np.float32, \"float32\" or numba.float32.");
  }
  emitter.fail(
      "a dtype known at compile time is needed, found " + describe(value),
      "Write a type such as np.float32 or numba.float32.");
}

}  // namespace phalanx::frontend::python

namespace phalanx::frontend {

std::vector<std::string> numpy_names() {
  std::vector<std::string> names;
  for (const auto& table : python::all_intrinsics()) {
    for (const python::Intrinsic& row : table) {
      if (row.name.starts_with("numpy."))
        names.emplace_back(row.name);
    }
  }
  for (const std::string_view member : python::array_members())
    names.push_back("array." + std::string(member));
  return names;
}

}  // namespace phalanx::frontend
