#include "phalanx/jit/code_table.h"

#include <algorithm>
#include <utility>

namespace phalanx::jit {

namespace {

// True if code for blocks of some extents only, or of any where they are 0, runs a block.
bool can_run(
    const std::array<std::uint32_t, 3>& only, const std::array<std::uint32_t, 3>& extents) {
  return only[0] == 0 || only == extents;
}

// True if that code, once it is made, is what a launch asks for.
bool serves(const CodeTable::Row& row, const CodeRequest& wanted) {
  const CodeRequest& made = row.wanted;
  if (made.device != wanted.device || (made.is_substitute && !wanted.is_substitute))
    return false;
  const Entry& entry = row.executable->entry();
  if (entry.lane_axis)
    return made.axes == wanted.axes;
  return made.variant == wanted.variant && can_run(entry.block, wanted.extents);
}

bool is_same_variant(const CodeRequest& one, const CodeRequest& other) {
  return one.device == other.device && one.variant == other.variant;
}

}  // namespace

CodeTable::Executable CodeTable::find_locked(const CodeRequest& wanted) const {
  const auto known = std::ranges::find_if(
      rows_, [&](const auto& row) { return row->executable && serves(*row, wanted); });
  return known == rows_.end() ? nullptr : (*known)->executable;
}

std::shared_ptr<CodeTable::Row> CodeTable::row_locked(const CodeRequest& wanted) const {
  const auto known =
      std::ranges::find_if(rows_, [&](const auto& row) { return row->wanted == wanted; });
  return known == rows_.end() ? nullptr : *known;
}

bool CodeTable::is_for_one_size_locked(const CodeRequest& wanted) const {
  return std::ranges::any_of(rows_, [&](const auto& row) {
    return row->executable && is_same_variant(row->wanted, wanted) &&
           row->executable->entry().block[0] != 0;
  });
}

// Only the code itself tells if it is for one size of blocks: where none tells yet, what is made
// for another size may do.
const CodeTable::Row* CodeTable::awaited_locked(const CodeRequest& wanted) const {
  const bool may_serve_others = !is_for_one_size_locked(wanted);
  const auto known = std::ranges::find_if(rows_, [&](const auto& row) {
    if (row->executable || !row->pending.is_running() || row->is_left)
      return false;
    return row->wanted == wanted ||
           (may_serve_others && !row->wanted.is_substitute && is_same_variant(row->wanted, wanted));
  });
  return known == rows_.end() ? nullptr : known->get();
}

CodeTable::Answer CodeTable::begin_locked(const CodeRequest& wanted, std::shared_ptr<Row> row) {
  if (!row)
    row = rows_.emplace_back(std::make_shared<Row>(wanted));
  // Who waits for a row that was left goes on to.
  if (!row->pending.is_running())
    row->pending.start();
  row->is_left = false;
  row->has_failed = false;
  row->failure = nullptr;
  return {.to_do = std::move(row)};
}

std::vector<CodeRequest> CodeTable::requests() const {
  const std::lock_guard lock(mutex_);
  std::vector<CodeRequest> requests;
  requests.reserve(rows_.size());
  for (const auto& row : rows_) requests.push_back(row->wanted);
  return requests;
}

CodeTable::Executable CodeTable::find(const CodeRequest& wanted) const {
  const std::lock_guard lock(mutex_);
  return find_locked(wanted);
}

CodeTable::Answer CodeTable::get(const CodeRequest& wanted) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (auto known = find_locked(wanted))
      return {.executable = std::move(known)};
    const Row* const awaited = awaited_locked(wanted);
    if (awaited == nullptr)
      return begin_locked(wanted, row_locked(wanted));
    awaited->pending.wait(lock);
  }
}

CodeTable::Answer CodeTable::get_or_substitute(const CodeRequest& wanted) {
  const std::lock_guard lock(mutex_);
  if (auto known = find_locked(wanted))
    return {.executable = std::move(known)};
  const auto row = row_locked(wanted);
  if (row && row->has_failed)
    return {.failure = std::exchange(row->failure, nullptr), .has_failed = true};
  if (row && row->pending.is_running()) {
    row->has_substitute = !wanted.is_substitute;
    return {};
  }
  Answer answer = begin_locked(wanted, row);
  answer.to_do->has_substitute = !wanted.is_substitute;
  return answer;
}

void CodeTable::leave(Row& row) {
  const std::lock_guard lock(mutex_);
  row.is_left = true;
}

bool CodeTable::take(Row& row) {
  const std::lock_guard lock(mutex_);
  return std::exchange(row.is_left, false);
}

void CodeTable::end_locked(Row& row) {
  row.pending.finish();
  if (std::exchange(row.has_substitute, false))
    changes_.fetch_add(1, std::memory_order_relaxed);
}

void CodeTable::publish(Row& row, Executable made) {
  const std::lock_guard lock(mutex_);
  row.executable = std::move(made);
  end_locked(row);
}

void CodeTable::fail(Row& row, std::exception_ptr failure) {
  std::shared_ptr<Row> dropped;  // without the lock
  const std::lock_guard lock(mutex_);
  end_locked(row);
  if (failure) {
    row.has_failed = true;
    row.failure = std::move(failure);
    return;
  }
  const auto known = std::ranges::find_if(rows_, [&](const auto& each) { return &*each == &row; });
  dropped = std::move(*known);
  rows_.erase(known);
}

bool CodeTable::is_for_one_size(const CodeRequest& wanted) const {
  const std::lock_guard lock(mutex_);
  return is_for_one_size_locked(wanted);
}

}  // namespace phalanx::jit
