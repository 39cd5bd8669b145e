// Devices, streams, events and page-locked host memory.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/base/library_call.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/interchange.h"
#include "phalanx/runtime/memory_resource.h"
#include "phalanx/runtime/thread_limit.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

using runtime::Device;
using runtime::Event;
using runtime::MemoryKind;
using runtime::Stream;
using runtime::StreamKind;
using Blocking = nb::call_guard<GilReleased>;
using Waiting = nb::call_guard<jit::NotRecording, GilReleased>;

struct StreamKindName {
  StreamKind kind;
  std::string_view name;
};
constexpr std::array stream_kinds = {
    StreamKindName{StreamKind::legacy_default, "legacy_default"},
    StreamKindName{StreamKind::per_thread_default, "per_thread_default"},
    StreamKindName{StreamKind::blocking, "blocking"},
    StreamKindName{StreamKind::non_blocking, "non_blocking"},
    StreamKindName{StreamKind::external, "external"},
    StreamKindName{StreamKind::recording, "recording"},
    StreamKindName{StreamKind::queued, "queued"},
};

StreamKind stream_kind(std::string_view name) {
  for (const StreamKindName& row : stream_kinds) {
    if (row.name == name && row.kind != StreamKind::recording)
      return row.kind;
  }
  throw ValueError("there is no kind of stream '" + std::string(name) + "'");
}

std::string_view name_of(StreamKind kind) {
  return stream_kinds.at(static_cast<std::size_t>(kind)).name;
}

nb::dict limits_of(Device& device) {
  const runtime::DeviceLimits& limits = device.limits();
  nb::dict made;
  const auto dim = [](const runtime::Dim3& d) { return nb::make_tuple(d.x, d.y, d.z); };
  made["max_threads_per_block"] = limits.max_threads_per_block;
  made["max_block"] = dim(limits.max_block);
  made["max_grid"] = dim(limits.max_grid);
  made["default_shared_bytes"] = limits.default_shared_bytes;
  made["max_shared_bytes"] = limits.max_shared_bytes;
  made["warp_size"] = limits.warp_size;
  made["multiprocessors"] = limits.multiprocessors;
  made["max_threads_per_multiprocessor"] = limits.max_threads_per_multiprocessor;
  made["total_memory"] = limits.total_memory;
  return made;
}

nb::dict memory_of(Device& device) {
  const runtime::MemoryInfo memory = device.memory_info();
  nb::dict made;
  made["free"] = memory.free;
  made["total"] = memory.total;
  made["used_here"] = memory.used_here;
  made["cached_here"] = memory.cached_here;
  const runtime::MemoryUse use = device.memory_use();
  made["used"] = use.used;
  made["peak"] = use.peak;
  made["limit"] = use.limit;
  return made;
}

// The bytes that the limit leaves; none without a limit.
std::optional<std::uint64_t> memory_room_of(Device& device) {
  const runtime::MemoryUse use = device.memory_use();
  if (!use.limit)
    return std::nullopt;
  return *use.limit - std::min(*use.limit, use.used);
}

std::optional<std::pair<unsigned, unsigned>> capability_of(Device& device) {
  const unsigned capability = device.limits().compute_capability;
  if (capability == 0)
    return std::nullopt;
  return std::pair(capability / 10, capability % 10);
}

nb::bytes uuid_of(Device& device) {
  runtime::CudaFeatures* const features = device.cuda();
  const auto uuid = features == nullptr ? std::array<std::uint8_t, 16>{} : features->uuid();
  return nb::bytes(uuid.data(), uuid.size());
}

std::vector<std::shared_ptr<Device>> all_devices() {
  std::vector<std::shared_ptr<Device>> devices;
  for (Device* device : engine().runtime().devices()) devices.push_back(device->shared_from_this());
  return devices;
}

std::shared_ptr<Device> device_named(std::string_view kind, int ordinal) {
  for (const DeviceRow& row : device_table) {
    if (row.name == kind)
      return engine().runtime().device(row.kind, ordinal).shared_from_this();
  }
  throw ValueError("a device is 'cpu' or 'cuda', not '" + std::string(kind) + "'");
}

nb::dict driver_info() {
  runtime::DriverInfo driver = engine().runtime().driver_info();
  if (const std::string* const reason = engine().disabled_reason()) {
    driver.usable = false;
    driver.device_count = 0;
    driver.problem = *reason;
  }
  nb::dict made;
  made["usable"] = driver.usable;
  made["version"] = driver.version;
  made["device_count"] = driver.device_count;
  made["path"] = driver.path;
  made["problem"] = driver.problem;
  return made;
}

