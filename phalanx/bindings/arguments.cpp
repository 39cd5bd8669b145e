#include "phalanx/bindings/arguments.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstring>
#include <list>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/derived_types.h"
#include "phalanx/bindings/exchange.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/interchange.h"
#include "phalanx/bindings/made_once.h"
#include "phalanx/bindings/numpy.h"

namespace nb = nanobind;

namespace phalanx::bindings {

using ir::TypeKey;
using jit::Argument;
namespace key = ir::key;

[[gnu::hot]] const views::DeviceArray* device_array_in(PyObject* object) {
  static MadeOnce<PyTypeObject*> our_type;
  PyTypeObject* const base = our_type.get(
      [] { return reinterpret_cast<PyTypeObject*>(nb::type<views::DeviceArray>().ptr()); });
  static DerivedTypes derived;
  if (!derived.contains(Py_TYPE(object), base))
    return nullptr;
  // A subclass may have forgotten to call our __init__.
  if (!nb::inst_ready(object))
    throw TypeError("a DeviceArray was not initialised: its class must call super().__init__()");
  return nb::inst_ptr<views::DeviceArray>(object);
}

namespace {

// The element type of a NumPy dtype that is not built in, by its number in the type table.
std::uint32_t numbered_element(PyObject* dtype) {
  struct Known {
    nb::object dtype;  // held, so that its address stays its own
    std::uint32_t number;
  };
  struct Table {
    nb::ft_mutex mutex;
    std::vector<Known> rows;
  };
  static auto* const known = new Table();
  constexpr std::size_t most = 256;
  {
    const nb::ft_lock_guard lock(known->mutex);
    for (const Known& entry : known->rows) {
      if (entry.dtype.ptr() == dtype)
        return entry.number;
    }
  }
  const std::uint32_t number = engine().types().number(element_type(dtype));
  std::vector<Known> dropped;  // after the lock
  const nb::ft_lock_guard lock(known->mutex);
  if (known->rows.size() == most)
    dropped.swap(known->rows);
  known->rows.push_back({nb::borrow(dtype), number});
  return number;
}

}  // namespace

// Lists, as they allocate nothing for no elements.
struct Arguments::Slow {
  std::list<views::DeviceArray> arrays;
  std::vector<std::shared_ptr<const views::DeviceArray>> shared;
  std::list<BufferView> buffers;
  std::list<std::vector<std::int64_t>> strides;
  std::vector<nb::object> objects;
  std::vector<std::pair<PyObject*, nb::object>> lists;  // and what they were adapted to
  std::vector<nb::object> after;
  std::vector<Work> work;  // beside the first
};

void ArgumentRows::grow(std::size_t capacity) {
  auto larger = std::make_unique_for_overwrite<jit::Argument[]>(capacity);
  std::copy_n(first_, count_, larger.get());
  many_ = std::move(larger);
  first_ = many_.get();
  capacity_ = capacity;
}

void Arguments::DropSlow::operator()(Slow* slow) const { delete slow; }

Arguments::Slow& Arguments::slow() {
  if (!slow_)
    slow_.reset(new Slow());
  return *slow_;
}

void Arguments::refuse(PyObject* object) const {
  const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  std::string name = nb::cast<std::string>(type.attr("__name__"));
  const char* const way =
      PyList_Check(object) != 0 ? "; pass a NumPy array or a tuple"
      : has_attribute(type, "is_over_devices")
          ? ": pass each of x.parts, or x.gather(), the whole on one device"
          : "; pass numbers, arrays, or tuples, records and dataclasses of them";
  throw TypeError(subject() + " of type '" + name + "' cannot be passed to " + callee() + way);
}

std::string Arguments::subject() const {
  return position_ > 0 ? "argument " + std::to_string(position_) : std::string("a value");
}

std::string Arguments::callee() const {
  if (adapter_ == nullptr || !has_attribute(adapter_, "__name__"))
    return "a kernel";
  const char* const kind = kind_ == Callee::kernel ? "kernel " : "function ";
  return kind + nb::cast<std::string>(nb::handle(adapter_).attr("__name__"));
}

[[gnu::hot]] void Arguments::add_integer(PyObject* object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow == 0) {
    if (value == -1 && PyErr_Occurred() != nullptr)
      throw nb::python_error();
    row(key::scalar(DType::int64)).bits[0] = static_cast<std::uint64_t>(value);
    return;
  }
  const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
  if (overflow < 0 || PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return add_large_integer(object, overflow);
  }
  row(key::scalar(DType::uint64)).bits[0] = large;
}

