#include "phalanx/runtime/cpu/cpu_textures.h"

#include <utility>

#include "phalanx/runtime/cpu/cpu_device.h"
#include "phalanx/runtime/cpu/texture_handles.h"

namespace phalanx::runtime::cpu {

namespace {

class CpuTextureArray final : public TextureArray {
 public:
  CpuTextureArray(
      CpuDevice& device, const ChannelFormat& format, const TextureExtent& extent, bool is_surface)
      : TextureArray(format, extent, is_surface),
        device_(device),
        memory_(device.allocate(bytes())) {}

  std::uintptr_t handle() const override { return memory_.address(); }
  void copy_from(Address from, Stream& stream) override {
    note_use(stream);
    device_.copy(memory_.address(), from, bytes(), stream);
  }
  void copy_to(Address to, Stream& stream) override {
    note_use(stream);
    device_.copy(to, memory_.address(), bytes(), stream);
  }
  void copy_from_host(const void* from, Stream& stream) override {
    note_use(stream);
    device_.copy_to_device(memory_.address(), from, bytes(), stream);
  }
  void copy_to_host(void* to, Stream& stream) override {
    note_use(stream);
    device_.copy_to_host(to, memory_.address(), bytes(), stream);
  }

 private:
  void note_use(Stream& stream) { memory_.used_on(stream.shared_from_this()); }

  CpuDevice& device_;  // which the buffer keeps
  Buffer memory_;
};

class CpuTextureObject final : public TextureObject {
 public:
  CpuTextureObject(
      CpuDevice& device, const TextureDescription& description, std::shared_ptr<void> of)
      : keep_(device.shared_from_this()),
        device_(device),
        state_(std::make_shared<State>(description, std::move(of))) {}
  ~CpuTextureObject() override { device_.drop(state_); }

  std::uint64_t handle() const override { return state_->handle; }

 private:
  struct State {
    State(const TextureDescription& described, std::shared_ptr<void> of)
        : description(described), keep(std::move(of)), handle(add_texture(description)) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { remove_texture(handle); }

    TextureDescription description;
    std::shared_ptr<void> keep;  // the array, or whose the memory is
    std::uint64_t handle;
  };

  std::shared_ptr<Device> keep_;
  CpuDevice& device_;
  std::shared_ptr<State> state_;
};

TextureDescription description_of(
    Address memory, const ChannelFormat& format, const TextureExtent& extent, std::size_t pitch) {
  const auto at_least_one = [](std::size_t count) {
    return static_cast<std::int64_t>(count == 0 ? 1 : count);
  };
  return {
      .memory = reinterpret_cast<std::byte*>(memory),
      .pitch = pitch != 0 ? pitch : extent.width * format.bytes(),
      .extent =
          {at_least_one(extent.width), at_least_one(extent.height), at_least_one(extent.depth)},
      .dimensions = extent.dimensions(),
      .format = format,
      .sampler = {}};
}

TextureDescription description_of(const TextureArray& array) {
  return description_of(array.handle(), array.format(), array.extent(), 0);
}

}  // namespace

std::shared_ptr<TextureArray> CpuTextures::new_array(
    const ChannelFormat& format, const TextureExtent& extent, bool is_surface) {
  return std::make_shared<CpuTextureArray>(device_, format, extent, is_surface);
}

std::shared_ptr<TextureObject> CpuTextures::new_texture(
    const TextureResource& resource, const Sampler& sampler) {
  TextureDescription description =
      resource.array
          ? description_of(*resource.array)
          : description_of(resource.memory, resource.format, resource.extent, resource.pitch);
  description.sampler = sampler;
  const std::shared_ptr<void> of = resource.array ? resource.array : resource.keep;
  return std::make_shared<CpuTextureObject>(device_, description, of);
}

std::shared_ptr<TextureObject> CpuTextures::new_surface(std::shared_ptr<TextureArray> array) {
  const TextureDescription description = description_of(*array);
  return std::make_shared<CpuTextureObject>(device_, description, std::move(array));
}

}  // namespace phalanx::runtime::cpu
