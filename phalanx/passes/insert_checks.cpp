// Check mode: instrumentation (as of LLVM's sanitizers) that reports faults before each access,
// division and barrier. What value ranges prove to be in bounds gets no check.
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "phalanx/ir/warp_operations.h"
#include "phalanx/passes/access_names.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/range_walk.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;
using ir::Type;

namespace {

bool is_float(const Type& type) {
  return type.is_scalar() && kind_of(type.dtype()) == DTypeKind::floating;
}

class Inserter final : public RangeWalk {
 public:
  Inserter(Function& function, Checks checks) : RangeWalk(function), checks_(checks) {
    ir::for_each(function.body, [&](Operation& operation) { note(operation); });
  }

 protected:
  void visit(Operation& operation, Region& before) override;
  void leave(Operation& operation, Region& after) override;

 private:
  void note(Operation& operation);
  void check_access(Operation& operation);
  void check_wraps(const Operation& access);
  void check_view(Operation& view);
  void check_division(const Operation& operation);
  void check_number(Operation& operation);
  void check_mask(Operation& operation);
  bool is_proven(const Operation& access);
  bool is_below_extent(const Operation* index, const Operation& array, std::size_t dimension);

  // New operations go to `into_`, at the location of `at`.
  Operation* add(Op op, Type type, Values operands, const Operation& at);
  Operation* integer(std::int64_t value, const Type& type, const Operation& at);
  Operation* is_finite(Operation* number, const Operation& at);
  void report_if(Operation* condition, Report report, const Values& values, const Operation& at);