// A function's declared type may be a float.
void Arguments::add_large_integer(PyObject* object, int sign) {
  if (adapter_ == nullptr || attribute_or_none(adapter_, "_takes_large_integers").ptr() != Py_True)
    throw TypeError(subject() + " is an int that does not fit 64 bits; split it, or pass a float");
  double value = PyLong_AsDouble(object);
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    value = sign * HUGE_VAL;
  }
  std::memcpy(row(jit::large_integer).bits, &value, sizeof(value));
}

[[gnu::hot]] bool Arguments::add_number(PyObject* object, PyTypeObject* type) {
  if (type == &PyFloat_Type) {
    const double value = PyFloat_AsDouble(object);
    std::memcpy(row(key::scalar(DType::float64)).bits, &value, sizeof(value));
  } else if (type == &PyLong_Type) {
    add_integer(object);
  } else if (type == &PyBool_Type) {
    row(key::scalar(DType::boolean)).bits[0] = object == Py_True ? 1 : 0;
  } else if (type == &PyComplex_Type) {
    const std::complex<double> value(
        PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object));
    std::memcpy(row(key::scalar(DType::complex128)).bits, &value, sizeof(value));
  } else {
    return false;
  }
  return true;
}

void Arguments::add_array(PyObject* object) {
  const auto* array = reinterpret_cast<const NumpyArray*>(object);
  const auto dtype = builtin_dtype(*array->descr);
  const bool is_mutable = (array->flags & NumpyArray::writeable) != 0;
  const auto layout = (array->flags & NumpyArray::c_contiguous) != 0   ? ir::Layout::c
                      : (array->flags & NumpyArray::f_contiguous) != 0 ? ir::Layout::f
                                                                       : ir::Layout::any;
  const auto ndim = static_cast<unsigned>(array->ndim);
  const TypeKey type = dtype ? key::array(*dtype, ndim, layout, is_mutable)
                             : key::array(element_number(object), ndim, layout, is_mutable);
  row(type).array = {array->data, array->shape, array->strides};
}

std::uint32_t Arguments::element_number(PyObject* array) const {
  NumpyDescr* const dtype = reinterpret_cast<const NumpyArray*>(array)->descr;
  try {
    return numbered_element(reinterpret_cast<PyObject*>(dtype));
  } catch (const TypeError& error) {
    throw TypeError(subject() + " cannot be passed to " + callee() + ": " + error.what());
  }
}

void Arguments::add_numpy_scalar(PyObject* object, PyTypeObject* type) {
  const auto dtype = Numpy::loaded()->scalar_dtype(type);
  if (!dtype)
    return add_other(object);
  const char* value = reinterpret_cast<const char*>(object) + numpy_scalar_offset;
  std::memcpy(row(key::scalar(*dtype)).bits, value, size_of(*dtype));
}

bool Arguments::add_numpy(PyObject* object, PyTypeObject* type) {
  const Numpy* numpy = Numpy::loaded();
  if (numpy == nullptr)
    return false;
  if (numpy->is_array(type)) {
    if (!numpy->is_exact_array(type) &&
        has_attribute(nb::handle(reinterpret_cast<PyObject*>(type)), "filled"))
      throw TypeError(
          subject() + " is a masked array, whose mask " + callee() +
          " would not see; pass .data and .mask, or .filled(value)");
    // Mapped and managed arrays: a GPU reaches their memory as it is.
    const bool is_reachable = !numpy->is_exact_array(type) && !current_device().is_host() &&
                              has_attribute(object, "__cuda_array_interface__");
    if (!is_reachable || !add_foreign_array(object))
      add_array(object);
  } else if (numpy->is_scalar(type)) {
    add_numpy_scalar(object, type);
  } else {
    return false;
  }
  return true;
}

