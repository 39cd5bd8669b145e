// Recording launches and copies, and doing them again.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/arrays.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

// The recording of this thread ends; `keep` is false after an error.
void end(const std::shared_ptr<jit::Graph>& self, bool keep) {
  const jit::Recording* const current = jit::recording();
  if (current == nullptr || current->graph != self)
    throw ValueError("a graph is recorded by the thread that entered its `with` block");
  const auto part = self->part();
  std::exception_ptr error;
  if (part) {
    const GraphAside no_gil;
    try {
      if (keep)
        part->finish();
    } catch (...) {
      error = std::current_exception();
    }
    if (!keep || error)
      part->abandon();
  }
  const auto done = jit::stop_recording();
  try {
    keep = keep && error == nullptr;
    std::shared_ptr<runtime::Graph> work;
    {
      // What was dropped meanwhile waits for the device, whose callbacks need the GIL.
      const GilReleased no_gil;
      work = self->device().finish_recording(*done->stream);
    }
    if (keep)
      self->finish(std::move(work));
  } catch (const DeviceError&) {
    if (keep)  // else the error that ended the block tells more
      throw;
  }
  if (error)
    std::rethrow_exception(error);
}

void launch(const std::shared_ptr<jit::Graph>& self, nb::handle given) {
  const auto stream = jit::stream_or_default(self->device(), stream_from(given, self->device()));
  jit::refuse_while_recording("launch another graph");
  const GraphAside no_gil;
  self->launch(stream);
}

class NotRecorded {
 public:
  void enter() { paused_.emplace(); }
  void exit() { paused_.reset(); }

 private:
  std::optional<jit::RecordingPaused> paused_;
};

}  // namespace

void bind_graph(nb::module_& module) {
  nb::class_<jit::Graph> type(module, "Graph", "Launches and copies to be done again and again.");
  module.def(
      "record",
      [] {
        auto made = std::make_shared<jit::Graph>(current_device().shared_from_this());
        jit::start_recording(made);
        return made;
      },
      "From now on the calling thread's launches and copies go into a new graph.");
  type.def("end", &end, "keep"_a = true, "Ends the recording.");
  type.def("launch", &launch, "stream"_a = nb::none(), "Does all of it, in the recorded order.");
  type.def_prop_ro("size", &jit::Graph::size, "Launches, copies and fills.");
  nb::class_<NotRecorded>(module, "NotRecorded", "While inside, work is done and not recorded.")
      .def(nb::init<>())
      .def("__enter__", &NotRecorded::enter)
      .def(
          "__exit__",
          [](NotRecorded& self, nb::handle, nb::handle, nb::handle) { self.exit(); },
          "kind"_a.none(),
          "error"_a.none(),
          "trace"_a.none());
  module.def("is_recording", [] { return jit::recording() != nullptr; });
}

}  // namespace phalanx::bindings
