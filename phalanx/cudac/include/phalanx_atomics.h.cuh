// Atomic functions: each gives what was there before.
template <typename T> __device__ T __phx_atomic_add(T* address, T value);
template <typename T> __device__ T __phx_atomic_sub(T* address, T value);
template <typename T> __device__ T __phx_atomic_exchange(T* address, T value);
template <typename T> __device__ T __phx_atomic_min(T* address, T value);
template <typename T> __device__ T __phx_atomic_max(T* address, T value);
template <typename T> __device__ T __phx_atomic_and(T* address, T value);
template <typename T> __device__ T __phx_atomic_or(T* address, T value);
template <typename T> __device__ T __phx_atomic_xor(T* address, T value);
template <typename T> __device__ T __phx_atomic_inc(T* address, T value);
template <typename T> __device__ T __phx_atomic_dec(T* address, T value);
template <typename T> __device__ T __phx_atomic_cas(T* address, T expected, T desired);

#define PHX_ATOMIC(name, operation, type)                              \
  PHX_DEVICE type name(type* address, type value) {                    \
    return __phx_atomic_##operation(address, value);                   \
  }                                                                    \
  PHX_DEVICE type name##_block(type* address, type value) {            \
    return __phx_atomic_##operation(address, value);                   \
  }                                                                    \
  PHX_DEVICE type name##_system(type* address, type value) {           \
    return __phx_atomic_##operation(address, value);                   \
  }
#define PHX_ATOMICS_32(name, operation) \
  PHX_ATOMIC(name, operation, int)      \
  PHX_ATOMIC(name, operation, unsigned)
#define PHX_ATOMICS(name, operation)    \
  PHX_ATOMICS_32(name, operation)       \
  PHX_ATOMIC(name, operation, unsigned long long)

PHX_ATOMICS(atomicAdd, add)
PHX_ATOMIC(atomicAdd, add, float)
PHX_ATOMIC(atomicAdd, add, double)
PHX_ATOMICS_32(atomicSub, sub)
PHX_ATOMICS(atomicExch, exchange)
PHX_ATOMIC(atomicExch, exchange, float)
PHX_ATOMICS(atomicMin, min)
PHX_ATOMIC(atomicMin, min, long long)
PHX_ATOMICS(atomicMax, max)
PHX_ATOMIC(atomicMax, max, long long)
PHX_ATOMICS(atomicAnd, and)
PHX_ATOMICS(atomicOr, or)
PHX_ATOMICS(atomicXor, xor)
PHX_ATOMIC(atomicInc, inc, unsigned)
PHX_ATOMIC(atomicDec, dec, unsigned)
#undef PHX_ATOMICS
#undef PHX_ATOMICS_32
#undef PHX_ATOMIC

#define PHX_CAS_OF(name, type)                                                \
  PHX_DEVICE type name(type* address, type expected, type desired) {          \
    return __phx_atomic_cas(address, expected, desired);                      \
  }
#define PHX_CAS(type)               \
  PHX_CAS_OF(atomicCAS, type)       \
  PHX_CAS_OF(atomicCAS_block, type) \
  PHX_CAS_OF(atomicCAS_system, type)
PHX_CAS(int)
PHX_CAS(unsigned)
PHX_CAS(unsigned long long)
#undef PHX_CAS
#undef PHX_CAS_OF
PHX_DEVICE unsigned short atomicCAS(
    unsigned short* address, unsigned short expected, unsigned short desired) {
  const size_t offset = (size_t)address & 2;
  unsigned* const word = (unsigned*)((char*)address - offset);
  const unsigned shift = 8 * (unsigned)offset;
  unsigned old = *word;
  while (true) {
    const unsigned short now = (unsigned short)(old >> shift);
    if (now != expected)
      return now;
    const unsigned next = (old & ~(0xffffu << shift)) | ((unsigned)desired << shift);
    const unsigned found = __phx_atomic_cas(word, old, next);
    if (found == old)
      return now;
    old = found;
  }
}