// A named tuple's names are part of its type: kernels use them as attributes.
void Arguments::add_tuple(PyObject* object, PyTypeObject* type) {
  const auto count = static_cast<std::size_t>(PyTuple_Size(object));
  TypeKey tuple = key::tuple(count);
  if (type != &PyTuple_Type) {
    const nb::handle cls(reinterpret_cast<PyObject*>(type));
    std::vector<ir::Field> fields;
    for (nb::handle name : nb::object(nb::getattr(cls, "_fields", nb::make_tuple())))
      fields.push_back({nb::cast<std::string>(name), ir::Type::none(), 0});
    if (fields.size() == count && count > 0) {
      const auto name = nb::cast<std::string>(cls.attr("__name__"));
      tuple = key::named_tuple(
          count, engine().types().number(ir::Type::named_tuple(name, std::move(fields))));
    }
  }
  row(tuple);
  for (std::size_t i = 0; i < count; ++i)
    add_value(PyTuple_GetItem(object, static_cast<Py_ssize_t>(i)));
}

[[gnu::hot]] void Arguments::add_value(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  // The exact classes first: asking whether a class is derived from another walks all its bases.
  if (const Numpy* numpy = Numpy::loaded(); numpy != nullptr && numpy->is_exact_array(type))
    return add_array(object);
  if (add_number(object, type))
    return;  // an element of a tuple
  if (const views::DeviceArray* array = device_array_in(object))
    return add_elements(*array);
  if (add_numpy(object, type))
    return;
  if (object == Py_None) {
    row(key::none());
    return;
  }
  if (PyTuple_Check(object))
    return add_tuple(object, type);
  add_other(object);
}

void Arguments::add_record(PyObject* object) {
  BufferView& view = slow().buffers.emplace_back(object, PyBUF_SIMPLE);
  const nb::object dtype = nb::handle(object).attr("dtype");
  const bool is_mutable = nb::cast<bool>(nb::handle(object).attr("flags").attr("writeable"));
  row(key::record(numbered_element(dtype.ptr()), is_mutable)).array = {
      view.data(), nullptr, nullptr};
}

// datetime64 and timedelta64.
void Arguments::add_time(PyObject* object) {
  const nb::object dtype = nb::handle(object).attr("dtype");
  const char* value = reinterpret_cast<const char*>(object) + numpy_scalar_offset;
  std::memcpy(row(key::other(numbered_element(dtype.ptr()))).bits, value, sizeof(std::int64_t));
}

// A list that comes twice has one address: so the function knows it for one list.
bool Arguments::add_known_list(PyObject* object) {
  if (!slow_ || PyList_Check(object) == 0)
    return false;
  const auto known =
      std::ranges::find(slow_->lists, object, &std::pair<PyObject*, nb::object>::first);
  if (known == slow_->lists.end())
    return false;
  add_value(known->second.ptr());
  return true;
}

bool Arguments::add_adapted(PyObject* object) {
  if (add_known_list(object))
    return true;
  if (adapter_ == nullptr || !has_attribute(adapter_, "_adapt"))
    return false;
  nb::object adapted =
      outlive([&] { return nb::handle(adapter_).attr("_adapt")(nb::handle(object)); });
  if (adapted.is_none())
    return false;
  if (PyTuple_CheckExact(adapted.ptr()) && nb::len(adapted) == 2 &&
      PyCallable_Check(nb::object(adapted[1]).ptr()) != 0) {
    slow().after.push_back(adapted[1]);
    adapted = adapted[0];
  }
  if (adapted.ptr() == object)
    return false;
  slow().objects.push_back(adapted);
  if (PyList_Check(object) != 0)
    slow().lists.emplace_back(object, adapted);
  add_value(adapted.ptr());
  return true;
}

