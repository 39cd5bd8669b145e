#include "phalanx/arrays/placer.h"

#include <algorithm>
#include <utility>

#include "phalanx/arrays/graph.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/base/errors.h"
#include "phalanx/jit/context.h"

namespace phalanx::arrays {
namespace {

// A kernel that reads less than this part of a memory gets a copy of what it reads: the rest need
// not come along.
constexpr std::int64_t least_part = 2;

// The bytes that an access of the space reads, from the array's first element on.
ByteRange range_of(const Program& program, const Access& access) {
  const views::DeviceArray& array = *access.memory;
  if (access.is_gathered)
    return byte_range(array.shape, array.strides, array.item_bytes());
  ByteRange range = byte_range(
      {program.space.data(), program.space.size()},
      {access.strides.data(), access.strides.size()},
      array.item_bytes());
  return {.low = range.low + access.offset, .high = range.high + access.offset};
}

// Gathers what a kernel reads by memory.
class UseList {
 public:
  explicit UseList(const Executor& executor) : executor_(executor) {}

  void add(Memory& array, ByteRange range) {
    const runtime::Address low = array->address + static_cast<runtime::Address>(range.low);
    const runtime::Address high = array->address + static_cast<runtime::Address>(range.high);
    const auto is_same = [&](const MemoryUse& use) {
      return (*use.arrays.front())->memory == array->memory;
    };
    const auto found = std::ranges::find_if(uses_, is_same);
    if (found == uses_.end()) {
      uses_.push_back(
          {.arrays = {&array}, .low = low, .high = high, .device = &executor_.device_of(*array)});
    } else {
      found->arrays.push_back(&array);
      found->low = std::min(found->low, low);
      found->high = std::max(found->high, high);
    }
  }
  std::vector<MemoryUse> take() { return std::move(uses_); }

