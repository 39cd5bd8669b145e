// Blocks that run as one, and stores past the caches.
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "tests/cpp/codegen/cpu/harness.h"
#include "tests/cpp/codegen/cpu/kernels.h"

namespace phalanx::test {
namespace {

std::string place_text(const std::string& body) {
  return elementwise_text(
      "place(%a: array<const T, 1, C, global>, %b: array<T, 1, C, global>, "
      "%c: array<i32, 1, C, global>)",
      "%b",
      body);
}

std::string with_type(std::string text, const std::string& type) {
  for (std::size_t at = text.find("T,"); at != std::string::npos; at = text.find("T,", at))
    text.replace(at, 1, type);
  for (std::size_t at = text.find(": T"); at != std::string::npos; at = text.find(": T", at))
    text.replace(at + 2, 1, type);
  return text;
}

struct Case {
  unsigned lanes;
  std::uint32_t non_temporal_kib;
};

class CoalescedBlocks : public ::testing::TestWithParam<Case> {
 protected:
  // Twice each element of `a` into `b`, and its number into `c`: from any place in a line.
  template <typename T>
  void check_every_offset(const std::string& type) {
    const std::string text = place_text(R"(
    %x = array_load %a, %i : T
    %y = add %x, %x : T
    %number = cast %i : i32
    array_store %b, %i, %y
    array_store %c, %i, %number
)");
    Compiled kernel(
        with_type(text, type), {GetParam().lanes, codegen::BlockShape::one_dimensional});
    kernel.non_temporal_kib = GetParam().non_temporal_kib;
    for (std::size_t offset = 0; offset < 64 / sizeof(T); ++offset) {
      for (const std::int64_t n : {1, 40, 1000, 3001}) check_offset<T>(kernel, offset, n);
    }
  }

  template <typename T>
  void check_offset(Compiled& kernel, std::size_t offset, std::int64_t n) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<T> a(size);
    std::vector<T> b(size + offset + 64, T(77));
    std::vector<std::int32_t> c(size + 64, -1);
    for (std::size_t i = 0; i < size; ++i) a[i] = static_cast<T>(i % 50);
    Arguments arguments;
    arguments.array(a).add(b.data() + offset).add(n).array(c, {n});
    for (const unsigned threads : {1U, 31U, 96U, 1024U}) {
      const auto blocks = static_cast<unsigned>((size + threads - 1) / threads);
      kernel.run({blocks}, {threads}, arguments);
      for (std::size_t i = 0; i < b.size(); ++i) {
        const bool is_inside = i >= offset && i < size + offset;
        ASSERT_EQ(b[i], is_inside ? static_cast<T>(2 * ((i - offset) % 50)) : T(77));
      }
      for (std::size_t i = 0; i < c.size(); ++i)
        ASSERT_EQ(c[i], i < size ? static_cast<std::int32_t>(i) : -1);
      std::fill_n(b.begin() + static_cast<std::ptrdiff_t>(offset), size, T(0));
      std::fill_n(c.begin(), size, 0);
    }
  }
};

TEST_P(CoalescedBlocks, write_arrays_that_start_anywhere_in_a_line) {
  check_every_offset<float>("f32");
  check_every_offset<double>("f64");
  check_every_offset<std::int16_t>("i16");
  check_every_offset<std::int8_t>("i8");
}

TEST_P(CoalescedBlocks, may_write_what_they_read) {
  Compiled kernel(vector_add_text, {GetParam().lanes, codegen::BlockShape::one_dimensional});
  kernel.non_temporal_kib = GetParam().non_temporal_kib;
  std::vector<float> a(5000, 1.0F);
  std::vector<float> b(5000, 2.0F);
  Arguments arguments;
  arguments.array(a).array(b).array(a);
  kernel.run({20}, {256}, arguments);
  ASSERT_EQ(a, std::vector<float>(5000, 3.0F));
}

TEST_P(CoalescedBlocks, are_not_coalesced_where_threads_know_their_place_in_the_block) {
  const std::string text = place_text(R"(
    array_store %c, %i, %thread
)");
  Compiled kernel(with_type(text, "f32"), {GetParam().lanes, codegen::BlockShape::one_dimensional});
  std::vector<float> a(300);
  std::vector<std::int32_t> c(300, -1);
  Arguments arguments;
  arguments.array(a).array(a).array(c);
  kernel.run({3}, {100}, arguments);
  for (std::size_t i = 0; i < c.size(); ++i) ASSERT_EQ(c[i], static_cast<int>(i % 100));
}

TEST_P(CoalescedBlocks, run_each_row_of_the_grid) {
  const std::string text = R"(
kernel @rows(%c: array<i32, 2, C, global>) {
  %block = block_index 0 : i32
  %extent = block_extent 0 : i32
  %thread = thread_index 0 : i32
  %row = block_index 1 : i32
  %row64 = cast %row : i64
  %first = multiply %block, %extent : i32
  %i32 = add %thread, %first : i32
  %i = cast %i32 : i64
  %n = array_shape 1, %c : i64
  %inside = less %i, %n : bool
  if %inside {
    %old = array_load %c, %row64, %i : i32
    %new = add %old, %i32 : i32
    array_store %c, %row64, %i, %new
  }
}
)";
  Compiled kernel(text, {GetParam().lanes, codegen::BlockShape::one_dimensional});
  kernel.non_temporal_kib = GetParam().non_temporal_kib;
  constexpr std::int64_t columns = 777;
  std::vector<std::int32_t> c(columns * 5, 1000);
  Arguments arguments;
  arguments.array(c, {5, columns});
  kernel.run({8, 5}, {100}, arguments);
  for (std::size_t i = 0; i < c.size(); ++i) ASSERT_EQ(c[i], 1000 + static_cast<int>(i % columns));
}

