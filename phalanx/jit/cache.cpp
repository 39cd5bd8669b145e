#include "phalanx/jit/cache.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "phalanx/jit/binary_format.h"
#include "phalanx/jit/cache_folder.h"

namespace phalanx::jit {

namespace {

constexpr std::time_t use_is_noted_after = 3600;  // seconds; saves a write on each hit
constexpr std::time_t temporary_is_stale_after = 3600;

std::string error_text(int error) { return std::strerror(error); }

// mkdir -p; new directories are for the user alone, as the XDG specification asks.
bool make_directories(const std::string& path) {
  for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
    ::mkdir(path.substr(0, at).c_str(), 0700);
  return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST;
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
    : options_(std::move(options)),
      warn_(std::move(warn)),
      usable_(options_.enabled),
      layers_(options_.enabled ? options_.layers : std::vector<std::string>{}, warn_) {
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
  if (const std::string reason = distrust(opened, TrustedOwner::user); !reason.empty()) {
    give_up(reason);
    return false;
  }
  // All further access goes through this descriptor: what was checked is what is used.
  directory_ = std::move(opened);
  return true;
}

std::optional<Binary> DiskCache::find(const Digest& key) {
  const std::lock_guard lock(mutex_);
  auto own = find_own(key);
  return own ? std::move(own) : layers_.find(key);
}

std::optional<Binary> DiskCache::find_own(const Digest& key) {
  if (!open_directory(false))
    return std::nullopt;
  const OpenedEntry entry = open_entry(directory_, key);
  if (!entry.file.is_open())
    return std::nullopt;
  auto binary = read_entry(entry, key);
  if (!binary)
    ::unlinkat(directory_.number(), entry_name(key).c_str(), 0);
  else if (::time(nullptr) - entry.used > use_is_noted_after)
    ::futimens(entry.file.number(), nullptr);  // fails where read-only; then age counts
  return binary;
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
    if (!write_entry(entry_name(key), bytes)) {
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
  std::vector<CacheEntry> entries = list_entries(directory_);
  const std::time_t now = ::time(nullptr);
  std::uint64_t total = 0;
  for (const CacheEntry& entry : entries) total += entry.bytes;
  std::ranges::sort(entries, [](const CacheEntry& a, const CacheEntry& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const CacheEntry& entry : entries) {
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
  info.layers = layers_.info();
  if (is_open) {
    for (const CacheEntry& entry : list_entries(directory_)) {
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
    for (const CacheEntry& entry : list_entries(directory_))
      removed += ::unlinkat(directory_.number(), entry.name.c_str(), 0) == 0 ? 1 : 0;
  }
  return removed;
}

}  // namespace phalanx::jit
