// The machine code of one kernel: what is in memory, what a thread makes, what is to be made.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "phalanx/codegen/codegen.h"
#include "phalanx/jit/pending.h"
#include "phalanx/runtime/device.h"

namespace phalanx::jit {

// What a launch asks for.
struct CodeRequest {
  runtime::Device* device = nullptr;
  codegen::CpuVariant variant = {};           // without the block's extents
  std::array<std::uint32_t, 3> extents = {};  // of the blocks; 0 where any block will do
  unsigned axes = 0;           // with threads enough for the lanes: bit d for dimension d
  bool is_substitute = false;  // for any block, also where code for one size is better

  bool operator==(const CodeRequest&) const = default;
};

// Thread-safe. Its lock is held for a look at the rows only, never while code is made.
class CodeTable {
 public:
  struct Row;
  using Executable = std::shared_ptr<runtime::Executable>;

  // What a thread that asks for code gets: one of the three, or nothing.
  struct Answer {
    Executable executable = nullptr;       // it is in memory
    std::shared_ptr<Row> to_do = nullptr;  // the thread makes it, and calls publish or fail
    std::exception_ptr failure = nullptr;  // of a background thread; told once
    bool has_failed = false;               // there, also where it has been told
  };

  Executable find(const CodeRequest& wanted) const;
  // Waits for another thread that makes the code, or what may turn out to run the blocks as well.
  // What is left to a background thread, or failed there, is the caller's to do.
  Answer get(const CodeRequest& wanted);
  // Does not wait, and gives nothing where another thread makes the code or is to, or has failed.
  // The caller uses other code then, and changes() tells when to ask again.
  Answer get_or_substitute(const CodeRequest& wanted);

  // What has been asked for so far, also where it is not made yet.
  std::vector<CodeRequest> requests() const;

  // A background thread is to make the row, which was the caller's to do.
  void leave(Row& row);
  // True if that thread has to make it: nobody else has begun.
  bool take(Row& row);
  void publish(Row& row, Executable made);
  // With a failure that is told once the code is not made again in background; without one nothing
  // is kept of the row.
  void fail(Row& row, std::exception_ptr failure = nullptr);

  // True if code of this variant that is in memory is for blocks of one size.
  bool is_for_one_size(const CodeRequest& wanted) const;
  // Another number after code that get_or_substitute lacked was made, or could not be.
  std::uint64_t changes() const { return changes_.load(std::memory_order_relaxed); }

 private:
  Executable find_locked(const CodeRequest& wanted) const;
  std::shared_ptr<Row> row_locked(const CodeRequest& wanted) const;
  const Row* awaited_locked(const CodeRequest& wanted) const;
  bool is_for_one_size_locked(const CodeRequest& wanted) const;
  Answer begin_locked(const CodeRequest& wanted, std::shared_ptr<Row> row);
  void end_locked(Row& row);

  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Row>> rows_;
  std::atomic<std::uint64_t> changes_ = 0;
};

// Guarded by the table's lock, but for what is wanted.
struct CodeTable::Row {
  explicit Row(const CodeRequest& requested) : wanted(requested) {}

  const CodeRequest wanted;
  Executable executable = nullptr;       // once it is made
  Pending pending = {};                  // from when it is somebody's to do until it is made
  bool is_left = false;                  // meanwhile: to a background thread that has not begun
  bool has_failed = false;               // in a background thread
  std::exception_ptr failure = nullptr;  // until it is told
  bool has_substitute = false;           // launches use other code meanwhile
};

}  // namespace phalanx::jit
