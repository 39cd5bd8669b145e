#include <gtest/gtest.h>

#include "tests/cpp/codegen/cpu/harness.h"
#include "tests/cpp/codegen/cpu/mandelbrot.h"

namespace phalanx::testing {
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

}  // namespace
}  // namespace phalanx::testing
