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

// An argument as the launch takes it: an object, or the elements of an array.
struct Passed {
  PyObject* object = nullptr;
  nb::object owned;  // the object, where the caller does not hold it for the launch
  const arrays::Array* array = nullptr;
  arrays::Memory memory;  // of the array
};

// All of a call's, without an allocation where they are few.
class PassedArguments {
 public:
  explicit PassedArguments(std::size_t count) : count_(count) {
    if (count > few_.size())
      many_.resize(count);
  }

  std::span<Passed> all() {
    return many_.empty() ? std::span(few_).first(count_) : std::span<Passed>(many_);
  }

 private:
  std::array<Passed, 8> few_;
  std::vector<Passed> many_;
  std::size_t count_;
};

// False where Python has to be asked for the memory.
bool pass_held(PyObject* memory, Passed& passed) {
  passed.owned = held_by(memory);
  passed.object = passed.owned.ptr();
  if (passed.object == nullptr)
    return false;
  passed.array = array_in(passed.owned);
  return true;
}

bool pass(const Parameter& parameter, PyObject* given, Passed& passed) {
  passed.object = given;
  if (parameter.is_pointer() && is_held_memory(Py_TYPE(given)))
    return pass_held(given, passed);
  if (parameter.takes(given))
    return true;
  if (!parameter.is_pointer())
    return false;
  if (const arrays::Array* const array = array_in(given))
    return parameter.takes_array_of(array->element_type());
  const nb::object memory = attribute(given, names().gpudata);
  return memory.is_valid() && is_held_memory(Py_TYPE(memory.ptr())) &&
         pass_held(memory.ptr(), passed);
}

void convert(PyObject* self, std::size_t number, PyObject* given, Passed& passed) {
  passed.owned =
      outlive([&] { return nb::handle(self).attr("_convert")(nb::handle(given), number); });
  passed.object = passed.owned.ptr();
}

bool pass_all(
    PyObject* self,
    const KernelCallerState& state,
    const KernelCall& call,
    bool may_ask,
    std::span<Passed> passed) {
  for (std::size_t i = 0; i < passed.size(); ++i) {
    if (pass(state.parameters[i], call.arguments[i], passed[i]))
      continue;
    if (!may_ask)
      return false;
    convert(self, i, call.arguments[i], passed[i]);
  }
  return true;
}

// What was recorded of arrays is computed, or keeps its values, before the kernel writes to them.
// All were handed out before, so that they stay where they are.
void open_arrays(std::span<Passed> passed) {
  bool has_arrays = false;
  for (const Passed& each : passed) has_arrays |= each.array != nullptr;
  if (!has_arrays)
    return;
  const GraphAside no_gil;
  for (Passed& each : passed) {
    if (each.array != nullptr)
      each.memory = each.array->is_read_only() ? each.array->share() : each.array->open();
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
  const nb::object grid = plain_extents(call.grid);
  const nb::object block = plain_extents(call.block);
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

void launch(const KernelCallerState& state, nb::handle configured, std::span<Passed> passed) {
  Arguments arguments(passed.size(), state.launcher.ptr(), Callee::kernel);
  for (Passed& each : passed) {
    if (each.memory)
      arguments.add_bytes(std::move(each.memory));
    else
      arguments.add(each.object);
  }
  launch_configured(*reinterpret_cast<ConfiguredObject*>(configured.ptr()), arguments);
  if (const jit::Recording* const into = jit::recording()) {
    for (const Passed& each : passed) into->graph->keep(keep_alive(each.object));
    arguments.keep_temporaries(*into->graph);
  }
}

}  // namespace

bool launch_declared(
    PyObject* self, KernelCallerState& state, const KernelCall& call, bool may_ask) {
  if (call.count != state.parameters.size()) {
    if (may_ask)
      outlive([&] { nb::handle(self).attr("_refuse_count")(call.count); });
    return false;
  }
  PassedArguments arguments(call.count);
  const std::span<Passed> passed = arguments.all();
  if (!pass_all(self, state, call, may_ask, passed))
    return false;
  open_arrays(passed);
  const nb::object configured = told_by(self, [&] { return configured_for(self, state, call); });
  if (call.before.is_valid())
    outlive([&] { call.before(); });
  told_by(self, [&] { launch(state, configured, passed); });
  return true;
}

}  // namespace phalanx::bindings
