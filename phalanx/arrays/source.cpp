#include "phalanx/arrays/source.h"

namespace phalanx::arrays {

void load(
    runtime::Device& cpu,
    const Source& source,
    ByteRange range,
    runtime::Buffer& to,
    runtime::Stream& stream) {
  runtime::Device& device = stream.device();
  const auto begin = static_cast<std::size_t>(range.low);
  const auto bytes = static_cast<std::size_t>(range.high - range.low);
  if (source.host() != nullptr) {
    device.copy_to_device(to.address(), source.host() + begin, bytes, stream);
  } else if (device.is_host()) {
    stream.synchronize();
    source.read(begin, {static_cast<std::byte*>(to.host()), bytes});
  } else {
    const runtime::Buffer read = cpu.allocate(bytes);
    source.read(begin, {static_cast<std::byte*>(read.host()), bytes});
    device.copy_to_device(to.address(), read.host(), bytes, stream);
  }
}

}  // namespace phalanx::arrays
