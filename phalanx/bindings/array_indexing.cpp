#include "phalanx/bindings/array_indexing.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/array_slots.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/cpython.h"

namespace nb = nanobind;

namespace phalanx::bindings {

using arrays::Array;
using arrays::Axis;
using arrays::NodePtr;

namespace {

[[noreturn]] void raise_index_error(const std::string& message) {
  PyErr_SetString(PyExc_IndexError, message.c_str());
  throw nb::python_error();
}

// The items of a key, which outlives it.
struct Key {
  explicit Key(PyObject* key)
      : object(key), is_tuple(PyTuple_Check(key)), count(is_tuple ? PyTuple_Size(key) : 1) {}

  PyObject* operator[](Py_ssize_t i) const {
    return is_tuple ? PyTuple_GetItem(object, i) : object;
  }

  PyObject* object;
  bool is_tuple;
  Py_ssize_t count;
};

// The view that a key selects.
class Selection {
 public:
  explicit Selection(const Extents& extents) : extents_(extents) {
    axes.reserve(extents.size());
    shape.reserve(extents.size());
  }

  void add_new_dimension() { shape.push_back(1); }

  void add_index(std::int64_t index) {
    const std::int64_t extent = extents_[axes.size()];
    if (index < -extent || index >= extent)
      raise_index_error(
          "index " + std::to_string(index) + " is out of bounds for axis " +
          std::to_string(axes.size()) + " with size " + std::to_string(extent));
    axes.push_back({.start = index < 0 ? index + extent : index});
    is_whole = false;
  }

  void add_slice(PyObject* slice) {
    Py_ssize_t start = 0;
    Py_ssize_t stop = 0;
    Py_ssize_t step = 0;
    if (PySlice_Unpack(slice, &start, &stop, &step) < 0)
      throw nb::python_error();
    const std::int64_t extent = extents_[axes.size()];
    const Py_ssize_t length = PySlice_AdjustIndices(extent, &start, &stop, step);
    is_whole = is_whole && step == 1 && length == extent;
    add_axis(start, step, length);
  }

  void add_rest(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add_axis(0, 1, extents_[axes.size()]);
  }

  Extents shape;
  std::vector<Axis> axes;  // of the dimensions so far
  bool is_whole = true;    // besides new dimensions
  bool is_item = false;    // one element, which NumPy gives as a scalar

 private:
  void add_axis(std::int64_t start, std::int64_t step, std::int64_t length) {
    axes.push_back(
        {.dimension = static_cast<std::int32_t>(shape.size()), .start = start, .step = step});
    shape.push_back(length);
  }

  const Extents& extents_;
};

// Nothing for keys that Python has to read.
std::optional<Selection> selection_of(const Extents& extents, PyObject* object) {
  const Key key(object);
  std::size_t used = 0;
  bool has_ellipsis = false;
  for (Py_ssize_t i = 0; i < key.count; ++i) {
    PyObject* const item = key[i];
    if (item == Py_Ellipsis) {
      if (has_ellipsis)
        raise_index_error("an index can only have a single ellipsis ('...')");
      has_ellipsis = true;
    } else if (PySlice_Check(item) || PyLong_CheckExact(item)) {
      ++used;
    } else if (item != Py_None) {
      return std::nullopt;
    }
  }
  if (used > extents.size())
    raise_index_error(
        "too many indices for array: array is " + std::to_string(extents.size()) +
        "-dimensional, but " + std::to_string(used) + " were indexed");
  Selection selection(extents);
  for (Py_ssize_t i = 0; i < key.count; ++i) {
    PyObject* const item = key[i];
    if (item == Py_Ellipsis) {
      selection.add_rest(extents.size() - used);
    } else if (item == Py_None) {
      selection.add_new_dimension();
    } else if (PySlice_Check(item)) {
      selection.add_slice(item);
    } else {
      const std::int64_t index = PyLong_AsLongLong(item);
      if (index == -1 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        raise_index_error("cannot fit 'int' into an index-sized integer");
      }
      selection.add_index(index);
    }
  }
  if (!has_ellipsis)
    selection.add_rest(extents.size() - used);
  selection.is_item = !has_ellipsis && selection.shape.empty();
  return selection;
}

nb::object python_indexing(const char* function) {
  return nb::module_::import_("phalanx._arrays.indexing").attr(function);
}

bool is_plain_number(PyObject* object) {
  return PyBool_Check(object) || PyLong_CheckExact(object) || PyFloat_CheckExact(object) ||
         PyComplex_CheckExact(object);
}

// Dimensions of 1 that the target lacks, before its own, do not count.
NodePtr without_leading(NodePtr value, std::size_t ndim) {
  std::size_t gone = 0;
  const Extents& shape = *value->shape;
  while (shape.size() - gone > ndim && shape[gone] == 1) ++gone;
  if (gone == 0)
    return value;
  std::vector<Axis> axes(gone);
  for (std::size_t i = gone; i < shape.size(); ++i)
    axes.push_back({.dimension = static_cast<std::int32_t>(i - gone), .start = 0, .step = 1});
  return graph().view(
      value, Extents(shape.begin() + static_cast<std::ptrdiff_t>(gone), shape.end()), axes);
}

bool loses_imaginary_parts(const Array& from, const Array& to) {
  const auto is_complex_array = [](const Array& array) {
    return !array.element_type().is_time() && is_complex(array.element_type().dtype());
  };
  return is_complex_array(from) && !is_complex_array(to);
}

// False where Python has to do it.
bool assign(Array& array, PyObject* key, PyObject* given) {
  auto selection = selection_of(array.shape(), key);
  if (!selection)
    return false;
  NodePtr value;
  const Array* other = array_in(given);
  if (other != nullptr && loses_imaginary_parts(*other, array))
    return false;  // Python warns of it
  if (other != nullptr)
    value = other->value();
  else if (is_plain_number(given) && !array.element_type().is_time())
    value = number_node(given, array.element_type());
  else
    return false;
  const bool is_itself = selection->is_whole && selection->shape.size() == array.shape().size();
  Array target = is_itself ? array : array.view(selection->shape, std::move(selection->axes));
  value = without_leading(std::move(value), target.shape().size());
  const GraphAside no_gil;
  target.assign(std::move(value));
  return true;
}

}  // namespace

PyObject* array_item(PyObject* self, PyObject* key) {
  return guarded([&] {
    const Array& array = *array_in(self);
    auto selection = selection_of(array.shape(), key);
    if (!selection)
      return python_indexing("get")(nb::handle(self), nb::handle(key)).release().ptr();
    return make_array(
               selection->is_item
                   ? array.element(std::move(selection->axes))
                   : array.view(std::move(selection->shape), std::move(selection->axes)))
        .release()
        .ptr();
  });
}

int assign_array_item(PyObject* self, PyObject* key, PyObject* value) {
  PyObject* const done = guarded([&] {
    if (value == nullptr)
      throw ValueError("cannot delete array elements");
    if (!assign(*array_in(self), key, value))
      python_indexing("set")(nb::handle(self), nb::handle(key), nb::handle(value));
    return Py_None;
  });
  return done == nullptr ? -1 : 0;
}

}  // namespace phalanx::bindings
