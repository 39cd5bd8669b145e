// How far functions of kernels that call themselves may go.
#include <pthread.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "phalanx/base/thread_local.h"
#include "phalanx/runtime/cpu/routine_table.h"

namespace phalanx::runtime::cpu {

namespace {

// For the frame of one more call, and what that calls of ours.
constexpr std::uint64_t reserved_bytes = std::uint64_t{512} << 10U;

PHX_THREAD_LOCAL std::uint64_t lowest = 0;  // 0: not known yet
PHX_THREAD_LOCAL std::uint64_t limit = 0;

std::uint64_t lowest_address() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return 0;
  void* start = nullptr;
  std::size_t bytes = 0;
  const bool is_known = pthread_attr_getstack(&attributes, &start, &bytes) == 0;
  pthread_attr_destroy(&attributes);
  return is_known ? reinterpret_cast<std::uint64_t>(start) +
                        std::min<std::uint64_t>(reserved_bytes, bytes / 4)
                  : 0;
}

// stack_limit(): where the thread has the lowest address that a frame may lie at. Generated code
// raises it once a call was refused, so that no other call is made until a kernel asks again:
// what calls itself twice would take for ever to come back.
std::int64_t stack_limit() {
  if (lowest == 0)
    lowest = lowest_address();
  limit = lowest;
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(&limit));
}

}  // namespace

std::span<const Routine> stack_routines() {
  static const std::array rows = {
      Routine{"stack_limit", "uint64", address_of_routine(stack_limit)}};
  return rows;
}

}  // namespace phalanx::runtime::cpu
