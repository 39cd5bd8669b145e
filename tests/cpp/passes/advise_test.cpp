// Advice on IR: which line it names, and what it stays silent about.
#include "phalanx/passes/advise.h"

#include <gtest/gtest.h>

#include "phalanx/ir/parser.h"
#include "phalanx/passes/pipeline.h"

namespace phalanx::passes {
namespace {

// A kernel whose source says nothing, at lines 1 to 9.
std::unique_ptr<ir::Module> module_of(const std::string& text) {
  auto module = ir::parse(text);
  auto source = std::make_shared<SourceFile>();
  source->path = "file.py";
  source->text = "def kernel():\n  one\n  two\n  three\n";
  for (auto& function : module->functions) function->source = source;
  return module;
}

constexpr const char* float64_kernel = R"(
kernel @k(%a: array<f32, 1, C, global>, %i: i64) {
  %x = array_load %a, %i : f32 @2:2
  %wide = cast %x : f64 @2:2
  %half = constant 0.5 : f64 @3:2
  %y = multiply %wide, %half : f64 @3:2
  %z = multiply %y, %y : f64 @4:2
  %narrow = cast %z : f32 @4:2
  array_store %a, %i, %narrow @4:2
}
)";

TEST(Advise, NamesTheFirstLineThatComputesInFloat64AndCountsTheOthers) {
  const auto found = advise_on_float64(*module_of(float64_kernel));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 3);
  EXPECT_EQ(found->file, "file.py");
  EXPECT_EQ(found->source_line, "two");
  EXPECT_EQ(
      found->text,
      "k computes in float64 here and in one more line, though its arrays hold float32: the number "
      "0.5 makes float32 arithmetic float64, write np.float32(0.5)");
}

std::string cause_of(const std::string& operations) {
  const auto found = advise_on_float64(*module_of(
      "kernel @k(%a: array<f32, 1, C, global>, %i: i64, %b: f64) {\n"
      "  %x = array_load %a, %i : f32 @2:2\n  %wide = cast %x : f64 @2:2\n" +
      operations + "}\n"));
  if (!found)
    return "nothing";
  const std::size_t colon = found->text.find(": ");
  return found->text.substr(colon + 2);
}

TEST(Advise, NamesWhatMakesItFloat64) {
  EXPECT_EQ(
      cause_of("%c = cast %i : f64 @3:2\n%y = add %wide, %c : f64 @3:2\n"),
      "the integer i makes float32 arithmetic float64, write np.float32(i)");
  EXPECT_EQ(
      cause_of("%c = constant 2.0 : f64 @3:2\n%y = add %wide, %c : f64 @3:2\n"),
      "the number 2 makes float32 arithmetic float64, write np.float32(2)");
  EXPECT_EQ(
      cause_of("%y = add %wide, %b : f64 @3:2\n"),
      "the argument b is a float64, as Python's floats are, pass np.float32(b)");
  EXPECT_EQ(
      cause_of("%c = cast %i : f64 @3:2\n%t = constant 3.0 : f64 @3:2\n"
               "%y = true_divide %c, %t : f64 @3:2\n"),
      "int / int is a float64, write np.float32(...) around one of them");
  EXPECT_EQ(
      cause_of("%c = cast %i : f64 @3:2\n%t = constant 0.5 : f64 @3:2\n"
               "%y = true_divide %t, %c : f64 @3:2\n"),
      "the number 0.5 makes float32 arithmetic float64, write np.float32(0.5)");
  EXPECT_EQ(
      cause_of("%y = sqrt %wide : f64 @3:2\n"),
      "Python's floats, and integers among float32 numbers, make it so, write np.float32(...) "
      "around them");
  EXPECT_EQ(cause_of("%t = constant 0.5 : f64 @3:2\n%y = add %t, %t : f64 @3:2\n"), "nothing");
}

TEST(Advise, IsSilentWhereAnArrayIsFloat64OrNoneIsFloating) {
  std::string text = float64_kernel;
  text.replace(text.find("%i: i64"), 7, "%i: i64, %b: array<f64, 1, C, global>");
  EXPECT_FALSE(advise_on_float64(*module_of(text)));
  const auto module = module_of("kernel @k(%x: f64) {\n  %y = add %x, %x : f64 @3:2\n}\n");
  EXPECT_FALSE(advise_on_float64(*module));
  EXPECT_FALSE(advise_on_strides(*module));
}

std::string access_by(const std::string& layout, const std::string& indices) {
  return "kernel @k(%a: array<f32, 2, " + layout + R"(, global>, %j: i64) {
  %t = thread_index 0 : i32
  %x = cast %t : i64
  %eight = constant 8 : i64
  %far = multiply %x, %eight : i64
  %v = array_load %a, )" +
         indices + R"( : f32 @3:2
  array_store %a, %j, %j, %v @4:2
}
)";
}

TEST(Advise, KnowsWhichDimensionNeighbouringThreadsShouldWalk) {
  EXPECT_TRUE(advise_on_strides(*module_of(access_by("C", "%x, %j"))));
  EXPECT_FALSE(advise_on_strides(*module_of(access_by("C", "%j, %x"))));
  EXPECT_TRUE(advise_on_strides(*module_of(access_by("F", "%j, %x"))));
  EXPECT_FALSE(advise_on_strides(*module_of(access_by("F", "%x, %j"))));
  EXPECT_FALSE(advise_on_strides(*module_of(access_by("any", "%x, %j"))));
  // A place of each thread's own in its row: the other order would be no better.
  EXPECT_FALSE(advise_on_strides(*module_of(access_by("C", "%x, %x"))));
  const auto far = advise_on_strides(*module_of(access_by("C", "%j, %far")));
  ASSERT_TRUE(far);
  EXPECT_NE(far->text.find("32 bytes apart"), std::string::npos) << far->text;
  EXPECT_EQ(far->line, 3U);
}

}  // namespace
}  // namespace phalanx::passes
