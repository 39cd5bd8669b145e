#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/cpp/codegen/cpu/harness.h"
#include "tests/cpp/codegen/cpu/levels.h"

namespace phalanx::test {
namespace {

using Wide = long double;  // 11 more bits than float64

struct Function {
  std::string name;  // in ops.def
  int arity;
  void* oracle;  // the C library's, of `Wide`
  double low;    // arguments are drawn from [low, high] and from all magnitudes in there
  double high;

  Wide operator()(Wide x, Wide y) const {
    return arity == 1 ? reinterpret_cast<Wide (*)(Wide)>(oracle)(x)
                      : reinterpret_cast<Wide (*)(Wide, Wide)>(oracle)(x, y);
  }
};

struct Range {
  std::string_view name;
  double low;
  double high;
};

// Where a function is neither trivial nor out of range; others have arguments of all sizes.
constexpr Range ranges[] = {
    {"power", -30, 30},
    {"exp", -85, 85},
    {"exp2", -120, 120},
    {"expm1", -85, 85},
    {"log", 0, 1e30},
    {"log2", 0, 1e30},
    {"log10", 0, 1e30},
    {"log1p", -0.999, 1e30},
    {"arcsin", -1, 1},
    {"arccos", -1, 1},
    {"arctan2", -1e10, 1e10},
    {"sinh", -85, 85},
    {"cosh", -85, 85},
    {"tanh", -85, 85},
    {"arcsinh", -1e18, 1e18},
    {"arccosh", 1, 1e18},
    {"arctanh", -0.9999, 0.9999},
    {"hypot", -1e15, 1e15},
    {"erf", -6, 6},
    {"erfc", -6, 9},
    {"gamma", 0.01, 33},
    {"lgamma", 0.01, 1e10},
    {"fmod", -1e6, 1e6},
    {"ieee_remainder", -1e6, 1e6},
};

Function function_of(const std::string& name) {
  const ir::OpInfo& row = ir::info(ir::op_from_name(name).value());
  constexpr std::string_view device = "__nv_";
  const std::string_view stem = row.sleef.empty() ? row.nv.substr(device.size()) : row.sleef;
  void* oracle = dlsym(RTLD_DEFAULT, (std::string(stem) + "l").c_str());
  if (oracle == nullptr)
    throw std::runtime_error("the C library has no function for " + name);
  const auto* range = std::ranges::find(ranges, name, &Range::name);
  const bool is_found = range != std::end(ranges);
  return {name, row.arity, oracle, is_found ? range->low : -1e30, is_found ? range->high : 1e30};
}

template <typename T>
std::string kernel_text(const Function& function) {
  const std::string type = sizeof(T) == 4 ? "f32" : "f64";
  const std::string array = ": array<" + type + ", 1, C, global>";
  return "kernel @f(%x" + array + ", %z" + array + ", %y" + array + ") {\n" +
         "  %t = thread_index 0 : i32\n  %b = block_index 0 : i32\n  %e = block_extent 0 : i32\n" +
         "  %t64 = cast %t : i64\n  %b64 = cast %b : i64\n  %e64 = cast %e : i64\n" +
         "  %first = multiply %b64, %e64 : i64\n  %i = add %first, %t64 : i64\n" +
         "  %u = array_load %x, %i : " + type + "\n  %v = array_load %z, %i : " + type + "\n" +
         "  %r = " + function.name + " %u" + (function.arity == 2 ? ", %v" : "") + " : " + type +
         "\n  array_store %y, %i, %r\n}\n";
}

// Half of them evenly spread, half over all magnitudes.
template <typename T>
std::vector<T> arguments_for(const Function& function, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> even(
      std::max(function.low, -100.0), std::min(function.high, 100.0));
  std::uniform_real_distribution<double> exponent(-20.0, 30.0);
  std::vector<T> values;
  while (values.size() < count) {
    double value = even(random);
    if (values.size() % 2 == 1)
      value = std::copysign(std::pow(10.0, exponent(random)), value);
    if (value > function.low && value < function.high)
      values.push_back(static_cast<T>(value));
    else
      values.push_back(static_cast<T>(even(random)));
  }
  return values;
}

template <typename T>
double distance_in_ulp(T actual, Wide expected) {
  const T rounded = static_cast<T>(expected);
  if (std::isnan(rounded) || std::isinf(rounded) || std::isnan(actual) || std::isinf(actual))
    return (std::isnan(rounded) && std::isnan(actual)) || rounded == actual ? 0.0 : 1e9;
  const T size = std::max(std::fabs(rounded), std::numeric_limits<T>::min());
  const T ulp = std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
  return static_cast<double>(std::fabs((static_cast<Wide>(actual) - expected) / ulp));
}

// The bounds that docs/accuracy.md promises: name -> {float32, float64}.
std::map<std::string, std::pair<double, double>> promised() {
  std::ifstream file(PHX_SOURCE_DIR "/docs/accuracy.md");
  std::map<std::string, std::pair<double, double>> bounds;
  std::string line;
  while (std::getline(file, line)) {
    char name[64] = {};
    double single = 0;
    double twice = 0;
    if (std::sscanf(line.c_str(), "| `%63[a-z0-9_]` | %lf | %lf |", name, &single, &twice) == 3)
      bounds[name] = {single, twice};
  }
  return bounds;
}

template <typename T>
std::vector<T> compute(
    const Function& function,
    unsigned lanes,
    std::vector<T> x,
    std::vector<T> z,
    const Target& target = codegen::cpu::host_target()) {
  Compiled kernel(
      kernel_text<T>(function), {lanes, codegen::BlockShape::one_dimensional}, {}, true, target);
  std::vector<T> y(x.size());
  Arguments arguments;
  arguments.array(x).array(z).array(y);
  kernel.run({static_cast<unsigned>(x.size() / 64)}, {64}, arguments);
  return y;
}

template <typename T>
void check(const Function& function, double bound) {
  constexpr std::size_t count = 5056;
  const auto x = arguments_for<T>(function, count, 1);
  auto z = arguments_for<T>(function, count, 2);
  const auto y = compute(function, 32, x, z);
  double worst = 0;
  std::size_t worst_at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double distance = distance_in_ulp<T>(y[i], function(x[i], z[i]));
    if (distance > worst) {
      worst = distance;
      worst_at = i;
    }
  }
  EXPECT_LE(worst, bound) << function.name << " of " << sizeof(T) << " bytes at " << x[worst_at]
                          << ", " << z[worst_at] << ": " << y[worst_at];
  // A lane's result does not depend on the lanes around it, nor on the width.
  const std::vector<T> few_x(x.begin(), x.begin() + 640);
  const std::vector<T> few_z(z.begin(), z.begin() + 640);
  for (const unsigned lanes : {1U, 4U, 8U, 16U}) {
    const auto same = compute(function, lanes, few_x, few_z);
    EXPECT_EQ(std::memcmp(same.data(), y.data(), same.size() * sizeof(T)), 0)
        << function.name << " lanes " << lanes;
  }
}

TEST(CpuMath, is_as_accurate_as_the_documentation_says) {
  const auto promises = promised();
  ASSERT_FALSE(promises.empty());
  for (const auto& [name, bounds] : promises) {
    const Function function = function_of(name);
    check<float>(function, bounds.first);
    check<double>(function, bounds.second);
  }
}

// No argument of these is so near to the middle of two numbers that float64 would not tell.
TEST(CpuMath, sines_of_float32_are_rounded_once_on_every_cpu) {
  for (const char* name : {"sin", "cos"}) {
    const Function function = function_of(name);
    const auto x = arguments_for<float>(function, 1280, 3);
    std::vector<float> expected;
    for (const float each : x) expected.push_back(static_cast<float>(function(each, 0)));
    for (const Level& level : levels()) {
      for (const unsigned lanes : {1U, 4U, 16U, 32U})
        EXPECT_EQ(compute(function, lanes, x, x, level.target), expected)
            << function.name << " on " << level.name << ", lanes " << lanes;
    }
  }
}

}  // namespace
}  // namespace phalanx::test
