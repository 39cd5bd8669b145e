#include "phalanx/bindings/result.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/arguments.h"
#include "phalanx/bindings/cpython.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/numpy.h"
#include "phalanx/bindings/numpy_make.h"
#include "phalanx/ir/abi.h"
#include "phalanx/ir/lists.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

template <typename T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

double half_to_double(std::uint16_t bits) {
  const int exponent = bits >> 10U & 0x1fU;
  const double fraction = (bits & 0x3ffU) / 1024.0;
  double value = 0;
  if (exponent == 0x1f)
    value = fraction == 0 ? HUGE_VAL : NAN;
  else
    value = exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  return (bits & 0x8000U) != 0 ? -value : value;
}

// As Numba: every number becomes Python's own.
PyObject* number_of(DType dtype, const std::byte* from) {
  switch (dtype) {
    case DType::boolean:
      return PyBool_FromLong(read<std::uint8_t>(from) != 0 ? 1 : 0);
    case DType::int8:
      return PyLong_FromLong(read<std::int8_t>(from));
    case DType::int16:
      return PyLong_FromLong(read<std::int16_t>(from));
    case DType::int32:
      return PyLong_FromLong(read<std::int32_t>(from));
    case DType::int64:
      return PyLong_FromLongLong(read<std::int64_t>(from));
    case DType::uint8:
      return PyLong_FromLong(read<std::uint8_t>(from));
    case DType::uint16:
      return PyLong_FromLong(read<std::uint16_t>(from));
    case DType::uint32:
      return PyLong_FromUnsignedLong(read<std::uint32_t>(from));
    case DType::uint64:
      return PyLong_FromUnsignedLongLong(read<std::uint64_t>(from));
    case DType::float16:
      return PyFloat_FromDouble(half_to_double(read<std::uint16_t>(from)));
    case DType::float32:
      return PyFloat_FromDouble(read<float>(from));
    case DType::float64:
      return PyFloat_FromDouble(read<double>(from));
    case DType::complex64: {
      const auto value = read<std::complex<float>>(from);
      return PyComplex_FromDoubles(value.real(), value.imag());
    }
    case DType::complex128: {
      const auto value = read<std::complex<double>>(from);
      return PyComplex_FromDoubles(value.real(), value.imag());
    }
    default:
      throw TypeError(
          "a function cannot return a " + std::string(info(dtype).text) + "; convert it first");
  }
}

}  // namespace

nb::list numbers_of(const ErrorRecord& record) {
  nb::list numbers;
  for (const std::int64_t value : record.values) numbers.append(value);
  return numbers;
}

ResultPlan::ResultPlan(const ir::Type& type)
    : root_(whole(type)), bytes_(ir::layout_parameters({type}).bytes) {}

ResultPlan::Part ResultPlan::whole(const ir::Type& type) {
  const ir::ParameterLayout layout = ir::layout_parameters({type});
  std::vector<std::size_t> offsets;
  for (const ir::Slot& slot : layout.slots) offsets.push_back(slot.offset);
  std::size_t slot = 0;
  return part_of(type, offsets, slot);
}

ResultPlan::Part ResultPlan::part_of(
    const ir::Type& type, const std::vector<std::size_t>& offsets, std::size_t& slot) {
  Part part = {.type = type};
  switch (type.kind()) {
    case ir::TypeKind::none:
      break;
    case ir::TypeKind::scalar:
      part.offset = offsets.at(slot);
      slot += is_complex(type.dtype()) ? 2 : 1;
      break;
    case ir::TypeKind::array:
      part.offset = offsets.at(slot);
      slot += 1 + type.ndim() * (type.layout() == ir::Layout::any ? 2 : 1);
      break;
    case ir::TypeKind::tuple:
      for (const ir::Field& field : type.fields())
        part.elements.push_back(part_of(field.type, offsets, slot));
      break;
    case ir::TypeKind::pointer:
      if (!ir::is_list(type))
        throw TypeError("a function cannot return " + ir::to_string(type));
      part.offset = offsets.at(slot++);
      part.elements.push_back(whole(ir::list_element(type)));
      part.stride = ir::size_of(ir::list_storage(ir::list_element(type)));
      break;
    default:
      throw TypeError("a function cannot return " + ir::to_string(type));
  }
  return part;
}

