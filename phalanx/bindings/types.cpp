// ir::Type for Python: how signatures are built and argument types are shown.
#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/arguments.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/infer/signature.h"
#include "phalanx/ir/types.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace): the "name"_a of arguments

namespace phalanx::bindings {

namespace {

constexpr std::array<std::string_view, 7> kind_names = {
    "none", "scalar", "pointer", "array", "tuple", "record", "vector"};
constexpr std::array<std::string_view, 5> space_names = {
    "generic", "global", "shared", "local", "constant"};

DType dtype_of(std::string_view name) {
  if (const auto dtype = dtype_from_name(name))
    return *dtype;
  throw ValueError("there is no dtype '" + std::string(name) + "'");
}

ir::Space space_of(std::string_view name) {
  for (std::size_t i = 0; i < space_names.size(); ++i) {
    if (space_names.at(i) == name)
      return static_cast<ir::Space>(i);
  }
  throw ValueError("there is no memory space '" + std::string(name) + "'");
}

ir::Layout layout_of(std::string_view name) {
  if (name == "C")
    return ir::Layout::c;
  if (name == "F")
    return ir::Layout::f;
  if (name == "A" || name == "any")
    return ir::Layout::any;
  throw ValueError("an array's layout is 'C', 'F' or 'A', not '" + std::string(name) + "'");
}

ir::Type array_type(
    const ir::Type& element,
    unsigned ndim,
    std::string_view layout,
    bool is_mutable,
    std::string_view space) {
  return ir::Type::array(element, ndim, layout_of(layout), space_of(space), is_mutable);
}

using NamedType = std::pair<std::string, ir::Type>;
using FieldTuple = std::tuple<std::string, ir::Type, std::size_t>;
using Shape = std::vector<std::int64_t>;

ir::Type named_tuple_type(std::string name, const std::vector<NamedType>& fields) {
  std::vector<ir::Field> converted;
  for (const auto& [field, type] : fields) converted.push_back({field, type, 0});
  return ir::Type::named_tuple(std::move(name), std::move(converted));
}

ir::Type record_type(
    const std::vector<FieldTuple>& fields,
    std::size_t size,
    std::size_t alignment,
    std::vector<Shape> shapes) {
  std::vector<ir::Field> converted;
  shapes.resize(fields.size());
  for (const auto& [field, type, offset] : fields) {
    Shape& shape = shapes[converted.size()];
    converted.push_back({field, type, offset, std::move(shape)});
  }
  return ir::Type::record(std::move(converted), size, alignment);
}

// An attribute that only some kinds of types have.
void need(bool has, const ir::Type& type, const char* attribute) {
  if (!has)
    throw nb::attribute_error(("the type " + ir::to_string(type) + " has no " + attribute).c_str());
}

std::string_view dtype_name(const ir::Type& type) {
  need(type.is_scalar() || type.is_vector(), type, "dtype");
  return info(type.dtype()).name;
}

const ir::Type& element(const ir::Type& type) {
  need(type.is_array() || type.is_pointer(), type, "element");
  return type.element();
}

std::vector<FieldTuple> fields(const ir::Type& type) {
  need(type.is_tuple() || type.is_record(), type, "fields");
  std::vector<FieldTuple> converted;
  for (const ir::Field& field : type.fields())
    converted.emplace_back(field.name, field.type, field.offset);
  return converted;
}

std::vector<Shape> field_shapes(const ir::Type& type) {
  need(type.is_record(), type, "field_shapes");
  std::vector<Shape> shapes;
  for (const ir::Field& field : type.fields()) shapes.push_back(field.shape);
  return shapes;
}

ir::Type time_type(std::string_view kind, std::string_view unit) {
  if (kind != "datetime" && kind != "timedelta")
    throw ValueError("a time is a 'datetime' or a 'timedelta', not '" + std::string(kind) + "'");
  return ir::Type::time(
      kind == "datetime" ? ir::TimeKind::datetime : ir::TimeKind::timedelta, unit);
}

std::string_view layout_name(const ir::Type& type) {
  need(type.is_array(), type, "layout");
  constexpr std::array<std::string_view, 3> names = {"C", "F", "A"};
  return names.at(static_cast<std::size_t>(type.layout()));
}

void need_memory_form(const ir::Type& type, const char* attribute) {
  need(!type.is_none() && !type.is_array() && !type.is_tuple(), type, attribute);
}

void bind_makers(nb::class_<ir::Type>& type) {
  type.def_static(
      "scalar", [](std::string_view name) { return ir::Type(dtype_of(name)); }, "dtype"_a);
  type.def_static(
      "array",
      &array_type,
      "element"_a,
      "ndim"_a,
      "layout"_a,
      "mutable"_a = true,
      "space"_a = "global");
  type.def_static(
      "pointer",
      [](const ir::Type& pointee, std::string_view space) {
        return ir::Type::pointer(pointee, space_of(space));
      },
      "element"_a,
      "space"_a = "global");
  type.def_static("tuple", &ir::Type::tuple, "elements"_a);
  type.def_static("named_tuple", &named_tuple_type, "name"_a, "fields"_a);
  type.def_static(
      "record",
      &record_type,
      "fields"_a,
      "size"_a,
      "alignment"_a = 1,
      "shapes"_a = std::vector<Shape>());
  type.def_static("time", &time_type, "kind"_a, "unit"_a);
  type.def_static(
      "vector",
      [](std::string_view name, unsigned lanes) { return ir::Type::vector(dtype_of(name), lanes); },
      "dtype"_a,
      "lanes"_a);
  type.def_static("none", &ir::Type::none);
}

void bind_attributes(nb::class_<ir::Type>& type) {
  type.def_prop_ro("kind", [](const ir::Type& self) {
    if (self.is_time())
      return std::string_view(
          self.time_kind() == ir::TimeKind::datetime ? "datetime" : "timedelta");
    return kind_names.at(static_cast<std::size_t>(self.kind()));
  });
  type.def_prop_ro("dtype", &dtype_name);
  type.def_prop_ro("element", &element);
  type.def_prop_ro("ndim", [](const ir::Type& self) {
    need(self.is_array(), self, "ndim");
    return self.ndim();
  });
  type.def_prop_ro("layout", &layout_name);
  type.def_prop_ro("mutable", [](const ir::Type& self) {
    need(self.is_array(), self, "mutable");
    return self.is_mutable();
  });
  type.def_prop_ro("space", [](const ir::Type& self) {
    need(self.is_array() || self.is_pointer(), self, "space");
    return ir::to_string(self.space());
  });
  type.def_prop_ro("name", [](const ir::Type& self) {
    need(self.is_tuple() || self.is_time(), self, "name");
    return self.name();
  });
  type.def_prop_ro("fields", &fields);
  type.def_prop_ro("field_shapes", &field_shapes);
  type.def_prop_ro("lanes", [](const ir::Type& self) {
    need(self.is_vector(), self, "lanes");
    return self.lanes();
  });
  type.def_prop_ro("size", [](const ir::Type& self) {
    need_memory_form(self, "size");
    return ir::size_of(self);
  });
  type.def_prop_ro("alignment", [](const ir::Type& self) {
    need_memory_form(self, "alignment");
    return ir::alignment_of(self);
  });
}

}  // namespace

void bind_types(nb::module_& module) {
  nb::class_<ir::Type> type(module, "Type", "A type of values in kernels.");
  bind_makers(type);
  bind_attributes(type);
  type.def(
      "__eq__",
      [](const ir::Type& self, const ir::Type& other) { return self == other; },
      nb::is_operator());
  type.def("__hash__", [](const ir::Type& self) {
    return std::hash<std::string>()(ir::to_string(self));
  });
  type.def("__str__", [](const ir::Type& self) { return ir::to_string(self); });
  type.def("__repr__", [](const ir::Type& self) { return "<Type " + ir::to_string(self) + ">"; });

  module.def(
      "typeof",
      [](nb::handle value) { return type_of(value.ptr()); },
      "value"_a.none(),
      "The type that a launch gives a value. Raises TypeError for what cannot be passed.");
  module.def(
      "parse_signature",
      [](std::string_view text) {
        infer::ParsedSignature parsed = infer::parse_signature(text);
        return std::pair(std::move(parsed.result), std::move(parsed.arguments));
      },
      "text"_a,
      "Return type (None where not given) and argument types of a signature as Numba writes it.");
}

}  // namespace phalanx::bindings
