#include <gtest/gtest.h>

#include <string>

#include "phalanx/base/errors.h"
#include "tests/cpp/codegen/cpu/harness.h"
#include "tests/cpp/codegen/cpu/mandelbrot.h"

namespace phalanx::test {
namespace {

constexpr unsigned every_width[] = {1, 4, 8, 16, 32};

std::int32_t mandelbrot(float cr, float ci, int limit) {
  float zr = 0;
  float zi = 0;
  int n = 0;
  for (; n < limit; ++n) {
    const float rr = zr * zr;
    const float ii = zi * zi;
    if (rr + ii > 4.0F)
      break;
    const float next = rr - ii + cr;
    zi = 2.0F * (zr * zi) + ci;
    zr = next;
  }
  return n;
}

TEST(CpuControl, mandelbrot_is_bit_for_bit_the_scalar_loop) {
  constexpr int width = 150;
  constexpr int height = 37;
  constexpr float dx = 3.0F / width;
  constexpr float dy = 2.0F / height;
  for (const unsigned lanes : every_width) {
    for (const Extent block :
         {Extent{64, 1}, Extent{32, 4}, Extent{16, 16}, Extent{8, 8}, Extent{5, 3}}) {
      codegen::Options options;
      options.contract = false;
      Compiled kernel(mandelbrot_text, {lanes, shape_of(block, lanes)}, options);
      std::vector<std::int32_t> out(width * height, -1);
      Arguments arguments;
      arguments.array(out, {height, width}).add(-2.0F).add(-1.0F).add(dx).add(dy).add(100);
      kernel.run(
          {(width + block.x - 1) / block.x, (height + block.y - 1) / block.y}, block, arguments);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          const float cr = -2.0F + static_cast<float>(x) * dx;
          const float ci = -1.0F + static_cast<float>(y) * dy;
          ASSERT_EQ(out[static_cast<std::size_t>(y * width + x)], mandelbrot(cr, ci, 100))
              << "lanes " << lanes << " block " << block.x << "x" << block.y << " at " << x << ","
              << y;
        }
      }
    }
  }
}

// Ackermann's function calls itself twice, to a depth that differs between threads.
constexpr const char* ackermann = R"(
device @ackermann(%m: i32, %n: i32) -> i32 {
  %zero = constant 0 : i32
  %one = constant 1 : i32
  %m0 = equal %m, %zero : bool
  if %m0 {
    %up = add %n, %one : i32
    return %up
  }
  %less = subtract %m, %one : i32
  %n0 = equal %n, %zero : bool
  if %n0 {
    %a = call @ackermann, %less, %one : i32
    return %a
  }
  %fewer = subtract %n, %one : i32
  %inner = call @ackermann, %m, %fewer : i32
  %b = call @ackermann, %less, %inner : i32
  return %b
}
kernel @k(%x: array<i32, 1, C, global>) {
  %t = thread_index 0 : i32
  %i = cast %t : i64
  %n = array_shape 0, %x : i64
  %inside = less %i, %n : bool
  if %inside {
    %two = constant 2 : i32
    %three = constant 3 : i32
    %m = bitwise_and %t, %three : i32
    %k = right_shift %t, %two : i32
    %r = call @ackermann, %m, %k : i32
    array_store %x, %i, %r
  }
}
)";

int ackermann_of(int m, int n) {
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann_of(m - 1, 1) : ackermann_of(m - 1, ackermann_of(m, n - 1));
}

TEST(CpuControl, functions_that_call_themselves) {
  for (const unsigned lanes : every_width) {
    Compiled kernel(ackermann, {lanes, codegen::BlockShape::one_dimensional});
    std::vector<std::int32_t> x(20, -1);
    Arguments arguments;
    arguments.array(x);
    kernel.run({1}, {24}, arguments);
    for (int i = 0; i < 20; ++i)
      ASSERT_EQ(x[static_cast<std::size_t>(i)], ackermann_of(i & 3, i >> 2)) << "lanes " << lanes;
  }
}

// Its warp is not the kernel's code: nothing there knows the block's other warps.
constexpr const char* waits_and_calls_itself = R"(
device @wait(%n: i32) -> i32 {
  %zero = constant 0 : i32
  %one = constant 1 : i32
  %is_done = equal %n, %zero : bool
  if %is_done {
    return %zero
  }
  barrier
  %less = subtract %n, %one : i32
  %r = call @wait, %less : i32
  return %r
}
kernel @k(%x: array<i32, 1, C, global>) {
  %two = constant 2 : i32
  %r = call @wait, %two : i32
  %t = thread_index 0 : i32
  %i = cast %t : i64
  array_store %x, %i, %r
}
)";

TEST(CpuControl, a_barrier_in_a_function_that_calls_itself_is_refused) {
  for (const unsigned lanes : every_width) {
    try {
      Compiled kernel(waits_and_calls_itself, {lanes, codegen::BlockShape::one_dimensional});
      FAIL() << "compiled for lanes " << lanes;
    } catch (const CompileError& error) {
      EXPECT_EQ(error.kind(), CompileError::Kind::unsupported);
      EXPECT_NE(std::string(error.what()).find("a function that calls itself"), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace phalanx::test
