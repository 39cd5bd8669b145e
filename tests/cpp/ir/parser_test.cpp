#include "phalanx/ir/parser.h"

#include <gtest/gtest.h>

#include "phalanx/base/errors.h"
#include "phalanx/ir/printer.h"

namespace phalanx::ir {
namespace {

// Each kind of attribute, name and place once, as the printer writes it.
constexpr std::string_view everything = R"(constant 0: f32 [2] "0000803f00000040"
global @filter: f32 [2, 1] constant "0000803f00000040"
global @counts: i64 []

device @"scale.1"(%x: f32, %p: record<16, 8, x: f32 @0, "odd name": i64 @8>) -> f32 source "a b.py" {
  %k = constant 0.1 : f32 @3:4-9
  %k.1 = constant 1e-30 : f32
  %0 = multiply %x, %k : f32
  return %0 @4:0
}

kernel @k(%out: array<f32, 1, any, global>, %0: i64, %c: bool) {
  var $i: i64
  var $i.1: i64
  var $0: c64
  %1 = constant nan : f64
  %2 = constant 0x7ff8000000000001 : f64
  %3 = constant -inf : f16
  %4 = constant (1.0, -0.0) : c64
  %5 = constant 18446744073709551615 : u64
  %6 = constant true : bool
  %7 = shared_array [16, 2] align 64 : array<f32, 2, C, shared>
  %8 = constant_array 0 : array<const f32, 1, C, constant>
  set $i.1, %0 @7:8
  set $0, %4
  barrier
  %9 = get $i.1 : i64
  loop {
    if %c @9:1-2 {
      continue 0
    } else {
      block {
        break 1
      }
    }
    raise "ValueError: \"x\"\n\x00 \\"
  } step {
    print "{} and {}", %0, %9
  }
  %10 = array_load %out, %0 : f32
  %11 = call @"scale.1", %10 : f32
  %12 = add fast 66, %10, %11 : f32
  fence "device"
}
)";

TEST(Parser, ReadsWhatThePrinterWrites) {
  const auto module = parse(everything);
  EXPECT_EQ(print(*module), everything);
  EXPECT_EQ(module->constants.at(0).bytes.size(), 8U);
  EXPECT_EQ(module->functions.at(0)->source->path, "a b.py");
  EXPECT_TRUE(has_kind(*module->kernel().body.back(), FenceScope::device));
}

TEST(Parser, SkipsCommentsAndSpace) {
  const auto module = parse("# one\nkernel@k(%x:f32)# two\n{barrier\n\n%y=add %x,%x:f32}");
  EXPECT_EQ(print(*module), "kernel @k(%x: f32) {\n  barrier\n  %y = add %x, %x : f32\n}\n");
}

struct Wrong {
  const char* text;
  const char* message;
};

class WrongText : public testing::TestWithParam<Wrong> {};

TEST_P(WrongText, IsRefusedWithItsPlace) {
  try {
    parse(GetParam().text);
    FAIL() << "no error";
  } catch (const ValueError& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All,
    WrongText,
    testing::Values(
        Wrong{
            "kernel @k() {\n  %x = ad %x : f32\n}",
            "IR text, line 2, column 8: unknown operation ad"},
        Wrong{
            "kernel @k() {\n  %x = add %y, %y : f32\n}",
            "IR text, line 2, column 12: unknown value %y"},
        Wrong{
            "kernel @k(%x: f32, %x: f32) {}",
            "IR text, line 1, column 20: the value %x is there already"},
        Wrong{"kernel @k(%x: f33) {}", "IR text, line 1, column 15: unknown type f33"},
        Wrong{"kernel @k() {\n  set $x, %x\n}", "IR text, line 2, column 7: unknown variable $x"},
        Wrong{"kernel @k() {\n  call @f\n}", "IR text, line 2, column 8: unknown function @f"},
        Wrong{
            "kernel @k() {\n  raise \"a\n}", "IR text, line 2, column 9: the string does not end"},
        Wrong{
            "kernel @k() {\n  %x = constant 256 : u8\n}",
            "IR text, line 2, column 17: out of range or precision of its type: 256"},
        Wrong{
            "kernel @k() {\n  %x = constant 1.5 : i32\n}",
            "IR text, line 2, column 17: not a number of its type: 1.5"},
        Wrong{
            "kernel @k() {\n  fence \"warp\"\n}",
            "IR text, line 2, column 9: no kind of fence: warp"},
        Wrong{
            "kernel @k(%c: bool) {\n  %x = block_vote \"ballot\", %c : i32\n}",
            "IR text, line 2, column 19: no kind of block_vote: ballot"},
        Wrong{
            "kernel @k(%p: ptr<f32, global>) {\n  %x = hinted_load \"wb\", %p : f32\n}",
            "IR text, line 2, column 20: no kind of hinted_load: wb"},
        Wrong{"kernel @k() {", "IR text, line 1, column 14: expected an operation, found the end"},
        Wrong{
            "kernel @k() {}\nkernel @k() {}",
            "IR text, line 2, column 8: the function @k is there already"},
        Wrong{"kernel @k() { ? }", "IR text, line 1, column 15: unexpected character \"?\""},
        Wrong{
            "f32",
            "IR text, line 1, column 1: expected a kernel, a device function, a parallel_body, a "
            "constant or a global"},
        Wrong{
            "global @x: f32 [1] \"00\" f32",
            "IR text, line 1, column 25: expected a kernel, a device function, a parallel_body, a "
            "constant or a global"},
        Wrong{
            "global @x: f32 [1] \"0\"",
            "IR text, line 1, column 20: two hexadecimal digits a byte are expected"}));

TEST(Parser, RefusesTextNestedTooDeep) {
  std::string types = "kernel @k(%x: ";
  std::string regions = "kernel @k() {";
  for (int i = 0; i < 100000; ++i) {
    types += "(";
    regions += "block {";
  }
  EXPECT_THROW(parse(types), ValueError);
  EXPECT_THROW(parse(regions), ValueError);
  EXPECT_THROW(parse_type("ptr<f32, global> f32"), ValueError);
}

}  // namespace
}  // namespace phalanx::ir
