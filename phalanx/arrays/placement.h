// Which device computes what may be computed anywhere: the one where it takes least, by rates, with
// the copies of what is elsewhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "phalanx/arrays/rates.h"
#include "phalanx/base/export.h"
#include "phalanx/jit/engine.h"

namespace phalanx::arrays {

// True if what the calling thread makes may be anywhere: at first, if PHALANX_DEVICE says so.
PHX_API bool is_automatic(jit::Engine& engine);
PHX_API void set_automatic(bool is_automatic);

// The two devices to choose from.
enum class Side : std::uint8_t { host, gpu };
template <typename Value>
using BySide = std::array<Value, 2>;
constexpr std::size_t index_of(Side side) { return static_cast<std::size_t>(side); }
constexpr Side other(Side side) { return side == Side::host ? Side::gpu : Side::host; }

// The CPU device, and the thread's current GPU, else the first one; null where there is none.
PHX_API BySide<runtime::Device*> sides_of(jit::Engine& engine);

// Memory that a kernel reads.
struct Reading {
  std::int64_t bytes = 0;  // to copy for a kernel on the other side
  Side side = Side::host;  // where it is
  double paid = 0;         // seconds that kernels have lost as it was not on the other side
};

// What a kernel does, for whoever places it.
struct Task {
  Work work;
  std::int64_t bytes_written = 0;
  std::span<const Reading> readings;
  const Side* goal = nullptr;  // where the result is wanted; null: it may stay where it is made
};

struct Choice {
  Side side = Side::host;
  // What it takes on each side, copies included; and of that the bytes to copy.
  BySide<double> seconds = {};
  BySide<std::int64_t> copied_bytes = {};
  double lost = 0;           // seconds that it takes longer than on the other side without copies
  bool is_paid_for = false;  // copies count less, for what earlier kernels have lost
};

// Least time decides; where both take about the same, what is read stays. A kernel that waits for
// copies each time is never worth them, though many such kernels together may be: what each loses
// by not copying is taken off the price of the next one's copies. So together they never lose more
// than the copies cost (Karlin, Manasse, Rudolph, Sleator 1988: to rent or to buy).
PHX_API Choice choose(const Task& task, const BySide<const Rates*>& rates);

// True for so little that any GPU takes longer to begin, if all of it is on the host: rates need
// not be known.
bool is_tiny(const Task& task);

// How a kernel came to its device, for explain().
struct Placed {
  bool is_chosen = false;  // else there was no choice
  bool is_known = false;   // by these figures; else it was too little to ask
  Choice choice;
};

}  // namespace phalanx::arrays
