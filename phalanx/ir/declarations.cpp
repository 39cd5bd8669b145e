#include "phalanx/ir/declarations.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "phalanx/base/dtype.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/builder.h"

namespace phalanx::ir {

namespace {

using Value = Builder::Value;
using Values = Builder::Values;

std::string text_of(const Type& type) {
  switch (type.kind()) {
    case TypeKind::none:
      return "void";
    case TypeKind::scalar:
      return std::string(info(type.dtype()).name);
    case TypeKind::pointer:
      return "pointer to " + text_of(type.element());
    case TypeKind::tuple:
    case TypeKind::record:
      break;
    default:
      return to_string(type);
  }
  std::string text = type.is_tuple() && !type.name().empty() ? type.name() + "(" : "(";
  for (std::size_t i = 0; i < type.fields().size(); ++i) {
    const Field& field = type.fields()[i];
    text += (i == 0 ? "" : ", ") + (field.name.empty() ? "" : field.name + ": ");
    text += text_of(field.type);
    for (const std::int64_t extent : field.shape) text += "[" + std::to_string(extent) + "]";
    if (type.is_record())
      text += " at " + std::to_string(field.offset);
  }
  return text + ")";
}

bool is_integer_number(const Type& type) {
  return type.is_scalar() && is_integer(type.dtype()) && !is_boolean(type.dtype());
}

bool is_byte(const Type& type) { return type.is_scalar() && size_of(type.dtype()) == 1; }

bool is_same_number(const Type& a, const Type& b) {
  return a == b ||
         (is_integer_number(a) && is_integer_number(b) && size_of(a.dtype()) == size_of(b.dtype()));
}

bool is_complex_number(const Type& type) { return type.is_scalar() && is_complex(type.dtype()); }

// C's pointers in memory are numbers.
bool is_address(const Type& type) {
  return type.is_pointer() || (is_integer_number(type) && size_of(type.dtype()) == sizeof(void*));
}

// Records are known by where they lie.
bool is_record_in_memory(const Type& type) {
  return type.is_pointer() && type.element().is_record();
}

bool has_same_layout(const Type& a, const Type& b);

// Bytes are what C calls void*; numbers may be looked at as structs of such, as float4 is.
bool leads_to_same(const Type& a, const Type& b) {
  if (a.is_none() || b.is_none() || is_byte(a) || is_byte(b) || a == b)
    return true;
  if (a.is_record() && b.is_record())
    return has_same_layout(a, b);
  if (a.is_record() || b.is_record())
    return true;
  if (a.is_pointer() || b.is_pointer())
    return is_address(a) && is_address(b);
  if (is_complex_number(a) && !is_complex_number(b))
    return b == Type(real_part_of(a.dtype()));
  if (is_complex_number(b) && !is_complex_number(a))
    return a == Type(real_part_of(b.dtype()));
  return is_same_number(a, b);
}

bool has_same_layout(const Type& a, const Type& b) {
  return size_of(a) == size_of(b) &&
         std::ranges::equal(a.fields(), b.fields(), [](const Field& one, const Field& other) {
           return one.offset == other.offset && one.shape == other.shape &&
                  size_of(one) == size_of(other) && leads_to_same(one.type, other.type);
         });
}

class Adapter {
 public:
  Adapter(Function& declared, Function& definition)
      : declared_(declared), definition_(definition), builder_(declared, body_) {}

  std::string run();

 private:
  // Memory of a record's type, or with a shape an array of such.
  struct Element {
    Value pointer;
    std::vector<std::int64_t> shape = {};
    bool is_number() const { return shape.empty() && !pointer->type.element().is_record(); }
  };

  Values arguments();
  void give_result(Value called);
  Value converted(Value value, const Type& to);
  Value tuple_of(Value value, const Type& to);
  std::vector<Element> parts_of(const Element& whole);
  Value loaded(const Element& from, const Type& to);
  bool store(Value value, const Element& to);
  Value fitted(Value value, const Type& to, const std::string& what);
  Value moved(Value pointer, std::int64_t bytes, const Type& to);
  Value memory(const Type& type);

