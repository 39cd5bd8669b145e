#include "phalanx/ir/operation_rules.h"

#include <array>
#include <cstddef>

#include "phalanx/base/print_format.h"
#include "phalanx/ir/attributes.h"
#include "phalanx/ir/constants.h"
#include "phalanx/ir/rules.h"
#include "phalanx/ir/text.h"
#include "phalanx/ir/typing.h"

namespace phalanx::ir {

namespace {

char kind_letter(DType dtype) { return "biufc"[static_cast<std::size_t>(kind_of(dtype))]; }

// The element types of arrays, pointers and records must lie in memory.
void check_type(const Type& type) {
  if (type.is_pointer() || type.is_array()) {
    // The elements of a list may be tuples and arrays, in the slots of abi.h.
    const bool is_in_slots =
        type.is_pointer() && (type.element().is_tuple() || type.element().is_array());
    require(is_in_slots || lies_in_memory(type.element()), "the element type lies in memory");
    check_type(type.element());
  } else if (type.is_vector()) {
    require(type.lanes() >= 1, "a vector has a lane");
  } else if (type.is_tuple()) {
    for (const Field& field : type.fields()) check_type(field.type);
  } else if (type.is_record()) {
    for (const Field& field : type.fields()) {
      require(lies_in_memory(field.type), "a record's field lies in memory");
      check_type(field.type);
      require(
          field.offset <= type.record_bytes() &&
              size_of(field) <= type.record_bytes() - field.offset,
          "a record's field lies within it");
    }
  }
}

}  // namespace

void Rules::types_are(const Type& result, std::initializer_list<Type> operands) const {
  count_is(operands.size());
  std::size_t i = 0;
  for (const Type& expected : operands) {
    require(type(i) == expected, fmt::format("operand {} is of type {}", i, to_string(expected)));
    ++i;
  }
  require(type() == result, "its type is " + to_string(result));
}

void Rules::check_elementwise() const {
  const OpInfo& row = info(operation_.op);
  count_is(static_cast<std::size_t>(row.arity));
  for (std::size_t i = 0; i < count(); ++i)
    require(type(i).is_scalar(), "its operands are scalars");
  // The operand whose type the others share.
  const std::size_t first = row.rule == Rule::select ? 1 : 0;
  const Type& shared = type(first);
  require(
      row.kinds.find(kind_letter(shared.dtype())) != std::string_view::npos,
      fmt::format("its operands are of the kinds \"{}\"", row.kinds));
  if (row.rule == Rule::select)
    require(type(0) == Type(DType::boolean), "the condition is a bool");
  for (std::size_t i = first; i < count(); ++i) {
    const bool is_exponent = row.rule == Rule::ldexp && i == 1;
    require(
        type(i) == (is_exponent ? Type(DType::int32) : shared),
        is_exponent ? "the exponent is an i32" : "its operands have one type");
  }
  const Type expected = result_type(operation_.op, operation_.operands);
  require(type() == expected, "its type is " + to_string(expected));
}

void Rules::check_value() const {
  count_is(0);
  if (operation_.op == Op::constant) {
    require(type().is_scalar(), "a constant is a scalar");
    require(
        is_normalized(operation_.constant, type().dtype()), "the constant is a value of its type");
  }
}

void Rules::check_conversion() const {
  switch (operation_.op) {
    case Op::cast:
      count_is(1);
      require(type().is_scalar() && type(0).is_scalar(), "scalars are cast to scalars");
      break;
    case Op::bitcast:
      count_is(1);
      require(
          lies_in_memory(type()) && lies_in_memory(type(0)) && size_of(type()) == size_of(type(0)),
          "both types are of one size");
      break;
    case Op::complex_make: {
      count_is(2);
      require(type(0) == type(1), "both parts have one type");
      require(
          type().is_scalar() && is_complex(type().dtype()) &&
              type(0) == Type(real_part_of(type().dtype())),
          "the parts are the complex type's floats");
      break;
    }
    default:  // complex_real, complex_imag
      count_is(1);
      require(type(0).is_scalar() && is_complex(type(0).dtype()), "the operand is complex");
      require(
          type() == Type(real_part_of(type(0).dtype())), "its type is the complex type's float");
      break;
  }
}

void Rules::check_variable() const {
  require(operation_.variable < function_.variables.size(), "the variable is the function's");
  const Type& held = function_.variables[operation_.variable].type;
  if (operation_.op == Op::get)
    types_are(held, {});
  else
    types_are({}, {held});
}

void Rules::check_aggregate() const {
  const bool is_tuple = operation_.op == Op::tuple_make || operation_.op == Op::tuple_get;
  const bool is_made = operation_.op == Op::tuple_make || operation_.op == Op::vector_make;
  if (!is_made)
    count_is(1);
  const Type& whole = is_made ? type() : type(0);
  require(is_tuple ? whole.is_tuple() : whole.is_vector(), "the whole is a tuple or a vector");
  const std::size_t elements = is_tuple ? whole.fields().size() : whole.lanes();
  const auto element = [&](std::size_t i) {
    return is_tuple ? whole.fields()[i].type : Type(whole.dtype());
  };
  if (!is_made) {
    require(index_below(elements), "the element is there");
    require(type() == element(index()), "its type is the element's");
    return;
  }
  count_is(elements);
  for (std::size_t i = 0; i < elements; ++i)
    require(type(i) == element(i), fmt::format("operand {} has the element's type", i));
}

void Rules::check_control() const {
  require(type().is_none(), "it yields nothing");
  switch (operation_.op) {
    case Op::if_:
      types_are({}, {DType::boolean});
      break;
    case Op::print:
      count_is(count_values(parse_print_format(operation_.text)));
      for (std::size_t i = 0; i < count(); ++i) require(type(i).is_scalar(), "scalars are printed");
      break;
    case Op::raise:
      for (std::size_t i = 0; i < count(); ++i)
        require(type(i) == Type(DType::int64), "what the host puts into the text has 64 bits");
      break;
    case Op::report_if:
      require(count() >= 1 && type(0) == Type(DType::boolean), "the condition is a bool");
      break;
    case Op::track_access:
      require(count() >= 1 && type(0).is_pointer(), "the first operand is a pointer");
      break;
    case Op::track_row:
      require(count() >= 3 && type(0).is_pointer(), "the first operand is a pointer");
      require(operation_.operands[1]->op == Op::constant, "the number of elements is a constant");
      break;
    case Op::return_:
      if (function_.result.is_none())
        types_are({}, {});
      else
        types_are({}, {function_.result});
      break;
    default:
      count_is(0);
      break;
  }
}

void Rules::check_structure() const {
  using Check = void (Rules::*)() const;
  static constexpr std::array checks = {
#define STRUCTURE_OP(name, yields, pure, family, attribute, doc) Check(&Rules::check_##family),
#include "phalanx/ir/structure_ops.def"
  };
  (this->*checks.at(static_cast<std::size_t>(operation_.op) - op_table.size()))();
}

void Rules::check_parameter() const { require(false, "the operation may be in a region"); }

void Rules::check() const {
  require(
      operation_.regions.size() == region_count(operation_.op),
      fmt::format("it has {} regions", region_count(operation_.op)));
  check_type(type());
  if (is_elementwise(operation_.op)) {
    check_elementwise();
    return;
  }
  require(fits(operation_.op, operation_.detail), "what it is in detail fits it");
  check_structure();
  if (operation_.op != Op::call && operation_.op != Op::assembly) {
    require(
        structure_info(operation_.op).yields != type().is_none(),
        "it has a type where it yields a value, and only there");
  }
}

std::string broken_rule(
    const Module& module, const Function& function, const Operation& operation) {
  try {
    Rules(module, function, operation).check();
  } catch (const BrokenRule& broken) {
    return broken.rule;
  }
  return {};
}

std::string broken_rule(const Type& type) {
  try {
    check_type(type);
  } catch (const BrokenRule& broken) {
    return broken.rule;
  }
  return {};
}

}  // namespace phalanx::ir
