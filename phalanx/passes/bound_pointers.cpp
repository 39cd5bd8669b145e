// Check mode: pointers with bounds (as SoftBound has them). An access through a pointer becomes one
// of an element of a view of the memory that the pointer came from, which insert_checks knows.
// Where a pointer may come from several places, variables beside its own say where that memory
// begins and ends.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/ir/abi.h"
#include "phalanx/ir/builder.h"
#include "phalanx/passes/access_names.h"
#include "phalanx/passes/multiples.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/pointer_origins.h"
#include "phalanx/passes/pointer_tables.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;
using ir::Space;
using ir::Type;
using Kind = Origin::Kind;

namespace {

constexpr std::int64_t beyond_memory = std::int64_t{1} << 62;

// As C writes it, for casts in messages.
std::string c_name(const Type& type) {
  constexpr std::array names = {
      std::pair(DType::boolean, "bool"),
      std::pair(DType::int8, "char"),
      std::pair(DType::uint8, "unsigned char"),
      std::pair(DType::int16, "short"),
      std::pair(DType::uint16, "unsigned short"),
      std::pair(DType::int32, "int"),
      std::pair(DType::uint32, "unsigned int"),
      std::pair(DType::int64, "long long"),
      std::pair(DType::uint64, "unsigned long long"),
      std::pair(DType::float16, "__half"),
      std::pair(DType::float32, "float"),
      std::pair(DType::float64, "double"),
  };
  if (type.is_scalar()) {
    for (const auto& [dtype, name] : names) {
      if (dtype == type.dtype())
        return name;
    }
  }
  return type.is_pointer() ? "void*" : ir::to_string(type);
}

bool is_access(const Operation& operation) {
  return !operation.operands.empty() && operation.operands[0]->type.is_pointer() &&
         verb_of(operation.op) != Verb::access;
}

// Loads, stores and atomics of numbers and of pointers have sizes that are powers of two.
bool can_be_element(const Type& type) {
  return (type.is_scalar() || type.is_pointer()) && std::has_single_bit(ir::size_of(type));
}

// A pointer as the start that it was made of, and the bytes that were added.
struct Chain {
  Operation* start;
  Values offsets;
};

Chain chain_of(Operation* pointer) {
  Chain chain = {.start = pointer, .offsets = {}};
  for (; chain.start->op == Op::pointer_offset; chain.start = chain.start->operands[0])
    chain.offsets.push_back(chain.start->operands[1]);
  std::ranges::reverse(chain.offsets);
  return chain;
}

// Memory that a pointer leads into: how many bytes are before it, and from there on.
struct Room {
  Operation* before;  // null: none
  Operation* after;
};

class Binder {
 public:
  Binder(const ir::Module& module, Function& function)
      : module_(module), function_(function), origins_(function), builder_(function) {}

  void run() {
    rewrite_around(
        function_.body,
        [&](Operation& operation, Region& before) { visit(operation, before); },
        [&](Operation& operation, Region& after) { leave(operation, after); });
  }

 private:
  void visit(Operation& operation, Region& before);
  void leave(Operation& operation, Region& after);
  void use_data(Operation& element);
  void check_access(Operation& access);
  bool use_element(Operation& access);
  bool is_surely_inside(const Origin& origin, const Chain& chain, std::size_t bytes) const;

  Operation* aligned(const Chain& chain, const Room& room, const Type& pointer);
  Operation* by_address(Operation* pointer, const Bounds& bounds);
  Operation* element_of_view(Operation* data, Operation* extent, Operation* index);

  std::vector<std::int64_t> shape_of(const Operation& array) const;
  std::int64_t known_bytes(const Operation& array) const;
  Operation* bytes_of(Operation* array);
  Operation* argument(std::size_t number, Operation* whole, std::size_t& pointers_before);
  Operation* pointer_argument(std::size_t number);
  Room room_of(const Origin& origin, Operation* start);
  Bounds bounds_of_argument(std::size_t number);
  Bounds unknown_bounds() {
    return {.low = builder_.integer(0), .high = builder_.integer(beyond_memory)};
  }
  void note_table(const Operation& access);
  Bounds bounds_of(Operation* pointer);
  const std::pair<ir::VariableId, ir::VariableId>& shadow_of(ir::VariableId variable);
  std::string name_of(const Origin& origin, const Chain& chain, const Type& element);

  Operation* sum(Operation* x, Operation* y) { return builder_.elementwise(Op::add, {x, y}); }
  Operation* difference(Operation* x, Operation* y) {
    return builder_.elementwise(Op::subtract, {x, y});
  }
  Operation* shifted(Operation* x, std::int64_t bits) {
    return bits == 0 ? x : builder_.elementwise(Op::right_shift, {x, builder_.integer(bits)});
  }
  // Spaces have addresses of their own: those of the whole memory are compared.
  Operation* address_of(Operation* pointer) {
    if (pointer->type.space() != Space::generic && pointer->type.space() != Space::global) {
      const Type generic = Type::pointer(pointer->type.element(), Space::generic);
      pointer = builder_.pointer_offset(pointer, builder_.integer(0), generic);
    }
    return builder_.bitcast(pointer, DType::int64);
  }