// Rows whose lines begin at the same element stream as one-dimensional arrays do, others do not.
TEST_P(CoalescedBlocks, write_matrices_that_start_anywhere_in_a_line) {
  const std::string text = R"(
kernel @rows(%c: array<i32, 2, C, global>) {
  %block = block_index 0 : i32
  %extent = block_extent 0 : i32
  %thread = thread_index 0 : i32
  %row = block_index 1 : i32
  %row64 = cast %row : i64
  %first = multiply %block, %extent : i32
  %i32 = add %thread, %first : i32
  %i = cast %i32 : i64
  %n = array_shape 1, %c : i64
  %inside = less %i, %n : bool
  if %inside {
    %shift = constant 10 : i32
    %upper = left_shift %row, %shift : i32
    %value = add %upper, %i32 : i32
    array_store %c, %row64, %i, %value
  }
}
)";
  Compiled kernel(text, {GetParam().lanes, codegen::BlockShape::one_dimensional});
  kernel.non_temporal_kib = GetParam().non_temporal_kib;
  constexpr std::int64_t rows = 5;
  for (const std::int64_t columns : {64, 777, 800}) {
    for (std::size_t offset = 0; offset < 16; ++offset) {
      std::vector<std::int32_t> c(static_cast<std::size_t>(rows * columns) + offset + 16, -1);
      Arguments arguments;
      arguments.add(c.data() + offset).add(rows).add(columns);
      kernel.run({8, 5}, {100}, arguments);
      for (std::size_t i = 0; i < c.size(); ++i) {
        const std::int64_t at = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(offset);
        const bool is_inside = at >= 0 && at < rows * columns;
        ASSERT_EQ(c[i], is_inside ? (at / columns << 10) + at % columns : -1);
      }
    }
  }
}

// The same through bare pointers, whose rows only the kernel's arithmetic knows.
TEST_P(CoalescedBlocks, write_through_pointers_from_anywhere_in_a_line) {
  const std::string text = R"(
kernel @rows(%a: ptr<i32, global>, %c: ptr<i32, global>, %columns: i64) {
  %block = block_index 0 : i32
  %extent = block_extent 0 : i32
  %thread = thread_index 0 : i32
  %row = block_index 1 : i32
  %row64 = cast %row : i64
  %block64 = cast %block : i64
  %extent64 = cast %extent : i64
  %thread64 = cast %thread : i64
  %first = multiply %block64, %extent64 : i64
  %i = add %first, %thread64 : i64
  %inside = less %i, %columns : bool
  if %inside {
    %start = multiply %row64, %columns : i64
    %element = add %start, %i : i64
    %four = constant 4 : i64
    %bytes = multiply %element, %four : i64
    %from = pointer_offset %a, %bytes : ptr<i32, global>
    %x = load %from : i32
    %y = add %x, %x : i32
    %to = pointer_offset %c, %bytes : ptr<i32, global>
    store %to, %y
  }
}
)";
  Compiled kernel(text, {GetParam().lanes, codegen::BlockShape::one_dimensional});
  kernel.non_temporal_kib = GetParam().non_temporal_kib;
  constexpr std::int64_t rows = 5;
  for (const std::int64_t columns : {64, 777, 800}) {
    std::vector<std::int32_t> a(static_cast<std::size_t>(rows * columns));
    std::iota(a.begin(), a.end(), 1);
    for (std::size_t offset = 0; offset < 16; ++offset) {
      std::vector<std::int32_t> c(a.size() + offset + 16, -1);
      Arguments arguments;
      arguments.add(a.data()).add(c.data() + offset).add(columns);
      kernel.run({8, 5}, {100}, arguments);
      for (std::size_t i = 0; i < c.size(); ++i) {
        const bool is_inside = i >= offset && i - offset < a.size();
        ASSERT_EQ(c[i], is_inside ? 2 * static_cast<std::int32_t>(i - offset + 1) : -1);
      }
    }
    // In place, where the two pointers are one.
    Arguments arguments;
    arguments.add(a.data()).add(a.data()).add(columns);
    kernel.run({8, 5}, {100}, arguments);
    for (std::size_t i = 0; i < a.size(); ++i)
      ASSERT_EQ(a[i], 2 * static_cast<std::int32_t>(i + 1));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Lanes,
    CoalescedBlocks,
    ::testing::Values(Case{1, 0}, Case{1, 1}, Case{8, 0}, Case{8, 1}, Case{16, 1}, Case{32, 1}));

}  // namespace
}  // namespace phalanx::test
