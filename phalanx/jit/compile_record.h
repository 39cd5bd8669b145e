// A stage of a kernel's compilation, timed for its statistics and for a profile.
#pragma once

#include <string>
#include <string_view>

#include "phalanx/jit/statistics.h"
#include "phalanx/runtime/profiler.h"

namespace phalanx::jit {

inline void set_stage(runtime::ProfileSpan& span, Stage stage, const std::string& kernel) {
  const std::string_view name = stage_names.at(static_cast<std::size_t>(stage));
  span.set_name(kernel, name);
  if (span.is_recorded())
    span.record().detail = runtime::Profiler::instance().number_of(name);
}

// As timed().
template <typename Function>
auto recorded(
    const std::string& kernel,
    Statistics& first,
    Statistics& second,
    Stage stage,
    const Function& function) {
  runtime::ProfileSpan span(runtime::ProfileKind::compile);
  if (span.is_on())
    set_stage(span, stage, kernel);
  return timed(first, second, stage, function);
}

}  // namespace phalanx::jit
