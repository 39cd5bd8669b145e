// The fake driver's start, devices and contexts.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>

#include "tests/support/fake_driver.h"
#include "tests/support/fake_driver_parts.h"

namespace phalanx::support {

using namespace runtime::cuda;  // NOLINT: the fake is the driver

ContextHandle& current_context() {
  thread_local ContextHandle context = nullptr;
  return context;
}

namespace fake {

Result init(unsigned) { return result::success; }

Result driver_version(int* number) {
  *number = the_driver().version;
  return result::success;
}

Result error_name(Result error, const char** text) {
  static const std::map<Result, const char*> texts = {
      {result::invalid_value, "CUDA_ERROR_INVALID_VALUE"},
      {result::out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {result::no_device, "CUDA_ERROR_NO_DEVICE"},
      {result::invalid_ptx, "CUDA_ERROR_INVALID_PTX"},
      {result::illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {result::launch_failed, "CUDA_ERROR_LAUNCH_FAILED"},
  };
  const auto found = texts.find(error);
  if (found == texts.end())
    return result::invalid_value;
  *text = found->second;
  return result::success;
}

Result error_string(Result error, const char** text) {
  *text = error == result::illegal_address ? "an illegal memory access was encountered"
                                           : "what went wrong, in words";
  return result::success;
}

Result device_count(int* count) {
  *count = the_driver().devices;
  return the_driver().devices == 0 ? result::no_device : result::success;
}

Result device_get(DeviceHandle* device, int ordinal) {
  *device = 100 + ordinal;
  return ordinal < the_driver().devices ? result::success : result::invalid_value;
}

Result device_name(char* name, int size, DeviceHandle) {
  std::snprintf(name, static_cast<std::size_t>(size), "Fake GPU");
  return result::success;
}

Result device_attribute(int* value, int attribute, DeviceHandle) {
  static const std::map<int, int> values = {
      {device_max_threads_per_block, 1024},
      {device_max_block_x, 1024},
      {device_max_block_y, 1024},
      {device_max_block_z, 64},
      {device_max_grid_x, 0x7fffffff},
      {device_max_grid_y, 65535},
      {device_max_grid_z, 65535},
      {device_shared_bytes, 48 * 1024},
      {device_warp_size, 32},
      {device_texture_alignment, 512},
      {device_multiprocessors, 132},
      {device_texture_pitch_alignment, 32},
      {device_max_threads_per_multiprocessor, 2048},
      {device_capability_major, 9},
      {device_capability_minor, 0},
      {device_max_shared_bytes, 227 * 1024},
  };
  if (attribute == device_has_pools) {
    *value = the_driver().has_pools ? 1 : 0;
    return result::success;
  }
  const auto found = values.find(attribute);
  if (found == values.end())
    return result::invalid_value;
  *value = found->second;
  return result::success;
}

Result device_total_memory(std::size_t* bytes, DeviceHandle) {
  *bytes = the_driver().total_memory;
  return result::success;
}

Result device_uuid(Uuid* uuid, DeviceHandle device) {
  std::memset(uuid->bytes, device, sizeof(uuid->bytes));
  return result::success;
}

Result context_retain(ContextHandle* context, DeviceHandle device) {
  ++contexts().retained;
  *context = reinterpret_cast<ContextHandle>(static_cast<std::uintptr_t>(device) << 8);
  return result::success;
}

Result context_release(DeviceHandle) {
  --contexts().retained;
  return result::success;
}

Result context_get_current(ContextHandle* context) {
  *context = current_context();
  return result::success;
}

Result context_set_current(ContextHandle context) {
  current_context() = context;
  return result::success;
}

Result peer_can_access(int* can, DeviceHandle device, DeviceHandle peer) {
  *can = the_driver().has_links && device != peer ? 1 : 0;
  return result::success;
}

Result peer_enable(ContextHandle peer, unsigned) {
  const bool is_new = contexts().peers.emplace(current_context(), peer).second;
  return is_new ? streams().error : result::peer_access_already_enabled;
}

Result context_synchronize() {
  for (const auto& [handle, stream] : streams().all)
    if (stream->captured != nullptr)
      misuse("a context is waited for while one of its streams is captured");
  streams().run_all();
  return streams().error;
}

}  // namespace fake

}  // namespace phalanx::support
