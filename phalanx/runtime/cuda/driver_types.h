// The driver's binary interface, as far as we use it: handles, structs and numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace phalanx::runtime::cuda {

// CUresult; the ones that we tell apart.
using Result = int;
namespace result {
inline constexpr Result success = 0;
inline constexpr Result invalid_value = 1;
inline constexpr Result out_of_memory = 2;
inline constexpr Result deinitialized = 4;
inline constexpr Result stub_library = 34;
inline constexpr Result no_device = 100;
inline constexpr Result invalid_image = 200;
inline constexpr Result ecc_uncorrectable = 214;
inline constexpr Result invalid_ptx = 218;
inline constexpr Result unsupported_ptx_version = 222;
inline constexpr Result no_binary_for_gpu = 209;
inline constexpr Result not_found = 500;
inline constexpr Result not_ready = 600;
inline constexpr Result illegal_address = 700;
inline constexpr Result launch_out_of_resources = 701;
inline constexpr Result launch_timeout = 702;
inline constexpr Result peer_access_already_enabled = 704;
inline constexpr Result assertion = 710;
inline constexpr Result already_registered = 712;
inline constexpr Result launch_failed = 719;
inline constexpr Result cooperative_too_large = 720;
}  // namespace result

using DeviceHandle = int;
using DevicePointer = unsigned long long;
using ContextHandle = struct ContextTag*;
using ModuleHandle = struct ModuleTag*;
using FunctionHandle = struct FunctionTag*;
using StreamHandle = struct StreamTag*;
using EventHandle = struct EventTag*;
using PoolHandle = struct PoolTag*;
using LinkHandle = struct LinkTag*;
using GraphHandle = struct GraphTag*;
using GraphNodeHandle = struct GraphNodeTag*;
using GraphExecHandle = struct GraphExecTag*;
using ArrayHandle = struct ArrayTag*;
using ObjectHandle = unsigned long long;  // of a texture or a surface
using HostFunction = void (*)(void*);
using SharedBytesOfBlock = std::size_t (*)(int);

static_assert(sizeof(DevicePointer) == sizeof(void*));

struct Uuid {
  std::uint8_t bytes[16];
};

struct IpcHandle {
  char bytes[64];
};

struct PoolProperties {
  int allocation_type = 1;  // the only one
  int handle_types = 0;     // not shared with other processes
  int location_type = 1;    // on a device
  int location = 0;         // its ordinal
  void* windows_security = nullptr;
  std::size_t max_bytes = 0;
  unsigned short usage = 0;
  unsigned char reserved[54] = {};
};

// Which device may access the memory of a pool, and how.
struct PoolAccess {
  int location_type = 1;  // a device
  int location = 0;       // its ordinal
  int flags = 3;          // reads and writes
};

struct LaunchAttribute {
  int id = 0;
  int padding = 0;
  union {
    std::uint64_t words[8] = {};
    int cooperative;
  };
};

struct LaunchSettings {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  unsigned shared_bytes = 0;
  StreamHandle stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  unsigned attribute_count = 0;
};

// CUDA_ARRAY3D_DESCRIPTOR: elements, and a height and a depth of 0 where there is none.
struct ArrayDescriptor {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t depth = 0;
  int format = 0;
  unsigned channels = 0;
  unsigned flags = 0;
};
inline constexpr unsigned array_for_surfaces = 2;  // ArrayDescriptor::flags

// A side of CUDA_MEMCPY3D.
struct CopySide {
  std::size_t x_bytes = 0;
  std::size_t y = 0;
  std::size_t z = 0;
  std::size_t level = 0;
  unsigned memory_type = 0;
  const void* host = nullptr;
  DevicePointer device = 0;
  ArrayHandle array = nullptr;
  void* reserved = nullptr;
  std::size_t pitch = 0;
  std::size_t height = 0;
};
struct CopyDescriptor {
  CopySide from;
  CopySide to;
  std::size_t width_bytes = 0;
  std::size_t height = 0;
  std::size_t depth = 0;
};

