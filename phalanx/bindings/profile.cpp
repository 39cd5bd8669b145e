// What Python sees of a profile: bytes of records, and the tables that their numbers point into.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
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
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/profile_site.h"
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

std::uint32_t active_blocks(runtime::Device& device, std::uint32_t executable, unsigned threads) {
  const auto known = Profiler::instance().executables();
  if (executable == 0 || executable > known.size())
    throw ValueError("a profile has no executable " + std::to_string(executable));
  return device.active_blocks_per_multiprocessor(*known[executable - 1], threads, 0);
}

// The scopes of a thread that Python has opened, the last one first to close.
std::vector<std::unique_ptr<runtime::ProfileSpan>>& open_scopes() {
  using Scopes = std::vector<std::unique_ptr<runtime::ProfileSpan>>;
  thread_local const auto scopes = std::make_unique<Scopes>();  // allocated: see decision 0049
  return *scopes;
}

std::size_t begin_scope(const std::string& name, const std::string& group) {
  auto span = std::make_unique<runtime::ProfileSpan>(runtime::ProfileKind::scope);
  if (span->is_on()) {
    span->set_name(name);
    span->record().detail = Profiler::instance().number_of(group);
  }
  open_scopes().push_back(std::move(span));
  return open_scopes().size();
}

// Those within it, too: a generator may have left some open.
void end_scope(std::size_t depth) {
  auto& scopes = open_scopes();
  while (depth != 0 && scopes.size() >= depth) scopes.pop_back();
}

// A thread of Python's works for a line of another thread.
class LentSite {
 public:
  explicit LentSite(std::uint32_t site) : site_(site) {}
  void enter() { lent_.emplace(site_); }
  void leave() { lent_.reset(); }

 private:
  std::uint32_t site_;
  std::optional<SiteLent> lent_;
};

void bind_sites(nb::module_& module) {
  module.def(
      "profile_site",
      [] { return runtime::is_profiling() ? locate_site() : 0; },
      "The number of the caller's line while a profile is taken, else 0.");
  nb::class_<LentSite>(
      module, "ProfileSite", "A block whose work is that of a line of another thread.")
      .def(nb::init<std::uint32_t>(), "site"_a)
      .def("__enter__", &LentSite::enter)
      .def("__exit__", [](LentSite& self, const nb::args&) { self.leave(); });
}

}  // namespace

void bind_profile(nb::module_& module) {
  bind_sites(module);
  module.def(
      "profile_start",
      [](std::string package, std::vector<std::string> libraries) {
        Profiler& profiler = Profiler::instance();
        profiler.set_locate(&locate_site);
        if (!runtime::takes_records())
          reset_sites(std::move(package), std::move(libraries));
        profiler.start();
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
        Profiler::instance().set_locate(&locate_site);
        reset_sites(std::move(package), std::move(libraries));
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
      "Blocks of that many threads that a multiprocessor of the device runs at once.");
  module.def("profile_begin", &begin_scope, "name"_a, "group"_a);
  module.def("profile_end", &end_scope, "depth"_a);
  nb::list kinds;
  for (const std::string_view name : runtime::profile_kind_names)
    kinds.append(nb::str(name.data(), name.size()));
  module.attr("PROFILE_KINDS") = nb::tuple(kinds);
}

}  // namespace phalanx::bindings
