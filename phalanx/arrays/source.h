// Elements of an array that are outside of its device's memory: on the host, or in a file that a
// library reads.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "phalanx/base/export.h"
#include "phalanx/base/strided.h"
#include "phalanx/runtime/device.h"

namespace phalanx::arrays {

class PHX_API Source {
 public:
  Source() = default;
  virtual ~Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  virtual std::size_t bytes() const = 0;
  // Where the host reaches all bytes; null where only read() gives them.
  virtual const std::byte* host() const = 0;
  // The bytes from `begin` on.
  virtual void read(std::size_t begin, std::span<std::byte> to) const {
    std::memcpy(to.data(), host() + begin, to.size());
  }
};

// Memory of the host, such as a mapped file, that `owner` keeps and that nobody writes to.
class PHX_API HostSource final : public Source {
 public:
  HostSource(const void* host, std::size_t bytes, std::shared_ptr<void> owner)
      : host_(static_cast<const std::byte*>(host)), bytes_(bytes), owner_(std::move(owner)) {}

  std::size_t bytes() const override { return bytes_; }
  const std::byte* host() const override { return host_; }

 private:
  const std::byte* host_;
  std::size_t bytes_;
  std::shared_ptr<void> owner_;
};

// Copies those bytes to memory of the stream's device, queued there. `cpu` has the memory that they
// go through where only read() gives them.
void load(
    runtime::Device& cpu,
    const Source& source,
    ByteRange range,
    runtime::Buffer& to,
    runtime::Stream& stream);

}  // namespace phalanx::arrays
