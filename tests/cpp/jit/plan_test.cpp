#include "phalanx/jit/plan.h"

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstring>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/jit/signature.h"

namespace phalanx::jit {
namespace {

ir::Type array_of(DType dtype, unsigned ndim, ir::Layout layout, bool is_mutable = true) {
  return ir::Type::array(dtype, ndim, layout, ir::Space::global, is_mutable);
}

class PlanTest : public testing::Test {
 protected:
  PlanTest() : engine(CacheOptions{.enabled = false}) {}

  Plan plan(std::vector<ir::TypeKey> keys, std::vector<ir::Type> types) {
    KernelDescription description;
    description.name = "work";
    description.types = std::move(types);
    return {std::move(keys), std::make_shared<Kernel>(engine, std::move(description), [] {
              return std::shared_ptr<ir::Module>();
            })};
  }
  std::vector<std::byte> packed(const Plan& made, const std::vector<Argument>& arguments) {
    std::vector<std::byte> bytes(made.parameter_bytes(), std::byte{0xee});
    made.pack(arguments, bytes.data(), engine.runtime().cpu());
    return bytes;
  }
  template <typename T>
  static T at(const std::vector<std::byte>& bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(value));
    return value;
  }
  template <typename T>
  static Argument scalar(DType dtype, T value) {
    Argument argument{};
    argument.key = ir::key::scalar(dtype);
    std::memcpy(argument.bits, &value, sizeof(value));
    return argument;
  }

