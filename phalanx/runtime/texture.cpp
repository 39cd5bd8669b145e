#include "phalanx/runtime/texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "phalanx/base/errors.h"

namespace phalanx::runtime {

namespace {

void check_format(const ChannelFormat& format) {
  const bool is_float = format.kind == ChannelKind::floating;
  const bool has_bits = format.bits == 16 || format.bits == 32 || (format.bits == 8 && !is_float);
  if (!has_bits)
    throw ValueError(fmt::format(
        "channels of {} bits: {}",
        format.bits,
        is_float ? "floats have 16 or 32" : "integers have 8, 16 or 32"));
  if (format.channels != 1 && format.channels != 2 && format.channels != 4)
    throw ValueError(fmt::format(
        "an element of {} channels: there are 1, 2 or 4 of them, all of the same bits",
        format.channels));
}

void check_extent(const TextureExtent& extent) {
  if (extent.width == 0)
    throw ValueError("the width is 0: textures have at least one element");
  if (extent.height == 0 && extent.depth != 0)
    throw ValueError("a depth without a height: what has three dimensions has a height, too");
}

void check_memory(const TextureResource& resource) {
  check_format(resource.format);
  check_extent(resource.extent);
  const std::size_t row = resource.extent.width * resource.format.bytes();
  if (resource.memory == 0)
    throw ValueError("the texture's memory is null: give the address of an array's elements");
  if (resource.memory % resource.format.bytes() != 0)
    throw ValueError(fmt::format(
        "the texture's memory is not aligned to its elements of {} bytes",
        resource.format.bytes()));
  if (resource.pitch == 0)
    return;
  if (resource.extent.height == 0 || resource.extent.depth != 0)
    throw ValueError("memory with a pitch is of two dimensions: give a width and a height");
  if (resource.pitch < row)
    throw ValueError(fmt::format(
        "a pitch of {} bytes: a row of {} elements has {}",
        resource.pitch,
        resource.extent.width,
        row));
}

// Wrapping and mirroring are of normalized coordinates: CUDA clamps instead.
Sampler effective(const Sampler& given, const ChannelFormat& format) {
  const bool is_float = format.kind == ChannelKind::floating;
  if (given.reads_normalized && !is_float && format.bits == 32)
    throw ValueError(
        "integers of 32 bits are not read as normalized floats: take cudaReadModeElementType, or "
        "channels of 8 or 16 bits");
  if (given.filter == FilterMode::linear && !is_float && !given.reads_normalized)
    throw ValueError(
        "linear filtering gives floats: take cudaReadModeNormalizedFloat, float channels, or "
        "cudaFilterModePoint");
  Sampler sampler = given;
  sampler.reads_normalized = given.reads_normalized && !is_float;
  if (given.has_normalized_coordinates)
    return sampler;
  for (AddressMode& mode : sampler.address) {
    if (mode == AddressMode::wrap || mode == AddressMode::mirror)
      mode = AddressMode::clamp;
  }
  return sampler;
}

}  // namespace

std::shared_ptr<TextureArray> Textures::make_array(
    const ChannelFormat& format, const TextureExtent& extent, bool is_surface) {
  check_format(format);
  check_extent(extent);
  return new_array(format, extent, is_surface);
}

std::shared_ptr<TextureObject> Textures::make_texture(
    const TextureResource& resource, const Sampler& sampler) {
  if (!resource.array)
    check_memory(resource);
  const ChannelFormat& format = resource.array ? resource.array->format() : resource.format;
  Sampler given = sampler;
  if (!resource.array && resource.pitch == 0) {
    // What is read by counting elements has nothing between two of them, and nothing outside.
    given.filter = FilterMode::point;
    given.has_normalized_coordinates = false;
    given.address.fill(AddressMode::border);
    given.border.fill(0);
  }
  return new_texture(resource, effective(given, format));
}

std::shared_ptr<TextureObject> Textures::make_surface(std::shared_ptr<TextureArray> array) {
  if (!array)
    throw ValueError("a surface is of a CUDA array: give one (cuArr)");
  if (!array->is_surface())
    throw ValueError(
        "a surface's array is made for it: give CUDAarray the flag cudaArraySurfaceLoadStore");
  return new_surface(std::move(array));
}

}  // namespace phalanx::runtime
