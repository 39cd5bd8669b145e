// PendingMemory for Python: the memory of arrays that waits before it is given back.
#include "phalanx/views/pending_memory.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <map>
#include <memory>
#include <mutex>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

// How much may wait.
views::PendingLimits& pending_limits() {
  static auto* const made =
      new views::PendingLimits();  // arrays may outlive everything, as engine()
  return *made;
}

}  // namespace

views::PendingMemory& pending_memory(runtime::Device& device) {
  static auto* const mutex = new std::mutex();
  static auto* const made = new std::map<runtime::Device*, std::unique_ptr<views::PendingMemory>>();
  const std::lock_guard lock(*mutex);
  std::unique_ptr<views::PendingMemory>& found = (*made)[&device];
  if (!found)
    found = std::make_unique<views::PendingMemory>(device, pending_limits());
  return *found;
}

void bind_pending_memory(nb::module_& module) {
  using views::PendingMemory;
  const nb::call_guard<GilReleased> blocking;
  nb::class_<PendingMemory> type(
      module, "PendingMemory", "Memory of arrays that nobody uses, before it is given back.");
  type.def("clear", &PendingMemory::clear, blocking, "Gives it back, unless held.");
  type.def("hold", &PendingMemory::hold, "Nothing is given back until as many calls of release.");
  type.def("release", &PendingMemory::release, blocking);
  type.def("__len__", &PendingMemory::count);
  type.def_prop_ro("nbytes", &PendingMemory::bytes);
  type.def_prop_ro("max_bytes", &PendingMemory::max_bytes);
  module.def(
      "pending_memory",
      [](runtime::Device& device) -> PendingMemory& { return pending_memory(device); },
      nb::rv_policy::reference,
      "device"_a);
  module.def(
      "set_pending_limits",
      [](std::size_t count, double ratio) {
        if (!(ratio >= 0 && ratio <= 1))
          throw ValueError("the part of the memory that may wait is a number from 0 to 1");
        pending_limits().count = count;
        pending_limits().ratio = ratio;
      },
      "count"_a,
      "ratio"_a,
      "How many arrays may wait, and what part of the device's memory.");
}

}  // namespace phalanx::bindings
