#include "phalanx/ir/verifier.h"

#include <gtest/gtest.h>

#include <string>

#include "phalanx/ir/builder.h"
#include "phalanx/ir/parser.h"

namespace phalanx::ir {
namespace {

// Values that the broken lines below use.
std::string kernel_around(std::string_view line) {
  std::string text =
      "constant 0: f32 [1] \"00000000\"\n"
      "device @half(%x: f32) -> f32 { return %x }\n"
      "kernel @k(%a: array<f32, 2, C, global>, %r: array<const f32, 1, C, global>, %i: i64, "
      "%j: i32, %f: f32, %d: f64, %c: bool, %p: ptr<f32, global>, %q: ptr<f32, constant>, "
      "%t: (i64, f32)) {\n"
      "  var $v: f32\n";
  text += line;
  text += "\n}";
  return text;
}

struct Case {
  const char* line;
  const char* rule;  // empty: the line is right
};

class Rules : public testing::TestWithParam<Case> {};

TEST_P(Rules, AreChecked) {
  const auto module = parse(kernel_around(GetParam().line));
  const std::string rule = GetParam().rule;
  try {
    verify(*module);
    EXPECT_EQ(rule, "");
  } catch (const VerifyError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("@k"), std::string::npos) << message;
    ASSERT_NE(rule, "") << message;
    EXPECT_TRUE(message.ends_with("this must hold: " + rule)) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Values,
    Rules,
    testing::Values(
        Case{"%x = add %i, %i : i64", ""},
        Case{"%x = add %i, %j : i64", "its operands have one type"},
        Case{"%x = add %i, %i : i32", "its type is i64"},
        Case{"%x = add %i : i64", "it has 2 operands"},
        Case{"%x = add %c, %c : bool", "its operands are of the kinds \"iufc\""},
        Case{"%x = add %t, %t : i64", "its operands are scalars"},
        Case{"add %i, %i", "its type is i64"},
        Case{"%x = less %i, %i : i64", "its type is bool"},
        Case{"%x = select %i, %i, %i : i64", "the condition is a bool"},
        Case{"%x = select %c, %f, %f : f32", ""},
        Case{"%x = ldexp %f, %j : f32", ""},
        Case{"%x = ldexp %f, %i : f32", "the exponent is an i32"},
        Case{"%x = popcount %i : i32", ""},
        Case{"%x = popcount %i : i64", "its type is i32"},
        Case{"%x = reverse_bits %i : i64", ""},
        Case{"%x = isnan %d : bool", ""},
        Case{"%x = cast %t : i64", "scalars are cast to scalars"},
        Case{"%x = bitcast %f : i32", ""},
        Case{"%x = bitcast %f : i64", "both types are of one size"},
        Case{"%x = bitcast %t : i64", "both types are of one size"},
        Case{"%x = complex_make %f, %f : c64", ""},
        Case{"%x = complex_make %f, %f : c128", "the parts are the complex type's floats"},
        Case{"%x = complex_real %f : f32", "the operand is complex"},
        Case{"%x = get $v : f64", "its type is f32"},
        Case{"set $v, %d", "operand 0 is of type f32"},
        Case{"%x = tuple_make %i, %f : (i64, f32)", ""},
        Case{"%x = tuple_make %f, %i : (i64, f32)", "operand 0 has the element's type"},
        Case{"%x = tuple_get 1, %t : f32", ""},
        Case{"%x = tuple_get 2, %t : f32", "the element is there"},
        Case{"%x = tuple_get -1, %t : f32", "the element is there"},
        Case{"%x = tuple_get 0, %t : f32", "its type is the element's"},
        Case{"%x = vector_make %f, %f : vec<f32, 3>", "it has 3 operands"},
        Case{"%x = undefined : ptr<(i64,), global>", ""},  // of a list of tuples
        Case{"%x = undefined : ptr<none, global>", "the element type lies in memory"},
        Case{"%x = undefined : record<8, 8, x: f64 @4>", "a record's field lies within it"}));

#define TEXTURE "%u = constant 0 : u64\n  "
INSTANTIATE_TEST_SUITE_P(
    Textures,
    Rules,
    testing::Values(
        Case{TEXTURE "%x = texture_fetch %u, %f, %f : vec<f32, 4>", ""},
        Case{TEXTURE "%x = texture_fetch %u, %j : vec<u32, 4>", ""},
        Case{
            "%x = texture_fetch %i, %f : vec<f32, 4>",
            "it takes a u64 and one to three coordinates"},
        Case{
            TEXTURE "%x = texture_fetch %u : vec<f32, 4>",
            "it takes a u64 and one to three coordinates"},
        Case{
            TEXTURE "%x = texture_fetch %u, %f, %f, %f, %f : vec<f32, 4>",
            "it takes a u64 and one to three coordinates"},
        Case{
            TEXTURE "%x = texture_fetch %u, %f, %j : vec<f32, 4>",
            "its coordinates are of one type"},
        Case{
            TEXTURE "%x = texture_fetch %u, %j, %j : vec<f32, 4>",
            "elements are counted in one dimension"},
        Case{
            TEXTURE "%x = texture_fetch %u, %f : vec<f64, 4>",
            "it yields vec<f32, 4>, vec<i32, 4> or vec<u32, 4>"},
        Case{TEXTURE "%x = surface_load 2, %u, %j : u8", ""},
        Case{TEXTURE "%x = surface_load 2, %u, %j, %j, %j : vec<u32, 4>", ""},
        Case{TEXTURE "%x = surface_load 3, %u, %j : u8", "its index is 0, 1 or 2"},
        Case{TEXTURE "%x = surface_load 0, %u, %f : u8", "its coordinates are of one type"},
        Case{
            TEXTURE "%x = surface_load 0, %u, %j : f32",
            "its value is an unsigned integer, or a vec of 2 or 4 of them"},
        Case{TEXTURE "%x = surface_load 0, %u, %j : vec<u64, 4>", "its value has 16 bytes at most"},
        Case{TEXTURE "surface_store 1, %u, %j, %j, %u", ""},
        Case{
            TEXTURE "surface_store 1, %u, %j, %f",
            "its value is an unsigned integer, or a vec of 2 or 4 of them"}));
#undef TEXTURE

INSTANTIATE_TEST_SUITE_P(
    Memory,
    Rules,
    testing::Values(
        Case{"%x = array_load %a, %i, %i : f32", ""},
        Case{"%x = array_load %a, %i : f32", "there are 2 indices, one a dimension"},
        Case{"%x = array_load %a, %i, %j : f32", "an index is an i64"},
        Case{"%x = array_load %p, %i : f32", "the first operand is an array"},
        Case{"%x = array_load %a, %i, %i : f64", "its type is the array's element"},
        Case{"array_store %a, %i, %i, %f", ""},
        Case{"array_store %a, %i, %i, %d", "the value has the array's element type"},
        Case{"array_store %r, %i, %f", "the array may be written to"},
        Case{"%x = wrap_index %i, %i : i64", ""},
        Case{"%x = wrap_index %j, %i : i64", "operand 0 is of type i64"},
        Case{"%x = array_shape 2, %a : i64", "the dimension is there"},
        Case{"%x = array_make %p, %i : array<f32, 1, any, global>", "it has 3 operands"},
        Case{
            "%x = array_make %q, %i : array<f32, 1, C, global>",
            "the data pointer is of the array's element and space"},
        Case{"%x = load %p : f32", ""},
        Case{"store %p, %f", ""},
        Case{"store %p, %d", "operand 1 is of type f32"},
        Case{"store %q, %f", "constant memory is not written to"},
        Case{"%x = pointer_field 0, %p : ptr<f32, global>", "the field is there"},
        Case{"%x = shared_array [2, 2] : array<f32, 2, C, shared>", ""},
        Case{"%x = shared_array [2] align 64 : array<f32, 1, C, shared>", ""},
        Case{
            "%x = shared_array [2] align 24 : array<f32, 1, C, shared>",
            "an alignment is a power of two"},
        Case{
            "%x = shared_array [2] : array<f32, 2, C, shared>",
            "the shape has one extent a dimension"},
        Case{"%x = shared_array [-1] : array<f32, 1, C, shared>", "extents are not negative"},
        Case{"%x = local_array [2] : array<f32, 1, C, shared>", "its type is of its own space"},
        Case{"%x = constant_array 0 : array<const f32, 1, C, constant>", ""},
        Case{
            "%x = constant_array 1 : array<const f32, 1, C, constant>",
            "the constant is the module's"},
        Case{"%x = constant_array 0 : array<f32, 1, C, constant>", "its type is the constant's"},
        Case{"%x = atomic \"add\", %p, %f : f32", ""},
        Case{"%x = atomic_cas %p, %f, %d : f32", "operand 2 is of type f32"}));

INSTANTIATE_TEST_SUITE_P(
    Control,
    Rules,
    testing::Values(
        Case{"%x = thread_index 3 : i32", "the dimension is 0, 1 or 2"},
        Case{"%x = thread_index 0 : i64", "its type is i32"},
        Case{"%x = block_vote \"count\", %c : i32", ""},
        Case{"%x = block_vote \"any\", %c : bool", ""},
        Case{"%x = block_vote \"count\", %c : bool", "its type is i32"},
        Case{"%x = block_vote \"all\", %c : i32", "its type is bool"},
        Case{"%x = block_vote \"any\", %i : bool", "operand 0 is of type bool"},
        Case{"%x = call @half, %f : f32", ""},
        Case{"%x = call @half, %d : f32", "argument 0 is of type f32"},
        Case{"%x = call @half, %f, %f : f32", "it has 1 operands"},
        Case{"call @half, %f", "its type is the callee's result"},
        Case{"call @k", "kernels are not called"},
        Case{"print \"{} {}\", %f", "it has 2 operands"},
        Case{"return %f", "it has 0 operands"},
        Case{"if %i {}", "operand 0 is of type bool"},
        Case{"break 0", "the loop or block it leaves is there"},
        Case{"block { continue 0 }", "a continue goes to a loop"},
        Case{"loop { block { continue 1 } }", ""},
        Case{"loop { break 1 }", "the loop or block it leaves is there"},
        Case{
            "loop { break 0 } step { break 0 }",
            "a loop's step neither leaves nor continues that loop"},
        Case{"loop { break 0 } step { block { break 0 } }", ""},
        Case{"return\n barrier", "nothing follows what ends the flow"},
        Case{
            "if %c { return } else { raise \"E: e\" }\n barrier",
            "nothing follows what ends the flow"},
        Case{"if %c { return }\n barrier", ""}));

constexpr const char* dominance = "each operand is made before, in this region or one around it";

INSTANTIATE_TEST_SUITE_P(
    Visibility,
    Rules,
    testing::Values(
        Case{"%y = add %i, %i : i64\n if %c { %x = add %y, %i : i64 }", ""},
        Case{"if %c { %y = add %i, %i : i64 }\n %x = add %y, %i : i64", dominance},
        Case{"if %c { %y = add %i, %i : i64 } else { %x = add %y, %i : i64 }", dominance},
        Case{"loop { %y = add %i, %i : i64 } step { %x = add %y, %i : i64 }", dominance}));

TEST(Verifier, FindsAnOperandOfAnotherFunction) {
  Module module;
  Function& first = add_function(module, "a", FunctionKind::device, {{"x", DType::int64}});
  Function& second = add_function(module, "b", FunctionKind::device, {{"y", DType::int64}});
  Builder builder(second);
  builder.elementwise(Op::negative, {Builder(first).parameter(0)});
  EXPECT_THROW(verify(module), VerifyError);
}

TEST(Verifier, FindsAValueUsedBeforeItIsMade) {
  Module module;
  Function& function = add_function(module, "a", FunctionKind::kernel, {{"x", DType::int64}});
  Builder builder(function);
  Operation* first = builder.elementwise(Op::negative, {builder.parameter(0)});
  Operation* second = builder.elementwise(Op::negative, {first});
  first->operands[0] = second;
  EXPECT_THROW(verify(module), VerifyError);
}

struct GlobalCase {
  const char* text;
  const char* rule;  // empty: the global is right
};

class GlobalRules : public testing::TestWithParam<GlobalCase> {};

TEST_P(GlobalRules, AreChecked) {
  try {
    verify(*parse(GetParam().text));
    EXPECT_STREQ(GetParam().rule, "");
  } catch (const VerifyError& error) {
    const std::string message = error.what();
    ASSERT_STRNE(GetParam().rule, "") << message;
    EXPECT_TRUE(message.ends_with(GetParam().rule)) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Globals,
    GlobalRules,
    testing::Values(
        GlobalCase{"global @x: f32 [2]", ""},
        GlobalCase{"global @x: f32 [] constant \"00000000\"", ""},
        GlobalCase{"global @x: f32 [0]", ""},
        GlobalCase{
            "global @x: f32 [2] \"00000000\"", "its first content has as many bytes as it has"},
        GlobalCase{"global @x: f64 [1000000, 1000000, 1000000]", "it has at most 2^48 bytes"},
        GlobalCase{"global @\"a b\": f32 [2]", "its name is an identifier of C"},
        GlobalCase{"global @größe: f32 [2]", "its name is an identifier of C"},
        GlobalCase{"global @x: f32 [2]\nglobal @x: f32 [2]", "two globals are named @x"},
        GlobalCase{
            "global @x: f32 [2]\nkernel @k() {\n  %x = global_array 1 : array<f32, 1, C, "
            "global>\n}",
            "the global is the module's"},
        GlobalCase{
            "global @x: f32 [2]\nkernel @k() {\n  %x = global_array 0 : array<f32, 1, C, "
            "global>\n}",
            ""},
        GlobalCase{
            "global @x: f32 [2] constant\nkernel @k() {\n"
            "  %x = global_array 0 : array<f32, 1, C, constant>\n}",
            "its type is the global's"},
        GlobalCase{
            "global @x: f32 [2] constant\nkernel @k() {\n"
            "  %x = global_array 0 : array<const f32, 1, C, constant>\n}",
            ""}));

TEST(Verifier, FindsFunctionsOfOneName) {
  Module module;
  add_function(module, "a", FunctionKind::device, {});
  add_function(module, "a", FunctionKind::device, {});
  EXPECT_THROW(verify(module), VerifyError);
}

TEST(Verifier, ChecksTheResult) {
  EXPECT_NO_THROW(verify(*parse("device @f(%x: f32) -> f32 { return %x }")));
  EXPECT_THROW(verify(*parse("device @f(%x: f32) -> f64 { return %x }")), VerifyError);
  EXPECT_THROW(verify(*parse("device @f(%x: f32) -> f32 { return }")), VerifyError);
  EXPECT_THROW(verify(*parse("kernel @f(%x: f32) -> f32 { return %x }")), VerifyError);
}

}  // namespace
}  // namespace phalanx::ir
