#include <gtest/gtest.h>

#include "tests/cpp/codegen/cpu/harness.h"
#include "tests/cpp/codegen/cpu/kernels.h"

namespace phalanx::test {
namespace {

constexpr unsigned every_width[] = {1, 4, 8, 16, 32};

TEST(CpuBarrier, tree_reduction_in_shared_memory) {
  for (const unsigned lanes : every_width) {
    Compiled kernel(reduction_text, {lanes, codegen::BlockShape::one_dimensional});
    for (const unsigned threads : {1U, 8U, 64U, 256U, 1024U}) {
      constexpr unsigned blocks = 5;
      std::vector<float> x(std::size_t{threads} * blocks);
      std::vector<float> out(blocks, -1.0F);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97);
      Arguments arguments;
      arguments.array(x).array(out);
      kernel.run({blocks}, {threads}, arguments);
      for (unsigned b = 0; b < blocks; ++b) {
        float sum = 0;
        for (unsigned t = 0; t < threads; ++t) sum += x[b * threads + t];
        ASSERT_EQ(out[b], sum) << "lanes " << lanes << " threads " << threads;
      }
    }
  }
}

TEST(CpuBarrier, tiled_matmul) {
  constexpr std::int64_t n = 64;
  std::vector<float> a(n * n);
  std::vector<float> b(n * n);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i % 13) - 6.0F;
    b[i] = static_cast<float>(i % 7) - 3.0F;
  }
  for (const unsigned lanes : every_width) {
    Compiled kernel(matmul_text, {lanes, shape_of({16, 16}, lanes)});
    std::vector<float> c(n * n, -1.0F);
    Arguments arguments;
    arguments.array(a, {n, n}).array(b, {n, n}).array(c, {n, n});
    kernel.run({n / 16, n / 16}, {16, 16}, arguments);
    for (std::int64_t y = 0; y < n; ++y) {
      for (std::int64_t x = 0; x < n; ++x) {
        float sum = 0;
        for (std::int64_t k = 0; k < n; ++k)
          sum += a[static_cast<std::size_t>(y * n + k)] * b[static_cast<std::size_t>(k * n + x)];
        ASSERT_EQ(c[static_cast<std::size_t>(y * n + x)], sum) << "lanes " << lanes;
      }
    }
  }
}

// Whole warps leave early, the others go on through barriers in a loop whose trip count is data;
// the barriers are under a condition that differs between warps.
constexpr const char* irregular = R"(
kernel @irregular(%x: array<i32, 1, C, global>, %rounds: array<i32, 1, C, global>) {
  var $i: i32
  %s = shared_array [1024] : array<i32, 1, C, shared>
  %e = block_extent 0 : i32
  %t = thread_index 0 : i32
  %e64 = cast %e : i64
  %t64 = cast %t : i64
  %zero = constant 0 : i64
  %one = constant 1 : i64
  %zero32 = constant 0 : i32
  %one32 = constant 1 : i32
  %limit = constant 64 : i64
  %late = greater_equal %t64, %limit : bool
  if %late {
    return
  }
  %v = array_load %x, %t64 : i32
  array_store %s, %t64, %v
  barrier
  %n = array_load %rounds, %zero : i32
  set $i, %zero32
  loop {
    %i = get $i : i32
    %more = less %i, %n : bool
    if %more {
    } else {
      break 0
    }
    %at = add %t64, %one : i64
    %end = equal %at, %limit : bool
    %from = select %end, %zero, %at : i64
    %w = array_load %s, %from : i32
    barrier
    array_store %s, %t64, %w
    barrier
  } step {
    %k = get $i : i32
    %next = add %k, %one32 : i32
    set $i, %next
  }
  %r = array_load %s, %t64 : i32
  array_store %x, %t64, %r
}
)";

TEST(CpuBarrier, works_where_threads_have_left_and_the_trip_count_is_data) {
  for (const unsigned lanes : every_width) {
    Compiled kernel(irregular, {lanes, codegen::BlockShape::one_dimensional});
    for (const unsigned threads : {64U, 70U, 96U, 256U}) {
      std::vector<std::int32_t> x(threads);
      for (unsigned i = 0; i < threads; ++i) x[i] = static_cast<std::int32_t>(i);
      std::vector<std::int32_t> rounds = {5};
      Arguments arguments;
      arguments.array(x).array(rounds);
      kernel.run({1}, {threads}, arguments);
      for (unsigned i = 0; i < threads; ++i)
        ASSERT_EQ(x[i], static_cast<std::int32_t>(i < 64 ? (i + 5) % 64 : i))
            << "lanes " << lanes << " threads " << threads << " i " << i;
    }
  }
}

}  // namespace
}  // namespace phalanx::test
