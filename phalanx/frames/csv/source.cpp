#include "phalanx/frames/csv/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "phalanx/frames/csv_reader.h"

namespace phalanx::frames::csv {

char* Scratch::reserve(std::size_t size) {
  if (size + 2 * padding > size_) {
    memory_.reset();
    size_ = size + size / 4 + 2 * padding;
    memory_ = std::make_unique_for_overwrite<char[]>(size_);
    std::memset(memory_.get(), 0, padding);
  }
  char* const text = memory_.get() + padding;
  std::memset(text + size, 0, padding);
  return text;
}

namespace {

class MemorySource final : public Source {
 public:
  MemorySource(const char* text, std::size_t size)
      : text_(text), size_(static_cast<std::int64_t>(size)) {}

  std::int64_t size() const override { return size_; }
  void check() const override {}

  const char* fetch(std::int64_t first, std::int64_t last, Scratch& scratch) const override {
    constexpr auto around = static_cast<std::int64_t>(padding);
    if (first >= around && last + around <= size_)
      return text_ + first;
    char* const copy = scratch.reserve(static_cast<std::size_t>(last - first));
    read(first, last, copy);
    return copy;
  }

  void read(std::int64_t first, std::int64_t last, char* to) const override {
    if (last > first)
      std::memcpy(to, text_ + first, static_cast<std::size_t>(last - first));
  }

 private:
  const char* text_;
  std::int64_t size_;
};

// Reads by pread: unlike mapped pages, bytes that are cut off while they are read are an error
// that is told, and what has been read is no memory of the process.
class FileSource final : public Source {
 public:
  explicit FileSource(int descriptor) : descriptor_(descriptor), state_(state()) {
    if (!S_ISREG(state_.st_mode)) {
      close(descriptor_);
      throw SourceError("the input is no file that can be read in any order");
    }
    posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  ~FileSource() override { close(descriptor_); }

  std::int64_t size() const override { return state_.st_size; }

  void check() const override {
    const struct stat now = state();
    if (now.st_size != state_.st_size || now.st_mtim.tv_sec != state_.st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != state_.st_mtim.tv_nsec)
      throw SourceError("the file changed while it was read");
  }

  const char* fetch(std::int64_t first, std::int64_t last, Scratch& scratch) const override {
    char* const text = scratch.reserve(static_cast<std::size_t>(last - first));
    read(first, last, text);
    return text;
  }

  void read(std::int64_t first, std::int64_t last, char* to) const override {
    for (std::int64_t done = first; done < last;) {
      const ssize_t count =
          pread(descriptor_, to + (done - first), static_cast<std::size_t>(last - done), done);
      if (count > 0)
        done += count;
      else if (count == 0)
        throw SourceError("the file became shorter while it was read");
      else if (errno != EINTR)
        throw SourceError(std::string("the file cannot be read: ") + std::strerror(errno));
    }
  }

 private:
  struct stat state() const {
    struct stat now = {};
    if (fstat(descriptor_, &now) != 0)
      throw SourceError(std::string("the file cannot be read: ") + std::strerror(errno));
    return now;
  }

  int descriptor_;
  struct stat state_;
};

}  // namespace

std::shared_ptr<Source> source_of_memory(const char* text, std::size_t size) {
  return std::make_shared<MemorySource>(text, size);
}

std::shared_ptr<Source> source_of_descriptor(int descriptor) {
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0)
    throw SourceError(std::string("the file cannot be read: ") + std::strerror(errno));
  return std::make_shared<FileSource>(own);
}

}  // namespace phalanx::frames::csv
