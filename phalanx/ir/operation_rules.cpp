#include "phalanx/ir/operation_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "phalanx/ir/attributes.h"
#include "phalanx/ir/constants.h"
#include "phalanx/ir/libdevice.h"
#include "phalanx/ir/typing.h"

namespace phalanx::ir {

namespace {

constexpr std::array<std::string_view, 12> atomic_kinds = {
    "add", "sub", "max", "min", "nanmax", "nanmin", "and", "or", "xor", "exch", "inc", "dec"};
constexpr std::array<std::string_view, 3> fence_scopes = {"block", "device", "system"};
constexpr std::array<std::string_view, 4> vote_kinds = {"all", "any", "eq", "ballot"};
constexpr std::array<std::string_view, 4> shuffle_kinds = {"index", "up", "down", "xor"};
constexpr std::array<std::string_view, 2> match_kinds = {"any", "all"};
constexpr std::array<std::string_view, 5> load_hints = {"ca", "cg", "cs", "lu", "cv"};
constexpr std::array<std::string_view, 4> store_hints = {"cg", "cs", "wb", "wt"};
constexpr unsigned thread_dimensions = 3;

template <typename List>
bool contains(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// Thrown and caught in this file only.
struct Broken {
  std::string rule;
};

void require(bool holds, std::string_view rule) {
  if (!holds)
    throw Broken{std::string(rule)};
}

bool lies_in_memory(const Type& type) {
  return type.is_scalar() || type.is_pointer() || type.is_record() || type.is_vector();
}

void check_type(const Type& type) {
  if (type.is_pointer() || type.is_array()) {
    require(lies_in_memory(type.element()), "the element type lies in memory");
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

class Rules {
 public:
  Rules(const Module& module, const Function& function, const Operation& operation)
      : module_(module), function_(function), operation_(operation) {}

  void check() const;

 private:
  const Type& type() const { return operation_.type; }
  const Type& type(std::size_t operand) const { return operation_.operands[operand]->type; }
  std::size_t count() const { return operation_.operands.size(); }
  void count_is(std::size_t expected) const {
    require(count() == expected, fmt::format("it has {} operands", expected));
  }
  void types_are(const Type& result, std::initializer_list<Type> operands) const;
  bool index_below(std::size_t limit) const {
    return operation_.index >= 0 && static_cast<std::uint64_t>(operation_.index) < limit;
  }
  std::size_t index() const { return static_cast<std::size_t>(operation_.index); }

  struct Row;

  void check_elementwise() const;
  void check_structure() const;
  void check_value() const;
  void check_conversion() const;
  void check_variable() const;
  void check_aggregate() const;
  void check_view() const;
  void check_access() const;
  void check_indices(std::size_t extra) const;
  void check_allocation() const;
  void check_pointer() const;
  void check_atomic() const;
  void check_thread() const;
  void check_warp() const;
  void check_shared_value(std::size_t operand) const;
  void check_hinted() const;
  void check_library() const;
  void check_call() const;
  void check_control() const;

  const Module& module_;
  const Function& function_;
  const Operation& operation_;
};

void Rules::types_are(const Type& result, std::initializer_list<Type> operands) const {
  count_is(operands.size());
  std::size_t i = 0;
  for (const Type& expected : operands) {
    require(type(i) == expected, fmt::format("operand {} is of type {}", i, to_string(expected)));
    ++i;
  }
  require(type() == result, "its type is " + to_string(result));
}

char kind_letter(DType dtype) { return "biufc"[static_cast<std::size_t>(kind_of(dtype))]; }

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

void Rules::check_view() const {
  if (operation_.op == Op::array_make) {
    require(type().is_array(), "its type is an array");
    const std::size_t extents = type().ndim() * (type().layout() == Layout::any ? 2 : 1);
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

// The array, its indices, and `extra` operands behind them.
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
    case Op::dynamic_shared_array:
      require(
          type().ndim() == 1 && type().space() == Space::shared && type().is_mutable(),
          "its type is a 1-d shared array");
      break;
    default: {  // shared_array, local_array
      const Space space = operation_.op == Op::shared_array ? Space::shared : Space::local;
      require(type().space() == space && type().is_mutable(), "its type is of its own space");
      require(type().ndim() == operation_.shape.size(), "the shape has one extent a dimension");
      const auto& shape = operation_.shape;
      require(
          std::all_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent >= 0; }),
          "extents are not negative");
      break;
    }
  }
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
  require(contains(atomic_kinds, operation_.text), "the atomic is known");
}

void Rules::check_thread() const {
  switch (operation_.op) {
    case Op::barrier:
    case Op::grid_barrier:
      types_are({}, {});
      break;
    case Op::sleep:
      types_are({}, {DType::uint32});
      break;
    case Op::fence:
      types_are({}, {});
      require(contains(fence_scopes, operation_.text), "the scope is block, device or system");
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
      require(contains(vote_kinds, operation_.text), "the vote is all, any, eq or ballot");
      types_are(
          operation_.text == "ballot" ? DType::int32 : DType::boolean,
          {DType::int32, DType::boolean});
      break;
    case Op::shuffle:
      require(contains(shuffle_kinds, operation_.text), "the way is index, up, down or xor");
      count_is(3);
      check_shared_value(1);
      types_are(type(1), {DType::int32, type(1), DType::int32});
      break;
    case Op::match:
      require(contains(match_kinds, operation_.text), "the match is any or all");
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

void Rules::check_hinted() const {
  require(count() >= 1 && type(0).is_pointer(), "the first operand is a pointer");
  const Type& element = type(0).element();
  require(element.is_scalar() && !is_complex(element.dtype()), "the element is a real scalar");
  if (operation_.op == Op::hinted_load) {
    types_are(element, {type(0)});
    require(contains(load_hints, operation_.text), "the cache operator is one of loads");
    return;
  }
  types_are({}, {type(0), element});
  require(type(0).space() != Space::constant, "constant memory is not written to");
  require(contains(store_hints, operation_.text), "the cache operator is one of stores");
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
  require(
      std::any_of(module_.functions.begin(), module_.functions.end(), is_callee),
      "the callee is in the module");
  require(callee->kind == FunctionKind::device, "kernels are not called");
  count_is(callee->parameters.size());
  for (std::size_t i = 0; i < count(); ++i) {
    require(
        type(i) == callee->parameters[i]->type,
        fmt::format("argument {} is of type {}", i, to_string(callee->parameters[i]->type)));
  }
  require(type() == callee->result, "its type is the callee's result");
}

std::size_t placeholders(std::string_view format) {
  std::size_t found = 0;
  for (auto at = format.find("{}"); at != std::string_view::npos; at = format.find("{}", at + 2))
    ++found;
  return found;
}

void Rules::check_control() const {
  require(type().is_none(), "it yields nothing");
  switch (operation_.op) {
    case Op::if_:
      types_are({}, {DType::boolean});
      break;
    case Op::print:
      count_is(placeholders(operation_.text));
      for (std::size_t i = 0; i < count(); ++i) require(type(i).is_scalar(), "scalars are printed");
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

// Which rules an operation that is not elementwise has to keep.
struct Rules::Row {
  Op op;
  void (Rules::*check)() const;
  static const Row table[];
};

const Rules::Row Rules::Row::table[] = {
    {Op::constant, &Rules::check_value},
    {Op::undefined, &Rules::check_value},
    {Op::cast, &Rules::check_conversion},
    {Op::bitcast, &Rules::check_conversion},
    {Op::complex_make, &Rules::check_conversion},
    {Op::complex_real, &Rules::check_conversion},
    {Op::complex_imag, &Rules::check_conversion},
    {Op::get, &Rules::check_variable},
    {Op::set, &Rules::check_variable},
    {Op::tuple_make, &Rules::check_aggregate},
    {Op::tuple_get, &Rules::check_aggregate},
    {Op::vector_make, &Rules::check_aggregate},
    {Op::vector_get, &Rules::check_aggregate},
    {Op::array_make, &Rules::check_view},
    {Op::array_data, &Rules::check_view},
    {Op::array_shape, &Rules::check_view},
    {Op::array_stride, &Rules::check_view},
    {Op::array_element, &Rules::check_access},
    {Op::array_load, &Rules::check_access},
    {Op::array_store, &Rules::check_access},
    {Op::wrap_index, &Rules::check_access},
    {Op::shared_array, &Rules::check_allocation},
    {Op::dynamic_shared_array, &Rules::check_allocation},
    {Op::local_array, &Rules::check_allocation},
    {Op::constant_array, &Rules::check_allocation},
    {Op::load, &Rules::check_pointer},
    {Op::store, &Rules::check_pointer},
    {Op::pointer_offset, &Rules::check_pointer},
    {Op::pointer_field, &Rules::check_pointer},
    {Op::atomic, &Rules::check_atomic},
    {Op::atomic_cas, &Rules::check_atomic},
    {Op::thread_index, &Rules::check_thread},
    {Op::block_index, &Rules::check_thread},
    {Op::block_extent, &Rules::check_thread},
    {Op::grid_extent, &Rules::check_thread},
    {Op::lane_index, &Rules::check_thread},
    {Op::barrier, &Rules::check_thread},
    {Op::fence, &Rules::check_thread},
    {Op::vote, &Rules::check_warp},
    {Op::shuffle, &Rules::check_warp},
    {Op::match, &Rules::check_warp},
    {Op::active_mask, &Rules::check_warp},
    {Op::warp_barrier, &Rules::check_warp},
    {Op::grid_barrier, &Rules::check_thread},
    {Op::sleep, &Rules::check_thread},
    {Op::hinted_load, &Rules::check_hinted},
    {Op::hinted_store, &Rules::check_hinted},
    {Op::library, &Rules::check_library},
    {Op::call, &Rules::check_call},
    {Op::print, &Rules::check_control},
    {Op::raise, &Rules::check_control},
    {Op::if_, &Rules::check_control},
    {Op::loop, &Rules::check_control},
    {Op::block, &Rules::check_control},
    {Op::break_, &Rules::check_control},
    {Op::continue_, &Rules::check_control},
    {Op::return_, &Rules::check_control},
};

void Rules::check_structure() const {
  const auto* row = std::find_if(std::begin(Row::table), std::end(Row::table), [&](const Row& one) {
    return one.op == operation_.op;
  });
  require(row != std::end(Row::table), "the operation may stand in a region");
  (this->*row->check)();
}

void Rules::check() const {
  require(
      operation_.regions.size() == region_count(operation_.op),
      fmt::format("it has {} regions", region_count(operation_.op)));
  check_type(type());
  if (is_elementwise(operation_.op)) {
    check_elementwise();
    return;
  }
  check_structure();
  if (operation_.op != Op::call) {
    require(
        structure_info(operation_.op).yields != type().is_none(),
        "it has a type where it yields a value, and only there");
  }
}

}  // namespace

std::string broken_rule(
    const Module& module, const Function& function, const Operation& operation) {
  try {
    Rules(module, function, operation).check();
  } catch (const Broken& broken) {
    return broken.rule;
  }
  return {};
}

std::string broken_rule(const Type& type) {
  try {
    check_type(type);
  } catch (const Broken& broken) {
    return broken.rule;
  }
  return {};
}

}  // namespace phalanx::ir
