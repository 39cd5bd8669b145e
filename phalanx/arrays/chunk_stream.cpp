#include "phalanx/arrays/chunk_stream.h"

#include <algorithm>
#include <utility>

#include "phalanx/base/errors.h"

namespace phalanx::arrays {

ChunkStream::ChunkStream(
    runtime::Runtime& runtime, runtime::Device& device, const Program& program, Chunking chunking)
    : runtime_(runtime), device_(device), program_(program), chunking_(std::move(chunking)) {
  // The CPU device's kernels run as they are launched: nothing can be copied meanwhile.
  const auto stream = [&] {
    return device.is_host() ? device.default_stream()
                            : device.create_stream(runtime::StreamKind::non_blocking);
  };
  copies_ = stream();
  results_ = chunking_.result_bytes() == 0 ? copies_ : stream();
  const std::int64_t most_lanes = device.is_host() ? 1 : 2;
  while (std::ssize(lanes_) < std::min(most_lanes, chunking_.count()))
    lanes_.push_back(make_lane());
}

ChunkStream::Lane ChunkStream::make_lane() {
  Lane lane;
  for (const Window& window : chunking_.windows()) {
    auto memory = std::make_shared<views::SharedMemory>();
    memory->buffer = device_.allocate(window.most_bytes);
    memory->buffer.used_on(copies_);
    lane.slots.push_back({.memory = std::move(memory), .loaded = {}});
  }
  if (chunking_.result_bytes() != 0) {
    lane.results = device_.allocate(chunking_.result_bytes());
    lane.results.used_on(results_);
  }
  lane.taken = device_.create_event(false);
  lane.ready = device_.create_event(false);
  lane.used = device_.create_event(false);
  return lane;
}

// Queues what the chunk reads, but for what the lane has from the chunk before.
void ChunkStream::load(Lane& lane, const Chunk& chunk) {
  copies_->wait(*lane.used);
  for (std::size_t i = 0; i < lane.slots.size(); ++i) {
    const Window& window = chunking_.windows()[i];
    Lane::Slot& slot = lane.slots[i];
    const ByteRange range = chunking_.range_of(program_, window, chunk);
    if (range.low == slot.loaded.low && range.high == slot.loaded.high)
      continue;
    const Source& source = *program_.accesses[window.accesses.front()].spilled->source;
    arrays::load(runtime_.cpu(), source, range, slot.memory->buffer, *copies_);
    slot.loaded = range;
    copied_bytes_ += static_cast<std::uint64_t>(range.high - range.low);
  }
  lane.ready->record(*copies_);
}

// The program of the chunk, with the lane's memory in the place of sources.
Program ChunkStream::redirected(const Lane& lane, const Chunk& chunk) const {
  Program part = part_of(program_, chunk);
  for (std::size_t i = 0; i < lane.slots.size(); ++i) {
    const Lane::Slot& slot = lane.slots[i];
    for (const std::size_t each : chunking_.windows()[i].accesses) {
      Access& access = part.accesses[each];
      views::DeviceArray array = *access.memory;
      array.memory = slot.memory;
      array.address = slot.memory->buffer.address();
      array.host = slot.memory->buffer.host();
      access.memory = std::make_shared<const views::DeviceArray>(std::move(array));
      access.offset -= slot.loaded.low;
      access.spilled = nullptr;
    }
  }
  return part;
}

// Queues the results' way to the host.
void ChunkStream::take(Lane& lane, const Chunk& chunk, std::byte* host) {
  const ByteRange range = chunking_.results_of(chunk);
  const auto bytes = static_cast<std::size_t>(range.high - range.low);
  results_->wait(*lane.used);
  device_.copy_to_host(host + range.low, lane.results.address(), bytes, *results_);
  lane.taken->record(*results_);
  copied_bytes_ += bytes;
}

void ChunkStream::run(const Launch& launch, std::byte* host) {
  try {
    run_all(launch, host);
  } catch (...) {
    finish();  // what is under way uses memory of the caller's
    throw;
  }
  if (host != nullptr)
    results_->synchronize();
}

void ChunkStream::finish() {
  device_.default_stream()->synchronize();
  copies_->synchronize();
  results_->synchronize();
}

void ChunkStream::run_all(const Launch& launch, std::byte* host) {
  runtime::Stream& kernels = *device_.default_stream();
  const std::int64_t count = chunking_.count();
  const auto lane_of = [&](std::int64_t number) -> Lane& {
    return lanes_[static_cast<std::size_t>(number) % lanes_.size()];
  };
  // Sources may be written by what is queued.
  for (const Lane& lane : lanes_) lane.used->record(kernels);
  // With one lane the chunk before is done with when the next one is loaded.
  const bool is_ahead = lanes_.size() > 1;
  load(lane_of(0), chunking_.chunk(0));
  for (std::int64_t number = 0; number < count; ++number) {
    if (runtime_.is_interrupted())
      throw Interrupted("the computation was interrupted between two chunks of its arrays");
    const Chunk chunk = chunking_.chunk(number);
    Lane& lane = lane_of(number);
    kernels.wait(*lane.ready);
    kernels.wait(*lane.taken);
    launch(redirected(lane, chunk), chunk, lane.results.address());
    lane.used->record(kernels);
    const auto load_next = [&] {
      if (number + 1 < count)
        load(lane_of(number + 1), chunking_.chunk(number + 1));
    };
    if (is_ahead)
      load_next();
    if (host != nullptr)
      take(lane, chunk, host);
    if (!is_ahead)
      load_next();
  }
}

}  // namespace phalanx::arrays
