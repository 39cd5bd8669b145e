// Arrays, textures and surfaces of a GPU, by the driver.
#pragma once

#include <memory>
#include <utility>

#include "phalanx/runtime/cuda/context.h"
#include "phalanx/runtime/texture.h"

namespace phalanx::runtime::cuda {

class CudaDevice;

class CudaTextures final : public Textures {
 public:
  CudaTextures(CudaDevice& device, std::shared_ptr<Context> context)
      : device_(device), context_(std::move(context)) {}

 private:
  std::shared_ptr<TextureArray> new_array(
      const ChannelFormat& format, const TextureExtent& extent, bool is_surface) override;
  std::shared_ptr<TextureObject> new_texture(
      const TextureResource& resource, const Sampler& sampler) override;
  std::shared_ptr<TextureObject> new_surface(std::shared_ptr<TextureArray> array) override;

  CudaDevice& device_;
  std::shared_ptr<Context> context_;
};

}  // namespace phalanx::runtime::cuda
