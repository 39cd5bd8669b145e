#include "phalanx/jit/binary_format.h"

#include <cstring>
#include <string>
#include <type_traits>

namespace phalanx::jit {

namespace {

// build_id() is part of every key, so the version only guards against another program's files.
constexpr std::uint64_t magic = 0x3452414e49425850;  // "PXBINAR4"

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

void write(Writer& writer, const FaultSite& site) {
  const Report* report = site.report();
  const Raise* raise = std::get_if<Raise>(&site.what);
  for (const std::uint32_t number :
       {report == nullptr ? 0 : static_cast<std::uint32_t>(report->check) + 1,
        report == nullptr ? 0 : static_cast<std::uint32_t>(report->verb),
        site.location.line,
        site.location.column,
        site.location.end_column,
        std::uint32_t{site.dimensions},
        std::uint32_t{site.wraps}})
    writer.number(number);
  for (const std::string* text :
       {&site.path,
        &site.source_line,
        report == nullptr ? &raise->type : &report->subject,
        report == nullptr ? &raise->message : &report->subject})
    writer.block(text->data(), text->size());
}

FaultSite read_site(Reader& reader) {
  FaultSite site;
  const auto number = [&] { return static_cast<std::uint32_t>(reader.number()); };
  const std::uint32_t check = number();
  const auto verb = static_cast<Verb>(number());
  site.location.line = number();
  site.location.column = number();
  site.location.end_column = number();
  site.dimensions = number();
  site.wraps = number();
  site.path = reader.text();
  site.source_line = reader.text();
  std::string subject = reader.text();
  std::string message = reader.text();
  if (check == 0)
    site.what = Raise{.type = std::move(subject), .message = std::move(message)};
  else
    site.what =
        Report{.check = static_cast<Check>(check - 1), .verb = verb, .subject = std::move(subject)};
  return site;
}

void write(Writer& writer, const Warning& warning) {
  writer.number(static_cast<std::uint64_t>(warning.kind));
  writer.number(static_cast<std::uint64_t>(warning.line));
  for (const std::string* text : {&warning.text, &warning.file, &warning.source_line})
    writer.block(text->data(), text->size());
}

Warning read_warning(Reader& reader) {
  Warning warning;
  warning.kind = static_cast<Warning::Kind>(reader.number());
  warning.line = static_cast<std::int64_t>(reader.number());
  for (std::string* text : {&warning.text, &warning.file, &warning.source_line})
    *text = reader.text();
  return warning;
}

void write_shadow(Writer& writer, const Entry& entry) {
  writer.number(entry.has_shadow ? 1 : 0);
  if (!entry.has_shadow)
    return;
  writer.number(entry.shared_granule);
  writer.number(entry.global_granule);
  writer.number(entry.shadowed_arrays.size());
  for (const ShadowedParameter& array : entry.shadowed_arrays) {
    for (const std::uint32_t number :
         {array.offset,
          array.dimensions,
          array.item_bytes,
          std::uint32_t{array.has_strides},
          std::uint32_t{array.is_written}})
      writer.number(number);
  }
}

void read_shadow(Reader& reader, Entry& entry) {
  const auto number = [&] { return static_cast<std::uint32_t>(reader.number()); };
  entry.has_shadow = number() != 0;
  if (!entry.has_shadow)
    return;
  entry.shared_granule = number();
  entry.global_granule = number();
  const std::uint64_t arrays = reader.number();
  for (std::uint64_t i = 0; i < arrays && reader.is_good(); ++i) {
    ShadowedParameter& array = entry.shadowed_arrays.emplace_back();
    array.offset = number();
    array.dimensions = number();
    array.item_bytes = number();
    array.has_strides = number() != 0;
    array.is_written = number() != 0;
  }
}

void write(Writer& writer, const Entry& entry) {
  writer.block(entry.symbol.data(), entry.symbol.size());
  for (const std::uint32_t value :
       {entry.parameter_bytes,
        entry.shared_bytes,
        entry.moved_shared_bytes,
        entry.lanes,
        entry.warp_bytes})
    writer.number(value);
  const std::string launch_memory = entry.launch_memory.text();
  writer.block(launch_memory.data(), launch_memory.size());
  for (const std::uint32_t extent : entry.block) writer.number(extent);
  writer.number(entry.lane_axis ? *entry.lane_axis + 1 : 0);
  writer.block(entry.result.data(), entry.result.size());
  for (const bool fact : {entry.is_cooperative, entry.stages_tiles, entry.can_stop})
    writer.number(fact ? 1 : 0);
  write_shadow(writer, entry);
}

Entry read_entry(Reader& reader) {
  Entry entry;
  entry.symbol = reader.text();
  for (std::uint32_t* value :
       {&entry.parameter_bytes,
        &entry.shared_bytes,
        &entry.moved_shared_bytes,
        &entry.lanes,
        &entry.warp_bytes})
    *value = static_cast<std::uint32_t>(reader.number());
  entry.launch_memory = LaunchMemory::parse(reader.text());
  for (std::uint32_t& extent : entry.block) extent = static_cast<std::uint32_t>(reader.number());
  if (const auto axis = static_cast<unsigned>(reader.number()); axis != 0)
    entry.lane_axis = axis - 1;
  entry.result = reader.text();
  for (bool* fact : {&entry.is_cooperative, &entry.stages_tiles, &entry.can_stop})
    *fact = reader.number() != 0;
  read_shadow(reader, entry);
  return entry;
}

}  // namespace

std::vector<std::byte> encode(const Binary& binary, const Digest& key) {
  std::vector<std::byte> bytes(sizeof(Header));
  Writer writer(bytes);
  writer.number(static_cast<std::uint64_t>(binary.kind));
  writer.block(binary.code.data(), binary.code.size());
  writer.number(binary.entries.size());
  for (const Entry& entry : binary.entries) write(writer, entry);
  writer.number(binary.uses_print ? 1 : 0);
  writer.number(binary.fault_sites.size());
  for (const FaultSite& site : binary.fault_sites) write(writer, site);
  writer.number(binary.warnings.size());
  for (const Warning& warning : binary.warnings) write(writer, warning);

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
  const auto code = reader.block();
  binary.code.assign(code.begin(), code.end());
  binary.entries.clear();
  const std::uint64_t entries = reader.number();
  for (std::uint64_t i = 0; i < entries && reader.is_good(); ++i)
    binary.entries.push_back(read_entry(reader));
  binary.uses_print = reader.number() != 0;
  const std::uint64_t sites = reader.number();
  for (std::uint64_t i = 0; i < sites && reader.is_good(); ++i)
    binary.fault_sites.push_back(read_site(reader));
  const std::uint64_t warnings = reader.number();
  for (std::uint64_t i = 0; i < warnings && reader.is_good(); ++i)
    binary.warnings.push_back(read_warning(reader));
  if (!reader.is_done() || binary.entries.empty() ||
      kind > static_cast<std::uint64_t>(BinaryKind::cubin))
    return std::nullopt;
  binary.kind = static_cast<BinaryKind>(kind);
  return binary;
}

}  // namespace phalanx::jit
