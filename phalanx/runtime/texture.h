// CUDA arrays, and the textures and surfaces through which kernels read and write them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "phalanx/base/export.h"
#include "phalanx/runtime/buffer.h"

namespace phalanx::runtime {

// Numbered as CUDA numbers cudaChannelFormatKind, cudaTextureAddressMode, cudaTextureFilterMode.
enum class ChannelKind : std::uint8_t { signed_integer, unsigned_integer, floating };
enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };
enum class FilterMode : std::uint8_t { point, linear };

// An element: 1, 2 or 4 channels of 8, 16 or 32 bits; floats have 16 or 32.
struct ChannelFormat {
  ChannelKind kind = ChannelKind::floating;
  std::uint32_t bits = 32;
  std::uint32_t channels = 1;

  std::size_t bytes() const { return std::size_t{bits} / 8 * channels; }
};

// In elements; the height of an array of one dimension is 0, and so is the depth of one of two.
struct TextureExtent {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t depth = 0;

  unsigned dimensions() const { return depth != 0 ? 3 : height != 0 ? 2 : 1; }
  std::size_t rows() const {
    return (height == 0 ? 1 : height) * (depth == 0 ? std::size_t{1} : depth);
  }
};

// How a texture reads.
struct Sampler {
  std::array<AddressMode, 3> address = {AddressMode::wrap, AddressMode::wrap, AddressMode::wrap};
  FilterMode filter = FilterMode::point;
  bool reads_normalized = false;  // integers as floats of [0, 1] or [-1, 1]
  bool has_normalized_coordinates = false;
  bool is_srgb = false;
  std::uint32_t max_anisotropy = 0;
  std::array<float, 4> border = {};
};

// Memory in the layout that textures like best; on the CPU device rows that follow each other.
class PHX_API TextureArray {
 public:
  TextureArray(const ChannelFormat& format, const TextureExtent& extent, bool is_surface)
      : format_(format), extent_(extent), is_surface_(is_surface) {}
  virtual ~TextureArray() = default;
  TextureArray(const TextureArray&) = delete;
  TextureArray& operator=(const TextureArray&) = delete;

  const ChannelFormat& format() const { return format_; }
  const TextureExtent& extent() const { return extent_; }
  bool is_surface() const { return is_surface_; }  // kernels may write it
  std::size_t bytes() const { return extent_.width * extent_.rows() * format_.bytes(); }
  virtual std::uintptr_t handle() const = 0;  // the driver's

  // All of it, from and to rows that follow each other in memory of the device. Of the host: as
  // Device::copy_to_device and copy_to_host.
  virtual void copy_from(Address from, Stream& stream) = 0;
  virtual void copy_to(Address to, Stream& stream) = 0;
  virtual void copy_from_host(const void* from, Stream& stream) = 0;
  virtual void copy_to_host(void* to, Stream& stream) = 0;

 private:
  ChannelFormat format_;
  TextureExtent extent_;
  bool is_surface_;
};

// What a texture is of: an array, or memory of the device: one row of `bytes`, or rows of `extent`
// that begin every `pitch` bytes.
struct TextureResource {
  std::shared_ptr<TextureArray> array;
  Address memory = 0;
  std::shared_ptr<void> keep;  // whose the memory is; it is dropped after the texture
  ChannelFormat format;
  TextureExtent extent;   // of one row: its width
  std::size_t pitch = 0;  // 0: one row, which is read by counting elements
};

// A texture or a surface. The device's work is done before it is gone.
class PHX_API TextureObject {
 public:
  TextureObject() = default;
  virtual ~TextureObject() = default;
  TextureObject(const TextureObject&) = delete;
  TextureObject& operator=(const TextureObject&) = delete;

  virtual std::uint64_t handle() const = 0;  // what kernels take
};

class PHX_API Textures {
 public:
  Textures() = default;
  virtual ~Textures() = default;
  Textures(const Textures&) = delete;
  Textures& operator=(const Textures&) = delete;

  // Each throws ValueError for what CUDA does not have either.
  std::shared_ptr<TextureArray> make_array(
      const ChannelFormat& format, const TextureExtent& extent, bool is_surface);
  std::shared_ptr<TextureObject> make_texture(
      const TextureResource& resource, const Sampler& sampler);
  std::shared_ptr<TextureObject> make_surface(std::shared_ptr<TextureArray> array);

 private:
  virtual std::shared_ptr<TextureArray> new_array(
      const ChannelFormat& format, const TextureExtent& extent, bool is_surface) = 0;
  virtual std::shared_ptr<TextureObject> new_texture(
      const TextureResource& resource, const Sampler& sampler) = 0;
  virtual std::shared_ptr<TextureObject> new_surface(std::shared_ptr<TextureArray> array) = 0;
};

}  // namespace phalanx::runtime
