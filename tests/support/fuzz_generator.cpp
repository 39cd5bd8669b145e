#include "fuzz_generator.h"

#include <algorithm>
#include <string>
#include <utility>

namespace phalanx::testing {

using ir::Builder;
using ir::FunctionKind;
using ir::Op;
using ir::Type;
using Value = Builder::Value;

namespace {

constexpr std::int64_t most_rounds = 5;
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
  if (options_.has_floats && chance(40))
    return pick(float_types);
  return pick(integer_types);
}

Value Generator::fresh_constant(DType dtype) {
  if (is_boolean(dtype))
    return builder_->boolean(chance(50));
  if (is_floating(dtype)) {
    constexpr std::array numbers = {0.0, -0.0, 1.0, -1.5, 3.25, 1e10, 0.1, -7.0};
    return builder_->constant(dtype, pick(numbers));
  }
  constexpr std::array<std::int64_t, 9> numbers = {0, 1, 2, 3, -1, 7, 100, -128, 31};
  return builder_->constant(dtype, pick(numbers));
}

Value Generator::remember(Value value) {
  known_[value->type.dtype()].push_back(value);
  return value;
}

Value Generator::known(DType dtype) {
  const auto& values = known_[dtype];
  if (values.empty() || chance(15))
    return fresh_constant(dtype);
  // Late ones more often, so that long chains come about.
  const std::size_t a = below(values.size());
  return values[std::max(a, below(values.size()))];
}

Value Generator::truth() {
  if (!known_[DType::boolean].empty() && chance(20))
    return known(DType::boolean);
  const DType dtype = scalar_type();
  Value result = builder_->elementwise(pick(comparisons), {known(dtype), known(dtype)});
  if (chance(15))
    result = builder_->elementwise(Op::logical_not, {result});
  if (chance(20)) {
    const Op op = chance(50) ? Op::bitwise_and : Op::bitwise_or;
    result = builder_->elementwise(op, {result, truth()});
  }
  return remember(result);
}

// In range, or as far below 0 for wrap_index.
Value Generator::index_into(Value extent) {
  Value index = builder_->cast(known(DType::int32), DType::int64);
  index = builder_->elementwise(Op::remainder, {index, extent});
  if (chance(40))
    index = builder_->elementwise(Op::subtract, {index, extent});
  return builder_->wrap_index(index, extent);
}

Value Generator::loaded(DType dtype) {
  const Value array = inputs_.at(is_floating(dtype) ? DType::float64 : DType::int64);
  const Value value = builder_->array_load(array, {index_into(builder_->array_shape(array, 0))});
  return builder_->cast(value, dtype);
}

Value Generator::expression(DType dtype) {
  const auto other = [&] { return known(dtype); };
  if (is_kernel_ && chance(15))
    return remember(loaded(dtype));
  if (chance(10))
    return remember(builder_->elementwise(Op::select, {truth(), other(), other()}));
  if (is_floating(dtype)) {
    if (chance(15))
      return remember(builder_->cast(known(DType::int32), dtype));
    if (chance(25))
      return remember(builder_->elementwise(pick(float_unary_ops), {other()}));
    return remember(builder_->elementwise(pick(float_ops), {other(), other()}));
  }
  if (chance(15))
    return remember(builder_->cast(known(pick(integer_types)), dtype));
  if (chance(10))
    return remember(builder_->cast(truth(), dtype));
  return remember(builder_->elementwise(pick(integer_ops), {other(), other()}));
}

void Generator::set_variable() {
  const ir::VariableId variable = pick(variables_);
  const DType dtype = builder_->function().variables[variable].type.dtype();
  if (chance(50))
    remember(builder_->get(variable));
  builder_->set(variable, chance(60) ? expression(dtype) : known(dtype));
  if (chance(30))
    remember(builder_->get(variable));
}

void Generator::inside(ir::Region& region, unsigned depth, unsigned count) {
  const Known before = known_;
  const auto scope = builder_->enter(region);
  statements(count, depth);
  known_ = before;
}

void Generator::branch(unsigned depth) {
  const bool was_uniform = std::exchange(is_uniform_, false);
  const Value condition = truth();
  const Value mask = std::exchange(mask_, nullptr);
  Value others = nullptr;
  if (mask != nullptr && chance(70)) {
    mask_ = builder_->vote("ballot", mask, condition);
    const Value rest = builder_->elementwise(Op::invert, {mask_});
    others = builder_->elementwise(Op::bitwise_and, {mask, rest});
  }
  const std::size_t jumps = begin_jumps();
  const auto branches = builder_->if_(condition);
  inside(branches.then, depth + 1, 1 + static_cast<unsigned>(below(4)));
  mask_ = others;
  if (chance(60))
    inside(branches.otherwise, depth + 1, 1 + static_cast<unsigned>(below(4)));
  mask_ = end_jumps(jumps, nowhere) ? nullptr : mask;
  is_uniform_ = was_uniform;
}

// Whether threads went farther than the `inside`th loop or block.
bool Generator::end_jumps(std::size_t before, std::size_t inside) {
  const bool has_left = farthest_ != nowhere && (inside == nowhere || farthest_ < inside);
  farthest_ = std::min(before, has_left ? farthest_ : nowhere);
  return has_left;
}

// Runs a few rounds, counted by a variable that nothing else sets.
void Generator::loop(unsigned depth) {
  const std::int64_t rounds = 1 + static_cast<std::int64_t>(below(most_rounds));
  const DType dtype = chance(50) ? DType::int32 : DType::int64;
  const bool is_down = chance(30);
  const ir::VariableId counter = builder_->variable("i", dtype);
  builder_->set(counter, builder_->integer(is_down ? rounds - 1 : 0, dtype));
  const Known before = known_;
  // With a jump in the body, threads may part; a barrier in it would not be met by all.
  const bool was_uniform = is_uniform_;
  is_uniform_ = is_uniform_ && chance(40);
  const bool could_leave = std::exchange(may_leave_, may_leave_ || !is_uniform_);
  const Value mask = mask_;
  if (may_leave_)
    mask_ = nullptr;  // each round may have fewer threads
  const std::size_t jumps = begin_jumps();
  const auto regions = builder_->loop();
  {
    const auto scope = builder_->enter(regions.body);
    const Value position = remember(builder_->get(counter));
    const Value bound = builder_->integer(is_down ? -1 : rounds, dtype);
    const auto branches = builder_->if_(
        is_down ? builder_->elementwise(Op::less, {bound, position})
                : builder_->elementwise(Op::less, {position, bound}));
    {
      const auto leaving = builder_->enter(branches.otherwise);
      builder_->break_();
    }
    enclosing_.push_back({.is_loop = true, .may_leave = may_leave_});
    statements(2 + static_cast<unsigned>(below(5)), depth + 1);
    enclosing_.pop_back();
  }
  {
    const auto scope = builder_->enter(regions.step);
    const Value step = builder_->integer(is_down ? -1 : 1, dtype);
    builder_->set(counter, builder_->elementwise(Op::add, {builder_->get(counter), step}));
  }
  known_ = before;
  mask_ = end_jumps(jumps, enclosing_.size()) ? nullptr : mask;
  may_leave_ = could_leave;
  is_uniform_ = was_uniform;
}

void Generator::block(unsigned depth) {
  const bool was_uniform = std::exchange(is_uniform_, false);
  const bool could_leave = std::exchange(may_leave_, true);
  const Value mask = mask_;
  const std::size_t jumps = begin_jumps();
  enclosing_.push_back({.is_loop = false, .may_leave = true});
  inside(builder_->block(), depth + 1, 2 + static_cast<unsigned>(below(4)));
  enclosing_.pop_back();
  mask_ = end_jumps(jumps, enclosing_.size()) ? nullptr : mask;
  may_leave_ = could_leave;
  is_uniform_ = was_uniform;
}

// Out of a loop or block that no barrier needs.
void Generator::jump() {
  std::size_t leavable = 0;
  while (leavable < enclosing_.size() && enclosing_[enclosing_.size() - 1 - leavable].may_leave)
    ++leavable;
  if (leavable == 0)
    return;
  const std::size_t levels = below(leavable);
  const std::size_t target = enclosing_.size() - 1 - levels;
  farthest_ = std::min(farthest_, target);
  const bool is_loop = enclosing_[target].is_loop;
  if (is_loop && chance(50))
    builder_->continue_(static_cast<std::int64_t>(levels));
  else
    builder_->break_(static_cast<std::int64_t>(levels));
}

// To a wider type, or as a truth where a float might be out of range.
Value Generator::converted(Value value, DType dtype) {
  if (is_floating(value->type.dtype()) && !is_floating(dtype))
    value = builder_->elementwise(Op::less, {value, known(value->type.dtype())});
  return builder_->cast(value, dtype);
}

void Generator::output() {
  const DType dtype = pick(std::array{DType::int64, DType::float64, DType::float32});
  const auto place = static_cast<std::int64_t>(below(places_per_thread));
  const Value array = outputs_.at(dtype);
  const Value index = builder_->elementwise(Op::add, {position_, builder_->integer(place)});
  // Several values at once, so that little of what was computed is lost.
  Value value = converted(known(scalar_type()), dtype);
  for (std::size_t i = below(3); i > 0; --i)
    value = builder_->elementwise(Op::add, {value, converted(known(scalar_type()), dtype)});
  if (chance(50))
    value = builder_->elementwise(Op::subtract, {builder_->array_load(array, {index}), value});
  builder_->array_store(array, {index}, value);
}

// Through shared memory: each thread writes its own place and reads another's.
void Generator::exchange() {
  const DType dtype = pick(std::array{DType::int64, DType::float64});
  Value& array = shared_[dtype];
  if (array == nullptr)
    return;
  builder_->barrier();
  builder_->array_store(array, {thread_}, known(dtype));
  builder_->barrier();
  const Value offset = builder_->cast(known(DType::uint16), DType::int64);
  const Value other = builder_->elementwise(
      Op::remainder, {builder_->elementwise(Op::add, {thread_, offset}), threads_in_block_});
  remember(builder_->array_load(array, {other}));
}

void Generator::call() {
  if (callees_.empty())
    return;
  ir::Function& callee = *pick(callees_);
  Builder::Values arguments;
  for (const auto& parameter : callee.parameters)
    arguments.push_back(known(parameter->type.dtype()));
  remember(builder_->call(callee, std::move(arguments)));
}

void Generator::statement(unsigned depth) {
  const std::size_t choice = below(100);
  const bool is_deep = depth >= options_.deepest;
  if (mask_ != nullptr && chance(20))
    return is_deep || chance(75) ? warp_operation() : warp_loop(depth);
  if (is_kernel_ && options_.has_atomics && chance(8)) {
    const bool may_wait = is_uniform_ && options_.has_barriers;
    return may_wait && chance(40) ? shared_atomic() : atomic();
  }
  if (choice < 30)
    expression(scalar_type());
  else if (choice < 50)
    set_variable();
  else if (choice < 62 && !is_deep)
    branch(depth);
  else if (choice < 69 && !is_deep)
    loop(depth);
  else if (choice < 74 && !is_deep)
    block(depth);
  else if (choice < 80)
    call();
  else if (choice < 86 && is_kernel_ && is_uniform_ && options_.has_barriers)
    exchange();
  else if (is_kernel_)
    output();
  else
    set_variable();
}

void Generator::statements(unsigned count, unsigned depth) {
  for (unsigned i = 0; i < count && budget_ > 0 && !builder_->is_ended(); ++i) {
    --budget_;
    statement(depth);
  }
  if (builder_->is_ended())
    return;
  if (!is_uniform_ && may_leave_ && !enclosing_.empty() && chance(25)) {
    jump();
  } else if (!is_uniform_ && depth > 0 && may_return() && chance(8)) {
    if (is_kernel_)
      builder_->return_();
    else
      builder_->return_(known(builder_->function().result.dtype()));
  }
}

// A few values of each type that are not known before the kernel runs.
void Generator::seed_values() {
  const auto seed = [&](DType dtype) {
    for (int i = 0; i < 2; ++i)
      remember(
          is_kernel_ && chance(60) ? loaded(dtype) : builder_->cast(known(DType::int32), dtype));
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
  enclosing_.clear();
  farthest_ = nowhere;
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
  inputs_ = {{DType::int64, builder.parameter(0)}, {DType::float64, builder.parameter(1)}};
  outputs_ = {
      {DType::int64, builder.parameter(2)},
      {DType::float64, builder.parameter(3)},
      {DType::float32, builder.parameter(4)}};
  const auto wide = [&](Op op) { return builder.cast(builder.thread_query(op, 0), DType::int64); };
  thread_ = wide(Op::thread_index);
  threads_in_block_ = wide(Op::block_extent);
  const Value first = builder.elementwise(Op::multiply, {wide(Op::block_index), threads_in_block_});
  const Value thread = builder.elementwise(Op::add, {first, thread_});
  position_ = builder.elementwise(
      Op::multiply, {thread, builder.integer(static_cast<std::int64_t>(places_per_thread))});
  if (options_.has_barriers) {
    const auto extent = static_cast<std::int64_t>(threads);
    shared_ = {
        {DType::int64, builder.shared_array(DType::int64, {extent})},
        {DType::float64, builder.shared_array(DType::float64, {extent})}};
    counters_ = {
        {DType::int64, builder.shared_array(DType::int64, {1})},
        {DType::uint32, builder.shared_array(DType::uint32, {1})}};
  }
  remember_first_ = {thread, builder.thread_query(Op::thread_index, 0)};
  begin(kernel);
  if (options_.has_warp_operations)
    find_mask();
  while (budget_ > 0 && !builder.is_ended()) statements(budget_, 0);
  for (int i = 0; i < 8 && !builder.is_ended(); ++i) {
    remember(builder.get(pick(variables_)));
    output();
  }
}

void Generator::make(std::size_t threads) {
  const std::size_t functions = options_.has_calls ? below(3) : 0;
  for (std::size_t i = 0; i < functions; ++i) make_device_function();
  make_kernel(threads);
}

}  // namespace phalanx::testing
