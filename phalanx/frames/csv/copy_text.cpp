// Text into the memory of a device.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "phalanx/frames/csv/source.h"
#include "phalanx/frames/csv_reader.h"
#include "phalanx/frames/parts.h"
#include "phalanx/runtime/device.h"

namespace phalanx::frames::csv {
namespace {

// A thread reads it in a fifth of a millisecond, the bus takes it in a tenth of that.
constexpr std::int64_t chunk_bytes = std::int64_t{1} << 20;

struct Lane {
  runtime::Buffer memory;
  std::shared_ptr<runtime::Event> sent;  // the last copy out of it
};

// Page-locked memory that threads read into while copies of what they read before are on the way:
// two lanes a thread.
class Lanes {
 public:
  Lanes(runtime::Device& device, std::int64_t most) : device_(device), most_(most) {}

  // One whose last copy is done.
  Lane take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!idle_.empty() && (made_ >= most_ || idle_.front().sent->query())) {
        Lane lane = std::move(idle_.front());
        idle_.pop_front();
        return lane;
      }
      ++made_;
    }
    return {
        device_.allocate(chunk_bytes, runtime::MemoryKind::pinned), device_.create_event(false)};
  }

  void give_back(Lane lane) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(lane));
  }

 private:
  runtime::Device& device_;
  std::int64_t most_;
  std::mutex mutex_;
  std::deque<Lane> idle_;  // the longest idle one first
  std::int64_t made_ = 0;
};

}  // namespace

void Reader::copy_text(runtime::Device& device, std::uintptr_t to, runtime::Stream& stream) const {
  const std::int64_t bytes = size() - position_;
  const std::int64_t chunks = (bytes + chunk_bytes - 1) / chunk_bytes;
  Lanes lanes(device, 2 * usable_threads(*runtime_));
  for_each_task(*runtime_, chunks, [&](std::int64_t i) {
    const std::int64_t first = i * chunk_bytes;
    const std::int64_t last = std::min(first + chunk_bytes, bytes);
    Lane lane = lanes.take();
    lane.sent->synchronize();
    auto* const text = static_cast<char*>(lane.memory.host());
    source_->read(position_ + first, position_ + last, text);
    const auto size = static_cast<std::size_t>(last - first);
    device.copy_to_device(to + static_cast<std::uintptr_t>(first), text, size, stream);
    lane.sent->record(stream);
    lanes.give_back(std::move(lane));
  });
  source_->check();
}

}  // namespace phalanx::frames::csv
