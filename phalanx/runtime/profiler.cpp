#include "phalanx/runtime/profiler.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <utility>

#include "phalanx/runtime/device.h"
#include "phalanx/runtime/executable.h"
#include "phalanx/runtime/range_sink.h"

namespace phalanx::runtime {

namespace {

struct ThreadState {
  std::shared_ptr<ProfileLog> log;
  std::uint32_t session = 0;               // that the log and the executable are of
  const Executable* executable = nullptr;  // the last one, and its number
  std::uint32_t executable_number = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
};

// Asked for while a profile is taken alone. Allocated: threads have little room (decision 0049).
ThreadState& this_thread() {
  thread_local const auto state = std::make_unique<ThreadState>();
  return *state;
}

std::int8_t number_of(const Device& device) {
  return static_cast<std::int8_t>(device.is_host() ? -1 - device.ordinal() : device.ordinal());
}

}  // namespace

std::int64_t profile_time() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// FNV-1a, by words: Fowler, Noll, Vo, http://www.isthe.com/chongo/tech/comp/fnv.
std::uint64_t profile_sample(const void* host, std::size_t bytes) noexcept {
  constexpr std::size_t words = 32;
  constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t sum = 0xcbf29ce484222325;
  const auto* const data = static_cast<const std::byte*>(host);
  for (std::size_t i = 0; i < words && bytes != 0; ++i) {
    std::uint64_t word = 0;
    const std::size_t size = std::min(sizeof(word), bytes);
    std::memcpy(&word, data + (bytes - size) * i / (words - 1), size);
    sum = (sum ^ word) * prime;
  }
  return sum == 0 ? 1 : sum;  // 0 is none
}

void ProfileLog::add(const ProfileRecord& record) {
  const std::lock_guard lock(mutex_);
  const std::size_t place = count_++ % most_records;
  const std::size_t chunk = place / chunk_records;
  if (chunk == chunks_.size()) {
    chunks_.emplace_back();
    chunks_.back().reserve(chunk_records);
  }
  Chunk& records = chunks_[chunk];
  if (const std::size_t i = place % chunk_records; i < records.size())
    records[i] = record;
  else
    records.push_back(record);
}

std::vector<ProfileRecord> ProfileLog::records() const {
  std::vector<ProfileRecord> all;
  const std::lock_guard lock(mutex_);
  for (const Chunk& chunk : chunks_) all.insert(all.end(), chunk.begin(), chunk.end());
  if (count_ > most_records)
    std::ranges::rotate(all, all.begin() + static_cast<std::ptrdiff_t>(count_ % most_records));
  return all;
}

std::uint64_t ProfileLog::lost() const {
  const std::lock_guard lock(mutex_);
  return count_ > most_records ? count_ - most_records : 0;
}

// A forked child records nothing: another thread may have had a lock when it was made.
Profiler& Profiler::instance() {
  static auto* const made = [] {
    pthread_atfork(nullptr, nullptr, [] { profiling_flag = 0; });
    return new Profiler;  // threads may record while the process ends
  }();
  return *made;
}

std::uint32_t Profiler::site() const {
  const Locate locate = locate_.load();
  return locate == nullptr ? 0 : locate();
}

void Profiler::give_ranges(RangeSink& sink, Describe describe) {
  describe_ = describe;
  ranges_ = &sink;
  profiling_flag |= profile_ranges;
}

void Profiler::push_range(ProfileKind kind, std::string_view text, std::uint32_t site) const {
  std::string message(text);
  if (const std::string line = site == 0 ? "" : describe_.load()(site); !line.empty())
    message += " (" + line + ")";
  ranges_.load()->push(kind, message);
}

void Profiler::pop_range() const noexcept { ranges_.load()->pop(); }

void Profiler::forget_locked() {
  logs_.clear();
  text_numbers_.clear();
  texts_.clear();
  executable_numbers_.clear();
  slots_.clear();
  threads_ = 0;
  session_.fetch_add(1);
}

void Profiler::start() {
  std::vector<std::shared_ptr<Executable>> dropped;  // after the lock
  const std::lock_guard lock(mutex_);
  if (starts_++ == 0) {
    forget_locked();
    dropped.swap(executables_);  // of launches that were under way when the last profile stopped
  }
  profiling_flag |= profile_records;
}

// Code is not kept longer than for its profile.
void Profiler::stop() {
  std::vector<std::shared_ptr<Executable>> dropped;  // after the lock
  const std::lock_guard lock(mutex_);
  if (starts_ == 0 || --starts_ != 0)
    return;
  profiling_flag &= ~profile_records;
  dropped.swap(executables_);
  executable_numbers_.clear();
}

std::vector<Profiler::ThreadRecords> Profiler::take() {
  std::vector<std::shared_ptr<ProfileLog>> logs;
  std::vector<std::weak_ptr<ProfileClock>> clocks;
  {
    const std::lock_guard lock(mutex_);
    logs = logs_;
    clocks = clocks_;
  }
  for (const auto& each : clocks) {
    if (const auto clock = each.lock())
      clock->finish();
  }
  std::vector<ThreadRecords> taken;
  for (const auto& log : logs)
    taken.push_back({.thread = log->thread(), .lost = log->lost(), .records = log->records()});
  const std::lock_guard lock(mutex_);
  for (ThreadRecords& thread : taken) {
    for (ProfileRecord& record : thread.records) {
      if (record.slot == 0 || record.slot > slots_.size())
        continue;
      const Times& times = slots_[record.slot - 1];
      record.device_start = times.start;
      record.device_end = times.end;
    }
  }
  return taken;
}

ProfileLog& Profiler::log() {
  ThreadState& state = this_thread();
  if (state.log == nullptr || state.session != session()) {
    const std::lock_guard lock(mutex_);
    state.session = session();
    state.executable = nullptr;
    state.log = std::make_shared<ProfileLog>(++threads_);
    logs_.push_back(state.log);
  }
  return *state.log;
}

std::uint32_t Profiler::number_of(std::string_view text) {
  if (text.empty())
    return 0;
  const std::lock_guard lock(mutex_);
  if (const auto found = text_numbers_.find(text); found != text_numbers_.end())
    return found->second;
  texts_.emplace_back(text);
  const auto number = static_cast<std::uint32_t>(texts_.size());
  text_numbers_.emplace(text, number);
  return number;
}

// Most launches are of the same kernel as the thread's last one.
std::uint32_t Profiler::number_of(Executable& executable) {
  ThreadState& state = this_thread();
  if (state.executable != &executable || state.session != session()) {
    state.executable_number = number_in_table(executable);
    state.executable = &executable;
  }
  return state.executable_number;
}

std::uint32_t Profiler::number_in_table(Executable& executable) {
  const std::lock_guard lock(mutex_);
  const auto [row, is_new] = executable_numbers_.try_emplace(&executable, 0);
  if (is_new) {
    executables_.push_back(executable.shared_from_this());
    row->second = static_cast<std::uint32_t>(executables_.size());
  }
  return row->second;
}

std::vector<std::string> Profiler::texts() const {
  const std::lock_guard lock(mutex_);
  return texts_;
}

std::vector<std::shared_ptr<Executable>> Profiler::executables() const {
  const std::lock_guard lock(mutex_);
  return executables_;
}

std::uint32_t Profiler::make_slot() {
  const std::lock_guard lock(mutex_);
  slots_.emplace_back();
  return static_cast<std::uint32_t>(slots_.size());
}

void Profiler::set_slot(std::uint32_t slot, std::int64_t start, std::int64_t end) {
  const std::lock_guard lock(mutex_);
  if (slot != 0 && slot <= slots_.size())
    slots_[slot - 1] = {.start = start, .end = end};
}

void Profiler::add_clock(std::weak_ptr<ProfileClock> clock) {
  const std::lock_guard lock(mutex_);
  std::erase_if(clocks_, [](const auto& each) { return each.expired(); });
  clocks_.push_back(std::move(clock));
}

void ProfileSpan::begin(ProfileKind kind) {
  is_recorded_ = takes_records();
  has_range_ = gives_ranges() && is_range(kind);
  if (!is_recorded_ && !has_range_)
    return;
  Profiler& profiler = Profiler::instance();
  log_ = &profiler.log();
  kept_ = this_thread().log;  // a profile that starts meanwhile has logs of its own
  ProfileRecord& record = record_.emplace();
  record.kind = kind;
  record.id = log_->next_id();
  record.parent =
      std::exchange(log_->parent, ProfileParent{.thread = log_->thread(), .id = record.id});
  record.site = log_->scope_site != 0 ? log_->scope_site : profiler.site();
  scope_site_before_ = log_->scope_site;
  if (kind == ProfileKind::scope)
    log_->scope_site = record.site;
  thrown_before_ = std::uncaught_exceptions();
  // What these are of is known in the end only.
  if (kind == ProfileKind::expression || kind == ProfileKind::graph)
    push_range(profile_kind_names.at(static_cast<std::size_t>(kind)));
  record.start = profile_time();
}

void ProfileSpan::push_range(std::string_view text) {
  if (!has_range_ || is_pushed_)
    return;
  Profiler::instance().push_range(record_->kind, text, record_->site);
  is_pushed_ = true;
}

void ProfileSpan::pop_range() noexcept {
  if (std::exchange(is_pushed_, false))
    Profiler::instance().pop_range();
}

void ProfileSpan::end() noexcept {
  record_->end = profile_time();
  if (std::uncaught_exceptions() > thrown_before_)
    record_->set(ProfileFlag::failed);
  try {
    if (is_recorded_)
      log_->add(*record_);
  } catch (const std::bad_alloc&) {  // one record less
  }
  drop();  // the span alone: the record is in the log
}

void ProfileSpan::drop() noexcept {
  if (log_ == nullptr)
    return;
  pop_range();
  log_->parent = record_->parent;
  log_->scope_site = scope_site_before_;
  log_ = nullptr;
}

void ProfileSpan::set_name(std::string_view name, std::string_view action) {
  if (is_recorded_)
    record_->name = Profiler::instance().number_of(name);
  push_range(action.empty() ? std::string(name) : std::string(action) + " " + std::string(name));
}

// Only a profile keeps code.
void ProfileSpan::set_executable(Executable& executable) {
  if (is_recorded_)
    record_->detail = Profiler::instance().number_of(executable);
  push_range(executable.name());
}

void ProfileSpan::set_device(const Device& device) { record_->device = runtime::number_of(device); }

ProfilePlace ProfilePlace::here() {
  if (!is_profiling())
    return {};
  Profiler& profiler = Profiler::instance();
  return {.session = profiler.session(), .parent = profiler.log().parent};
}

ProfileWithin::ProfileWithin(const ProfilePlace& place) {
  Profiler& profiler = Profiler::instance();
  if (place.parent.id == 0 || !is_profiling() || place.session != profiler.session())
    return;
  before_ = std::exchange(profiler.log().parent, place.parent);
  log_ = this_thread().log;
}

ProfileWithin::~ProfileWithin() {
  if (log_ != nullptr)
    log_->parent = before_;
}

void profile_memory(
    ProfileKind kind, const Device& device, std::uint64_t address, std::size_t bytes) {
  ProfileSpan span(kind, device);
  if (!span.is_on())
    return;
  span.record().address = address;
  span.record().bytes_read = bytes;
}

ProfileWork::ProfileWork(std::uint64_t bytes_read, std::uint64_t bytes_written)
    : before_{this_thread().bytes_read, this_thread().bytes_written} {
  this_thread().bytes_read = bytes_read;
  this_thread().bytes_written = bytes_written;
}

ProfileWork::~ProfileWork() {
  this_thread().bytes_read = before_[0];
  this_thread().bytes_written = before_[1];
}

void ProfileWork::add_to(ProfileRecord& record) {
  record.bytes_read = this_thread().bytes_read;
  record.bytes_written = this_thread().bytes_written;
}

}  // namespace phalanx::runtime