  Checks checks_;
  Region* into_ = nullptr;
  std::map<std::pair<const Operation*, std::int64_t>, Values> extents_;  // array_shape operations
  std::unordered_map<const Operation*, Op> uses_;  // of each array_element, the first but views
};

void Inserter::note(Operation& operation) {
  if (operation.op == Op::array_shape)
    extents_[{operation.operands[0], operation.index}].push_back(&operation);
  if (operation.op == Op::pointer_field || operation.op == Op::array_make)
    return;
  for (const Operation* operand : operation.operands) {
    if (const Operation* element = operand->type.is_pointer() ? element_of(operand) : nullptr)
      uses_.try_emplace(element, operation.op);
  }
}

Operation* Inserter::add(Op op, Type type, Values operands, const Operation& at) {
  auto made = std::make_unique<Operation>();
  made->op = op;
  made->type = std::move(type);
  made->operands = std::move(operands);
  made->location = at.location;
  into_->push_back(std::move(made));
  return into_->back().get();
}

Operation* Inserter::integer(std::int64_t value, const Type& type, const Operation& at) {
  Operation* constant = add(Op::constant, type, {}, at);
  constant->constant = value;
  return constant;
}

void Inserter::report_if(
    Operation* condition, Report report, const Values& values, const Operation& at) {
  Values operands = values;
  operands.insert(operands.begin(), condition);
  add(Op::report_if, {}, std::move(operands), at)->detail = std::move(report);
}

bool Inserter::is_below_extent(
    const Operation* index, const Operation& array, std::size_t dimension) {
  if (!array.shape.empty())
    return ranges().of(index).high < array.shape.at(dimension);
  if (array.op == Op::array_make && ranges().is_below(index, array.operands[1 + dimension]))
    return true;
  const auto known = extents_.find({&array, static_cast<std::int64_t>(dimension)});
  return known != extents_.end() &&
         std::any_of(known->second.begin(), known->second.end(), [&](const Operation* extent) {
           return ranges().is_below(index, extent);
         });
}

bool Inserter::is_proven(const Operation& access) {
  const Values indices = indices_of(access);
  for (std::size_t d = 0; d < indices.size(); ++d) {
    if (!ranges().of(indices[d]).is_natural() ||
        !is_below_extent(indices[d], *access.operands[0], d))
      return false;
  }
  return true;
}

void Inserter::check_wraps(const Operation& access) {
  for (const Operation* index : indices_of(access)) {
    if (index->op != Op::wrap_index)
      continue;
    Operation* written = index->operands[0];
    Operation* zero = integer(0, DType::int64, access);
    report_if(
        add(Op::less, DType::boolean, {written, zero}, access),
        {.check = Check::wraps, .subject = array_name(*access.operands[0], function())},
        {written, index->operands[1]},
        access);
  }
}

// A load or store becomes one through a pointer, so that it can be led to the sink buffer.
void Inserter::check_access(Operation& operation) {
  if (checks_.has(Check::wraps))
    check_wraps(operation);
  const Operation& array = *operation.operands[0];
  const bool is_checked = checks_.has(Check::bounds) && !is_proven(operation);
  const std::string name = array_name(array, function());
  if (operation.op == Op::array_element) {
    const auto use = uses_.find(&operation);
    if (!is_checked || use == uses_.end())
      return;
    operation.detail =
        Report{.check = Check::bounds, .verb = verb_of(use->second), .subject = name};
    operation.op = Op::checked_element;
    return;
  }
  if (!is_checked)
    return;
  Values operands = indices_of(operation);
  operands.insert(operands.begin(), operation.operands[0]);
  Operation* pointer =
      add(Op::checked_element,
          Type::pointer(array.type.element(), array.type.space()),
          std::move(operands),
          operation);
  pointer->detail = Report{.check = Check::bounds, .verb = verb_of(operation.op), .subject = name};
  const bool is_load = operation.op == Op::array_load;
  operation.operands = is_load ? Values{pointer} : Values{pointer, operation.operands.back()};
  operation.op = is_load ? Op::load : Op::store;
}

// A view that begins outside of its array becomes an empty one, unless it is empty already, as that
// of a slice after the end is.
void Inserter::check_view(Operation& view) {
  const Operation* element = element_of(view.operands[0]);
  if (!checks_.has(Check::bounds) || element == nullptr || is_proven(*element))
    return;
  Operation& array = *element->operands[0];
  const Values indices = indices_of(*element);
  const auto natural = [&](Operation* number) {
    return add(Op::bitcast, DType::uint64, {number}, view);
  };
  Values values = indices;
  Operation* bad = nullptr;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    Operation* extent = add(Op::array_shape, DType::int64, {&array}, view);
    extent->index = static_cast<std::int64_t>(d);
    values.push_back(extent);
    Operation* is_outside =
        add(Op::greater_equal, DType::boolean, {natural(indices[d]), natural(extent)}, view);
    bad =
        bad == nullptr ? is_outside : add(Op::bitwise_or, DType::boolean, {bad, is_outside}, view);
  }
  if (bad == nullptr || view.type.ndim() == 0)
    return;
  Operation* zero = integer(0, DType::int64, view);
  for (unsigned d = 0; d < view.type.ndim(); ++d) {
    Operation* is_filled = add(Op::not_equal, DType::boolean, {view.operands[1 + d], zero}, view);
    bad = add(Op::bitwise_and, DType::boolean, {bad, is_filled}, view);
  }
  report_if(
      bad,
      {.check = Check::bounds, .verb = Verb::view, .subject = array_name(array, function())},
      values,
      view);
  for (unsigned d = 0; d < view.type.ndim(); ++d)
    view.operands[1 + d] = add(Op::select, DType::int64, {bad, zero, view.operands[1 + d]}, view);
}

void Inserter::check_division(const Operation& operation) {
  Operation* divisor = operation.operands[1];
  if (!is_integer(divisor->type.dtype()) || divisor->op == Op::constant)
    return;
  const Interval range = ranges().of(divisor);
  if (range.low > 0 || range.high < 0)
    return;
  Operation* zero = integer(0, divisor->type, operation);
  report_if(
      add(Op::equal, DType::boolean, {divisor, zero}, operation),
      {.check = Check::division, .subject = operation.op == Op::remainder ? "%" : "//"},
      {},
      operation);
}

