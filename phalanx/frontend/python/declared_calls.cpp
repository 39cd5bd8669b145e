#include "phalanx/frontend/python/declared_calls.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "phalanx/frontend/python/call.h"
#include "phalanx/frontend/python/entry.h"
#include "phalanx/infer/conversion.h"

namespace phalanx::frontend::python {
namespace {

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

const DeclaredSignature& fitting_signature(
    const Emitter& emitter, const FunctionEntity& function, const std::vector<Value>& arguments) {
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
    emitter.fail(
        "Invalid use of type(" + function.function->name() + ") with parameters (" +
            list_of(arguments) + ")",
        "It is declared for " + declared + ".");
  return *best;
}

}  // namespace

Value call_declared(
    Emitter& emitter,
    const FunctionEntity& function,
    const FunctionSource& source,
    std::vector<Value> arguments) {
  Session& session = emitter.session();
  const FunctionUnit unit = {
      .tree = source.tree,
      .file = source.file,
      .environment = source.environment,
      .is_library = source.is_library,
      .fast_math = session.options().is_function ? function.fast_math : std::nullopt,
      .locals = function.locals};
  if (function.signatures.empty())
    return call_compiled(session, emitter, unit, std::move(arguments));
  const DeclaredSignature& signature = fitting_signature(emitter, function, arguments);
  const auto passed = [&](const Value& value, const ir::Type& declared, std::string_view what) {
    const auto given = type_of(value);
    return emitter.convert(value, given ? passed_type(*given, declared) : declared, what);
  };
  for (std::size_t i = 0; i < arguments.size(); ++i)
    arguments[i] = passed(arguments[i], signature.arguments[i], "an argument");
  const Value result = call_compiled(session, emitter, unit, std::move(arguments));
  if (!signature.result || signature.result->is_none() || result.is_none())
    return result;
  return passed(result, *signature.result, "the result");
}

}  // namespace phalanx::frontend::python
