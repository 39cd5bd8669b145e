#include "phalanx/jit/kernel_archive.h"

#include <fcntl.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/Error.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <type_traits>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/jit/binary_format.h"
#include "phalanx/jit/file.h"

namespace phalanx::jit {
namespace {

namespace zstd = llvm::compression::zstd;

constexpr std::uint64_t magic = 0x324e52454b585850;  // "PXXKERN2"
constexpr std::size_t block_bytes = 1U << 16U;       // a block ends with the entry that reaches it
constexpr std::size_t most_block_bytes = 1U << 24U;  // what is more is damage
constexpr int compression = 19;                      // slow to make, and as fast to read as others

// The file: a header, a row for each kernel in the order of their keys, a row for each block, then
// the blocks.
struct Header {
  std::uint64_t magic;
  std::uint64_t bytes;  // of the file
  std::uint64_t kernels;
  std::uint64_t blocks;
};
struct KernelRow {
  Digest key;
  std::uint64_t block;
  std::uint64_t offset;  // in the block's content
  std::uint64_t bytes;
};
struct BlockRow {
  std::uint64_t offset;  // in the file
  std::uint64_t bytes;
  std::uint64_t content_bytes;
};
static_assert(std::is_trivially_copyable_v<KernelRow> && sizeof(KernelRow) == 56);

// The file's beginning is that of a page.
const Header& header_of(std::span<const std::byte> bytes) {
  return *reinterpret_cast<const Header*>(bytes.data());
}

std::span<const KernelRow> kernels_of(std::span<const std::byte> bytes) {
  const auto* first = reinterpret_cast<const KernelRow*>(bytes.data() + sizeof(Header));
  return {first, header_of(bytes).kernels};
}

std::span<const BlockRow> blocks_of(std::span<const std::byte> bytes) {
  const auto kernels = kernels_of(bytes);
  const auto* first = reinterpret_cast<const BlockRow*>(kernels.data() + kernels.size());
  return {first, header_of(bytes).blocks};
}

bool is_whole(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(Header))
    return false;
  const Header& header = header_of(bytes);
  const std::size_t rest = bytes.size() - sizeof(Header);
  return header.magic == magic && header.bytes == bytes.size() &&
         header.kernels <= rest / sizeof(KernelRow) && header.blocks <= rest / sizeof(BlockRow) &&
         header.kernels * sizeof(KernelRow) + header.blocks * sizeof(BlockRow) <= rest;
}

// Empty where it is damaged.
std::vector<std::byte> content_of(std::span<const std::byte> file, const BlockRow& row) {
  if (row.offset > file.size() || row.bytes > file.size() - row.offset ||
      row.content_bytes > most_block_bytes)
    return {};
  std::vector<std::byte> content(row.content_bytes);
  std::size_t size = content.size();
  const auto* first = reinterpret_cast<const std::uint8_t*>(file.data() + row.offset);
  auto error =
      zstd::decompress({first, row.bytes}, reinterpret_cast<std::uint8_t*>(content.data()), size);
  const bool is_good = !error && size == content.size();
  llvm::consumeError(std::move(error));
  return is_good ? content : std::vector<std::byte>{};
}

struct Encoded {
  Digest key;
  std::vector<std::byte> bytes;
};

// Kernels of one size are mostly variants of each other: they come to lie side by side.
std::vector<Encoded> in_order_of_size(const std::map<Digest, Binary>& kernels) {
  std::vector<Encoded> all;
  all.reserve(kernels.size());
  for (const auto& [key, binary] : kernels) all.push_back({key, encode(binary, key)});
  std::ranges::stable_sort(all, {}, [](const Encoded& one) { return one.bytes.size(); });
  return all;
}

class ArchiveWriter {
 public:
  void add(const Encoded& one) {
    kernels_.push_back({one.key, blocks_.size(), content_.size(), one.bytes.size()});
    content_.insert(content_.end(), one.bytes.begin(), one.bytes.end());
    if (content_.size() >= block_bytes)
      end_block();
  }

  void write(std::ofstream& file) {
    if (!content_.empty())
      end_block();
    std::ranges::sort(kernels_, {}, &KernelRow::key);
    const std::uint64_t first =
        sizeof(Header) + kernels_.size() * sizeof(KernelRow) + blocks_.size() * sizeof(BlockRow);
    for (BlockRow& row : blocks_) row.offset += first;
    const Header header = {magic, first + compressed_.size(), kernels_.size(), blocks_.size()};
    put(file, std::as_bytes(std::span(&header, 1)));
    put(file, std::as_bytes(std::span(kernels_)));
    put(file, std::as_bytes(std::span(blocks_)));
    put(file, std::as_bytes(std::span(compressed_)));
  }

 private:
  static void put(std::ofstream& file, std::span<const std::byte> bytes) {
    file.write(
        reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

  void end_block() {
    llvm::SmallVector<std::uint8_t, 0> made;
    const auto* first = reinterpret_cast<const std::uint8_t*>(content_.data());
    zstd::compress({first, content_.size()}, made, compression);
    blocks_.push_back({compressed_.size(), made.size(), content_.size()});
    compressed_.insert(compressed_.end(), made.begin(), made.end());
    content_.clear();
  }

  std::vector<KernelRow> kernels_;
  std::vector<BlockRow> blocks_;
  std::vector<std::byte> content_;        // of the block that is being filled
  std::vector<std::uint8_t> compressed_;  // all blocks
};

}  // namespace

std::optional<KernelArchive> KernelArchive::open(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status{};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size == 0)
    return std::nullopt;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const first = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (first == MAP_FAILED)
    return std::nullopt;
  std::shared_ptr<const void> mapped(
      first, [size](const void* at) { ::munmap(const_cast<void*>(at), size); });
  const std::span bytes(static_cast<const std::byte*>(first), size);
  if (!is_whole(bytes))
    return std::nullopt;
  return KernelArchive(std::move(mapped), bytes);
}

std::size_t KernelArchive::kernels() const { return header_of(bytes_).kernels; }

std::optional<Binary> KernelArchive::find(const Digest& key) const {
  const auto kernels = kernels_of(bytes_);
  const auto blocks = blocks_of(bytes_);
  const auto found = std::ranges::lower_bound(kernels, key, {}, &KernelRow::key);
  if (found == kernels.end() || found->key != key || found->block >= blocks.size())
    return std::nullopt;
  const std::vector<std::byte> content = content_of(bytes_, blocks[found->block]);
  if (found->offset > content.size() || found->bytes > content.size() - found->offset)
    return std::nullopt;
  return decode(std::span(content).subspan(found->offset, found->bytes), key);
}

void KernelArchive::write(const std::string& path, const std::map<Digest, Binary>& kernels) {
  ArchiveWriter writer;
  for (const Encoded& one : in_order_of_size(kernels)) writer.add(one);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  writer.write(file);
  file.close();
  if (!file)
    throw ValueError("'" + path + "' cannot be written: " + std::strerror(errno));
}

}  // namespace phalanx::jit
