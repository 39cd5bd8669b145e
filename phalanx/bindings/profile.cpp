// What Python sees of a profile: bytes of records, and the tables that their numbers point into.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/delegated_work.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/profile_sites.h"
#include "phalanx/libs/nvtx.h"
#include "phalanx/runtime/profiler.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

using runtime::Executable;
using runtime::Profiler;

constexpr std::array<std::string_view, 5> warning_names = {
    "cache", "float64", "stride", "parallel", "fallback"};
static_assert(warning_names.size() == static_cast<std::size_t>(Warning::last) + 1);

nb::list to_list(const std::vector<Warning>& warnings) {
  nb::list made;
  for (const Warning& warning : warnings) {
    const std::string_view kind = warning_names.at(static_cast<std::size_t>(warning.kind));
    made.append(nb::make_tuple(
        nb::str(kind.data(), kind.size()), warning.text, warning.file, warning.line));
  }
  return made;
}

nb::dict to_dict(Executable& executable) {
  const runtime::KernelAttributes attributes = executable.attributes();
  nb::dict made;
  made["name"] = executable.name();
  made["lanes"] = executable.entry().lanes;
  made["registers"] = attributes.registers;
  made["local_bytes"] = attributes.local_bytes;
  made["shared_bytes"] = attributes.static_shared_bytes;
  made["warnings"] = to_list(executable.binary().warnings);
  return made;
}

nb::dict take() {
  std::vector<Profiler::ThreadRecords> threads;
  {
    const GilReleased no_gil;
    threads = Profiler::instance().take();
  }
  nb::list records;
  for (const Profiler::ThreadRecords& thread : threads)
    records.append(nb::make_tuple(
        thread.thread,
        thread.lost,
        nb::bytes(thread.records.data(), thread.records.size() * sizeof(runtime::ProfileRecord))));
  nb::list lines;
  for (const ProfileSite& site : profile_sites())
    lines.append(nb::make_tuple(site.path, site.function, site.line));
  nb::list executables;
  for (const auto& executable : Profiler::instance().executables())
    executables.append(to_dict(*executable));
  nb::dict made;
  made["threads"] = records;
  made["texts"] = Profiler::instance().texts();
  made["sites"] = lines;
  made["executables"] = executables;
  return made;
}

std::uint32_t active_blocks(
    runtime::Device& device, std::uint32_t executable, unsigned threads, unsigned shared_bytes) {
  const auto known = Profiler::instance().executables();
  if (executable == 0 || executable > known.size())
    throw ValueError("a profile has no executable " + std::to_string(executable));
  return device.active_blocks_per_multiprocessor(*known[executable - 1], threads, shared_bytes);
}

// The scopes of a thread that Python has opened, the last one first to close.
struct OpenScopes {
  std::vector<std::unique_ptr<runtime::ProfileSpan>> spans;
  bool is_within = false;  // a scope of another thread, for which this one works

  bool any() const { return is_within || !spans.empty(); }
};
OpenScopes& open_scopes() {
  thread_local const auto scopes = std::make_unique<OpenScopes>();  // allocated: see decision 0049
  return *scopes;
}

// 0 for what is part of another thread's scope.
std::size_t begin_scope(const std::string& name, const std::string& group) {
  if (open_scopes().is_within)
    return 0;
  auto span = std::make_unique<runtime::ProfileSpan>(runtime::ProfileKind::scope);
  if (span->is_on()) {
    span->set_name(name);
    span->record().detail = Profiler::instance().number_of(group);
  }
  open_scopes().spans.push_back(std::move(span));
  return open_scopes().spans.size();
}

// Those within it, too: a generator may have left some open.
void end_scope(std::size_t depth) {
  auto& scopes = open_scopes().spans;
  while (depth != 0 && scopes.size() >= depth) scopes.pop_back();
}

