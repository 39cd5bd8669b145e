// The base class of vectorize and guvectorize: finds the NumPy ufunc that does a call, and calls
// it.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <structmember.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/cpython.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/made_once.h"
#include "phalanx/bindings/numpy.h"
#include "phalanx/bindings/numpy_ufunc.h"
#include "phalanx/views/device_array.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

using Key = std::uint64_t;  // the dtypes of the arguments; 0: not known
constexpr unsigned key_bits = 5;
constexpr std::size_t most_in_key = 12;

struct CallerState {
  // Guards the next three where there is no GIL. What leaves is dropped after it.
  nb::ft_mutex mutex;
  nb::object ufunc;  // for all calls on the host; None: by the types of the arguments
  std::vector<std::pair<Key, nb::object>> by_types;
  std::uint64_t generation = 0;        // of what is served
  std::atomic<std::size_t> typed = 0;  // how many arguments decide
  std::atomic<bool> is_on_host = false;
  std::atomic<bool> may_spread =
      false;  // whether `_spread` takes large arrays that lie differently
};

struct CallerObject {
  PyObject_HEAD PyObject* (*vectorcall)(PyObject*, PyObject* const*, std::size_t, PyObject*);
  CallerState* state;
};

CallerObject& caller_in(PyObject* self) { return *reinterpret_cast<CallerObject*>(self); }

// Deleted by caller_dealloc.
CallerState& state_in(PyObject* self) { return made_in(caller_in(self).state); }

// Python's own numbers, as NumPy types them where nothing else decides.
std::optional<DType> python_number(PyObject* value) {
  PyTypeObject* const type = Py_TYPE(value);
  if (type == &PyFloat_Type)
    return DType::float64;
  if (type == &PyBool_Type)
    return DType::boolean;
  if (type == &PyComplex_Type)
    return DType::complex128;
  if (type == &PyLong_Type) {
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow == 0)
      return DType::int64;
  }
  return std::nullopt;
}

bool is_on_host(const Numpy& numpy, PyObject* value) {
  PyTypeObject* const type = Py_TYPE(value);
  if (numpy.is_exact_array(type) || type == &PyFloat_Type || type == &PyLong_Type ||
      value == Py_None || numpy.is_array(type) || numpy.is_scalar(type) || type == &PyList_Type)
    return true;
  if (type == &PyTuple_Type) {  // several outputs
    for (Py_ssize_t i = 0; i < PyTuple_Size(value); ++i) {
      if (!is_on_host(numpy, PyTuple_GetItem(value, i)))
        return false;
    }
    return true;
  }
  return !nb::isinstance<views::DeviceArray>(nb::handle(value)) &&
         !has_attribute(value, "__cuda_array_interface__");
}

std::optional<DType> dtype_of(const Numpy& numpy, PyObject* value) {
  PyTypeObject* const type = Py_TYPE(value);
  if (numpy.is_exact_array(type))
    return builtin_dtype(*reinterpret_cast<NumpyArray*>(value)->descr);
  if (numpy.is_scalar(type))
    return numpy.scalar_dtype(type);
  return python_number(value);
}

struct Call {
  PyObject* const* args;
  std::size_t count;
  PyObject* names;  // of the arguments after `count`; may be null

  std::size_t named() const {
    return names == nullptr ? 0 : static_cast<std::size_t>(PyTuple_Size(names));
  }
  bool has_name(std::size_t i, const char* name) const {
    return PyUnicode_CompareWithASCIIString(
               PyTuple_GetItem(names, static_cast<Py_ssize_t>(i)), name) == 0;
  }
};

bool is_on_host(const Call& call) {
  const Numpy* numpy = Numpy::loaded();
  if (numpy == nullptr)
    return true;  // then there are no arrays, and NumPy is imported for the call
  for (std::size_t i = 0; i < call.count + call.named(); ++i) {
    if (!is_on_host(*numpy, call.args[i]))
      return false;
  }
  for (std::size_t i = 0; i < call.named(); ++i) {
    if (call.has_name(i, "stream"))
      return false;
  }
  return true;
}

Key key_of(const Call& call, std::size_t typed) {
  const Numpy* numpy = Numpy::loaded();
  if (numpy == nullptr || call.count < typed || typed > most_in_key || call.named() != 0)
    return 0;
  Key key = 1;
  for (std::size_t i = 0; i < typed; ++i) {
    const auto dtype = dtype_of(*numpy, call.args[i]);
    if (!dtype)
      return 0;
    key = key << key_bits | static_cast<Key>(*dtype);
  }
  return key;
}

