#include "phalanx/runtime/cuda/device_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "phalanx/base/errors.h"

namespace phalanx::runtime::cuda {

bool is_pinned(const Driver& driver, const void* host) {
  unsigned type = 0;
  void* value = &type;
  PointerAttribute asked = pointer_memory_type;
  const auto pointer = static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(host));
  // Pageable memory is unknown to the driver: type 0. (To ask for one attribute alone is an error
  // then, which tools that watch the driver's results report.)
  return driver.pointer_attributes(1, &asked, &value, pointer) == result::success && type != 0;
}

void wait_for_streams(Context& context, std::span<const StreamHandle> streams) noexcept {
  const Driver& driver = context.driver();
  for (StreamHandle other : streams.subspan(1)) {
    EventHandle event = nullptr;
    const bool is_queued = driver.event_create(&event, event_without_timing) == result::success &&
                           driver.event_record(event, other) == result::success &&
                           driver.stream_wait(streams.front(), event, 0) == result::success;
    if (!is_queued)
      driver.stream_synchronize(other);  // slower, and as safe
    if (event != nullptr)
      driver.event_destroy(event);  // the driver keeps it until it was reached
  }
}

void fill_device(
    Context& context,
    DevicePointer to,
    std::span<const std::byte> pattern,
    std::size_t count,
    StreamHandle stream) {
  const std::size_t size = pattern.size();
  std::array<unsigned, 4> words{};
  if (size > sizeof(words) || (size & (size - 1)) != 0)
    throw ValueError(fmt::format("a fill pattern of {} bytes is not supported", size));
  std::memcpy(words.data(), pattern.data(), size);
  const std::size_t used = std::max<std::size_t>(size / 4, 1);
  const bool is_uniform = std::all_of(
      words.begin(), words.begin() + used, [&](unsigned word) { return word == words[0]; });
  if (size == 1)
    CU_IN(context, fill_8(to, static_cast<unsigned char>(words[0]), count, stream));
  else if (size == 2)
    CU_IN(context, fill_16(to, static_cast<unsigned short>(words[0]), count, stream));
  else if (is_uniform)
    CU_IN(context, fill_32(to, words[0], count * used, stream));
  else
    // One pass for each word of the pattern: rows of one word, as far apart as the pattern is long.
    for (std::size_t i = 0; i < used; ++i)
      CU_IN(context, fill_rows_32(to + 4 * i, size, words.at(i), 1, count, stream));
}

}  // namespace phalanx::runtime::cuda
