// The last kernels that ran, and which memory they read and wrote.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "phalanx/arrays/kernel_record.h"
#include "phalanx/arrays/kernel_table.h"

namespace phalanx::arrays {

// Cheap to write to, as every launch does; guarded by the graph's lock.
class KernelLog {
 public:
  static constexpr std::size_t capacity = 256;

  // Memory that may be gone: two that are equal are, or were, the same.
  class MemoryName {
   public:
    explicit MemoryName(const std::shared_ptr<views::SharedMemory>& memory) : memory_(memory) {}
    bool operator==(const MemoryName& other) const {
      return !memory_.owner_before(other.memory_) && !other.memory_.owner_before(memory_);
    }

    const void* address() const { return memory_.lock().get(); }  // null: it is gone

   private:
    std::weak_ptr<views::SharedMemory> memory_;
  };

  // A kernel, or a routine, which has a name alone.
  struct Entry {
    std::shared_ptr<ProgramKernel> kernel;
    std::string routine;
    Reason why = Reason::wanted;
    runtime::Device* device = nullptr;
    DType dtype = DType::boolean;
    DType computed = DType::boolean;  // for each element; a reduction of that may be wider
    Strides shape;
    Work work;
    std::int64_t bytes_written = 0;
    double seconds = 0;
    ChunkCounts in_chunks;
    Placed placed;
    std::vector<MemoryName> outputs;
    struct Input {
      MemoryName memory;
      DType dtype;
      Strides shape;
    };
    std::vector<Input> inputs;
  };

  void add(
      std::shared_ptr<ProgramKernel> kernel,
      const Program& program,
      std::span<const views::DeviceArray> outputs,
      Reason why);
  // The same; what it reads is told by add_input().
  void add(
      std::shared_ptr<ProgramKernel> kernel,
      const Work& work,
      const views::DeviceArray& output,
      Reason why);
  void add_input(const views::DeviceArray& array) {
    add_input(entries_[(count_ - 1) % capacity], array);
  }
  void add_routine(
      const Routine& routine,
      std::span<const views::DeviceArray> inputs,
      const views::DeviceArray& output,
      Reason why);

  std::uint64_t count() const { return count_; }  // of all that were added
  const Entry& last() const { return entries_[(count_ - 1) % capacity]; }

  // How the one that was added last ran.
  void set_chunks(const ChunkCounts& counts) {
    entries_[(count_ - 1) % capacity].in_chunks = counts;
  }
  void set_placed(const Placed& placed) { entries_[(count_ - 1) % capacity].placed = placed; }
  // How long the one that was added last took.
  void set_seconds(double seconds) { entries_[(count_ - 1) % capacity].seconds = seconds; }

  // Adds the kernel that wrote the memory last, or those that wrote it part by part, after those
  // that wrote what they read. Gives the record's number, of parts the last one's; nothing where no
  // kernel is known.
  std::optional<std::size_t> trace(
      const MemoryName& memory, std::vector<KernelRecord>& records) const;

 private:
  // Records by the numbers of their entries.
  using Traced = std::vector<std::pair<std::uint64_t, std::size_t>>;

  Entry& next(std::span<const views::DeviceArray> outputs, Reason why);
  void add_input(Entry& entry, const views::DeviceArray& array);
  std::vector<std::uint64_t> writers_before(std::uint64_t end, const MemoryName& memory) const;
  std::optional<std::size_t> trace_before(
      std::uint64_t end,
      const MemoryName& memory,
      Traced& traced,
      std::vector<KernelRecord>& records) const;
  std::size_t trace_entry(
      std::uint64_t number, Traced& traced, std::vector<KernelRecord>& records) const;

  std::vector<Entry> entries_;  // a ring
  std::uint64_t count_ = 0;     // of all kernels so far
};

}  // namespace phalanx::arrays
