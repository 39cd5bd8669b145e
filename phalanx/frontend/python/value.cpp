#include "phalanx/frontend/python/value.h"

#include <algorithm>

#include "phalanx/infer/names.h"
#include "phalanx/ir/constants.h"

namespace phalanx::frontend::python {

Value none_value() { return NoneEntity{}; }
Value boolean_literal(bool value) { return Literal{DType::boolean, value}; }
Value integer_literal(std::int64_t value, DType dtype) {
  return Literal{dtype, ir::normalized(value, dtype)};
}
Value float_literal(double value) { return Literal{DType::float64, value}; }
Value tuple_value(std::vector<Value> elements) {
  return TupleValue{.elements = std::make_shared<const std::vector<Value>>(std::move(elements))};
}

namespace {

std::optional<ir::Type> tuple_type(const TupleValue& tuple) {
  std::vector<ir::Field> fields;
  for (std::size_t i = 0; i < tuple.elements->size(); ++i) {
    const auto type = type_of((*tuple.elements)[i]);
    if (!type)
      return std::nullopt;
    fields.push_back({.name = tuple.field_names ? (*tuple.field_names)[i] : "", .type = *type});
  }
  return ir::Type::named_tuple(tuple.name, std::move(fields));
}

}  // namespace

std::optional<ir::Type> type_of(const Value& value) {
  if (const auto* runtime = value.as<Runtime>())
    return runtime->operation->type;
  if (const auto* literal = value.as<Literal>())
    return ir::Type(literal->dtype);
  if (const auto* time = value.as<TimeEntity>())
    return time->type;
  if (const auto* tuple = value.as<TupleValue>())
    return tuple_type(*tuple);
  if (const auto* array = value.as<ArrayEntity>()) {
    const auto ndim = static_cast<unsigned>(array->array->shape.size());
    return ir::Type::array(array->array->element, ndim, ir::Layout::c, ir::Space::constant, false);
  }
  if (const auto* lazy = value.as<LazyArray>())
    return lazy->type;
  if (const auto* array = value.as<DeviceArrayEntity>())
    return array->type;
  if (value.is_none())
    return ir::Type::none();
  return std::nullopt;
}

std::optional<std::int64_t> known_integer(const Value& value) {
  const auto* literal = value.as<Literal>();
  if (literal == nullptr)
    return std::nullopt;
  if (const auto* integer = std::get_if<std::int64_t>(&literal->constant)) {
    const bool is_beyond = literal->dtype == DType::uint64 && *integer < 0;
    return is_beyond ? std::nullopt : std::optional(*integer);
  }
  if (const auto* boolean = std::get_if<bool>(&literal->constant))
    return *boolean ? 1 : 0;
  return std::nullopt;
}

Origin origin_of(const Value& value) {
  const auto* literal = value.as<Literal>();
  return literal == nullptr ? Origin::written : literal->origin;
}

bool is_computed(const Value& value) { return origin_of(value) == Origin::computed; }

bool is_prunable(const Value& value) {
  const Origin origin = origin_of(value);
  return origin == Origin::written || origin == Origin::compared;
}

Value as_computed(const Value& value) {
  const auto* literal = value.as<Literal>();
  return literal == nullptr ? value : Literal{literal->dtype, literal->constant, Origin::computed};
}

Value as_item(const Value& value) {
  const auto* literal = value.as<Literal>();
  return literal == nullptr || is_computed(value)
             ? value
             : Literal{literal->dtype, literal->constant, Origin::item};
}

std::optional<bool> known_truth(const Value& value) {
  if (value.is_none())
    return false;
  if (const auto* tuple = value.as<TupleValue>())
    return !tuple->elements->empty();
  if (const auto* text = value.as<TextEntity>())
    return !text->text.empty();
  if (value.is<FunctionEntity>() || value.is<LocalFunction>() || value.is<TypeEntity>() ||
      value.is<IntrinsicEntity>() || value.is<OverloadEntity>())
    return true;
  const auto* literal = value.as<Literal>();
  if (literal == nullptr)
    return std::nullopt;
  return std::visit(
      [](const auto& constant) { return constant != std::decay_t<decltype(constant)>{}; },
      literal->constant);
}

namespace {

bool are_same(const std::vector<Value>& a, const std::vector<Value>& b) {
  return &a == &b ||
         std::ranges::equal(a, b, [](const Value& x, const Value& y) { return is_same(x, y); });
}

bool is_same_alternative(const Literal& a, const Literal& b) {
  return a.dtype == b.dtype && ir::is_identical(a.constant, b.constant);
}
bool is_same_alternative(const Runtime& a, const Runtime& b) { return a.operation == b.operation; }
bool is_same_alternative(const TimeEntity& a, const TimeEntity& b) {
  return a.type == b.type && a.count == b.count;
}
bool is_same_alternative(const TextEntity& a, const TextEntity& b) { return a.text == b.text; }
bool have_same_fields(const TupleValue& a, const TupleValue& b) {
  if (a.field_names == nullptr || b.field_names == nullptr)
    return a.field_names == b.field_names;
  return *a.field_names == *b.field_names;
}

bool is_same_alternative(const TupleValue& a, const TupleValue& b) {
  return a.name == b.name && have_same_fields(a, b) && are_same(*a.elements, *b.elements);
}
bool is_same_alternative(const OpenList& a, const OpenList& b) {
  return a.at.line == b.at.line && a.at.column == b.at.column;
}
bool is_same_alternative(const ComputedText& a, const ComputedText& b) {
  return a.parts == b.parts || are_same(*a.parts, *b.parts);
}
bool is_same_alternative(const SliceValue& a, const SliceValue& b) { return a.parts == b.parts; }
bool is_same_alternative(const LazyArray& a, const LazyArray& b) {
  return a.operands == b.operands && a.function == b.function;
}
bool is_same_alternative(const ArrayEntity& a, const ArrayEntity& b) {
  return a.identity == b.identity;
}
bool is_same_alternative(const DeviceArrayEntity& a, const DeviceArrayEntity& b) {
  return a.identity == b.identity;
}
bool is_same_alternative(const TypeEntity& a, const TypeEntity& b) { return a.type == b.type; }
bool is_same_alternative(const TupleClassEntity& a, const TupleClassEntity& b) {
  return a.name == b.name && a.field_names == b.field_names;
}
bool is_same_alternative(const IntrinsicEntity& a, const IntrinsicEntity& b) {
  return a.name == b.name;
}
bool is_same_alternative(const ScopeEntity& a, const ScopeEntity& b) { return a.scope == b.scope; }
bool is_same_alternative(const FunctionEntity& a, const FunctionEntity& b) {
  const auto is_like = [](const DeclaredSignature& x, const DeclaredSignature& y) {
    return x.arguments == y.arguments && x.result == y.result;
  };
  return a.function == b.function && a.name() == b.name() &&
         std::ranges::equal(a.signatures, b.signatures, is_like);
}
bool is_same_alternative(const OverloadEntity& a, const OverloadEntity& b) {
  return a.overloads == b.overloads;
}
bool is_same_alternative(const LocalFunction& a, const LocalFunction& b) {
  return a.tree == b.tree && a.home == b.home && a.captured == b.captured &&
         are_same(*a.defaults, *b.defaults);
}
bool is_same_alternative(const Method& a, const Method& b) {
  return a.name == b.name && is_same(*a.self, *b.self);
}
bool is_same_alternative(const Iterable& a, const Iterable& b) {
  return a.kind == b.kind && a.is_parallel == b.is_parallel && are_same(*a.parts, *b.parts);
}
bool is_same_alternative(const Conflict& a, const Conflict& b) { return a.message == b.message; }
bool is_same_alternative(const UnusableEntity&, const UnusableEntity&) { return false; }
bool is_same_alternative(const ExceptionEntity& a, const ExceptionEntity& b) {
  return a.name == b.name;
}
bool is_same_alternative(const Unbound&, const Unbound&) { return true; }
bool is_same_alternative(const Pending&, const Pending&) { return true; }
bool is_same_alternative(const NoneEntity&, const NoneEntity&) { return true; }
bool is_same_alternative(const EllipsisValue&, const EllipsisValue&) { return true; }

}  // namespace

bool is_same(const Value& a, const Value& b) {
  return std::visit(
      [](const auto& x, const auto& y) {
        if constexpr (std::is_same_v<decltype(x), decltype(y)>)
          return is_same_alternative(x, y);
        else
          return false;
      },
      a.variant(),
      b.variant());
}

std::string describe(const ir::Type& type) {
  // A record is known by its address.
  return infer::numba_name(type.is_pointer() && type.element().is_record() ? type.element() : type);
}

namespace {

struct Describe {
  std::string operator()(const Unbound&) const { return "nothing"; }
  std::string operator()(const Pending&) const { return "a value of unknown type"; }
  std::string operator()(const ExceptionEntity& entity) const {
    return "the exception " + entity.name;
  }
  std::string operator()(const Conflict&) const { return "values of different types"; }
  std::string operator()(const NoneEntity&) const { return "None"; }
  std::string operator()(const Literal& literal) const { return describe(ir::Type(literal.dtype)); }
  std::string operator()(const Runtime& runtime) const { return describe(runtime.operation->type); }
  std::string operator()(const TimeEntity& time) const { return describe(time.type); }
  std::string operator()(const TextEntity& text) const { return "the string '" + text.text + "'"; }
  std::string operator()(const TupleValue& tuple) const {
    if (const auto type = type_of(Value(tuple)))
      return describe(*type);
    std::string text;
    for (const Value& element : *tuple.elements)
      text += (text.empty() ? "" : ", ") + describe(element);
    return (tuple.name.empty() ? "Tuple" : tuple.name) + "(" + text + ")";
  }
  std::string operator()(const ComputedText&) const { return "a string made when the code runs"; }
  std::string operator()(const OpenList&) const { return "a list of unknown type"; }
  std::string operator()(const LazyArray& lazy) const { return describe(lazy.type); }
  std::string operator()(const SliceValue&) const { return "a slice"; }
  std::string operator()(const EllipsisValue&) const { return "..."; }
  std::string operator()(const ArrayEntity& array) const {
    return describe(*type_of(Value(array)));
  }
  std::string operator()(const DeviceArrayEntity& array) const { return describe(array.type); }
  std::string operator()(const TypeEntity& type) const { return "the type " + describe(type.type); }
  std::string operator()(const TupleClassEntity& type) const { return "the type " + type.name; }
  std::string operator()(const IntrinsicEntity& intrinsic) const {
    const std::string prefix = "builtins.";
    return "the function " + (intrinsic.name.starts_with(prefix)
                                  ? intrinsic.name.substr(prefix.size())
                                  : intrinsic.name);
  }
  std::string operator()(const ScopeEntity& scope) const { return scope.scope->describe(); }
  std::string operator()(const FunctionEntity& function) const {
    return "the function " + function.name();
  }
  std::string operator()(const OverloadEntity& function) const {
    return "the function " + function.overloads->name();
  }
  std::string operator()(const LocalFunction& function) const {
    return "the function " + function.tree->name;
  }
  std::string operator()(const Method& method) const {
    return "the method " + method.name + " of " + describe(*method.self);
  }
  std::string operator()(const Iterable& iterable) const {
    constexpr std::array names = {
        "a range",
        "an enumerate",
        "a zip",
        "the iterations of a range",
        "a numpy.ndindex",
        "a numpy.ndenumerate",
        "an array's .flat",
        "a numpy.nditer"};
    return names.at(static_cast<std::size_t>(iterable.kind));
  }
  std::string operator()(const UnusableEntity& entity) const { return entity.what; }
};

Value tuple_of(const TupleEntity& entity) {
  std::vector<Value> elements;
  for (const Entity& element : entity.elements) elements.push_back(value_of(element));
  TupleValue tuple;
  tuple.elements = std::make_shared<const std::vector<Value>>(std::move(elements));
  tuple.name = entity.name;
  if (!entity.field_names.empty())
    tuple.field_names = std::make_shared<const std::vector<std::string>>(entity.field_names);
  return tuple;
}

}  // namespace

std::string describe(const Value& value) { return std::visit(Describe{}, value.variant()); }

Value value_of(const Entity& entity) {
  return std::visit(
      [](const auto& alternative) -> Value {
        using T = std::decay_t<decltype(alternative)>;
        if constexpr (std::is_same_v<T, Missing>)
          return Unbound{};
        else if constexpr (std::is_same_v<T, ScalarEntity>)
          return Literal{alternative.dtype, alternative.value};
        else if constexpr (std::is_same_v<T, TupleEntity>)
          return tuple_of(alternative);
        else
          return alternative;
      },
      entity.value);
}

}  // namespace phalanx::frontend::python
