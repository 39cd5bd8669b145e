#include "phalanx/base/library_call.h"
#include "phalanx/base/thread_local.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <thread>
#include <utility>

namespace phalanx {

namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

// How many calls of the calling thread are nested.
PHX_THREAD_LOCAL unsigned depth = 0;

constexpr unsigned never_stopped = std::numeric_limits<unsigned>::max() / 2;

// Threads count themselves first and look whether the process ends then; the thread that ends it
// does both in the other order. So one of the two sees the other.
struct Calls {
  std::atomic<int> count = 0;  // threads that are inside
  std::atomic<bool> is_over = false;
};

Calls& calls() {
  static Calls made;
  return made;
}

// What others have to say to the world after this, they do not: a crash would cost more.
void leave(int status, void* /*unused*/) {
  if (calls().count == 0)
    return;
  std::fflush(nullptr);
  ::_exit(status);
}

void end_at_exit(int /*status*/, void* /*unused*/) { end_library_calls(); }

// A forked child has the counts of its parent, but of its threads only the one that forked.
void count_in_child() { calls().count = depth != 0 && depth < never_stopped ? 1 : 0; }

void prepare_for_the_end() {
  static const int registered =
      ::pthread_atfork(nullptr, nullptr, &count_in_child) + ::on_exit(&end_at_exit, nullptr);
  static_cast<void>(registered);
}

[[gnu::hot]] void go_in() {
  prepare_for_the_end();
  ++calls().count;
  if (!calls().is_over)
    return;
  --calls().count;
  sleep_for_ever();
}

}  // namespace

void sleep_for_ever() noexcept {
  for (;;) ::pause();
}

[[gnu::hot]] LibraryCall::LibraryCall() {
  if (depth == 0)
    go_in();
  ++depth;
}

[[gnu::hot]] LibraryCall::~LibraryCall() {
  if (--depth == 0)
    --calls().count;
}

LibraryPause::LibraryPause() : depth_(std::exchange(depth, 0)) {
  if (depth_ != 0)
    --calls().count;
}

LibraryPause::~LibraryPause() {
  if (depth_ != 0)
    go_in();
  depth = depth_;
}

void end_library_calls() noexcept {
  if (calls().is_over.exchange(true))
    return;
  if (depth != 0)
    --calls().count;
  depth += never_stopped;
  for (int i = 0; i < 1000 && calls().count != 0; ++i) std::this_thread::sleep_for(1ms);
  if (calls().count != 0)
    ::on_exit(&leave, nullptr);  // registered last, it is the first that exit() calls
}

}  // namespace phalanx
