#include "phalanx/jit/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "phalanx/jit/binary_format.h"

namespace phalanx::jit {

namespace {

constexpr std::string_view suffix = ".phx";
constexpr std::string_view temporary_mark = ".tmp.";
constexpr std::time_t use_is_noted_after = 3600;  // seconds; saves a write on each hit
constexpr std::time_t temporary_is_stale_after = 3600;

std::string error_text(int error) { return std::strerror(error); }

enum class NameKind : std::uint8_t { entry, temporary, foreign };

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Entries are named <64 hexadecimal digits>.phx, and while they are written, with .tmp.<process>.
// <count> after that. Whatever has another name is not ours.
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

struct Entry {
  std::string name;
  std::uint64_t bytes;
  timespec used;
  bool is_temporary;
};

// What lies in the directory: our entries and temporary files, nothing else.
std::vector<Entry> list(const FileDescriptor& directory) {
  std::vector<Entry> entries;
  const int own = ::openat(directory.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* opened = own < 0 ? nullptr : ::fdopendir(own);
  if (opened == nullptr)
    return entries;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(opened, ::closedir);
  while (const dirent* found = ::readdir(stream.get())) {
    const std::string_view name = found->d_name;
    const NameKind kind = kind_of(name);
    struct stat status{};
    if (kind == NameKind::foreign ||
        ::fstatat(directory.number(), found->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
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

// mkdir -p; new directories are for the user alone, as the XDG specification asks.
bool make_directories(const std::string& path) {
  for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
    ::mkdir(path.substr(0, at).c_str(), 0700);
  return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST;
}

// Why machine code from this directory cannot be trusted; empty when it can.
std::string distrust(const FileDescriptor& directory) {
  struct stat status{};
  if (::fstat(directory.number(), &status) != 0)
    return error_text(errno);
  if (status.st_uid != ::geteuid())
    return "it belongs to another user, and it holds machine code that would be run";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return "other users can write to it, and it holds machine code that would be run "
           "(chmod go-w makes it usable)";
  return {};
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

bool write_whole(const FileDescriptor& file, const std::vector<std::byte>& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t put = ::write(file.number(), bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return false;
    done += static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace

DiskCache::DiskCache(CacheOptions options, std::function<void(const std::string&)> warn)
    : options_(std::move(options)), warn_(std::move(warn)), usable_(options_.enabled) {
  if (!options_.enabled)
    problem_ = "switched off by PHALANX_CACHE=0";
  else if (options_.directory.empty())
    give_up("there is no home directory; PHALANX_CACHE_DIR can name a folder");
}

void DiskCache::note_problem(const std::string& problem) {
  problem_ = problem;
  if (!warned_ && warn_) {
    warned_ = true;
    warn_("the cache of compiled kernels in '" + options_.directory + "' " + problem);
  }
}

void DiskCache::give_up(const std::string& problem) {
  usable_ = false;
  directory_ = FileDescriptor();
  note_problem("is not used: " + problem);
}

bool DiskCache::open_directory(bool create) {
  if (!usable_ || directory_.is_open())
    return usable_;
  if (!options_.problem.empty())
    note_problem("is used, but " + options_.problem);
  if (create && !make_directories(options_.directory)) {
    give_up("it cannot be made: " + error_text(errno));
    return false;
  }
  FileDescriptor opened(::open(options_.directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) {
    // Absent is no problem: the first store makes it.
    if (errno != ENOENT || create)
      give_up("it cannot be opened: " + error_text(errno));
    return false;
  }
  if (const std::string reason = distrust(opened); !reason.empty()) {
    give_up(reason);
    return false;
  }
  // All further access goes through this descriptor: what was checked is what is used.
  directory_ = std::move(opened);
  return true;
}

std::optional<Binary> DiskCache::find(const Digest& key) {
  const std::lock_guard lock(mutex_);
  if (!open_directory(false))
    return std::nullopt;
  const std::string name = to_hex(key) + std::string(suffix);
  // A pipe under that name must neither be waited for nor read: O_NONBLOCK opens it at once.
  const FileDescriptor file(
      ::openat(directory_.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status{};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  if (const auto bytes = read_whole(file, static_cast<std::size_t>(status.st_size))) {
    if (auto binary = decode(*bytes, key)) {
      if (::time(nullptr) - status.st_mtim.tv_sec > use_is_noted_after)
        ::futimens(file.number(), nullptr);  // fails where read-only; then age counts
      return binary;
    }
  }
  ::unlinkat(directory_.number(), name.c_str(), 0);
  return std::nullopt;
}

// Something else under an entry's name stays, and the entry is not kept.
bool DiskCache::write_entry(const std::string& name, const std::vector<std::byte>& bytes) {
  struct stat status{};
  if (::fstatat(directory_.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      !S_ISREG(status.st_mode))
    return true;
  const std::string temporary = name + std::string(temporary_mark) + std::to_string(::getpid()) +
                                "." + std::to_string(++temporary_count_);
  const FileDescriptor file(::openat(
      directory_.number(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open())
    return false;
  if (write_whole(file, bytes) &&
      ::renameat(directory_.number(), temporary.c_str(), directory_.number(), name.c_str()) == 0)
    return true;
  const int error = errno;
  ::unlinkat(directory_.number(), temporary.c_str(), 0);
  errno = error;
  return false;
}

void DiskCache::store(const Digest& key, const Binary& binary) {
  const std::vector<std::byte> bytes = encode(binary, key);
  bool is_time_to_trim = false;
  {
    const std::lock_guard lock(mutex_);
    if (!writable_ || !open_directory(true))
      return;
    if (!write_entry(to_hex(key) + std::string(suffix), bytes)) {
      writable_ = false;
      note_problem(
          "cannot be written: " + error_text(errno) +
          "; kernels compiled now last for this process");
      return;
    }
    written_since_trim_ += bytes.size();
    // Listing the directory costs more than an entry: one write in 32 does it, or a large one.
    is_time_to_trim =
        std::to_integer<unsigned>(key[0]) % 32 == 0 || written_since_trim_ > options_.cap / 16;
  }
  if (is_time_to_trim)
    trim();
}

void DiskCache::trim() {
  const std::lock_guard lock(mutex_);
  if (!open_directory(false))
    return;
  written_since_trim_ = 0;
  std::vector<Entry> entries = list(directory_);
  const std::time_t now = ::time(nullptr);
  std::uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const Entry& entry : entries) {
    const bool is_left_behind =
        entry.is_temporary && now - entry.used.tv_sec > temporary_is_stale_after;
    if (is_left_behind || (!entry.is_temporary && total > options_.cap)) {
      ::unlinkat(directory_.number(), entry.name.c_str(), 0);
      total -= entry.bytes;
    }
  }
}

CacheInfo DiskCache::info() {
  const std::lock_guard lock(mutex_);
  CacheInfo info;
  const bool is_open = open_directory(false);
  info.directory = options_.directory;
  info.usable = usable_;
  info.problem = problem_;
  info.cap = options_.cap;
  if (is_open) {
    for (const Entry& entry : list(directory_)) {
      info.bytes += entry.bytes;
      ++info.files;
    }
  }
  return info;
}

std::size_t DiskCache::clear() {
  const std::lock_guard lock(mutex_);
  std::size_t removed = 0;
  if (open_directory(false)) {
    for (const Entry& entry : list(directory_))
      removed += ::unlinkat(directory_.number(), entry.name.c_str(), 0) == 0 ? 1 : 0;
  }
  return removed;
}

}  // namespace phalanx::jit