namespace {

struct StoredArray {
  std::byte* data = nullptr;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
};

StoredArray read_array(const ir::Type& type, const std::byte* from) {
  StoredArray array;
  array.data = read<std::byte*>(from);
  from += sizeof(std::byte*);
  for (unsigned i = 0; i < type.ndim(); ++i, from += sizeof(std::int64_t))
    array.shape.push_back(read<std::int64_t>(from));
  array.strides.resize(type.ndim());
  auto step = static_cast<std::int64_t>(ir::size_of(type.element()));
  for (unsigned i = 0; i < type.ndim(); ++i) {
    if (type.layout() == ir::Layout::any) {
      array.strides[i] = read<std::int64_t>(from + i * sizeof(std::int64_t));
      continue;
    }
    const unsigned dimension = type.layout() == ir::Layout::c ? type.ndim() - 1 - i : i;
    array.strides[dimension] = step;
    step *= array.shape[dimension];
  }
  return array;
}

// True if the address lies in the memory of a NumPy array.
bool is_inside(const NumpyArray& array, const std::byte* address, std::size_t item_bytes) {
  const char* low = array.data;
  const char* high = array.data + item_bytes;
  for (int i = 0; i < array.ndim; ++i) {
    const std::int64_t last = (array.shape[i] - 1) * array.strides[i];
    (last < 0 ? low : high) += array.shape[i] == 0 ? 0 : last;
  }
  const auto* byte = reinterpret_cast<const char*>(address);
  return byte >= low && byte <= high;
}

// The argument that the array is a part of, and whether it is all of it; null where it is none.
nb::object argument_with(
    nb::handle arguments, const StoredArray& array, DType element, bool& is_whole) {
  const std::size_t item_bytes = size_of(element);
  const Numpy* numpy = Numpy::loaded();
  for (Py_ssize_t i = 0; i < PyTuple_Size(arguments.ptr()); ++i) {
    PyObject* object = PyTuple_GetItem(arguments.ptr(), i);
    if (PyTuple_Check(object)) {
      if (nb::object found = argument_with(object, array, element, is_whole); found.is_valid())
        return found;
    }
    if (numpy == nullptr || !numpy->is_array(Py_TYPE(object)))
      continue;
    const auto* given = reinterpret_cast<const NumpyArray*>(object);
    if (!is_inside(*given, array.data, item_bytes))
      continue;
    // The real parts of a complex array begin where it does, and so does a view as another type.
    is_whole = reinterpret_cast<std::byte*>(given->data) == array.data &&
               builtin_dtype(*given->descr) == element &&
               std::ranges::equal(std::span(given->shape, given->ndim), array.shape) &&
               std::ranges::equal(std::span(given->strides, given->ndim), array.strides);
    return nb::borrow(object);
  }
  return {};
}

nb::object capsule_of(std::shared_ptr<void> memory) {
  auto* kept = new std::shared_ptr<void>(std::move(memory));  // deleted with the capsule
  return nb::capsule(
      kept, [](void* held) noexcept { delete static_cast<std::shared_ptr<void>*>(held); });
}

// Memory that the call made. Several arrays may lie in one block.
nb::object owned_memory(const StoredArray& array, ResultSources& sources) {
  if (std::shared_ptr<void> block = sources.call.take(array.data)) {
    nb::object owner = capsule_of(block);
    sources.taken.emplace_back(static_cast<const std::byte*>(block.get()), owner);
    return owner;
  }
  // The block that begins nearest below, if any was given out already.
  const std::pair<const std::byte*, nb::object>* nearest = nullptr;
  for (const auto& row : sources.taken) {
    if (row.first <= array.data && (nearest == nullptr || row.first > nearest->first))
      nearest = &row;
  }
  return nearest == nullptr ? nb::object() : nearest->second;
}

nb::object array_object(const ir::Type& type, const std::byte* from, ResultSources& sources) {
  if (!type.element().is_scalar())
    throw TypeError("a function cannot return an array of " + ir::to_string(type.element()));
  const StoredArray array = read_array(type, from);
  bool is_whole = false;
  nb::object owner = argument_with(sources.arguments, array, type.element().dtype(), is_whole);
  if (is_whole)
    return owner;
  if (!owner.is_valid())
    owner = owned_memory(array, sources);
  if (!owner.is_valid())
    owner = capsule_of(sources.code);
  return make_numpy_array(
      type.element().dtype(), {array.data, array.shape, array.strides, type.is_mutable()}, owner);
}

}  // namespace

namespace {

// The elements of a list that was an argument, by which those the function has not changed are
// known.
class PassedElements {
 public:
  PassedElements(PyObject* list, std::size_t item_bytes, const Arguments& arguments)
      : list_(list), item_bytes_(item_bytes) {
    if (list != nullptr)
      elements_ = arguments.passed_elements(list, count_);
  }

