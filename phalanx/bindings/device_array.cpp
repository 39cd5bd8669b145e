// DeviceArray for Python: allocation, views, copies, and the protocols of other libraries.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/interchange.h"
#include "phalanx/bindings/keywords.h"
#include "phalanx/views/copier.h"
#include "phalanx/views/device_array.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

using views::DeviceArray;

// The keywords `stream` and `device`. A handle or number is a stream of that device, or of the
// current one; the device is that of the stream where none is given.
struct Site {
  explicit Site(Keywords& keywords) : Site(keywords.take("stream"), taken_device(keywords)) {}

  std::shared_ptr<runtime::Stream> stream;  // null: the device's default stream
  runtime::Device& device;

 private:
  Site(nb::handle given, runtime::Device* wanted)
      : stream(stream_from(given, wanted != nullptr ? *wanted : current_device())),
        device(
            wanted != nullptr ? *wanted
            : stream          ? stream->device()
                              : current_device()) {}

  static runtime::Device* taken_device(Keywords& keywords) {
    std::optional<runtime::Device*> given;
    keywords.take("device", given);
    return given.value_or(nullptr);
  }
};

nb::tuple to_tuple(const Extents& extents) {
  nb::list items;
  for (const std::int64_t extent : extents) items.append(extent);
  return nb::tuple(items);
}

void allocate(DeviceArray* self, Extents shape, const ir::Type& element, const nb::kwargs& given) {
  jit::refuse_while_recording("allocate device memory; make the arrays before");
  Keywords keywords("DeviceArray", given);
  std::string order = "C";
  std::string kind = "device";
  keywords.take("order", order);
  keywords.take("kind", kind);
  const Site site(keywords);
  keywords.refuse_others();
  if (order != "C" && order != "F")
    throw ValueError("an array's order is 'C' or 'F', not '" + order + "'");
  const runtime::MemoryKind wanted = memory_kind(kind);
  const GilReleased no_gil;
  const auto make = [&] {
    return views::allocate_array(
        engine().types(),
        site.device,
        site.stream,
        {.element = element,
         .shape = shape,
         .order = order == "C" ? ir::Layout::c : ir::Layout::f,
         .kind = wanted});
  };
  views::PendingMemory& pending = pending_memory(site.device);
  std::optional<DeviceArray> made;
  try {
    made = make();
  } catch (const OutOfMemoryError&) {
    if (pending.count() == 0)
      throw;
    pending.clear();
    made = make();
  }
  if (wanted == runtime::MemoryKind::device)
    made->memory->pending = &pending;
  new (self) DeviceArray(std::move(*made));
}

void make_view(
    DeviceArray* self,
    const DeviceArray& base,
    Extents shape,
    Extents strides,
    std::int64_t offset,
    std::optional<ir::Type> element) {
  new (self) DeviceArray(views::view_array(
      engine().types(), base, std::move(shape), std::move(strides), offset, std::move(element)));
}

void wrap_foreign(
    DeviceArray* self,
    std::uintptr_t address,
    Extents shape,
    Extents strides,
    const nb::args& others,
    const nb::kwargs& given) {
  Keywords keywords("DeviceArray", given);
  keywords.add(others, {"element", "owner"});
  views::ForeignArray array = {
      .address = address,
      .element = keywords.required<ir::Type>("element"),
      .shape = std::move(shape),
      .strides = std::move(strides),
      .owner = keep_alive(keywords.required<nb::object>("owner"))};
  keywords.take("read_only", array.is_read_only);
  const Site site(keywords);
  keywords.refuse_others();
  new (self) DeviceArray(
      views::foreign_array(engine().types(), site.device, site.stream, std::move(array)));
}

void bind_makers(nb::class_<DeviceArray>& type) {
  // Tried in this order: the last takes any keywords, so also those of the others.
  type.def(
      "__init__",
      &make_view,
      "base"_a,
      "shape"_a,
      "strides"_a,
      "offset"_a = 0,
      "element"_a = nb::none());
  type.def("__init__", &wrap_foreign, "address"_a, "shape"_a, "strides"_a, "others"_a, "options"_a);
  type.def("__init__", &allocate, "shape"_a, "element"_a, "options"_a);
}

// From then on a launch takes the array, which has no dimensions, for the record that it holds.
void mark_as_record(DeviceArray& self) {
  if (!self.shape.empty() || !self.element.is_record())
    throw TypeError("only an array of records without dimensions is a record");
  self.key = ir::key::record(engine().types().number(self.element), !self.is_read_only);
}

// Moves the array to memory that other processes can open, and gives its name, the size of all of
// that memory, and where the array begins in it.
nb::tuple export_array(DeviceArray& self) {
  runtime::Device& device = *self.device;
  runtime::Buffer& buffer = self.memory->buffer;
  if (!buffer.empty() && buffer.kind() != runtime::MemoryKind::shared) {
    if (self.memory.use_count() != 1)
      throw ValueError(
          "this array's memory must move to be shared with other processes, and other arrays or "
          "graphs use it too; take the handle of the array that was made first, before its views");
    const GilReleased no_gil;
    runtime::Stream& queue = self.queue();
    runtime::Buffer moved = device.allocate(buffer.size(), runtime::MemoryKind::shared);
    buffer.used_on(queue.shared_from_this());
    device.copy(moved.address(), buffer.address(), buffer.size(), queue);
    queue.synchronize();
    self.address = moved.address() + (self.address - buffer.address());
    buffer = std::move(moved);
  }
  const runtime::Address start = buffer.empty() ? self.address : buffer.address();
  const auto name = runtime::memory_sharing(device).export_memory(start);
  const std::size_t size = buffer.empty() ? self.bytes() : buffer.size();
  return nb::make_tuple(nb::bytes(name.data(), name.size()), size, self.address - start);
}

