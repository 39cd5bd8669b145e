#include "phalanx/bindings/warnings.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <optional>

#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/jit/advice.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace phalanx::bindings {

namespace {

struct Row {
  const char* category;
  bool jit::Advice::* setting;  // null: it is no advice
};

// In the order of Warning::Kind.
constexpr std::array<Row, static_cast<std::size_t>(Warning::last) + 1> rows = {{
    {"CacheWarning", nullptr},
    {"Float64Warning", &jit::Advice::float64},
    {"StrideWarning", &jit::Advice::strides},
    {"ParallelWarning", &jit::Advice::parallel},
    {"FallbackWarning", nullptr},
}};

nb::object ours(const char* name) {
  return nb::module_::import_("phalanx._core.warnings").attr(name);
}

}  // namespace

nb::object to_python(const SourceLine& line) {
  return line.path.empty() ? nb::none() : nb::object(nb::make_tuple(line.path, line.line));
}

void warn(const char* category, const std::string& text) { ours("warn")(category, text); }

void flush_warnings() {
  for (const auto& [warning, kernel] : engine().take_warnings()) {
    const Row& row = rows.at(static_cast<std::size_t>(warning.kind));
    if (row.setting != nullptr && !(jit::advice().*row.setting))
      continue;
    if (warning.file.empty())
      warn(row.category, warning.text);
    else
      ours("warn_at")(
          row.category,
          warning.text,
          to_python(kernel),
          warning.file,
          warning.line,
          warning.source_line);
  }
}

void give_warnings() {
  if (engine().has_warnings())
    flush_warnings();
}

void bind_warnings(nb::module_& module) {
  module.def(
      "set_advice",
      [](std::optional<bool> low_occupancy,
         std::optional<bool> implicit_copies,
         std::optional<bool> float64,
         std::optional<bool> strides,
         std::optional<bool> parallel) {
        static nb::ft_mutex mutex;  // two threads may change two of them
        const nb::ft_lock_guard lock(mutex);
        jit::Advice given = jit::advice();
        given.low_occupancy = low_occupancy.value_or(given.low_occupancy);
        given.implicit_copies = implicit_copies.value_or(given.implicit_copies);
        given.float64 = float64.value_or(given.float64);
        given.strides = strides.value_or(given.strides);
        given.parallel = parallel.value_or(given.parallel);
        jit::set_advice(given);
      },
      nb::kw_only(),
      "low_occupancy"_a = nb::none(),
      "implicit_copies"_a = nb::none(),
      "float64"_a = nb::none(),
      "strides"_a = nb::none(),
      "parallel"_a = nb::none(),
      "Which performance warnings are given; None leaves one as it is.");
}

}  // namespace phalanx::bindings
