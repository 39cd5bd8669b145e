#include "phalanx/arrays/residency.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "phalanx/arrays/graph.h"
#include "phalanx/arrays/relocation.h"
#include "phalanx/base/errors.h"
#include "phalanx/base/readable_bytes.h"
#include "phalanx/numpy/times.h"
#include "phalanx/runtime/profiler.h"

namespace phalanx::arrays {
namespace {

// Page-locked memory is copied at the bus's full speed, and is taken from everybody else: the
// rest goes to memory as any other.
constexpr std::uint64_t most_pinned = std::uint64_t{1} << 30;
constexpr std::size_t most_listed = 5;
// Of a device's memory; of the host's, which others need as well, so many bytes.
constexpr std::uint64_t held_share = 4;
constexpr std::uint64_t most_held_on_host = std::uint64_t{1} << 30;

runtime::Buffer copied_to_device(
    jit::Engine& engine, const Source& source, runtime::Device& device) {
  runtime::Buffer buffer = device.allocate(source.bytes());
  runtime::Stream& stream = *device.default_stream();
  const auto bytes = static_cast<std::int64_t>(source.bytes());
  load(engine.runtime().cpu(), source, {.low = 0, .high = bytes}, buffer, stream);
  return buffer;
}

void note_bytes(runtime::ProfileSpan& span, const runtime::Device& device, std::size_t bytes) {
  if (!span.is_on())
    return;
  span.set_device(device);
  span.record().bytes_read = bytes;
}

runtime::Address begin_of(const views::DeviceArray& array) {
  return array.memory->buffer.empty() ? array.address : array.memory->buffer.address();
}

// The bytes that an array keeps from others. Memory of another library that nobody else has is like
// an allocation of ours where the array can leave it.
std::size_t own_bytes(const Node& node, const views::DeviceArray& array) {
  const views::SharedMemory& memory = *array.memory;
  if (!memory.buffer.empty())
    return memory.buffer.kind() == runtime::MemoryKind::device ? memory.buffer.size() : 0;
  const bool is_whole = array.layout() == ir::Layout::c;
  return node.device == nullptr && !memory.is_exported && is_whole ? array.bytes() : 0;
}

std::string name_of(const ir::Type& element) {
  if (element.is_time())
    return numpy::name_of_time(element);
  return element.dtype() == DType::boolean ? "bool" : std::string(info(element.dtype()).name);
}

}  // namespace

// Elements on the host, counted as long as they are there.
class Residency::Copy final : public HostCopy {
 public:
  Copy(std::shared_ptr<Counters> all, runtime::Buffer made)
      : HostCopy(std::move(made)), counters_(std::move(all)) {
    counters_->count(buffer());
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  ~Copy() override { counters_->discount(buffer()); }

 private:
  std::shared_ptr<Counters> counters_;
};

void Residency::Counters::count(const runtime::Buffer& copy) {
  spilled_bytes += copy.size();
  if (copy.kind() == runtime::MemoryKind::pinned)
    pinned_bytes += copy.size();
}

void Residency::Counters::discount(const runtime::Buffer& copy) {
  spilled_bytes -= copy.size();
  if (copy.kind() == runtime::MemoryKind::pinned)
    pinned_bytes -= copy.size();
}

void Residency::Entry::add(const NodePtr& node) {
  if (nodes.size() >= next_cleaning) {
    std::erase_if(nodes, [](const auto& each) { return each.expired(); });
    next_cleaning = 2 * nodes.size() + 8;
  }
  nodes.push_back(node);
}

Residency::Entry Residency::make_entry(
    const Node& node, const views::DeviceArray& array, std::size_t bytes) const {
  return {
      .memory = array.memory,
      .nodes = {},
      .device = array.device,
      .bytes = bytes,
      .begin = begin_of(array),
      .element = node.element,
      .shape = node.shape,
      .origin = locate_ ? std::make_shared<Origin>() : nullptr,
      .source = nullptr};
}

void Residency::clean() {
  std::erase_if(entries_, [](const auto& each) { return each.second.memory.expired(); });
  next_cleaning_ = 2 * entries_.size() + 64;
}

std::shared_ptr<Origin> Residency::note(
    const NodePtr& node, const views::DeviceArray& array, std::size_t bytes) {
  touch(*array.memory);
  node->has_memory = bytes >= least_held;
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= next_cleaning_)
    clean();
  Entry& entry = entries_[array.memory.get()];
  std::shared_ptr<Origin> origin;
  if (entry.memory.lock() != array.memory) {  // new, or one that is gone was there
    entry = make_entry(*node, array, bytes);
    origin = entry.origin;
    growth_ += bytes >= least_held ? bytes : 0;
    if (growth_ >= most_held(*array.device) / 2)
      has_grown_.store(true, std::memory_order_relaxed);
  }
  entry.add(node);
  ask_for_memory_of(*entry.device);
  return origin;
}

std::uint64_t Residency::most_held(runtime::Device& device) {
  if (const auto limit = device.memory_use().limit)
    return *limit / held_share;
  return device.is_host() ? most_held_on_host : device.limits().total_memory / held_share;
}

void Residency::begin_growth() {
  const std::lock_guard lock(mutex_);
  growth_ = 0;
  has_grown_.store(false, std::memory_order_relaxed);
}

void Residency::ask_for_memory_of(runtime::Device& device) {
  if (std::ranges::find(devices_, &device) != devices_.end())
    return;
  devices_.push_back(&device);
  device.add_memory_reclaimer(weak_from_this());
}

void Residency::add(const NodePtr& node) {
  const auto* memory = std::get_if<Memory>(&node->made_by);
  if (memory == nullptr)
    return;
  const std::size_t bytes = own_bytes(*node, **memory);
  if (bytes < least_bytes)
    return;
  if (const auto origin = note(node, **memory, bytes))
    locate_(origin);
}

void Residency::add_copy(const NodePtr& node) {
  const Spilled& spilled = *std::get<SpilledPtr>(node->made_by);
  if (const auto origin = note(node, spilled.array, spilled.source->bytes()))
    locate_(origin);
  set_spilled(*spilled.array.memory, true);
}

void Residency::add_source(const NodePtr& node) {
  add_copy(node);
  has_sources_ = true;
  const Spilled& spilled = *std::get<SpilledPtr>(node->made_by);
  const std::lock_guard lock(mutex_);
  entries_.at(spilled.array.memory.get()).source = spilled.source;
}

Memory Residency::restore(Node& node) {
  const SpilledPtr spilled = std::get<SpilledPtr>(node.made_by);
  restore(*spilled);
  return std::get<Memory>(node.made_by);
}

void Residency::restore(const Spilled& spilled) {
  const auto& memory = spilled.array.memory;
  runtime::ProfileSpan span(runtime::ProfileKind::restore);
  note_bytes(span, *spilled.array.device, spilled.source->bytes());
  runtime::Buffer buffer = copied_to_device(*engine_, *spilled.source, *spilled.array.device);
  memory->buffer = std::move(buffer);
  touch(*memory);
  ++counters_->restores;
  for (const NodePtr& each : nodes_of(*memory)) {
    const auto* found = std::get_if<SpilledPtr>(&each->made_by);
    if (found == nullptr || (*found)->array.memory != memory)
      continue;
    views::DeviceArray array = (*found)->array;
    array.address = memory->buffer.address() + static_cast<runtime::Address>((*found)->offset);
    if (memory->buffer.host() != nullptr)
      array.host = static_cast<std::byte*>(memory->buffer.host()) + (*found)->offset;
    each->made_by = std::make_shared<const views::DeviceArray>(std::move(array));
  }
  set_spilled(*memory, false);
}

std::vector<NodePtr> Residency::nodes_of(const views::SharedMemory& memory) const {
  std::vector<NodePtr> nodes;
  const std::lock_guard lock(mutex_);
  for (const std::weak_ptr<Node>& each : entries_.at(&memory).nodes) {
    if (NodePtr node = each.lock())
      nodes.push_back(std::move(node));
  }
  return nodes;
}

void Residency::set_spilled(const views::SharedMemory& memory, bool is_spilled) {
  const std::lock_guard lock(mutex_);
  entries_.at(&memory).is_spilled = is_spilled;
}

// The nodes that have the memory, if nobody else uses it but `others` who point to it.
std::optional<Residency::Idle> Residency::idle_in(
    const Entry& entry, std::shared_ptr<views::SharedMemory> memory, long others) const {
  Idle idle{.memory = std::move(memory), .nodes = {}, .source = entry.source};
  if (!idle.memory || entry.is_spilled || idle.memory->is_exported)
    return std::nullopt;
  bool is_used = false;
  for (const std::weak_ptr<Node>& each : entry.nodes) {
    NodePtr node = each.lock();
    const Memory* array = node ? std::get_if<Memory>(&node->made_by) : nullptr;
    if (array == nullptr || (*array)->memory != idle.memory)
      continue;  // it is gone, or has a copy of its own
    is_used = is_used || array->use_count() > 1 || (*array)->stream != nullptr;
    if (std::ranges::find(idle.nodes, node) == idle.nodes.end())
      idle.nodes.push_back(std::move(node));
  }
  // Who copied a node's array before letting it go is counted from here on.
  std::atomic_thread_fence(std::memory_order_acquire);
  const long known = static_cast<long>(idle.nodes.size()) + 1 + others;
  return !is_used && idle.memory.use_count() == known ? std::optional(std::move(idle))
                                                      : std::nullopt;
}

std::vector<Residency::Idle> Residency::idle_of(runtime::Device& device) const {
  std::vector<Idle> found;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, entry] : entries_) {
    if (entry.device != &device)
      continue;
    if (auto idle = idle_in(entry, entry.memory.lock(), 0))
      found.push_back(*std::move(idle));
  }
  std::ranges::sort(found, {}, [](const Idle& idle) { return idle.memory->last_use.load(); });
  return found;
}

