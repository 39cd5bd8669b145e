#include "phalanx/infer/functions.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

namespace phalanx::infer {
namespace {

using enum DType;

Typing typed(std::string_view function, std::initializer_list<DType> operands) {
  const auto typing = resolve(function, std::vector<DType>(operands));
  EXPECT_TRUE(typing) << function;
  return typing.value_or(Typing{});
}

bool is_typed(std::string_view function, std::initializer_list<DType> operands) {
  return resolve(function, std::vector<DType>(operands)).has_value();
}

TEST(Functions, IntegersAreComputedInAtLeast64Bits) {
  EXPECT_EQ(typed("operator.add", {int32, int32}).result, int64);
  EXPECT_EQ(typed("operator.add", {uint8, uint32}).result, uint64);
  EXPECT_EQ(typed("operator.add", {boolean, boolean}).result, int64);
  EXPECT_EQ(typed("operator.neg", {uint8}).result, uint64);
}

TEST(Functions, OneSignedOperandMakesAnIntegerResultSigned) {
  const Typing typing = typed("operator.add", {int64, uint64});
  EXPECT_EQ(typing.declared[1], uint64);
  EXPECT_EQ(typing.operands[1], int64);
  EXPECT_EQ(typing.result, int64);
}

TEST(Functions, DivisionOfIntegersIsFloat64) {
  const Typing typing = typed("operator.truediv", {int32, int32});
  EXPECT_EQ(typing.declared[0], int64);
  EXPECT_EQ(typing.operands[0], float64);
  EXPECT_EQ(typing.result, float64);
}

TEST(Functions, AFloatToAnIntegerPowerStaysThatFloat) {
  EXPECT_EQ(typed("operator.pow", {float32, int64}).result, float32);
  EXPECT_EQ(typed("operator.pow", {int32, int64}).result, int64);
}

TEST(Functions, AShiftHasTheSignOfItsFirstOperand) {
  EXPECT_EQ(typed("operator.lshift", {uint8, int64}).result, uint64);
  EXPECT_EQ(typed("operator.rshift", {int8, uint64}).operands[1], int64);
  EXPECT_FALSE(is_typed("operator.lshift", {float32, int64}));
}

TEST(Functions, SmallFloatsStaySmallAmongThemselves) {
  EXPECT_EQ(typed("operator.add", {float16, float16}).result, float16);
  EXPECT_EQ(typed("operator.mul", {bfloat16, int8}).result, bfloat16);
  EXPECT_EQ(typed("operator.add", {bfloat16, float16}).result, float32);
  EXPECT_EQ(typed("operator.add", {bfloat16, int16}).result, float32);
  EXPECT_EQ(typed("operator.lt", {bfloat16, bfloat16}).operands[0], bfloat16);
  EXPECT_EQ(typed("operator.floordiv", {float16, float16}).result, float32);
  EXPECT_EQ(typed("math.sin", {float16}).result, float16);
  EXPECT_EQ(typed("math.sin", {bfloat16}).result, float32);
}

TEST(Functions, WhatTheOperationYieldsMayDifferFromTheResult) {
  const Typing bits = typed("cuda.popc", {int8});
  EXPECT_EQ(bits.operands[0], int8);
  EXPECT_EQ(bits.yields, int32);
  EXPECT_EQ(bits.result, int8);
  const Typing rounded = typed("round", {float32});
  EXPECT_EQ(rounded.yields, float32);
  EXPECT_EQ(rounded.result, int64);
  const Typing scaled = typed("math.ldexp", {float64, int64});
  EXPECT_EQ(scaled.operands[1], int32);
}

TEST(Functions, AnyNumberIsACondition) {
  const Typing typing = typed("cuda.selp", {int64, float32, float32});
  EXPECT_EQ(typing.operands[0], boolean);
  EXPECT_EQ(typing.operands[1], float32);
  EXPECT_FALSE(is_typed("cuda.selp", {boolean, float32, float64}));
}

TEST(Functions, PairsHaveTwoResults) {
  EXPECT_EQ(typed("math.frexp", {float32}).second_result, int32);
  EXPECT_EQ(typed("divmod", {int32, int32}).second_result, int64);
  EXPECT_EQ(typed("math.sin", {float32}).second_result, std::nullopt);
}

TEST(Functions, WhatHasNoMeaningIsNotTyped) {
  EXPECT_FALSE(is_typed("operator.lt", {complex64, complex64}));
  EXPECT_FALSE(is_typed("operator.invert", {float64}));
  EXPECT_FALSE(is_typed("min", {complex64, float64}));
  EXPECT_FALSE(is_typed("int", {complex64}));
  EXPECT_FALSE(is_typed("math.sin", {float32, float32}));
  EXPECT_FALSE(is_typed("math.no_such_function", {float32}));
  EXPECT_FALSE(can_construct(float32, complex64));
  EXPECT_TRUE(can_construct(complex64, boolean));
}

TEST(Functions, EveryRowIsUniqueAndHasTheArityOfItsOperation) {
  std::set<std::pair<std::string_view, int>> seen;
  for (const Function& function : functions()) {
    EXPECT_TRUE(seen.emplace(function.name, function.arity).second) << function.name;
    if (function.op) {
      EXPECT_EQ(function.arity, ir::info(*function.op).arity) << function.name;
    }
  }
}

TEST(Functions, EveryElementwiseOperationIsTypedSomewhere) {
  for (std::size_t i = 0; i < ir::op_table.size(); ++i) {
    const auto op = static_cast<ir::Op>(i);
    if (op == ir::Op::fmin || op == ir::Op::fmax || op == ir::Op::trunc_divide ||
        op == ir::Op::trunc_remainder)
      continue;
    std::vector<DType> operands(static_cast<std::size_t>(ir::info(op).arity), float32);
    if (!resolve(op, operands))
      operands.assign(operands.size(), int32);
    if (op == ir::Op::select)
      operands.front() = boolean;
    EXPECT_TRUE(resolve(op, operands)) << ir::info(op).name;
  }
}

// The operands that an operation is given must be of a kind that ops.def says it accepts.
TEST(Functions, OperationsGetOperandsOfTheirKinds) {
  const auto letter = [](DType dtype) { return "biufc"[static_cast<int>(kind_of(dtype))]; };
  for (const Function& function : functions()) {
    if (!function.op || function.arity != 2)
      continue;
    for (std::size_t i = 0; i < dtype_table.size(); ++i) {
      for (std::size_t j = 0; j < dtype_table.size(); ++j) {
        const std::vector operands = {static_cast<DType>(i), static_cast<DType>(j)};
        const auto typing = resolve(function, operands);
        if (!typing)
          continue;
        const auto& kinds = ir::info(*function.op).kinds;
        EXPECT_NE(kinds.find(letter(typing->operands[0])), std::string_view::npos)
            << function.name << " of " << info(operands[0]).name << ", " << info(operands[1]).name;
        if (*function.op != ir::Op::ldexp) {
          EXPECT_EQ(typing->operands[0], typing->operands[1]) << function.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace phalanx::infer
