#include <gtest/gtest.h>

#include <complex>
#include <numeric>

#include "tests/cpp/codegen/cpu/harness.h"

namespace phalanx::test {
namespace {

constexpr unsigned every_width[] = {1, 4, 8, 16, 32};

// i: the thread's number, in every kernel here.
const std::string prologue = R"(
  %t32 = thread_index 0 : i32
  %i = cast %t32 : i64
  %n = array_shape 0, %x : i64
  %inside = less %i, %n : bool
)";

// Reverses its row of 5 numbers through a local array, with an index that differs between threads.
const std::string reverse = R"(
kernel @reverse(%x: array<f32, 2, C, global>, %shift: array<i32, 1, C, global>) {
  var $k: i64
)" + prologue + R"(
  if %inside {
    %a = local_array [5] : array<f32, 1, C, local>
    %zero = constant 0 : i64
    %one = constant 1 : i64
    %four = constant 4 : i64
    %five = constant 5 : i64
    set $k, %zero
    loop {
      %k = get $k : i64
      %stop = greater_equal %k, %five : bool
      if %stop {
        break 0
      }
      %v = array_load %x, %i, %k : f32
      %m = subtract %four, %k : i64
      array_store %a, %m, %v
    } step {
      %k2 = get $k : i64
      %k3 = add %k2, %one : i64
      set $k, %k3
    }
    %s32 = array_load %shift, %i : i32
    %s = cast %s32 : i64
    set $k, %zero
    loop {
      %k4 = get $k : i64
      %stop2 = greater_equal %k4, %five : bool
      if %stop2 {
        break 0
      }
      %p = add %k4, %s : i64
      %q = remainder %p, %five : i64
      %w = array_load %a, %q : f32
      array_store %x, %i, %k4, %w
    } step {
      %k5 = get $k : i64
      %k6 = add %k5, %one : i64
      set $k, %k6
    }
  }
}
)";

TEST(CpuMemory, local_arrays_take_any_index) {
  for (const unsigned lanes : every_width) {
    Compiled kernel(reverse, {lanes, codegen::BlockShape::one_dimensional});
    constexpr std::int64_t rows = 45;
    std::vector<float> x(rows * 5);
    std::iota(x.begin(), x.end(), 0.0F);
    const std::vector<float> before = x;
    std::vector<std::int32_t> shift(rows);
    for (std::size_t i = 0; i < shift.size(); ++i) shift[i] = static_cast<int>(i * 3 % 5);
    Arguments arguments;
    arguments.array(x, {rows, 5}).array(shift);
    kernel.run({1}, {64}, arguments);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < 5; ++k) {
        const std::size_t from = 4 - (k + static_cast<std::size_t>(shift[i])) % 5;
        ASSERT_EQ(x[i * 5 + k], before[i * 5 + from]) << "lanes " << lanes;
      }
    }
  }
}

// z = z * z + conj-like parts: complex numbers through gathers and local memory; a bool array; a
// strided view.
const std::string mixed = R"(
kernel @mixed(%x: array<c64, 1, C, global>, %flags: array<bool, 1, C, global>, %y: array<f64, 1, any, global>) {
)" + prologue + R"(
  if %inside {
    %z = array_load %x, %i : c64
    %zz = multiply %z, %z : c64
    %re = complex_real %zz : f32
    %im = complex_imag %zz : f32
    %positive = greater %re, %im : bool
    array_store %flags, %i, %positive
    %flag = array_load %flags, %i : bool
    if %flag {
      array_store %x, %i, %zz
      %d = cast %re : f64
      array_store %y, %i, %d
    }
  }
}
)";

TEST(CpuMemory, complex_numbers_bools_and_strides) {
  for (const unsigned lanes : every_width) {
    Compiled kernel(mixed, {lanes, codegen::BlockShape::one_dimensional});
    constexpr std::size_t n = 77;
    std::vector<std::complex<float>> x(n);
    for (std::size_t i = 0; i < n; ++i)
      x[i] = {static_cast<float>(i % 7), static_cast<float>(i % 5)};
    const auto before = x;
    std::vector<std::uint8_t> flags(n, 7);
    std::vector<double> y(3 * n, -1.0);
    Arguments arguments;
    arguments.array(x).array(flags).add(y.data()).add(std::int64_t{n}).add(std::int64_t{24});
    kernel.run({1}, {96}, arguments);
    for (std::size_t i = 0; i < n; ++i) {
      const float re = before[i].real() * before[i].real() - before[i].imag() * before[i].imag();
      const float im = 2 * before[i].real() * before[i].imag();
      const bool is_set = re > im;
      ASSERT_EQ(flags[i], is_set ? 1 : 0) << "lanes " << lanes << " i " << i;
      ASSERT_EQ(x[i], is_set ? std::complex<float>(re, im) : before[i]);
      ASSERT_EQ(y[3 * i], is_set ? static_cast<double>(re) : -1.0);
      ASSERT_EQ(y[3 * i + 1], -1.0);
    }
  }
}

