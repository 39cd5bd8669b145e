// Giving the GIL away and taking it back, where the interpreter may end meanwhile.
//
// Up to version 3.13, Python ends a thread that asks for the GIL once the interpreter is being
// finalised: with pthread_exit(), which unwinds its stack. Of our destructors and handlers some
// would then run without the GIL, and others end the process. So the thread sleeps for ever, as it
// does from 3.14 on.
#pragma once

#include <Python.h>
#include <cxxabi.h>
#include <nanobind/nanobind.h>

#include "phalanx/base/library_call.h"
#include "phalanx/bindings/gil_state.h"
#include "phalanx/bindings/profile_site.h"

namespace phalanx::bindings {

#ifdef Py_GIL_DISABLED
inline constexpr bool has_gil = false;
#else
inline constexpr bool has_gil = true;
#endif

// What runs Python code, or waits for the GIL, goes through this: `body` may end the thread.
template <typename Body>
decltype(auto) outlive(const Body& body) {
  try {
    return body();
  } catch (abi::__forced_unwind&) {
    sleep_for_ever();
  }
}

// As nanobind's functions of that use, which no thread outlives: they are noexcept. Whatever goes
// wrong means that there is no such attribute.
nanobind::object attribute_or_none(nanobind::handle object, const char* name);
bool has_attribute(nanobind::handle object, const char* name);

// While one lives, other threads may run Python.
class GilReleased {
 public:
  GilReleased() : thread_(PyEval_SaveThread()) {}
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;
  ~GilReleased() {
    outlive([&] { PyEval_RestoreThread(thread_); });
  }

 private:
  SiteAside site_;  // before the GIL goes
  PyThreadState* thread_;
};

// While one lives, this thread may run Python, whether Python knows it or not.
class GilHeld {
 public:
  GilHeld();
  GilHeld(const GilHeld&) = delete;
  GilHeld& operator=(const GilHeld&) = delete;
  ~GilHeld() {
    gil_state = before_;
    PyGILState_Release(state_);
  }

 private:
  PyGILState_STATE state_;
  GilState before_;
};

// Drops a reference on a thread that may lack the GIL; not once Python is gone with its objects.
void drop_reference(PyObject* object) noexcept;

}  // namespace phalanx::bindings
