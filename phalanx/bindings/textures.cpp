// CUDA arrays, textures and surfaces.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/gil.h"
#include "phalanx/bindings/keywords.h"
#include "phalanx/runtime/device.h"
#include "phalanx/runtime/texture.h"

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT(google-build-using-namespace)

namespace phalanx::bindings {

namespace {

using runtime::Device;
using runtime::Stream;
using runtime::TextureArray;
using runtime::TextureObject;

// Python's share of an object whose end waits for the device, while others need the GIL for it.
template <typename T>
class Held {
 public:
  explicit Held(std::shared_ptr<T> own) : own_(std::move(own)) {}
  Held(Held&& other) noexcept = default;
  Held& operator=(Held&&) = delete;
  ~Held() {
    if (!own_)
      return;
    const GilReleased no_gil;
    own_.reset();
  }

  const std::shared_ptr<T>& own() const { return own_; }
  T* operator->() const { return own_.get(); }

 private:
  std::shared_ptr<T> own_;
};
using HeldArray = Held<TextureArray>;
using HeldObject = Held<TextureObject>;

// (kind, bits, channels): as runtime::ChannelFormat has them.
using Format = std::array<unsigned, 3>;
using Extent = std::array<std::size_t, 3>;  // width, height, depth

template <typename Enum>
Enum checked(unsigned number, unsigned end, const char* what) {
  if (number >= end)
    throw ValueError(
        std::string(what) + " is a number below " + std::to_string(end) + ", not " +
        std::to_string(number));
  return static_cast<Enum>(number);
}

runtime::ChannelFormat format_of(const Format& format) {
  return {
      .kind = checked<runtime::ChannelKind>(format[0], 3, "the kind of channels"),
      .bits = format[1],
      .channels = format[2]};
}

HeldArray make_array(Device& device, const Format& format, const Extent& extent, bool is_surface) {
  return HeldArray(device.textures().make_array(
      format_of(format), {extent[0], extent[1], extent[2]}, is_surface));
}

HeldObject make_texture(
    Device& device, const runtime::TextureResource& resource, const nb::kwargs& given) {
  Keywords keywords("texture", given);
  std::array<unsigned, 3> address = {};
  unsigned filter = 0;
  runtime::Sampler sampler;
  keywords.take("address", address);
  keywords.take("filter", filter);
  keywords.take("reads_normalized", sampler.reads_normalized);
  keywords.take("normalized_coordinates", sampler.has_normalized_coordinates);
  keywords.take("srgb", sampler.is_srgb);
  keywords.take("max_anisotropy", sampler.max_anisotropy);
  keywords.take("border", sampler.border);
  keywords.refuse_others();
  for (std::size_t i = 0; i < address.size(); ++i)
    sampler.address[i] = checked<runtime::AddressMode>(address[i], 4, "an address mode");
  sampler.filter = checked<runtime::FilterMode>(filter, 2, "the filter mode");
  return HeldObject(device.textures().make_texture(resource, sampler));
}

void bind_classes(nb::module_& module) {
  using Waiting = nb::call_guard<jit::NotRecording, GilReleased>;
  nb::class_<HeldArray> array(module, "TextureArray", "Memory in the layout of textures.");
  array.def_prop_ro("handle", [](const HeldArray& self) { return self->handle(); });
  array.def(
      "copy_from",
      [](const HeldArray& self, std::uintptr_t from, bool is_host, Stream& stream) {
        if (is_host)
          self->copy_from_host(reinterpret_cast<const void*>(from), stream);
        else
          self->copy_from(from, stream);
      },
      "address"_a,
      "is_host"_a,
      "stream"_a,
      Waiting());
  array.def(
      "copy_to",
      [](const HeldArray& self, std::uintptr_t to, bool is_host, Stream& stream) {
        if (is_host)
          self->copy_to_host(reinterpret_cast<void*>(to), stream);
        else
          self->copy_to(to, stream);
      },
      "address"_a,
      "is_host"_a,
      "stream"_a,
      Waiting());
  nb::class_<HeldObject> object(module, "TextureObject", "A texture or a surface.");
  object.def_prop_ro("handle", [](const HeldObject& self) { return self->handle(); });
}

}  // namespace

void bind_textures(nb::module_& module) {
  bind_classes(module);
  module.def("make_texture_array", &make_array, "device"_a, "format"_a, "extent"_a, "surface"_a);
  module.def(
      "make_texture",
      [](Device& device, const HeldArray& of, const nb::kwargs& sampler) {
        return make_texture(device, {.array = of.own()}, sampler);
      },
      "device"_a,
      "array"_a,
      "sampler"_a);
  module.def(
      "make_memory_texture",
      [](Device& device,
         std::uintptr_t memory,
         nb::handle owner,
         const Format& format,
         const Extent& extent,
         std::size_t pitch,
         const nb::kwargs& sampler) {
        return make_texture(
            device,
            {.memory = memory,
             .keep = keep_alive(owner),
             .format = format_of(format),
             .extent = {extent[0], extent[1], extent[2]},
             .pitch = pitch},
            sampler);
      },
      "device"_a,
      "memory"_a,
      "owner"_a,
      "format"_a,
      "extent"_a,
      "pitch"_a,
      "sampler"_a);
  module.def(
      "make_surface",
      [](Device& device, const HeldArray& of) {
        return HeldObject(device.textures().make_surface(of.own()));
      },
      "device"_a,
      "array"_a);
}

}  // namespace phalanx::bindings
