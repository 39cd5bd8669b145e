// Textures and surfaces of the CPU device: descriptions in memory, which kernels name by handles
// (texture_handles.h).
#pragma once

#include "phalanx/runtime/texture.h"

namespace phalanx::runtime::cpu {

class CpuDevice;

// What the code of kernels hands to the runtime's functions (texture_routines.cpp).
struct TextureDescription {
  std::byte* memory = nullptr;
  std::size_t pitch = 0;                           // bytes from row to row
  std::array<std::int64_t, 3> extent = {1, 1, 1};  // width, height, depth
  unsigned dimensions = 1;
  ChannelFormat format;
  Sampler sampler;
};

class CpuTextures final : public Textures {
 public:
  explicit CpuTextures(CpuDevice& device) : device_(device) {}

 private:
  std::shared_ptr<TextureArray> new_array(
      const ChannelFormat& format, const TextureExtent& extent, bool is_surface) override;
  std::shared_ptr<TextureObject> new_texture(
      const TextureResource& resource, const Sampler& sampler) override;
  std::shared_ptr<TextureObject> new_surface(std::shared_ptr<TextureArray> array) override;

  CpuDevice& device_;
};

}  // namespace phalanx::runtime::cpu
