// What CUDA C has without an include. Functions without a body are operations of the IR, or of
// libdevice (headers.cpp declares those); intrinsics.cpp says which.
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __device_builtin__
#define __cudart_builtin__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 13000
#define NULL 0
#define PHX_DEVICE static __device__ __forceinline__
#define PHX_ANYWHERE static __host__ __device__ __forceinline__
#define PHX_MEMBER __host__ __device__ __forceinline__

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct CUstream_st* cudaStream_t;

#include "phalanx_vectors.h"

extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
constexpr __device__ int warpSize = 32;

extern "C" __device__ int printf(const char* format, ...);
extern "C" __device__ void __assertfail(
    const char* text, const char* file, unsigned line, const char* function, size_t size);
extern "C" __device__ void __trap();
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
  ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __func__, 1))
#endif

// Threads.
extern "C" {
__device__ void __syncthreads();
__device__ int __syncthreads_count(int predicate);
__device__ int __syncthreads_and(int predicate);
__device__ int __syncthreads_or(int predicate);
__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ unsigned __activemask();
__device__ unsigned __ballot_sync(unsigned mask, int predicate);
__device__ int __all_sync(unsigned mask, int predicate);
__device__ int __any_sync(unsigned mask, int predicate);
__device__ int __phx_equal_sync(unsigned mask, int predicate);
__device__ unsigned __phx_lane();
__device__ void __nanosleep(unsigned nanoseconds);
__device__ void __phx_grid_barrier();
__device__ long long clock64();
__device__ long long __phx_nanoseconds();
__device__ unsigned long long __phx_dynamic_shared_bytes();
}
PHX_DEVICE int __uni_sync(unsigned mask, int predicate) { return __phx_equal_sync(mask, predicate); }
typedef long clock_t;
PHX_DEVICE clock_t clock() { return (clock_t)(int)clock64(); }
PHX_DEVICE unsigned long long __globaltimer() { return (unsigned long long)__phx_nanoseconds(); }
PHX_DEVICE void __brkpt() {}

// Refused where they are called. `new` at a place is not.
extern "C" __device__ void* malloc(size_t bytes);
extern "C" __device__ void free(void* memory);
inline __host__ __device__ void* operator new(size_t, void* place) noexcept { return place; }
inline __host__ __device__ void* operator new[](size_t, void* place) noexcept { return place; }

template <typename T> __device__ T __phx_fma(T x, T y, T z);
template <typename T> __device__ T __phx_shuffle_index(unsigned mask, T value, int lane);
template <typename T> __device__ T __phx_shuffle_up(unsigned mask, T value, int delta);
template <typename T> __device__ T __phx_shuffle_down(unsigned mask, T value, int delta);
template <typename T> __device__ T __phx_shuffle_xor(unsigned mask, T value, int lanes);
template <typename T> __device__ unsigned __phx_match_any(unsigned mask, T value);
template <typename T> __device__ unsigned __phx_match_all(unsigned mask, T value);

// Numbers move as they are, structs such as half2 and float4 by their words.
template <size_t rest> struct __phx_word { typedef unsigned char type; };
template <> struct __phx_word<0> { typedef unsigned type; };
template <> struct __phx_word<2> { typedef unsigned short type; };
#define PHX_MOVE(kind)                                                                   \
  template <typename T>                                                                  \
  PHX_DEVICE T __phx_move_##kind(unsigned mask, T value, int by) {                       \
    if constexpr (__is_arithmetic(T)) {                                                  \
      return __phx_shuffle_##kind(mask, value, by);                                      \
    } else {                                                                             \
      typedef typename __phx_word<sizeof(T) % 4>::type word;                             \
      T result = value;                                                                  \
      for (unsigned i = 0; i < sizeof(T) / sizeof(word); ++i)                            \
        ((word*)&result)[i] = __phx_shuffle_##kind(mask, ((const word*)&value)[i], by);  \
      return result;                                                                     \
    }                                                                                    \
  }
PHX_MOVE(index)
PHX_MOVE(up)
PHX_MOVE(down)
PHX_MOVE(xor)
#undef PHX_MOVE

// The lane in a group of `width` lanes, as CUDA's Programming Guide says; where it is in another
// group, the own one.
template <typename T>
PHX_DEVICE T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  const int own = (int)__phx_lane();
  return __phx_move_index(mask, value, (own & ~(width - 1)) | (lane & (width - 1)));
}
template <typename T>
PHX_DEVICE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  if (width == 32)
    return __phx_move_up(mask, value, (int)delta);
  const int own = (int)__phx_lane();
  const int from = own - (int)delta;
  return __phx_move_index(mask, value, from < (own & ~(width - 1)) ? own : from);
}
template <typename T>
PHX_DEVICE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  if (width == 32)
    return __phx_move_down(mask, value, (int)delta);
  const int own = (int)__phx_lane();
  const int from = own + (int)delta;
  return __phx_move_index(mask, value, from > (own | (width - 1)) ? own : from);
}
template <typename T>
PHX_DEVICE T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32) {
  if (width == 32)
    return __phx_move_xor(mask, value, lanes);
  const int own = (int)__phx_lane();
  const int from = own ^ lanes;
  return __phx_move_index(mask, value, from > (own | (width - 1)) ? own : from);
}
template <typename T>
PHX_DEVICE unsigned __match_any_sync(unsigned mask, T value) {
  return __phx_match_any(mask, value);
}
template <typename T>
PHX_DEVICE unsigned __match_all_sync(unsigned mask, T value, int* predicate) {
  const unsigned lanes = __phx_match_all(mask, value);
  *predicate = lanes != 0;
  return lanes;
}
#include "phalanx_atomics.h"

template <typename T> PHX_DEVICE T __ldg(const T* address) { return *address; }
template <typename T> PHX_DEVICE T __ldcg(const T* address) { return *address; }
template <typename T> PHX_DEVICE T __ldca(const T* address) { return *address; }
template <typename T> PHX_DEVICE T __ldcs(const T* address) { return *address; }
template <typename T> PHX_DEVICE T __ldlu(const T* address) { return *address; }
template <typename T> PHX_DEVICE T __ldcv(const T* address) { return *(const volatile T*)address; }
template <typename T> PHX_DEVICE void __stcg(T* address, T value) { *address = value; }
template <typename T> PHX_DEVICE void __stcs(T* address, T value) { *address = value; }
template <typename T> PHX_DEVICE void __stwb(T* address, T value) { *address = value; }
template <typename T> PHX_DEVICE void __stwt(T* address, T value) { *address = value; }

PHX_DEVICE void* memcpy(void* to, const void* from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) ((char*)to)[i] = ((const char*)from)[i];
  return to;
}
PHX_DEVICE void* memset(void* to, int value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) ((unsigned char*)to)[i] = (unsigned char)value;
  return to;
}

#include "phalanx_math.h"
#include "phalanx_libdevice.h"
#pragma clang diagnostic warning "-Wmacro-redefined"
