#include "phalanx/arrays/relocation.h"

#include <cstddef>

#include "phalanx/base/errors.h"

namespace phalanx::arrays {

runtime::Buffer copied_across(
    const views::DeviceArray& array, const AddressRange& range, runtime::Device& to) {
  runtime::Device& from = *array.device;
  const auto bytes = static_cast<std::size_t>(range.high - range.low);
  runtime::Buffer copy = to.allocate(bytes);
  if (bytes == 0)
    return copy;
  if (!array.memory->buffer.empty())
    array.memory->buffer.used_on(from.default_stream());
  if (from.is_host()) {
    from.default_stream()->synchronize();  // which may write there still
    const auto offset = static_cast<std::ptrdiff_t>(range.low - array.address);
    const std::byte* const host = static_cast<const std::byte*>(array.host) + offset;
    to.copy_to_device(copy.address(), host, bytes, *to.default_stream());
    to.default_stream()->synchronize();
  } else if (to.is_host()) {
    from.copy_to_host(copy.host(), range.low, bytes, *from.default_stream());
    from.default_stream()->synchronize();
  } else {
    from.default_stream()->synchronize();  // for which the other GPU's stream does not wait
    to.cuda()->copy_from_peer(copy.address(), from, range.low, bytes, *to.default_stream());
    to.default_stream()->synchronize();
  }
  return copy;
}

views::DeviceArray relocated(const views::DeviceArray& array, const Relocation& relocation) {
  const runtime::Buffer& buffer = relocation.memory->buffer;
  const auto offset = static_cast<std::ptrdiff_t>(array.address - relocation.was_at);
  views::DeviceArray moved = array;
  moved.memory = relocation.memory;
  moved.device = &relocation.device;
  moved.stream = nullptr;
  moved.address = buffer.address() + static_cast<runtime::Address>(offset);
  moved.host = buffer.host() != nullptr ? static_cast<std::byte*>(buffer.host()) + offset : nullptr;
  return moved;
}

}  // namespace phalanx::arrays
