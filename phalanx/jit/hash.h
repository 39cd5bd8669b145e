// A 256-bit BLAKE3 digest over a sequence of fields: what names an entry of the disk cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace phalanx::jit {

using Digest = std::array<std::byte, 32>;

// Fields are hashed with their lengths, so that ("ab", "c") and ("a", "bc") differ.
class Hasher {
 public:
  Hasher();
  Hasher& add(std::span<const std::byte> bytes);
  Hasher& add(std::string_view text);
  Hasher& add(std::uint64_t number);
  Digest digest() const;

 private:
  void update(const void* data, std::size_t size);

  // Room for LLVM's hasher, whose header stays out of this one.
  alignas(8) std::array<std::byte, 1920> state_;
};

Digest digest_of(std::span<const std::byte> bytes);
std::string to_hex(const Digest& digest);

}  // namespace phalanx::jit
