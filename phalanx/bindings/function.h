// The class of CPU functions: a launcher that is called instead of launched.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "phalanx/bindings/launcher.h"
#include "phalanx/bindings/result.h"

namespace phalanx::bindings {

// A function compiled for some argument types, ready to be called.
struct FunctionCode {
  std::shared_ptr<const jit::Plan> plan;
  std::shared_ptr<runtime::Executable> executable;
  ResultPlan result;
  bool has_arrays = false;  // in the result; lists that were arguments count as such
  bool has_lists = false;   // that were arguments
};

struct Substitute {
  nanobind::object callable;        // invalid: there is none
  bool takes_counterparts = false;  // of each function among the arguments
};

struct FunctionState {
  // Guards codes, generation and substitute where there is no GIL. What leaves is dropped after it.
  nanobind::ft_mutex mutex;
  std::vector<std::shared_ptr<const FunctionCode>> codes;  // the last used one first
  std::uint64_t generation = 0;
  Substitute substitute;  // called instead, once it is there
  std::atomic<bool> is_handed_over = false;
  // Set before other threads have the function.
  Py_ssize_t arity = -1;  // parameters; -1: each call is put in order by Python
  Py_ssize_t least = -1;  // arguments without names that are in order: the others have defaults
  bool releases_gil = false;
  bool falls_back = false;  // Python's `_fall_back` gets the calls that cannot be compiled
};

struct FunctionObject {
  LauncherObject launcher;
  PyObject* (*vectorcall)(PyObject*, PyObject* const*, std::size_t, PyObject*);
  FunctionState* state;
};

}  // namespace phalanx::bindings
