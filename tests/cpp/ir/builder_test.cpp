#include "phalanx/ir/builder.h"
#include "phalanx/ir/build_calls.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"

#include <gtest/gtest.h>

#include "phalanx/ir/printer.h"
#include "phalanx/ir/verifier.h"

namespace phalanx::ir {
namespace {

class BuilderTest : public ::testing::Test {
 protected:
  std::string text() const {
    verify(module_);
    return print(module_);
  }

  Module module_;
  Function& kernel_ = add_function(
      module_,
      "k",
      FunctionKind::kernel,
      {{"a", Type::array(DType::float32, 2, Layout::any, Space::global)},
       {"i", DType::int64},
       {"j", DType::int32},
       {"c", DType::boolean}});
  Builder builder_{kernel_};
};

TEST_F(BuilderTest, TypesFollowFromTheOperands) {
  Operation* i = builder_.parameter(1);
  EXPECT_EQ(builder_.elementwise(Op::add, {i, i})->type, Type(DType::int64));
  EXPECT_EQ(builder_.elementwise(Op::less, {i, i})->type, Type(DType::boolean));
  EXPECT_EQ(builder_.elementwise(Op::popcount, {i})->type, Type(DType::int32));
  EXPECT_EQ(
      builder_.elementwise(Op::select, {builder_.parameter(3), i, i})->type, Type(DType::int64));
  text();
}

TEST_F(BuilderTest, CastsFoldWhereTheyCan) {
  Operation* i = builder_.parameter(1);
  EXPECT_EQ(builder_.cast(i, DType::int64), i);
  EXPECT_EQ(builder_.cast(i, DType::float32)->op, Op::cast);
  Operation* constant = builder_.cast(builder_.integer(300), DType::uint8);
  EXPECT_EQ(constant->op, Op::constant);
  EXPECT_EQ(constant->constant, Constant(std::int64_t{44}));
  Operation* huge = builder_.constant(DType::float64, 1e300);
  EXPECT_EQ(builder_.cast(huge, DType::int32)->op, Op::cast);  // left to the device
  text();
}

TEST_F(BuilderTest, ConstantsAreRoundedToTheirType) {
  EXPECT_EQ(builder_.constant(DType::float32, 0.1)->constant, Constant(static_cast<double>(0.1F)));
  EXPECT_EQ(builder_.integer(-1, DType::uint16)->constant, Constant(std::int64_t{0xffff}));
}

TEST_F(BuilderTest, OperationsGoWhereTheScopeSays) {
  builder_.at({.line = 7, .column = 4});
  const VariableId variable = builder_.variable("n", DType::int64);
  const Builder::Loop loop = builder_.loop();
  {
    const auto inside = builder_.enter(loop.body);
    const auto branches = builder_.if_(builder_.parameter(3));
    {
      const auto leaving = builder_.enter(branches.then);
      EXPECT_FALSE(builder_.is_ended());
      builder_.break_();
      EXPECT_TRUE(builder_.is_ended());
    }
    EXPECT_FALSE(builder_.is_ended());
    builder_.array_store(
        builder_.parameter(0),
        {builder_.parameter(1), builder_.parameter(1)},
        builder_.constant(DType::float32, 1.0));
  }
  {
    const auto inside = builder_.enter(loop.step);
    builder_.set(variable, builder_.get(variable));
  }
  builder_.at({});
  builder_.return_();
  EXPECT_EQ(
      text(),
      "kernel @k(%a: array<f32, 2, any, global>, %i: i64, %j: i32, %c: bool) {\n"
      "  var $n: i64\n"
      "  loop @7:4 {\n"
      "    if %c @7:4 {\n"
      "      break 0 @7:4\n"
      "    }\n"
      "    %0 = constant 1.0 : f32 @7:4\n"
      "    array_store %a, %i, %i, %0 @7:4\n"
      "  } step {\n"
      "    %1 = get $n : i64 @7:4\n"
      "    set $n, %1 @7:4\n"
      "  }\n"
      "  return\n"
      "}\n");
}

TEST_F(BuilderTest, OperationsGoBeforeAPosition) {
  Operation* last = builder_.integer(9);
  Builder before(kernel_, kernel_.body, 0);
  Operation* first = before.integer(1);
  Operation* second = before.integer(2);
  builder_.integer(10);
  {
    const Builder::Scope scope = builder_.enter(kernel_.body, 1);
    builder_.integer(0);
  }
  EXPECT_EQ(kernel_.body[0].get(), first);
  EXPECT_EQ(kernel_.body[1]->constant, Constant(std::int64_t{0}));
  EXPECT_EQ(kernel_.body[2].get(), second);
  EXPECT_EQ(kernel_.body[3].get(), last);
  EXPECT_EQ(kernel_.body[4]->constant, Constant(std::int64_t{10}));
  Operation* end = builder_.integer(11);
  EXPECT_EQ(kernel_.body.back().get(), end);
}

TEST_F(BuilderTest, CopiesHaveEveryAttributeAndEmptyRegions) {
  builder_.at({.line = 3, .column = 1});
  Operation* i = builder_.parameter(1);
  Operation* sum = builder_.elementwise(Op::add, {i, i});
  sum->fast_math = FastMath::all();
  sum->name = "sum";
  builder_.if_(builder_.parameter(3));
  const Operation& branch = *kernel_.body.back();
  builder_.at({});
  Operation& copy = append_copy(builder_, *sum, {i, sum});
  EXPECT_EQ(copy.location.line, 3);
  EXPECT_EQ(copy.fast_math, sum->fast_math);
  EXPECT_EQ(copy.name, "sum");
  EXPECT_EQ(copy.operands, Builder::Values({i, sum}));
  EXPECT_EQ(append_copy(builder_, branch, branch.operands).regions.size(), 2U);
  text();
}

TEST_F(BuilderTest, EveryKindOfOperationIsWellFormed) {
  Operation* i = builder_.parameter(1);
  Operation* x = builder_.constant(DType::float32, 1.5);
  Function& twice =
      add_function(module_, "twice", FunctionKind::device, {{"x", DType::float32}}, DType::float32);
  Builder inner(twice);
  inner.return_(inner.elementwise(Op::add, {inner.parameter(0), inner.parameter(0)}));
  module_.constants.push_back(
      {.element = DType::int8, .shape = {2}, .bytes = {std::byte{1}, std::byte{2}}});

  Operation* z = builder_.complex_make(x, x);
  builder_.elementwise(Op::add, {builder_.complex_real(z), builder_.complex_imag(z)});
  Operation* pair = builder_.tuple_make({i, x});
  EXPECT_EQ(builder_.tuple_get(pair, 1), x);
  builder_.tuple_get(builder_.undefined(pair->type), 0);
  builder_.vector_get(builder_.vector_make(Type::vector(DType::float32, 3), {x, x, x}), 2);
  Operation* tile = ir::shared_array(builder_, DType::float32, {4, 4});
  Operation* view = builder_.array_make(
      Type::array(DType::float32, 1, Layout::any, Space::shared),
      builder_.array_data(tile),
      {builder_.array_shape(tile, 1)},
      {builder_.array_stride(tile, 1)});
  Operation* place = builder_.array_element(view, {builder_.wrap_index(i, i)});
  builder_.store(place, builder_.load(place));
  ir::atomic(builder_, Atomic::max, place, x);
  ir::atomic_cas(builder_, place, x, x);
  builder_.pointer_offset(place, i, Type::pointer(DType::int8, Space::shared));
  builder_.array_load(ir::constant_array(builder_, module_, 0), {i});
  builder_.array_load(ir::dynamic_shared_array(builder_, DType::float64), {i});
  builder_.array_load(ir::local_array(builder_, DType::float64, {8}), {i});
  const Type record = Type::record({{.name = "x", .type = DType::int8, .offset = 3}}, 4, 1);
  builder_.pointer_field(builder_.undefined(Type::pointer(record, Space::global)), 0);
  builder_.bitcast(x, DType::int32);
  builder_.call(twice, {x});
  ir::print(builder_, "{}", {ir::thread_query(builder_, Op::grid_extent, 2)});
  ir::lane_index(builder_);
  ir::barrier(builder_);
  ir::block_vote(
      builder_, BlockVote::count, ir::block_vote(builder_, BlockVote::any, builder_.boolean(true)));
  ir::fence(builder_, FenceScope::system);
  {
    const auto inside = builder_.enter(builder_.block());
    builder_.raise({"ValueError", "no"});
  }
  text();
}

}  // namespace
}  // namespace phalanx::ir
