// The vectoriser gathers where LLVM's table of CPUs says that it is fast, and nowhere else.
#include <gtest/gtest.h>

#include <string>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/cpu/backend.h"
#include "tests/cpp/codegen/cpu/harness.h"

namespace phalanx::test {
namespace {

constexpr const char* columns = R"(
kernel @columns(%a: array<const f64, 1, any, global>, %out: array<f64, 1, C, global>) {
  var $i: i64
  %zero = constant 0 : i64
  %one = constant 1 : i64
  %n = array_shape 0, %out : i64
  set $i, %zero
  loop {
    %i = get $i : i64
    %inside = less %i, %n : bool
    if %inside {
    } else {
      break 0
    }
    %x = array_load %a, %i : f64
    %y = multiply %x, %x : f64
    %z = sqrt %y : f64
    array_store %out, %i, %z
  } step {
    %before = get $i : i64
    %next = add %before, %one : i64
    set $i, %next
  }
}
)";

bool gathers(const std::string& cpu) {
  const Target target = {
      .kind = DeviceKind::cpu,
      .cpu = cpu,
      .features = {},
      .vector_bits = 512,
      .compute_capability = 0};
  const std::string code = codegen::cpu::backend.llvm_text(
      *prepared(columns),
      target,
      {.optimization = 3},
      {.lanes = 1, .shape = codegen::BlockShape::single},
      true);
  return code.find("llvm.masked.gather") != std::string::npos;
}

TEST(Gathers, are_made_for_cpus_where_they_are_fast) {
  EXPECT_TRUE(gathers("sapphirerapids"));
  EXPECT_FALSE(gathers("znver4"));
}

}  // namespace
}  // namespace phalanx::test