  Function& declared_;
  Function& definition_;
  Region body_;
  Builder builder_;
  Value result_ = nullptr;  // where a function that returns a status puts it
  std::string problem_;
};

std::string Adapter::run() {
  const std::size_t variables = declared_.variables.size();
  const Values given = arguments();
  if (problem_.empty())
    give_result(builder_.call(definition_, given));
  if (!problem_.empty()) {
    declared_.variables.resize(variables);
    return problem_;
  }
  declared_.body = std::move(body_);
  declared_.kind = FunctionKind::device;
  declared_.returns_status = false;
  return {};
}

Values Adapter::arguments() {
  const std::size_t first = declared_.returns_status ? 1 : 0;
  const std::size_t wanted = definition_.parameters.size();
  if (wanted != declared_.parameters.size() + first) {
    problem_ = "the numbers of parameters differ";
    if (first != 0)
      problem_ +=
          ", with the pointer to the result that a function of Numba's convention takes "
          "first; abi=\"c\" declares one that returns it";
    return {};
  }
  Values given;
  if (first != 0) {
    const Type& type = declared_.result;
    if (type.is_tuple() || type.is_array()) {
      problem_ = "a function of Numba's convention gives numbers, pointers and records";
      return {};
    }
    result_ = memory(
        type.is_none()              ? Type(DType::int64)
        : is_record_in_memory(type) ? type.element()
                                    : type);
    given.push_back(fitted(result_, definition_.parameters[0]->type, "the pointer to the result"));
  }
  for (std::size_t i = 0; i < declared_.parameters.size(); ++i)
    given.push_back(fitted(
        builder_.parameter(i),
        definition_.parameters[i + first]->type,
        "parameter " + std::to_string(i + 1)));
  return given;
}

void Adapter::give_result(Value called) {
  const Type& to = declared_.result;
  if (result_ != nullptr) {
    if (definition_.result != Type(DType::int32) && definition_.result != Type(DType::uint32))
      problem_ =
          "a function of Numba's convention returns an int, its status; abi=\"c\" declares "
          "one that returns its result";
    const bool is_memory = is_record_in_memory(to);
    builder_.return_(
        to.is_none() ? nullptr
        : is_memory  ? moved(result_, 0, to)
                     : builder_.load(result_));
  } else if (to.is_none()) {
    builder_.return_();  // what the function gives is not looked at
  } else if (definition_.result.is_none()) {
    problem_ = "the function returns nothing";
  } else if (Value value = fitted(called, to, "the result"); value != nullptr) {
    builder_.return_(value);
  }
}

Value Adapter::fitted(Value value, const Type& to, const std::string& what) {
  if (value->type == to)
    return value;
  Value made = converted(value, to);
  if (made == nullptr && problem_.empty())
    problem_ = what + " differs";
  return made;
}

// nullptr: they do not fit.
Value Adapter::converted(Value value, const Type& to) {
  const Type from = value->type;
  if (from == to)
    return value;
  if (from.is_scalar() && to.is_scalar())
    return is_same_number(from, to) ? builder_.cast(value, to.dtype()) : nullptr;
  if (from.is_pointer() && to.is_pointer())
    return leads_to_same(from.element(), to.element()) ? moved(value, 0, to) : nullptr;
  if (to.is_tuple())
    return tuple_of(value, to);
  if (from.is_tuple() && is_complex_number(to) && from.fields().size() == 2) {
    Value real = builder_.tuple_get(value, 0);
    Value imaginary = builder_.tuple_get(value, 1);
    const Type part = real_part_of(to.dtype());
    return real->type == part && imaginary->type == part ? builder_.complex_make(real, imaginary)
                                                         : nullptr;
  }
  if (from.is_tuple() && to.is_pointer() && to.element().is_record()) {
    Value record = memory(to.element());
    return store(value, {record}) ? moved(record, 0, to) : nullptr;
  }
  return nullptr;
}

Value Adapter::tuple_of(Value value, const Type& to) {
  if (value->type.is_pointer())
    return value->type.element().is_record() ? loaded({value}, to) : nullptr;
  const bool is_complex = is_complex_number(value->type);
  const std::size_t count = is_complex               ? 2
                            : value->type.is_tuple() ? value->type.fields().size()
                                                     : 0;
  if (count == 0 || count != to.fields().size())
    return nullptr;
  Values parts;
  for (std::size_t i = 0; i < count; ++i) {
    Value part = is_complex ? (i == 0 ? builder_.complex_real(value) : builder_.complex_imag(value))
                            : builder_.tuple_get(value, i);
    part = converted(part, to.fields()[i].type);
    if (part == nullptr)
      return nullptr;
    parts.push_back(part);
  }
  return builder_.tuple_make(to, parts);
}

// What lies at `whole`: the elements of its shape's first dimension, else the fields of a record.
std::vector<Adapter::Element> Adapter::parts_of(const Element& whole) {
  const Type type = whole.pointer->type;
  std::vector<Element> parts;
  if (whole.shape.empty()) {
    for (const Field& field : type.element().fields()) {
      const auto offset = static_cast<std::int64_t>(field.offset);
      Value place = moved(whole.pointer, offset, Type::pointer(field.type, type.space()));
      parts.push_back({place, field.shape});
    }
    return parts;
  }
  const std::vector<std::int64_t> rest(whole.shape.begin() + 1, whole.shape.end());
  auto step = static_cast<std::int64_t>(size_of(type.element()));
  for (const std::int64_t extent : rest) step *= extent;
  for (std::int64_t i = 0; i < whole.shape.front(); ++i)
    parts.push_back({moved(whole.pointer, i * step, type), rest});
  return parts;
}

// What lies there as one value: a number, or a tuple of the parts.
Value Adapter::loaded(const Element& from, const Type& to) {
  if (from.is_number())
    return converted(builder_.load(from.pointer), to);
  const std::vector<Element> parts = parts_of(from);
  if (!to.is_tuple() || to.fields().size() != parts.size())
    return nullptr;
  Values values;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    values.push_back(loaded(parts[i], to.fields()[i].type));
    if (values.back() == nullptr)
      return nullptr;
  }
  return builder_.tuple_make(to, values);
}

// Returns whether the value fits what lies there.
bool Adapter::store(Value value, const Element& to) {
  if (to.is_number()) {
    Value fit = converted(value, to.pointer->type.element());
    if (fit != nullptr)
      builder_.store(to.pointer, fit);
    return fit != nullptr;
  }
  const std::vector<Element> parts = parts_of(to);
  if (!value->type.is_tuple() || value->type.fields().size() != parts.size())
    return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!store(builder_.tuple_get(value, i), parts[i]))
      return false;
  }
  return true;
}

Value Adapter::moved(Value pointer, std::int64_t bytes, const Type& to) {
  return builder_.pointer_offset(pointer, builder_.integer(bytes), to);
}

Value Adapter::memory(const Type& type) {
  return builder_.array_data(local_array(builder_, type, {1}));
}

}  // namespace

std::string declaration_of(const Function& function, const std::string& name) {
  std::string text;
  if (function.returns_status) {
    text = "int32 " + name + "(pointer to " + text_of(function.result);
    for (const auto& parameter : function.parameters) text += ", " + text_of(parameter->type);
    return text + ")";
  }
  text = text_of(function.result) + " " + name + "(";
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    text += (i == 0 ? "" : ", ") + text_of(function.parameters[i]->type);
  return text + ")";
}

std::string define_by(Function& declared, Function& definition) {
  return Adapter(declared, definition).run();
}

}  // namespace phalanx::ir
