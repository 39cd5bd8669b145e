// What elementwise operations compute, against C++ references, on single values and on vectors.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <type_traits>

#include "tests/cpp/codegen/cpu/harness.h"

namespace phalanx::test {
namespace {

template <typename T>
constexpr const char* name_of = "";
template <>
constexpr const char* name_of<std::uint8_t> = "u8";  // of bool arrays, too
template <>
constexpr const char* name_of<std::int8_t> = "i8";
template <>
constexpr const char* name_of<std::int16_t> = "i16";
template <>
constexpr const char* name_of<std::uint16_t> = "u16";
template <>
constexpr const char* name_of<std::int32_t> = "i32";
template <>
constexpr const char* name_of<std::uint32_t> = "u32";
template <>
constexpr const char* name_of<std::int64_t> = "i64";
template <>
constexpr const char* name_of<std::uint64_t> = "u64";
template <>
constexpr const char* name_of<float> = "f32";
template <>
constexpr const char* name_of<double> = "f64";
template <>
constexpr const char* name_of<std::complex<double>> = "c128";
template <>
constexpr const char* name_of<std::complex<float>> = "c64";

// out[i] = op(in[0][i], in[1][i]...) with `operation` as IR, %a and %b its operands.
std::string kernel_text(
    const std::vector<std::string>& inputs, const std::string& operation, const std::string& out) {
  std::string text = "kernel @k(";
  for (std::size_t k = 0; k < inputs.size(); ++k)
    text += "%p" + std::to_string(k) + ": array<const " + inputs[k] + ", 1, C, global>, ";
  text += "%out: array<" + out + ", 1, C, global>) {\n";
  text += "  %thread = thread_index 0 : i32\n  %i = cast %thread : i64\n";
  for (std::size_t k = 0; k < inputs.size(); ++k)
    text += "  %" + std::string(1, static_cast<char>('a' + k)) + " = array_load %p" +
            std::to_string(k) + ", %i : " + inputs[k] + "\n";
  return text + "  %r = " + operation + " : " + out + "\n  array_store %out, %i, %r\n  return\n}\n";
}

template <typename In, typename Out>
std::vector<Out> run_with(
    const std::string& text, unsigned lanes, std::vector<In> a, std::vector<In> b) {
  Compiled kernel(text, {lanes, codegen::BlockShape::one_dimensional}, {.contract = false});
  std::vector<Out> out(a.size());
  Arguments arguments;
  arguments.array(a);
  if (!b.empty())
    arguments.array(b);
  arguments.array(out);
  kernel.run({}, {static_cast<unsigned>(a.size())}, arguments);
  return out;
}

// All pairs of the values.
template <typename T>
std::pair<std::vector<T>, std::vector<T>> pairs(const std::vector<T>& values) {
  std::vector<T> a;
  std::vector<T> b;
  for (const T& x : values) {
    for (const T& y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  return {a, b};
}

template <typename T>
std::vector<T> interesting() {
  if constexpr (std::is_integral_v<T>) {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values = {0, 1, 2, 3, 5, 7, 13, 100};
    values.insert(
        values.end(),
        {Limits::max(),
         Limits::min(),
         static_cast<T>(Limits::max() - 1),
         static_cast<T>(-1),
         static_cast<T>(-2),
         static_cast<T>(-3),
         static_cast<T>(-7),
         static_cast<T>(-100),
         static_cast<T>(Limits::max() / 3),
         static_cast<T>(Limits::min() / 2)});
    return values;
  } else {
    const T inf = std::numeric_limits<T>::infinity();
    return {
        T(0),
        T(-0.0),
        T(1),
        T(-1),
        T(0.5),
        T(-2.5),
        T(3),
        T(-7),
        T(0.1),
        T(1e10),
        T(-1e-10),
        T(123.456),
        inf,
        -inf,
        std::numeric_limits<T>::quiet_NaN()};
  }
}

template <typename T>
bool same(T x, T y) {
  if constexpr (std::is_floating_point_v<T>)
    return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
  else
    return x == y;
}

template <typename T, typename Out = T>
void expect_pairs(
    const std::string& operation,
    const std::type_identity_t<std::function<Out(T, T)>>& reference,
    const std::vector<T>& values = interesting<T>(),
    const char* out_name = name_of<Out>) {
  const auto [a, b] = pairs(values);
  const std::string text = kernel_text({name_of<T>, name_of<T>}, operation, out_name);
  for (const unsigned lanes : {1U, 16U}) {
    const std::vector<Out> out = run_with<T, Out>(text, lanes, a, b);
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_TRUE(same(out[i], reference(a[i], b[i])))
          << operation << " on " << name_of<T> << " " << +a[i] << ", " << +b[i] << " gave "
          << +out[i] << ", not " << +reference(a[i], b[i]) << ", lanes " << lanes;
  }
}

template <typename T>
class IntegerOperations : public ::testing::Test {};
using Integers = ::testing::Types<
    std::int8_t,
    std::int16_t,
    std::int32_t,
    std::int64_t,
    std::uint8_t,
    std::uint16_t,
    std::uint32_t,
    std::uint64_t>;
TYPED_TEST_SUITE(IntegerOperations, Integers);

template <typename T>
T floor_quotient(T x, T y) {
  if (y == 0)
    return 0;
  if (std::is_signed_v<T> && y == static_cast<T>(-1))
    return static_cast<T>(0 - static_cast<std::uint64_t>(x));
  T quotient = static_cast<T>(x / y);
  if (x % y != 0 && (x < 0) != (y < 0))
    --quotient;
  return quotient;
}

TYPED_TEST(IntegerOperations, divide_as_python_does_and_never_trap) {
  using T = TypeParam;
  expect_pairs<T>("floor_divide %a, %b", floor_quotient<T>);
  expect_pairs<T>("remainder %a, %b", [](T x, T y) {
    const auto product =
        static_cast<std::uint64_t>(floor_quotient(x, y)) * static_cast<std::uint64_t>(y);
    return y == 0 ? T(0) : static_cast<T>(static_cast<std::uint64_t>(x) - product);
  });
}

TYPED_TEST(IntegerOperations, wrap_around) {
  using T = TypeParam;
  const auto wide = [](T x) { return static_cast<std::uint64_t>(x); };
  expect_pairs<T>("add %a, %b", [&](T x, T y) { return static_cast<T>(wide(x) + wide(y)); });
  expect_pairs<T>("multiply %a, %b", [&](T x, T y) { return static_cast<T>(wide(x) * wide(y)); });
  expect_pairs<T>("subtract %a, %b", [&](T x, T y) { return static_cast<T>(wide(x) - wide(y)); });
}

TYPED_TEST(IntegerOperations, raise_to_powers) {
  using T = TypeParam;
  expect_pairs<T>("power %a, %b", [](T x, T y) -> T {
    if (y < 0) {
      if (x == 1)
        return 1;
      if (x == static_cast<T>(-1))
        return y % 2 == 0 ? T(1) : static_cast<T>(-1);
      return 0;
    }
    std::uint64_t result = 1;
    std::uint64_t square = static_cast<std::uint64_t>(x);
    for (auto left = static_cast<std::uint64_t>(y); left != 0; left >>= 1U) {
      if ((left & 1U) != 0)
        result *= square;
      square *= square;
    }
    return static_cast<T>(result);
  });
}

TYPED_TEST(IntegerOperations, shift_every_bit_out) {
  using T = TypeParam;
  using Unsigned = std::make_unsigned_t<T>;
  constexpr std::uint64_t bits = 8 * sizeof(T);
  expect_pairs<T>("left_shift %a, %b", [](T x, T y) {
    const std::uint64_t amount = static_cast<Unsigned>(y);
    return amount >= bits ? T(0) : static_cast<T>(static_cast<std::uint64_t>(x) << amount);
  });
  expect_pairs<T>("right_shift %a, %b", [](T x, T y) {
    const std::uint64_t amount = static_cast<Unsigned>(y);
    if (amount >= bits)
      return x < 0 ? static_cast<T>(-1) : T(0);
    return static_cast<T>(x >> amount);
  });
}

TYPED_TEST(IntegerOperations, count_and_reverse_bits) {
  using T = TypeParam;
  using Unsigned = std::make_unsigned_t<T>;
  const std::vector<T> values = interesting<T>();
  const auto check = [&](const std::string& name, const std::function<int(Unsigned)>& reference) {
    for (const unsigned lanes : {1U, 16U}) {
      const auto out = run_with<T, std::int32_t>(
          kernel_text({name_of<T>}, name + " %a", "i32"), lanes, values, {});
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(out[i], reference(static_cast<Unsigned>(values[i]))) << name << " " << +values[i];
    }
  };
  check("popcount", [](Unsigned x) { return std::popcount(x); });
  check("leading_zeros", [](Unsigned x) { return std::countl_zero(x); });
  check("trailing_zeros", [](Unsigned x) { return std::countr_zero(x); });
}

template <typename T>
class FloatOperations : public ::testing::Test {};
using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FloatOperations, Floats);

// CPython's float_divmod.
template <typename T>
std::pair<T, T> python_divmod(T x, T y) {
  T remainder = std::fmod(x, y);
  if (y == 0)
    return {x / y, remainder};
  T quotient = (x - remainder) / y;
  if (remainder != 0 && (y < 0) != (remainder < 0)) {
    remainder += y;
    quotient -= 1;
  } else if (remainder == 0) {
    remainder = std::copysign(T(0), y);
  }
  if (quotient == 0)
    return {std::copysign(T(0), x / y), remainder};
  T floored = std::floor(quotient);
  if (quotient - floored > T(0.5))
    floored += 1;
  return {floored, remainder};
}

TYPED_TEST(FloatOperations, divide_as_python_does) {
  using T = TypeParam;
  expect_pairs<T>("floor_divide %a, %b", [](T x, T y) { return python_divmod(x, y).first; });
  expect_pairs<T>("remainder %a, %b", [](T x, T y) { return python_divmod(x, y).second; });
}

TYPED_TEST(FloatOperations, order_numbers_around_nan) {
  using T = TypeParam;
  std::vector<T> values = interesting<T>();
  values.erase(values.begin() + 1);  // -0.0: which zero is the lesser is not said
  expect_pairs<T>(
      "minimum %a, %b",
      [](T x, T y) { return std::isnan(x) || std::isnan(y) ? T(NAN) : std::min(x, y); },
      values);
  expect_pairs<T>("fmax %a, %b", [](T x, T y) { return std::fmax(x, y); }, values);
  expect_pairs<T, std::uint8_t>(
      "not_equal %a, %b", [](T x, T y) -> std::uint8_t { return x != y; }, values, "bool");
  expect_pairs<T, std::uint8_t>(
      "less_equal %a, %b", [](T x, T y) -> std::uint8_t { return x <= y; }, values, "bool");
}

std::uint16_t bits_of_bfloat(double value) {
  // Candidates around the value: the nearest, ties to the even pattern.
  const auto narrow = static_cast<float>(value);
  const std::uint32_t high = std::bit_cast<std::uint32_t>(narrow) >> 16U;
  std::uint16_t best = static_cast<std::uint16_t>(high);
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t candidate : {high - 1, high, high + 1}) {
    const auto number = static_cast<double>(std::bit_cast<float>(candidate << 16U));
    const double distance = std::abs(number - value);
    if (distance < least || (distance == least && candidate % 2 == 0)) {
      least = distance;
      best = static_cast<std::uint16_t>(candidate);
    }
  }
  return best;
}

TEST(Casts, round_to_bfloat16_once) {
  std::vector<double> values;
  for (int i = 1; i < 2000; ++i) {
    const double tie =
        1.0 + 0.00390625 * (2 * i + 1) / 2.0;  // half way between neighbours, and near
    values.insert(values.end(), {tie, tie + 1e-12, tie - 1e-12, -tie, i / 7.0});
  }
  values.resize(1024);
  for (const unsigned lanes : {1U, 16U}) {
    const auto out =
        run_with<double, std::uint16_t>(kernel_text({"f64"}, "cast %a", "bf16"), lanes, values, {});
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(out[i], bits_of_bfloat(values[i])) << values[i];
  }
}

TEST(Casts, round_float64_to_float16_once) {
  // 1 + 2**-11 is a tie; float32 cannot tell it from its neighbour 2**-30 away.
  const double tie = 1.0 + std::ldexp(1.0, -11);
  const double nudge = std::ldexp(1.0, -30);
  const std::vector<double> values = {tie, tie + nudge, tie - nudge, 65519.99999, 65520.0, 1e-8};
  const std::vector<std::uint16_t> expected = {0x3c00, 0x3c01, 0x3c00, 0x7bff, 0x7c00, 0x0000};
  for (const unsigned lanes : {1U, 16U}) {
    const auto out =
        run_with<double, std::uint16_t>(kernel_text({"f64"}, "cast %a", "f16"), lanes, values, {});
    EXPECT_EQ(out, expected);
  }
}

TEST(Casts, narrow_integers_take_the_low_bits_of_floats) {
  const std::vector<double> values = {-1.0, 255.0, 256.0, 300.9, -128.5, 3.99};
  const std::vector<std::uint8_t> expected = {255, 255, 0, 44, 128, 3};
  for (const unsigned lanes : {1U, 16U}) {
    const auto out =
        run_with<double, std::uint8_t>(kernel_text({"f64"}, "cast %a", "u8"), lanes, values, {});
    EXPECT_EQ(out, expected);
  }
}

using Number = std::complex<double>;

// Relative error of the whole number: one part may be lost in the other's rounding.
void expect_near(Number actual, Number expected, const std::string& what) {
  if (std::isnan(expected.real()) || std::isnan(expected.imag())) {
    EXPECT_TRUE(std::isnan(actual.real()) || std::isnan(actual.imag())) << what;
    return;
  }
  if (std::isinf(std::abs(expected))) {
    EXPECT_TRUE(std::isinf(std::abs(actual))) << what << " gave " << actual;
    return;
  }
  EXPECT_LE(std::abs(actual - expected), 4e-15 * std::abs(expected) + 1e-300)
      << what << " gave " << actual << ", not " << expected;
}

std::vector<Number> complex_values() {
  std::vector<Number> values;
  for (const double x : {0.0, 1.0, -1.0, 0.3, -2.5, 7.0, 1e-3})
    for (const double y : {0.0, 1.0, -1.0, 0.7, -3.25, 1e-4}) values.emplace_back(x, y);
  return values;
}

TEST(ComplexOperations, agree_with_the_standard_library) {
  const std::vector<Number> values = complex_values();
  const auto check = [&](const std::string& name, const std::function<Number(Number)>& reference) {
    for (const unsigned lanes : {1U, 16U}) {
      const auto out =
          run_with<Number, Number>(kernel_text({"c128"}, name + " %a", "c128"), lanes, values, {});
      for (std::size_t i = 0; i < values.size(); ++i) {
        std::ostringstream what;
        what << name << values[i] << " lanes " << lanes;
        expect_near(out[i], reference(values[i]), what.str());
      }
    }
  };
  check("sqrt", [](Number z) { return std::sqrt(z); });
  check("exp", [](Number z) { return std::exp(z); });
  check("sin", [](Number z) { return std::sin(z); });
  check("cos", [](Number z) { return std::cos(z); });
  check("negative", [](Number z) { return -z; });
  check("log", [](Number z) { return std::log(z); });
}

TEST(ComplexOperations, divide_and_raise_pairs) {
  auto [a, b] = pairs(std::vector<Number>{
      {1, 2}, {-3, 0.5}, {0.25, -4}, {1e200, 1e200}, {1e-200, 3e-200}, {0, 1}, {2, 0}});
  for (const unsigned lanes : {1U, 16U}) {
    const auto quotients = run_with<Number, Number>(
        kernel_text({"c128", "c128"}, "true_divide %a, %b", "c128"), lanes, a, b);
    for (std::size_t i = 0; i < a.size(); ++i) expect_near(quotients[i], a[i] / b[i], "quotient");
  }
  auto [base, exponent] = pairs(std::vector<Number>{{1, 2}, {-3, 0.5}, {2, 0}, {0, 0}, {0.5, 0.5}});
  for (const unsigned lanes : {1U, 16U}) {
    const auto powers = run_with<Number, Number>(
        kernel_text({"c128", "c128"}, "power %a, %b", "c128"), lanes, base, exponent);
    for (std::size_t i = 0; i < base.size(); ++i) {
      Number expected = std::pow(base[i], exponent[i]);
      if (exponent[i] == 0.0)
        expected = 1.0;
      else if (base[i] == 0.0)  // as NumPy has it
        expected = exponent[i].real() > 0 ? 0.0 : std::numeric_limits<double>::quiet_NaN();
      std::ostringstream what;
      what << base[i] << " ** " << exponent[i];
      expect_near(powers[i], expected, what.str());
    }
  }
}

TEST(ComplexOperations, divide_by_zero_without_a_trap) {
  const std::vector<Number> a = {{1, -2}, {0, 0}};
  const std::vector<Number> b = {{0, 0}, {0, 0}};
  const auto out = run_with<Number, Number>(
      kernel_text({"c128", "c128"}, "true_divide %a, %b", "c128"), 16, a, b);
  EXPECT_TRUE(std::isinf(out[0].real()) && std::isinf(out[0].imag()));
  EXPECT_TRUE(std::isnan(out[1].real()) && std::isnan(out[1].imag()));
}

}  // namespace
}  // namespace phalanx::test
