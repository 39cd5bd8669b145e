// How fast a device computes arrays, measured once per machine, and how long a kernel should take.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "phalanx/arrays/program.h"
#include "phalanx/base/export.h"
#include "phalanx/jit/engine.h"

namespace phalanx::arrays {

// Of the elements' width: up to 4 bytes, and 8 or more.
enum class Width : std::uint8_t { single, wide };
template <typename Number>
using ByWidth = std::array<Number, 2>;

// What it costs to compute a program once for each index of its space.
struct Work {
  std::int64_t bytes_read = 0;                // each element once
  ByWidth<std::int64_t> arithmetic = {0, 0};  // operations of one or a few instructions
  ByWidth<std::int64_t> functions = {0, 0};   // of many: sin, exp, power

  std::int64_t operations() const {
    return arithmetic[0] + arithmetic[1] + functions[0] + functions[1];
  }
};
Work work_of(const Program& program);
Work work_of(const Routine& routine, std::span<const views::DeviceArray> operands, DType result);

struct PHX_API Rates {
  double launch = 0;                // seconds from the launch of a kernel of one element to its end
  double memory = 0;                // bytes per second that a copy reads and writes
  double from_host = 0;             // bytes per second from the host's memory; 0: it is the host's
  double to_host = 0;               // likewise
  double copy = 0;                  // seconds that a copy of few bytes takes, either way
  ByWidth<double> arithmetic = {};  // operations per second, of arrays in the caches
  ByWidth<double> functions = {};

  // What a kernel should take: the longest of what it does at the same time.
  double seconds(const Work& work, std::int64_t bytes_written) const;
  // What a copy between the host and a device that is not the host takes.
  double copy_seconds(std::int64_t bytes, bool is_to_host) const {
    return copy + static_cast<double>(bytes) / (is_to_host ? to_host : from_host);
  }
};

// Those of the disk cache, else measured now: some tenths of a second.
PHX_API Rates rates_of(jit::Engine& engine, runtime::Device& device);

}  // namespace phalanx::arrays
