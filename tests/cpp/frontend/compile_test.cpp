// The front end without Python: trees made by hand, and an environment of a few names.
#include <gtest/gtest.h>

#include <map>

#include "phalanx/base/errors.h"
#include "phalanx/frontend/python.h"
#include "phalanx/ir/printer.h"
#include "phalanx/ir/verifier.h"
#include "tree_builder.h"

namespace phalanx::frontend {
namespace {

using namespace tree;  // NOLINT(google-build-using-namespace): the short spellings

class FewNames : public Environment {
 public:
  explicit FewNames(std::map<std::string, Entity, std::less<>> names) : names_(std::move(names)) {}
  Entity lookup(std::string_view name) override {
    const auto found = names_.find(name);
    return found == names_.end() ? Entity{Missing{}} : found->second;
  }

 private:
  std::map<std::string, Entity, std::less<>> names_;
};

FunctionSource source(Function made, std::map<std::string, Entity, std::less<>> names = {}) {
  FunctionSource source;
  source.tree = std::make_shared<const Function>(std::move(made));
  SourceFile file;
  file.path = "kernels.py";
  file.text = "def f(a, n):\n    a[0] = missing\n";
  source.file = std::make_shared<const SourceFile>(std::move(file));
  source.environment = std::make_shared<FewNames>(std::move(names));
  return source;
}

const ir::Type floats = ir::Type::array(DType::float32, 1, ir::Layout::c, ir::Space::global);

TEST(Compile, AStoreIsTypedAndVerified) {
  const auto compiled = compile(
      source(
          function(
              "f",
              {"a", "n"},
              body(assign(
                  item(name("a"), name("n")),
                  binary(ir::Op::multiply, item(name("a"), integer(0)), name("scale"))))),
          {{"scale", {ScalarEntity{DType::float64, 0.5}}}}),
      {floats, DType::int64},
      {});
  EXPECT_NO_THROW(ir::verify(*compiled.module));
  const std::string text = ir::print(*compiled.module);
  EXPECT_NE(text.find("kernel @f(%a: array<f32, 1, C, global>, %n: i64)"), std::string::npos);
  EXPECT_NE(text.find("constant 0.5 : f64"), std::string::npos);
  EXPECT_NE(text.find(": f32"), std::string::npos) << "the product is cast to the element type";
}

TEST(Compile, ADeviceFunctionHasTheTypeThatHoldsAllItsReturns) {
  const auto compiled = compile(
      source(function(
          "f",
          {"n"},
          body(
              statement(If{name("n"), body(statement(Return{integer(1)})), {}}),
              statement(Return{make(Constant{2.5})})))),
      {DType::int32},
      {.kind = ir::FunctionKind::device});
  EXPECT_EQ(compiled.result, ir::Type(DType::float64));
  EXPECT_NO_THROW(ir::verify(*compiled.module));
}

TEST(Compile, AMessageShowsFileLineAndCaret) {
  Function made = function("f", {"a", "n"}, {});
  made.body = body(assign(item(name("a"), integer(0)), make(Name{"missing"}, 2, 11), 2));
  try {
    compile(source(std::move(made)), {floats, DType::int64}, {});
    FAIL() << "missing is not defined";
  } catch (const CompileError& error) {
    EXPECT_STREQ(
        error.what(),
        "kernels.py:2: in kernel f\n    a[0] = missing\n           ^\nthe name 'missing' is not "
        "defined");
    EXPECT_EQ(error.message().at->line, 2U);
    EXPECT_EQ(error.kind(), CompileError::Kind::typing);
  }
}

TEST(Compile, AWrongCountOfArgumentsIsATypeError) {
  EXPECT_THROW(compile(source(function("f", {"a"}, {})), {}, {}), TypeError);
}

TEST(Compile, UnsupportedSyntaxSaysWhatToWriteInstead) {
  Function made =
      function("f", {}, body(statement(Unsupported{.what = "with", .advice = "Do without."})));
  try {
    compile(source(std::move(made)), {}, {});
    FAIL();
  } catch (const CompileError& error) {
    EXPECT_EQ(error.kind(), CompileError::Kind::unsupported);
    EXPECT_NE(std::string(error.what()).find("Do without."), std::string::npos);
  }
}

}  // namespace
}  // namespace phalanx::frontend
