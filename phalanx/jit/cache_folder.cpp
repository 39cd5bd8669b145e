#include "phalanx/jit/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <tuple>

#include "phalanx/jit/binary_format.h"

namespace phalanx::jit {

namespace {

constexpr std::string_view suffix = ".phx";

enum class NameKind : std::uint8_t { entry, temporary, foreign };

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

NameKind kind_of(std::string_view name) {
  constexpr std::size_t digits = 2 * std::tuple_size_v<Digest>;
  if (name.find_first_not_of("0123456789abcdef") != digits ||
      !name.substr(digits).starts_with(suffix))
    return NameKind::foreign;
  std::string_view rest = name.substr(digits + suffix.size());
  if (rest.empty())
    return NameKind::entry;
  if (!rest.starts_with(temporary_mark))
    return NameKind::foreign;
  rest.remove_prefix(temporary_mark.size());
  const std::size_t dot = rest.find('.');
  const bool is_ours = dot != std::string_view::npos && is_number(rest.substr(0, dot)) &&
                       is_number(rest.substr(dot + 1));
  return is_ours ? NameKind::temporary : NameKind::foreign;
}

std::optional<std::vector<std::byte>> read_whole(const FileDescriptor& file, std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::read(file.number(), bytes.data() + done, size - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return std::nullopt;
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace

std::string entry_name(const Digest& key) { return to_hex(key) + std::string(suffix); }

std::vector<CacheEntry> list_entries(const FileDescriptor& folder) {
  std::vector<CacheEntry> entries;
  const int own = ::openat(folder.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* opened = own < 0 ? nullptr : ::fdopendir(own);
  if (opened == nullptr)
    return entries;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(opened, ::closedir);
  while (const dirent* found = ::readdir(stream.get())) {
    const std::string_view name = found->d_name;
    const NameKind kind = kind_of(name);
    struct stat status{};
    if (kind == NameKind::foreign ||
        ::fstatat(folder.number(), found->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    entries.push_back(
        {std::string(name),
         static_cast<std::uint64_t>(status.st_size),
         status.st_mtim,
         kind == NameKind::temporary});
  }
  return entries;
}

std::string distrust(const FileDescriptor& file, TrustedOwner owner) {
  struct stat status{};
  if (::fstat(file.number(), &status) != 0)
    return std::strerror(errno);
  const bool is_trusted =
      status.st_uid == ::geteuid() || (owner == TrustedOwner::user_or_root && status.st_uid == 0);
  if (!is_trusted)
    return "it belongs to another user, and it holds machine code that would be run";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return "other users can write to it, and it holds machine code that would be run "
           "(chmod go-w makes it usable)";
  return {};
}

OpenedEntry open_entry(const FileDescriptor& folder, const Digest& key) {
  const std::string name = entry_name(key);
  // A pipe under that name must neither be waited for nor read: O_NONBLOCK opens it at once.
  FileDescriptor file(
      ::openat(folder.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status{};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode))
    return {};
  return {
      .file = std::move(file),
      .bytes = static_cast<std::size_t>(status.st_size),
      .used = status.st_mtim.tv_sec};
}

std::optional<Binary> read_entry(const OpenedEntry& entry, const Digest& key) {
  const auto bytes = read_whole(entry.file, entry.bytes);
  return bytes ? decode(*bytes, key) : std::nullopt;
}

}  // namespace phalanx::jit
