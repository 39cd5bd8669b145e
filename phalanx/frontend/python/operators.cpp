// Operators and scalar functions on values.
#include <algorithm>
#include <utility>

#include "phalanx/frontend/python/computed_text.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/emitter.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/text.h"
#include "phalanx/frontend/python/times.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/constants.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::frontend::python {
namespace {

constexpr std::int64_t largest_static_power = 0x10000;  // as Numba

constexpr std::array comparison_symbols = {
    "==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};
constexpr std::array comparison_ops = {
    ir::Op::equal,
    ir::Op::not_equal,
    ir::Op::less,
    ir::Op::less_equal,
    ir::Op::greater,
    ir::Op::greater_equal,
};

std::string_view symbol_of(tree::Comparison comparison) {
  return comparison_symbols.at(static_cast<std::size_t>(comparison));
}

bool has_array(const std::vector<Value>& operands) {
  return std::ranges::any_of(operands, [](const Value& operand) {
    const auto type = type_of(operand);
    return type && type->is_array();
  });
}

[[noreturn]] void no_operator(
    Emitter& emitter, std::string_view symbol, const std::vector<Value>& operands) {
  std::string types;
  for (const Value& operand : operands) types += (types.empty() ? "" : " and ") + describe(operand);
  std::string_view advice;
  if (has_array(operands))
    advice = emitter.session().options().is_function
                 ? "Convert one of them, such as a.astype(np.int64)."
                 : "Index the array: kernels compute on elements.";
  else if (std::ranges::any_of(operands, [](const Value& each) { return each.is<TupleValue>(); }))
    advice = "(...) and [...] are tuples here: np.full(n, value) makes an array in functions.";
  emitter.fail("the operator " + std::string(symbol) + " does not take " + types, advice);
}

}  // namespace

std::optional<Value> Emitter::scalar_function(
    std::string_view name, const std::vector<Value>& operands) {
  const infer::Function* function = infer::find_function(name, static_cast<int>(operands.size()));
  if (function == nullptr || !function->op)
    return std::nullopt;
  std::vector<DType> dtypes;
  for (const Value& operand : operands) {
    if (!is_scalar(operand))
      return std::nullopt;
    dtypes.push_back(type_of(operand)->dtype());
  }
  const auto typing = infer::resolve(*function, dtypes);
  if (!typing)
    return std::nullopt;
  return elementwise(*function->op, *typing, operands);
}

Value Emitter::elementwise(
    ir::Op op, const infer::Typing& typing, const std::vector<Value>& operands) {
  std::vector<Value> converted;
  for (std::size_t i = 0; i < operands.size(); ++i)
    converted.push_back(cast(operands[i], typing.operands.at(i)));
  std::vector<ir::Constant> constants;
  Origin origin = ir::info(op).rule == ir::Rule::compare ? Origin::compared : Origin::computed;
  for (const Value& operand : converted) {
    if (const auto* literal = operand.as<Literal>())
      constants.push_back(literal->constant);
    if (origin_of(operand) != Origin::written)
      origin = Origin::computed;
  }
  if (constants.size() == converted.size()) {
    const DType dtype = typing.operands.at(op == ir::Op::select ? 1 : 0);
    if (const auto folded = ir::fold(op, dtype, constants))
      return cast(Literal{typing.yields, *folded, origin}, typing.result);
  }
  ir::Builder::Values operations;
  for (const Value& operand : converted) operations.push_back(materialize(operand));
  return cast(builder_.elementwise(op, std::move(operations)), typing.result);
}

Value Emitter::same_type(ir::Op op, DType dtype, const std::vector<Value>& operands) {
  infer::Typing typing;
  typing.operands = {dtype, dtype, dtype};
  typing.yields = ir::info(op).rule == ir::Rule::predicate ? DType::boolean : dtype;
  typing.result = typing.yields;
  return elementwise(op, typing, operands);
}

Raise Emitter::exception(std::string_view type, const std::string& message) const {
  Raise raise = {.type = std::string(type), .message = message};
  if (session_->options().is_function)
    raise.message = message.empty() ? "()" : "(" + quoted(message) + ",)";
  return raise;
}

void Emitter::raise_where(
    const Value& condition, std::string_view type, const std::string& message) {
  if (known_truth(condition) == false)
    return;
  const auto branches = builder_.if_(materialize(condition));
  const auto inside = builder_.enter(branches.then);
  builder_.raise(exception(type, message));
}

namespace {

// In Numba's words.
std::string zero_division_text(ir::Op op, DType dtype) {
  if (is_complex(dtype))
    return "complex division by zero";
  const std::string kind = is_integer(dtype) && op != ir::Op::true_divide ? "integer " : "";
  return kind + (op == ir::Op::remainder ? "modulo by zero" : "division by zero");
}

Value static_power(Emitter& emitter, const Value& base, std::int64_t exponent) {
  const std::array dtypes = {type_of(base)->dtype(), DType::int64};
  const DType result = infer::resolve(ir::Op::power, dtypes)->result;
  Value square = emitter.cast(base, result);
  Value product = emitter.cast(integer_literal(1), result);
  bool is_one = true;
  for (std::int64_t left = std::abs(exponent); left != 0; left >>= 1) {
    if ((left & 1) != 0) {
      product = is_one ? square : emitter.binary(ir::Op::multiply, product, square);
      is_one = false;
    }
    if (left > 1)
      square = emitter.binary(ir::Op::multiply, square, square);
  }
  if (exponent < 0)
    product =
        emitter.binary(ir::Op::true_divide, emitter.cast(integer_literal(1), result), product);
  return emitter.cast(product, result);
}

// 0 ** -1, of integers; of floats it is infinite.
void refuse_power(Emitter& emitter, const Value& base, const Value& exponent) {
  const Value is_zero = emitter.compare(tree::Comparison::equal, base, integer_literal(0));
  const Value is_negative = emitter.compare(tree::Comparison::less, exponent, integer_literal(0));
  emitter.raise_where(
      emitter.all_of({is_zero, is_negative}),
      "ZeroDivisionError",
      "0 cannot be raised to a negative power");
}

void refuse_zero(Emitter& emitter, ir::Op op, const Value& divisor) {
  if (op != ir::Op::true_divide && op != ir::Op::floor_divide && op != ir::Op::remainder)
    return;
  const DType dtype = type_of(divisor)->dtype();
  const Value is_zero =
      emitter.compare(tree::Comparison::equal, divisor, emitter.cast(integer_literal(0), dtype));
  emitter.raise_where(is_zero, "ZeroDivisionError", zero_division_text(op, dtype));
}

}  // namespace

Value Emitter::binary(ir::Op op, const Value& left, const Value& right) {
  if (is_scalar(left) && is_scalar(right)) {
    const DType a = type_of(left)->dtype();
    const DType b = type_of(right)->dtype();
    const auto exponent =
        op == ir::Op::power && is_integer(b) ? known_integer(right) : std::nullopt;
    // A negative power of an integer is left to the general rule.
    if (exponent && std::abs(*exponent) <= largest_static_power && !is_boolean(a) &&
        (*exponent >= 0 || !is_integer(a)))
      return static_power(*this, left, *exponent);
    const std::array dtypes = {a, b};
    if (const auto typing = infer::resolve(op, dtypes)) {
      if (session_->options().raises_on_zero_division && !is_library_) {
        refuse_zero(*this, op, right);
        if (op == ir::Op::power && is_integer(a) && is_signed(b))
          refuse_power(*this, left, right);
      }
      return elementwise(op, *typing, {left, right});
    }
  } else if (op == ir::Op::add) {
    auto elements = elements_of(left);
    const auto more = elements_of(right);
    if (elements && more) {
      elements->insert(elements->end(), more->begin(), more->end());
      return tuple_value(std::move(*elements));
    }
    if (auto text = joined_texts(left, right))
      return std::move(*text);
  }
  if (auto time = time_binary(*this, op, left, right))
    return std::move(*time);
  if (auto array = array_operator(*this, ufunc_of(op), {left, right}))
    return std::move(*array);
  no_operator(*this, ir::info(op).python, {left, right});
}

Value Emitter::unary(tree::UnaryOperator op, const Value& operand) {
  if (auto time = time_unary(*this, op, operand))
    return std::move(*time);
  if (op == tree::UnaryOperator::logical_not)
    return logical_not(operand);
  constexpr std::array names = {"operator.pos", "operator.neg", "operator.invert"};
  constexpr std::array symbols = {"unary +", "unary -", "~"};
  const auto index = static_cast<std::size_t>(op);
  if (is_scalar(operand)) {
    const std::array dtypes = {type_of(operand)->dtype()};
    if (auto typing = infer::resolve(names.at(index), dtypes)) {
      // As in Numba: narrow numbers wrap around before they become wide ones.
      if (is_integer(dtypes[0]))
        typing->operands[0] = typing->yields = dtypes[0];
      if (op == tree::UnaryOperator::plus)
        return cast(operand, typing->result);
      return elementwise(
          op == tree::UnaryOperator::minus ? ir::Op::negative : ir::Op::invert, *typing, {operand});
    }
  }
  constexpr std::array ufuncs = {"positive", "negative", "invert"};
  if (auto array = array_operator(*this, ufuncs.at(index), {operand}))
    return std::move(*array);
  no_operator(*this, symbols.at(index), {operand});
}

Value Emitter::logical_not(const Value& value) {
  const Value condition = truth(value);
  if (const auto known = known_truth(condition))
    return Literal{DType::boolean, !*known, origin_of(condition)};
  return builder_.elementwise(ir::Op::logical_not, {materialize(condition)});
}

Value Emitter::all_of(const std::vector<Value>& conditions) {
  Value all = boolean_literal(true);
  for (const Value& condition : conditions) {
    const auto known = known_truth(condition);
    if (known && !*known)
      return boolean_literal(false);
    if (known)
      continue;
    if (known_truth(all)) {
      all = condition;
    } else {
      ir::Operation* before = materialize(all);
      all = ir::both(builder_, before, materialize(condition));
    }
  }
  return all;
}

Value Emitter::select(const Value& condition, const Value& then, const Value& otherwise) {
  if (const auto known = known_truth(condition))
    return *known ? then : otherwise;
  const DType a = scalar_dtype(then, "a value to choose from");
  const DType b = scalar_dtype(otherwise, "a value to choose from");
  if (a == DType::boolean && b == DType::boolean) {
    if (known_truth(otherwise) == false)
      return all_of({truth(condition), then});
    if (known_truth(then) == true) {
      ir::Operation* first = materialize(truth(condition));
      return ir::either(builder_, first, materialize(otherwise));
    }
  }
  const auto type = infer::unify(ir::Type(a), ir::Type(b));
  if (!type)
    fail("cannot unify " + describe(then) + " and " + describe(otherwise));
  return builder_.elementwise(
      ir::Op::select,
      {materialize(truth(condition)), convert(then, *type), convert(otherwise, *type)});
}

namespace {

// What names one thing: comparing it by == is asking whether it is the same.
bool has_identity(const Value& value) {
  return value.is_none() || value.is<TypeEntity>() || value.is<TextEntity>() ||
         value.is<FunctionEntity>() || value.is<OverloadEntity>() || value.is<LocalFunction>() ||
         value.is<IntrinsicEntity>() || value.is<EllipsisValue>();
}

// A member of an Enum is a named tuple of its value; each member is one object.
bool is_enum_member(const Value& value) {
  const auto type = type_of(value);
  return type && type->is_tuple() && !type->name().empty() && type->fields().size() == 1 &&
         type->fields()[0].name == "value";
}

// What a function returned that ends without a value on some way: see Returns::emit_none.
bool may_be_none(const Value& value) {
  const auto* result = value.as<Runtime>();
  if (result == nullptr || result->operation->op != ir::Op::call)
    return false;
  bool found = false;
  ir::for_each(std::as_const(result->operation->callee->body), [&](const ir::Operation& each) {
    found |= each.op == ir::Op::return_ && each.operands.size() == 1 &&
             each.operands[0]->op == ir::Op::undefined;
  });
  return found;
}

Value tuple_compare(
    Emitter& emitter, tree::Comparison comparison, const Value& left, const Value& right) {
  const auto a = *emitter.elements_of(left);
  const auto b = *emitter.elements_of(right);
  if (comparison == tree::Comparison::equal || comparison == tree::Comparison::not_equal) {
    std::vector<Value> equal = {boolean_literal(a.size() == b.size())};
    for (std::size_t i = 0; i < a.size() && a.size() == b.size(); ++i)
      equal.push_back(emitter.truth(emitter.compare(tree::Comparison::equal, a[i], b[i])));
    const Value all = emitter.all_of(equal);
    return comparison == tree::Comparison::equal ? all : emitter.logical_not(all);
  }
  // Lexicographic: the first pair that differs decides; from the back to the front.
  const bool is_strict =
      comparison == tree::Comparison::less || comparison == tree::Comparison::greater;
  const bool is_less =
      comparison == tree::Comparison::less || comparison == tree::Comparison::less_equal;
  const std::size_t common = std::min(a.size(), b.size());
  Value result =
      boolean_literal(a.size() == b.size() ? !is_strict : (a.size() < b.size()) == is_less);
  for (std::size_t i = common; i-- > 0;) {
    const auto strict = is_less ? tree::Comparison::less : tree::Comparison::greater;
    const Value differs = emitter.compare(tree::Comparison::not_equal, a[i], b[i]);
    result = emitter.select(differs, emitter.compare(strict, a[i], b[i]), result);
  }
  return result;
}

Value identity(Emitter& emitter, bool asks_same, const Value& left, const Value& right) {
  if (is_enum_member(left) && is_enum_member(right)) {
    if (type_of(left)->name() != type_of(right)->name())
      return boolean_literal(!asks_same);
    return tuple_compare(
        emitter, asks_same ? tree::Comparison::equal : tree::Comparison::not_equal, left, right);
  }
  if (may_be_none(left) || may_be_none(right))
    emitter.fail(
        "a function that returns None on one path and values on others cannot be asked which it "
        "was",
        "Return a second value that says so: return found, value");
  if (left.is_none() || right.is_none())
    return boolean_literal((left.is_none() && right.is_none()) == asks_same);
  if (has_identity(left) || has_identity(right) || !emitter.is_scalar(left) ||
      !emitter.is_scalar(right))
    return boolean_literal(is_same(left, right) == asks_same);
  return emitter.compare(
      asks_same ? tree::Comparison::equal : tree::Comparison::not_equal, left, right);
}

}  // namespace

Value Emitter::compare(tree::Comparison comparison, const Value& left, const Value& right) {
  using tree::Comparison;
  if (comparison == Comparison::is || comparison == Comparison::is_not)
    return identity(*this, comparison == Comparison::is, left, right);
  if (comparison == Comparison::in || comparison == Comparison::not_in) {
    const auto elements = elements_of(right);
    const auto is_element = !elements && is_scalar(left) && session_->options().is_function
                                ? array_operator(*this, "equal", {right, left})
                                : std::nullopt;
    if (is_element) {
      const Value found = *call_intrinsic(*this, "numpy.any", {.arguments = {*is_element}});
      return comparison == Comparison::in ? found : logical_not(found);
    }
    if (!elements)
      no_operator(*this, symbol_of(comparison), {left, right});
    std::vector<Value> differs;
    for (const Value& element : *elements)
      differs.push_back(truth(compare(Comparison::not_equal, left, element)));
    const Value absent = all_of(differs);
    return comparison == Comparison::not_in ? absent : logical_not(absent);
  }
  const bool is_equality = comparison == Comparison::equal || comparison == Comparison::not_equal;
  if (is_equality) {
    if (auto result = text_compare(*this, comparison == Comparison::equal, left, right))
      return std::move(*result);
  }
  const auto are_text_and_array = [](const Value& text, const Value& array) {
    const auto type = type_of(array);
    return text.is<TextEntity>() && type && type->is_array();
  };
  if (are_text_and_array(left, right) || are_text_and_array(right, left))
    no_operator(*this, symbol_of(comparison), {left, right});
  if (is_equality && (has_identity(left) || has_identity(right)))
    return identity(*this, comparison == Comparison::equal, left, right);
  const ir::Op op = comparison_ops.at(static_cast<std::size_t>(comparison));
  if (is_scalar(left) && is_scalar(right)) {
    const std::array dtypes = {type_of(left)->dtype(), type_of(right)->dtype()};
    if (const auto typing = infer::resolve(op, dtypes))
      return elementwise(op, *typing, {left, right});
  } else if (elements_of(left) && elements_of(right)) {
    return tuple_compare(*this, comparison, left, right);
  } else if (auto result = time_compare(*this, op, left, right)) {
    return std::move(*result);
  } else if (auto array = array_operator(*this, ufunc_of(op), {left, right})) {
    return std::move(*array);
  }
  no_operator(*this, symbol_of(comparison), {left, right});
}

}  // namespace phalanx::frontend::python
