#include "phalanx/jit/hash.h"

#include <llvm-c/blake3.h>

#include <new>

namespace phalanx::jit {

namespace {

static_assert(sizeof(llvm_blake3_hasher) <= 1920);
static_assert(sizeof(Digest) == LLVM_BLAKE3_OUT_LEN);

}  // namespace

Hasher::Hasher() { llvm_blake3_hasher_init(::new (state_.data()) llvm_blake3_hasher); }

void Hasher::update(const void* data, std::size_t size) {
  auto* hasher = std::launder(reinterpret_cast<llvm_blake3_hasher*>(state_.data()));
  llvm_blake3_hasher_update(hasher, data, size);
}

Hasher& Hasher::add(std::span<const std::byte> bytes) {
  add(std::uint64_t{bytes.size()});
  update(bytes.data(), bytes.size());
  return *this;
}

Hasher& Hasher::add(std::string_view text) { return add(std::as_bytes(std::span(text))); }

Hasher& Hasher::add(std::uint64_t number) {
  update(&number, sizeof(number));
  return *this;
}

Digest Hasher::digest() const {
  const auto* hasher = std::launder(reinterpret_cast<const llvm_blake3_hasher*>(state_.data()));
  Digest digest;
  llvm_blake3_hasher_finalize(
      hasher, reinterpret_cast<std::uint8_t*>(digest.data()), digest.size());
  return digest;
}

Digest digest_of(std::span<const std::byte> bytes) { return Hasher().add(bytes).digest(); }

std::string to_hex(const Digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const std::byte byte : digest) {
    text += digits[std::to_integer<unsigned>(byte) >> 4U];
    text += digits[std::to_integer<unsigned>(byte) & 15U];
  }
  return text;
}

}  // namespace phalanx::jit
