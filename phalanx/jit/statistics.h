// How often and how long the stages between a Python function and running code took.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace phalanx::jit {

enum class Stage : std::uint8_t {
  front_end,  // source to IR
  passes,     // over the IR
  codegen,    // IR to an object or to PTX
  driver,     // PTX to machine code
  load,       // machine code into the device
  disk,       // reading the cache; counts what was found
};
inline constexpr std::array<std::string_view, 6> stage_names = {
    "front_end", "passes", "codegen", "driver", "load", "disk"};

// In the order of Stage.
using StageSeconds = std::array<double, stage_names.size()>;

class Statistics {
 public:
  void add(Stage stage, std::chrono::nanoseconds time) {
    Row& row = rows_.at(static_cast<std::size_t>(stage));
    row.count.fetch_add(1, std::memory_order_relaxed);
    row.nanoseconds.fetch_add(time.count(), std::memory_order_relaxed);
  }
  std::uint64_t count(Stage stage) const {
    return rows_.at(static_cast<std::size_t>(stage)).count.load(std::memory_order_relaxed);
  }
  double seconds(Stage stage) const {
    const Row& row = rows_.at(static_cast<std::size_t>(stage));
    return 1e-9 * static_cast<double>(row.nanoseconds.load(std::memory_order_relaxed));
  }

 private:
  struct Row {
    std::atomic<std::uint64_t> count = 0;
    std::atomic<std::int64_t> nanoseconds = 0;
  };
  std::array<Row, stage_names.size()> rows_;
};

// Runs `function` and books its time, also when it throws.
template <typename Function>
auto timed(Statistics& first, Statistics& second, Stage stage, const Function& function) {
  struct Stopwatch {
    Statistics& first;
    Statistics& second;
    Stage stage;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    ~Stopwatch() {
      const auto time = std::chrono::steady_clock::now() - start;
      first.add(stage, time);
      second.add(stage, time);
    }
  };
  const Stopwatch stopwatch{first, second, stage};
  return function();
}

}  // namespace phalanx::jit
