// Makes typed operations at a point of a region; used by the front ends, the passes and the tests.
// Those of threads, of memory that a kernel asks for, and of calls are functions over it:
// build_threads.h, build_memory.h, build_calls.h.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/ir/ir.h"

namespace phalanx::ir {

// A function with its parameters, whose names are hints for the printer. The result of a kernel
// is `none`.
PHX_API Function& add_function(
    Module& module,
    std::string name,
    FunctionKind kind,
    std::vector<Parameter> parameters,
    Type result = {},
    std::shared_ptr<const SourceFile> source = nullptr);

// The position after the last operation of a region, however many are added there.
inline constexpr std::size_t region_end = static_cast<std::size_t>(-1);

class PHX_API Builder {
 public:
  using Value = Operation*;
  using Values = std::vector<Operation*>;

  struct Branches {
    Region& then;
    Region& otherwise;
  };
  struct Loop {
    Region& body;
    Region& step;
  };
  class Scope;

  explicit Builder(Function& function) : Builder(function, function.body) {}
  // Before the operation at `position` of the region, which need not be in the function yet.
  Builder(Function& function, Region& region, std::size_t position = region_end)
      : function_(&function), region_(&region), position_(position) {}

  Function& function() const { return *function_; }
  Region& region() const { return *region_; }
  // Operations go there while the scope lives: auto scope = builder.enter(branches.then);
  [[nodiscard]] Scope enter(Region& region, std::size_t position = region_end);
  // Control cannot reach the region's end any more: nothing may be appended.
  bool is_ended() const { return ends_flow(*region_); }

  Location location() const { return location_; }
  void at(Location location) { location_ = location; }
  // The flags of elementwise operations from now on; nothing: as the options say.
  std::optional<FastMath> fast_math() const { return fast_math_; }
  void set_fast_math(std::optional<FastMath> fast_math) { fast_math_ = fast_math; }

  // Any operation; its attributes are the caller's to fill in.
  Operation& append(Op op, Type type = {}, Values operands = {});

  // Values. `constant` rounds or wraps to the type; a cast to the same type is the value itself
  // and a cast of a constant is a constant.
  Value parameter(std::size_t position) const;
  Value constant(DType dtype, const Constant& value);
  Value boolean(bool value) { return constant(DType::boolean, value); }
  Value integer(std::int64_t value, DType dtype = DType::int64) { return constant(dtype, value); }
  Value undefined(Type type) { return &append(Op::undefined, std::move(type)); }
  Value elementwise(Op op, Values operands);  // the type follows from the operands
  Value cast(Value value, DType to);
  Value bitcast(Value value, Type to) { return &append(Op::bitcast, std::move(to), {value}); }
  Value complex_make(Value real, Value imaginary);
  Value complex_real(Value number);
  Value complex_imag(Value number);

  VariableId variable(std::string name, Type type);
  Value get(VariableId variable);
  void set(VariableId variable, Value value);

  Value tuple_make(Values elements);  // a plain tuple
  Value tuple_make(Type type, Values elements) {
    return &append(Op::tuple_make, std::move(type), std::move(elements));
  }
  Value tuple_get(Value tuple, std::size_t element);     // of a constant tuple_make: that operand
  Value vector_make(const Type& type, Values elements);  // a vector or a time
  Value vector_get(Value vector, std::size_t element);

  // Array views. `strides` are given where the type's layout is `any`.
  Value array_make(Type type, Value data, const Values& shape, const Values& strides = {});
  Value array_data(Value array);
  Value array_shape(Value array, std::size_t dimension);
  Value array_stride(Value array, std::size_t dimension);
  Value array_element(Value array, const Values& indices);
  Value array_load(Value array, const Values& indices);
  void array_store(Value array, const Values& indices, Value value);
  Value wrap_index(Value index, Value extent);

  // Pointers.
  Value load(Value pointer);
  void store(Value pointer, Value value);
  Value pointer_offset(Value pointer, Value bytes, Type to);
  Value pointer_field(Value pointer, std::size_t field);
  Value allocate(Value bytes, bool is_zeroed);  // memory of a CPU function's call: raw bytes

  // Calls and control. The value of a call of a function without result is not to be used.
  Value call(Function& callee, Values arguments);
  void raise(Raise raise);
  Branches if_(Value condition);
  Loop loop();
  Region& block();
  void break_(std::int64_t levels = 0);
  void continue_(std::int64_t levels = 0);
  void return_(Value value = nullptr);

 private:
  Function* function_;
  Region* region_;
  std::size_t position_;
  Location location_;
  std::optional<FastMath> fast_math_;
};

class Builder::Scope {
 public:
  Scope(Builder& builder, Region& region, std::size_t position = region_end)
      : builder_(&builder),
        region_(std::exchange(builder.region_, &region)),
        position_(std::exchange(builder.position_, position)) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() {
    builder_->region_ = region_;
    builder_->position_ = position_;
  }

 private:
  Builder* builder_;
  Region* region_;  // where operations went before
  std::size_t position_;
};

inline Builder::Scope Builder::enter(Region& region, std::size_t position) {
  return {*this, region, position};
}

// A copy of the operation, of its own location, with other operands and with empty regions.
PHX_API Operation& append_copy(
    Builder& builder, const Operation& original, Builder::Values operands);

}  // namespace phalanx::ir
