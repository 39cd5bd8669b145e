#include "phalanx/ir/types.h"

#include <algorithm>
#include <array>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/ir/text.h"

namespace phalanx::ir {

struct Type::Payload {
  Type element = {};
  Space space = Space::generic;
  unsigned count = 0;  // array: dimensions; vector: lanes
  Layout layout = Layout::c;
  bool is_mutable = true;
  std::string name = {};
  std::vector<Field> fields = {};
  std::size_t bytes = 0;      // record
  std::size_t alignment = 1;  // record
  TimeKind time_kind = TimeKind::datetime;

  bool operator==(const Payload&) const = default;
};

namespace {

constexpr std::array<std::string_view, 5> space_names = {
    "generic", "global", "shared", "local", "constant"};
constexpr std::array<std::string_view, 3> layout_names = {"C", "F", "any"};
constexpr std::size_t pointer_bytes = 8;
constexpr std::size_t widest_vector_alignment = 16;  // of any type in CUDA

}  // namespace

Type Type::pointer(Type element, Space space) {
  return Type(
      TypeKind::pointer,
      std::make_shared<Payload>(Payload{.element = std::move(element), .space = space}));
}

Type Type::array(Type element, unsigned ndim, Layout layout, Space space, bool is_mutable) {
  return Type(
      TypeKind::array,
      std::make_shared<Payload>(Payload{
          .element = std::move(element),
          .space = space,
          .count = ndim,
          .layout = layout,
          .is_mutable = is_mutable}));
}

Type Type::tuple(std::vector<Type> elements) {
  std::vector<Field> fields = {};
  fields.reserve(elements.size());
  for (Type& element : elements)
    fields.push_back({.name = {}, .type = std::move(element), .offset = 0});
  return named_tuple({}, std::move(fields));
}

Type Type::named_tuple(std::string name, std::vector<Field> fields) {
  for (Field& field : fields) {
    field.offset = 0;
    field.shape.clear();
  }
  return Type(
      TypeKind::tuple,
      std::make_shared<Payload>(Payload{.name = std::move(name), .fields = std::move(fields)}));
}

Type Type::record(std::vector<Field> fields, std::size_t bytes, std::size_t alignment) {
  return Type(
      TypeKind::record,
      std::make_shared<Payload>(
          Payload{.fields = std::move(fields), .bytes = bytes, .alignment = alignment}));
}

Type Type::vector(DType dtype, unsigned lanes) {
  Type type(TypeKind::vector, std::make_shared<Payload>(Payload{.count = lanes}));
  type.dtype_ = dtype;
  return type;
}

Type Type::time(TimeKind kind, std::string_view unit) {
  Type type(
      TypeKind::vector,
      std::make_shared<Payload>(Payload{.count = 1, .name = std::string(unit), .time_kind = kind}));
  type.dtype_ = DType::int64;
  return type;
}

bool Type::is_time() const { return is_vector() && !payload_->name.empty(); }
TimeKind Type::time_kind() const {
  PHX_ASSERT(is_time());
  return payload_->time_kind;
}

DType Type::dtype() const {
  PHX_ASSERT(is_scalar() || is_vector());
  return dtype_;
}
const Type& Type::element() const {
  PHX_ASSERT(is_pointer() || is_array());
  return payload_->element;
}
Space Type::space() const {
  PHX_ASSERT(is_pointer() || is_array());
  return payload_->space;
}
unsigned Type::ndim() const {
  PHX_ASSERT(is_array());
  return payload_->count;
}
Layout Type::layout() const {
  PHX_ASSERT(is_array());
  return payload_->layout;
}
bool Type::is_mutable() const {
  PHX_ASSERT(is_array());
  return payload_->is_mutable;
}
unsigned Type::lanes() const {
  PHX_ASSERT(is_vector());
  return payload_->count;
}
const std::string& Type::name() const {
  PHX_ASSERT(is_tuple() || is_time());
  return payload_->name;
}
const std::vector<Field>& Type::fields() const {
  PHX_ASSERT(is_tuple() || is_record());
  return payload_->fields;
}

bool Type::operator==(const Type& other) const {
  if (kind_ != other.kind_ || dtype_ != other.dtype_)
    return false;
  if (payload_ == other.payload_)
    return true;
  return payload_ != nullptr && other.payload_ != nullptr && *payload_ == *other.payload_;
}

std::size_t size_of(const Type& type) {
  switch (type.kind()) {
    case TypeKind::scalar:
      return size_of(type.dtype());
    case TypeKind::vector:
      return type.lanes() * size_of(type.dtype());
    case TypeKind::pointer:
      return pointer_bytes;
    case TypeKind::record:
      return type.record_bytes();
    case TypeKind::none:
    case TypeKind::array:
    case TypeKind::tuple:
      break;
  }
  PHX_ASSERT(false && "a type without a form in memory");
  return 0;
}

std::size_t alignment_of(const Type& type) {
  switch (type.kind()) {
    case TypeKind::scalar:
      return is_complex(type.dtype()) ? size_of(type.dtype()) / 2 : size_of(type.dtype());
    case TypeKind::vector: {
      // As CUDA's float2, float3, float4: a power of two is aligned as a whole.
      const std::size_t element = size_of(real_part_of(type.dtype()));
      const bool is_whole = (type.lanes() & (type.lanes() - 1)) == 0;
      return is_whole ? std::min(size_of(type), widest_vector_alignment) : element;
    }
    case TypeKind::pointer:
      return pointer_bytes;
    case TypeKind::record:
      return type.record_alignment();
    case TypeKind::none:
    case TypeKind::array:
    case TypeKind::tuple:
      break;
  }
  PHX_ASSERT(false && "a type without a form in memory");
  return 1;
}

std::size_t size_of(const Field& field) {
  std::size_t bytes = size_of(field.type);
  for (const std::int64_t extent : field.shape) bytes *= static_cast<std::size_t>(extent);
  return bytes;
}

std::size_t Type::record_bytes() const {
  PHX_ASSERT(is_record());
  return payload_->bytes;
}
std::size_t Type::record_alignment() const {
  PHX_ASSERT(is_record());
  return payload_->alignment;
}

std::string_view to_string(Space space) { return space_names.at(static_cast<std::size_t>(space)); }
std::string_view to_string(Layout layout) {
  return layout_names.at(static_cast<std::size_t>(layout));
}

namespace {

std::string fields_to_string(const Type& type) {
  std::string text;
  for (const Field& field : type.fields()) {
    if (!text.empty())
      text += ", ";
    if (!field.name.empty())
      text += identifier_or_quoted(field.name) + ": ";
    text += to_string(field.type);
    for (std::size_t i = 0; i < field.shape.size(); ++i)
      text += (i == 0 ? "[" : ", ") + std::to_string(field.shape[i]);
    text += field.shape.empty() ? "" : "]";
    if (type.is_record())
      text += " @" + std::to_string(field.offset);
  }
  return text;
}

}  // namespace

std::string to_string(const Type& type) {
  switch (type.kind()) {
    case TypeKind::none:
      return "none";
    case TypeKind::scalar:
      return std::string(info(type.dtype()).text);
    case TypeKind::pointer:
      return "ptr<" + to_string(type.element()) + ", " + std::string(to_string(type.space())) + ">";
    case TypeKind::array:
      return std::string("array<") + (type.is_mutable() ? "" : "const ") +
             to_string(type.element()) + ", " + std::to_string(type.ndim()) + ", " +
             std::string(to_string(type.layout())) + ", " + std::string(to_string(type.space())) +
             ">";
    case TypeKind::tuple: {
      // One element without a name needs the comma, as in Python.
      const bool is_single = type.name().empty() && type.fields().size() == 1;
      return (type.name().empty() ? "" : identifier_or_quoted(type.name())) + "(" +
             fields_to_string(type) + (is_single ? ",)" : ")");
    }
    case TypeKind::record: {
      const std::string fields = fields_to_string(type);
      return "record<" + std::to_string(type.record_bytes()) + ", " +
             std::to_string(type.record_alignment()) + (fields.empty() ? "" : ", ") + fields + ">";
    }
    case TypeKind::vector:
      if (type.is_time())
        return (type.time_kind() == TimeKind::datetime ? "datetime<" : "timedelta<") +
               quoted(type.name()) + ">";
      return "vec<" + std::string(info(type.dtype()).text) + ", " + std::to_string(type.lanes()) +
             ">";
  }
  return {};
}

}  // namespace phalanx::ir
