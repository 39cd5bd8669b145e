// Rows in pieces that threads take in turn; each knows its place when those before are formatted.
#include <unistd.h>
#include <cerrno>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "phalanx/frames/csv_writer.h"
#include "phalanx/frames/parts.h"

namespace phalanx::frames::csv {
namespace {

constexpr std::int64_t piece_bytes = 256 << 10;  // stays in the second cache

void write_all(int descriptor, const Text& text, std::int64_t offset) {
  std::size_t done = 0;
  while (done < text.size()) {
    const char* const from = text.data() + done;
    const std::size_t left = text.size() - done;
    const ssize_t written =
        offset < 0 ? ::write(descriptor, from, left)
                   : ::pwrite(descriptor, from, left, offset + static_cast<off_t>(done));
    if (written < 0) {
      if (errno == EINTR)
        continue;
      throw WriteError(errno);
    }
    done += static_cast<std::size_t>(written);
  }
}

// The order of pieces: whose turn it is, and where its text begins.
class Turns {
 public:
  explicit Turns(std::int64_t offset) : offset_(offset) {}

  // False where a piece before has failed.
  bool wait(std::int64_t piece) {
    for (std::int64_t seen = turn_; seen != piece; seen = turn_) {
      if (seen < 0)
        return false;
      turn_.wait(seen);
    }
    return true;
  }
  void pass(std::int64_t piece) {
    turn_ = piece + 1;
    turn_.notify_all();
  }
  void fail() {
    turn_ = -1;
    turn_.notify_all();
  }
  std::int64_t& offset() { return offset_; }  // of the piece whose turn it is

 private:
  std::atomic<std::int64_t> turn_{0};
  std::int64_t offset_;
};

}  // namespace

std::vector<Text> Writer::text(
    runtime::Runtime& runtime, std::int64_t first, std::int64_t last) const {
  const std::int64_t step = rows_of_bytes(piece_bytes);
  const std::int64_t count = (last - first + step - 1) / step;
  std::vector<Text> pieces(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
  for_each_task(runtime, std::ssize(pieces), [&](std::int64_t i) {
    const std::int64_t begin = first + i * step;
    append_rows(pieces[static_cast<std::size_t>(i)], begin, std::min(begin + step, last));
  });
  return pieces;
}

std::int64_t Writer::write(
    runtime::Runtime& runtime,
    int descriptor,
    std::int64_t offset,
    std::int64_t first,
    std::int64_t last) const {
  const std::int64_t step = rows_of_bytes(piece_bytes);
  const std::int64_t count = (last - first + step - 1) / step;
  const bool has_place = offset >= 0;
  Turns turns(std::max<std::int64_t>(offset, 0));
  std::atomic<std::int64_t> next{0};
  const auto work = [&] {
    Text text;
    for (std::int64_t piece = next++; piece < count; piece = next++) {
      text.cut(0);
      const std::int64_t begin = first + piece * step;
      append_rows(text, begin, std::min(begin + step, last));
      if (!turns.wait(piece))
        return;
      const std::int64_t place = turns.offset();
      turns.offset() += static_cast<std::int64_t>(text.size());
      if (!has_place)
        write_all(descriptor, text, -1);
      turns.pass(piece);
      if (has_place)
        write_all(descriptor, text, place);
    }
  };
  const std::int64_t threads = std::min(usable_threads(runtime), std::max<std::int64_t>(count, 1));
  for_each_task(runtime, threads, [&](std::int64_t) {
    try {
      work();
    } catch (...) {
      turns.fail();
      throw;
    }
  });
  return turns.offset();
}

}  // namespace phalanx::frames::csv