// The callable is called and dropped on the thread that runs the callback.
void add_callback(Stream& stream, const nb::callable& function) {
  jit::refuse_while_recording("call back the host");
  const std::shared_ptr<void> held = keep_alive(function);
  has_callbacks() = true;
  const GilReleased no_gil;
  stream.add_callback([held] {
    const GilHeld gil;
    try {
      outlive([&] { nb::handle(static_cast<PyObject*>(held.get()))(); });
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("a stream's callback");
    }
  });
}

// The addresses of two C functions (runtime::AllocatorFunctions), or twice 0 for the device's own
// pool.
void set_allocator(Device& device, std::uintptr_t allocate, std::uintptr_t deallocate) {
  // What waits would need the functions from before, which their owner may unload after this.
  {
    const GilReleased no_gil;  // they may be Python's, by ctypes
    pending_memory(device).clear();
  }
  if (allocate == 0 && deallocate == 0)
    return device.set_memory_resource(nullptr);
  runtime::AllocatorFunctions functions;
  functions.allocate = reinterpret_cast<decltype(functions.allocate)>(allocate);
  functions.deallocate = reinterpret_cast<decltype(functions.deallocate)>(deallocate);
  device.set_memory_resource(runtime::make_memory_resource(functions));
}

// What there is at an address, and the memory of other processes.
void bind_memory(nb::class_<Device>& device) {
  device.def(
      "open_memory",
      [](Device& self, const nb::bytes& name) {
        runtime::MemoryName bytes{};
        if (name.size() != bytes.size())
          throw ValueError("the name of another process's memory has 64 bytes");
        std::copy_n(name.c_str(), bytes.size(), bytes.begin());
        const GilReleased no_gil;
        return runtime::memory_sharing(self).open_memory(bytes);
      },
      "name"_a);
  device.def(
      "export_memory",
      [](Device& self, std::uintptr_t address) {
        const auto name = runtime::memory_sharing(self).export_memory(address);
        return nb::bytes(name.data(), name.size());
      },
      "address"_a);
  device.def(
      "close_memory",
      [](Device& self, std::uintptr_t address) {
        runtime::memory_sharing(self).close_memory(address);
      },
      "address"_a,
      Blocking());
  device.def(
      "may_reach",
      [](const Device& self, std::uintptr_t address, std::size_t bytes) {
        return self.may_reach(address, bytes);
      },
      "address"_a,
      "bytes"_a,
      "False where surely no kernel and no copy finds memory at all of these addresses.");
  device.def(
      "reads_peer",
      [](Device& self, Device& peer) {
        return self.cuda() != nullptr && peer.cuda() != nullptr &&
               self.cuda()->try_peer_access(peer);
      },
      "peer"_a,
      Blocking(),
      "True if kernels of this GPU can read the memory of another one, over a link of the two.");
}

void bind_device(nb::module_& module) {
  nb::class_<Device> device(module, "Device", "What kernels run on: the CPU's cores, or one GPU.");
  device.def_prop_ro("kind", [](const Device& self) { return phalanx::name_of(self.kind()); });
  device.def_prop_ro("is_host", &Device::is_host, "Its memory is the host's.");
  device.def_prop_ro("ordinal", &Device::ordinal);
  device.def_prop_ro("name", &Device::name);
  device.def_prop_ro("compute_capability", &capability_of);
  device.def_prop_ro("uuid", &uuid_of);
  device.def_prop_ro("limits", &limits_of);
  device.def(
      "attribute",
      [](Device& self, int number) {
        return self.cuda() == nullptr ? std::nullopt : self.cuda()->attribute(number);
      },
      "number"_a);
  device.def("memory_info", &memory_of);
  device.def_prop_ro("memory_room", &memory_room_of);
  device.def("synchronize", &Device::synchronize, Waiting());
  bind_memory(device);
  device.def("set_allocator", &set_allocator, "allocate"_a, "deallocate"_a);
  device.def("trim_pool", &Device::trim_pool, Blocking());
  device.def("set_memory_limit", &Device::set_memory_limit, "bytes"_a.none(), Blocking());
  device.def_prop_ro("default_stream", [](Device& self) { return self.default_stream(); });
  device.def(
      "stream",
      [](Device& self, std::string_view kind) { return self.create_stream(stream_kind(kind)); },
      "kind"_a = "blocking");
  device.def("external_stream", &Device::external_stream, "handle"_a);
  device.def("event", &Device::create_event, "timing"_a = true);
  device.def(
      "__eq__",
      [](const Device& self, const Device& other) { return &self == &other; },
      nb::is_operator());
  device.def("__hash__", [](const Device& self) { return std::hash<const Device*>()(&self); });
  device.def("__repr__", [](Device& self) { return "<Device " + self.name() + ">"; });
}

