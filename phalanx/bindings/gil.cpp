#include "phalanx/bindings/gil.h"

#include <utility>

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

// Threads that Python does not know cannot be made known to it any more.
bool is_too_late() { return Py_IsInitialized() == 0 && PyGILState_GetThisThreadState() == nullptr; }

}  // namespace

nb::object attribute_or_none(nb::handle object, const char* name) {
  PyObject* const found = outlive([&] { return PyObject_GetAttrString(object.ptr(), name); });
  if (found != nullptr)
    return nb::steal(found);
  PyErr_Clear();
  return nb::none();
}

bool has_attribute(nb::handle object, const char* name) {
  PyObject* const found = outlive([&] { return PyObject_GetAttrString(object.ptr(), name); });
  PyErr_Clear();
  Py_XDECREF(found);
  return found != nullptr;
}

GilHeld::GilHeld()
    : state_(outlive([] {
        if (is_too_late())
          sleep_for_ever();
        return PyGILState_Ensure();
      })),
      before_(std::exchange(gil_state, {})) {}

void drop_reference(PyObject* object) noexcept {
  if (is_too_late())
    return;
  const GilHeld gil;
  Py_DECREF(object);
}

}  // namespace phalanx::bindings
