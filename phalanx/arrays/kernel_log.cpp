#include "phalanx/arrays/kernel_log.h"

#include <algorithm>
#include <utility>

namespace phalanx::arrays {
namespace {

Extents extents_of(const Strides& shape) { return {shape.begin(), shape.end()}; }

DType computed_by(const Program& program) {
  const Step& result = program.steps[program.results.front()];
  return result.kind == StepKind::fold ? program.steps[result.operands.front()].dtype
                                       : result.dtype;
}

}  // namespace

KernelLog::Entry& KernelLog::next(std::span<const views::DeviceArray> outputs, Reason why) {
  if (entries_.empty())
    entries_.resize(capacity);
  Entry& entry = entries_[count_++ % capacity];
  const views::DeviceArray& first = outputs.front();
  entry.why = why;
  entry.device = first.device;
  entry.dtype = first.element.dtype();
  entry.computed = entry.dtype;
  entry.shape = Strides(first.shape.begin(), first.shape.end());
  entry.bytes_written = 0;
  entry.seconds = 0;
  entry.in_chunks = {};
  entry.placed = {};
  entry.outputs.clear();
  for (const views::DeviceArray& output : outputs) {
    entry.bytes_written += static_cast<std::int64_t>(output.bytes());
    entry.outputs.emplace_back(output.memory);
  }
  entry.inputs.clear();
  return entry;
}

void KernelLog::add_input(Entry& entry, const views::DeviceArray& array) {
  const auto is_known = [name = MemoryName(array.memory)](const Entry::Input& input) {
    return input.memory == name;
  };
  if (std::ranges::none_of(entry.inputs, is_known))
    entry.inputs.push_back(
        {MemoryName(array.memory),
         array.element.dtype(),
         Strides(array.shape.begin(), array.shape.end())});
}

void KernelLog::add(
    std::shared_ptr<ProgramKernel> kernel,
    const Program& program,
    std::span<const views::DeviceArray> outputs,
    Reason why) {
  Entry& entry = next(outputs, why);
  entry.kernel = std::move(kernel);
  entry.work = work_of(program);
  entry.computed = computed_by(program);
  for (const Access& access : program.accesses) add_input(entry, *access.memory);
}

void KernelLog::add(
    std::shared_ptr<ProgramKernel> kernel,
    const Work& work,
    const views::DeviceArray& output,
    Reason why) {
  Entry& entry = next({&output, 1}, why);
  entry.kernel = std::move(kernel);
  entry.work = work;
}

void KernelLog::add_routine(
    const Routine& routine,
    std::span<const views::DeviceArray> inputs,
    const views::DeviceArray& output,
    Reason why) {
  Entry& entry = next({&output, 1}, why);
  entry.kernel = nullptr;
  entry.routine = routine.name;
  entry.work = work_of(routine, inputs, output.element.dtype());
  for (const views::DeviceArray& input : inputs) add_input(entry, input);
}

std::optional<std::size_t> KernelLog::trace(
    const MemoryName& memory, std::vector<KernelRecord>& records) const {
  Traced traced;
  return trace_before(count_, memory, traced, records);
}

// The entries below number `end` that gave the memory its value: one, or one for each part.
std::vector<std::uint64_t> KernelLog::writers_before(
    std::uint64_t end, const MemoryName& memory) const {
  const std::uint64_t first = count_ > capacity ? count_ - capacity : 0;
  std::vector<std::uint64_t> writers;
  bool is_first_part = false;
  while (end > first && !is_first_part) {
    const Entry& entry = entries_[--end % capacity];
    if (std::ranges::find(entry.outputs, memory) == entry.outputs.end())
      continue;
    writers.push_back(end);
    is_first_part = entry.why != Reason::part;
  }
  std::ranges::reverse(writers);
  return writers;
}

std::optional<std::size_t> KernelLog::trace_before(
    std::uint64_t end,
    const MemoryName& memory,
    Traced& traced,
    std::vector<KernelRecord>& records) const {
  std::optional<std::size_t> last;
  for (const std::uint64_t number : writers_before(end, memory))
    last = trace_entry(number, traced, records);
  return last;
}

std::size_t KernelLog::trace_entry(
    std::uint64_t number, Traced& traced, std::vector<KernelRecord>& records) const {
  for (const auto& [entry, record] : traced) {
    if (entry == number)
      return record;
  }
  const Entry& entry = entries_[number % capacity];
  KernelRecord record{
      .code = entry.kernel ? entry.kernel->code() : entry.routine,
      .why = entry.why,
      .has_run = true,
      .kernel = entry.kernel ? entry.kernel->kernel() : nullptr,
      .device = entry.device,
      .dtype = entry.dtype,
      .shape = extents_of(entry.shape),
      .outputs = entry.outputs.size(),
      .work = entry.work,
      .bytes_written = entry.bytes_written,
      .seconds = entry.seconds,
      .in_chunks = entry.in_chunks,
      .placed = entry.placed,
      .inputs = {}};
  for (const Entry::Input& input : entry.inputs)
    record.inputs.push_back(
        {trace_before(number, input.memory, traced, records),
         input.memory.address(),
         input.dtype,
         extents_of(input.shape)});
  records.push_back(std::move(record));
  traced.emplace_back(number, records.size() - 1);
  return records.size() - 1;
}

}  // namespace phalanx::arrays
