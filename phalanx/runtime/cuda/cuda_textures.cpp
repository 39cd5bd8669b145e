#include "phalanx/runtime/cuda/cuda_textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cuda/cuda_device.h"

namespace phalanx::runtime::cuda {

namespace {

// CUarray_format
int native_format(const ChannelFormat& format) {
  const int size = format.bits == 8 ? 0 : format.bits == 16 ? 1 : 2;
  switch (format.kind) {
    case ChannelKind::unsigned_integer:
      return 0x01 + size;
    case ChannelKind::signed_integer:
      return 0x08 + size;
    default:
      return format.bits == 16 ? 0x10 : 0x20;
  }
}

class CudaTextureArray final : public TextureArray {
 public:
  CudaTextureArray(
      CudaDevice& device,
      std::shared_ptr<Context> context,
      const ChannelFormat& format,
      const TextureExtent& extent,
      bool is_surface)
      : TextureArray(format, extent, is_surface),
        keep_(device.shared_from_this()),
        device_(device),
        context_(std::move(context)) {
    const ArrayDescriptor descriptor = {
        .width = extent.width,
        .height = extent.height,
        .depth = extent.depth,
        .format = native_format(format),
        .channels = format.channels,
        .flags = is_surface ? array_for_surfaces : 0};
    const auto scope = context_->enter();
    CU_IN(*context_, array_create(&native_, &descriptor));
  }
  ~CudaTextureArray() override {
    // Copies of it may still be queued.
    context_->free_when_idle(
        [native = native_](const Driver& driver) { driver.array_destroy(native); });
  }

  std::uintptr_t handle() const override { return reinterpret_cast<std::uintptr_t>(native_); }
  ArrayHandle native() const { return native_; }

  void copy_from(Address from, Stream& stream) override {
    device_.copy_rows(copy_of(of_device(from), of_array()), nullptr, false, stream);
  }
  void copy_to(Address to, Stream& stream) override {
    device_.copy_rows(copy_of(of_array(), of_device(to)), nullptr, false, stream);
  }
  void copy_from_host(const void* from, Stream& stream) override {
    device_.copy_rows(copy_of(of_host(from), of_array()), from, false, stream);
  }
  void copy_to_host(void* to, Stream& stream) override {
    device_.copy_rows(copy_of(of_array(), of_host(to)), to, true, stream);
  }

 private:
  std::size_t row_bytes() const { return extent().width * format().bytes(); }
  std::size_t height() const { return std::max<std::size_t>(extent().height, 1); }

  CopySide of_array() const { return {.memory_type = memory_type_array, .array = native_}; }
  CopySide of_device(Address memory) const {
    return {
        .memory_type = memory_type_device,
        .device = memory,
        .pitch = row_bytes(),
        .height = height()};
  }
  CopySide of_host(const void* memory) const {
    return {
        .memory_type = memory_type_host, .host = memory, .pitch = row_bytes(), .height = height()};
  }
  CopyDescriptor copy_of(const CopySide& from, const CopySide& to) const {
    return {
        .from = from,
        .to = to,
        .width_bytes = row_bytes(),
        .height = height(),
        .depth = std::max<std::size_t>(extent().depth, 1)};
  }

  std::shared_ptr<Device> keep_;
  CudaDevice& device_;
  std::shared_ptr<Context> context_;
  ArrayHandle native_ = nullptr;
};

class CudaTextureObject final : public TextureObject {
 public:
  CudaTextureObject(
      CudaDevice& device, std::shared_ptr<Context> context, const TextureResource& resource)
      : keep_(device.shared_from_this()),
        context_(std::move(context)),
        array_(resource.array),
        memory_(resource.keep) {}
  ~CudaTextureObject() override {
    if (handle_ == 0)
      return;
    // Kernels that have its handle may still be queued.
    context_->free_when_idle(
        [handle = handle_, is_surface = is_surface_, memory = memory_](const Driver& driver) {
          if (is_surface)
            driver.surface_destroy(handle);
          else
            driver.texture_destroy(handle);
        });
  }

  std::uint64_t handle() const override { return handle_; }

