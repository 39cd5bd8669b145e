// Writes down what the engine does while a profile is taken: docs/decisions/0090.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/runtime/profile_flag.h"
#include "phalanx/runtime/profile_record.h"

namespace phalanx::runtime {

class Device;
class Executable;
class RangeSink;

// The records of one thread: the newest ones, where there are more than fit.
class ProfileLog {
 public:
  static constexpr std::size_t most_records = std::size_t{1} << 18;  // 32 MiB

  explicit ProfileLog(std::uint32_t thread) : thread_(thread) {}

  void add(const ProfileRecord& record);
  std::vector<ProfileRecord> records() const;  // in the order they ended
  std::uint64_t lost() const;                  // older ones, which others have replaced
  std::uint32_t thread() const { return thread_; }

  // For its own thread alone.
  std::uint32_t next_id() { return ++ids_; }
  ProfileParent parent;          // the record that is open
  std::uint32_t scope_site = 0;  // the line of the open scope: records within it have it, too

 private:
  static constexpr std::size_t chunk_records = 1024;
  using Chunk = std::vector<ProfileRecord>;

  std::uint32_t thread_;
  std::uint32_t ids_ = 0;
  mutable std::mutex mutex_;  // against who reads the records
  std::vector<Chunk> chunks_;
  std::uint64_t count_ = 0;
};

// Who knows times of work that runs beside the host: writes them to their slots.
class ProfileClock {
 public:
  ProfileClock() = default;
  virtual ~ProfileClock() = default;
  ProfileClock(const ProfileClock&) = delete;
  ProfileClock& operator=(const ProfileClock&) = delete;

  virtual void finish() noexcept = 0;  // waits for the work that it has begun to time
};

class PHX_API Profiler {
 public:
  struct ThreadRecords {
    std::uint32_t thread = 0;
    std::uint64_t lost = 0;
    std::vector<ProfileRecord> records;
  };
  // Finds the line of the caller's program that runs on this thread; 0: not known.
  using Locate = std::uint32_t (*)();
  // "script.py:12" for a line that was found so; empty for one that is not known.
  using Describe = std::string (*)(std::uint32_t site);

  static Profiler& instance();

  void set_locate(Locate locate) { locate_.store(locate); }
  std::uint32_t site() const;

  // Another profiler is told of ranges from now on; `sink` lives as long as the process.
  void give_ranges(RangeSink& sink, Describe describe);
  void push_range(ProfileKind kind, std::string_view text, std::uint32_t site) const;
  void pop_range() const noexcept;

  // Calls nest. The outermost start forgets all records, the outermost stop the executables.
  void start();
  void stop();
  // Changes with each outermost start.
  std::uint32_t session() const { return session_.load(std::memory_order_relaxed); }
  // All so far; waits for devices that have work to time.
  std::vector<ThreadRecords> take();

  ProfileLog& log();  // of this thread
  std::uint32_t number_of(std::string_view text);
  std::uint32_t number_of(Executable& executable);
  std::vector<std::string> texts() const;
  std::vector<std::shared_ptr<Executable>> executables() const;  // from number 1 on

  std::uint32_t make_slot();
  void set_slot(std::uint32_t slot, std::int64_t start, std::int64_t end);
  void add_clock(std::weak_ptr<ProfileClock> clock);

 private:
  struct Times {
    std::int64_t start = 0;
    std::int64_t end = 0;
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  void forget_locked();
  std::uint32_t number_in_table(Executable& executable);

  std::atomic<Locate> locate_ = nullptr;
  std::atomic<RangeSink*> ranges_ = nullptr;
  std::atomic<Describe> describe_ = nullptr;
  std::atomic<std::uint32_t> session_ = 0;
  mutable std::mutex mutex_;  // of the rest
  int starts_ = 0;
  std::uint32_t threads_ = 0;
  std::vector<std::shared_ptr<ProfileLog>> logs_;
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> text_numbers_;
  std::vector<std::string> texts_;
  std::unordered_map<const Executable*, std::uint32_t> executable_numbers_;
  std::vector<std::shared_ptr<Executable>> executables_;  // kept: an address has one meaning
  std::vector<Times> slots_;                              // from number 1 on
  std::vector<std::weak_ptr<ProfileClock>> clocks_;
};

// Nanoseconds of the steady clock.
PHX_API std::int64_t profile_time();

// Of some of the bytes, so that the same data is known again: it costs about a microsecond.
PHX_API std::uint64_t profile_sample(const void* host, std::size_t bytes) noexcept;

// While one lives, the thread does what its record tells: a record of a profile, a range for
// another profiler. Where there is neither it is a branch.
class PHX_API ProfileSpan {
 public:
  explicit ProfileSpan(ProfileKind kind) {
    if (is_profiling()) [[unlikely]]
      begin(kind);
  }
  ProfileSpan(ProfileKind kind, const Device& device) : ProfileSpan(kind) {
    if (is_on()) [[unlikely]]
      set_device(device);
  }
  ~ProfileSpan() {
    if (log_ != nullptr) [[unlikely]]
      end();
  }
  ProfileSpan(const ProfileSpan&) = delete;
  ProfileSpan& operator=(const ProfileSpan&) = delete;

  bool is_on() const { return log_ != nullptr; }
  bool is_recorded() const { return is_recorded_; }
  ProfileRecord& record() { return *record_; }  // where it is on

  // `action`: what is done with what has that name, for the range.
  void set_name(std::string_view name, std::string_view action = {});
  // The code that is launched or called.
  void set_executable(Executable& executable);
  void set_device(const Device& device);
  // The host's side of a copy.
  void set_host(const void* host, std::size_t bytes) {
    record_->address = reinterpret_cast<std::uintptr_t>(host);
    record_->operations = profile_sample(host, bytes);
  }
  // Leaves nothing behind.
  void drop() noexcept;

 private:
  void begin(ProfileKind kind);
  void push_range(std::string_view text);
  void pop_range() noexcept;
  void end() noexcept;

  ProfileLog* log_ = nullptr;
  std::shared_ptr<ProfileLog> kept_;
  std::optional<ProfileRecord> record_;
  std::uint32_t scope_site_before_ = 0;
  int thrown_before_ = 0;
  bool is_recorded_ = false;
  bool has_range_ = false;  // there is somebody to be told of it
  bool is_pushed_ = false;
};

// The record that is open on a thread, for others that work for it.
struct ProfilePlace {
  std::uint32_t session = 0;
  ProfileParent parent;

  PHX_API static ProfilePlace here();
};

// While one lives, what the thread does lies within a record of another's.
class PHX_API ProfileWithin {
 public:
  explicit ProfileWithin(const ProfilePlace& place);
  ~ProfileWithin();
  ProfileWithin(const ProfileWithin&) = delete;
  ProfileWithin& operator=(const ProfileWithin&) = delete;

 private:
  std::shared_ptr<ProfileLog> log_;  // none where the profile is another, or there is none
  ProfileParent before_;
};

// Memory that came or went, at this moment.
PHX_API void profile_memory(
    ProfileKind kind, const Device& device, std::uint64_t address, std::size_t bytes);

// What the next launches of this thread read and write, as their arguments say.
class PHX_API ProfileWork {
 public:
  ProfileWork(std::uint64_t bytes_read, std::uint64_t bytes_written);
  ~ProfileWork();
  ProfileWork(const ProfileWork&) = delete;
  ProfileWork& operator=(const ProfileWork&) = delete;

  static void add_to(ProfileRecord& record);

 private:
  std::uint64_t before_[2];
};

}  // namespace phalanx::runtime
