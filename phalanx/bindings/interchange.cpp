#include "phalanx/bindings/interchange.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstring>
#include <string_view>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/cpython.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/numpy.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

BufferView::BufferView(PyObject* object, int flags) {
  if (PyObject_GetBuffer(object, &view_, flags) != 0)
    throw nb::python_error();
  static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
  const auto ndim = static_cast<std::size_t>(view_.ndim);  // 0: one element, as of NumPy's arrays
  count_ = view_.len / std::max<Py_ssize_t>(view_.itemsize, 1);
  if (view_.shape != nullptr)
    shape_ = {view_.shape, ndim};
  else if (ndim != 0)
    shape_ = {&count_, 1};
  if (view_.strides != nullptr) {
    strides_ = {view_.strides, ndim};
    return;
  }
  made_strides_ =
      views::contiguous_strides(Extents(shape_.begin(), shape_.end()), item_bytes(), ir::Layout::c);
  strides_ = made_strides_;
}

BufferView::~BufferView() { PyBuffer_Release(&view_); }

std::optional<DType> BufferView::dtype() const {
  std::string_view format = view_.format == nullptr ? "B" : view_.format;
  if (format == "B")  // bytes, most often
    return DType::uint8;
  if (!format.empty() && std::string_view("@=<").find(format.front()) != std::string_view::npos)
    format.remove_prefix(1);
  char kind = 0;
  if (format == "Zf" || format == "Zd")
    kind = 'c';
  else if (format.size() != 1)
    return std::nullopt;
  else if (format == "?")
    kind = 'b';
  else if (std::string_view("bhilqn").find(format[0]) != std::string_view::npos)
    kind = 'i';
  else if (std::string_view("BHILQNc").find(format[0]) != std::string_view::npos)
    kind = 'u';
  else if (std::string_view("efd").find(format[0]) != std::string_view::npos)
    kind = 'f';
  const std::string code = kind == 'b' ? "?" : std::string(1, kind) + std::to_string(item_bytes());
  for (std::size_t i = 0; i < dtype_table.size(); ++i) {
    if (dtype_table.at(i).numpy_code == code)
      return static_cast<DType>(i);
  }
  return std::nullopt;
}

namespace {

// See text_type in numpy.cpp.
bool is_text(const ir::Type& type) {
  return type.is_record() && type.fields().size() == 1 && type.fields()[0].name.starts_with("<");
}

}  // namespace

std::string typestr_of(const ir::Type& element) {
  if (element.is_time())
    return (element.time_kind() == ir::TimeKind::datetime ? "<M8" : "<m8") +
           (element.name() == "generic" ? "" : "[" + element.name() + "]");
  if (is_text(element)) {
    const ir::Field& characters = element.fields()[0];
    const std::string length = std::to_string(characters.shape[0]);
    return (characters.type.dtype() == DType::uint32 ? "<U" : "|S") + length;
  }
  if (!element.is_scalar() || info(element.dtype()).numpy_code.empty())
    return "|V" + std::to_string(ir::size_of(element));
  if (element.dtype() == DType::boolean)
    return "|b1";
  const std::string order = size_of(element.dtype()) == 1 ? "|" : "<";
  return order + std::string(info(element.dtype()).numpy_code);
}

nb::list descr_of(const ir::Type& element) {
  nb::list rows;
  if (!element.is_record()) {
    rows.append(nb::make_tuple("", typestr_of(element)));
    return rows;
  }
  std::size_t end = 0;
  const auto pad = [&](std::size_t offset) {
    if (offset > end)
      rows.append(nb::make_tuple("", "|V" + std::to_string(offset - end)));
  };
  for (const ir::Field& field : element.fields()) {
    pad(field.offset);
    const bool is_nested = field.type.is_record() && !is_text(field.type);
    nb::object type =
        is_nested ? nb::object(descr_of(field.type)) : nb::object(nb::cast(typestr_of(field.type)));
    if (field.shape.empty())
      rows.append(nb::make_tuple(field.name, type));
    else
      rows.append(nb::make_tuple(field.name, type, nb::tuple(nb::cast(field.shape))));
    end = field.offset + ir::size_of(field);
  }
  pad(ir::size_of(element));
  return rows;
}

