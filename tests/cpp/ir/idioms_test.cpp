// Forms of ir/idioms.h are what the functions beside them find, and nothing else is.
// tests/cpp/codegen/cpu/idioms_test.cpp has the analyses that look for them.
#include "phalanx/ir/idioms.h"

#include <gtest/gtest.h>

#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"

namespace phalanx::ir {
namespace {

class IdiomForms : public ::testing::Test {
 protected:
  using Value = Builder::Value;

  Value condition(std::size_t parameter) { return builder_.parameter(parameter); }
  Value number() { return builder_.parameter(2); }

  Module module_;
  Function& kernel_ = add_function(
      module_,
      "k",
      FunctionKind::kernel,
      {{"a", DType::boolean}, {"b", DType::boolean}, {"n", DType::int64}});
  Builder builder_{kernel_};
};

void expect_facts(
    const std::vector<Fact>& facts, std::initializer_list<const Operation*> of, bool is_true) {
  ASSERT_EQ(facts.size(), of.size());
  std::size_t i = 0;
  for (const Operation* condition : of) {
    EXPECT_EQ(facts[i].condition, condition);
    EXPECT_EQ(facts[i].is_true, is_true);
    ++i;
  }
}

TEST_F(IdiomForms, BothHoldWhereBothIsTrue) {
  Value a = condition(0);
  Value b = condition(1);
  expect_facts(implied_by(*both(builder_, a, b), true), {a, b}, true);
  expect_facts(implied_by(*both(builder_, a, b), false), {}, false);
}

TEST_F(IdiomForms, NeitherHoldsWhereEitherIsFalse) {
  Value a = condition(0);
  Value b = condition(1);
  expect_facts(implied_by(*either(builder_, a, b), false), {a, b}, false);
  expect_facts(implied_by(*either(builder_, a, b), true), {}, false);
}

TEST_F(IdiomForms, ASelectMayBeBothOrEither) {
  Value a = condition(0);
  Value b = condition(1);
  const auto select = [&](Value then, Value otherwise) {
    return builder_.elementwise(Op::select, {a, then, otherwise});
  };
  expect_facts(implied_by(*select(b, builder_.boolean(false)), true), {a, b}, true);
  expect_facts(implied_by(*select(b, a), true), {a, b}, true);
  expect_facts(implied_by(*select(builder_.boolean(true), b), false), {a, b}, false);
  expect_facts(implied_by(*select(a, b), false), {a, b}, false);
  expect_facts(implied_by(*select(b, builder_.boolean(true)), true), {}, true);
  expect_facts(implied_by(*builder_.elementwise(Op::logical_not, {a}), true), {a}, false);
}

TEST_F(IdiomForms, OnlyAnIfWithoutAnElseIsAGuard) {
  guard(builder_, number(), builder_.integer(8));
  const Operation& branch = *kernel_.body.back();
  EXPECT_EQ(condition_of_guard(branch), branch.operands[0]);
  EXPECT_FALSE(is_test_of_one(*branch.operands[0]));
  guard_of_one(builder_, number(), builder_.integer(0));
  EXPECT_TRUE(is_test_of_one(*condition_of_guard(*kernel_.body.back())));
  leave_unless(builder_, condition(0));
  EXPECT_EQ(condition_of_guard(*kernel_.body.back()), nullptr);
}

TEST_F(IdiomForms, IndicesOfATileAreAThreadsAndWhereItBegins) {
  const auto is_number = [&](const Operation& value) { return &value == number(); };
  Value thread = thread_index(builder_, 1);
  EXPECT_TRUE(is_thread_index(*thread, 1));
  EXPECT_FALSE(is_thread_index(*thread, 0));
  EXPECT_FALSE(is_thread_index(*builder_.cast(thread, DType::int8), 1));
  // What 32 bits do not hold of 64 is another index.
  ASSERT_EQ(thread->type, Type(DType::int64));
  EXPECT_FALSE(is_thread_index(*builder_.cast(thread, DType::int32), 1));
  EXPECT_TRUE(is_thread_index(*builder_.cast(thread, DType::uint64), 1));
  EXPECT_TRUE(is_index_of_tile(*thread, 1, is_number));
  EXPECT_TRUE(is_index_of_tile(*index_of_tile(builder_, 1, number()), 1, is_number));
  EXPECT_FALSE(is_index_of_tile(*index_of_tile(builder_, 0, number()), 1, is_number));
  EXPECT_FALSE(is_index_of_tile(*index_of_tile(builder_, 1, builder_.integer(1)), 1, is_number));
  EXPECT_FALSE(is_thread_index(*index_of_tile(builder_, 1, number()), 1));
}

TEST_F(IdiomForms, PowersAreFoundInQuotientsAndRemainders) {
  for (unsigned bits = 1; bits < 63; ++bits) {
    EXPECT_EQ(bits_of_quotient(quotient_by_power(bits)), bits);
    EXPECT_EQ(bits_of_remainder(remainder_by_power(bits)), bits);
    EXPECT_FALSE(bits_of_remainder(quotient_by_power(bits)));
    EXPECT_FALSE(bits_of_quotient(remainder_by_power(bits)));
  }
  EXPECT_FALSE(bits_of_remainder({.op = Op::bitwise_and, .operand = 6}));
  EXPECT_FALSE(bits_of_remainder({.op = Op::bitwise_and, .operand = INT64_MAX}));
  EXPECT_FALSE(bits_of_quotient({.op = Op::right_shift, .operand = 64}));
  EXPECT_TRUE(makes_partner(partner_index(builder_, number(), number())->op));
  EXPECT_FALSE(makes_partner(Op::add));
}

TEST_F(IdiomForms, ACounterOfUnknownStepGoesOnWhereItsSignSays) {
  const VariableId counter = start_counter(builder_, "i", number());
  const StepSign sign = sign_of_step(builder_, number());
  Value index = builder_.get(counter);
  const Operation& goes_on = *has_not_ended(builder_, sign, index, builder_.integer(9));
  ASSERT_EQ(goes_on.op, Op::select);
  EXPECT_EQ(goes_on.operands[0], sign.is_up);
  EXPECT_EQ(below_test(goes_on.operands[1]->op)->is_below, true);
  EXPECT_EQ(goes_on.operands[1]->operands[0], index);
  expect_facts(
      implied_by(*goes_on.operands[2], true),
      {sign.is_down, goes_on.operands[2]->operands[1]},
      true);
  EXPECT_EQ(goes_on.operands[2]->operands[1]->operands[1], index);
  step_counter(builder_, counter, number());
  EXPECT_EQ(added_by(*kernel_.body.back()), number());
}

TEST_F(IdiomForms, PositionsOfMoreBitsAreLostInACast) {
  Value wide = global_index(builder_, 0);
  Value narrow = builder_.cast(wide, DType::int32);
  Value again = builder_.cast(wide, DType::uint64);
  Positions positions;
  for (const auto& operation : kernel_.body) positions.add(*operation);
  EXPECT_EQ(positions.of(*wide).part, PositionPart::position);
  EXPECT_EQ(positions.of(*narrow).part, PositionPart::none);
  EXPECT_EQ(positions.of(*again).part, PositionPart::position);
}

TEST_F(IdiomForms, TheTestOfALoopNamesItsCounter) {
  const VariableId end = builder_.variable("end", DType::int64);
  builder_.set(end, number());
  EXPECT_FALSE(test_of_loop(*kernel_.body.back()));  // no loop at all
  // The end is a variable, as the counter is.
  Value last = builder_.get(end);
  const CountedLoop up = begin_counted_loop(builder_, "i", builder_.integer(0), last);
  const Operation& counts_up = *kernel_.body.back();
  step_counted_loop(builder_, up, 1);
  ASSERT_TRUE(test_of_loop(counts_up));
  EXPECT_EQ(test_of_loop(counts_up)->counter, up.counter);
  EXPECT_EQ(test_of_loop(counts_up)->end, last);

  const VariableId counter = start_counter(builder_, "j", number());
  const Builder::Loop down = builder_.loop();
  const Operation& counts_down = *kernel_.body.back();
  {
    const auto inside = builder_.enter(down.body);
    Value index = builder_.get(counter);
    leave_unless(builder_, is_after_end(builder_, index, builder_.get(end)));
  }
  const auto inside = builder_.enter(down.step);
  step_counter(builder_, counter, builder_.integer(-1));
  EXPECT_FALSE(test_of_loop(counts_down));
}

TEST_F(IdiomForms, ALoopOverATileReadsNothingElse) {
  Value tile = shared_array(builder_, DType::float32, {4});
  Value other = local_array(builder_, DType::float32, {4});
  const auto make_loop = [&](std::initializer_list<Value> arrays) -> const Operation& {
    const CountedLoop loop =
        begin_counted_loop(builder_, "k", builder_.integer(0), builder_.integer(4));
    const Operation& made = *kernel_.body.back();
    const auto scope = builder_.enter(*loop.body);
    for (Value array : arrays) builder_.array_load(array, {loop.index});
    step_counted_loop(builder_, loop, 1);
    return made;
  };
  EXPECT_TRUE(is_over_tile(make_loop({tile})));
  EXPECT_FALSE(is_over_tile(make_loop({tile, other})));
  EXPECT_FALSE(is_over_tile(make_loop({})));
}

}  // namespace
}  // namespace phalanx::ir
