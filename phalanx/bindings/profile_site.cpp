#include "phalanx/bindings/profile_site.h"

#include <Python.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "phalanx/bindings/delegated_work.h"
#include "phalanx/bindings/profile_sites.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

// Of the thread, while it has given the GIL away or works for another.
KnownSite& aside() {
  thread_local KnownSite state;
  return state;
}

enum class Owner : std::uint8_t { program, library, ours };

// A code object of Python's: whose it is, and the sites of its instructions.
struct Code {
  nb::object kept;  // so that its address has one meaning
  Owner owner = Owner::program;
  std::vector<std::pair<long, std::uint32_t>> sites;
};

struct Sites {
  nb::ft_mutex mutex;  // where there is no GIL
  std::string package;
  std::vector<std::string> libraries;
  std::unordered_map<PyObject*, Code> codes;
  std::vector<ProfileSite> sites;        // from number 1 on
  std::mutex texts_mutex;                // ranges are told without the GIL
  std::vector<std::string> texts;        // of all sites: "script.py:12"
  std::atomic<std::uint32_t> table = 0;  // counts the resets
};

Sites& all() {
  static auto* const made = new Sites;
  return *made;
}

Owner owner_of(const Sites& sites, const std::string& path) {
  if (path.starts_with(sites.package))
    return Owner::ours;
  const bool is_library = path.starts_with("<frozen") ||
                          std::ranges::any_of(sites.libraries, [&](const std::string& folder) {
                            return path.starts_with(folder);
                          });
  return is_library ? Owner::library : Owner::program;
}

// Names of files need not be UTF-8: what is not is a question mark.
std::string text_of(PyObject* object, const char* attribute) {
  const nb::object found = nb::steal(PyObject_GetAttrString(object, attribute));
  nb::object bytes;
  if (found.is_valid() && nb::isinstance<nb::str>(found))
    bytes = nb::steal(PyUnicode_AsEncodedString(found.ptr(), "utf-8", "replace"));
  if (!bytes.is_valid()) {
    PyErr_Clear();
    return {};
  }
  return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}

Code& code_of(Sites& sites, PyObject* code) {
  const auto [row, is_new] = sites.codes.try_emplace(code);
  if (is_new) {
    row->second.kept = nb::borrow(code);
    row->second.owner = owner_of(sites, text_of(code, "co_filename"));
  }
  return row->second;
}

// The instruction that runs; -1 where Python does not tell.
long instruction_of(PyObject* frame) {
  static PyObject* const name = PyUnicode_InternFromString("f_lasti");
  const nb::object found = nb::steal(PyObject_GetAttr(frame, name));
  if (found.is_valid())
    return PyLong_AsLong(found.ptr());
  PyErr_Clear();
  return -1;
}

// A line is counted through a function's table: each instruction once.
std::uint32_t site_in(Sites& sites, Code& code, PyObject* frame) {
  const long instruction = instruction_of(frame);
  for (const auto& [known, site] : code.sites) {
    if (known == instruction)
      return site;
  }
  PyObject* const object = code.kept.ptr();
  sites.sites.push_back(
      {.path = text_of(object, "co_filename"),
       .function = text_of(object, "co_name"),
       .line = PyFrame_GetLineNumber(reinterpret_cast<PyFrameObject*>(frame))});
  const ProfileSite& made = sites.sites.back();
  {
    const std::lock_guard lock(sites.texts_mutex);
    sites.texts.push_back(
        std::filesystem::path(made.path).filename().string() + ":" + std::to_string(made.line));
  }
  const auto site = static_cast<std::uint32_t>(sites.sites.size());
  code.sites.emplace_back(instruction, site);
  return site;
}

nb::object caller_of(PyObject* frame) {
  static PyObject* const name = PyUnicode_InternFromString("f_back");
  nb::object found = nb::steal(PyObject_GetAttr(frame, name));
  if (!found.is_valid())
    PyErr_Clear();
  return found;
}

// The nearest frame of the program's own; where there is none, of a library that calls us.
std::uint32_t site_of_frames() {
  Sites& sites = all();
  std::uint32_t of_library = 0;
  auto frame = nb::borrow(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  while (frame.is_valid() && !frame.is_none()) {
    auto* const native = reinterpret_cast<PyFrameObject*>(frame.ptr());
    const auto object = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(native)));
    {
      const nb::ft_lock_guard lock(sites.mutex);
      Code& code = code_of(sites, object.ptr());
      if (code.owner == Owner::program)
        return site_in(sites, code, frame.ptr());
      if (code.owner == Owner::library && of_library == 0)
        of_library = site_in(sites, code, frame.ptr());
    }
    frame = caller_of(frame.ptr());
  }
  return of_library;
}

// What other errors are under way stay.
std::uint32_t site_with_gil() {
  const nb::error_scope kept;
  return site_of_frames();
}

// The table first: a number of an earlier one is none.
KnownSite known(std::uint32_t (*locate)(), bool is_delegated) {
  return {
      .is_known = true,
      .is_delegated = is_delegated,
      .table = all().table.load(),
      .site = locate()};
}

}  // namespace

std::uint32_t locate_site() {
  if (aside().is_known)  // what began before the table did is of no line
    return aside().table == all().table.load() ? aside().site : 0;
  // All of the package give the GIL away by GilReleased: a thread of Python's that did not has it.
  const bool has_frames = !gil_state.is_without && Py_IsInitialized() != 0 &&
                          PyGILState_GetThisThreadState() != nullptr;
  return has_frames ? site_with_gil() : 0;
}

void SiteAside::enter() {
  if (aside().is_delegated)
    return;
  is_entered_ = true;
  before_ = std::exchange(aside(), known(&site_with_gil, false));
}

void SiteAside::leave() const { aside() = before_; }

WorkOrigin WorkOrigin::here() {
  if (!runtime::is_profiling())
    return {};
  return {.site = known(&locate_site, true), .place = runtime::ProfilePlace::here()};
}

DelegatedWork::DelegatedWork(const WorkOrigin& origin) : before_(aside()), within_(origin.place) {
  if (origin.site.site != 0)
    aside() = origin.site;
}

DelegatedWork::~DelegatedWork() { aside() = before_; }

void reset_sites(std::string package, std::vector<std::string> libraries) {
  std::unordered_map<PyObject*, Code> dropped;  // without the lock
  Sites& sites = all();
  const nb::ft_lock_guard lock(sites.mutex);
  sites.table.fetch_add(1);
  sites.package = std::move(package);
  sites.libraries = std::move(libraries);
  sites.sites.clear();
  {
    const std::lock_guard texts(sites.texts_mutex);
    sites.texts.clear();
  }
  dropped.swap(sites.codes);
}

std::string describe_site(std::uint32_t site) {
  const std::lock_guard lock(all().texts_mutex);
  const std::vector<std::string>& texts = all().texts;
  return site == 0 || site > texts.size() ? std::string() : texts[site - 1];
}

std::vector<ProfileSite> profile_sites() {
  const nb::ft_lock_guard lock(all().mutex);
  return all().sites;
}

}  // namespace phalanx::bindings