std::shared_ptr<HostCopy> Residency::make_copy(runtime::Device& device, std::size_t bytes) {
  const auto made = [&](runtime::Buffer buffer) {
    return std::make_shared<Copy>(counters_, std::move(buffer));
  };
  if (counters_->pinned_bytes + bytes <= most_pinned) {
    try {
      return made(device.allocate(bytes, runtime::MemoryKind::pinned));
    } catch (const OutOfMemoryError&) {  // memory that is not page-locked may be left
    }
  }
  try {
    return made(engine_->runtime().cpu().allocate(bytes));
  } catch (const OutOfMemoryError&) {
    return nullptr;
  }
}

std::uint64_t Residency::spill(const Idle& idle) {
  views::SharedMemory& memory = *idle.memory;
  runtime::Device& device = *memory.buffer.device();
  const std::size_t bytes = memory.buffer.size();
  runtime::ProfileSpan span(runtime::ProfileKind::spill);
  note_bytes(span, device, bytes);
  std::shared_ptr<const Source> source = idle.source;
  if (!source) {
    const auto copy = make_copy(device, bytes);
    if (!copy)
      return 0;
    const runtime::Address from = memory.buffer.address();
    device.copy_to_host(copy->host_to_write(), from, bytes, *device.default_stream());
    source = copy;
  }
  for (const NodePtr& node : idle.nodes) {
    const views::DeviceArray& array = *std::get<Memory>(node->made_by);
    auto spilled = std::make_shared<Spilled>();
    spilled->array = array;
    spilled->array.address = 0;  // read by mistake, it is a fault and no other array
    spilled->offset = static_cast<std::int64_t>(array.address - memory.buffer.address());
    spilled->source = source;
    node->made_by = SpilledPtr(std::move(spilled));
  }
  memory.buffer.release();
  ++counters_->spills;
  set_spilled(memory, true);
  return bytes;
}