void bind_attributes(nb::class_<DeviceArray>& type) {
  type.def_prop_ro("shape", [](const DeviceArray& self) { return to_tuple(self.shape); });
  type.def_prop_ro("strides", [](const DeviceArray& self) { return to_tuple(self.strides); });
  type.def_prop_ro("ndim", [](const DeviceArray& self) { return self.shape.size(); });
  type.def_prop_ro("size", [](const DeviceArray& self) { return element_count(self.shape); });
  type.def_prop_ro("nbytes", &DeviceArray::bytes);
  type.def_prop_ro("itemsize", &DeviceArray::item_bytes);
  type.def_prop_ro("element", [](const DeviceArray& self) { return self.element; });
  type.def_prop_ro("type", [](const DeviceArray& self) {
    return engine().types().decode(std::span(&self.key, 1)).front();
  });
  type.def_ro("address", &DeviceArray::address);
  type.def_prop_ro(
      "device", [](const DeviceArray& self) { return self.device->shared_from_this(); });
  type.def_prop_ro(
      "stream", [](const DeviceArray& self) { return self.queue().shared_from_this(); });
  type.def_prop_ro("is_c_contiguous", [](const DeviceArray& self) {
    return views::is_contiguous(self.shape, self.strides, self.item_bytes(), ir::Layout::c);
  });
  type.def_prop_ro("is_f_contiguous", [](const DeviceArray& self) {
    return views::is_contiguous(self.shape, self.strides, self.item_bytes(), ir::Layout::f);
  });
  type.def_ro("read_only", &DeviceArray::is_read_only);
  type.def("export", &export_array, "Its memory for other processes: name, size, offset.");
  type.def("mark_as_record", &mark_as_record, "Launches take it for the record that it holds.");
  type.def_prop_ro("typestr", [](const DeviceArray& self) { return typestr_of(self.element); });
  type.def_prop_ro("descr", [](const DeviceArray& self) { return descr_of(self.element); });
}

// Where a copy goes. Without a stream it is on the array's own, and done on return.
struct CopySite {
  CopySite(const DeviceArray& array, nb::handle given) {
    const auto chosen = stream_from(given, *array.device);
    if (chosen && &chosen->device() != array.device)
      throw TypeError("the stream belongs to another device than the array");
    stream = jit::recorded_or(chosen ? chosen : array.queue().shared_from_this());
    waits = chosen == nullptr && jit::recording() == nullptr;
    keep(array);
  }

  // A recorded copy keeps what it copies.
  void keep(const DeviceArray& array) const {
    if (const jit::Recording* const into = jit::recording())
      into->graph->uses(array.memory);
  }
  void keep(nb::handle object) const {
    if (const jit::Recording* const into = jit::recording())
      into->graph->keep(keep_alive(object));
  }

  std::shared_ptr<runtime::Stream> stream;
  bool waits = false;
};

views::HostArray host_array(const BufferView& view) {
  return {
      view.data(),
      {view.shape().begin(), view.shape().end()},
      {view.strides().begin(), view.strides().end()},
      view.item_bytes()};
}

void copy_in(const DeviceArray& self, nb::handle source, nb::handle given) {
  const CopySite site(self, given);
  site.keep(source);
  const BufferView view(source.ptr(), PyBUF_FULL_RO);
  const views::HostArray host = host_array(view);
  const GilReleased no_gil;
  engine().copier().from_host(self, host, *site.stream, site.waits);
}

void copy_out(const DeviceArray& self, nb::handle target, nb::handle given) {
  const CopySite site(self, given);
  site.keep(target);
  const BufferView view(target.ptr(), PyBUF_FULL);
  const views::HostArray host = host_array(view);
  const GilReleased no_gil;
  engine().copier().to_host(self, host, *site.stream, site.waits);
}

void bind_copies(nb::class_<DeviceArray>& type) {
  type.def("copy_from_host", &copy_in, "source"_a, "stream"_a = nb::none());
  type.def("copy_to_host", &copy_out, "target"_a, "stream"_a = nb::none());
  type.def(
      "copy_from",
      [](const DeviceArray& self, const DeviceArray& source, nb::handle given) {
        const CopySite site(self, given);
        site.keep(source);
        const GilReleased no_gil;
        engine().copier().copy(self, source, *site.stream);
      },
      "source"_a,
      "stream"_a = nb::none());
  type.def(
      "fill",
      [](const DeviceArray& self, nb::bytes item, nb::handle given) {
        const CopySite site(self, given);
        const auto bytes = std::as_bytes(std::span(item.c_str(), item.size()));
        const GilReleased no_gil;
        engine().copier().fill(self, bytes, *site.stream);
      },
      "pattern"_a,
      "stream"_a = nb::none());
}

}  // namespace

void bind_device_array(nb::module_& module) {
  nb::class_<DeviceArray> type(
      module, "DeviceArray", nb::is_weak_referenceable(), "An array in the memory of one device.");
  bind_makers(type);
  bind_attributes(type);
  bind_copies(type);
  bind_interchange(module, type);
  bind_dlpack(module, type);
}

}  // namespace phalanx::bindings
