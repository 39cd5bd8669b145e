#include "phalanx/jit/binary_format.h"

#include <cstring>
#include <string>
#include <type_traits>

namespace phalanx::jit {

namespace {

// build_id() is part of every key, so the version only guards against another program's files.
constexpr std::uint64_t magic = 0x3252414e49425850;  // "PXBINAR2"

struct Header {
  std::uint64_t magic;
  std::uint64_t payload_bytes;
  Digest key;
  Digest checksum;  // of the payload
};
static_assert(std::is_trivially_copyable_v<Header>);

class Writer {
 public:
  explicit Writer(std::vector<std::byte>& bytes) : bytes_(&bytes) {}

  void number(std::uint64_t value) { raw(&value, sizeof(value)); }
  void block(const void* data, std::size_t size) {
    number(size);
    raw(data, size);
  }
  void raw(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_->insert(bytes_->end(), first, first + size);
  }

 private:
  std::vector<std::byte>* bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    if (const auto bytes = take(sizeof(value)); !bytes.empty())
      std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
  }
  std::span<const std::byte> block() { return take(number()); }
  std::string text() {
    const auto bytes = block();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  bool is_done() const { return is_good_ && rest_.empty(); }
  bool is_good() const { return is_good_; }

 private:
  std::span<const std::byte> take(std::uint64_t size) {
    if (size > rest_.size()) {
      is_good_ = false;
      return {};
    }
    const auto taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }

  std::span<const std::byte> rest_;
  bool is_good_ = true;
};

}  // namespace

std::vector<std::byte> encode(const Binary& binary, const Digest& key) {
  std::vector<std::byte> bytes(sizeof(Header));
  Writer writer(bytes);
  writer.number(static_cast<std::uint64_t>(binary.kind));
  writer.block(binary.entry.data(), binary.entry.size());
  writer.block(binary.code.data(), binary.code.size());
  for (const std::uint32_t value :
       {binary.parameter_bytes, binary.shared_bytes, binary.lanes, binary.warp_bytes})
    writer.number(value);
  writer.block(binary.result.data(), binary.result.size());
  for (const bool fact : {binary.uses_print, binary.is_cooperative, binary.stages_tiles})
    writer.number(fact ? 1 : 0);
  writer.number(binary.raise_sites.size());
  for (const std::string& site : binary.raise_sites) writer.block(site.data(), site.size());

  const auto payload = std::span<const std::byte>(bytes).subspan(sizeof(Header));
  const Header header{magic, payload.size(), key, digest_of(payload)};
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

std::optional<Binary> decode(std::span<const std::byte> bytes, const Digest& key) {
  Header header;
  if (bytes.size() < sizeof(header))
    return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof(header));
  const auto payload = bytes.subspan(sizeof(header));
  if (header.magic != magic || header.key != key || header.payload_bytes != payload.size() ||
      header.checksum != digest_of(payload))
    return std::nullopt;

  Reader reader(payload);
  Binary binary;
  const std::uint64_t kind = reader.number();
  binary.entry = reader.text();
  const auto code = reader.block();
  binary.code.assign(code.begin(), code.end());
  for (std::uint32_t* value :
       {&binary.parameter_bytes, &binary.shared_bytes, &binary.lanes, &binary.warp_bytes})
    *value = static_cast<std::uint32_t>(reader.number());
  binary.result = reader.text();
  for (bool* fact : {&binary.uses_print, &binary.is_cooperative, &binary.stages_tiles})
    *fact = reader.number() != 0;
  const std::uint64_t sites = reader.number();
  for (std::uint64_t i = 0; i < sites && reader.is_good(); ++i)
    binary.raise_sites.push_back(reader.text());
  if (!reader.is_done() || kind > static_cast<std::uint64_t>(BinaryKind::cubin))
    return std::nullopt;
  binary.kind = static_cast<BinaryKind>(kind);
  return binary;
}

}  // namespace phalanx::jit
