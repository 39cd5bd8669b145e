// What a profile has of an expression: the span of its launches, with what the log has of it.
#pragma once

#include <cstdint>

#include "phalanx/arrays/kernel_log.h"
#include "phalanx/runtime/profiler.h"

namespace phalanx::arrays {

class ExpressionSpan {
 public:
  explicit ExpressionSpan(const KernelLog& log)
      : log_(log), count_(log.count()), span_(runtime::ProfileKind::expression) {}
  ~ExpressionSpan() {
    if (span_.is_on()) [[unlikely]]
      finish();
  }
  ExpressionSpan(const ExpressionSpan&) = delete;
  ExpressionSpan& operator=(const ExpressionSpan&) = delete;

 private:
  void finish() noexcept;

  const KernelLog& log_;
  std::uint64_t count_;  // of its entries before
  runtime::ProfileSpan span_;
};

}  // namespace phalanx::arrays
