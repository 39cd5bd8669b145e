// Appends typed operations to regions; used by the front ends, the passes and the tests.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/ir/ir.h"

namespace phalanx::ir {

// A function with its parameters, whose names are hints for the printer. The result of a kernel
// is `none`.
Function& add_function(
    Module& module,
    std::string name,
    FunctionKind kind,
    std::vector<Parameter> parameters,
    Type result = {},
    std::shared_ptr<const SourceFile> source = nullptr);

class Builder {
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

  explicit Builder(Function& function) : function_(&function), region_(&function.body) {}

  Function& function() const { return *function_; }
  Region& region() const { return *region_; }
  // Operations go to `region` while the scope lives: auto scope = builder.enter(branches.then);
  [[nodiscard]] Scope enter(Region& region);
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
  Value tuple_get(Value tuple, std::size_t element);  // of a constant tuple_make: that operand
  Value vector_make(Values elements);
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
  Value shared_array(Type element, std::vector<std::int64_t> shape);
  Value dynamic_shared_array(Type element);
  Value sized_shared_array(Type element, Values extents);
  Value local_array(Type element, std::vector<std::int64_t> shape);
  Value constant_array(const Module& module, std::size_t index);

  // Pointers.
  Value load(Value pointer);
  void store(Value pointer, Value value);
  Value hinted_load(CacheOperator cache, Value pointer);
  void hinted_store(CacheOperator cache, Value pointer, Value value);
  Value pointer_offset(Value pointer, Value bytes, Type to);
  Value pointer_field(Value pointer, std::size_t field);
  Value atomic(Atomic kind, Value pointer, Value value);
  Value atomic_cas(Value pointer, Value expected, Value desired);

  // Memory of a CPU function's call: raw bytes.
  Value allocate(Value bytes, bool is_zeroed);
  Value memory_mark() { return &append(Op::memory_mark, DType::int64); }

  // Threads. `op` is thread_index, block_index, block_extent or grid_extent.
  Value thread_query(Op op, unsigned dimension);
  Value lane_index() { return &append(Op::lane_index, DType::int32); }
  void barrier() { append(Op::barrier); }
  Value block_vote(BlockVote kind, Value predicate);
  void fence(FenceScope scope);
  Value vote(Vote kind, Value mask, Value predicate);
  Value shuffle(Shuffle kind, Value mask, Value value, Value lane);
  Value match(Match kind, Value mask, Value value);
  Value active_mask() { return &append(Op::active_mask, DType::int32); }
  void warp_barrier(Value mask) { append(Op::warp_barrier, {}, {mask}); }
  void cooperative() { append(Op::cooperative); }
  void grid_barrier() { append(Op::grid_barrier); }
  void sleep(Value nanoseconds) { append(Op::sleep, {}, {nanoseconds}); }

  // Calls and control. The value of a call of a function without result is not to be used.
  Value call(Function& callee, Values arguments);
  void parallel(Function& body, Value chunks, Value size, const Values& arguments);
  Value parallel_lanes(Function& body);
  Value library(std::string_view name, Type result, Values arguments);  // see libdevice.h
  void print(std::string format, Values values);
  void raise(Raise raise);
  void report_if(Operation* condition, Report report);
  Branches if_(Value condition);
  Loop loop();
  Region& block();
  void break_(std::int64_t levels = 0);
  void continue_(std::int64_t levels = 0);
  void return_();
  void return_(Value value);

 private:
  Operation& indexed(Op op, Type type, Values operands, std::size_t index);
  Value array_of(Op op, Type element, std::vector<std::int64_t> shape, Space space);

  Function* function_;
  Region* region_;
  Location location_;
  std::optional<FastMath> fast_math_;
};

class Builder::Scope {
 public:
  Scope(Builder& builder, Region& region)
      : builder_(&builder), before_(std::exchange(builder.region_, &region)) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() { builder_->region_ = before_; }

 private:
  Builder* builder_;
  Region* before_;
};

inline Builder::Scope Builder::enter(Region& region) { return {*this, region}; }

}  // namespace phalanx::ir
