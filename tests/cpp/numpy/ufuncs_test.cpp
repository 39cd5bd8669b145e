#include "phalanx/numpy/ufuncs.h"
#include "phalanx/ir/build_threads.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/ir/verifier.h"
#include "phalanx/numpy/promotion.h"
#include "tests/support/interpreter.h"

namespace phalanx::numpy {
namespace {

constexpr std::array dtypes = {
    DType::boolean,
    DType::int8,
    DType::int32,
    DType::int64,
    DType::uint8,
    DType::uint64,
    DType::float32,
    DType::float64,
    DType::complex64,
    DType::complex128};

std::vector<DType> all_of(DType dtype, int arity) {
  return std::vector<DType>(static_cast<std::size_t>(arity), dtype);
}

// A device function of the ufunc, in a module of its own.
struct Emitted {
  Emitted(const infer::Ufunc& row, DType dtype)
      : typing(*infer::resolve(row, all_of(dtype, row.arity))) {
    std::vector<ir::Parameter> parameters;
    for (int i = 0; i < row.arity; ++i) parameters.push_back({"x", typing.operands[0]});
    ir::Function& function = ir::add_function(
        module, "f", ir::FunctionKind::device, std::move(parameters), typing.result);
    ir::Builder builder(function);
    Values operands;
    for (int i = 0; i < row.arity; ++i)
      operands.push_back(builder.parameter(static_cast<std::size_t>(i)));
    value = ufunc(builder, row, typing, operands);
    if (value)
      builder.return_(*value);
  }

