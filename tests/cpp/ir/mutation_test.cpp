// Damaged text: the parser gives an error or a module, and the verifier an error or none; neither
// ever fails in another way.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/ir/parser.h"
#include "phalanx/ir/printer.h"
#include "phalanx/ir/verifier.h"
#include "phalanx/passes/pipeline.h"
#include "tests/support/fuzz_kernel.h"

namespace phalanx::ir {
namespace {

constexpr int rounds = 20000;

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutated(std::string text) {
    for (std::size_t i = 1 + below(3); i > 0; --i) {
      const std::size_t at = below(text.size());
      const std::size_t length = std::min(1 + below(12), text.size() - at);
      switch (below(5)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, text.substr(below(text.size()), length));
          break;
        case 3:
          text.insert(at, pieces[below(std::size(pieces))]);
          break;
        default:
          text.replace(at, length, text.substr(below(text.size()), length));
          break;
      }
    }
    return text;
  }

 private:
  static constexpr const char* pieces[] = {
      "{",
      "}",
      "(",
      ")",
      "<",
      "[",
      "%0",
      "$0",
      "@k",
      " : i64",
      "18446744073709551616",
      "-1",
      "loop",
      "break 1",
      "array<f32, 2, C, global>",
      "record<8, 3, x: f64 @1>",
      "vec<f32, 0>",
      "0x",
      "nan",
      "\"",
      "\\x",
      "# ",
      "(i64, ",
      "none",
      "else",
      "step",
      "@99999999999:1"};

  std::size_t below(std::size_t limit) { return random_() % limit; }

  std::mt19937_64 random_;
};

constexpr std::string_view unusual = R"(constant 0: f32 [2] "0000803f00000040"
device @"scale.1"(%x: f32, %p: record<16, 8, x: f32 @0, "odd name": i64 @8>) -> f32 source "a b" {
  %k = constant (0.1, -0.0) : c128 @3:4-9
  return %x @4:0
}
kernel @k(%out: array<f32, 1, any, global>, %q: ptr<record<8, 8, x: f64 @0>, global>,
          %t: Point(x: vec<f32, 4>, y: (i64,)), %c: bool) {
  var $i: i64
  %1 = constant nan : f64
  %7 = shared_array [16, 2] : array<f32, 2, C, shared>
  %8 = constant_array 0 : array<const f32, 1, C, constant>
  %9 = tuple_get 0, %t : vec<f32, 4>
  %e = vector_get 3, %9 : f32
  %f = pointer_field 0, %q : ptr<f64, global>
  %o = atomic "add", %f, %1 : f64
  loop { if %c { break 0 } else { continue 0 } }
  %r = call @"scale.1", %e, %e : f32
  print "{}", %r
}
)";

void survives(const std::string& text) {
  std::unique_ptr<Module> module;
  try {
    module = parse(text);
  } catch (const ValueError& error) {
    EXPECT_NE(std::string(error.what()).find("line"), std::string::npos);
    return;
  }
  EXPECT_EQ(print(*parse(print(*module))), print(*module));
  try {
    verify(*module);
  } catch (const VerifyError&) {
    return;
  }
  passes::run_standard(*module);
}

TEST(DamagedText, IsRefusedOrRead) {
  Mutator mutator(1);
  for (int i = 0; i < rounds; ++i) survives(mutator.mutated(std::string(unusual)));
}

TEST(DamagedText, OfWholeKernelsIsRefusedOrRead) {
  Mutator mutator(2);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::string text = print(test::FuzzKernel(seed, {.statements = 10}).module());
    for (int i = 0; i < rounds / 20; ++i) survives(mutator.mutated(text));
  }
}

}  // namespace
}  // namespace phalanx::ir
