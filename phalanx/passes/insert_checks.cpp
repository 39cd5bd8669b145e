// Check mode: instrumentation (as of LLVM's sanitizers) that reports faults before each access,
// division and barrier. What value ranges prove to be in bounds gets no check.
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/builder.h"
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
  Inserter(Function& function, Checks checks)
      : RangeWalk(function), checks_(checks), builder_(function) {
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

  Operation* is_finite(Operation* number);
  void report_if(Operation* condition, Report report, const Values& values);

  Checks checks_;
  ir::Builder builder_;
  std::map<std::pair<const Operation*, std::int64_t>, Values> extents_;  // array_shape operations
  std::unordered_map<const Operation*, Op> uses_;  // of each array_element, the first but views
};

void Inserter::note(Operation& operation) {
  if (operation.op == Op::array_shape)
    extents_[{operation.operands[0], operation.index}].push_back(&operation);
  if (operation.op == Op::pointer_field || operation.op == Op::array_make ||
      is_same_address(operation))
    return;
  for (const Operation* operand : operation.operands) {
    if (const Operation* element = operand->type.is_pointer() ? element_of(operand) : nullptr)
      uses_.try_emplace(element, operation.op);
  }
}

void Inserter::report_if(Operation* condition, Report report, const Values& values) {
  Values operands = values;
  operands.insert(operands.begin(), condition);
  builder_.append(Op::report_if, {}, std::move(operands)).detail = std::move(report);
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
    Operation* zero = builder_.integer(0);
    report_if(
        builder_.elementwise(Op::less, {written, zero}),
        {.check = Check::wraps, .subject = array_name(*access.operands[0], function())},
        {written, index->operands[1]});
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
  Operation* pointer = &builder_.append(
      Op::checked_element,
      Type::pointer(array.type.element(), array.type.space()),
      std::move(operands));
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
  const auto natural = [&](Operation* number) { return builder_.bitcast(number, DType::uint64); };
  Values values = indices;
  Operation* bad = nullptr;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    Operation* extent = builder_.array_shape(&array, d);
    values.push_back(extent);
    Operation* is_outside =
        builder_.elementwise(Op::greater_equal, {natural(indices[d]), natural(extent)});
    bad = bad == nullptr ? is_outside : builder_.elementwise(Op::bitwise_or, {bad, is_outside});
  }
  if (bad == nullptr || view.type.ndim() == 0)
    return;
  Operation* zero = builder_.integer(0);
  for (unsigned d = 0; d < view.type.ndim(); ++d) {
    Operation* is_filled = builder_.elementwise(Op::not_equal, {view.operands[1 + d], zero});
    bad = builder_.elementwise(Op::bitwise_and, {bad, is_filled});
  }
  report_if(
      bad,
      {.check = Check::bounds, .verb = Verb::view, .subject = array_name(array, function())},
      values);
  for (unsigned d = 0; d < view.type.ndim(); ++d)
    view.operands[1 + d] = builder_.elementwise(Op::select, {bad, zero, view.operands[1 + d]});
}

void Inserter::check_division(const Operation& operation) {
  Operation* divisor = operation.operands[1];
  if (!is_integer(divisor->type.dtype()) || divisor->op == Op::constant)
    return;
  const Interval range = ranges().of(divisor);
  if (range.low > 0 || range.high < 0)
    return;
  Operation* zero = builder_.integer(0, divisor->type.dtype());
  report_if(
      builder_.elementwise(Op::equal, {divisor, zero}),
      {.check = Check::division, .subject = operation.op == Op::remainder ? "%" : "//"},
      {});
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
  Operation* lane = ir::lane_index(builder_);
  Operation* shifted = builder_.elementwise(Op::right_shift, {mask, lane});
  Operation* one = builder_.integer(1, DType::int32);
  Operation* bit = builder_.elementwise(Op::bitwise_and, {shifted, one});
  Operation* zero = builder_.integer(0, DType::int32);
  const auto wide = [&](Operation* number) {
    return &builder_.append(Op::cast, DType::int64, {number});
  };
  Operation* is_missing = builder_.elementwise(Op::equal, {bit, zero});
  report_if(
      is_missing,
      {.check = Check::masks, .subject = std::string(ir::name_of(operation.op))},
      {wide(mask), wide(lane)});
  Operation* alone = builder_.elementwise(Op::left_shift, {one, lane});
  operation.operands[0] = builder_.elementwise(Op::select, {is_missing, alone, mask});
}

// Looks at the bits: with fastmath, the code may take for granted that there are none such.
Operation* Inserter::is_finite(Operation* number) {
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
  Operation* mask = builder_.integer(exponent, bits);
  Operation* raw = builder_.bitcast(number, bits);
  Operation* part = builder_.elementwise(Op::bitwise_and, {raw, mask});
  return builder_.elementwise(Op::not_equal, {part, mask});
}

// Only where it is born: an operand that is no number already was reported where it came from.
void Inserter::check_number(Operation& operation) {
  Operation* bad = builder_.elementwise(Op::logical_not, {is_finite(&operation)});
  for (Operation* operand : operation.operands) {
    if (is_float(operand->type) && operand->op != Op::constant)
      bad = builder_.elementwise(Op::bitwise_and, {bad, is_finite(operand)});
  }
  report_if(bad, {.check = Check::nan, .subject = std::string(ir::name_of(operation.op))}, {});
}

void Inserter::visit(Operation& operation, Region& before) {
  const auto scope = builder_.enter(before);
  builder_.at(operation.location);
  switch (operation.op) {
    case Op::array_load:
    case Op::array_store:
    case Op::array_element:
      return check_access(operation);
    case Op::array_make:
      return check_view(operation);
    case Op::floor_divide:
    case Op::remainder:
    case Op::trunc_divide:
    case Op::trunc_remainder:
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
  const auto scope = builder_.enter(after);
  builder_.at(operation.location);
  check_number(operation);
}

}  // namespace

void insert_checks(ir::Module& module, Checks checks) {
  for_each_function(module, [&](Function& function) { Inserter(function, checks).run(); });
}

}  // namespace phalanx::passes