  infer::Typing typing;
  ir::Module module;
  std::optional<Value> value;
};

// What no front end offers: see the table of NumPy's names in tests/python.
const std::set<std::string_view> missing = {"gcd", "lcm"};

TEST(Ufuncs, EveryRowComputesInEveryLoop) {
  for (const infer::Ufunc& row : infer::ufuncs()) {
    for (const DType dtype : dtypes) {
      if (!infer::resolve(row, all_of(dtype, row.arity)))
        continue;
      const Emitted emitted(row, dtype);
      const bool is_missing = missing.contains(row.name);
      ASSERT_EQ(emitted.value.has_value(), !is_missing) << row.name << " of " << info(dtype).name;
      if (is_missing)
        continue;
      EXPECT_EQ((*emitted.value)->type, ir::Type(emitted.typing.result)) << row.name;
      EXPECT_NO_THROW(ir::verify(emitted.module)) << row.name;
    }
  }
}

// The value of the function of constants, which is a constant.
ir::Constant folded(std::string_view name, DType dtype, const std::vector<ir::Constant>& operands) {
  const infer::Ufunc& row = *infer::find_ufunc(name);
  ir::Module module;
  ir::Builder builder(ir::add_function(module, "f", ir::FunctionKind::device, {}, dtype));
  Values values;
  for (const ir::Constant& operand : operands) values.push_back(builder.constant(dtype, operand));
  const auto typing = infer::resolve(row, all_of(dtype, row.arity));
  const auto value = ufunc(builder, row, *typing, values);
  EXPECT_EQ((*value)->op, ir::Op::constant) << name;
  return (*value)->constant;
}

TEST(Ufuncs, FoldWhatConstantsDecide) {
  using Integer = std::int64_t;
  EXPECT_EQ(folded("sign", DType::float64, {-3.0}), ir::Constant(-1.0));
  EXPECT_EQ(folded("sign", DType::float32, {0.5}), ir::Constant(1.0));
  EXPECT_EQ(folded("sign", DType::int8, {Integer{-7}}), ir::Constant(Integer{-1}));
  EXPECT_EQ(folded("reciprocal", DType::int32, {Integer{0}}), ir::Constant(Integer{INT32_MIN}));
  EXPECT_EQ(folded("reciprocal", DType::int64, {Integer{-1}}), ir::Constant(Integer{-1}));
  EXPECT_EQ(folded("reciprocal", DType::uint8, {Integer{2}}), ir::Constant(Integer{0}));
  EXPECT_EQ(folded("logical_xor", DType::int32, {Integer{2}, Integer{3}}), ir::Constant(false));
  EXPECT_EQ(folded("logical_or", DType::float64, {0.0, 2.0}), ir::Constant(true));
  EXPECT_EQ(folded("isfinite", DType::int64, {Integer{2}}), ir::Constant(true));
  EXPECT_EQ(folded("fmod", DType::int32, {Integer{-7}, Integer{3}}), ir::Constant(Integer{-1}));
  EXPECT_EQ(folded("fmod", DType::int32, {Integer{7}, Integer{-3}}), ir::Constant(Integer{1}));
  EXPECT_EQ(folded("add", DType::boolean, {true, true}), ir::Constant(true));
}

// ---- Computed by the interpreter: the function of two arrays, element by element ----

constexpr std::uint32_t block = 256;

// x, y and out: arrays of as many elements as there are threads.
ir::Module kernel_of(std::string_view name, const infer::Typing& typing) {
  ir::Module module;
  std::vector<ir::Parameter> parameters;
  for (const DType dtype : {typing.operands[0], typing.operands[1], typing.result})
    parameters.push_back({"p", ir::Type::pointer(dtype, ir::Space::global)});
  ir::Builder builder(ir::add_function(module, "k", ir::FunctionKind::kernel, parameters));
  const Arithmetic in(builder, DType::int64);
  const auto index = [&](ir::Op op) {
    return builder.cast(ir::thread_query(builder, op, 0), in.dtype());
  };
  const Value number =
      in(ir::Op::add,
         in(ir::Op::multiply, index(ir::Op::block_index), in.integer(block)),
         index(ir::Op::thread_index));
  Values pointers;
  for (std::size_t i = 0; i < 3; ++i) {
    const Value pointer = builder.parameter(i);
    const auto bytes = static_cast<std::int64_t>(size_of(pointer->type.element().dtype()));
    const Value offset = in(ir::Op::multiply, number, in.integer(bytes));
    pointers.push_back(builder.pointer_offset(pointer, offset, pointer->type));
  }
  const infer::Ufunc& row = *infer::find_ufunc(name);
  Values operands = {builder.load(pointers[0]), builder.load(pointers[1])};
  operands.resize(static_cast<std::size_t>(row.arity));
  builder.store(pointers[2], *ufunc(builder, row, typing, operands));
  builder.return_();
  return module;
}

template <typename Out, typename A, typename B>
std::vector<Out> computed(
    std::string_view name,
    const std::vector<Operand>& operands,
    const std::vector<A>& x,
    const std::vector<B>& y) {
  const auto typing = resolve(*infer::find_ufunc(name), operands);
  const ir::Module module = kernel_of(name, *typing);
  std::vector<Out> out(x.size());
  const std::array<const void*, 3> parameters = {x.data(), y.data(), out.data()};
  const test::Outcome outcome = test::interpret(
      module,
      {.parameters = reinterpret_cast<const std::byte*>(parameters.data()),
       .grid = {static_cast<std::uint32_t>(x.size()) / block, 1, 1},
       .block = {block, 1, 1}});
  EXPECT_TRUE(outcome.is_complete);
  return out;
}

double half(std::uint16_t bits) {
  const int exponent = (bits >> 10U) & 31;
  const double digits = bits & 1023U;
  const double size = exponent == 0    ? std::ldexp(digits, -24)
                      : exponent == 31 ? (digits == 0 ? HUGE_VAL : std::nan(""))
                                       : std::ldexp(1024 + digits, exponent - 25);
  return (bits & 0x8000U) != 0 ? -size : size;
}

// Every number of float16, and what lies next to it on a line of all of them.
TEST(Ufuncs, StepThroughFloat16) {
  std::vector<std::uint16_t> x(1U << 16U);
  std::iota(x.begin(), x.end(), 0);
  std::set<double> line;
  for (const std::uint16_t bits : x) {
    if (!std::isnan(half(bits)))
      line.insert(half(bits));
  }
  const DType dtype = DType::float16;
  for (const std::uint16_t end : {0x7c00, 0xfc00}) {
    const std::vector<std::uint16_t> y(x.size(), end);
    const auto next = computed<std::uint16_t>("nextafter", {{dtype}, {dtype}}, x, y);
    const auto step = computed<std::uint16_t>("spacing", {{dtype}}, x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double from = half(x[i]);
      if (std::isnan(from)) {
        EXPECT_TRUE(std::isnan(half(next[i])) && std::isnan(half(step[i]))) << i;
        continue;
      }
      auto at = line.find(from);
      if (from != half(end))
        end == 0x7c00 ? ++at : --at;
      EXPECT_EQ(half(next[i]), *at) << i;
      if (std::isinf(from)) {
        EXPECT_TRUE(std::isnan(half(step[i]))) << i;
      } else if (end == 0x7c00) {
        EXPECT_EQ(half(step[i]), *at - from) << i;
      }
    }
  }
}

// No type of 64 bits holds both.
TEST(Ufuncs, CompareInt64WithUint64) {
  const std::vector<std::int64_t> signed_values = {INT64_MIN, -1, 0, 1, INT64_MAX};
  const std::vector<std::uint64_t> unsigned_values = {
      0, 1, INT64_MAX, std::uint64_t{1} << 63U, UINT64_MAX};
  std::vector<std::int64_t> x(block, 0);
  std::vector<std::uint64_t> y(block, 0);
  for (std::size_t i = 0; i < 25; ++i) {
    x[i] = signed_values[i / 5];
    y[i] = unsigned_values[i % 5];
  }
  const std::vector<Operand> mixed = {{DType::int64}, {DType::uint64}};
  const std::vector<Operand> turned = {{DType::uint64}, {DType::int64}};
  const auto less = computed<std::uint8_t>("less", mixed, x, y);
  const auto less_equal = computed<std::uint8_t>("less_equal", mixed, x, y);
  const auto equal = computed<std::uint8_t>("equal", mixed, x, y);
  const auto not_equal = computed<std::uint8_t>("not_equal", turned, y, x);
  const auto greater = computed<std::uint8_t>("greater", turned, y, x);
  const auto greater_equal = computed<std::uint8_t>("greater_equal", turned, y, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(less[i] != 0, std::cmp_less(x[i], y[i])) << i;
    EXPECT_EQ(less_equal[i] != 0, std::cmp_less_equal(x[i], y[i])) << i;
    EXPECT_EQ(equal[i] != 0, std::cmp_equal(x[i], y[i])) << i;
    EXPECT_EQ(not_equal[i] != 0, std::cmp_not_equal(y[i], x[i])) << i;
    EXPECT_EQ(greater[i] != 0, std::cmp_greater(y[i], x[i])) << i;
    EXPECT_EQ(greater_equal[i] != 0, std::cmp_greater_equal(y[i], x[i])) << i;
  }
}

}  // namespace
}  // namespace phalanx::numpy
