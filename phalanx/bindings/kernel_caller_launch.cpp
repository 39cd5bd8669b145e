// Launches of kernels whose parameters have declared types.
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/cpython.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/held_memory.h"
#include "phalanx/bindings/kernel_caller.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

// Made once: each launch looks these up.
struct Names {
  nb::object gpudata = nb::str("gpudata");
  nb::object no_queue = nb::int_(0);
};

const Names& names() {
  static const auto* const made = new Names();
  return *made;
}

// Invalid where there is no such attribute. What else goes wrong in it is the caller's to hear of.
nb::object attribute(nb::handle object, const nb::object& name) {
  nb::object found = nb::steal(outlive([&] { return PyObject_GetAttr(object.ptr(), name.ptr()); }));
  if (found.is_valid())
    return found;
  if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0)
    throw nb::python_error();
  PyErr_Clear();
  return found;
}

// What the engine says of a configuration or a launch, as the errors of the interface.
template <typename Body>
auto told_by(PyObject* self, const Body& body) {
  try {
    return body();
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    set_python_error();
  }
  const nb::object error = take_error();
  outlive([&] { nb::handle(self).attr("_fail")(error); });
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

// Objects that live until the launch is queued, without an allocation where they are few.
class Kept {
 public:
  Kept() = default;
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() {
    for (PyObject* each : few()) Py_DECREF(each);
  }

  void add(nb::object object) {
    if (count_ < few_.size())
      few_.at(count_++) = object.release().ptr();
    else
      more_.push_back(std::move(object));
  }

  void keep_for(jit::Graph& graph) const {
    for (PyObject* each : few()) graph.keep(keep_alive(each));
    for (const nb::object& each : more_) graph.keep(keep_alive(each));
  }

 private:
  std::span<PyObject* const> few() const { return {few_.data(), count_}; }

  std::array<PyObject*, 8> few_;  // of which the first are set
  std::size_t count_ = 0;
  std::vector<nb::object> more_;
};

constexpr std::size_t few_arrays = 8;

// An array among the arguments. What is done with it until the launch is recorded before.
struct PassedArray {
  const arrays::Array* array;
  bool is_held;     // it was handed out before, so that it stays where it is
  std::size_t row;  // which its elements come to
  arrays::Memory memory = nullptr;
};

// All of a call's: Python, which may do anything, is asked for what the engine does not know while
// they are added, and not later.
struct Passed {
  Kept kept;
  std::vector<PassedArray> arrays;
  Arguments arguments;

  // Without it, all rows would be filled with zeros.
  Passed(std::size_t count, PyObject* launcher) : arguments(count, launcher, Callee::kernel) {}

  void add_array(const arrays::Array& array, bool is_held) {
    if (arrays.empty())
      arrays.reserve(few_arrays);
    arrays.push_back({.array = &array, .is_held = is_held, .row = arguments.add_later()});
  }
};

// False where Python has to be asked for the memory.
[[gnu::hot]] bool pass_held(PyObject* memory, Passed& passed) {
  Held held = held_by(memory);
  if (held.elements != nullptr)
    passed.arguments.add(*held.elements);
  else if (held.array != nullptr)
    passed.add_array(*held.array, true);
  else
    return false;
  passed.kept.add(std::move(held.object));
  return true;
}

[[gnu::hot]] bool pass(const Parameter& parameter, PyObject* given, Passed& passed) {
  if (!parameter.is_pointer())
    return parameter.pass(given, passed.arguments);
  if (is_held_memory(Py_TYPE(given)))
    return pass_held(given, passed);
  if (parameter.pass(given, passed.arguments))
    return true;
  if (const arrays::Array* const array = array_in(given)) {
    if (!parameter.takes_array_of(array->element_type()) || !can_lend(*array))
      return false;
    passed.add_array(*array, false);
    return true;
  }
  const nb::object memory = attribute(given, names().gpudata);
  return memory.is_valid() && is_held_memory(Py_TYPE(memory.ptr())) &&
         pass_held(memory.ptr(), passed);
}

void convert(PyObject* self, std::size_t number, PyObject* given, Passed& passed) {
  nb::object made =
      outlive([&] { return nb::handle(self).attr("_convert")(nb::handle(given), number); });
  if (const arrays::Array* const array = array_in(made); array != nullptr && can_lend(*array))
    passed.add_array(*array, false);
  else
    told_by(self, [&] { passed.arguments.add(made.ptr()); });
  passed.kept.add(std::move(made));
}

bool pass_all(
    PyObject* self,
    const KernelCallerState& state,
    const KernelCall& call,
    bool may_ask,
    Passed& passed) {
  for (std::size_t i = 0; i < call.count; ++i) {
    if (pass(state.parameters[i], call.arguments[i], passed))
      continue;
    if (!may_ask)
      return false;
    convert(self, i, call.arguments[i], passed);
  }
  return true;
}

// What was recorded of arrays is computed, or keeps its values, before the kernel writes to them.
void open_arrays(Passed& passed) {
  if (passed.arrays.empty())
    return;
  {
    const GraphAside no_gil;
    for (PassedArray& each : passed.arrays)
      each.memory = !each.is_held                ? lent_by(*each.array)
                    : each.array->is_read_only() ? each.array->share()
                                                 : each.array->open();
  }
  for (const PassedArray& each : passed.arrays) {
    if (each.is_held)
      passed.arguments.set_bytes(each.row, *each.memory);
    else
      passed.arguments.set_lent(each.row, *each.memory);
  }
}

bool is_plain(nb::handle extents) {
  if (!PyTuple_CheckExact(extents.ptr()))
    return PyLong_CheckExact(extents.ptr()) != 0;
  for (Py_ssize_t i = 0; i < PyTuple_Size(extents.ptr()); ++i) {
    if (PyLong_CheckExact(PyTuple_GetItem(extents.ptr(), i)) == 0)
      return false;
  }
  return true;
}

// Extents as a tuple of ints, where they can be one; others are for the launcher to refuse.
nb::object plain_extents(nb::handle given) {
  const bool is_list = PyList_Check(given.ptr()) != 0;
  if (is_plain(given) || !(is_list || PyTuple_Check(given.ptr()) != 0))
    return nb::borrow(given);
  const nb::tuple items(nb::borrow(given));
  nb::list made;
  for (const nb::handle item : items) {
    const nb::object extent = nb::steal(outlive([&] { return PyNumber_Index(item.ptr()); }));
    if (!extent.is_valid()) {
      PyErr_Clear();
      return nb::borrow(given);
    }
    made.append(extent);
  }
  return nb::tuple(made);
}

nb::object extents_of(PyObject* self, const KernelCallerState& state, nb::handle given) {
  if (!state.changes_extents)
    return plain_extents(given);
  return plain_extents(outlive([&] { return nb::handle(self).attr("_extents_of")(given); }));
}

nb::object known_configuration(KernelCallerState& state, const KernelCall& call) {
  const nb::ft_lock_guard lock(state.mutex);
  const LastConfiguration& last = state.last;
  if (!last.configured.is_valid() || !call.stream.is(last.stream))
    return {};
  const bool is_same = is_same_configuration(last.grid.ptr(), call.grid.ptr()) &&
                       is_same_configuration(last.block.ptr(), call.block.ptr()) &&
                       is_same_configuration(last.shared.ptr(), call.shared.ptr());
  return is_same ? last.configured : nb::object();
}

void remember(KernelCallerState& state, LastConfiguration changed) {
  if (!is_plain(changed.grid) || !is_plain(changed.block) || !is_plain(changed.shared))
    return;
  const nb::ft_lock_guard lock(state.mutex);  // what leaves is dropped after it
  std::swap(state.last, changed);
}

// `launcher[grid, block, queue, shared]`; the launcher knows some more of the last ones. A context
// that is detached forgets the last ones of all its kernels, so that it need not be asked each
// time.
nb::object configured_for(PyObject* self, KernelCallerState& state, const KernelCall& call) {
  if (nb::object known = known_configuration(state, call); known.is_valid())
    return known;
  if (!state.context.is_none())
    outlive([&] { state.context.attr("_check")("cuLaunchKernel"); });
  nb::object queue = names().no_queue;
  if (!call.stream.is_none())
    queue = outlive([&] { return nb::handle(self).attr("_queue_of")(call.stream); });
  const nb::object grid = extents_of(self, state, call.grid);
  const nb::object block = extents_of(self, state, call.block);
  const nb::tuple wanted = nb::make_tuple(grid, block, queue, call.shared);
  nb::object configured =
      nb::steal(outlive([&] { return PyObject_GetItem(state.launcher.ptr(), wanted.ptr()); }));
  if (!configured.is_valid())
    throw nb::python_error();
  if (Py_TYPE(configured.ptr()) != configured_type())
    throw TypeError("a launcher gave no configuration");
  remember(
      state,
      {nb::borrow(call.grid),
       nb::borrow(call.block),
       nb::borrow(call.stream),
       nb::borrow(call.shared),
       configured});
  return configured;
}

void launch(nb::handle configured, const KernelCall& call, Passed& passed) {
  launch_configured(*reinterpret_cast<ConfiguredObject*>(configured.ptr()), passed.arguments);
  if (const jit::Recording* const into = jit::recording()) {
    for (std::size_t i = 0; i < call.count; ++i) into->graph->keep(keep_alive(call.arguments[i]));
    passed.kept.keep_for(*into->graph);
    passed.arguments.keep_temporaries(*into->graph);
  }
}

}  // namespace

[[gnu::hot]] bool launch_declared(
    PyObject* self, KernelCallerState& state, const KernelCall& call, bool may_ask) {
  if (call.count != state.parameters.size()) {
    if (may_ask)
      outlive([&] { nb::handle(self).attr("_refuse_count")(call.count); });
    return false;
  }
  Passed passed(call.count, state.launcher.ptr());
  if (!pass_all(self, state, call, may_ask, passed))
    return false;
  open_arrays(passed);
  const nb::object configured = told_by(self, [&] { return configured_for(self, state, call); });
  if (call.before.is_valid())
    outlive([&] { call.before(); });
  told_by(self, [&] { launch(configured, call, passed); });
  return true;
}

}  // namespace phalanx::bindings
