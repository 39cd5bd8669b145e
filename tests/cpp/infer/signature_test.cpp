#include "phalanx/infer/signature.h"

#include <gtest/gtest.h>

#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/infer/names.h"

namespace phalanx::infer {
namespace {

// "result <- argument; argument", with "?" where no result is given.
std::string parsed(std::string_view text) {
  const ParsedSignature signature = parse_signature(text);
  std::string line = signature.result ? numba_name(*signature.result) : "?";
  line += " <-";
  for (const ir::Type& type : signature.arguments) line += " " + numba_name(type) + ";";
  return line;
}

std::string error(std::string_view text) {
  try {
    parse_signature(text);
  } catch (const TypeError& failure) {
    return failure.what();
  }
  return "no error";
}

TEST(Signature, TakesEveryFormOfNumba) {
  EXPECT_EQ(parsed("void(float32[::1], int64)"), "none <- array(float32, 1d, C); int64;");
  EXPECT_EQ(parsed("f4[:], i8"), "? <- array(float32, 1d, A); int64;");
  EXPECT_EQ(parsed("(f4,)"), "? <- float32;");
  EXPECT_EQ(parsed("()"), "? <-");
  EXPECT_EQ(parsed("void()"), "none <-");
  EXPECT_EQ(parsed(" float32 ( int32 ,\n int32 , ) "), "float32 <- int32; int32;");
  EXPECT_EQ(parsed("Tuple((int64, f4))(i4)"), "Tuple(int64, float32) <- int32;");
  EXPECT_EQ(parsed("f8[:](c16[:, ::1])"), "array(float64, 1d, A) <- array(complex128, 2d, C);");
}

TEST(Signature, TheContiguousDimensionMakesTheLayout) {
  EXPECT_EQ(parsed("void(f4[:, :])"), "none <- array(float32, 2d, A);");
  EXPECT_EQ(parsed("void(f4[:, ::1])"), "none <- array(float32, 2d, C);");
  EXPECT_EQ(parsed("void(f4[::1, :])"), "none <- array(float32, 2d, F);");
  EXPECT_EQ(parsed("void(f4[:, ::1, :])"), "none <- array(float32, 3d, A);");
  EXPECT_EQ(parsed("void(f4[::2])"), "none <- array(float32, 1d, A);");
}

TEST(Signature, TuplesAndPointersNest) {
  EXPECT_EQ(parsed("void(UniTuple(float32, 3))"), "none <- UniTuple(float32 x 3);");
  EXPECT_EQ(
      parsed("void((i4, (f4[:], b1)))"),
      "none <- Tuple(int32, Tuple(array(float32, 1d, A), bool));");
  EXPECT_EQ(parsed("void(Tuple([i4, i4]))"), "none <- UniTuple(int32 x 2);");
  EXPECT_EQ(parsed("void(CPointer(f4), Tuple(()))"), "none <- float32*; Tuple();");
  EXPECT_EQ(
      parsed("void(Array(f4, 2, 'C', readonly=True))"), "none <- readonly array(float32, 2d, C);");
}

TEST(Signature, AnErrorShowsTheSpot) {
  EXPECT_EQ(
      error("void(flaot32[:])"),
      "signature: there is no type 'flaot32'\n"
      "  void(flaot32[:])\n"
      "       ^^^^^^^");
  EXPECT_EQ(
      error("void(f4[1:])"),
      "signature: expected ':' or '::1' for each dimension\n"
      "  void(f4[1:])\n"
      "          ^");
  EXPECT_EQ(
      error("void(float32"),
      "signature: expected ',' or ')', but the text ends\n"
      "  void(float32\n"
      "              ^");
  EXPECT_EQ(
      error("void(f4,\n     f4 f4)"),
      "signature: expected ',' or ')'\n"
      "       f4 f4)\n"
      "          ^");
  EXPECT_EQ(
      error("float32"),
      "signature: a type alone is no signature; write void(float32) or (float32,)\n"
      "  float32\n"
      "  ^^^^^^^");
}

TEST(Signature, RefusesWhatMakesNoSense) {
  for (const char* text :
       {"",
        "   ",
        "void(void)",
        "void(f4[:][:])",
        "void(f4[])",
        "void(f4)x",
        "void(,)",
        "f4,,f4",
        "void(UniTuple(f4, -1))",
        "void(UniTuple(f4, 99999999999))",
        "void(Array(f4, 2, 'X'))",
        "void(Tuple(f4))",
        "void(f4]",
        "void(f4))",
        "\xff",
        "void(void[:])"}) {
    EXPECT_NE(error(text), "no error") << text;
  }
  EXPECT_NE(error(std::string(100000, '(')), "no error");
}

TEST(Signature, OneTypeParsesAlone) {
  EXPECT_EQ(numba_name(parse_numba_type("float32[:, :]")), "array(float32, 2d, A)");
  EXPECT_EQ(numba_name(parse_numba_type("void")), "none");
  EXPECT_THROW(parse_numba_type("float32(int64)"), TypeError);
}

TEST(Names, AreThoseOfNumba) {
  const ir::Type f4 = DType::float32;
  EXPECT_EQ(numba_name(DType::boolean), "bool");
  EXPECT_EQ(
      numba_name(ir::Type::named_tuple("Point", {{"x", f4}, {"y", f4}})), "Point(float32 x 2)");
  EXPECT_EQ(
      numba_name(ir::Type::named_tuple("Point", {{"x", f4}, {"n", DType::int8}})),
      "Point(float32, int8)");
  EXPECT_EQ(
      numba_name(ir::Type::record({{"x", f4, 0}, {"n", DType::int64, 4}}, 12, 1)),
      "Record(x[type=float32;offset=0],n[type=int64;offset=4];12;False)");
  EXPECT_EQ(numba_name(ir::Type::vector(DType::float32, 4)), "float32x4");
}

}  // namespace
}  // namespace phalanx::infer
