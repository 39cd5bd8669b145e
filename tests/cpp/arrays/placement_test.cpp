// Which device a kernel is given, by rates of a machine with 32 cores and an H100 on PCIe 4.
#include "phalanx/arrays/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace phalanx::arrays {
namespace {

constexpr Rates xeon = {
    .launch = 3e-6, .memory = 120e9, .arithmetic = {1.2e12, 0.6e12}, .functions = {40e9, 16e9}};
constexpr Rates h100 = {
    .launch = 8e-6,
    .memory = 2.87e12,
    .from_host = 12e9,
    .to_host = 10e9,
    .copy = 12e-6,
    .arithmetic = {30e12, 15e12},
    .functions = {3e12, 0.5e12}};
constexpr BySide<const Rates*> rates = {&xeon, &h100};
constexpr std::array sizes = {1., 10., 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};

// An operation of float64 elements: what it does for each.
struct Operation {
  const char* name;
  int operands;
  double arithmetic;
  double functions;
  double written;
  double first_on_gpu;  // of the sizes, with operands on the host; 0: none
  double power = 1;     // operations grow with that power of the size
};

constexpr double never = 0;
constexpr std::array operations = {
    Operation{"zeros", 0, 0, 0, 1, 1e5},
    Operation{"x + y", 2, 1, 0, 1, never},
    Operation{"a * x + y", 2, 2, 0, 1, never},
    Operation{"sqrt(x)", 1, 1, 0, 1, never},
    Operation{"sin(x)", 1, 0, 1, 1, never},
    Operation{"cos(x)**2 + sin(x)**2", 1, 3, 2, 1, never},
    Operation{"twenty functions of x", 1, 20, 20, 1, 1e5},
    Operation{"x.sum()", 1, 1, 0, 0, never},
    Operation{"x.std()", 1, 4, 0, 0, never},
    Operation{"x.cumsum()", 1, 2, 0, 1, never},
    Operation{"exp(x - x.max()) / sum", 1, 4, 1, 1, never},
    Operation{"a @ b", 2, 2, 0, 1, 1e6, 1.5},
};

Task task_of(const Operation& operation, double size) {
  Task task;
  const double count = std::pow(size, operation.power);
  task.work.bytes_read = static_cast<std::int64_t>(8 * size * operation.operands);
  task.work.arithmetic[1] = static_cast<std::int64_t>(operation.arithmetic * count);
  task.work.functions[1] = static_cast<std::int64_t>(operation.functions * count);
  task.bytes_written = static_cast<std::int64_t>(std::max(8 * size * operation.written, 8.0));
  return task;
}

std::vector<Reading> readings_of(const Operation& operation, double size, Side side) {
  return std::vector<Reading>(
      static_cast<std::size_t>(operation.operands),
      {.bytes = static_cast<std::int64_t>(8 * size), .side = side});
}

TEST(PlacementTest, TheSideThatTakesLeastIsChosen) {
  for (const Operation& operation : operations) {
    for (const double size : sizes) {
      Task task = task_of(operation, size);
      const auto readings = readings_of(operation, size, Side::host);
      task.readings = readings;
      const Choice choice = choose(task, rates);
      const bool is_on_gpu = operation.first_on_gpu != never && size >= operation.first_on_gpu;
      EXPECT_EQ(choice.side, is_on_gpu ? Side::gpu : Side::host)
          << operation.name << " of " << size << ": " << choice.seconds[0] << " and "
          << choice.seconds[1] << " s";
    }
  }
}

TEST(PlacementTest, ItIsNeverFarFromTheBetterOne) {
  for (const Operation& operation : operations) {
    for (const double size : sizes) {
      for (const Side side : {Side::host, Side::gpu}) {
        for (const Side goal : {Side::host, Side::gpu}) {
          Task task = task_of(operation, size);
          const auto readings = readings_of(operation, size, side);
          task.readings = readings;
          task.goal = &goal;
          const Choice choice = choose(task, rates);
          const double better = std::min(choice.seconds[0], choice.seconds[1]);
          EXPECT_LE(choice.seconds.at(index_of(choice.side)), 1.3 * better)
              << operation.name << " of " << size;
        }
      }
    }
  }
}

TEST(PlacementTest, WhatIsTooLittleToAskIsBetterOnTheHost) {
  for (const Operation& operation : operations) {
    for (const double size : sizes) {
      Task task = task_of(operation, size);
      const auto readings = readings_of(operation, size, Side::host);
      task.readings = readings;
      if (is_tiny(task)) {
        EXPECT_EQ(choose(task, rates).side, Side::host) << operation.name << " of " << size;
      }
      const auto elsewhere = readings_of(operation, size, Side::gpu);
      task.readings = elsewhere;
      EXPECT_TRUE(operation.operands == 0 || !is_tiny(task));
    }
  }
}

// The same operands again and again, with what they have lost as their account.
double seconds_of_uses(const Operation& operation, double size, int uses) {
  auto readings = readings_of(operation, size, Side::host);
  double seconds = 0;
  for (int i = 0; i < uses; ++i) {
    Task task = task_of(operation, size);
    task.readings = readings;
    const Choice choice = choose(task, rates);
    seconds += choice.seconds.at(index_of(choice.side));
    for (Reading& reading : readings) {
      if (choice.side != reading.side)
        reading = {.bytes = reading.bytes, .side = choice.side};
      else
        reading.paid += choice.lost / static_cast<double>(readings.size());
    }
  }
  return seconds;
}

TEST(PlacementTest, RepeatedUsePaysForTheMove) {
  for (const Operation& operation : operations) {
    for (const double size : sizes) {
      const Task task = task_of(operation, size);
      const double on_host = xeon.seconds(task.work, task.bytes_written);
      const double on_gpu = h100.seconds(task.work, task.bytes_written);
      const auto bytes = static_cast<std::int64_t>(8 * size);
      const double move = operation.operands * h100.copy_seconds(bytes, false);
      for (const int uses : {1, 2, 10, 100, 10000}) {
        const double best = std::min(uses * on_host, move + uses * on_gpu);
        // As long as it has not paid off, and one kernel more; and a tenth for what counts as
        // equal.
        const double most = 1.1 * (2 * best + std::max(on_host, on_gpu));
        EXPECT_LE(seconds_of_uses(operation, size, uses), most)
            << uses << " times " << operation.name << " of " << size;
      }
    }
  }
}

TEST(PlacementTest, WhereItIsWantedCounts) {
  Task task = task_of(operations[0], 1e7);  // zeros, which no operand ties
  EXPECT_EQ(choose(task, rates).side, Side::gpu);
  const Side host = Side::host;
  task.goal = &host;
  EXPECT_EQ(choose(task, rates).side, Side::host);
  EXPECT_EQ(choose(task, rates).copied_bytes[index_of(Side::gpu)], task.bytes_written);
}

TEST(PlacementTest, AboutTheSameIsNoReasonToMove) {
  const Rates gpu = {
      .launch = xeon.launch,
      .memory = 1.05 * xeon.memory,
      .from_host = 1e15,
      .to_host = 1e15,
      .copy = 0,
      .arithmetic = xeon.arithmetic,
      .functions = xeon.functions};
  for (const Side side : {Side::host, Side::gpu}) {
    Task task = task_of(operations[1], 1e8);
    const auto readings = readings_of(operations[1], 1e8, side);
    task.readings = readings;
    EXPECT_EQ(choose(task, {&xeon, &gpu}).side, side);
  }
}

}  // namespace
}  // namespace phalanx::arrays
