// The types derived from another one, as launches ask for them.
#pragma once

#include <Python.h>

#include <array>
#include <atomic>

namespace phalanx::bindings {

// CPython finds out by a walk over the type's bases. The first few derived types, mostly all that
// there are, are remembered, and held so that their addresses stay their own.
class DerivedTypes {
 public:
  bool contains(PyTypeObject* type, PyTypeObject* base) {
    for (const std::atomic<PyTypeObject*>& each : known_) {
      if (each.load(std::memory_order_relaxed) == type)
        return true;
    }
    return PyType_IsSubtype(type, base) != 0 && remember(type);
  }

 private:
  bool remember(PyTypeObject* type) {
    Py_INCREF(reinterpret_cast<PyObject*>(type));
    for (std::atomic<PyTypeObject*>& each : known_) {
      PyTypeObject* none = nullptr;
      if (each.compare_exchange_strong(none, type))
        return true;
    }
    Py_DECREF(reinterpret_cast<PyObject*>(type));
    return true;
  }

  std::array<std::atomic<PyTypeObject*>, 3> known_ = {};
};

}  // namespace phalanx::bindings