// Spans that are under way have lines of the table that there is.
void begin_sites(std::string package, std::vector<std::string> libraries) {
  Profiler::instance().set_locate(&locate_site);
  if (!runtime::is_profiling())
    reset_sites(std::move(package), std::move(libraries));
}

// What a thread of Python's does, for those that work for it.
struct ScopedOrigin {
  WorkOrigin work = WorkOrigin::here();
  bool is_within = open_scopes().any();
};

// A block of a thread of Python's that works for another.
class DelegatedBlock {
 public:
  explicit DelegatedBlock(const ScopedOrigin& origin) : origin_(origin) {}
  void enter() {
    work_.emplace(origin_.work);
    was_within_ = std::exchange(open_scopes().is_within, origin_.is_within);
  }
  void leave() {
    work_.reset();
    open_scopes().is_within = was_within_;
  }

 private:
  ScopedOrigin origin_;
  std::optional<DelegatedWork> work_;
  bool was_within_ = false;
};

void bind_origins(nb::module_& module) {
  nb::class_<DelegatedBlock>(
      module, "ProfileBlock", "A block of a thread that works for another one.")
      .def("__enter__", &DelegatedBlock::enter)
      .def("__exit__", [](DelegatedBlock& self, const nb::args&) { self.leave(); });
  nb::class_<ScopedOrigin>(
      module,
      "ProfileOrigin",
      "Where a thread is, for profiles: its line, and the method of a frame or model.")
      .def(nb::init<>())
      .def(
          "delegate",
          [](const ScopedOrigin& self) { return std::make_unique<DelegatedBlock>(self); },
          "A block whose work is part of it, for one thread.");
}

void bind_nvtx(nb::module_& module) {
  module.def("has_nvtx", &libs::has_nvtx);
  module.def(
      "nvtx_push",
      &libs::nvtx_push,
      "message"_a,
      "argb"_a = nb::none(),
      "Begins a range of the program's own. Raises DeviceError without the library.");
  module.def("nvtx_pop", &libs::nvtx_pop);
  module.def("nvtx_mark", &libs::nvtx_mark, "message"_a, "argb"_a = nb::none());
}

}  // namespace

void bind_profile(nb::module_& module) {
  bind_origins(module);
  bind_nvtx(module);
  module.def(
      "profile_start",
      [](std::string package, std::vector<std::string> libraries) {
        begin_sites(std::move(package), std::move(libraries));
        Profiler::instance().start();
      },
      "package"_a,
      "libraries"_a,
      "Records from now on. Lines of the program are those of files in neither the package nor "
      "folders of libraries.");
  module.def("profile_stop", [] { Profiler::instance().stop(); });
  module.def("profile_is_on", &runtime::takes_records);
  module.def(
      "profile_ranges",
      [](std::string package, std::vector<std::string> libraries) {
        static auto* const ranges =
            new libs::NvtxRanges;  // threads may tell while the process ends
        begin_sites(std::move(package), std::move(libraries));
        Profiler::instance().give_ranges(*ranges, &describe_site);
      },
      "package"_a,
      "libraries"_a,
      "Gives NVTX ranges from now on. Raises DeviceError where its library is not there.");
  module.def("profile_time", &runtime::profile_time, "Nanoseconds of the records' clock.");
  module.def(
      "profile_take",
      &take,
      "All records so far, as bytes for each thread, and what their numbers mean.");
  module.def(
      "profile_active_blocks",
      &active_blocks,
      "device"_a,
      "executable"_a,
      "threads"_a,
      "shared_bytes"_a,
      "Blocks of that many threads and dynamic shared bytes that a multiprocessor of the device "
      "runs at once.");
  module.def("profile_begin", &begin_scope, "name"_a, "group"_a);
  module.def("profile_end", &end_scope, "depth"_a);
  nb::list kinds;
  for (const std::string_view name : runtime::profile_kind_names)
    kinds.append(nb::str(name.data(), name.size()));
  module.attr("PROFILE_KINDS") = nb::tuple(kinds);
}

}  // namespace phalanx::bindings
