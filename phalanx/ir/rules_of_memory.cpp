// The rules of arrays, pointers and memory.
#include <algorithm>
#include <bit>

#include "phalanx/ir/attributes.h"
#include "phalanx/ir/rules.h"

namespace phalanx::ir {

void Rules::check_view() const {
  if (operation_.op == Op::array_make) {
    require(type().is_array(), "its type is an array");
    const std::size_t extents =
        std::size_t{type().ndim()} * (type().layout() == Layout::any ? 2 : 1);
    count_is(1 + extents);
    require(
        type(0) == Type::pointer(type().element(), type().space()),
        "the data pointer is of the array's element and space");
    for (std::size_t i = 1; i < count(); ++i)
      require(type(i) == Type(DType::int64), "shape and strides are i64");
    return;
  }
  count_is(1);
  require(type(0).is_array(), "the operand is an array");
  if (operation_.op == Op::array_data) {
    require(
        type() == Type::pointer(type(0).element(), type(0).space()),
        "its type is a pointer to the array's element");
    return;
  }
  require(index_below(type(0).ndim()), "the dimension is there");
  require(type() == Type(DType::int64), "its type is i64");
}

// The array, its indices, and `extra` operands after them.
void Rules::check_indices(std::size_t extra) const {
  require(count() >= 1 && type(0).is_array(), "the first operand is an array");
  require(
      count() == 1 + type(0).ndim() + extra,
      fmt::format("there are {} indices, one a dimension", type(0).ndim()));
  for (std::size_t i = 1; i <= type(0).ndim(); ++i)
    require(type(i) == Type(DType::int64), "an index is an i64");
}

void Rules::check_access() const {
  switch (operation_.op) {
    case Op::array_element:
    case Op::checked_element:
      check_indices(0);
      require(
          type() == Type::pointer(type(0).element(), type(0).space()),
          "its type is a pointer to the array's element");
      break;
    case Op::array_load:
      check_indices(0);
      require(type() == type(0).element(), "its type is the array's element");
      break;
    case Op::array_store:
      check_indices(1);
      require(type(0).is_mutable(), "the array may be written to");
      require(type(count() - 1) == type(0).element(), "the value has the array's element type");
      break;
    default:
      types_are(DType::int64, {DType::int64, DType::int64});
      break;  // wrap_index
  }
}

void Rules::check_allocation() const {
  count_is(0);
  const auto alignment = static_cast<std::uint64_t>(operation_.index);
  require(
      !has_alignment(operation_.op) || alignment == 0 || std::has_single_bit(alignment),
      "an alignment is a power of two");
  require(type().is_array() && type().layout() == Layout::c, "its type is an array of layout C");
  switch (operation_.op) {
    case Op::constant_array: {
      require(index_below(module_.constants.size()), "the constant is the module's");
      const ConstantArray& array = module_.constants[index()];
      require(
          type().space() == Space::constant && !type().is_mutable() &&
              type().element() == array.element && type().ndim() == array.shape.size(),
          "its type is the constant's");
      break;
    }
    case Op::global_array: {
      require(index_below(module_.globals.size()), "the global is the module's");
      const Global& global = module_.globals[index()];
      require(
          type().space() == global.space &&
              type().is_mutable() == (global.space == Space::global) &&
              type().element() == global.element && type().ndim() == global.shape.size(),
          "its type is the global's");
      break;
    }
    case Op::dynamic_shared_array:
      require(
          type().ndim() == 1 && type().space() == Space::shared && type().is_mutable(),
          "its type is a 1-d shared array");
      break;
    default: {  // shared_array, local_array
      const bool is_shared = operation_.op == Op::shared_array;
      const Space space = is_shared ? Space::shared : Space::local;
      require(
          type().space() == space || (!is_shared && type().space() == Space::generic),
          "its type is of its own space");
      require(type().is_mutable(), "its elements are written to");
      require(type().ndim() == operation_.shape.size(), "the shape has one extent a dimension");
      const auto& shape = operation_.shape;
      require(
          std::ranges::all_of(shape, [](std::int64_t extent) { return extent >= 0; }),
          "extents are not negative");
      break;
    }
  }
}

void Rules::check_launch_memory() const {
  if (operation_.op == Op::launch_memory) {
    types_are({}, {});
    return;
  }
  require(
      type().is_array() && type().layout() == Layout::c && type().space() == Space::shared &&
          type().is_mutable(),
      "its type is a shared array of layout C");
  count_is(type().ndim());
  require(count() != 0, "it has a dimension");
  for (std::size_t i = 0; i < count(); ++i)
    require(type(i) == Type(DType::int64), "an extent is an i64");
}

void Rules::check_pointer() const {
  require(count() >= 1 && type(0).is_pointer(), "the first operand is a pointer");
  const Type& element = type(0).element();
  switch (operation_.op) {
    case Op::load:
      types_are(element, {type(0)});
      break;
    case Op::store:
      types_are({}, {type(0), element});
      require(type(0).space() != Space::constant, "constant memory is not written to");
      break;
    case Op::pointer_offset:
      require(type().is_pointer(), "its type is a pointer");
      require(operation_.index >= 0, "a memory's number is not below 0");
      types_are(type(), {type(0), DType::int64});
      break;
    default:  // pointer_field
      count_is(1);
      require(element.is_record() && index_below(element.fields().size()), "the field is there");
      require(
          type() == Type::pointer(element.fields()[index()].type, type(0).space()),
          "its type is a pointer to the field");
      break;
  }
}

void Rules::check_memory() const {
  if (operation_.op == Op::allocate) {
    const Type memory = Type::pointer(DType::uint8, Space::global);
    if (count() == 2)
      types_are(memory, {DType::int64, type(1)});
    else
      types_are(memory, {DType::int64});
    require(count() == 1 || type(1).is_pointer(), "its second operand points to an owner");
    require(index_below(3), "its index is 0, 1 for zeroed memory, or 2 for an owner");
  } else if (operation_.op == Op::memory_mark) {
    types_are(DType::int64, {});
  } else {  // memory_release
    require(count() >= 1 && type(0) == Type(DType::int64), "the first operand is a mark");
    for (std::size_t i = 1; i < count(); ++i) require(type(i).is_pointer(), "it keeps pointers");
  }
}

void Rules::check_hinted() const {
  require(count() >= 1 && type(0).is_pointer(), "the first operand is a pointer");
  const Type& element = type(0).element();
  require(element.is_scalar() && !is_complex(element.dtype()), "the element is a real scalar");
  if (operation_.op == Op::hinted_load) {
    types_are(element, {type(0)});
    return;
  }
  types_are({}, {type(0), element});
  require(type(0).space() != Space::constant, "constant memory is not written to");
}

}  // namespace phalanx::ir