  // A new element: a list of NumPy's numbers stays one, which can be passed again.
  PyObject* like_others(PyObject* item) const {
    const Numpy* numpy = Numpy::loaded();
    if (count_ == 0 || item == nullptr || numpy == nullptr)
      return item;
    const nb::object first = list_item(list_, 0);
    if (!first.is_valid() || !numpy->is_scalar(Py_TYPE(first.ptr())))
      return item;
    PyTypeObject* const type = Py_TYPE(first.ptr());
    const nb::object number = nb::steal(item);
    return PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(type), number.ptr(), nullptr);
  }

  // The object at a position if its value is still the one that was passed, else invalid.
  nb::object unchanged(std::int64_t i, const std::byte* value) const {
    if (i >= count_ ||
        std::memcmp(elements_ + static_cast<std::size_t>(i) * item_bytes_, value, item_bytes_) != 0)
      return {};
    return list_item(list_, i);  // another thread may have shortened the list
  }

 private:
  PyObject* list_;
  std::size_t item_bytes_;
  const char* elements_ = nullptr;
  std::int64_t count_ = 0;
};

}  // namespace

// `argument`: the list that it was, or null.
nb::object ResultPlan::list_of(
    const Part& part, const std::byte* stored, ResultSources& sources, PyObject* argument) const {
  const auto* list = read<const std::byte*>(stored + part.offset);
  for (const auto& [address, object] : sources.lists) {
    if (address == list)
      return object;
  }
  const auto at = [&](ir::ListField field) {
    return list + part.type.element().fields().at(static_cast<std::size_t>(field)).offset;
  };
  const auto* element = read<const std::byte*>(at(ir::ListField::elements));
  const auto length = read<std::int64_t>(at(ir::ListField::length));
  nb::object made = nb::steal(PyList_New(length));
  if (!made.is_valid())
    throw nb::python_error();
  const Part& kind = part.elements.front();
  const bool is_scalar = kind.type.is_scalar();
  const DType dtype = is_scalar ? kind.type.dtype() : DType::boolean;
  const PassedElements passed(argument, part.stride, sources.passed);
  for (std::int64_t i = 0; i < length; ++i, element += part.stride) {
    if (nb::object same = passed.unchanged(i, element); same.is_valid()) {
      PyList_SetItem(made.ptr(), i, same.release().ptr());
      continue;
    }
    PyObject* const item = is_scalar ? passed.like_others(number_of(dtype, element + kind.offset))
                                     : object_of(kind, element, sources).release().ptr();
    if (item == nullptr)
      throw nb::python_error();
    PyList_SetItem(made.ptr(), i, item);
  }
  return made;
}

void ResultPlan::reflect(const std::byte* stored, ResultSources& sources) const {
  std::vector<std::pair<const std::byte*, nb::object>> lists;
  for (Py_ssize_t i = 0; i < PyTuple_Size(sources.arguments.ptr()); ++i) {
    PyObject* object = PyTuple_GetItem(sources.arguments.ptr(), i);
    if (PyList_Check(object) == 0)
      continue;
    const Part& list = root_.elements.at(lists.size());
    const auto* address = read<const std::byte*>(stored + list.offset);
    if (address == nullptr)
      return;
    const nb::object items = list_of(list, stored, sources, object);
    if (PyList_SetSlice(object, 0, PyList_Size(object), items.ptr()) != 0)
      throw nb::python_error();
    lists.emplace_back(address, nb::borrow(object));
  }
  sources.lists = std::move(lists);
}

nb::object ResultPlan::object_of(
    const Part& part, const std::byte* stored, ResultSources& sources) const {
  if (part.type.is_none())
    return nb::none();
  if (part.type.is_array())
    return array_object(part.type, stored + part.offset, sources);
  if (part.type.is_pointer())
    return list_of(part, stored, sources);
  if (part.type.is_scalar()) {
    nb::object made = nb::steal(number_of(part.type.dtype(), stored + part.offset));
    if (!made.is_valid())
      throw nb::python_error();
    return made;
  }
  if (part.type.name() == ir::reflected_name) {
    reflect(stored, sources);
    return object_of(part.elements.back(), stored, sources);
  }
  if (part.type.name() == ir::optional_name && stored[part.elements[0].offset] == std::byte{0})
    return nb::none();
  if (part.type.name() == ir::optional_name)
    return object_of(part.elements[1], stored, sources);
  nb::list elements;
  for (const Part& element : part.elements) elements.append(object_of(element, stored, sources));
  if (part.type.name().empty())
    return nb::tuple(elements);
  nb::list names;
  for (const ir::Field& field : part.type.fields()) names.append(field.name);
  return outlive(
      [&] { return sources.function.attr("_named_tuple")(part.type.name(), names, elements); });
}

}  // namespace phalanx::bindings