  void make_texture(const ResourceDescriptor& resource, const TextureDescriptor& texture) {
    const auto scope = context_->enter();
    CU_IN(*context_, texture_create(&handle_, &resource, &texture, nullptr));
  }
  void make_surface(const ResourceDescriptor& resource) {
    const auto scope = context_->enter();
    is_surface_ = true;
    CU_IN(*context_, surface_create(&handle_, &resource));
  }

 private:
  std::shared_ptr<Device> keep_;
  std::shared_ptr<Context> context_;
  std::shared_ptr<TextureArray> array_;
  std::shared_ptr<void> memory_;
  ObjectHandle handle_ = 0;
  bool is_surface_ = false;
};

// What the driver only calls an invalid value.
void check_alignment(CudaDevice& device, const TextureResource& resource) {
  const auto check = [&](std::size_t value, DeviceAttribute attribute, const char* what) {
    const int alignment = device.attribute(attribute).value_or(1);
    if (value % static_cast<std::size_t>(std::max(alignment, 1)) != 0)
      throw ValueError(fmt::format(
          "{} is no multiple of {}, as this GPU's textures need it: copy the array to one of its "
          "own, or to a CUDA array",
          what,
          alignment));
  };
  check(resource.memory, device_texture_alignment, "the address of the texture's memory");
  check(resource.pitch, device_texture_pitch_alignment, "the pitch of the texture's rows in bytes");
}

ResourceDescriptor native(const TextureResource& resource) {
  ResourceDescriptor made;
  if (resource.array) {
    made.type = resource_array;
    made.array = reinterpret_cast<ArrayHandle>(resource.array->handle());
    return made;
  }
  const bool is_row = resource.pitch == 0;
  made.type = is_row ? resource_linear : resource_pitched;
  made.memory.memory = resource.memory;
  made.memory.format = native_format(resource.format);
  made.memory.channels = resource.format.channels;
  made.memory.extent[0] =
      is_row ? resource.extent.width * resource.format.bytes() : resource.extent.width;
  made.memory.extent[1] = resource.extent.height;
  made.memory.extent[2] = resource.pitch;
  return made;
}

TextureDescriptor native(const Sampler& sampler, const ChannelFormat& format, unsigned dimensions) {
  const bool reads_integers = format.kind != ChannelKind::floating && !sampler.reads_normalized;
  TextureDescriptor made;
  // In a dimension that a texture has not, the hardware is half a texel off the only one: between
  // it and a border where the dimension has one.
  for (std::size_t i = 0; i < sampler.address.size(); ++i)
    made.address_modes[i] =
        static_cast<int>(i < dimensions ? sampler.address[i] : AddressMode::clamp);
  made.filter_mode = static_cast<int>(sampler.filter);
  made.flags = (reads_integers ? texture_reads_integers : 0) |
               (sampler.has_normalized_coordinates ? texture_normalized_coordinates : 0) |
               (sampler.is_srgb ? texture_srgb : 0);
  made.max_anisotropy = sampler.max_anisotropy;
  std::ranges::copy(sampler.border, made.border);
  return made;
}

}  // namespace

std::shared_ptr<TextureArray> CudaTextures::new_array(
    const ChannelFormat& format, const TextureExtent& extent, bool is_surface) {
  return std::make_shared<CudaTextureArray>(device_, context_, format, extent, is_surface);
}

std::shared_ptr<TextureObject> CudaTextures::new_texture(
    const TextureResource& resource, const Sampler& sampler) {
  if (!resource.array)
    check_alignment(device_, resource);
  auto made = std::make_shared<CudaTextureObject>(device_, context_, resource);
  const ChannelFormat& format = resource.array ? resource.array->format() : resource.format;
  const TextureExtent& extent = resource.array ? resource.array->extent() : resource.extent;
  made->make_texture(native(resource), native(sampler, format, extent.dimensions()));
  return made;
}

std::shared_ptr<TextureObject> CudaTextures::new_surface(std::shared_ptr<TextureArray> array) {
  const TextureResource resource = {.array = std::move(array)};
  auto made = std::make_shared<CudaTextureObject>(device_, context_, resource);
  made->make_surface(native(resource));
  return made;
}

}  // namespace phalanx::runtime::cuda
