// CUDA C on the host: the threads of a block are fibers, which change hands at barriers.
#include <ucontext.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#define __global__
#define __device__
#define __constant__
#define __shared__ static
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))

struct Extents {
  unsigned x, y, z;
};
static Extents threadIdx, blockIdx, blockDim, gridDim;

constexpr unsigned most_threads = 64;

struct Fiber {
  ucontext_t context;
  bool is_done;
  alignas(16) unsigned char stack[1 << 17];
};
static Fiber fibers[most_threads];
static ucontext_t scheduler;
static void (*whole_kernel)();

// Every thread comes to each barrier, so that one round of all threads is what lies between two.
static void __syncthreads() { swapcontext(&fibers[threadIdx.x].context, &scheduler); }

static void run_fiber() {
  whole_kernel();
  fibers[threadIdx.x].is_done = true;
}

static void run_block() {
  for (unsigned i = 0; i < blockDim.x; ++i) {
    Fiber& fiber = fibers[i];
    fiber.is_done = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack;
    fiber.context.uc_stack.ss_size = sizeof fiber.stack;
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, run_fiber, 0);
  }
  for (bool is_going = true; is_going;) {
    is_going = false;
    for (unsigned i = 0; i < blockDim.x; ++i) {
      if (fibers[i].is_done)
        continue;
      threadIdx = {i, 0, 0};
      swapcontext(&scheduler, &fibers[i].context);
      is_going = is_going || !fibers[i].is_done;
    }
  }
}

static void run_grid(unsigned blocks, unsigned threads, void (*kernel)()) {
  whole_kernel = kernel;
  gridDim = {blocks, 1, 1};
  blockDim = {threads, 1, 1};
  for (unsigned i = 0; i < blocks; ++i) {
    blockIdx = {i, 0, 0};
    run_block();
  }
}

// What a thread hands over is there after a barrier, and until the next.
static unsigned char handed_over[most_threads][16];

template <typename T>
static T value_of_lane(T value, int lane) {
  const unsigned first = threadIdx.x / 32 * 32;
  std::memcpy(handed_over[threadIdx.x], &value, sizeof value);
  __syncthreads();
  if (lane >= 0 && lane < 32)
    std::memcpy(&value, handed_over[first + static_cast<unsigned>(lane)], sizeof value);
  __syncthreads();
  return value;
}
static int this_lane() { return static_cast<int>(threadIdx.x % 32); }

template <typename T>
static T __shfl_sync(unsigned, T value, int lane) {
  return value_of_lane(value, lane & 31);
}
template <typename T>
static T __shfl_xor_sync(unsigned, T value, int by) {
  return value_of_lane(value, this_lane() ^ by);
}
template <typename T>
static T __shfl_up_sync(unsigned, T value, unsigned by) {
  return value_of_lane(value, this_lane() - (int)by);
}
template <typename T>
static T __shfl_down_sync(unsigned, T value, unsigned by) {
  return value_of_lane(value, this_lane() + (int)by);
}

static unsigned __ballot_sync(unsigned, int predicate) {
  const unsigned first = threadIdx.x / 32 * 32;
  handed_over[threadIdx.x][0] = predicate != 0;
  __syncthreads();
  unsigned result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= static_cast<unsigned>(handed_over[first + i][0]) << i;
  __syncthreads();
  return result;
}
static int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
static int __all_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate) == mask;
}

#define ATOMIC(name, value)                       \
  static unsigned name(unsigned* p, unsigned v) { \
    const unsigned old = *p;                      \
    *p = value;                                   \
    return old;                                   \
  }
ATOMIC(atomicAdd, old + v)
ATOMIC(atomicMax, v > old ? v : old)
ATOMIC(atomicMin, v < old ? v : old)
ATOMIC(atomicXor, old ^ v)
ATOMIC(atomicOr, old | v)
ATOMIC(atomicAnd, old& v)
#undef ATOMIC

template <typename T>
static T min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
static T max(T a, T b) {
  return a < b ? b : a;
}
static int __popc(unsigned v) { return __builtin_popcount(v); }
static int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static int __clz(int v) { return v == 0 ? 32 : __builtin_clz(static_cast<unsigned>(v)); }
static int __ffs(int v) { return __builtin_ffs(v); }
static unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
static unsigned __brev(unsigned v) {
  unsigned result = 0;
  for (int i = 0; i < 32; ++i) result |= (v >> i & 1u) << (31 - i);
  return result;
}