  const ir::Module& module_;
  Function& function_;
  PointerOrigins origins_;
  ir::Builder builder_;
  PointerTables tables_;
  std::unordered_map<const Operation*, Bounds> read_;  // beside variables, when they were read
  std::unordered_map<ir::VariableId, std::pair<ir::VariableId, ir::VariableId>> shadows_;
  struct Element {
    Operation* array;
    Values indices;
  };
  std::unordered_map<const Operation*, Element> elements_;  // whose address was taken
};

std::vector<std::int64_t> Binder::shape_of(const Operation& array) const {
  if (array.op == Op::constant_array)
    return module_.constants.at(static_cast<std::size_t>(array.index)).shape;
  if (array.op == Op::global_array)
    return module_.globals.at(static_cast<std::size_t>(array.index)).shape;
  return array.shape;
}

// -1 where only the launch knows.
std::int64_t Binder::known_bytes(const Operation& array) const {
  if (array.op == Op::dynamic_shared_array)
    return -1;
  const std::vector<std::int64_t> shape = shape_of(array);
  const auto item = static_cast<std::int64_t>(ir::size_of(array.type.element()));
  return std::accumulate(shape.begin(), shape.end(), item, std::multiplies());
}

Operation* Binder::bytes_of(Operation* array) {
  if (const std::int64_t bytes = known_bytes(*array); bytes >= 0)
    return builder_.integer(bytes);
  const auto item = static_cast<std::int64_t>(ir::size_of(array->type.element()));
  return builder_.elementwise(
      Op::multiply, {builder_.array_shape(array, 0), builder_.integer(item)});
}

// The pointer of that number in `whole`, before which there are others; null where it is not there.
Operation* Binder::argument(std::size_t number, Operation* whole, std::size_t& pointers_before) {
  if (whole->type.is_pointer())
    return pointers_before++ == number ? whole : nullptr;
  if (!whole->type.is_tuple())
    return nullptr;
  for (std::size_t i = 0; i < whole->type.fields().size(); ++i) {
    const Type& field = whole->type.fields()[i].type;
    if (!field.is_pointer() && !field.is_tuple())
      continue;
    if (Operation* found = argument(number, builder_.tuple_get(whole, i), pointers_before))
      return found;
  }
  return nullptr;
}

Operation* Binder::pointer_argument(std::size_t number) {
  std::size_t pointers_before = 0;
  for (const auto& parameter : function_.parameters) {
    if (Operation* found = argument(number, parameter.get(), pointers_before))
      return found;
  }
  PHX_ASSERT(false);  // origins count the same pointers
  return nullptr;
}

Room Binder::room_of(const Origin& origin, Operation* start) {
  if (origin.kind == Kind::array)
    return {.before = nullptr, .after = bytes_of(start->operands[0])};
  Operation* all = function_.parameters.back().get();
  return {
      .before = builder_.tuple_get(all, 2 * origin.argument),
      .after = builder_.tuple_get(all, 2 * origin.argument + 1)};
}

Bounds Binder::bounds_of_argument(std::size_t number) {
  Operation* pointer = pointer_argument(number);
  const Room room = room_of({.kind = Kind::argument, .argument = number}, pointer);
  Operation* address = address_of(pointer);
  return {.low = difference(address, room.before), .high = sum(address, room.after)};
}

// What nobody knows has no bounds.
Bounds Binder::bounds_of(Operation* pointer) {
  const Operation* start = chain_of(pointer).start;
  const Origin origin = origins_.of(*start);
  if (origin.kind == Kind::argument)
    return bounds_of_argument(origin.argument);
  if (const auto found = read_.find(start); found != read_.end())
    return found->second;
  if (origin.kind == Kind::array) {
    Operation* low = address_of(builder_.array_data(start->operands[0]));
    return {.low = low, .high = sum(low, bytes_of(start->operands[0]))};
  }
  if (start->op == Op::select) {
    const Bounds one = bounds_of(start->operands[1]);
    const Bounds other = bounds_of(start->operands[2]);
    const auto chosen = [&](Operation* x, Operation* y) {
      return builder_.elementwise(Op::select, {start->operands[0], x, y});
    };
    return {.low = chosen(one.low, other.low), .high = chosen(one.high, other.high)};
  }
  if (origin.kind == Kind::none)
    return {.low = builder_.integer(0), .high = builder_.integer(0)};
  return unknown_bounds();
}

const std::pair<ir::VariableId, ir::VariableId>& Binder::shadow_of(ir::VariableId variable) {
  const auto found = shadows_.find(variable);
  if (found != shadows_.end())
    return found->second;
  const std::string name = function_.variables[variable].name;
  const ir::VariableId low = builder_.variable(name, DType::int64);
  const ir::VariableId high = builder_.variable(name, DType::int64);
  return shadows_[variable] = {low, high};
}

// "a", or "((float4*)a)" where it is accessed as something else than it was declared.
std::string Binder::name_of(const Origin& origin, const Chain& chain, const Type& element) {
  std::string name;
  Type declared;
  if (origin.kind == Kind::argument) {
    const Operation* pointer = pointer_argument(origin.argument);
    name = array_name(*pointer, function_);
    declared = pointer->type.element();
  } else if (origin.kind == Kind::array) {
    name = array_name(*origin.array, function_);
    declared = origin.array->type.element();
  } else if (const Operation* table = origins_.table_of(*chain.start)) {
    return array_name(*table, function_) + "[]";
  } else {
    return array_name(*chain.start, function_);
  }
  return name.empty() || declared == element ? name : "((" + c_name(element) + "*)" + name + ")";
}

Operation* Binder::element_of_view(Operation* data, Operation* extent, Operation* index) {
  const Space space = data->type.space();
  const Type type =
      Type::array(data->type.element(), 1, ir::Layout::c, space, space != Space::constant);
  return builder_.array_element(builder_.array_make(type, data, {extent}), {index});
}

// The offsets are multiples of the size, so that the index is plain. `pointer`: the element's.
Operation* Binder::aligned(const Chain& chain, const Room& room, const Type& pointer) {
  const auto bytes = static_cast<std::int64_t>(ir::size_of(pointer.element()));
  const auto bits = std::countr_zero(static_cast<std::uint64_t>(bytes));
  Operation* index = nullptr;
  for (Operation* offset : chain.offsets) {
    Operation* part = quotient(builder_, offset, bytes);
    index = index == nullptr ? part : sum(index, part);
  }
  if (index == nullptr)
    index = builder_.integer(0);
  Operation* extent = shifted(room.after, bits);
  Operation* shift = builder_.integer(0);
  if (room.before != nullptr) {
    Operation* first = shifted(room.before, bits);
    index = sum(first, index);
    extent = sum(first, extent);
    shift = builder_.elementwise(
        Op::negative, {builder_.elementwise(Op::multiply, {first, builder_.integer(bytes)})});
  }
  return element_of_view(builder_.pointer_offset(chain.start, shift, pointer), extent, index);
}

// A pointer may lead anywhere: the view begins where it has the pointer's alignment.
Operation* Binder::by_address(Operation* pointer, const Bounds& bounds) {
  const auto bytes = static_cast<std::int64_t>(ir::size_of(pointer->type.element()));
  const auto bits = std::countr_zero(static_cast<std::uint64_t>(bytes));
  Operation* position = difference(address_of(pointer), bounds.low);
  Operation* rest = builder_.elementwise(Op::bitwise_and, {position, builder_.integer(bytes - 1)});
  Operation* start = sum(bounds.low, rest);
  Operation* room = difference(bounds.high, start);
  Operation* extent = builder_.elementwise(Op::maximum, {room, builder_.integer(0)});
  const Space space = pointer->type.space() == Space::global ? Space::global : Space::generic;
  Operation* data = builder_.bitcast(start, Type::pointer(pointer->type.element(), space));
  return element_of_view(data, shifted(extent, bits), shifted(position, bits));
}

bool Binder::is_surely_inside(const Origin& origin, const Chain& chain, std::size_t bytes) const {
  if (origin.kind != Kind::array || chain.start->operands[0] != origin.array)
    return false;
  std::int64_t position = 0;
  for (const Operation* offset : chain.offsets) {
    const auto* number = std::get_if<std::int64_t>(&offset->constant);
    if (offset->op != Op::constant || number == nullptr)
      return false;
    position += *number;
  }
  return position >= 0 && position + static_cast<std::int64_t>(bytes) <= known_bytes(*origin.array);
}

// True if the pointer is an array's element, as it was written: its indices are known.
bool Binder::use_element(Operation& access) {
  Operation* pointer = access.operands[0];
  while (is_same_address(*pointer) && !elements_.contains(pointer)) pointer = pointer->operands[0];
  const auto found = elements_.find(pointer);
  if (found == elements_.end() ||
      found->second.array->type.element() != access.operands[0]->type.element())
    return false;
  access.operands[0] = builder_.array_element(found->second.array, found->second.indices);
  return true;
}

void Binder::check_access(Operation& access) {
  Operation* pointer = access.operands[0];
  const Type type = pointer->type;
  const Origin origin = origins_.of(*pointer);
  if (!can_be_element(type.element()) || origin.kind == Kind::unknown ||
      origin.kind == Kind::none || use_element(access))
    return;
  const std::size_t bytes = ir::size_of(type.element());
  const Chain chain = chain_of(pointer);
  if (is_surely_inside(origin, chain, bytes))
    return;
  // Views have elements that are numbers.
  const Type number = type.element().is_pointer() ? Type(DType::uint64) : type.element();
  const Type viewed = Type::pointer(number, type.space());
  const bool is_fixed =
      chain.start->op != Op::get && chain.start->op != Op::select && chain.start->op != Op::load;
  const bool is_aligned = std::ranges::all_of(chain.offsets, [&](const Operation* offset) {
    return is_multiple(*offset, static_cast<std::int64_t>(bytes));
  });
  Operation* element = nullptr;
  if (is_fixed && is_aligned) {
    element = aligned(chain, room_of(origin, chain.start), viewed);
  } else if (type.space() != Space::local) {  // whose addresses are no numbers to compare
    Operation* same = builder_.pointer_offset(pointer, builder_.integer(0), viewed);
    element = by_address(same, bounds_of(pointer));
  } else {
    return;
  }
  element->operands[0]->name = name_of(origin, chain, type.element());
  if (element->type.element() != type.element()) {
    const Type wanted = Type::pointer(type.element(), element->type.space());
    element = builder_.pointer_offset(element, builder_.integer(0), wanted);
  }
  access.operands[0] = element;
}

// The address of an element is none of its accesses, and may be that behind the last one.
void Binder::use_data(Operation& element) {
  Operation* array = element.operands[0];
  const std::vector<std::int64_t> shape = shape_of(*array);
  const Values indices = indices_of(element);
  Operation* flat = nullptr;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    if (flat != nullptr)
      flat = builder_.elementwise(Op::multiply, {flat, builder_.integer(shape.at(d))});
    flat = flat == nullptr ? indices[d] : sum(flat, indices[d]);
  }
  const auto item = static_cast<std::int64_t>(ir::size_of(array->type.element()));
  Operation* bytes = flat == nullptr
                         ? builder_.integer(0)
                         : builder_.elementwise(Op::multiply, {flat, builder_.integer(item)});
  elements_[&element] = {array, indices};
  element.op = Op::pointer_offset;
  element.operands = {builder_.array_data(array), bytes};
}

