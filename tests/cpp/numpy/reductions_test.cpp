#include "phalanx/numpy/reductions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace phalanx::numpy {
namespace {

// The reduction of constants, which is a constant: of the first `split` elements, joined with that
// of the others.
class Folded {
 public:
  Folded(std::string_view name, DType element) : element_(element) {
    reduction_ = Reduction::find(name, element);
  }

  ir::Constant operator()(const std::vector<ir::Constant>& elements, std::size_t split) {
    const Values left = state(elements, 0, split);
    if (split == elements.size())
      return left.back()->constant;
    const Values right = state(elements, split, elements.size());
    // In either order: positions know which came first.
    const Values joined = reduction_->join(builder_, left, right);
    const Values turned = reduction_->join(builder_, right, left);
    if (!std::holds_alternative<double>(joined.back()->constant)) {
      EXPECT_EQ(joined.back()->constant, turned.back()->constant);
    }
    return joined.back()->constant;
  }

 private:
  Values state(const std::vector<ir::Constant>& elements, std::size_t first, std::size_t last) {
    const auto element = [&](std::size_t i) { return builder_.constant(element_, elements[i]); };
    const auto index = [&](std::size_t i) {
      return builder_.integer(static_cast<std::int64_t>(i));
    };
    const auto identity = reduction_->identity();
    Values state = identity ? Values{builder_.constant(reduction_->state()[0], *identity)}
                            : reduction_->first(builder_, element(first), index(first));
    for (std::size_t i = first + (identity ? 0 : 1); i < last; ++i)
      state = reduction_->step(builder_, state, element(i), index(i));
    EXPECT_EQ(state.size(), reduction_->state().size());
    return state;
  }

  DType element_;
  std::optional<Reduction> reduction_;
  ir::Module module_;
  ir::Builder builder_{ir::add_function(module_, "f", ir::FunctionKind::device, {}, element_)};
};

struct Case {
  std::string_view name;
  DType element;
  std::vector<ir::Constant> elements;
  ir::Constant expected;
};

using Integer = std::int64_t;
const double nan = std::nan("");

// Extremes of floats are not folded: tests/python has them.
const std::vector<Case> cases = {
    {"sum", DType::int8, {Integer{100}, Integer{100}, Integer{100}}, Integer{300}},
    {"sum", DType::uint8, {Integer{200}, Integer{200}}, Integer{400}},
    {"sum", DType::boolean, {true, true, false}, Integer{2}},
    {"sum", DType::float32, {1.5, 2.0, -0.25}, 3.25},
    {"prod", DType::int32, {Integer{7}, Integer{-3}, Integer{2}}, Integer{-42}},
    {"prod", DType::float64, {0.5, 8.0, 2.0}, 8.0},
    {"min", DType::int64, {Integer{3}, Integer{-4}, Integer{9}}, Integer{-4}},
    {"amax", DType::uint8, {Integer{3}, Integer{255}, Integer{9}}, Integer{255}},
    {"argmin", DType::int32, {Integer{3}, Integer{1}, Integer{1}, Integer{2}}, Integer{1}},
    {"argmax", DType::int32, {Integer{1}, Integer{3}, Integer{3}, Integer{3}}, Integer{1}},
    {"argmax", DType::float64, {1.0, 2.0, 2.0, 0.0}, Integer{1}},
    {"argmin", DType::float64, {1.0, nan, 0.0, nan}, Integer{1}},
    {"argmax", DType::float32, {nan, 5.0, nan, 9.0}, Integer{0}},
    {"argmax", DType::boolean, {false, false, true, true}, Integer{2}},
    {"any", DType::int32, {Integer{0}, Integer{0}, Integer{4}}, true},
    {"any", DType::float32, {0.0, 0.0, -0.0}, false},
    {"all", DType::float64, {1.0, nan, 0.5}, true},
    {"all", DType::int8, {Integer{1}, Integer{0}, Integer{1}}, false},
};

TEST(Reductions, JoinWhatTheirPartsGive) {
  for (const Case& each : cases) {
    for (std::size_t split = 1; split <= each.elements.size(); ++split)
      EXPECT_EQ(Folded(each.name, each.element)(each.elements, split), each.expected)
          << each.name << " of " << info(each.element).name << ", split at " << split;
  }
}

TEST(Reductions, HaveNoOrderOfComplexNumbers) {
  for (const std::string_view name : {"min", "max", "argmin", "argmax"})
    EXPECT_FALSE(Reduction::find(name, DType::complex64)) << name;
  for (const std::string_view name : {"sum", "prod", "any", "all"})
    EXPECT_TRUE(Reduction::find(name, DType::complex64)) << name;
  EXPECT_FALSE(Reduction::find("median", DType::float64));
}

TEST(Reductions, ComputeSumsAndMeansInTypesThatHoldThem) {
  EXPECT_EQ(type_of_sum(DType::boolean), DType::int64);
  EXPECT_EQ(type_of_sum(DType::int16), DType::int64);
  EXPECT_EQ(type_of_sum(DType::uint32), DType::uint64);
  EXPECT_EQ(type_of_sum(DType::float32), DType::float32);
  EXPECT_EQ(type_of_sum(DType::int16, DType::float32), DType::float32);
  EXPECT_EQ(type_of_mean(DType::uint8), DType::float64);
  EXPECT_EQ(type_of_mean(DType::float16), DType::float32);
  EXPECT_EQ(type_of_mean(DType::bfloat16), DType::float32);
  EXPECT_EQ(type_of_mean(DType::complex64), DType::complex64);
}

}  // namespace
}  // namespace phalanx::numpy
