// The fake driver's arrays, textures and surfaces. Arrays are rows that follow each other.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "tests/support/fake_driver.h"
#include "tests/support/fake_driver_parts.h"

namespace phalanx::support {

using namespace runtime::cuda;  // NOLINT: the fake is the driver

namespace fake {

namespace {

std::size_t element_bytes(const ArrayDescriptor& array) {
  static const std::map<int, std::size_t> bytes = {
      {0x01, 1}, {0x02, 2}, {0x03, 4}, {0x08, 1}, {0x09, 2}, {0x0a, 4}, {0x10, 2}, {0x20, 4}};
  return bytes.at(array.format) * array.channels;
}

struct Rows {
  std::byte* memory;
  std::size_t pitch;
  std::size_t height;  // rows to the next slice
};

Rows rows_of(const CopySide& side) {
  if (side.memory_type == memory_type_array) {
    const auto found = textures().arrays.find(side.array);
    if (found == textures().arrays.end())
      misuse("an array that is not there is copied");
    const ArrayDescriptor& array = found->second->descriptor;
    return {
        found->second->bytes.data(),
        array.width * element_bytes(array),
        std::max<std::size_t>(array.height, 1)};
  }
  if (side.memory_type == memory_type_device)
    return {host(side.device), side.pitch, side.height};
  return {static_cast<std::byte*>(const_cast<void*>(side.host)), side.pitch, side.height};
}

void check_use(const ResourceDescriptor& resource) {
  if (resource.type == resource_array && !textures().arrays.contains(resource.array))
    misuse("a texture is made of an array that is not there");
  ++textures().uses[resource.type == resource_array ? resource.array : nullptr];
}

ObjectHandle new_object(const ResourceDescriptor& resource) {
  check_use(resource);
  const ObjectHandle handle = ++textures().last_handle;
  textures().objects[handle] = resource;
  return handle;
}

Result destroy_object(ObjectHandle handle) {
  const auto found = textures().objects.find(handle);
  if (found == textures().objects.end())
    misuse("a texture is destroyed twice");
  if (std::ranges::any_of(
          streams().all, [](const auto& each) { return !each.second->queue.empty(); }))
    misuse("a texture is destroyed while kernels that may read it are queued");
  const ResourceDescriptor& resource = found->second;
  --textures().uses[resource.type == resource_array ? resource.array : nullptr];
  textures().objects.erase(found);
  return streams().error;
}

}  // namespace

Result array_create(ArrayHandle* array, const ArrayDescriptor* descriptor) {
  auto made = std::make_unique<FakeTextures::Array>();
  made->descriptor = *descriptor;
  made->bytes.resize(
      descriptor->width * std::max<std::size_t>(descriptor->height, 1) *
      std::max<std::size_t>(descriptor->depth, 1) * element_bytes(*descriptor));
  *array = handle_of<ArrayHandle>(made.get());
  textures().arrays[*array] = std::move(made);
  return streams().error;
}

Result array_destroy(ArrayHandle array) {
  if (textures().uses[array] != 0)
    misuse("an array is destroyed while a texture is of it");
  if (textures().arrays.erase(array) == 0)
    misuse("an array is destroyed twice");
  return streams().error;
}

Result copy_rows(const CopyDescriptor* copy, StreamHandle stream) {
  streams().add(stream, [copy = *copy] {
    const Rows from = rows_of(copy.from);
    const Rows to = rows_of(copy.to);
    for (std::size_t z = 0; z < copy.depth; ++z) {
      for (std::size_t y = 0; y < copy.height; ++y)
        std::memcpy(
            to.memory + (z * to.height + y) * to.pitch,
            from.memory + (z * from.height + y) * from.pitch,
            copy.width_bytes);
    }
  });
  // Pageable memory is read at once.
  if (copy->from.memory_type == memory_type_host && !memories().is_pinned(copy->from.host, 1))
    return stream_synchronize(stream);
  return streams().error;
}

Result texture_create(
    ObjectHandle* texture,
    const ResourceDescriptor* resource,
    const TextureDescriptor* descriptor,
    const void*) {
  *texture = new_object(*resource);
  textures().last_texture = *descriptor;
  return streams().error;
}

Result texture_destroy(ObjectHandle texture) { return destroy_object(texture); }

Result surface_create(ObjectHandle* surface, const ResourceDescriptor* resource) {
  const auto found = textures().arrays.find(resource->array);
  if (found == textures().arrays.end() ||
      (found->second->descriptor.flags & array_for_surfaces) == 0)
    misuse("a surface is made of an array that is not for surfaces");
  *surface = new_object(*resource);
  return streams().error;
}

Result surface_destroy(ObjectHandle surface) { return destroy_object(surface); }

}  // namespace fake
}  // namespace phalanx::support
