// Our declarations of the driver's interface against the driver's own header, where there is one.
#if __has_include(<cuda.h>)

#include <cuda.h>
#include <cudaProfiler.h>
#include <gtest/gtest.h>

#include "phalanx/runtime/cuda/driver.h"
#include "phalanx/runtime/texture.h"
#include "tests/support/passes_alike.h"

namespace phalanx::runtime::cuda {
namespace {

#define DRIVER(name, symbol, parameters) \
  static_assert(support::Alike<decltype(Driver::name), decltype(&::symbol)>::value, #symbol);
#include "phalanx/runtime/cuda/driver_table.def"
#undef DRIVER

#define SAME(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs))
SAME(result::invalid_value, CUDA_ERROR_INVALID_VALUE);
SAME(result::out_of_memory, CUDA_ERROR_OUT_OF_MEMORY);
SAME(result::deinitialized, CUDA_ERROR_DEINITIALIZED);
SAME(result::stub_library, CUDA_ERROR_STUB_LIBRARY);
SAME(result::no_device, CUDA_ERROR_NO_DEVICE);
SAME(result::invalid_image, CUDA_ERROR_INVALID_IMAGE);
SAME(result::ecc_uncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE);
SAME(result::invalid_ptx, CUDA_ERROR_INVALID_PTX);
SAME(result::unsupported_ptx_version, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME(result::no_binary_for_gpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME(result::not_ready, CUDA_ERROR_NOT_READY);
SAME(result::illegal_address, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME(result::launch_out_of_resources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
SAME(result::launch_timeout, CUDA_ERROR_LAUNCH_TIMEOUT);
SAME(result::peer_access_already_enabled, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
SAME(result::assertion, CUDA_ERROR_ASSERT);
SAME(result::already_registered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
SAME(result::launch_failed, CUDA_ERROR_LAUNCH_FAILED);
SAME(result::cooperative_too_large, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);

SAME(device_max_threads_per_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(device_max_block_x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
SAME(device_max_block_y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
SAME(device_max_block_z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
SAME(device_max_grid_x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
SAME(device_max_grid_y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
SAME(device_max_grid_z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
SAME(device_shared_bytes, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
SAME(device_warp_size, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME(device_multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(device_max_threads_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
SAME(device_capability_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(device_capability_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(device_max_shared_bytes, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME(device_has_pools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);

SAME(function_max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(function_static_shared_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(function_constant_bytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
SAME(function_local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(function_registers, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME(function_max_dynamic_shared_bytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);

SAME(pool_release_threshold, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
SAME(pool_reserved_bytes, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
SAME(pool_used_bytes, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
SAME(pointer_memory_type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME(memory_type_host, CU_MEMORYTYPE_HOST);
SAME(memory_type_device, CU_MEMORYTYPE_DEVICE);
SAME(memory_type_array, CU_MEMORYTYPE_ARRAY);
SAME(array_for_surfaces, CUDA_ARRAY3D_SURFACE_LDST);
SAME(resource_array, CU_RESOURCE_TYPE_ARRAY);
SAME(resource_linear, CU_RESOURCE_TYPE_LINEAR);
SAME(resource_pitched, CU_RESOURCE_TYPE_PITCH2D);
SAME(texture_reads_integers, CU_TRSF_READ_AS_INTEGER);
SAME(texture_normalized_coordinates, CU_TRSF_NORMALIZED_COORDINATES);
SAME(texture_srgb, CU_TRSF_SRGB);
SAME(AddressMode::border, CU_TR_ADDRESS_MODE_BORDER);
SAME(AddressMode::mirror, CU_TR_ADDRESS_MODE_MIRROR);
SAME(FilterMode::linear, CU_TR_FILTER_MODE_LINEAR);
SAME(device_texture_alignment, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
SAME(device_texture_pitch_alignment, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT);

SAME(jit_max_registers, CU_JIT_MAX_REGISTERS);
SAME(jit_info_log, CU_JIT_INFO_LOG_BUFFER);
SAME(jit_info_log_bytes, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
SAME(jit_error_log, CU_JIT_ERROR_LOG_BUFFER);
SAME(jit_error_log_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(jit_optimization, CU_JIT_OPTIMIZATION_LEVEL);
SAME(jit_debug, CU_JIT_GENERATE_DEBUG_INFO);
SAME(jit_lineinfo, CU_JIT_GENERATE_LINE_INFO);
SAME(link_cubin, CU_JIT_INPUT_CUBIN);
SAME(link_ptx, CU_JIT_INPUT_PTX);
SAME(link_fatbin, CU_JIT_INPUT_FATBINARY);
SAME(link_object, CU_JIT_INPUT_OBJECT);
SAME(link_archive, CU_JIT_INPUT_LIBRARY);

SAME(host_portable, CU_MEMHOSTALLOC_PORTABLE);
SAME(host_mapped, CU_MEMHOSTALLOC_DEVICEMAP);
SAME(host_portable, CU_MEMHOSTREGISTER_PORTABLE);
SAME(host_mapped, CU_MEMHOSTREGISTER_DEVICEMAP);
SAME(managed_global, CU_MEM_ATTACH_GLOBAL);
SAME(stream_non_blocking, CU_STREAM_NON_BLOCKING);
SAME(event_without_timing, CU_EVENT_DISABLE_TIMING);
SAME(launch_cooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
SAME(capture_relaxed, CU_STREAM_CAPTURE_MODE_RELAXED);
SAME(ipc_enable_peers, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
SAME(PoolAccess{}.location_type, CU_MEM_LOCATION_TYPE_DEVICE);
SAME(PoolAccess{}.flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
#undef SAME

static_assert(sizeof(PoolProperties) == sizeof(CUmemPoolProps));
static_assert(offsetof(PoolProperties, location_type) == offsetof(CUmemPoolProps, location));
static_assert(offsetof(PoolProperties, max_bytes) == offsetof(CUmemPoolProps, maxSize));
static_assert(sizeof(PoolAccess) == sizeof(CUmemAccessDesc));
static_assert(offsetof(PoolAccess, flags) == offsetof(CUmemAccessDesc, flags));
static_assert(sizeof(LaunchSettings) == sizeof(CUlaunchConfig));
static_assert(offsetof(LaunchSettings, shared_bytes) == offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(LaunchSettings, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(LaunchSettings, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(LaunchSettings, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(LaunchAttribute, cooperative) == offsetof(CUlaunchAttribute, value));
static_assert(sizeof(ArrayDescriptor) == sizeof(CUDA_ARRAY3D_DESCRIPTOR));
static_assert(offsetof(ArrayDescriptor, format) == offsetof(CUDA_ARRAY3D_DESCRIPTOR, Format));
static_assert(offsetof(ArrayDescriptor, flags) == offsetof(CUDA_ARRAY3D_DESCRIPTOR, Flags));
static_assert(sizeof(CopyDescriptor) == sizeof(CUDA_MEMCPY3D));
static_assert(offsetof(CopySide, array) == offsetof(CUDA_MEMCPY3D, srcArray));
static_assert(offsetof(CopySide, height) == offsetof(CUDA_MEMCPY3D, srcHeight));
static_assert(offsetof(CopyDescriptor, to) == offsetof(CUDA_MEMCPY3D, dstXInBytes));
static_assert(offsetof(CopyDescriptor, depth) == offsetof(CUDA_MEMCPY3D, Depth));
static_assert(sizeof(ResourceDescriptor) == sizeof(CUDA_RESOURCE_DESC));
static_assert(offsetof(ResourceDescriptor, array) == offsetof(CUDA_RESOURCE_DESC, res));
static_assert(
    offsetof(ResourceDescriptor, memory.channels) ==
    offsetof(CUDA_RESOURCE_DESC, res.pitch2D.numChannels));
static_assert(
    offsetof(ResourceDescriptor, memory.extent) == offsetof(CUDA_RESOURCE_DESC, res.pitch2D.width));
static_assert(
    offsetof(ResourceDescriptor, memory.extent) ==
    offsetof(CUDA_RESOURCE_DESC, res.linear.sizeInBytes));
static_assert(offsetof(ResourceDescriptor, flags) == offsetof(CUDA_RESOURCE_DESC, flags));
static_assert(sizeof(TextureDescriptor) == sizeof(CUDA_TEXTURE_DESC));
static_assert(offsetof(TextureDescriptor, flags) == offsetof(CUDA_TEXTURE_DESC, flags));
static_assert(offsetof(TextureDescriptor, border) == offsetof(CUDA_TEXTURE_DESC, borderColor));
static_assert(sizeof(Uuid) == sizeof(CUuuid));
static_assert(sizeof(IpcHandle) == sizeof(CUipcMemHandle));

TEST(DriverAbi, NamesTheMarksOfAParameterBlockAsTheDriverDoes) {
  EXPECT_EQ(launch_end(), CU_LAUNCH_PARAM_END);
  EXPECT_EQ(launch_buffer(), CU_LAUNCH_PARAM_BUFFER_POINTER);
  EXPECT_EQ(launch_buffer_bytes(), CU_LAUNCH_PARAM_BUFFER_SIZE);
  EXPECT_EQ(reinterpret_cast<CUstream>(per_thread_stream()), CU_STREAM_PER_THREAD);
}

}  // namespace
}  // namespace phalanx::runtime::cuda

#endif