std::uint64_t Residency::reclaim(runtime::Device& device, std::uint64_t bytes) {
  if (device.is_host())
    return 0;  // its memory is where arrays would be spilled to
  const std::unique_lock lock(*mutex_of_graph_, std::try_to_lock);
  if (!lock)
    return 0;
  std::uint64_t freed = 0;
  for (const Idle& idle : idle_of(device)) {
    if (freed >= bytes)
      break;
    freed += spill(idle);
  }
  return freed;
}

std::string Residency::holders(runtime::Device& device) {
  const std::lock_guard lock(mutex_);
  std::vector<const Entry*> held;
  for (const auto& [key, entry] : entries_) {
    const auto memory = entry.memory.lock();
    if (memory && entry.device == &device && !memory->buffer.empty())
      held.push_back(&entry);
  }
  if (held.empty())
    return {};
  std::ranges::sort(held, std::ranges::greater(), &Entry::bytes);
  std::string text = fmt::format("\nThe largest of {} arrays:", held.size());
  for (std::size_t i = 0; i < std::min(held.size(), most_listed); ++i) {
    const Entry& entry = *held[i];
    const SourceLine line = entry.origin ? entry.origin->line() : SourceLine();
    text += fmt::format(
        "\n  {}: {} {}, {}",
        readable_bytes(entry.bytes),
        name_of(entry.element),
        to_string(*entry.shape),
        line.path.empty() ? "just computed" : fmt::format("made at {}:{}", line.path, line.line));
  }
  return text;
}