 private:
  const Executor& executor_;
  std::vector<MemoryUse> uses_;
};

std::vector<MemoryUse> uses_of(const Executor& executor, Program& program) {
  UseList uses(executor);
  for (Access& access : program.accesses) {
    if (!access.spilled)
      uses.add(access.memory, range_of(program, access));
  }
  return uses.take();
}

std::vector<MemoryUse> uses_of(const Executor& executor, std::vector<Memory>& arrays) {
  UseList uses(executor);
  for (Memory& array : arrays)
    uses.add(array, byte_range(array->shape, array->strides, array->item_bytes()));
  return uses.take();
}

// Where sources are read, which are of one device.
runtime::Device* device_of_sources(const Program& program) {
  for (const Access& access : program.accesses) {
    if (access.spilled)
      return access.memory->device;
  }
  return nullptr;
}

bool comes_with_memory(const MemoryUse& use, const std::optional<MovableMemory>& movable) {
  return movable && least_part * use.bytes() >= movable->bytes;
}

}  // namespace

// The device of what cannot be elsewhere, among the nodes and what is below them; null where all
// may be anywhere. `has_movable` becomes true where there is memory of the latter kind.
runtime::Device* Placer::fixed_device(const std::vector<NodePtr>& nodes, bool& has_movable) const {
  runtime::Device* device = nullptr;
  for (const NodePtr& node : nodes) device = one_device(device, node->device);
  for (const NodePtr& read : memory_below(nodes)) {
    device = one_device(device, read->device);
    has_movable = has_movable || read->device == nullptr;
  }
  return device;
}

bool Placer::stays_movable(const NodePtr& node) const {
  if (node->device != nullptr)
    return false;
  bool has_movable = false;
  return fixed_device({node}, has_movable) == nullptr &&
         (has_movable || is_automatic(executor_.engine()));
}

runtime::Device& Placer::likely_device(const NodePtr& node) const {
  runtime::Device* device = node->device;
  std::size_t most = 0;
  for (const NodePtr& read : device == nullptr ? memory_below({node}) : std::vector<NodePtr>()) {
    const views::DeviceArray& array = *read->layout();
    if (read->device != nullptr)
      return *read->device;
    if (device == nullptr || array.bytes() > most) {
      device = &executor_.device_of(array);
      most = array.bytes();
    }
  }
  return device != nullptr ? *device : default_device();
}

runtime::Device& Placer::default_device() const {
  return reader_ != nullptr ? reader_->likely_device(read_by_)
                            : jit::current_device(executor_.engine());
}

Choice Placer::choose_side(
    const Work& work,
    std::int64_t bytes_written,
    const std::vector<MemoryUse>& uses,
    const BySide<runtime::Device*>& sides) {
  std::vector<Reading> readings;
  readings.reserve(uses.size());
  for (const MemoryUse& use : uses) {
    Reading reading{.bytes = use.bytes(), .side = use.device->is_host() ? Side::host : Side::gpu};
    const auto movable = executor_.movable((*use.arrays.front())->memory);
    if (comes_with_memory(use, movable)) {
      reading.bytes = movable->bytes;
      reading.paid = movable->paid;
    }
    readings.push_back(reading);
  }
  Task task{.work = work, .bytes_written = bytes_written, .readings = readings};
  const Side goal = goal_ != nullptr && goal_->is_host() ? Side::host : Side::gpu;
  if (goal_ != nullptr)
    task.goal = &goal;
  const Placed placed{
      .is_chosen = true,
      .is_known = true,
      .choice = choose(task, {&executor_.rates(*sides[0]), &executor_.rates(*sides[1])})};
  executor_.set_placed(placed);
  return placed.choice;
}

// What a kernel lost by staying with its operands counts for those that could have moved.
void Placer::charge(const std::vector<MemoryUse>& uses, const Choice& choice) {
  if (choice.lost == 0)
    return;
  std::int64_t all = 0;
  for (const MemoryUse& use : uses) all += use.bytes();
  for (const MemoryUse& use : uses) {
    const bool is_there = use.device->is_host() == (choice.side == Side::host);
    if (is_there && all > 0)
      executor_.charge(
          *(*use.arrays.front())->memory,
          choice.lost * static_cast<double>(use.bytes()) / static_cast<double>(all));
  }
}

void Placer::charge_target(const Program& program, const views::DeviceArray& target) {
  if (!is_automatic(executor_.engine()))
    return;
  const auto sides = sides_of(executor_.engine());
  const Side side = target.device->is_host() ? Side::host : Side::gpu;
  const Reading reading = {.bytes = static_cast<std::int64_t>(target.bytes()), .side = side};
  const Task task = {
      .work = work_of(program), .bytes_written = reading.bytes, .readings = {&reading, 1}};
  if (sides[index_of(Side::gpu)] == nullptr || is_tiny(task))
    return;
  BySide<double> seconds = {};
  for (std::size_t i = 0; i < sides.size(); ++i)
    seconds.at(i) = executor_.rates(*sides.at(i)).seconds(task.work, task.bytes_written);
  const double lost = seconds.at(index_of(side)) - seconds.at(index_of(other(side)));
  if (lost > 0)
    executor_.charge(*target.memory, lost);
}

void Placer::bring(const std::vector<MemoryUse>& uses, runtime::Device& device) {
  for (const MemoryUse& use : uses) {
    if (use.device == &device)
      continue;
    const auto movable = executor_.movable((*use.arrays.front())->memory);
    executor_.bring(use, comes_with_memory(use, movable), device);
  }
}

// True for work that no GPU makes up for: it need not be asked how much room it has.
bool Placer::is_tiny_on_host(
    const Work& work, std::int64_t bytes_written, const std::vector<MemoryUse>& uses) const {
  const Side goal = is_for_gpu() ? Side::gpu : Side::host;
  return is_tiny({.work = work, .bytes_written = bytes_written, .goal = &goal}) &&
         std::ranges::all_of(uses, [](const MemoryUse& use) { return use.device->is_host(); });
}

// The device for a kernel that may run anywhere.
runtime::Device& Placer::choose_device(
    const Work& work,
    std::int64_t bytes_written,
    const std::vector<MemoryUse>& uses,
    const std::function<bool(runtime::Device&)>& runs_on) {
  auto sides = sides_of(executor_.engine());
  for (runtime::Device*& side : sides) {
    if (side != nullptr && runs_on && !runs_on(*side))
      side = nullptr;
  }
  runtime::Device*& gpu = sides[index_of(Side::gpu)];
  runtime::Device* const host = sides[index_of(Side::host)];
  if (gpu != nullptr && host != nullptr && is_tiny_on_host(work, bytes_written, uses)) {
    executor_.set_placed({.is_chosen = true});
    return *host;
  }
  if (gpu == nullptr || host == nullptr)
    return gpu != nullptr ? *gpu : executor_.engine().runtime().cpu();
  const Choice choice = choose_side(work, bytes_written, uses, sides);
  std::int64_t bytes = bytes_written;
  for (const MemoryUse& use : uses) bytes += use.bytes();
  // Asked last: a driver takes longer to answer than small work takes.
  if (choice.side == Side::gpu && !executor_.can_hold(*gpu, static_cast<std::uint64_t>(bytes))) {
    executor_.set_placed({});
    return *host;
  }
  charge(uses, choice);
  return *sides.at(index_of(choice.side));
}

// Brings all to the device, or to the host where that has no room.
runtime::Device& Placer::bring_or_stay(
    const std::function<std::vector<MemoryUse>()>& uses, runtime::Device& device) {
  try {
    bring(uses(), device);
    return device;
  } catch (const OutOfMemoryError&) {
    if (device.is_host())
      throw;
  }
  runtime::Device& host = executor_.engine().runtime().cpu();
  executor_.set_placed({});
  bring(uses(), host);
  return host;
}

runtime::Device& Placer::place(
    const std::vector<NodePtr>& nodes, Program& program, std::int64_t bytes_written) {
  runtime::Device* device = nodes.front()->device;
  const auto is_here = [&](const Access& access) {
    return &executor_.device_of(*access.memory) == device;
  };
  if (device != nullptr && std::ranges::all_of(program.accesses, is_here))
    return *device;
  bool has_movable = false;
  device = fixed_device(nodes, has_movable);
  if (device == nullptr)
    device = device_of_sources(program);
  const bool is_free = device == nullptr && (has_movable || is_automatic(executor_.engine()));
  const auto uses = [&] { return uses_of(executor_, program); };
  if (is_free)
    return bring_or_stay(uses, choose_device(work_of(program), bytes_written, uses(), {}));
  if (device == nullptr)
    device = &default_device();
  if (has_movable)
    bring(uses(), *device);
  return *device;
}

void Placer::place(const Node& node, std::vector<Memory>& arrays) {
  const auto& routine = std::get<Routine>(node.made_by);
  bool has_movable = false;
  runtime::Device* device = fixed_device(routine.operands, has_movable);
  if (!has_movable)
    return;
  const auto uses = [&] { return uses_of(executor_, arrays); };
  if (device != nullptr) {
    bring(uses(), *device);
    return;
  }
  std::vector<views::DeviceArray> operands;
  operands.reserve(arrays.size());
  for (const Memory& array : arrays) operands.push_back(*array);
  const Work work = work_of(routine, operands, node.dtype);
  operands.clear();
  bring_or_stay(uses, choose_device(work, node.bytes(), uses(), routine.runs_on));
}

void Placer::bring_to(
    const std::vector<NodePtr>& nodes, Program& program, runtime::Device& device) {
  const auto is_elsewhere = [&](const Access& access) {
    return &executor_.device_of(*access.memory) != &device;
  };
  if (std::ranges::none_of(program.accesses, is_elsewhere))
    return;
  bool has_movable = false;
  one_device(fixed_device(nodes, has_movable), &device);
  if (has_movable)
    bring(uses_of(executor_, program), device);
}

bool Placer::is_better_elsewhere(
    const NodePtr& value, Program& program, const views::DeviceArray& target) {
  const auto is_here = [&](const Access& access) {
    return &executor_.device_of(*access.memory) == target.device;
  };
  bool has_movable = false;
  if (value->layout() != nullptr || std::ranges::all_of(program.accesses, is_here) ||
      fixed_device({value}, has_movable) != nullptr)
    return false;
  goal_ = target.device;
  const auto uses = uses_of(executor_, program);
  return &choose_device(work_of(program), value->bytes(), uses, {}) != target.device;
}

}  // namespace phalanx::arrays
