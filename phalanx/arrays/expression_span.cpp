#include "phalanx/arrays/expression_span.h"

#include <algorithm>
#include <exception>
#include <string_view>

namespace phalanx::arrays {
namespace {

bool is_widened(const KernelLog::Entry& entry) {
  return entry.computed == DType::float64 &&
         std::ranges::any_of(entry.inputs, [](const KernelLog::Entry::Input& input) {
           return input.dtype == DType::float32;
         });
}

void fill(runtime::ProfileSpan& span, const KernelLog::Entry& entry) {
  runtime::ProfileRecord& record = span.record();
  span.set_device(*entry.device);
  span.set_name(entry.kernel ? std::string_view(entry.kernel->code()) : entry.routine);
  record.detail = runtime::Profiler::instance().number_of(info(entry.dtype).name);
  record.bytes_read = static_cast<std::uint64_t>(entry.work.bytes_read);
  record.bytes_written = static_cast<std::uint64_t>(entry.bytes_written);
  record.operations = static_cast<std::uint64_t>(entry.work.operations());
  if (is_widened(entry))
    record.set(runtime::ProfileFlag::widened);
  if (entry.placed.is_chosen)
    record.set(runtime::ProfileFlag::placed);
  if (entry.placed.is_known)
    std::ranges::transform(
        entry.placed.choice.seconds, record.expected.begin(), [](double seconds) {
          return static_cast<float>(seconds);
        });
}

}  // namespace

// What was not launched is not in the log: it failed, or was left to another kernel.
void ExpressionSpan::finish() noexcept {
  if (log_.count() == count_) {
    span_.drop();
    return;
  }
  try {
    fill(span_, log_.last());
  } catch (const std::exception&) {  // the time is known all the same
  }
}

}  // namespace phalanx::arrays
