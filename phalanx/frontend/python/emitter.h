// Typed emission: Python's operations on values, as IR of one function.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/frontend/python/diagnostics.h"
#include "phalanx/frontend/python/session.h"
#include "phalanx/frontend/python/value.h"
#include "phalanx/frontend/tree.h"
#include "phalanx/infer/functions.h"
#include "phalanx/ir/builder.h"

namespace phalanx::frontend::python {

class Emitter {
 public:
  // `is_in_parallel_body`: of a parallel loop, which has taken the cores. `is_library`: of our own
  // functions of NumPy's, where a division by zero gives what it gives in NumPy.
  Emitter(
      Session& session,
      ir::Function& function,
      Diagnostics diagnostics,
      bool is_in_parallel_body = false,
      bool is_library = false)
      : session_(&session),
        builder_(function),
        diagnostics_(std::move(diagnostics)),
        is_in_parallel_body_(is_in_parallel_body),
        is_library_(is_library) {}

  Session& session() { return *session_; }
  ir::Builder& builder() { return builder_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  Location location() const { return builder_.location(); }
  bool is_in_parallel_body() const { return is_in_parallel_body_; }
  // True if loops over whole arrays run on all cores.
  bool parallelizes() const { return session_->options().is_parallel && !is_in_parallel_body_; }
  [[noreturn]] void fail(std::string_view text, std::string_view advice = {}) const {
    diagnostics_.typing(builder_.location(), text, advice);
  }
  // What a raise of the type with one argument holds.
  Raise exception(std::string_view type, const std::string& message) const;
  // CPU functions: raises where the condition is true.
  void raise_where(const Value& condition, std::string_view type, const std::string& message);
  [[noreturn]] void unsupported(std::string_view text, std::string_view advice = {}) const {
    diagnostics_.unsupported(builder_.location(), text, advice);
  }

  // ---- values.cpp: from values to operations, between types ----
  ir::Operation* materialize(const Value& value);
  // The value as `to`; what Numba would not convert fails, naming `what`.
  ir::Operation* convert(
      const Value& value, const ir::Type& to, std::string_view what = "the value");
  Value cast(const Value& value, DType to);
  DType scalar_dtype(const Value& value, std::string_view what) const;
  bool is_scalar(const Value& value) const;
  std::int64_t required_integer(const Value& value, std::string_view what) const;
  Value truth(const Value& value);
  // Elements of a tuple of any kind; nothing for other values.
  std::optional<std::vector<Value>> elements_of(const Value& value);

  // ---- operators.cpp ----
  Value binary(ir::Op op, const Value& left, const Value& right);
  Value unary(tree::UnaryOperator op, const Value& operand);
  Value compare(tree::Comparison comparison, const Value& left, const Value& right);
  // A function of infer's table; nothing when it does not take such operands.
  std::optional<Value> scalar_function(std::string_view name, const std::vector<Value>& operands);
  // The same where the IR's operation and its typing are known.
  Value elementwise(ir::Op op, const infer::Typing& typing, const std::vector<Value>& operands);
  // An operation whose operands, and result but of predicates, all have the type.
  Value same_type(ir::Op op, DType dtype, const std::vector<Value>& operands);
  Value select(const Value& condition, const Value& then, const Value& otherwise);
  Value logical_not(const Value& value);
  Value all_of(const std::vector<Value>& conditions);

  // ---- ufuncs.cpp ----
  // NumPy's ufunc of numbers, and the type of its result; nothing where it does not take them.
  std::optional<Value> element_function(std::string_view name, const std::vector<Value>& operands);
  std::optional<DType> element_type(std::string_view name, std::span<const DType> operands) const;

  // ---- indexing.cpp, views.cpp ----
  Value item(const Value& owner, const Value& index);
  void set_item(const Value& owner, const Value& index, const Value& value);
  Value extent(const Value& array, unsigned dimension);
  // The index as an i64 that is not below 0 where it is valid.
  ir::Operation* wrapped_index(const Value& index, const std::function<Value()>& extent);
  // The pointer to the one element that the index names.
  ir::Operation* element_pointer(const Value& array, const Value& index);
  // The element or sub-view at `position` of the first dimension, which is known to be in range.
  Value row(const Value& array, ir::Operation* position);
  Value load(ir::Operation* pointer);
  void store(ir::Operation* pointer, const Value& value);

  // ---- attributes.cpp ----
  Value attribute(const Value& owner, const std::string& name);
  void set_attribute(const Value& owner, const std::string& name, const Value& value);

 private:
  Session* session_;
  ir::Builder builder_;
  Diagnostics diagnostics_;
  bool is_in_parallel_body_;
  bool is_library_;
};

// Keeps the builder's location for the operations of one expression or statement.
class AtLocation {
 public:
  AtLocation(ir::Builder& builder, Location location)
      : builder_(&builder), before_(builder.location()) {
    builder.at(location);
  }
  AtLocation(const AtLocation&) = delete;
  AtLocation& operator=(const AtLocation&) = delete;
  ~AtLocation() { builder_->at(before_); }

 private:
  ir::Builder* builder_;
  Location before_;
};

}  // namespace phalanx::frontend::python
