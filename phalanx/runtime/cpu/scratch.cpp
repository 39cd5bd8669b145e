#include "phalanx/runtime/cpu/scratch.h"

#include <algorithm>
#include <memory>
#include <new>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/base/thread_local.h"

namespace phalanx::runtime::cpu {

namespace {

constexpr std::align_val_t alignment{scratch_alignment};
// Around what was requested. Vectors of shared memory may begin before its first element, and end
// after its last one, by less than four vectors of 32 lanes of 8 bytes: shared_windows.h.
constexpr std::size_t margin = 1024;

struct Free {
  void operator()(std::byte* memory) const { ::operator delete(memory, alignment); }
};

struct Scratch {
  Scratch() { here = this; }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { here = nullptr; }

  static PHX_THREAD_LOCAL Scratch* here;  // the thread's; null before the first launch

  std::unique_ptr<std::byte, Free> memory;
  std::size_t bytes = 0;
};

PHX_THREAD_LOCAL Scratch* Scratch::here = nullptr;

Scratch& scratch_of_thread() {
  thread_local Scratch scratch;
  return scratch;
}

}  // namespace

std::byte* thread_scratch(std::size_t bytes) {
  Scratch& scratch = Scratch::here != nullptr ? *Scratch::here : scratch_of_thread();
  if (bytes > scratch.bytes || scratch.memory == nullptr) {
    // Twice the size: a kernel that is launched with growing blocks allocates seldom.
    const std::size_t grown = std::max(bytes, 2 * scratch.bytes);
    scratch.memory.reset();
    scratch.bytes = 0;
    scratch.memory.reset(static_cast<std::byte*>(::operator new(grown + 2 * margin, alignment)));
    scratch.bytes = grown;
  }
  return scratch.memory.get() + margin;
}

}  // namespace phalanx::runtime::cpu
