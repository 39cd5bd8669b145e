// Check mode: instrumentation of memory accesses (LLVM's ThreadSanitizer and MemorySanitizer), for
// races and reads of what no thread wrote; local arrays get flags for the elements that were
// written.
#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "phalanx/passes/access_names.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;
using ir::Space;
using ir::Type;

namespace {

bool is_access(Op op) {
  switch (op) {
    case Op::array_load:
    case Op::array_store:
    case Op::load:
    case Op::store:
    case Op::hinted_load:
    case Op::hinted_store:
    case Op::atomic:
    case Op::atomic_cas:
      return true;
    default:
      return false;
  }
}

bool is_element(Op op) { return op == Op::array_element || op == Op::checked_element; }

// Appends operations to a region, at the location of another one.
class Appender {
 public:
  Appender(Region& into, const Operation& at) : into_(&into), at_(&at) {}

  Operation* add(Op op, Type type, Values operands) const {
    auto made = std::make_unique<Operation>();
    made->op = op;
    made->type = std::move(type);
    made->operands = std::move(operands);
    made->location = at_->location;
    into_->push_back(std::move(made));
    return into_->back().get();
  }
  Operation* integer(std::int64_t value, DType dtype = DType::int64) const {
    Operation* constant = add(Op::constant, dtype, {});
    constant->constant = value;
    return constant;
  }

 private:
  Region* into_;
  const Operation* at_;
};

// Which elements of a thread's array were written: one byte each, and one more, always set, for
// indices outside.
struct Flags {
  Operation* array = nullptr;
  std::int64_t elements = 0;
};

class Instrumenter {
 public:
  Instrumenter(Function& function, Checks checks) : function_(function), checks_(checks) {}

  void run() {
    if (checks_.has(Check::uninitialized))
      find_flagged();
    walk(function_.body);
  }

 private:
  void find_flagged();
  void walk(Region& region);
  void visit(Operation& operation, Region& before);
  void after(Operation& operation, Region& region);
  void use_pointer(Operation& access, Region& before);
  void track(Check check, const Operation& access, Region& before);
  void check_flag(const Operation& access, Region& before);
  void make_flags(const Operation& array, Region& region);
  Operation* flat_index(const Operation& array, const Values& indices, const Appender& appender);

  Function& function_;
  Checks checks_;
  std::unordered_map<const Operation*, Flags> flags_;  // of local arrays
};

// Local arrays whose elements are read and written one by one: of others, not all writes are seen.
void Instrumenter::find_flagged() {
  ir::for_each(function_.body, [&](Operation& operation) {
    if (operation.op == Op::local_array && operation.type.element().is_scalar() &&
        !operation.shape.empty())
      flags_[&operation] = {};
  });
  ir::for_each(function_.body, [&](Operation& operation) {
    for (std::size_t i = 0; i < operation.operands.size(); ++i) {
      const Operation* operand = operation.operands[i];
      const bool is_known = (i == 0 && is_access(operation.op)) || operation.op == Op::array_shape;
      if (is_element(operand->op)) {
        if (!is_known)
          flags_.erase(operand->operands[0]);
      } else if (!is_known && !(i == 0 && is_element(operation.op))) {
        flags_.erase(operand);
      }
    }
  });
}

// The flags begin as zeros wherever the array begins.
void Instrumenter::make_flags(const Operation& array, Region& region) {
  Flags& flags = flags_.at(&array);
  flags.elements = 1;
  for (const std::int64_t extent : array.shape) flags.elements *= extent;
  const Appender appender(region, array);
  flags.array = appender.add(
      Op::local_array, Type::array(DType::uint8, 1, ir::Layout::c, Space::local, true), {});
  flags.array->shape = {flags.elements + 1};
  const auto counter = static_cast<ir::VariableId>(function_.variables.size());
  function_.variables.push_back({"", DType::int64});
  appender.add(Op::set, {}, {appender.integer(0)})->variable = counter;
  Operation* loop = appender.add(Op::loop, {}, {});
  loop->regions.resize(2);
  const Appender body(loop->regions[0], array);
  Operation* position = body.add(Op::get, DType::int64, {});
  position->variable = counter;
  Operation* is_over =
      body.add(Op::greater_equal, DType::boolean, {position, body.integer(flags.elements)});
  Operation* leave = body.add(Op::if_, {}, {is_over});
  leave->regions.resize(2);
  Appender(leave->regions[0], array).add(Op::break_, {}, {});
  body.add(Op::array_store, {}, {flags.array, position, body.integer(0, DType::uint8)});
  const Appender step(loop->regions[1], array);
  Operation* now = step.add(Op::get, DType::int64, {});
  now->variable = counter;
  step.add(Op::set, {}, {step.add(Op::add, DType::int64, {now, step.integer(1)})})->variable =
      counter;
  appender.add(
      Op::array_store,
      {},
      {flags.array, appender.integer(flags.elements), appender.integer(1, DType::uint8)});
}

Operation* Instrumenter::flat_index(
    const Operation& array, const Values& indices, const Appender& appender) {
  Operation* flat = indices[0];
  Operation* is_inside = nullptr;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    if (d != 0) {
      flat = appender.add(Op::multiply, DType::int64, {flat, appender.integer(array.shape[d])});
      flat = appender.add(Op::add, DType::int64, {flat, indices[d]});
    }
    Operation* index = appender.add(Op::bitcast, DType::uint64, {indices[d]});
    Operation* extent = appender.integer(array.shape[d], DType::uint64);
    Operation* one = appender.add(Op::less, DType::boolean, {index, extent});
    is_inside = d == 0 ? one : appender.add(Op::bitwise_and, DType::boolean, {is_inside, one});
  }
  Operation* outside = appender.integer(flags_.at(&array).elements);
  return appender.add(Op::select, DType::int64, {is_inside, flat, outside});
}

