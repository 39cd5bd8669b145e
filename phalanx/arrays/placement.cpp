#include "phalanx/arrays/placement.h"

#include <algorithm>
#include <utility>

#include "phalanx/base/thread_local.h"
#include "phalanx/jit/context.h"

namespace phalanx::arrays {
namespace {

enum class Mode : std::uint8_t { unknown, fixed, automatic };
PHX_THREAD_LOCAL Mode thread_mode = Mode::unknown;

// The other side must be faster by more than rates are wrong from day to day.
constexpr double least_gain = 0.9;
constexpr std::int64_t most_tiny_bytes = 32768;
constexpr std::int64_t most_tiny_operations = 32768;

// Where most of what is read is.
Side home_of(std::span<const Reading> readings) {
  BySide<std::int64_t> bytes = {};
  for (const Reading& reading : readings) bytes.at(index_of(reading.side)) += reading.bytes;
  return bytes[index_of(Side::gpu)] > bytes[index_of(Side::host)] ? Side::gpu : Side::host;
}

}  // namespace

bool is_automatic(jit::Engine& engine) {
  if (thread_mode == Mode::unknown)
    set_automatic(engine.runtime().options().is_automatic());
  return thread_mode == Mode::automatic;
}

void set_automatic(bool is_automatic) {
  thread_mode = is_automatic ? Mode::automatic : Mode::fixed;
}

BySide<runtime::Device*> sides_of(jit::Engine& engine) {
  runtime::Device* gpu = &jit::current_device(engine);
  if (gpu->is_host())
    gpu = engine.runtime().devices().front();
  return {&engine.runtime().cpu(), gpu->is_host() ? nullptr : gpu};
}

namespace {

// Adds up what a task takes on one side.
struct Sum {
  double alone = 0;    // as if all that it reads were there
  double copying = 0;  // of what is not
  double unpaid = 0;   // of that
  std::int64_t copied_bytes = 0;
};

Sum sum_of(const Task& task, Side side, const BySide<const Rates*>& rates) {
  const Rates& bus = *rates[index_of(Side::gpu)];
  Sum sum;
  sum.alone = rates.at(index_of(side))->seconds(task.work, task.bytes_written);
  if (task.goal != nullptr && *task.goal != side) {
    sum.alone += bus.copy_seconds(task.bytes_written, side == Side::gpu);
    sum.copied_bytes += task.bytes_written;
  }
  for (const Reading& reading : task.readings) {
    if (reading.side == side)
      continue;
    const double copy = bus.copy_seconds(reading.bytes, side == Side::host);
    sum.copying += copy;
    sum.unpaid += std::max(copy - reading.paid, 0.0);
    sum.copied_bytes += reading.bytes;
  }
  return sum;
}

}  // namespace

Choice choose(const Task& task, const BySide<const Rates*>& rates) {
  const Side home = home_of(task.readings);
  const Sum here = sum_of(task, home, rates);
  const Sum there = sum_of(task, other(home), rates);
  Choice choice;
  for (const auto& [side, sum] : {std::pair(home, &here), std::pair(other(home), &there)}) {
    choice.seconds.at(index_of(side)) = sum->alone + sum->copying;
    choice.copied_bytes.at(index_of(side)) = sum->copied_bytes;
  }
  const double price_here = here.alone + here.unpaid;
  if (there.alone + there.unpaid < least_gain * price_here) {
    choice.side = other(home);
    choice.is_paid_for = there.alone + there.copying > here.alone + here.copying;
  } else {
    choice.side = home;
    choice.lost = std::max(here.alone - there.alone, 0.0);
  }
  return choice;
}

bool is_tiny(const Task& task) {
  return task.work.bytes_read + task.bytes_written <= most_tiny_bytes &&
         task.work.operations() <= most_tiny_operations &&
         (task.goal == nullptr || *task.goal == Side::host) &&
         std::ranges::all_of(
             task.readings, [](const Reading& reading) { return reading.side == Side::host; });
}

}  // namespace phalanx::arrays
