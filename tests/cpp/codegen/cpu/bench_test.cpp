// Timings, on demand: --gtest_also_run_disabled_tests --gtest_filter='*CpuBench*'
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <functional>

#include <gtest/gtest.h>

#include "tests/cpp/codegen/cpu/harness.h"
#include "tests/cpp/codegen/cpu/kernels.h"
#include "tests/cpp/codegen/cpu/mandelbrot.h"

namespace phalanx::test {
namespace {

double thread_seconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The thread's own time: other work on the machine counts less.
double best_seconds(int runs, const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const double start = thread_seconds();
    work();
    best = std::min(best, thread_seconds() - start);
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

codegen::CpuVariant variant_of(Extent block, unsigned lanes) {
  return {lanes, shape_of(block, lanes)};
}

TEST(CpuBench, DISABLED_matmul) {
  constexpr std::int64_t n = 1024;
  std::vector<float> a(n * n, 1.0F);
  std::vector<float> b(n * n, 2.0F);
  std::vector<float> c(n * n);
  Arguments arguments;
  arguments.array(a, {n, n}).array(b, {n, n}).array(c, {n, n});
  for (const unsigned lanes : {8U, 16U, 32U}) {
    Compiled kernel(matmul_text, variant_of({16, 16}, lanes));
    const double seconds =
        best_seconds(10, [&] { kernel.run({n / 16, n / 16}, {16, 16}, arguments); });
    std::printf("matmul lanes %2u: %.1f GFLOP/s\n", lanes, 2e-9 * n * n * n / seconds);
  }
}

TEST(CpuBench, DISABLED_reduction) {
  constexpr std::size_t n = 10'000'384;
  std::vector<float> x(n, 1.0F);
  std::vector<float> out(n / 256);
  Arguments arguments;
  arguments.array(x).array(out);
  for (const unsigned lanes : {16U, 32U}) {
    Compiled kernel(reduction_text, variant_of({256}, lanes));
    const double seconds = best_seconds(10, [&] { kernel.run({n / 256}, {256}, arguments); });
    std::printf("reduction lanes %2u: %.2f ms\n", lanes, 1e3 * seconds);
  }
}

void time_elementwise(const char* name, const std::string& text, std::size_t n, unsigned arrays) {
  std::vector<std::vector<float>> data(arrays, std::vector<float>(n, 1.5F));
  Arguments arguments;
  for (auto& array : data) arguments.array(array);
  for (const unsigned lanes : {16U, 32U}) {
    Compiled kernel(text, variant_of({256}, lanes));
    const double seconds = best_seconds(
        10, [&] { kernel.run({static_cast<unsigned>((n + 255) / 256)}, {256}, arguments); });
    std::printf(
        "%s lanes %2u: %.2f ms, %.1f GB/s\n",
        name,
        lanes,
        1e3 * seconds,
        4e-9 * arrays * static_cast<double>(n) / seconds);
  }
}

// What a plain loop of C++ takes, for comparison under the same load.
void time_plain_add(std::size_t n) {
  std::vector<float> a(n, 1.5F);
  std::vector<float> b(n, 1.5F);
  std::vector<float> c(n, 1.5F);
  const double seconds = best_seconds(10, [&] {
    for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
  });
  std::printf("vector add in C++: %.2f ms\n", 1e3 * seconds);
}

TEST(CpuBench, DISABLED_elementwise) {
  time_plain_add(50'000'000);
  time_elementwise("vector add", vector_add_text, 50'000'000, 3);
  time_elementwise("sqrt(sin**2 + exp)", sin_exp_text, 10'000'000, 2);
}

TEST(CpuBench, DISABLED_compile) {
  const std::pair<const char*, std::string> kernels[] = {
      {"vector add", vector_add_text},
      {"sin exp", sin_exp_text},
      {"mandelbrot", mandelbrot_text},
      {"reduction", reduction_text},
      {"matmul", matmul_text}};
  for (const auto& [name, text] : kernels) {
    const auto module = prepared(text);
    std::size_t bytes = 0;
    const auto compile = [&] {
      const Binary binary = codegen::compile(
          *module, codegen::cpu::host_target(), {}, {32, codegen::BlockShape::one_dimensional});
      bytes = binary.code.size();
    };
    const double first = best_seconds(1, compile);
    const double best = best_seconds(20, compile);
    std::printf(
        "compile %s: first %.1f ms, best %.1f ms, %zu bytes\n",
        name,
        1e3 * first,
        1e3 * best,
        bytes);
  }
}

}  // namespace
}  // namespace phalanx::test
