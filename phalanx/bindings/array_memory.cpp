// What Python sees of the memory of arrays: the lines that made them, and figures.
#include <Python.h>
#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/arrays/residency.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/gil.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

using arrays::Origin;

const std::string& package_folder() {
  static const std::string folder =
      nb::cast<std::string>(nb::str(nb::module_::import_("phalanx").attr("__path__")[0])) + "/";
  return folder;
}

// The nearest frame of the program's own.
SourceLine line_of_caller() {
  auto frame = nb::borrow(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  while (frame && !frame.is_none()) {
    auto* const native = reinterpret_cast<PyFrameObject*>(frame.ptr());
    const auto code = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(native)));
    const auto path = nb::cast<std::string>(code.attr("co_filename"));
    if (!path.starts_with(package_folder()))
      return {.path = path, .line = PyFrame_GetLineNumber(native)};
    frame = frame.attr("f_back");
  }
  return {};
}

// Those of this thread that wait for the GIL: taking it at each allocation could take long.
std::vector<std::shared_ptr<Origin>>& waiting_origins() {
  using Origins = std::vector<std::shared_ptr<Origin>>;
  thread_local const auto origins = std::make_unique<Origins>();  // allocated: see decision 0049
  return *origins;
}

}  // namespace

void note_origin(const std::shared_ptr<Origin>& origin) {
  waiting_origins().push_back(origin);
  if (!GraphAside::is_active())
    set_origins();
}

void set_origins() noexcept {
  std::vector<std::shared_ptr<Origin>> origins;
  origins.swap(waiting_origins());
  if (origins.empty())
    return;
  const nb::error_scope kept;
  try {
    const SourceLine line = outlive(&line_of_caller);
    for (const std::shared_ptr<Origin>& origin : origins) origin->set(line);
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("the line that made an array");
  } catch (const std::exception&) {  // no line is known, then
  }
}

arrays::Memory memory_to_write(const arrays::Array& array) {
  return array.is_read_only() ? array.share() : array.lend();
}

bool can_lend(const arrays::Array& array) {
  if (array.element_type().is_time())
    return false;
  const arrays::NodePtr node = array.value();
  return node->device != nullptr || !node->is_pending();
}

arrays::Memory lent_by(const arrays::Array& array) {
  arrays::Memory memory = memory_to_write(array);
  if (memory->device->is_host())
    memory->device->default_stream()->synchronize();
  return memory;
}

void bind_array_memory(nb::module_& module) {
  module.def("array_spill_statistics", [] {
    const arrays::SpillStatistics statistics = graph().residency().statistics();
    nb::dict made;
    made["spilled_bytes"] = statistics.spilled_bytes;
    made["spills"] = statistics.spills;
    made["restores"] = statistics.restores;
    return made;
  });
}

}  // namespace phalanx::bindings