void Arguments::note_work(runtime::Device& device, std::uintptr_t stream) {
  const Work made{&device, stream};
  if (work_.device == nullptr)
    work_ = made;
  if (work_ == made)
    return;
  std::vector<Work>& known = slow().work;
  if (std::find(known.begin(), known.end(), made) == known.end())
    known.push_back(made);
}

std::int64_t* Arguments::room_for_strides(std::size_t ndim) {
  if (strides_.size() - strides_used_ < ndim)
    return slow().strides.emplace_back(ndim).data();
  std::int64_t* const room = strides_.data() + strides_used_;
  strides_used_ += ndim;
  return room;
}

// Libraries with DLPack's C interface: their tensors are read without any Python object.
bool Arguments::add_tensor(PyObject* object, PyTypeObject* type) {
  const ExchangeApi* api = exchange_api_of(type);
  if (api == nullptr)
    return false;
  nb::dlpack::dltensor tensor;
  if (api->tensor_of(object, &tensor) != 0)
    throw nb::python_error();
  const ir::Type element = element_of(tensor.dtype);
  const auto ndim = static_cast<std::size_t>(tensor.ndim);
  std::int64_t* strides = room_for_strides(ndim);
  fill_byte_strides(tensor, strides);
  const auto layout = layout_of(tensor.shape, strides, ndim, ir::size_of(element));
  Argument& made = row(key::array(element.dtype(), static_cast<unsigned>(ndim), layout, true));
  made.array = {static_cast<char*>(tensor.data) + tensor.byte_offset, tensor.shape, strides};
  runtime::Device& device = device_of(tensor.device);
  if (device.is_host())
    return true;
  made.device = &device;
  void* stream = nullptr;
  if (api->current_stream(tensor.device.device_type, tensor.device.device_id, &stream) != 0)
    throw nb::python_error();
  note_work(device, reinterpret_cast<std::uintptr_t>(stream));
  return true;
}

void Arguments::set_bytes(std::size_t number, const views::DeviceArray& array) {
  std::int64_t* const extents = room_for_strides(2);
  extents[0] = byte_range(array.shape, array.strides, array.item_bytes()).high;
  extents[1] = 1;
  Argument& made = rows()[number];
  made.key = key::array(DType::uint8, 1, ir::Layout::c, !array.is_read_only);
  jit::set_array(made, array);
  made.array.shape = extents;
  made.array.strides = extents + 1;
}

void Arguments::set_lent(std::size_t number, const views::DeviceArray& array) {
  Argument& made = rows()[number];
  made.key = array.key;
  jit::set_array(made, array);
  if (!array.device->is_host())
    note_work(*array.device, array.queue().handle());
}

// Arrays of the package are handed out as by their protocols, without an object of Python's.
bool Arguments::add_own_array(PyObject* object) {
  const arrays::Array* const array = array_in(object);
  if (array == nullptr || !can_lend(*array))
    return false;
  arrays::Memory memory;
  {
    const GraphAside no_gil;
    memory = lent_by(*array);
  }
  set_lent(add_row(), *memory);
  slow().shared.push_back(std::move(memory));
  return true;
}

bool Arguments::add_foreign_array(PyObject* object) {
  if (const nb::object interface = cuda_interface_of(object); !interface.is_none()) {
    std::uintptr_t stream = 0;
    slow().arrays.push_back(array_from_cuda_interface(object, interface, current_device(), stream));
    if (stream != 0)
      note_work(current_device(), stream);
  } else if (has_attribute(object, "__dlpack__")) {
    slow().arrays.push_back(array_from_dlpack(object));
  } else {
    return false;
  }
  add_elements(slow().arrays.back());
  return true;
}

// Other hosts' arrays, such as array.array and memoryview.
bool Arguments::add_buffer(PyObject* object) {
  if (PyObject_CheckBuffer(object) == 0)
    return false;
  BufferView& view = slow().buffers.emplace_back(object, PyBUF_FULL_RO);
  const auto dtype = view.dtype();
  if (!dtype)
    return false;
  const std::size_t ndim = view.shape().size();
  const auto layout =
      layout_of(view.shape().data(), view.strides().data(), ndim, view.item_bytes());
  row(key::array(*dtype, static_cast<unsigned>(ndim), layout, !view.is_read_only())).array = {
      view.data(), view.shape().data(), view.strides().data()};
  return true;
}

