#include "phalanx/bindings/kernel_notes.h"

#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <exception>
#include <string_view>
#include <vector>

#include "phalanx/bindings/compile_thread.h"
#include "phalanx/bindings/gil.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

std::atomic<arrays::KernelNotes*>& waiting() {
  static std::atomic<arrays::KernelNotes*> notes = nullptr;
  return notes;
}

nb::object to_python(const std::optional<arrays::Choice>& choice) {
  if (!choice)
    return nb::none();
  const bool is_on_gpu = choice->side == arrays::Side::gpu;
  return nb::make_tuple(
      is_on_gpu,
      nb::make_tuple(choice->seconds[0], choice->seconds[1]),
      choice->copied_bytes.at(arrays::index_of(choice->side)));
}

// A program that has not imported `logging` has nobody who reads it.
void tell(const std::vector<arrays::KernelNote>& notes) {
  const nb::dict modules = nb::module_::import_("sys").attr("modules");
  if (!modules.contains("logging"))
    return;
  const nb::module_ progress = nb::module_::import_("phalanx._core.progress");
  if (!nb::cast<bool>(progress.attr("is_debugging")()))
    return;
  for (const arrays::KernelNote& note : notes)
    progress.attr("noted")(note.code, note.device, to_dict(note.seconds), to_python(note.choice));
}

}  // namespace

void tell_notes(arrays::KernelNotes& notes) noexcept {
  // Who uses arrays without the GIL has a GraphAside, or is no thread of Python's.
  if (gil_state.is_aside || Py_IsInitialized() == 0 || PyGILState_GetThisThreadState() == nullptr)
    return;
  const nb::error_scope under_way;
  try {
    outlive([&] { tell(notes.take()); });
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("the log of kernels of arrays");
  } catch (const std::exception&) {  // a log without these
  }
}

void set_waiting_notes(arrays::KernelNotes& notes) { waiting() = &notes; }

void tell_waiting_notes() noexcept {
  arrays::KernelNotes* const notes = waiting();
  if (notes != nullptr && notes->any()) [[unlikely]]
    tell_notes(*notes);
}

}  // namespace phalanx::bindings
