// What a Python expression means while a kernel is compiled: an IR value, or something known
// now.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "phalanx/frontend/environment.h"
#include "phalanx/ir/ir.h"

namespace phalanx::frontend::python {

class Value;
class Emitter;
struct FunctionUnit;

// Values of the names that a nested function sees.
using Captures = std::map<std::string, Value>;

// Where a number that is known now comes from: as it was written (or a global's), a comparison of
// such numbers, an item of a tuple, or any other computation. See Untaken::prunes.
enum class Origin : std::uint8_t { written, compared, item, computed };

// A number or bool known now.
struct Literal {
  DType dtype;
  ir::Constant constant;
  Origin origin = Origin::written;
};

struct Runtime {
  ir::Operation* operation;
};

// Elements are kept apart, each with its own kind. A list display is one, too, until it becomes a
// list that can grow.
struct TupleValue {
  std::shared_ptr<const std::vector<Value>> elements;
  std::string name = {};  // of a named tuple
  std::shared_ptr<const std::vector<std::string>> field_names = nullptr;
  std::optional<Location> list_at = {};  // of a list display: where it is written
};

// An empty list the type of whose elements is not known yet: what is put into it tells, and the
// function is emitted again.
struct OpenList {
  Location at;
};

// Makes one element of the operands' elements.
using ElementFunction = std::function<Value(Emitter&, const std::vector<Value>&)>;

// An array that is computed where it is needed, in one loop with what it is needed for. It is no
// longer lazy once it has a name; see elements.h.
struct LazyArray {
  ir::Type type;  // layout C
  std::shared_ptr<const std::vector<Value>> operands;
  std::shared_ptr<const ElementFunction> function;
};

// A string with numbers in it that are known when the code runs: str(n), f"{n} rows", and what is
// put together of them. Exceptions take it.
struct ComputedText {
  std::shared_ptr<const std::vector<Value>> parts;  // TextEntity, and numbers
};

struct SliceValue {
  std::shared_ptr<const std::array<Value, 3>> parts;  // lower, upper, step; none where absent
};

struct EllipsisValue {};

// A method of a value: `array.sum`, `z.conjugate`.
struct Method {
  std::string name;
  std::shared_ptr<const Value> self;
  std::shared_ptr<Overloads> overloads = nullptr;  // of a method that is written in Python
};

// A function defined inside the function, or a lambda: it sees the names around it, as they are
// when it is called; once it is handed to another function, as they were then (`captured`).
struct LocalFunction {
  std::shared_ptr<const tree::Function> tree;
  std::shared_ptr<const std::vector<Value>> defaults;
  const FunctionUnit* home = nullptr;  // the function that it is in
  std::shared_ptr<const Captures> captured = nullptr;
};

// range(...), enumerate(...), zip(...): what a loop goes over.
struct Iterable {
  enum class Kind : std::uint8_t {
    range,
    enumerate,
    zip,
    iterations,
    indices,
    elements,
    flat,
    operands
  };
  Kind kind;
  // range: start, stop, step; iterations, those of a chunk of a range: the first's number, the end,
  // the range's start and step; indices, those of numpy.ndindex: the extents; elements, those
  // of numpy.ndenumerate, and flat, those of a.flat: the array and its extents; operands, those of
  // numpy.nditer: the array or a tuple of them, and the extents; else what is gone over.
  std::shared_ptr<const std::vector<Value>> parts;
  ir::Type type = {};        // range, iterations: the type of the numbers
  bool is_parallel = false;  // range: prange
};

// The name has a value on some incoming edges and none, or one of another type, on others.
struct Conflict {
  std::string message;
  std::string advice = {};
};

struct Unbound {};

// Will have a value when more is known: see Untyped.
struct Pending {};

class Value {
 public:
  using Variant = std::variant<
      Unbound,
      Pending,
      Conflict,
      NoneEntity,
      Literal,
      Runtime,
      TimeEntity,
      TextEntity,
      TupleValue,
      OpenList,
      ComputedText,
      LazyArray,
      SliceValue,
      EllipsisValue,
      ArrayEntity,
      DeviceArrayEntity,
      TypeEntity,
      TupleClassEntity,
      IntrinsicEntity,
      ScopeEntity,
      FunctionEntity,
      OverloadEntity,
      LocalFunction,
      Method,
      Iterable,
      ExceptionEntity,
      UnusableEntity>;

  Value() = default;
  template <typename T>
    requires std::is_constructible_v<Variant, T>
  Value(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Value(ir::Operation* operation) : value_(Runtime{operation}) {}  // NOLINT

  template <typename T>
  const T* as() const {
    return std::get_if<T>(&value_);
  }
  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(value_);
  }
  bool is_none() const { return is<NoneEntity>(); }
  // Has, or may have, a type that is not known yet.
  bool is_untyped() const { return is<Unbound>() || is<Pending>() || is<OpenList>(); }
  const Variant& variant() const { return value_; }

 private:
  Variant value_;
};

Value none_value();
Value boolean_literal(bool value);
Value integer_literal(std::int64_t value, DType dtype = DType::int64);
Value float_literal(double value);
Value tuple_value(std::vector<Value> elements);

// The IR type that the value has or would take; nothing for what has none (functions, types, ...).
std::optional<ir::Type> type_of(const Value& value);

// The integer the value is, if it is an integer or bool known now.
std::optional<std::int64_t> known_integer(const Value& value);
// Where a number known now comes from; what is no such number counts as written.
Origin origin_of(const Value& value);
bool is_computed(const Value& value);
// True if a branch on it leaves out the types of the other branch, too.
bool is_prunable(const Value& value);
// The same number, as one that was made so.
Value as_computed(const Value& value);
Value as_item(const Value& value);
// True if the value is true, if that is known now.
std::optional<bool> known_truth(const Value& value);

// True if both are the same thing: one operation, or equal literals, ...
bool is_same(const Value& a, const Value& b);

// As messages name it: "int64", "array(float32, 1d, C)", "the function math.sin".
std::string describe(const Value& value);
std::string describe(const ir::Type& type);

// What the environment says, as a value.
Value value_of(const Entity& entity);

}  // namespace phalanx::frontend::python
