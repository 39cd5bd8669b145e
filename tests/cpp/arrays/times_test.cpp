// Arrays of times: counts of units, which kernels know as int64.
#include "phalanx/arrays/times.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "phalanx/arrays/operations.h"
#include "phalanx/base/errors.h"
#include "tests/cpp/arrays/harness.h"

namespace phalanx::arrays {
namespace {

using Counts = std::vector<std::int64_t>;
constexpr std::int64_t nat = std::numeric_limits<std::int64_t>::min();

class TimesTest : public testing::Test {
 protected:
  static ir::Type point(std::string_view unit) {
    return ir::Type::time(ir::TimeKind::datetime, unit);
  }
  static ir::Type span(std::string_view unit) {
    return ir::Type::time(ir::TimeKind::timedelta, unit);
  }
  Array times(const Counts& counts, const ir::Type& element) {
    const auto extent = static_cast<std::int64_t>(counts.size());
    return astype(from_host(in.graph, {extent}, std::span<const std::int64_t>(counts)), element);
  }
  static Counts sum_of(const Array& a, const Array& b) { return to_host<std::int64_t>(a + b); }

  Harness in;
};

TEST_F(TimesTest, OperandsMeetInTheFinerUnit) {
  const Array days = times({0, 1, nat}, point("D"));
  const Array hours = times({5, nat, 7}, span("h"));
  const Array made = days + hours;
  EXPECT_EQ(made.element_type(), point("h"));
  EXPECT_EQ(made.dtype(), DType::int64);
  EXPECT_EQ(to_host<std::int64_t>(made), (Counts{5, nat, nat}));
  EXPECT_EQ((days - days).element_type(), span("D"));
  EXPECT_EQ((hours * 2.5).element_type(), span("h"));
  EXPECT_EQ((hours / hours).element_type(), ir::Type(DType::float64));
  EXPECT_EQ((times({1}, span("7D")) + times({1}, span("3h"))).element_type(), span("3h"));
}

TEST_F(TimesTest, ViewsAndMemoryKeepTheUnit) {
  const Array days = times({3, nat, 1}, point("D"));
  EXPECT_EQ(slice(days, 0, 1, 3).element_type(), point("D"));
  EXPECT_EQ(days.evaluate()->element, point("D"));
  Array changed = days.view({3}, {{.dimension = 0, .start = 0, .step = 1}});
  changed.assign(times({24, 48, 72}, point("h")).value());
  EXPECT_EQ(to_host<std::int64_t>(days), (Counts{1, 2, 3}));
  EXPECT_EQ(days.evaluate()->element, point("D"));
}

TEST_F(TimesTest, UnitsAreNoPartOfTheCode) {
  sum_of(times({1, 2}, point("D")), times({1, 2}, span("h")));
  const auto before = in.engine.statistics().count(jit::Stage::codegen);
  EXPECT_EQ(sum_of(times({1, 2}, point("s")), times({1, 2}, span("ms"))), (Counts{1001, 2002}));
  EXPECT_EQ(in.engine.statistics().count(jit::Stage::codegen), before);
}

TEST_F(TimesTest, TheCalendarIsAKernel) {
  const Counts months = {0, 1, 2, 25, -1, nat};
  const Array days = astype(times(months, point("M")), point("D"));
  EXPECT_EQ(to_host<std::int64_t>(days), (Counts{0, 31, 59, 761, -31, nat}));
  EXPECT_EQ(to_host<std::int64_t>(astype(days, point("M"))), months);
  EXPECT_EQ(to_host<std::int64_t>(astype(days, point("Y"))), (Counts{0, 0, 0, 2, -1, nat}));
}

TEST_F(TimesTest, ReductionsKnowNat) {
  const Array known = times({3, 5, 1}, span("s"));
  const Array all = times({3, nat, 5}, span("s"));
  EXPECT_EQ(item<std::int64_t>(sum(known)), 9);
  EXPECT_EQ(item<std::int64_t>(max(known)), 5);
  EXPECT_EQ(item<std::int64_t>(mean(known)), 3);
  for (const auto& made : {sum(all), max(all), min(all), mean(all)}) {
    EXPECT_EQ(made.element_type(), span("s"));
    EXPECT_EQ(item<std::int64_t>(made), nat);
  }
  EXPECT_EQ(item<std::int64_t>(reduce(all, "argmax")), 1);
  EXPECT_THROW(sum(times({1}, point("s"))), TypeError);
}

TEST_F(TimesTest, WhatDoesNotMeetIsRefused) {
  const Array days = times({1}, point("D"));
  EXPECT_THROW(days + days, TypeError);
  EXPECT_THROW(times({1}, span("Y")) + times({1}, span("D")), TypeError);
  EXPECT_THROW(days < times({1}, point("as")), std::overflow_error);
  EXPECT_THROW(astype(times({1}, point("Y")), point("as")), std::overflow_error);
}

}  // namespace
}  // namespace phalanx::arrays
