// Check mode: instrumentation of memory accesses (LLVM's ThreadSanitizer and MemorySanitizer), for
// races and reads of what no thread wrote; local arrays get flags for the elements that were
// written.
#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/builder.h"
#include "phalanx/passes/access_names.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;
using ir::Space;

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
    rewrite_around(
        function_.body,
        [&](Operation& operation, Region& before) { visit(operation, before); },
        [&](Operation& operation, Region& region) { after(operation, region); });
  }

 private:
  void find_flagged();
  void visit(Operation& operation, Region& before);
  void after(Operation& operation, Region& region);
  void use_pointer(Operation& access, Region& before);
  void track(Check check, const Operation& access, Region& before);
  void check_flag(const Operation& access, Region& before);
  void make_flags(const Operation& array, Region& region);
  Operation* flat_index(const Operation& array, const Values& indices, ir::Builder& builder) const;

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
  ir::Builder builder(function_, region);
  builder.at(array.location);
  flags.array = ir::local_array(builder, DType::uint8, {flags.elements + 1});
  append_loop(builder, flags.elements, [&](Operation* position) {
    builder.array_store(flags.array, {position}, builder.integer(0, DType::uint8));
  });
  Operation* outside = builder.integer(flags.elements);
  builder.array_store(flags.array, {outside}, builder.integer(1, DType::uint8));
}

Operation* Instrumenter::flat_index(
    const Operation& array, const Values& indices, ir::Builder& builder) const {
  Operation* flat = indices[0];
  Operation* is_inside = nullptr;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    if (d != 0) {
      flat = builder.elementwise(Op::multiply, {flat, builder.integer(array.shape[d])});
      flat = builder.elementwise(Op::add, {flat, indices[d]});
    }
    Operation* index = builder.bitcast(indices[d], DType::uint64);
    Operation* extent = builder.integer(array.shape[d], DType::uint64);
    Operation* one = builder.elementwise(Op::less, {index, extent});
    is_inside = d == 0 ? one : builder.elementwise(Op::bitwise_and, {is_inside, one});
  }
  Operation* outside = builder.integer(flags_.at(&array).elements);
  return builder.elementwise(Op::select, {is_inside, flat, outside});
}

void Instrumenter::check_flag(const Operation& access, Region& before) {
  const bool is_direct = access.op == Op::array_load || access.op == Op::array_store;
  const Operation& element = is_direct ? access : *access.operands[0];
  const Operation& array = *element.operands[0];
  ir::Builder builder(function_, before);
  builder.at(access.location);
  const Values indices = indices_of(element);
  Operation* flat = flat_index(array, indices, builder);
  Operation* flags = flags_.at(&array).array;
  const Verb verb = verb_of(access.op);
  if (verb != Verb::write) {
    Operation* flag = builder.array_load(flags, {flat});
    Operation* zero = builder.integer(0, DType::uint8);
    Values operands = {builder.elementwise(Op::equal, {flag, zero})};
    operands.insert(operands.end(), indices.begin(), indices.end());
    for (const std::int64_t extent : array.shape) operands.push_back(builder.integer(extent));
    builder.append(Op::report_if, {}, std::move(operands)).detail = Report{
        .check = Check::uninitialized, .verb = verb, .subject = array_name(array, function_)};
  }
  if (verb != Verb::read)
    builder.array_store(flags, {flat}, builder.integer(1, DType::uint8));
}

// An access by array and indices becomes one through a pointer.
void Instrumenter::use_pointer(Operation& access, Region& before) {
  if (access.op != Op::array_load && access.op != Op::array_store)
    return;
  ir::Builder builder(function_, before);
  builder.at(access.location);
  Operation* pointer = builder.array_element(access.operands[0], indices_of(access));
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
  ir::Builder builder(function_, before);
  builder.at(access.location);
  builder.append(Op::track_access, {}, std::move(operands)).detail =
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

}  // namespace

void instrument_accesses(ir::Module& module, Checks checks) {
  if (!checks.has(Check::races) && !checks.has(Check::uninitialized))
    return;
  for_each_function(module, [&](Function& function) { Instrumenter(function, checks).run(); });
}

}  // namespace phalanx::passes
