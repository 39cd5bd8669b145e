// What a front end asks of a ufunc by its name: which loop, and what type the result has. Every
// name and type is compared with NumPy in tests/python/test_numpy_promotion.py.
#include "phalanx/numpy/promotion.h"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <vector>

#include "phalanx/infer/ufuncs.h"
#include "phalanx/numpy/loop_choice.h"
#include "phalanx/numpy/reduction_types.h"
#include "phalanx/numpy/times.h"

namespace phalanx::numpy {
namespace {

constexpr Operand weak_int = {DType::int64, true};
constexpr Operand weak_float = {DType::float64, true};
constexpr Operand weak_complex = {DType::complex128, true};

std::optional<DType> result_of(std::string_view name, const std::vector<Operand>& operands) {
  const infer::Ufunc* ufunc = infer::find_ufunc(name);
  const auto typing = ufunc == nullptr ? std::nullopt : resolve(*ufunc, operands);
  return typing ? std::optional(typing->result) : std::nullopt;
}

TEST(Promotion, UfuncsAreTypedByName) {
  EXPECT_EQ(result_of("add", {{DType::int8}, {DType::uint8}}), DType::int16);
  EXPECT_EQ(result_of("add", {{DType::float16}, weak_float}), DType::float16);
  EXPECT_EQ(result_of("add", {{DType::uint8}, weak_int}), DType::uint8);
  EXPECT_EQ(result_of("add", {{DType::int32}, weak_float}), DType::float64);
  EXPECT_EQ(result_of("multiply", {{DType::float32}, weak_complex}), DType::complex64);
  EXPECT_EQ(result_of("add", {weak_int, weak_float}), DType::float64);
  EXPECT_EQ(result_of("true_divide", {{DType::int8}, {DType::int8}}), DType::float64);
  EXPECT_EQ(result_of("less", {{DType::int64}, {DType::uint64}}), DType::boolean);
  EXPECT_EQ(result_of("subtract", {{DType::boolean}, {DType::boolean}}), std::nullopt);
  EXPECT_EQ(result_of("sqrt", {{DType::int16}}), DType::float32);
}

TEST(Promotion, LoopsOfAUserAreChosenByThreeRules) {
  const std::vector<LoopInputs> loops = {{DType::float64}, {DType::float32}, {DType::int64}};
  const auto choice = [&](const Argument& argument) {
    return choose_loop(loops, std::vector{argument});
  };
  EXPECT_EQ(choice({.type = DType::float32}), 1U);
  EXPECT_EQ(choice({.type = DType::int8}), 0U);
  EXPECT_EQ(choice({.type = DType::complex64}), std::nullopt);
  EXPECT_EQ(choice({.type = std::nullopt}), std::nullopt);
  const std::vector<LoopInputs> narrow = {{DType::float32}};
  const std::vector<Argument> array = {{.type = DType::float64}};
  const std::vector<Argument> number = {{.type = DType::float64, .is_number = true}};
  EXPECT_EQ(choose_loop(narrow, array), std::nullopt);
  EXPECT_EQ(choose_loop(narrow, number), 0U);
  // Python's numbers take the type of what is beside them, and have their own where nothing is.
  const Argument python = {.type = DType::int64, .is_number = true, .is_weak = true};
  const std::vector<LoopInputs> pairs = {
      {DType::float32, DType::float32}, {DType::int64, DType::int64}};
  EXPECT_EQ(choose_loop(pairs, std::vector<Argument>{{.type = DType::float32}, python}), 0U);
  EXPECT_EQ(choose_loop(pairs, std::vector<Argument>{python, python}), 1U);
}

TEST(Promotion, Bfloat16IsAFloatInLoopsOfAUser) {
  const std::vector<LoopInputs> loops = {
      {DType::bfloat16, DType::bfloat16}, {DType::float64, DType::float64}};
  const Argument array = {.type = DType::bfloat16};
  const Argument python = {.type = DType::float64, .is_number = true, .is_weak = true};
  const Argument complex = {.type = DType::complex64, .is_number = true};
  EXPECT_EQ(choose_loop(loops, std::vector{array, python}), 0U);
  EXPECT_EQ(choose_loop(loops, std::vector{array, complex}), std::nullopt);
}

TEST(Promotion, TimesAndRecordsAreCastByTheirParts) {
  const auto span = [](std::string_view unit) {
    return ir::Type::time(ir::TimeKind::timedelta, unit);
  };
  EXPECT_TRUE(can_cast(span("s"), span("ms"), Casting::safe));
  EXPECT_FALSE(can_cast(span("ms"), span("s"), Casting::safe));
  EXPECT_TRUE(can_cast(span("ms"), span("s"), Casting::same_kind));
  EXPECT_FALSE(can_cast(span("Y"), span("D"), Casting::same_kind));
  EXPECT_TRUE(can_cast(ir::Type(DType::int32), span("s"), Casting::safe));
  EXPECT_FALSE(can_cast(span("W"), span("as"), Casting::safe));  // the ratio has no 64 bits
  const auto record = [](DType dtype) {
    return ir::Type::record({{.name = "x", .type = dtype}}, size_of(dtype), 1);
  };
  EXPECT_TRUE(can_cast(record(DType::int8), record(DType::int64), Casting::safe));
  EXPECT_FALSE(can_cast(record(DType::int64), record(DType::int8), Casting::safe));
  EXPECT_FALSE(can_cast(record(DType::int8), ir::Type(DType::int8), Casting::safe));
}

TEST(Promotion, ReductionsComputeInTypesOfTheirOwn) {
  const auto typing = reduction_typing("var", DType::complex64);
  ASSERT_TRUE(typing);
  EXPECT_EQ(typing->computed, DType::complex64);
  EXPECT_EQ(typing->result, DType::float32);
  const auto mean = reduction_typing("mean", DType::float16);
  ASSERT_TRUE(mean);
  EXPECT_EQ(mean->computed, DType::float32);
  EXPECT_EQ(mean->result, DType::float16);
  EXPECT_EQ(reduction_typing("mean", DType::bfloat16)->result, DType::bfloat16);
  EXPECT_FALSE(reduction_typing("ptp", DType::boolean));
  EXPECT_FALSE(reduction_typing("any", DType::int8, DType::int64));
  EXPECT_FALSE(reduction_typing("mode", DType::int8));
}

}  // namespace
}  // namespace phalanx::numpy
