// Libraries opened while the program runs, and what is said when they are missing or do not fit.
#include "phalanx/runtime/library_table.h"

#include <gtest/gtest.h>

#include <string>

#include "phalanx/runtime/cuda_source.h"

namespace phalanx::runtime {
namespace {

struct MathFunctions {
  double (*cosine)(double) = nullptr;
  double (*square_root)(double) = nullptr;
};
constexpr LibraryEntry math_entries[] = {{"cosine", "cos"}, {"square_root", "sqrt"}};
constexpr LibraryEntry wrong_entries[] = {{"cosine", "no_such_function"}, {"square_root", "sqrt"}};

LibraryChoice math_library(std::vector<std::string> files) {
  return {"math library", std::move(files), "install libc6"};
}

TEST(LibraryTableTest, HoldsTheFunctionsOfTheFirstFileThatOpens) {
  const LibraryTable<MathFunctions> table(
      math_library({"libno-such-file.so.1", "libm.so.6"}), math_entries);
  table.library().require_all();
  EXPECT_EQ(table.functions().cosine(0.0), 1.0);
  EXPECT_EQ(table.functions().square_root(9.0), 3.0);
  EXPECT_NE(table.library().path().find("libm.so.6"), std::string::npos) << table.library().path();
}

TEST(LibraryTableTest, NamesTheLibraryTheFilesAndTheRemedyWhenNoneOpens) {
  try {
    static_cast<void>(LibraryTable<MathFunctions>(
        math_library({"libno-such-file.so.1", "/no/such/folder/libm.so"}), math_entries));
    FAIL() << "it opened";
  } catch (const LibraryError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("no math library was found (libno-such-file.so.1: ")) << text;
    EXPECT_NE(text.find("; /no/such/folder/libm.so: "), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with("); install libc6")) << text;
    EXPECT_EQ(error.library(), "math library");
    EXPECT_EQ(error.files().size(), 2U);
    EXPECT_EQ(error.missing(), "");
  }
}

TEST(LibraryTableTest, NamesTheFunctionThatALibraryLacks) {
  const LibraryTable<MathFunctions> table(math_library({"libm.so.6"}), wrong_entries);
  EXPECT_EQ(table.library().missing(), "no_such_function");
  EXPECT_EQ(table.functions().cosine, nullptr);
  EXPECT_EQ(table.functions().square_root(4.0), 2.0);
  try {
    table.library().require_all();
    FAIL() << "it is complete";
  } catch (const LibraryError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("libm.so.6 is no math library that fits"), std::string::npos) << text;
    EXPECT_NE(text.find("it lacks no_such_function"), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with("; install libc6")) << text;
    EXPECT_EQ(error.missing(), "no_such_function");
  }
}

TEST(CudaSourceTest, SaysHowToGetNvrtc) {
  for (const char* file : {"libno-such-nvrtc.so", "libm.so.6"}) {
    try {
      compile_cuda_source(file, {});
      FAIL() << file;
    } catch (const LibraryError& error) {
      EXPECT_EQ(error.library(), "NVRTC");
      EXPECT_NE(std::string(error.what()).find("pip install nvidia-cuda-nvrtc"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace phalanx::runtime
