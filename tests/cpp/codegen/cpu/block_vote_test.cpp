// Votes of a block: the threads that have not ended take part, wherever the others ended.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "phalanx/codegen/cpu/lower_block_votes.h"
#include "phalanx/ir/printer.h"
#include "phalanx/ir/verifier.h"
#include "tests/cpp/codegen/cpu/harness.h"
#include "tests/support/interpreter.h"

namespace phalanx::test {
namespace {

constexpr unsigned every_width[] = {1, 4, 8, 16, 32};

// Threads for which `ends` holds return; the others vote on x[thread] > round, round after round.
std::string kernel_text(const std::string& ends) {
  return fmt::format(
      R"(
kernel @votes(%x: array<i32, 1, C, global>, %rounds: i32, %out: array<i32, 1, C, global>) {{
  var $round: i32
  %t = thread_index 0 : i32
  %place = cast %t : i64
  %zero = constant 0 : i32
  %one = constant 1 : i32
  %limit = constant 40 : i32
  %width = constant 32 : i32
  %three = constant 3 : i32
  %a_warp = constant 64 : i32
  %rest = remainder %t, %three : i32
  %ends = {}
  if %ends {{
    return
  }}
  set $round, %zero
  loop {{
    %r = get $round : i32
    %more = less %r, %rounds : bool
    if %more {{
    }} else {{
      break 0
    }}
    %v = array_load %x, %place : i32
    %holds = greater %v, %r : bool
    %count = block_vote "count", %holds : i32
    %all = block_vote "all", %holds : bool
    %any = block_vote "any", %holds : bool
    %n0 = cast %all : i32
    %n1 = cast %any : i32
    %n2 = add %n0, %count : i32
    %n3 = multiply %n1, %limit : i32
    %n4 = add %n2, %n3 : i32
    %before = array_load %out, %place : i32
    %n5 = multiply %before, %three : i32
    %sum = add %n5, %n4 : i32
    array_store %out, %place, %sum
  }} step {{
    %k = get $round : i32
    %next = add %k, %one : i32
    set $round, %next
  }}
}}
)",
      ends);
}

const std::vector<std::string> endings = {
    "less %t, %zero : bool",   // nobody
    "less %t, %one : bool",    // the first thread
    "less %t, %width : bool",  // a whole warp
    "less %t, %limit : bool",  // a warp and a part of one
    "greater_equal %t, %a_warp : bool",
    "equal %rest, %one : bool"};  // some of each warp

std::vector<std::int32_t> sample(unsigned threads) {
  std::vector<std::int32_t> x(threads);
  for (unsigned i = 0; i < threads; ++i) x[i] = static_cast<std::int32_t>(1 + (i * 7) % 4);
  return x;
}

TEST(CpuBlockVote, counts_the_threads_that_have_not_ended) {
  constexpr std::int32_t rounds = 5;
  for (const std::string& ends : endings) {
    const std::string text = kernel_text(ends);
    const auto module = ir::parse(text);
    for (const unsigned threads : {5U, 32U, 70U, 256U}) {
      std::vector<std::int32_t> x = sample(threads);
      std::vector<std::int32_t> expected(threads, -1);
      Arguments given;
      given.array(x).add(rounds).array(expected);
      InterpreterLaunch launch;
      launch.block = {threads, 1, 1};
      launch.parameters = given.data();
      ASSERT_TRUE(interpret(*module, launch).is_complete);
      for (const unsigned lanes : every_width) {
        Compiled kernel(text, {lanes, codegen::BlockShape::one_dimensional});
        std::vector<std::int32_t> actual(threads, -1);
        Arguments arguments;
        arguments.array(x).add(rounds).array(actual);
        kernel.run({1}, {threads}, arguments);
        ASSERT_EQ(actual, expected) << ends << ", lanes " << lanes << ", threads " << threads;
      }
    }
  }
}

TEST(CpuBlockVote, is_counted_in_shared_memory_between_barriers) {
  const auto module = ir::parse(R"(
kernel @k(%p: bool, %out: ptr<i32, global>) {
  %count = block_vote "count", %p : i32
  store %out, %count
}
)");
  const auto lowered = codegen::cpu::lower_block_votes(*module);
  ASSERT_TRUE(lowered);
  ir::verify(*lowered);
  EXPECT_EQ("\n" + ir::print(*lowered), R"(
kernel @k(%p: bool, %out: ptr<i32, global>) {
  %0 = constant 0 : i32
  %1 = constant 0 : i64
  %2 = shared_array [1] : array<i32, 1, C, shared>
  %3 = array_element %2, %1 : ptr<i32, shared>
  barrier
  store %3, %0
  barrier
  %4 = cast %p : i32
  %5 = atomic "add", %3, %4 : i32
  barrier
  %count = load %3 : i32
  store %out, %count
}
)");
  EXPECT_FALSE(codegen::cpu::lower_block_votes(*lowered));
}

}  // namespace
}  // namespace phalanx::test
