#include "phalanx/runtime/cpu/shadow_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "phalanx/base/errors.h"

namespace phalanx::runtime::cpu {

class ShadowMemory::Words {
 public:
  explicit Words(std::size_t bytes) : bytes_(bytes) {
    constexpr int protection = PROT_READ | PROT_WRITE;
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    memory_ = ::mmap(nullptr, bytes, protection, flags, -1, 0);
    if (memory_ == MAP_FAILED)
      throw OutOfMemoryError(
          "check mode needs " + std::to_string(bytes >> 20) +
          " MiB for the races of this launch; check fewer or smaller arrays at a time");
  }
  ~Words() { ::munmap(memory_, bytes_); }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  std::uint64_t* data() const { return static_cast<std::uint64_t*>(memory_); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  void* memory_ = nullptr;
};

ShadowMemory::ShadowMemory() = default;
ShadowMemory::~ShadowMemory() = default;

namespace {

// Bytes of memory that an array reaches over.
struct Reach {
  std::uint64_t first = 0;
  std::uint64_t last = 0;  // after the end
  bool is_written = false;
  std::vector<std::size_t> arrays;  // which have a part of it
};

std::uint64_t number_at(std::span<const std::byte> parameters, std::size_t offset) {
  std::uint64_t number = 0;
  std::memcpy(&number, parameters.subspan(offset, sizeof(number)).data(), sizeof(number));
  return number;
}

Reach reach_of(
    const ShadowedParameter& array, std::size_t index, std::span<const std::byte> parameters) {
  const auto slot = [&](std::size_t number) {
    return static_cast<std::int64_t>(
        number_at(parameters, array.offset + number * sizeof(std::uint64_t)));
  };
  std::int64_t low = 0;
  std::int64_t high = array.item_bytes;
  std::int64_t count = 1;
  for (unsigned d = 0; d < array.dimensions; ++d) {
    const std::int64_t extent = slot(1 + d);
    count *= extent;
    if (array.has_strides)
      (slot(1 + array.dimensions + d) < 0 ? low : high) +=
          (extent - 1) * slot(1 + array.dimensions + d);
  }
  if (!array.has_strides)
    high = count * array.item_bytes;
  const auto start = static_cast<std::uint64_t>(slot(0));
  Reach reach = {.is_written = array.is_written, .arrays = {index}};
  if (count == 0)
    return reach;
  reach.first = start + static_cast<std::uint64_t>(low);
  reach.last = start + static_cast<std::uint64_t>(high);
  return reach;
}

// Reaches that touch become one.
std::vector<Reach> merged(std::vector<Reach> reaches) {
  std::ranges::sort(reaches, {}, &Reach::first);
  std::vector<Reach> result;
  for (Reach& reach : reaches) {
    if (reach.first == reach.last)
      continue;
    if (result.empty() || result.back().last <= reach.first) {
      result.push_back(std::move(reach));
      continue;
    }
    Reach& last = result.back();
    last.last = std::max(last.last, reach.last);
    last.is_written |= reach.is_written;
    last.arrays.insert(last.arrays.end(), reach.arrays.begin(), reach.arrays.end());
  }
  return result;
}

}  // namespace

std::shared_ptr<ShadowMemory::Words> ShadowMemory::words(std::size_t bytes) {
  // What was given back last is in the caches, where anything is.
  const auto fits = std::find_if(
      free_.rbegin(), free_.rend(), [&](const auto& words) { return words->bytes() >= bytes; });
  if (fits == free_.rend())
    return std::make_shared<Words>(bytes);
  std::shared_ptr<Words> found = std::move(*fits);
  free_.erase(std::next(fits).base());
  return found;
}

ShadowMemory::Lease ShadowMemory::take(
    const Entry& entry, std::span<const std::byte> parameters, std::uint64_t blocks) {
  const std::lock_guard lock(mutex_);
  Lease lease;
  if (next_epoch_ + blocks >= shadow::most_epochs) {
    free_.clear();  // old words would look like new ones
    next_epoch_ = 1;
  }
  lease.first_epoch = next_epoch_;
  next_epoch_ += blocks;
  std::vector<Reach> reaches;
  for (std::size_t i = 0; i < entry.shadowed_arrays.size(); ++i)
    reaches.push_back(reach_of(entry.shadowed_arrays[i], i, parameters));
  lease.arrays.resize(entry.shadowed_arrays.size() + 1);
  for (const Reach& reach : merged(std::move(reaches))) {
    if (!reach.is_written)
      continue;
    const std::uint64_t bytes = reach.last - reach.first;
    const std::size_t count = (bytes >> entry.global_granule) + shadow::margin_words;
    auto memory = words(2 * count * sizeof(std::uint64_t));
    for (const std::size_t array : reach.arrays)
      lease.arrays[array] = {
          .address = reach.first,
          .bytes = bytes,
          .writes = memory->data(),
          .reads = memory->data() + count};
    lease.memory.push_back(std::move(memory));
  }
  return lease;
}

void ShadowMemory::give_back(Lease lease) {
  constexpr std::size_t most_kept = 16;
  const std::lock_guard lock(mutex_);
  for (auto& memory : lease.memory) {
    if (free_.size() < most_kept)
      free_.push_back(std::move(memory));
  }
}

}  // namespace phalanx::runtime::cpu