  Engine engine;
};

TEST_F(PlanTest, ArraysOfAnyLayoutHaveStrides) {
  const std::array<std::int64_t, 2> shape = {3, 5};
  const std::array<std::int64_t, 2> strides = {40, 8};
  Argument argument{};
  argument.key = ir::key::array(DType::float32, 2, ir::Layout::c, true);
  argument.array = {reinterpret_cast<void*>(0x1234), shape.data(), strides.data()};

  const Plan contiguous = plan({argument.key}, {array_of(DType::float32, 2, ir::Layout::c)});
  EXPECT_EQ(contiguous.parameter_bytes(), 24U);
  auto bytes = packed(contiguous, {argument});
  EXPECT_EQ(at<std::uint64_t>(bytes, 0), 0x1234U);
  EXPECT_EQ(at<std::int64_t>(bytes, 16), 5);

  const Plan general = plan({argument.key}, {array_of(DType::float32, 2, ir::Layout::any)});
  EXPECT_EQ(general.parameter_bytes(), 40U);
  bytes = packed(general, {argument});
  EXPECT_EQ(at<std::int64_t>(bytes, 8), 3);
  EXPECT_EQ(at<std::int64_t>(bytes, 24), 40);
  EXPECT_EQ(at<std::int64_t>(bytes, 32), 8);
}

TEST_F(PlanTest, ScalarsAreAlignedAndConverted) {
  const Plan made = plan(
      {ir::key::scalar(DType::boolean),
       ir::key::scalar(DType::float64),
       ir::key::scalar(DType::int64)},
      {DType::boolean, DType::float32, DType::complex128});
  EXPECT_EQ(made.parameter_bytes(), 24U);
  const auto bytes = packed(
      made,
      {scalar(DType::boolean, true),
       scalar(DType::float64, 2.5),
       scalar(DType::int64, std::int64_t{-3})});
  EXPECT_EQ(at<std::uint8_t>(bytes, 0), 1);
  EXPECT_EQ(at<float>(bytes, 4), 2.5F);
  EXPECT_EQ(at<std::complex<double>>(bytes, 8), std::complex<double>(-3, 0));
}

TEST_F(PlanTest, TuplesAreTheirElements) {
  const ir::Type inner = ir::Type::tuple({DType::int64, DType::float64});
  Argument outer{};
  outer.key = ir::key::tuple(2);
  Argument nested{};
  nested.key = ir::key::tuple(2);
  const std::vector<Argument> arguments = {
      outer,
      nested,
      scalar(DType::int64, std::int64_t{1}),
      scalar(DType::float64, 2.0),
      scalar(DType::int64, std::int64_t{3})};
  std::vector<ir::TypeKey> keys;
  for (const Argument& argument : arguments) keys.push_back(argument.key);
  const Plan made = plan(keys, {ir::Type::tuple({inner, DType::int64})});
  const auto bytes = packed(made, arguments);
  EXPECT_EQ(at<std::int64_t>(bytes, 0), 1);
  EXPECT_EQ(at<double>(bytes, 8), 2.0);
  EXPECT_EQ(at<std::int64_t>(bytes, 16), 3);
}

TEST_F(PlanTest, NoneTakesNoRoomAndRecordsArePassedByTheirPlace) {
  const ir::Type record = ir::Type::record({{"a", DType::int8, 0}, {"b", DType::float32, 4}}, 8, 4);
  std::array<std::uint32_t, 2> content = {7, 0x40000000};
  Argument none{};
  Argument value{};
  value.key = ir::key::record(engine.types().number(record), true);
  value.array = {content.data(), nullptr, nullptr};
  const Plan made = plan(
      {none.key, value.key, ir::key::scalar(DType::int32)},
      {ir::Type::none(), ir::Type::pointer(record, ir::Space::global), DType::int32});
  const auto bytes = packed(made, {none, value, scalar(DType::int32, std::int32_t{9})});
  ASSERT_EQ(bytes.size(), 12U);
  EXPECT_EQ(at<const std::uint32_t*>(bytes, 0), content.data());
  EXPECT_EQ(at<std::int32_t>(bytes, 8), 9);
  EXPECT_EQ(made.arrays().size(), 1U);
}

TEST_F(PlanTest, TimesAndAddressesTakeEightBytes) {
  const ir::Type time = ir::Type::time(ir::TimeKind::datetime, "ns");
  Argument value{};
  value.key = ir::key::other(engine.types().number(time));
  value.bits[0] = 41;
  const Plan made = plan(
      {value.key, ir::key::scalar(DType::int64)},
      {time, ir::Type::pointer(DType::float32, ir::Space::global)});
  const auto bytes = packed(made, {value, scalar(DType::int64, std::int64_t{4096})});
  EXPECT_EQ(at<std::int64_t>(bytes, 0), 41);
  EXPECT_EQ(at<std::int64_t>(bytes, 8), 4096);
}

TEST_F(PlanTest, FitsOnlyItsOwnTypes) {
  const Plan made = plan({ir::key::scalar(DType::int64)}, {DType::int64});
  EXPECT_TRUE(made.fits(std::vector{scalar(DType::int64, std::int64_t{1})}));
  EXPECT_FALSE(made.fits(std::vector{scalar(DType::float64, 1.0)}));
  EXPECT_FALSE(made.fits(std::vector<Argument>{}));
}

TEST_F(PlanTest, RefusesWhatDoesNotConvert) {
  EXPECT_THROW(
      plan(
          {ir::key::array(DType::float32, 1, ir::Layout::c, true)},
          {array_of(DType::float64, 1, ir::Layout::c)}),
      TypeError);
  EXPECT_THROW(
      plan(
          {ir::key::array(DType::float32, 1, ir::Layout::c, false)},
          {array_of(DType::float32, 1, ir::Layout::c)}),
      TypeError)
      << "a read-only array for a kernel that may write";
  EXPECT_THROW(plan({ir::key::scalar(DType::int64)}, {DType::int64, DType::int64}), TypeError);
}

TEST_F(PlanTest, KnowsWhichArraysMayBeWritten) {
  const ir::TypeKey writable = ir::key::array(DType::float32, 1, ir::Layout::c, true);
  const ir::TypeKey constant = ir::key::array(DType::float32, 1, ir::Layout::c, false);
  const Plan made = plan(
      {writable, constant},
      {array_of(DType::float32, 1, ir::Layout::c),
       array_of(DType::float32, 1, ir::Layout::c, false)});
  EXPECT_TRUE(made.is_written(0));
  EXPECT_FALSE(made.is_written(1));
}

TEST(TypeTable, KeysAndTypesAreTheSame) {
  ir::TypeTable table;
  const ir::Type record = ir::Type::record({{"a", DType::int64, 0}}, 8, 8);
  const ir::Type names = ir::Type::named_tuple("Point", {{"x", {}, 0}, {"y", {}, 0}});
  const std::vector<ir::TypeKey> keys = {
      ir::key::none(),
      ir::key::scalar(DType::complex64),
      ir::key::array(DType::uint8, 3, ir::Layout::f, false),
      table.array_key(record, 1, ir::Layout::any, true),
      ir::key::named_tuple(2, table.number(names)),
      ir::key::scalar(DType::float32),
      ir::key::other(table.number(record)),
  };
  const std::vector<ir::Type> expected = {
      ir::Type::none(),
      DType::complex64,
      array_of(DType::uint8, 3, ir::Layout::f, false),
      ir::Type::array(record, 1, ir::Layout::any, ir::Space::global),
      ir::Type::named_tuple("Point", {{"x", DType::float32, 0}, {"y", record, 0}}),
  };
  EXPECT_EQ(table.decode(keys), expected);
  EXPECT_EQ(table.number(record), table.number(ir::Type(record)));
}

// The number of the chosen signature, or the error's text.
std::string chosen(const Signature& arguments, const std::vector<Signature>& signatures) {
  try {
    return std::to_string(choose_signature("work", arguments, signatures));
  } catch (const TypeError& error) {
    return error.what();
  }
}

TEST(ChooseSignature, TakesTheOneThatLosesLeast) {
  const std::vector<Signature> signatures = {{DType::float32}, {DType::float64}, {DType::int32}};
  EXPECT_EQ(chosen({DType::float64}, signatures), "1");
  EXPECT_EQ(chosen({DType::float32}, signatures), "0");
  EXPECT_EQ(chosen({DType::int32}, signatures), "2");
  EXPECT_EQ(chosen({DType::int64}, signatures), "1") << "safe before unsafe";
}

TEST(ChooseSignature, SaysWhatCameAndWhatFits) {
  const std::vector<Signature> signatures = {{DType::float32, DType::int64}};
  EXPECT_EQ(
      chosen({DType::int8}, signatures),
      "work expects 2 arguments, got 1; declared:\n    (float32, int64)");
  EXPECT_EQ(
      chosen({DType::complex64, DType::int8}, signatures),
      "No matching definition of work for argument types (complex64, int8); declared:\n"
      "    (float32, int64)");
}

TEST(ChooseSignature, RefusesToChooseBetweenEquals) {
  const std::vector<Signature> signatures = {
      {DType::float32, DType::float64},
      {DType::float64, DType::float32},
      {DType::int64, DType::int64}};
  EXPECT_EQ(
      chosen({DType::float64, DType::float64}, signatures),
      "Ambiguous overloading for work (float64, float64); these fit equally well:\n"
      "    (float32, float64)\n"
      "    (float64, float32)");
  EXPECT_EQ(chosen({DType::float64}, {{DType::float32}, {DType::float32}}), "0");
}

}  // namespace
}  // namespace phalanx::jit