// The broadcast shape of arrays, the last extent first.
class Extents {
 public:
  void add(const NumpyArray& array) {
    for (int i = 0; i < array.ndim; ++i) {
      const auto extent = array.shape[array.ndim - 1 - i];
      if (i == static_cast<int>(extents_.size()))
        extents_.push_back(1);
      if (extents_[static_cast<std::size_t>(i)] == 1)
        extents_[static_cast<std::size_t>(i)] = extent;
    }
  }
  std::int64_t count() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents_) product *= extent;
    return product;
  }

 private:
  std::vector<std::int64_t> extents_;
};

std::int64_t count_of(const NumpyArray& array) {
  std::int64_t product = 1;
  for (int i = 0; i < array.ndim; ++i) product *= array.shape[i];
  return product;
}

// True if the elements of a row follow each other, or are one.
bool has_packed_rows(const NumpyArray& array) {
  if (array.ndim == 0 || array.shape[array.ndim - 1] == 1)
    return true;
  const std::int64_t step = array.strides[array.ndim - 1];
  const auto dtype = builtin_dtype(*array.descr);
  return step == 0 || (dtype && step == static_cast<std::int64_t>(size_of(*dtype)));
}

// True if NumPy would go through large arrays row by row, so that its inner loops are too short
// for several cores: they have several dimensions, and are stretched or have gaps between rows.
bool goes_by_rows(const Call& call) {
  constexpr std::int64_t many = 1 << 17;
  const Numpy* numpy = Numpy::loaded();
  if (numpy == nullptr || call.named() != 0)
    return false;
  Extents extents;
  int most_dimensions = 0;
  for (std::size_t i = 0; i < call.count; ++i) {
    if (!numpy->is_exact_array(Py_TYPE(call.args[i])))
      continue;
    most_dimensions =
        std::max(most_dimensions, reinterpret_cast<const NumpyArray*>(call.args[i])->ndim);
  }
  if (most_dimensions < 2)
    return false;
  for (std::size_t i = 0; i < call.count; ++i) {
    if (numpy->is_exact_array(Py_TYPE(call.args[i])))
      extents.add(*reinterpret_cast<const NumpyArray*>(call.args[i]));
  }
  const std::int64_t count = extents.count();
  if (count < many)
    return false;
  int layouts = NumpyArray::c_contiguous | NumpyArray::f_contiguous;
  for (std::size_t i = 0; i < call.count; ++i) {
    if (!dtype_of(*numpy, call.args[i]))
      return false;
    if (!numpy->is_exact_array(Py_TYPE(call.args[i])))
      continue;
    const auto& array = *reinterpret_cast<const NumpyArray*>(call.args[i]);
    if ((array.flags & NumpyArray::aligned) == 0 || !has_packed_rows(array))
      return false;
    if (array.ndim != 0)
      layouts &= count_of(array) == count ? array.flags : 0;
  }
  return layouts == 0;
}

nb::object by_python(PyObject* self, const char* method, const Call& call) {
  nb::list positional;
  nb::dict named;
  for (std::size_t i = 0; i < call.count; ++i) positional.append(nb::borrow(call.args[i]));
  for (std::size_t i = 0; i < call.named(); ++i)
    named[nb::handle(PyTuple_GetItem(call.names, static_cast<Py_ssize_t>(i)))] =
        nb::borrow(call.args[call.count + i]);
  return outlive([&] { return nb::handle(self).attr(method)(nb::tuple(positional), named); });
}

// Invalid where the types of the arguments decide; then `generation` tells what they decide for.
nb::object ufunc_for_all(CallerState& state, std::uint64_t& generation) {
  const nb::ft_lock_guard lock(state.mutex);
  generation = state.generation;
  return state.ufunc.is_valid() && state.ufunc.is_none() ? nb::object() : state.ufunc;
}

nb::object ufunc_by_types(CallerState& state, Key key) {
  const nb::ft_lock_guard lock(state.mutex);
  const auto row = std::ranges::find(state.by_types, key, &std::pair<Key, nb::object>::first);
  return row == state.by_types.end() ? nb::object() : row->second;
}

nb::object ufunc_for(PyObject* self, const Call& call) {
  CallerState& state = state_in(self);
  std::uint64_t generation = 0;
  if (nb::object known = ufunc_for_all(state, generation); known.is_valid())
    return known;
  const Key key = key_of(call, state.typed);
  if (nb::object known = ufunc_by_types(state, key); known.is_valid())
    return known;
  nb::object found = by_python(self, "_find", call);
  if (key == 0)
    return found;
  const nb::ft_lock_guard lock(state.mutex);
  const auto row = std::ranges::find(state.by_types, key, &std::pair<Key, nb::object>::first);
  if (state.generation == generation && row == state.by_types.end())
    state.by_types.emplace_back(key, found);
  return found;
}

