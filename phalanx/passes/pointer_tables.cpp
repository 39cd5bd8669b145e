#include "phalanx/passes/pointer_tables.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <unordered_set>

#include "phalanx/ir/abi.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;

namespace {

constexpr std::int64_t pointer_bytes = 8;  // a slot's number is three bits less

std::int64_t pointers_in(const Operation& table) {
  const auto item = static_cast<std::int64_t>(ir::size_of(table.type.element()));
  const std::int64_t bytes =
      std::accumulate(table.shape.begin(), table.shape.end(), item, std::multiplies());
  return (bytes + pointer_bytes - 1) / pointer_bytes;
}

// Null where the pointer is not made of a local array's by additions.
const Operation* local_array_of(const Operation& pointer) {
  const Operation* at = &pointer;
  while (at->op == Op::pointer_offset || at->op == Op::array_data || at->op == Op::array_element)
    at = at->operands[0];
  return at->op == Op::local_array ? at : nullptr;
}

bool is_access(Op op) {
  return op == Op::load || op == Op::hinted_load || op == Op::store || op == Op::hinted_store;
}

// True if the operation does nothing else with the address at that operand than to add to it, to
// read there, or to write a number or a pointer.
bool keeps_address(const Operation& operation, std::size_t operand) {
  switch (operation.op) {
    case Op::pointer_offset:
    case Op::array_data:
    case Op::array_element:
    case Op::load:
    case Op::hinted_load:
      return operand == 0;
    case Op::store:
    case Op::hinted_store: {
      const ir::Type& type = operation.operands[1]->type;
      return operand == 0 && (type.is_scalar() || type.is_pointer()) &&
             ir::size_of(type) <= static_cast<std::size_t>(pointer_bytes);
    }
    default:
      return false;
  }
}

}  // namespace

std::unordered_map<const Operation*, const Operation*> find_pointer_tables(
    const ir::Function& function) {
  std::unordered_set<const Operation*> tables;
  ir::for_each(function.body, [&](const Operation& operation) {
    if (operation.op == Op::load && operation.type.is_pointer()) {
      if (const Operation* memory = local_array_of(*operation.operands[0]))
        tables.insert(memory);
    }
  });
  std::unordered_map<const Operation*, const Operation*> accesses;
  if (tables.empty())
    return accesses;
  ir::for_each(function.body, [&](const Operation& operation) {
    for (std::size_t i = 0; i < operation.operands.size(); ++i) {
      const Operation* memory = local_array_of(*operation.operands[i]);
      if (memory != nullptr && !keeps_address(operation, i))
        tables.erase(memory);
      if (memory != nullptr && i == 0 && is_access(operation.op))
        accesses[&operation] = memory;
    }
  });
  std::erase_if(accesses, [&](const auto& access) { return !tables.contains(access.second); });
  return accesses;
}

void PointerTables::make(ir::Builder& builder, const Operation& table, const Bounds& unknown) {
  const std::int64_t count = pointers_in(table);
  const Bounds beside = {
      .low = ir::local_array(builder, DType::int64, {count}),
      .high = ir::local_array(builder, DType::int64, {count})};
  beside_.insert_or_assign(&table, beside);
  append_loop(builder, count, [&](Operation* position) {
    builder.array_store(beside.low, {position}, unknown.low);
    builder.array_store(beside.high, {position}, unknown.high);
  });
}

// Within the array in any case: what is wrong with the index, the access itself tells.
Operation* PointerTables::slot(ir::Builder& builder, const Operation& table, Operation* offset) {
  Operation* number = builder.elementwise(Op::right_shift, {offset, builder.integer(3)});
  number = builder.elementwise(Op::maximum, {number, builder.integer(0)});
  return builder.elementwise(Op::minimum, {number, builder.integer(pointers_in(table) - 1)});
}

Bounds PointerTables::read(ir::Builder& builder, const Operation& table, Operation* offset) const {
  const Bounds& beside = beside_.at(&table);
  Operation* position = slot(builder, table, offset);
  return {
      .low = builder.array_load(beside.low, {position}),
      .high = builder.array_load(beside.high, {position})};
}

void PointerTables::write(
    ir::Builder& builder, const Operation& table, Operation* offset, const Bounds& bounds) const {
  const Bounds& beside = beside_.at(&table);
  Operation* position = slot(builder, table, offset);
  builder.array_store(beside.low, {position}, bounds.low);
  builder.array_store(beside.high, {position}, bounds.high);
}

}  // namespace phalanx::passes
