// What random kernels are made of: values, and the functions around the statements.
#include "fuzz_generator.h"

#include <algorithm>
#include <string>
#include <utility>
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"

namespace phalanx::test {

using ir::Builder;
using ir::FunctionKind;
using ir::Op;
using ir::Type;
using Value = Builder::Value;

namespace {

constexpr std::array integer_types = {
    DType::int8, DType::int32, DType::int64, DType::uint16, DType::uint32};
constexpr std::array float_types = {DType::float32, DType::float64};

constexpr std::array integer_ops = {
    Op::add,
    Op::subtract,
    Op::multiply,
    Op::floor_divide,
    Op::remainder,
    Op::bitwise_and,
    Op::bitwise_or,
    Op::bitwise_xor,
    Op::left_shift,
    Op::right_shift,
    Op::minimum,
    Op::maximum};
constexpr std::array float_ops = {
    Op::add, Op::subtract, Op::multiply, Op::true_divide, Op::minimum, Op::maximum, Op::copysign};
constexpr std::array float_unary_ops = {
    Op::negative, Op::absolute, Op::floor, Op::ceil, Op::trunc, Op::rint};
constexpr std::array comparisons = {
    Op::equal, Op::not_equal, Op::less, Op::less_equal, Op::greater, Op::greater_equal};

}  // namespace

DType Generator::scalar_type() {
  if (options_.has_floats && random_.chance(40))
    return random_.pick(float_types);
  return random_.pick(integer_types);
}

Value Generator::fresh_constant(DType dtype) {
  if (is_boolean(dtype))
    return builder_->boolean(random_.chance(50));
  if (is_floating(dtype)) {
    constexpr std::array numbers = {0.0, -0.0, 1.0, -1.5, 3.25, 1e10, 0.1, -7.0};
    return builder_->constant(dtype, random_.pick(numbers));
  }
  constexpr std::array<std::int64_t, 9> numbers = {0, 1, 2, 3, -1, 7, 100, -128, 31};
  return builder_->constant(dtype, random_.pick(numbers));
}

Value Generator::remember(Value value) {
  known_[value->type.dtype()].push_back(value);
  return value;
}

Value Generator::known(DType dtype) {
  const auto& values = known_[dtype];
  if (values.empty() || random_.chance(15))
    return fresh_constant(dtype);
  // Late ones more often, so that long chains come about.
  const std::size_t a = random_.below(values.size());
  return values[std::max(a, random_.below(values.size()))];
}

Value Generator::truth() {
  if (!known_[DType::boolean].empty() && random_.chance(20))
    return known(DType::boolean);
  const DType dtype = scalar_type();
  Value result = builder_->elementwise(random_.pick(comparisons), {known(dtype), known(dtype)});
  if (random_.chance(15))
    result = builder_->elementwise(Op::logical_not, {result});
  if (random_.chance(20)) {
    const Op op = random_.chance(50) ? Op::bitwise_and : Op::bitwise_or;
    result = builder_->elementwise(op, {result, truth()});
  }
  return remember(result);
}

// In range, or as far below 0 for wrap_index.
Value Generator::index_into(Value extent) {
  Value index = builder_->cast(known(DType::int32), DType::int64);
  index = builder_->elementwise(Op::remainder, {index, extent});
  if (random_.chance(40))
    index = builder_->elementwise(Op::subtract, {index, extent});
  return builder_->wrap_index(index, extent);
}

Value Generator::loaded(DType dtype) {
  const Value array = arrays_.inputs.at(is_floating(dtype) ? DType::float64 : DType::int64);
  const Value value = builder_->array_load(array, {index_into(builder_->array_shape(array, 0))});
  return builder_->cast(value, dtype);
}

Value Generator::expression(DType dtype) {
  const auto other = [&] { return known(dtype); };
  if (is_kernel_ && random_.chance(15))
    return remember(loaded(dtype));
  if (random_.chance(10))
    return remember(builder_->elementwise(Op::select, {truth(), other(), other()}));
  if (is_floating(dtype)) {
    if (random_.chance(15))
      return remember(builder_->cast(known(DType::int32), dtype));
    if (random_.chance(25))
      return remember(builder_->elementwise(random_.pick(float_unary_ops), {other()}));
    return remember(builder_->elementwise(random_.pick(float_ops), {other(), other()}));
  }
  if (random_.chance(15))
    return remember(builder_->cast(known(random_.pick(integer_types)), dtype));
  if (random_.chance(10))
    return remember(builder_->cast(truth(), dtype));
  return remember(builder_->elementwise(random_.pick(integer_ops), {other(), other()}));
}

// A few values of each type that are not known before the kernel runs.
void Generator::seed_values() {
  const auto seed = [&](DType dtype) {
    for (int i = 0; i < 2; ++i)
      remember(
          is_kernel_ && random_.chance(60) ? loaded(dtype)
                                           : builder_->cast(known(DType::int32), dtype));
  };
  for (const DType dtype : integer_types) seed(dtype);
  for (const DType dtype : float_types) {
    if (options_.has_floats)
      seed(dtype);
  }
  remember(truth());
}

void Generator::begin(ir::Function& function) {
  known_.clear();
  variables_.clear();
  jumps_.enclosing.clear();
  jumps_.farthest = FuzzJumps::nowhere;
  mask_ = nullptr;
  for (const auto& parameter : function.parameters) {
    if (parameter->type.is_scalar())
      remember(parameter.get());
  }
  for (const Value value : remember_first_) remember(value);
  remember_first_.clear();
  seed_values();
  for (int i = 0; i < 5; ++i) {
    const DType dtype = i == 0 ? DType::boolean : scalar_type();
    const ir::VariableId variable = builder_->variable(i % 2 == 0 ? "v" : "", dtype);
    Value first = is_boolean(dtype) ? truth() : known(dtype);
    builder_->set(variable, first);
    if (!is_boolean(dtype))
      variables_.push_back(variable);
  }
}

void Generator::make_device_function() {
  const DType result = scalar_type();
  ir::Function& function = ir::add_function(
      module_,
      "helper" + std::to_string(callees_.size()),
      FunctionKind::device,
      {{"x", scalar_type()}, {"y", DType::int32}},
      result);
  Builder builder(function);
  builder_ = &builder;
  is_kernel_ = false;
  is_uniform_ = false;
  budget_ = 12;
  begin(function);
  statements(8, 0);
  if (!builder.is_ended())
    builder.return_(known(result));
  callees_.push_back(&function);
}

void Generator::make_kernel(std::size_t threads) {
  const auto array = [](DType dtype, bool is_mutable) {
    return Type::array(dtype, 1, ir::Layout::c, ir::Space::global, is_mutable);
  };
  ir::Function& kernel = ir::add_function(
      module_,
      "kernel",
      FunctionKind::kernel,
      {{"a", array(DType::int64, false)},
       {"b", array(DType::float64, false)},
       {"integers", array(DType::int64, true)},
       {"floats", array(DType::float64, true)},
       {"singles", array(DType::float32, true)},
       {"s", DType::int64}});
  Builder builder(kernel);
  builder_ = &builder;
  is_kernel_ = true;
  is_uniform_ = true;
  budget_ = options_.statements;
  arrays_.inputs = {{DType::int64, builder.parameter(0)}, {DType::float64, builder.parameter(1)}};
  arrays_.outputs = {
      {DType::int64, builder.parameter(2)},
      {DType::float64, builder.parameter(3)},
      {DType::float32, builder.parameter(4)}};
  const auto wide = [&](Op op) {
    return builder.cast(ir::thread_query(builder, op, 0), DType::int64);
  };
  thread_ = wide(Op::thread_index);
  threads_in_block_ = wide(Op::block_extent);
  const Value first = builder.elementwise(Op::multiply, {wide(Op::block_index), threads_in_block_});
  const Value thread = builder.elementwise(Op::add, {first, thread_});
  position_ = builder.elementwise(
      Op::multiply, {thread, builder.integer(static_cast<std::int64_t>(elements_per_thread))});
  if (options_.has_barriers) {
    const auto extent = static_cast<std::int64_t>(threads);
    arrays_.shared = {
        {DType::int64, ir::shared_array(builder, DType::int64, {extent})},
        {DType::float64, ir::shared_array(builder, DType::float64, {extent})}};
    arrays_.counters = {
        {DType::int64, ir::shared_array(builder, DType::int64, {1})},
        {DType::uint32, ir::shared_array(builder, DType::uint32, {1})}};
    for (const DType dtype : {DType::int64, DType::float64, DType::float32})
      arrays_.piles[dtype] =
          ir::shared_array(builder, dtype, {static_cast<std::int64_t>(atomic_elements)});
    clear_piles();
  }
  remember_first_ = {thread, ir::thread_query(builder, Op::thread_index, 0)};
  begin(kernel);
  if (options_.has_warp_operations)
    find_mask();
  while (budget_ > 0 && !builder.is_ended()) statements(budget_, 0);
  for (int i = 0; i < 8 && !builder.is_ended(); ++i) {
    remember(builder.get(random_.pick(variables_)));
    output();
  }
  if (options_.has_barriers)
    read_piles();
}

void Generator::make(std::size_t threads) {
  const std::size_t functions = options_.has_calls ? random_.below(3) : 0;
  for (std::size_t i = 0; i < functions; ++i) make_device_function();
  make_kernel(threads);
}

}  // namespace phalanx::test
