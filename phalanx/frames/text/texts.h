// The rows of a column of texts, and texts written row by row on all threads.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "phalanx/frames/parts.h"
#include "phalanx/frames/text.h"

namespace phalanx::frames::text {

// A column of texts.
class Texts {
 public:
  explicit Texts(const Key& key)
      : offsets_(key.offsets),
        bytes_(key.bytes == nullptr ? "" : key.bytes),
        valid_(key.column.valid),
        rows_(key.column.rows) {}

  std::int64_t rows() const { return rows_; }
  bool is_missing(std::int64_t row) const { return valid_ != nullptr && valid_[row] == 0; }
  std::string_view operator[](std::int64_t row) const {
    return {bytes_ + offsets_[row], static_cast<std::size_t>(offsets_[row + 1] - offsets_[row])};
  }
  // Sets what was computed of missing rows of [first, last) to 0.
  template <typename T>
  void clear_missing(std::int64_t first, std::int64_t last, T* made) const {
    if (valid_ != nullptr)
      for (std::int64_t row = first; row < last; ++row)
        made[row] = valid_[row] != 0 ? made[row] : 0;
  }
  const std::int64_t* offsets() const { return offsets_; }
  const char* bytes() const { return bytes_; }
  const char* end() const { return bytes_ + offsets_[rows_]; }

 private:
  const std::int64_t* offsets_;
  const char* bytes_;
  const std::uint8_t* valid_;
  std::int64_t rows_;
};

// Bytes that one thread writes.
class Appender {
 public:
  Appender(runtime::Runtime& runtime, std::int64_t capacity)
      : runtime_(&runtime), buffer_(runtime, capacity) {}

  std::int64_t size() const { return size_; }
  const char* data() const { return buffer_.data(); }

  // Room for so many bytes, which `advance` then counts.
  char* reserve(std::int64_t count) {
    if (size_ + count > buffer_.size())
      grow(count);
    return buffer_.data() + size_;
  }
  void advance(std::int64_t count) { size_ += count; }

  void append(std::string_view text) {
    const auto count = static_cast<std::int64_t>(text.size());
    char* const to = reserve(count);
    if (count != 0)
      std::memcpy(to, text.data(), text.size());
    size_ += count;
  }
  void append(std::string_view text, std::int64_t times) {
    for (; times > 0; --times) append(text);
  }

 private:
  void grow(std::int64_t count) {
    Memory<char> larger(*runtime_, std::max(2 * buffer_.size(), size_ + count));
    if (size_ != 0)
      std::memcpy(larger.data(), buffer_.data(), static_cast<std::size_t>(size_));
    buffer_ = std::move(larger);
  }

  runtime::Runtime* runtime_;
  Memory<char> buffer_;
  std::int64_t size_ = 0;
};

// What the threads have written, one part's after another's. `offsets` has sizes at first.
WrittenTexts gather(
    runtime::Runtime& runtime,
    const Parts& parts,
    const std::vector<Appender>& written,
    Memory<std::int64_t> offsets);

// Calls `run(for_each_row)` for each part of the rows, and that calls its `write(row, appender)`
// for each row of the part; false leaves the row out, and what it wrote is dropped. `bytes`: of all
// rows, about.
template <typename Run>
WrittenTexts write_parts(
    runtime::Runtime& runtime, std::int64_t rows, std::int64_t bytes, const Run& run) {
  const Parts parts(runtime, rows, 4);
  Memory<std::int64_t> offsets(runtime, rows + 1);
  std::vector<Appender> written;
  written.reserve(static_cast<std::size_t>(parts.count()));
  std::vector<std::vector<std::int64_t>> left_out(static_cast<std::size_t>(parts.count()));
  for (std::int64_t part = 0; part < parts.count(); ++part)
    written.emplace_back(runtime, bytes / parts.count() + bytes / parts.count() / 8 + 64);
  for_each_task(runtime, parts.count(), [&](std::int64_t part) {
    Appender& appender = written[static_cast<std::size_t>(part)];
    run([&](const auto& write) {
      for (std::int64_t row = parts.begin(part); row < parts.end(part); ++row) {
        const std::int64_t before = appender.size();
        if (!write(row, appender)) {
          appender.advance(before - appender.size());
          left_out[static_cast<std::size_t>(part)].push_back(row);
        }
        offsets[row + 1] = appender.size() - before;
      }
    });
  });
  WrittenTexts made = gather(runtime, parts, written, std::move(offsets));
  for (const std::vector<std::int64_t>& each : left_out)
    made.left_out.insert(made.left_out.end(), each.begin(), each.end());
  return made;
}

// The same where threads keep nothing between rows.
template <typename Write>
WrittenTexts write_texts(
    runtime::Runtime& runtime, std::int64_t rows, std::int64_t bytes, const Write& write) {
  return write_parts(runtime, rows, bytes, [&](const auto& for_each_row) { for_each_row(write); });
}

// Bytes of all texts of a column.
inline std::int64_t bytes_of(const Texts& texts) {
  return texts.offsets()[texts.rows()] - texts.offsets()[0];
}

// Calls `write(text, appender)` for each row that is not missing.
template <typename Write>
WrittenTexts write_each(runtime::Runtime& runtime, const Texts& texts, const Write& write) {
  return write_texts(
      runtime, texts.rows(), bytes_of(texts), [&](std::int64_t row, Appender& appender) {
        return texts.is_missing(row) || write(texts[row], appender);
      });
}

// Calls `compute(text)` for each row that is not missing; the others have 0.
template <typename T, typename Compute>
Memory<T> compute_each(runtime::Runtime& runtime, const Texts& texts, const Compute& compute) {
  Memory<T> made(runtime, texts.rows());
  for_ranges(runtime, texts.rows(), [&](std::int64_t row, std::int64_t last) {
    for (; row < last; ++row) made[row] = texts.is_missing(row) ? T{} : T(compute(texts[row]));
  });
  return made;
}

}  // namespace phalanx::frames::text
