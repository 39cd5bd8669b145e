#include "phalanx/bindings/held_memory.h"

#include <utility>

#include "phalanx/bindings/arguments.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/cpython.h"
#include "phalanx/bindings/derived_types.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

// CPython fills it with zeros, as which the mutex is open. A launch finds all of it in a cache
// line.
struct HeldObject {
  PyObject_HEAD PyObject* held;
  const views::DeviceArray* elements;
  const arrays::Array* array;
  nb::ft_mutex mutex;  // of the others, where there is no GIL
};

HeldObject& held_in(PyObject* self) { return *reinterpret_cast<HeldObject*>(self); }

PyObject* get_held(PyObject* self, void* /*unused*/) {
  nb::object found = held_by(self).object;
  return found.is_valid() ? found.release().ptr() : nb::none().release().ptr();
}

void hold(HeldObject& memory, Held held) {
  // What leaves is dropped after the lock: that may run Python.
  nb::object dropped;
  const nb::ft_lock_guard lock(memory.mutex);
  dropped = nb::steal(std::exchange(memory.held, held.object.release().ptr()));
  memory.elements = held.elements;
  memory.array = held.array;
}

int set_held(PyObject* self, PyObject* value, void* /*unused*/) {
  PyObject* const done = guarded([&] {
    Held held;
    if (value != nullptr && value != Py_None)
      held = {.object = nb::borrow(value), .elements = device_array_in(value)};
    if (held.object.is_valid() && held.elements == nullptr)
      held.array = array_in(value);
    hold(held_in(self), std::move(held));
    return nb::none().release().ptr();
  });
  Py_XDECREF(done);
  return done == nullptr ? -1 : 0;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(held_in(self).held);
  return 0;
}

int clear(PyObject* self) {
  hold(held_in(self), {});
  return 0;
}

void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Py_CLEAR(held_in(self).held);
  free_object(self);
}

PyGetSetDef attributes[] = {
    {"_held", get_held, set_held, "What launches take for the memory; None: they ask.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("Memory with an address, as launches read it.")},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
    {Py_tp_getset, attributes},
    {0, nullptr}};

PyType_Spec spec = {
    "phalanx._engine.HeldMemory",
    sizeof(HeldObject),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    slots};

PyTypeObject*& held_type() {
  static PyTypeObject* type = nullptr;  // set by bind_held_memory
  return type;
}

}  // namespace

[[gnu::hot]] bool is_held_memory(PyTypeObject* type) {
  static DerivedTypes derived;
  return derived.contains(type, held_type());
}

[[gnu::hot]] Held held_by(PyObject* memory) {
  const HeldObject& object = held_in(memory);
  const nb::ft_lock_guard lock(held_in(memory).mutex);
  return {.object = nb::borrow(object.held), .elements = object.elements, .array = object.array};
}

void bind_held_memory(nb::module_& module) {
  nb::object type = nb::steal(PyType_FromSpec(&spec));
  if (!type.is_valid())
    throw nb::python_error();
  module.attr("HeldMemory") = type;
  held_type() = reinterpret_cast<PyTypeObject*>(type.release().ptr());
}

}  // namespace phalanx::bindings