std::optional<MovableMemory> Residency::movable(
    const std::shared_ptr<views::SharedMemory>& memory) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(memory.get());
  if (found == entries_.end())
    return std::nullopt;
  const auto known = found->second.memory.lock();
  if (!known || known != memory || known->is_exported || found->second.source ||
      found->second.is_spilled)
    return std::nullopt;
  return MovableMemory{
      .bytes = static_cast<std::int64_t>(found->second.bytes), .paid = found->second.paid};
}

void Residency::add_paid(const views::SharedMemory& memory, std::optional<double> seconds) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(&memory);
  if (found != entries_.end())
    found->second.paid = seconds ? found->second.paid + *seconds : 0;
}

std::optional<runtime::Address> Residency::move(
    const std::shared_ptr<views::SharedMemory>& memory, runtime::Device& device) {
  std::unique_lock lock(mutex_);
  const Entry entry = entries_.at(memory.get());
  const auto idle = idle_in(entry, memory, 1);
  lock.unlock();
  const auto is_movable = [](const NodePtr& node) { return node->device == nullptr; };
  if (!idle || idle->nodes.empty() || !std::ranges::all_of(idle->nodes, is_movable))
    return std::nullopt;
  const views::DeviceArray first = *std::get<Memory>(idle->nodes.front()->made_by);
  const AddressRange range = {.low = entry.begin, .high = entry.begin + entry.bytes};
  memory->buffer = copied_across(first, range, device);
  memory->owner.reset();
  for (const NodePtr& node : idle->nodes) {
    const views::DeviceArray& array = *std::get<Memory>(node->made_by);
    node->made_by = std::make_shared<const views::DeviceArray>(
        relocated(array, {.memory = memory, .was_at = entry.begin, .device = device}));
  }
  touch(*memory);
  lock.lock();
  Entry& moved = entries_.at(memory.get());
  moved.device = &device;
  moved.begin = memory->buffer.address();
  ask_for_memory_of(device);
  return entry.begin;
}

SpillStatistics Residency::statistics() const {
  return {
      .spilled_bytes = counters_->spilled_bytes,
      .spills = counters_->spills,
      .restores = counters_->restores};
}

}  // namespace phalanx::arrays
