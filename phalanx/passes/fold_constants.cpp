// Constant folding and algebraic simplification (LLVM's InstSimplify): computes what is constant,
// and takes the branch that a constant condition takes.
#include <array>
#include <utility>

#include "phalanx/ir/constants.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Constant;
using ir::Op;
using ir::Operation;
using ir::Region;
using ir::Type;

namespace {

bool is_constant(const Operation* value) { return value->op == Op::constant; }

// An integer or bool constant equal to `number`; never a float, whose zero has a sign.
bool is_whole(const Operation* value, std::int64_t number) {
  if (!is_constant(value))
    return false;
  if (const auto* truth = std::get_if<bool>(&value->constant))
    return (*truth ? 1 : 0) == number;
  const auto* integer = std::get_if<std::int64_t>(&value->constant);
  return integer != nullptr && *integer == number;
}

bool is_natural(const Operation* index) {
  return is_constant(index) && std::get<std::int64_t>(index->constant) >= 0;
}

bool is_float(const Operation* value, double number) {
  return is_constant(value) && ir::is_identical(value->constant, Constant(number));
}

bool is_all_ones(const Operation* value) {
  return is_whole(value, value->type == Type(DType::boolean) ? 1 : -1);
}

std::optional<Constant> folded_elementwise(const Operation& operation) {
  std::array<Constant, 3> operands;
  for (std::size_t i = 0; i < operation.operands.size(); ++i) {
    if (!is_constant(operation.operands[i]))
      return std::nullopt;
    operands.at(i) = operation.operands[i]->constant;
  }
  const std::size_t typed = operation.op == Op::select ? 1 : 0;
  return ir::fold(
      operation.op,
      operation.operands[typed]->type.dtype(),
      std::span(operands).first(operation.operands.size()));
}

std::optional<Constant> folded(const Operation& operation) {
  const auto& operands = operation.operands;
  if (ir::is_elementwise(operation.op))
    return folded_elementwise(operation);
  if (operation.op == Op::cast && is_constant(operands[0])) {
    return ir::cast_constant(
        operands[0]->constant, operands[0]->type.dtype(), operation.type.dtype());
  }
  if (operation.op == Op::array_shape && !operands[0]->shape.empty())
    return operands[0]->shape.at(static_cast<std::size_t>(operation.index));
  if (operation.op == Op::wrap_index && is_constant(operands[0]) && is_constant(operands[1])) {
    const auto index = std::get<std::int64_t>(operands[0]->constant);
    const std::int64_t position =
        index < 0 ? index + std::get<std::int64_t>(operands[1]->constant) : index;
    // One before the first stays as it was written, for check mode to show.
    return position < 0 ? std::nullopt : std::optional<Constant>(position);
  }
  return std::nullopt;
}

// The operand that x op y is equal to; exact for floats too: x + -0.0, x - 0.0, x * 1, x / 1.
Operation* same_as_operand(Op op, Operation* x, Operation* y) {
  switch (op) {
    case Op::add:
      if (is_whole(y, 0) || is_float(y, -0.0))
        return x;
      return is_whole(x, 0) || is_float(x, -0.0) ? y : nullptr;
    case Op::subtract:
      return is_whole(y, 0) || is_float(y, 0.0) ? x : nullptr;
    case Op::multiply:
      if (is_whole(y, 1) || is_float(y, 1.0) || is_whole(x, 0))
        return x;
      return is_whole(x, 1) || is_float(x, 1.0) || is_whole(y, 0) ? y : nullptr;
    case Op::true_divide:
      return is_float(y, 1.0) ? x : nullptr;
    case Op::floor_divide:
      return is_whole(y, 1) ? x : nullptr;
    case Op::bitwise_and:
      if (x == y || is_all_ones(y) || is_whole(x, 0))
        return x;
      return is_all_ones(x) || is_whole(y, 0) ? y : nullptr;
    case Op::bitwise_or:
      if (x == y || is_whole(y, 0) || is_all_ones(x))
        return x;
      return is_whole(x, 0) || is_all_ones(y) ? y : nullptr;
    case Op::bitwise_xor:
      if (is_whole(y, 0))
        return x;
      return is_whole(x, 0) ? y : nullptr;
    case Op::left_shift:
    case Op::right_shift:
      return is_whole(y, 0) ? x : nullptr;
    case Op::minimum:
    case Op::maximum:
      return x == y ? x : nullptr;
    default:
      return nullptr;
  }
}

// A chain of casts through a wider type that loses nothing on the way: i32 -> i64 -> i32.
bool widens(DType from, DType to) {
  if (from == to)
    return true;
  if (is_integer(from) && is_integer(to) && size_of(to) > size_of(from))
    return is_signed(to) || is_unsigned(from);
  return is_floating(from) && is_floating(to) && size_of(to) > size_of(from);
}

Operation* same_as_cast(const Operation& cast) {
  Operation* inner = cast.operands[0];
  if (inner->type == cast.type)
    return inner;
  if (inner->op == Op::cast && inner->operands[0]->type == cast.type &&
      widens(cast.type.dtype(), inner->type.dtype()))
    return inner->operands[0];
  return nullptr;
}

bool stays_there(const Operation& value) {
  return value.op == Op::pointer_offset && value.index == 0 && is_whole(value.operands[1], 0);
}

// A pointer that came back to where it was, and to its type.
Operation* same_as_pointer(const Operation& offset) {
  if (!stays_there(offset))
    return nullptr;
  Operation* from = offset.operands[0];
  while (from->type != offset.type && stays_there(*from)) from = from->operands[0];
  return from->type == offset.type ? from : nullptr;
}

// The value that the operation is equal to.
Operation* same_value(const Operation& operation) {
  const auto& operands = operation.operands;
  if (operation.op == Op::select) {
    if (is_constant(operands[0]))
      return operands[std::get<bool>(operands[0]->constant) ? 1 : 2];
    if (is_whole(operands[1], 1) && is_whole(operands[2], 0) && operation.type == operands[0]->type)
      return operands[0];
    return operands[1] == operands[2] ? operands[1] : nullptr;
  }
  if (ir::is_elementwise(operation.op) && operands.size() == 2)
    return same_as_operand(operation.op, operands[0], operands[1]);
  const auto element = static_cast<std::size_t>(operation.index);
  switch (operation.op) {
    case Op::logical_not:
      return operands[0]->op == Op::logical_not ? operands[0]->operands[0] : nullptr;
    case Op::cast:
      return same_as_cast(operation);
    case Op::pointer_offset:
      return same_as_pointer(operation);
    case Op::bitcast: {
      Operation* inner = operands[0];
      const bool is_back = inner->op == Op::bitcast && inner->operands[0]->type == operation.type;
      return is_back ? inner->operands[0] : nullptr;
    }
    case Op::tuple_get:
      return operands[0]->op == Op::tuple_make ? operands[0]->operands[element] : nullptr;
    case Op::vector_get:
      return operands[0]->op == Op::vector_make ? operands[0]->operands[element] : nullptr;
    case Op::complex_real:
      return operands[0]->op == Op::complex_make ? operands[0]->operands[0] : nullptr;
    case Op::complex_imag:
      return operands[0]->op == Op::complex_make ? operands[0]->operands[1] : nullptr;
    case Op::array_data:
      return operands[0]->op == Op::array_make ? operands[0]->operands[0] : nullptr;
    case Op::array_shape:
      return operands[0]->op == Op::array_make ? operands[0]->operands[1 + element] : nullptr;
    case Op::array_stride:
      if (operands[0]->op == Op::array_make && operands[0]->type.layout() == ir::Layout::any)
        return operands[0]->operands[1 + operands[0]->type.ndim() + element];
      return nullptr;
    case Op::wrap_index:
      return is_natural(operands[0]) ? operands[0] : nullptr;
    default:
      return nullptr;
  }
}

void become(Operation& operation, Op op, std::vector<Operation*> operands) {
  operation.op = op;
  operation.operands = std::move(operands);
}

// A choice between truths is an `and`, an `or` or a `not`.
void simplify_choice(Operation& choice) {
  Operation* condition = choice.operands[0];
  if (condition->op == Op::logical_not) {
    become(choice, Op::select, {condition->operands[0], choice.operands[2], choice.operands[1]});
    condition = choice.operands[0];
  }
  Operation* x = choice.operands[1];
  Operation* y = choice.operands[2];
  if (choice.type != Type(DType::boolean))
    return;
  if (is_whole(x, 0) && is_whole(y, 1))
    become(choice, Op::logical_not, {condition});
  else if (is_whole(y, 0) || y == condition)
    become(choice, Op::bitwise_and, {condition, x});
  else if (is_whole(x, 1) || x == condition)
    become(choice, Op::bitwise_or, {condition, y});
}

// A pointer that moved is of another type: one move, to that type.
void join_moves(Operation& offset) {
  const Operation& inner = *offset.operands[0];
  if (stays_there(offset) && inner.op == Op::pointer_offset && inner.index == 0 &&
      inner.operands[0]->type.space() == inner.type.space() &&
      inner.type.space() == offset.type.space())
    offset.operands = inner.operands;
}

class Folder {
 public:
  explicit Folder(const ir::Module& module) : module_(module) {}
  void run(Region& region);

