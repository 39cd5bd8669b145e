#include "phalanx/infer/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "phalanx/ir/lists.h"

namespace phalanx::infer {
namespace {

struct Alias {
  std::string_view name;
  DType dtype;
};

// Names beyond those of dtypes.def; widths are those of 64-bit Linux.
constexpr std::array aliases = {
    Alias{"b1", DType::boolean},       Alias{"bool", DType::boolean},
    Alias{"bool_", DType::boolean},    Alias{"i1", DType::int8},
    Alias{"i2", DType::int16},         Alias{"i4", DType::int32},
    Alias{"i8", DType::int64},         Alias{"u1", DType::uint8},
    Alias{"u2", DType::uint16},        Alias{"u4", DType::uint32},
    Alias{"u8", DType::uint64},        Alias{"f2", DType::float16},
    Alias{"f4", DType::float32},       Alias{"f8", DType::float64},
    Alias{"c8", DType::complex64},     Alias{"c16", DType::complex128},
    Alias{"intp", DType::int64},       Alias{"uintp", DType::uint64},
    Alias{"int_", DType::int64},       Alias{"uint", DType::uint64},
    Alias{"intc", DType::int32},       Alias{"uintc", DType::uint32},
    Alias{"char", DType::int8},        Alias{"uchar", DType::uint8},
    Alias{"byte", DType::uint8},       Alias{"short", DType::int16},
    Alias{"ushort", DType::uint16},    Alias{"long_", DType::int64},
    Alias{"ulong", DType::uint64},     Alias{"longlong", DType::int64},
    Alias{"ulonglong", DType::uint64}, Alias{"ssize_t", DType::int64},
    Alias{"size_t", DType::uint64},    Alias{"float_", DType::float32},
    Alias{"double", DType::float64},
};

std::string_view layout_letter(ir::Layout layout) {
  switch (layout) {
    case ir::Layout::c:
      return "C";
    case ir::Layout::f:
      return "F";
    case ir::Layout::any:
      return "A";
  }
  return "";
}

std::string tuple_name(const ir::Type& type) {
  const auto& fields = type.fields();
  const bool plain = type.name().empty();
  const bool same = !fields.empty() && std::ranges::all_of(fields, [&](const ir::Field& field) {
    return field.type == fields.front().type;
  });
  if (same) {
    return fmt::format(
        "{}({} x {})",
        plain ? "UniTuple" : type.name(),
        numba_name(fields.front().type),
        fields.size());
  }
  std::string inner;
  for (const ir::Field& field : fields)
    inner += (inner.empty() ? "" : ", ") + numba_name(field.type);
  return fmt::format("{}({})", plain ? "Tuple" : type.name(), inner);
}

std::string_view kind_name(ir::TimeKind kind) {
  return kind == ir::TimeKind::datetime ? "datetime" : "timedelta";
}

std::string field_type(const ir::Field& field) {
  if (field.shape.empty())
    return numba_name(field.type);
  return fmt::format(
      "nestedarray({}, ({}{}))",
      numba_name(field.type),
      fmt::join(field.shape, ", "),
      field.shape.size() == 1 ? "," : "");
}

std::string record_name(const ir::Type& type) {
  if (const ir::Type list = ir::Type::pointer(type, ir::Space::global); ir::is_list(list))
    return fmt::format("list({})", numba_name(ir::list_element(list)));
  std::string inner;
  for (const ir::Field& field : type.fields()) {
    inner += inner.empty() ? "" : ",";
    inner += fmt::format("{}[type={};offset={}]", field.name, field_type(field), field.offset);
  }
  const bool aligned = ir::alignment_of(type) > 1;
  return fmt::format("Record({};{};{})", inner, ir::size_of(type), aligned ? "True" : "False");
}

}  // namespace

std::string numba_name(const ir::Type& type) {
  switch (type.kind()) {
    case ir::TypeKind::none:
      return "none";
    case ir::TypeKind::scalar:
      return is_boolean(type.dtype()) ? "bool" : std::string(info(type.dtype()).name);
    case ir::TypeKind::pointer:
      return numba_name(type.element()) + (ir::is_list(type) ? "" : "*");
    case ir::TypeKind::array:
      return fmt::format(
          "{}array({}, {}d, {})",
          type.is_mutable() ? "" : "readonly ",
          numba_name(type.element()),
          type.ndim(),
          layout_letter(type.layout()));
    case ir::TypeKind::tuple:
      return tuple_name(type);
    case ir::TypeKind::record:
      return record_name(type);
    case ir::TypeKind::vector:
      if (type.is_time())
        return fmt::format("{}64[{}]", kind_name(type.time_kind()), type.name());
      return fmt::format("{}x{}", info(type.dtype()).name, type.lanes());
  }
  return "";
}

std::optional<DType> dtype_from_numba(std::string_view name) {
  if (const auto dtype = dtype_from_name(name))
    return dtype;
  const auto found = std::ranges::find(aliases, name, &Alias::name);
  return found == aliases.end() ? std::nullopt : std::optional(found->dtype);
}

}  // namespace phalanx::infer