// A pointer that is read from a table has the bounds that are there; what is written and is no
// pointer leaves none behind. Before the access is checked, which changes its address.
void Binder::note_table(const Operation& access) {
  const Operation* table = origins_.table_of(access);
  if (table == nullptr)
    return;
  Operation* offset = builder_.integer(0);
  for (Operation* part : chain_of(access.operands[0]).offsets) offset = sum(offset, part);
  if (access.type.is_pointer()) {
    read_[&access] = tables_.read(builder_, *table, offset);
  } else if (verb_of(access.op) == Verb::write) {
    Operation* value = access.operands[1];
    const Bounds bounds = value->type.is_pointer() ? bounds_of(value) : unknown_bounds();
    tables_.write(builder_, *table, offset, bounds);
  }
}

void Binder::visit(Operation& operation, Region& before) {
  const auto scope = builder_.enter(before);
  builder_.at(operation.location);
  if (operation.op == Op::array_element && origins_.of(operation).kind == Kind::array)
    return use_data(operation);
  if (is_access(operation)) {
    note_table(operation);
    check_access(operation);
  }
  if (operation.op != Op::set || !operation.operands[0]->type.is_pointer() ||
      origins_.of(operation.variable).kind != Kind::several)
    return;
  const auto [low, high] = shadow_of(operation.variable);
  const Bounds bounds = bounds_of(operation.operands[0]);
  builder_.set(low, bounds.low);
  builder_.set(high, bounds.high);
}

// A pointer gets the bounds that are beside the variable, now.
void Binder::leave(Operation& operation, Region& after) {
  const auto scope = builder_.enter(after);
  builder_.at(operation.location);
  if (operation.op == Op::local_array && origins_.is_table(operation))
    tables_.make(builder_, operation, unknown_bounds());
  if (operation.op != Op::get || !operation.type.is_pointer() ||
      origins_.of(operation.variable).kind != Kind::several)
    return;
  const auto [low, high] = shadow_of(operation.variable);
  read_[&operation] = {.low = builder_.get(low), .high = builder_.get(high)};
}

}  // namespace

void bound_pointers(ir::Module& module, Checks checks) {
  if (!checks.has(Check::bounds))
    return;
  for_each_function(module, [&](Function& function) { Binder(module, function).run(); });
}

}  // namespace phalanx::passes
