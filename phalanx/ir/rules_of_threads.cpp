// The rules of what threads do together, and of calls.
#include "phalanx/ir/assembly.h"
#include "phalanx/ir/libdevice.h"
#include "phalanx/ir/rules.h"

namespace phalanx::ir {

namespace {

constexpr unsigned thread_dimensions = 3;

}  // namespace

void Rules::check_atomic() const {
  require(count() >= 1 && type(0).is_pointer(), "the first operand is a pointer");
  const Type& element = type(0).element();
  require(element.is_scalar(), "atomics work on scalars");
  require(type(0).space() != Space::constant, "constant memory is not written to");
  if (operation_.op == Op::atomic_cas) {
    types_are(element, {type(0), element, element});
    return;
  }
  types_are(element, {type(0), element});
}

void Rules::check_thread() const {
  switch (operation_.op) {
    case Op::barrier:
    case Op::cooperative:
    case Op::grid_barrier:
      types_are({}, {});
      break;
    case Op::block_vote:
      types_are(
          has_kind(operation_, BlockVote::count) ? DType::int32 : DType::boolean, {DType::boolean});
      break;
    case Op::sleep:
      types_are({}, {DType::uint32});
      break;
    case Op::fence:
      types_are({}, {});
      break;
    case Op::read_clock:
      types_are(DType::int64, {});
      break;
    case Op::lane_index:
      types_are(DType::int32, {});
      break;
    default:
      types_are(DType::int32, {});
      require(index_below(thread_dimensions), "the dimension is 0, 1 or 2");
      break;
  }
}

// What lanes hand to each other: the hardware moves words of 32 bits.
void Rules::check_shared_value(std::size_t operand) const {
  const Type& shared = type(operand);
  require(
      shared.is_scalar() && (is_integer(shared.dtype()) || is_floating(shared.dtype())) &&
          (bits_of(shared.dtype()) == 32 || bits_of(shared.dtype()) == 64),
      "the value is an integer or float of 32 or 64 bits");
}

void Rules::check_warp() const {
  switch (operation_.op) {
    case Op::vote:
      types_are(
          has_kind(operation_, Vote::ballot) ? DType::int32 : DType::boolean,
          {DType::int32, DType::boolean});
      break;
    case Op::shuffle:
      count_is(3);
      check_shared_value(1);
      types_are(type(1), {DType::int32, type(1), DType::int32});
      break;
    case Op::match:
      count_is(2);
      check_shared_value(1);
      types_are(DType::int32, {DType::int32, type(1)});
      break;
    case Op::active_mask:
      types_are(DType::int32, {});
      break;
    default:  // warp_barrier
      types_are({}, {DType::int32});
      break;
  }
}

// What registers of PTX hold.
void Rules::check_assembly() const {
  const auto is_register = [](const Type& type) {
    return type.is_scalar() && (is_integer(type.dtype()) || is_floating(type.dtype())) &&
           size_of(type.dtype()) >= 2;
  };
  for (std::size_t i = 0; i < count(); ++i)
    require(is_register(type(i)), "the operands are integers and floats of 16 bits or more");
  require(read_assembly(operation_.text).has_value(), "its text begins with constraints");
  if (type().is_none() || is_register(type()))
    return;
  require(type().is_tuple(), "its type is none, a number or a tuple of numbers");
  for (const Field& field : type().fields())
    require(is_register(field.type), "its values are integers and floats of 16 bits or more");
}

void Rules::check_library() const {
  const LibraryFunction* function = find_library_function(operation_.text);
  require(function != nullptr, "libdevice has the function");
  const std::vector<DType> parameters = function->parameters();
  count_is(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i)
    require(
        type(i) == Type(parameters[i]),
        fmt::format("operand {} is of type {}", i, to_string(Type(parameters[i]))));
  require(type() == function->result(), "its type is " + to_string(function->result()));
}

void Rules::check_call() const {
  const Function* callee = operation_.callee;
  const auto is_callee = [&](const auto& function) { return function.get() == callee; };
  require(std::ranges::any_of(module_.functions, is_callee), "the callee is in the module");
  require(
      callee->kind == FunctionKind::device || callee->kind == FunctionKind::external,
      "kernels are not called");
  count_is(callee->parameters.size());
  for (std::size_t i = 0; i < count(); ++i) {
    require(
        type(i) == callee->parameters[i]->type,
        fmt::format("argument {} is of type {}", i, to_string(callee->parameters[i]->type)));
  }
  require(type() == callee->result, "its type is the callee's result");
}

void Rules::check_parallel() const {
  const Function* callee = operation_.callee;
  const auto is_callee = [&](const auto& function) { return function.get() == callee; };
  require(
      std::ranges::any_of(module_.functions, is_callee) &&
          callee->kind == FunctionKind::parallel_body,
      "the callee is a parallel body of the module");
  if (operation_.op == Op::parallel_lanes) {
    types_are(DType::int64, {});
    return;
  }
  count_is(2 + callee->parameters.size());
  for (std::size_t i = 0; i < count(); ++i) {
    const Type expected = i < 2 ? Type(DType::int64) : callee->parameters[i - 2]->type;
    require(type(i) == expected, fmt::format("operand {} is of type {}", i, to_string(expected)));
  }
}

void Rules::check_random() const {
  const Type state = Type::pointer(DType::uint8, Space::global);
  if (operation_.op == Op::random_state)
    types_are(state, {});
  else
    types_are({}, {state});
}

}  // namespace phalanx::ir