namespace {

Extents extents_from(nb::handle sequence) {
  Extents extents;
  for (nb::handle item : sequence) extents.push_back(nb::cast<std::int64_t>(item));
  return extents;
}

// The names that array interfaces have, made once: this is on the way of every launch with arrays
// of such libraries.
struct Keys {
  nb::object typestr = nb::str("typestr");
  nb::object shape = nb::str("shape");
  nb::object strides = nb::str("strides");
  nb::object data = nb::str("data");
  nb::object descr = nb::str("descr");
  nb::object mask = nb::str("mask");
  nb::object stream = nb::str("stream");
};

const Keys& keys() {
  static const auto* const made = new Keys();
  return *made;
}

// None where there is no such item.
nb::object item_of(const nb::dict& interface, const nb::object& name) {
  nb::object found = dict_item(interface.ptr(), name.ptr());
  return found.is_valid() ? found : nb::none();
}

ir::Type element_of_interface(const nb::dict& interface) {
  const nb::object given = item_of(interface, keys().typestr);
  const char* const text = PyUnicode_AsUTF8AndSize(given.ptr(), nullptr);
  if (text == nullptr)
    throw nb::python_error();
  const std::string_view code = std::string_view(text).substr(text[0] == '\0' ? 0 : 1);
  if (code == "b1")
    return DType::boolean;
  if (code.starts_with("M") || code.starts_with("m"))
    return DType::int64;
  if (text[0] != '>') {
    for (std::size_t i = 0; i < dtype_table.size(); ++i) {
      if (dtype_table.at(i).numpy_code == code)
        return static_cast<DType>(i);
    }
  }
  const nb::object descr = item_of(interface, keys().descr);
  if (code.starts_with("V") && !descr.is_none())
    return element_type(nb::module_::import_("numpy").attr("dtype")(descr));
  throw TypeError("kernels have no element type for '" + std::string(text) + "'");
}

nb::dict interface_of(const views::DeviceArray& array, std::uintptr_t address) {
  nb::dict interface;
  nb::list shape;
  nb::list strides;
  for (const std::int64_t extent : array.shape) shape.append(extent);
  for (const std::int64_t stride : array.strides) strides.append(stride);
  interface["shape"] = nb::tuple(shape);
  interface["strides"] =
      array.layout() == ir::Layout::c ? nb::object(nb::none()) : nb::object(nb::tuple(strides));
  interface["data"] = nb::make_tuple(address, array.is_read_only);
  interface["typestr"] = typestr_of(array.element);
  interface["descr"] = descr_of(array.element);
  interface["version"] = 3;
  return interface;
}

nb::dict cuda_interface(const views::DeviceArray& array) {
  if (array.device->is_host())
    throw nb::attribute_error("arrays of the CPU device have no __cuda_array_interface__");
  nb::dict interface = interface_of(array, array.bytes() == 0 ? 0 : array.address);
  // 1 is the legacy default stream; 0 is not allowed there.
  const std::uintptr_t stream = array.queue().handle();
  interface["stream"] = stream == 0 ? 1 : stream;
  return interface;
}

nb::dict array_interface(const views::DeviceArray& array) {
  if (array.host == nullptr)
    throw nb::attribute_error(
        "the host cannot reach this array's memory: copy_to_host() makes a NumPy array of it");
  array.queue().synchronize();
  return interface_of(array, reinterpret_cast<std::uintptr_t>(array.host));
}

[[noreturn]] void refuse_mask() {
  PyErr_SetString(
      PyExc_NotImplementedError,
      "Masked arrays are not supported: pass the data and the mask as two arrays");
  throw nb::python_error();
}

}  // namespace

nb::object cuda_interface_of(nb::handle object) {
  return attribute_or_none(object, "__cuda_array_interface__");
}

views::DeviceArray array_from_cuda_interface(
    nb::handle object,
    const nb::object& given_interface,
    runtime::Device& device,
    std::uintptr_t& stream) {
  nb::dict interface;
  if (!nb::try_cast(given_interface, interface))
    throw TypeError("an object without a __cuda_array_interface__ is no array of a GPU");
  // Arrays of the CPU device mark theirs, see DeviceNDArray.
  const bool is_host = interface.contains("phalanx_host");
  if (is_host != device.is_host())
    throw TypeError(
        is_host ? "an array of the CPU device cannot be used on a GPU"
                : "an array in a GPU's memory cannot be used on the CPU device");
  ir::Type element = element_of_interface(interface);
  Extents shape = extents_from(item_of(interface, keys().shape));
  const nb::object given = item_of(interface, keys().strides);
  Extents strides = given.is_none()
                        ? views::contiguous_strides(shape, ir::size_of(element), ir::Layout::c)
                        : extents_from(given);
  const nb::object data = item_of(interface, keys().data);
  if (!item_of(interface, keys().mask).is_none())
    refuse_mask();
  const nb::object named = item_of(interface, keys().stream);
  stream = named.is_none() ? 0 : nb::cast<std::uintptr_t>(named);
  return views::foreign_array(
      engine().types(),
      device,
      nullptr,
      {.address = nb::cast<std::uintptr_t>(nb::object(data[nb::int_(0)])),
       .element = std::move(element),
       .shape = std::move(shape),
       .strides = std::move(strides),
       .is_read_only = nb::cast<bool>(nb::object(data[nb::int_(1)])),
       .owner = keep_alive(object)});
}

void bind_interchange(nb::module_& module, nb::class_<views::DeviceArray>& type) {
  type.def_prop_ro("__cuda_array_interface__", &cuda_interface);
  type.def_prop_ro("__array_interface__", &array_interface);
  module.def(
      "from_cuda_array_interface",
      [](nb::handle object, bool sync) {
        runtime::Device& device = current_device();
        std::uintptr_t stream = 0;
        views::DeviceArray array =
            array_from_cuda_interface(object, cuda_interface_of(object), device, stream);
        if (sync && stream != 0) {
          const GilReleased no_gil;
          device.external_stream(stream)->synchronize();
        }
        return array;
      },
      "object"_a,
      nb::kw_only(),
      "sync"_a = true,
      "An array over the memory of another library's GPU array.");
}

}  // namespace phalanx::bindings
