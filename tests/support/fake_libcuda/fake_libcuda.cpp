// libcuda.so.1 as a library of its own, for whole processes without a GPU: the fake driver, whose
// kernels do nothing. As NVIDIA's does, it loads its compiler late, with the first link, and both
// are destroyed while the process exits; a thread that is in a call then ends the process by a
// signal.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <type_traits>

#include "tests/support/fake_driver.h"

namespace {

using phalanx::runtime::cuda::Driver;
using phalanx::runtime::cuda::Result;
using phalanx::support::FakeDriver;

struct Calls {
  std::atomic<int> count = 0;
  std::atomic<bool> is_destroyed = false;
};

Calls& calls() {
  static Calls made;
  return made;
}

FakeDriver& driver() {
  static FakeDriver* const made = [] {
    auto* fake = new FakeDriver;
    fake->total_memory = std::size_t{1} << 30U;
    fake->any_kernel = [](const auto&) { return phalanx::runtime::cuda::result::success; };
    return fake;
  }();
  return *made;
}

void fail(const char* what) {
  std::fprintf(stderr, "fake libcuda: %s\n", what);
  std::abort();
}

void destroy() {
  calls().is_destroyed = true;
  if (calls().count != 0)
    fail("destroyed while a thread is in a call");
}

// Registered with the first link, it runs before what the process registered up to then.
void compile() {
  static const int registered = std::atexit(&destroy);
  static_cast<void>(registered);
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
}

template <auto member, typename Signature>
struct Guarded;

template <auto member, typename... Arguments>
struct Guarded<member, Result (*)(Arguments...)> {
  static Result call(Arguments... arguments) {
    ++calls().count;
    if (calls().is_destroyed)
      fail("called after it was destroyed");
    if constexpr (std::is_same_v<decltype(member), decltype(&Driver::link_complete)>) {
      if (member == &Driver::link_complete)
        compile();
    }
    const Result outcome = (driver().table().*member)(arguments...);
    --calls().count;
    return outcome;
  }
};

}  // namespace

#define DRIVER(name, symbol, parameters)                          \
  extern "C" decltype(Driver::name) resolve_##symbol() {          \
    return &Guarded<&Driver::name, decltype(Driver::name)>::call; \
  }                                                               \
  extern "C"                                                      \
      __attribute__((visibility("default"), ifunc("resolve_" #symbol))) Result symbol parameters;
namespace phalanx::runtime::cuda {
#include "phalanx/runtime/cuda/driver_table.def"
}  // namespace phalanx::runtime::cuda
#undef DRIVER