void bind_queues(nb::module_& module) {
  nb::class_<Event> event(module, "Event", "A point in a stream that can be waited for and timed.");
  nb::class_<Stream> stream(module, "Stream", "An in-order queue of work on one device.");

  stream.def_prop_ro("device", [](Stream& self) { return self.device().shared_from_this(); });
  stream.def_prop_ro("handle", &Stream::handle);
  stream.def_prop_ro("kind", [](const Stream& self) { return name_of(self.kind()); });
  stream.def("synchronize", &Stream::synchronize, Waiting());
  stream.def("query", &Stream::query);
  stream.def("wait", &Stream::wait, "event"_a, Waiting());
  stream.def("add_callback", &add_callback, "function"_a);
  stream.def(
      "__eq__",
      [](const Stream& self, const Stream& other) { return &self == &other; },
      nb::is_operator());
  stream.def("__hash__", [](const Stream& self) { return std::hash<const Stream*>()(&self); });

  event.def_prop_ro("handle", &Event::handle);
  event.def("record", &Event::record, "stream"_a, Waiting());
  event.def("query", &Event::query);
  event.def("synchronize", &Event::synchronize, Waiting());
  event.def("elapsed_ms_since", &Event::elapsed_ms_since, "start"_a, Blocking());
}

// Memory of the host that a device can work with, as a buffer for NumPy.
struct HostMemory {
  runtime::Buffer buffer;
};

int give_host_buffer(PyObject* self, Py_buffer* view, int flags) {
  const runtime::Buffer& buffer = nb::inst_ptr<HostMemory>(self)->buffer;
  return PyBuffer_FillInfo(
      view, self, buffer.host(), static_cast<Py_ssize_t>(buffer.size()), 0, flags);
}

const PyType_Slot host_memory_slots[] = {
    {Py_bf_getbuffer, reinterpret_cast<void*>(give_host_buffer)}, {0, nullptr}};

// A buffer of somebody's, page-locked while this lives.
struct PinnedRegion {
  std::unique_ptr<BufferView> view;
  std::shared_ptr<void> pin;
};

void bind_memory(nb::module_& module) {
  nb::class_<HostMemory> memory(
      module, "HostMemory", nb::type_slots(host_memory_slots), "Host memory for fast copies.");
  memory.def(
      "__init__",
      [](HostMemory* self, std::size_t size, std::string_view kind, std::optional<Device*> device) {
        Device& where = device && *device != nullptr ? **device : current_device();
        const MemoryKind wanted = memory_kind(kind);
        const GilReleased no_gil;
        new (self) HostMemory{where.allocate(size, wanted)};
      },
      "size"_a,
      "kind"_a = "pinned",
      "device"_a = nb::none());
  memory.def_prop_ro("address", [](const HostMemory& self) { return self.buffer.address(); });
  memory.def_prop_ro("size", [](const HostMemory& self) { return self.buffer.size(); });

  nb::class_<PinnedRegion>(module, "PinnedRegion", "Keeps a buffer's memory page-locked.");
  module.def(
      "pin",
      [](nb::handle object, bool mapped, std::optional<Device*> device) {
        Device& where = device && *device != nullptr ? **device : current_device();
        auto region = std::make_unique<PinnedRegion>();
        region->view = std::make_unique<BufferView>(object.ptr(), PyBUF_FULL_RO);
        region->pin = where.pin(region->view->data(), region->view->bytes(), mapped);
        return region.release();
      },
      nb::rv_policy::take_ownership,
      "object"_a,
      "mapped"_a = false,
      "device"_a = nb::none());
}

}  // namespace

void bind_runtime(nb::module_& module) {
  // Before any handler of exit(); full lists of handlers leave it to exit().
  static_cast<void>(Py_AtExit([] { end_library_calls(); }));
  bind_device(module);
  bind_queues(module);
  bind_memory(module);
  module.def("devices", &all_devices, "Every device: GPUs first, then the CPU.");
  module.def("device", &device_named, "kind"_a, "ordinal"_a = 0);
  module.def(
      "current_device",
      [] { return current_device().shared_from_this(); },
      "The calling thread's device.");
  module.def(
      "disable_devices",
      [](std::string reason) { engine().disable_devices(std::move(reason)); },
      "reason"_a);
  module.def("set_current_device", &jit::set_current_device, "device"_a);
  module.def("driver_info", &driver_info);
  module.def("set_thread_limit", &runtime::set_thread_limit, "threads"_a);
  module.def("thread_limit", &runtime::thread_limit);
}

}  // namespace phalanx::bindings