// CUDA_RESOURCE_DESC
struct ResourceDescriptor {
  int type = 0;
  union {
    int words[32] = {};
    ArrayHandle array;
    struct {
      DevicePointer memory;
      int format;
      unsigned channels;
      std::size_t extent[3];  // linear: its bytes; pitched: width, height, bytes from row to row
    } memory;
  };
  unsigned flags = 0;
};
inline constexpr int resource_array = 0;  // ResourceDescriptor::type
inline constexpr int resource_linear = 2;
inline constexpr int resource_pitched = 3;

// CUDA_TEXTURE_DESC
struct TextureDescriptor {
  int address_modes[3] = {};
  int filter_mode = 0;
  unsigned flags = 0;
  unsigned max_anisotropy = 0;
  int mipmap_filter_mode = 0;
  float mipmap_bias = 0;
  float least_mipmap = 0;
  float greatest_mipmap = 0;
  float border[4] = {};
  int reserved[12] = {};
};
inline constexpr unsigned texture_reads_integers = 1;  // TextureDescriptor::flags
inline constexpr unsigned texture_normalized_coordinates = 2;
inline constexpr unsigned texture_srgb = 0x10;

enum DeviceAttribute : int {
  device_max_threads_per_block = 1,
  device_max_block_x = 2,
  device_max_block_y = 3,
  device_max_block_z = 4,
  device_max_grid_x = 5,
  device_max_grid_y = 6,
  device_max_grid_z = 7,
  device_shared_bytes = 8,
  device_warp_size = 10,
  device_texture_alignment = 14,
  device_multiprocessors = 16,
  device_max_threads_per_multiprocessor = 39,
  device_texture_pitch_alignment = 51,
  device_capability_major = 75,
  device_capability_minor = 76,
  device_max_shared_bytes = 97,
  device_has_pools = 115,
};

enum FunctionAttribute : int {
  function_max_threads = 0,
  function_static_shared_bytes = 1,
  function_constant_bytes = 2,
  function_local_bytes = 3,
  function_registers = 4,
  function_max_dynamic_shared_bytes = 8,
};

enum PoolAttribute : int {
  pool_release_threshold = 4,
  pool_reserved_bytes = 5,
  pool_used_bytes = 7,
};

enum PointerAttribute : int { pointer_memory_type = 2 };
inline constexpr unsigned memory_type_host = 1;
inline constexpr unsigned memory_type_device = 2;
inline constexpr unsigned memory_type_array = 3;

enum JitOption : int {
  jit_max_registers = 0,
  jit_info_log = 3,
  jit_info_log_bytes = 4,
  jit_error_log = 5,
  jit_error_log_bytes = 6,
  jit_optimization = 7,
  jit_debug = 11,
  jit_lineinfo = 13,
};

enum LinkInputType : int {
  link_cubin = 0,
  link_ptx = 1,
  link_fatbin = 2,
  link_object = 3,
  link_archive = 4
};

inline constexpr unsigned host_portable = 1;  // cuMemHostAlloc, cuMemHostRegister
inline constexpr unsigned host_mapped = 2;
inline constexpr unsigned managed_global = 1;  // cuMemAllocManaged
inline constexpr unsigned stream_non_blocking = 1;
inline constexpr unsigned event_without_timing = 2;
inline constexpr int capture_relaxed = 2;  // other work of the process goes on as usual
inline constexpr unsigned ipc_enable_peers = 1;
inline constexpr int launch_cooperative = 2;  // LaunchAttribute::id

// The `extra` argument of a launch: a list of these and their values.
inline void* launch_end() { return nullptr; }
inline void* launch_buffer() { return reinterpret_cast<void*>(std::uintptr_t{1}); }
inline void* launch_buffer_bytes() { return reinterpret_cast<void*>(std::uintptr_t{2}); }

// Streams that exist without being created.
inline StreamHandle legacy_stream() { return nullptr; }
inline StreamHandle per_thread_stream() {
  return reinterpret_cast<StreamHandle>(std::uintptr_t{2});
}

}  // namespace phalanx::runtime::cuda
