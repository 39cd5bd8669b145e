#include "phalanx/base/library_call.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>

namespace phalanx {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

// The exit status of a child process that runs `body` and then exits with 7; -1 after a signal.
template <typename Body>
int status_of(const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    std::exit(7);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::atomic<bool> is_outside = false;  // NOLINT: what exit handlers and threads tell each other

void expect_outside() {
  if (!is_outside)
    ::_exit(1);
}

TEST(LibraryCall, ThoseInsideAreWaitedFor) {
  const auto body = [](std::chrono::milliseconds time) {
    is_outside = false;
    std::atexit(&expect_outside);
    std::atomic<bool> is_inside = false;
    std::thread([&, time] {
      const LibraryCall call;
      const LibraryCall nested = call;
      is_inside = true;
      std::this_thread::sleep_for(time);
      is_outside = true;
    }).detach();
    while (!is_inside) std::this_thread::yield();
    end_library_calls();
  };
  EXPECT_EQ(status_of([&] { body(100ms); }), 7);
  // Not for longer than a second, and no handler of exit() runs then.
  EXPECT_EQ(status_of([&] { body(1h); }), 7);
}

TEST(LibraryCall, NobodyElseGoesInAfterTheEnd) {
  EXPECT_EQ(
      status_of([] {
        std::atomic<bool> is_in = false;
        end_library_calls();
        std::thread([&] {
          const LibraryCall call;
          is_in = true;
        }).detach();
        std::this_thread::sleep_for(50ms);
        const LibraryCall own;  // the thread that ends the process is let in
        if (is_in)
          ::_exit(1);
      }),
      7);
}

TEST(LibraryCall, APauseIsOutside) {
  EXPECT_EQ(
      status_of([] {
        std::atomic<int> stage = 0;
        std::thread([&] {
          const LibraryCall call;
          const LibraryCall nested;
          std::optional<LibraryPause> pause(std::in_place);
          stage = 1;
          while (stage != 2) std::this_thread::yield();
          pause.reset();
          stage = 3;
        }).detach();
        while (stage != 1) std::this_thread::yield();
        const auto start = std::chrono::steady_clock::now();
        end_library_calls();
        if (std::chrono::steady_clock::now() - start > 500ms)
          ::_exit(1);
        stage = 2;
        std::this_thread::sleep_for(50ms);
        if (stage != 2)
          ::_exit(2);
      }),
      7);
}

TEST(LibraryCall, AForkedChildCountsItsOwnThread) {
  std::atomic<int> stage = 0;
  std::thread other([&] {
    const LibraryCall call;
    stage = 1;
    while (stage != 2) std::this_thread::yield();
  });
  while (stage != 1) std::this_thread::yield();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(status_of([] { const LibraryCall call; }), 7);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 900ms);
  stage = 2;
  other.join();
}

}  // namespace
}  // namespace phalanx