bool holds_every_thread(const Operation& mask) {
  const auto* bits = std::get_if<std::int64_t>(&mask.constant);
  const bool is_whole = mask.op == Op::constant && bits != nullptr &&
                        static_cast<std::uint32_t>(*bits) == ~std::uint32_t{0};
  return is_whole || mask.op == Op::active_mask;
}

// A thread whose mask does not hold it asks itself alone: the hardware ends a kernel in which it
// asks others.
void Inserter::check_mask(Operation& operation) {
  Operation* mask = operation.operands[0];
  if (holds_every_thread(*mask))
    return;
  Operation* lane = add(Op::lane_index, DType::int32, {}, operation);
  Operation* shifted = add(Op::right_shift, DType::int32, {mask, lane}, operation);
  Operation* one = integer(1, DType::int32, operation);
  Operation* bit = add(Op::bitwise_and, DType::int32, {shifted, one}, operation);
  Operation* zero = integer(0, DType::int32, operation);
  const auto wide = [&](Operation* number) {
    return add(Op::cast, DType::int64, {number}, operation);
  };
  Operation* is_missing = add(Op::equal, DType::boolean, {bit, zero}, operation);
  report_if(
      is_missing,
      {.check = Check::masks, .subject = std::string(ir::name_of(operation.op))},
      {wide(mask), wide(lane)},
      operation);
  Operation* alone = add(Op::left_shift, DType::int32, {one, lane}, operation);
  operation.operands[0] = add(Op::select, DType::int32, {is_missing, alone, mask}, operation);
}

// Looks at the bits: with fastmath, the code may take for granted that there are none such.
Operation* Inserter::is_finite(Operation* number, const Operation& at) {
  const DType dtype = number->type.dtype();
  const bool is_half = dtype == DType::float16 || dtype == DType::bfloat16;
  const DType bits = is_half                   ? DType::uint16
                     : dtype == DType::float32 ? DType::uint32
                                               : DType::uint64;
  std::int64_t exponent = 0x7ff0000000000000;
  if (dtype == DType::float32)
    exponent = 0x7f800000;
  else if (is_half)
    exponent = dtype == DType::float16 ? 0x7c00 : 0x7f80;
  Operation* mask = integer(exponent, bits, at);
  Operation* raw = add(Op::bitcast, bits, {number}, at);
  Operation* part = add(Op::bitwise_and, bits, {raw, mask}, at);
  return add(Op::not_equal, DType::boolean, {part, mask}, at);
}

// Only where it is born: an operand that is no number already was reported where it came from.
void Inserter::check_number(Operation& operation) {
  Operation* bad =
      add(Op::logical_not, DType::boolean, {is_finite(&operation, operation)}, operation);
  for (Operation* operand : operation.operands) {
    if (is_float(operand->type) && operand->op != Op::constant)
      bad = add(Op::bitwise_and, DType::boolean, {bad, is_finite(operand, operation)}, operation);
  }
  report_if(
      bad, {.check = Check::nan, .subject = std::string(ir::name_of(operation.op))}, {}, operation);
}

void Inserter::visit(Operation& operation, Region& before) {
  into_ = &before;
  switch (operation.op) {
    case Op::array_load:
    case Op::array_store:
    case Op::array_element:
      return check_access(operation);
    case Op::array_make:
      return check_view(operation);
    case Op::floor_divide:
    case Op::remainder:
      if (checks_.has(Check::division))
        check_division(operation);
      return;
    default:
      if (ir::has_mask(operation.op) && checks_.has(Check::masks))
        check_mask(operation);
      return;
  }
}

void Inserter::leave(Operation& operation, Region& after) {
  if (!checks_.has(Check::nan) || !ir::is_elementwise(operation.op) || !is_float(operation.type) ||
      info(operation.op).rule == ir::Rule::select)
    return;
  into_ = &after;
  check_number(operation);
}

}  // namespace

void insert_checks(ir::Module& module, Checks checks) {
  for_each_function(module, [&](Function& function) { Inserter(function, checks).run(); });
}

}  // namespace phalanx::passes