const std::string atomics = R"(
kernel @atomics(%x: array<i32, 1, C, global>, %bins: array<i32, 1, C, global>, %f: array<f32, 1, C, global>, %old: array<i32, 1, C, global>) {
)" + prologue + R"(
  if %inside {
    %v = array_load %x, %i : i32
    %v64 = cast %v : i64
    %zero = constant 0 : i64
    %one = constant 1 : i64
    %two = constant 2 : i64
    %inc = constant 1 : i32
    %bin = array_element %bins, %v64 : ptr<i32, global>
    %unused = atomic "add", %bin, %inc : i32
    %ten = constant 10 : i64
    %eleven = constant 11 : i64
    %twelve = constant 12 : i64
    %total = array_element %bins, %ten : ptr<i32, global>
    %u2 = atomic "add", %total, %v : i32
    %most = array_element %bins, %eleven : ptr<i32, global>
    %u3 = atomic "max", %most, %v : i32
    %ticket = array_element %bins, %twelve : ptr<i32, global>
    %mine = atomic "add", %ticket, %inc : i32
    array_store %old, %i, %mine
    %sum = array_element %f, %zero : ptr<f32, global>
    %vf = cast %v : f32
    %u4 = atomic "add", %sum, %vf : f32
    %least = array_element %f, %one : ptr<f32, global>
    %u5 = atomic "min", %least, %vf : f32
    %slot = array_element %f, %two : ptr<f32, global>
    %expected = constant 0.0 : f32
    %u6 = atomic_cas %slot, %expected, %vf : f32
  }
}
)";

TEST(CpuMemory, atomics) {
  for (const unsigned lanes : every_width) {
    Compiled kernel(atomics, {lanes, codegen::BlockShape::one_dimensional});
    constexpr std::size_t n = 100;
    std::vector<std::int32_t> x(n);
    std::vector<std::int32_t> bins(13, 0);
    std::vector<std::int32_t> expected(13, 0);
    float sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<std::int32_t>((i * 7 + 3) % 10);
      ++expected[static_cast<std::size_t>(x[i])];
      expected[10] += x[i];
      expected[11] = std::max(expected[11], x[i]);
      ++expected[12];
      sum += static_cast<float>(x[i]);
    }
    std::vector<float> f = {0.0F, 100.0F, 0.0F};
    std::vector<std::int32_t> old(n, -1);
    Arguments arguments;
    arguments.array(x).array(bins).array(f).array(old);
    kernel.run({1}, {128}, arguments);
    ASSERT_EQ(bins, expected) << "lanes " << lanes;
    ASSERT_EQ(f, (std::vector<float>{sum, 0.0F, 3.0F}));
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(old[i], static_cast<std::int32_t>(i));
  }
}

const std::string reports = R"(
kernel @reports(%x: array<i32, 1, C, global>) {
)" + prologue + R"(
  if %inside {
    %v = array_load %x, %i : i32
    %three = constant 3 : i32
    %big = greater %v, %three : bool
    if %big {
      %half = constant 0.5 : f64
      print "value {} at {}, {}", %v, %i, %half
      raise "ValueError: too big"
    }
    %zero = constant 0 : i32
    array_store %x, %i, %zero
  }
}
)";

TEST(CpuMemory, prints_and_raises) {
  for (const unsigned lanes : every_width) {
    codegen::Options options;
    options.debug = true;
    Compiled kernel(reports, {lanes, codegen::BlockShape::one_dimensional}, options);
    std::vector<std::int32_t> x = {1, 2, 9, 3, 5, 0};
    Arguments arguments;
    arguments.array(x);
    take_printed();
    kernel.run({1}, {40}, arguments);
    ASSERT_EQ(
        take_printed(),
        (std::vector<std::string>{"value 9 at 2, 0.500000", "value 5 at 4, 0.500000"}));
    ASSERT_EQ(x, (std::vector<std::int32_t>{0, 0, 9, 0, 5, 0})) << "lanes " << lanes;
    ASSERT_EQ(kernel.errors.records[0].site, 1U);
    ASSERT_EQ(kernel.errors.records[0].thread[0], 2U);
    ASSERT_TRUE(kernel.binary().uses_print);
    ASSERT_EQ(kernel.binary().fault_sites.size(), 1U);
    ASSERT_EQ(
        to_string(std::get<Raise>(kernel.binary().fault_sites[0].what)), "ValueError: too big");
  }
}

// Indices that wrap around at the edges only: most warps take the linear way.
const std::string wrapping = R"(
kernel @wrapping(%x: array<i32, 1, C, global>, %y: array<i32, 1, C, global>, %s: i64, %k: i64) {
)" + prologue + R"(
  if %inside {
    %moved = add %i, %s : i64
    %right = remainder %moved, %n : i64
    %back = subtract %i, %k : i64
    %left = wrap_index %back, %n : i64
    %a = array_load %x, %right : i32
    %b = array_load %x, %left : i32
    %seven = constant 7 : i32
    %c = multiply %a, %seven : i32
    %d = add %b, %c : i32
    array_store %y, %right, %d
  }
}
)";

TEST(CpuMemory, indices_that_wrap_around) {
  for (const unsigned lanes : every_width) {
    Compiled kernel(wrapping, {lanes, codegen::BlockShape::one_dimensional});
    for (const std::int64_t shift : {0, 1, 40, -1, -50}) {
      constexpr std::int64_t n = 150;
      std::vector<std::int32_t> x(n);
      std::vector<std::int32_t> y(n, -1);
      std::iota(x.begin(), x.end(), 100);
      Arguments arguments;
      arguments.array(x).array(y).add(shift).add(std::int64_t{3});
      kernel.run({1}, {192}, arguments);
      for (std::int64_t i = 0; i < n; ++i) {
        const auto right = static_cast<std::size_t>((i + shift + n) % n);
        const auto left = static_cast<std::size_t>((i - 3 + n) % n);
        ASSERT_EQ(y[right], x[left] + 7 * x[right]) << "lanes " << lanes << " shift " << shift;
      }
    }
  }
}

}  // namespace
}  // namespace phalanx::test
