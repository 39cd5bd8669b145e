// Timings, on demand: --gtest_also_run_disabled_tests --gtest_filter='*CpuBench*'
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include <gtest/gtest.h>

#include "tests/cpp/codegen/cpu/harness.h"
#include "tests/cpp/codegen/cpu/mandelbrot.h"

namespace phalanx::testing {
namespace {

double best_seconds(int runs, const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

TEST(CpuBench, DISABLED_mandelbrot) {
  constexpr unsigned width = 2048;
  constexpr unsigned height = 1024;
  for (const bool contract : {false, true}) {
    for (const unsigned lanes : {1U, 8U, 16U, 32U}) {
      for (const Extent block : {Extent{256, 1}, Extent{32, 8}, Extent{16, 16}}) {
        codegen::Options options;
        options.contract = contract;
        Compiled kernel(mandelbrot_text, {lanes, shape_of(block, lanes)}, options);
        std::vector<std::int32_t> out(std::size_t{width} * height);
        Arguments arguments;
        arguments.array(out, {height, width});
        arguments.add(-2.0F).add(-1.0F).add(3.0F / width).add(2.0F / height).add(256);
        const double seconds = best_seconds(lanes == 1 ? 2 : 7, [&] {
          kernel.run({width / block.x, height / block.y}, block, arguments);
        });
        std::printf(
            "mandelbrot contract %d lanes %2u block %ux%u: %.1f ms\n",
            contract,
            lanes,
            block.x,
            block.y,
            1e3 * seconds);
      }
    }
  }
}

}  // namespace
}  // namespace phalanx::testing