 private:
  bool fold_extent(Operation& operation) const;
  bool take_branch(Region& region, std::size_t at);

  const ir::Module& module_;
  Replacements replacements_;
};

// Extents of module constants are known.
bool Folder::fold_extent(Operation& operation) const {
  if (operation.op != Op::array_shape || operation.operands[0]->op != Op::constant_array)
    return false;
  const auto& array = module_.constants.at(static_cast<std::size_t>(operation.operands[0]->index));
  become_constant(operation, array.shape.at(static_cast<std::size_t>(operation.index)));
  return true;
}

// True if the `if` at `at` had a constant condition; the branch taken then is in its place.
bool Folder::take_branch(Region& region, std::size_t at) {
  Operation& branch = *region[at];
  if (branch.op != Op::if_ || !is_constant(branch.operands[0]))
    return false;
  const bool is_true = std::get<bool>(branch.operands[0]->constant);
  Region taken = std::move(branch.regions[is_true ? 0 : 1]);
  region.erase(region.begin() + static_cast<std::ptrdiff_t>(at));
  const std::size_t last = at + taken.size();
  const bool is_end = ir::ends_flow(taken);
  splice(region, at, std::move(taken));
  if (is_end)
    truncate_after(region, last - 1);
  return true;
}

void Folder::run(Region& region) {
  for (std::size_t i = 0; i < region.size(); ++i) {
    replacements_.apply(*region[i]);
    while (i < region.size() && take_branch(region, i)) {
      if (i < region.size())
        replacements_.apply(*region[i]);
    }
    if (i == region.size())
      return;
    Operation& operation = *region[i];
    if (operation.op == Op::select)
      simplify_choice(operation);
    if (operation.op == Op::pointer_offset && same_as_pointer(operation) == nullptr)
      join_moves(operation);
    for (Region& nested : operation.regions) run(nested);
    if (ir::ends_flow(operation))
      truncate_after(region, i);
    if (operation.op == Op::constant || fold_extent(operation))
      continue;
    if (const auto value = folded(operation)) {
      become_constant(operation, *value);
    } else if (Operation* same = same_value(operation)) {
      replacements_.replace(&operation, same);
    }
  }
}

}  // namespace

void fold_constants(ir::Module& module) {
  for_each_function(module, [&](ir::Function& function) { Folder(module).run(function.body); });
}

}  // namespace phalanx::passes