PyObject* caller_vectorcall(
    PyObject* self, PyObject* const* args, std::size_t flagged_count, PyObject* names) {
  return guarded([&]() -> PyObject* {
    const Call call = {args, flagged_count & ~offset_flag, names};
    if (!state_in(self).is_on_host || !is_on_host(call))
      return by_python(self, "_general", call).release().ptr();
    if (state_in(self).may_spread && goes_by_rows(call)) {
      nb::object result = by_python(self, "_spread", call);
      if (result.ptr() != Py_NotImplemented)
        return result.release().ptr();
    }
    const nb::object ufunc = ufunc_for(self, call);
    if (ufunc.is_none())
      return by_python(self, "_general", call).release().ptr();
    return outlive([&] { return call_numpy_ufunc(ufunc.ptr(), args, flagged_count, names); });
  });
}

PyObject* caller_call(PyObject* self, PyObject* args, PyObject* kwargs) {
  std::vector<PyObject*> all;
  for (Py_ssize_t i = 0; i < PyTuple_Size(args); ++i) all.push_back(PyTuple_GetItem(args, i));
  const std::size_t count = all.size();
  nb::list names;
  if (kwargs != nullptr) {
    for (const auto& [name, value] : nb::borrow<nb::dict>(kwargs)) {
      names.append(name);
      all.push_back(value.ptr());
    }
  }
  const nb::tuple named(names);
  return caller_vectorcall(self, all.data(), count, all.size() == count ? nullptr : named.ptr());
}

// `_serve(ufunc, typed, may_spread)`: calls on the host are done by this NumPy ufunc, or, where it
// is None, by what `_find` gives for the types of the first `typed` arguments (None: by
// `_general`).
// `_spread` is called first for large arrays that lie differently; it may give NotImplemented.
PyObject* caller_serve(PyObject* self, PyObject* args) {
  PyObject* ufunc = nullptr;
  Py_ssize_t typed = 0;
  int may_spread = 0;
  if (PyArg_ParseTuple(args, "Onp", &ufunc, &typed, &may_spread) == 0)
    return nullptr;
  CallerState& state = state_in(self);
  nb::object changed = nb::borrow(ufunc);
  std::vector<std::pair<Key, nb::object>> dropped;
  const nb::ft_lock_guard lock(state.mutex);
  state.typed = static_cast<std::size_t>(typed);
  state.is_on_host = true;
  state.may_spread = may_spread != 0;
  ++state.generation;
  dropped.swap(state.by_types);
  std::swap(state.ufunc, changed);
  Py_INCREF(Py_None);
  return Py_None;
}

PyObject* caller_new(PyTypeObject* type, PyObject* /*args*/, PyObject* /*kwargs*/) {
  const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* self = allocate(type, 0);
  if (self != nullptr)
    caller_in(self).vectorcall = caller_vectorcall;
  return self;
}

int caller_init(PyObject* /*self*/, PyObject* /*args*/, PyObject* /*kwargs*/) { return 0; }

int caller_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (const CallerState* state = caller_in(self).state) {
    Py_VISIT(state->ufunc.ptr());
    for (const auto& [key, ufunc] : state->by_types) Py_VISIT(ufunc.ptr());
  }
  return 0;
}

int caller_clear(PyObject* self) {
  if (CallerState* state = caller_in(self).state) {
    const nb::object ufunc = std::move(state->ufunc);
    const auto dropped = std::exchange(state->by_types, {});
  }
  return 0;
}

void caller_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  delete std::exchange(caller_in(self).state, nullptr);
  free_object(self);
}

PyMethodDef caller_methods[] = {
    {"_serve", caller_serve, METH_VARARGS, "Which NumPy ufunc does calls on the host."},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef caller_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(CallerObject, vectorcall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot caller_slots[] = {
    {Py_tp_doc, const_cast<char*>("A function of arrays that NumPy calls where it can.")},
    {Py_tp_new, reinterpret_cast<void*>(caller_new)},
    {Py_tp_init, reinterpret_cast<void*>(caller_init)},
    {Py_tp_call, reinterpret_cast<void*>(caller_call)},
    {Py_tp_traverse, reinterpret_cast<void*>(caller_traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(caller_clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(caller_dealloc)},
    {Py_tp_methods, caller_methods},
    {Py_tp_members, caller_members},
    {0, nullptr}};

PyType_Spec caller_spec = {
    "phalanx._engine.UfuncCaller",
    sizeof(CallerObject),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | has_vectorcall,
    caller_slots};

}  // namespace

void bind_ufunc_caller(nb::module_& module) {
  nb::object type = nb::steal(PyType_FromSpec(&caller_spec));
  if (!type.is_valid())
    throw nb::python_error();
  module.attr("UfuncCaller") = type;
}

}  // namespace phalanx::bindings