void Instrumenter::check_flag(const Operation& access, Region& before) {
  const bool is_direct = access.op == Op::array_load || access.op == Op::array_store;
  const Operation& element = is_direct ? access : *access.operands[0];
  const Operation& array = *element.operands[0];
  const Appender appender(before, access);
  const Values indices = indices_of(element);
  Operation* flat = flat_index(array, indices, appender);
  Operation* flags = flags_.at(&array).array;
  const Verb verb = verb_of(access.op);
  if (verb != Verb::write) {
    Operation* flag = appender.add(Op::array_load, DType::uint8, {flags, flat});
    Operation* zero = appender.integer(0, DType::uint8);
    Values operands = {appender.add(Op::equal, DType::boolean, {flag, zero})};
    operands.insert(operands.end(), indices.begin(), indices.end());
    for (const std::int64_t extent : array.shape) operands.push_back(appender.integer(extent));
    appender.add(Op::report_if, {}, std::move(operands))->detail = Report{
        .check = Check::uninitialized, .verb = verb, .subject = array_name(array, function_)};
  }
  if (verb != Verb::read)
    appender.add(Op::array_store, {}, {flags, flat, appender.integer(1, DType::uint8)});
}

// An access by array and indices becomes one through a pointer.
void Instrumenter::use_pointer(Operation& access, Region& before) {
  if (access.op != Op::array_load && access.op != Op::array_store)
    return;
  const Type& array = access.operands[0]->type;
  Values operands = indices_of(access);
  operands.insert(operands.begin(), access.operands[0]);
  Operation* pointer = Appender(before, access)
                           .add(
                               Op::array_element,
                               Type::pointer(array.element(), array.space()),
                               std::move(operands));
  const bool is_load = access.op == Op::array_load;
  access.operands = is_load ? Values{pointer} : Values{pointer, access.operands.back()};
  access.op = is_load ? Op::load : Op::store;
}

void Instrumenter::track(Check check, const Operation& access, Region& before) {
  Operation* pointer = access.operands[0];
  Values operands = {pointer};
  if (verb_of(access.op) == Verb::write)
    operands.push_back(access.operands.back());
  std::string name = array_name(*pointer, function_);
  if (const Operation* element = element_of(pointer)) {
    const Values indices = indices_of(*element);
    operands.insert(operands.end(), indices.begin(), indices.end());
    name = array_name(*element->operands[0], function_);
  }
  Appender(before, access).add(Op::track_access, {}, std::move(operands))->detail =
      Report{.check = check, .verb = verb_of(access.op), .subject = name};
}

void Instrumenter::visit(Operation& operation, Region& before) {
  if (!is_access(operation.op))
    return;
  const Operation& from = *operation.operands[0];
  const Operation* array = is_element(from.op) ? from.operands[0] : &from;
  if (const auto flagged = flags_.find(array); flagged != flags_.end()) {
    if (flagged->second.array != nullptr)
      check_flag(operation, before);
    return;
  }
  const Space space = from.type.space();
  const bool is_shared = space == Space::shared;
  if (!is_shared && space != Space::global && space != Space::generic)
    return;
  const bool looks_at_races = checks_.has(Check::races);
  const bool looks_at_content = checks_.has(Check::uninitialized) && is_shared;
  if (!looks_at_races && !looks_at_content)
    return;
  use_pointer(operation, before);
  // Race detection records the writing thread, too.
  if (looks_at_content && (!looks_at_races || verb_of(operation.op) != Verb::write))
    track(Check::uninitialized, operation, before);
  if (looks_at_races)
    track(Check::races, operation, before);
}

void Instrumenter::after(Operation& operation, Region& region) {
  if (operation.op == Op::local_array && flags_.contains(&operation))
    make_flags(operation, region);
}

void Instrumenter::walk(Region& region) {
  Region result;
  result.reserve(region.size());
  for (auto& operation : region) {
    visit(*operation, result);
    for (Region& nested : operation->regions) walk(nested);
    result.push_back(std::move(operation));
    after(*result.back(), result);
  }
  region = std::move(result);
}

}  // namespace

void instrument_accesses(ir::Module& module, Checks checks) {
  if (!checks.has(Check::races) && !checks.has(Check::uninitialized))
    return;
  for_each_function(module, [&](Function& function) { Instrumenter(function, checks).run(); });
}

}  // namespace phalanx::passes