namespace {

// Python's own: they have none of the attributes that other libraries' arrays are known by.
bool is_plain_buffer(PyTypeObject* type) {
  return type == &PyByteArray_Type || type == &PyBytes_Type || type == &PyMemoryView_Type;
}

}  // namespace

void Arguments::add_other(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  if (is_plain_buffer(type) && add_buffer(object))
    return;
  if (const Numpy* numpy = Numpy::loaded(); numpy != nullptr && numpy->is_scalar(type)) {
    if (has_attribute(object, "dtype") &&
        !nb::object(nb::handle(object).attr("dtype").attr("fields")).is_none())
      return add_record(object);
    const nb::object dtype = nb::handle(object).attr("dtype");
    const auto kind = nb::cast<std::string>(dtype.attr("kind"));
    if (kind == "M" || kind == "m")
      return add_time(object);
    if (nb::cast<std::string>(dtype.attr("name")) == "bfloat16") {  // made by ml_dtypes
      const char* value = reinterpret_cast<const char*>(object) + numpy_scalar_offset;
      std::memcpy(row(key::scalar(DType::bfloat16)).bits, value, size_of(DType::bfloat16));
      return;
    }
    refuse(object);
  }
  if (PyLong_Check(object))  // IntEnum and other subclasses
    return add_integer(object);
  if (PyFloat_Check(object)) {
    const double value = PyFloat_AsDouble(object);
    std::memcpy(row(key::scalar(DType::float64)).bits, &value, sizeof(value));
    return;
  }
  if (add_own_array(object) || add_tensor(object, type) || add_foreign_array(object) ||
      add_buffer(object) || add_adapted(object))
    return;
  // A plain Enum member is passed as its value.
  const nb::object enum_type = nb::module_::import_("enum").attr("Enum");
  if (PyObject_IsInstance(object, enum_type.ptr()) == 1) {
    slow().objects.push_back(attribute_or_none(object, "value"));
    return add_value(slow().objects.back().ptr());
  }
  refuse(object);
}

void Arguments::order_all(runtime::Stream& stream) const {
  const auto order = [&](const Work& work) {
    // 0 and 1 both name the legacy default stream.
    const bool is_same =
        std::max<std::uintptr_t>(work.stream, 1) == std::max<std::uintptr_t>(stream.handle(), 1);
    if (is_same || work.device != &stream.device())
      return;
    const auto event = work.device->create_event(false);
    event->record(*work.device->external_stream(work.stream));
    stream.wait(*event);
  };
  order(work_);
  if (slow_)
    std::ranges::for_each(slow_->work, order);
}

void Arguments::keep_temporaries(jit::Graph& graph) {
  if (!slow_)
    return;
  for (const nb::object& object : slow_->objects) graph.keep(keep_alive(object));
}

const char* Arguments::passed_elements(PyObject* list, std::int64_t& count) const {
  count = 0;
  if (!slow_)
    return nullptr;
  const auto known =
      std::ranges::find(slow_->lists, list, &std::pair<PyObject*, nb::object>::first);
  if (known == slow_->lists.end())
    return nullptr;
  // See phalanx._functions.constants: a named tuple of the array of the elements.
  const auto* array = reinterpret_cast<const NumpyArray*>(PyTuple_GetItem(known->second.ptr(), 0));
  count = array->shape[0];
  return array->data;
}

void Arguments::call_functions() const {
  for (const nb::object& function : slow_->after) function();
}

ir::Type type_of(PyObject* value) {
  Arguments arguments(1, nullptr, Callee::kernel);
  if (value == nullptr)
    throw TypeError("no value");
  arguments.add(value);
  std::vector<TypeKey> keys;
  for (const Argument& argument : arguments.rows()) keys.push_back(argument.key);
  return engine().types().decode(keys).front();
}

}  // namespace phalanx::bindings
