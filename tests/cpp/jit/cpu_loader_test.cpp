#include "phalanx/jit/cpu_loader.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>

#include "phalanx/base/errors.h"
#include "tests/support/sample_object.h"

namespace phalanx::jit {
namespace {

// Writes (a constant of the module + first block) to the place that the parameters point to.
const std::string& counting_text() {
  static const std::string text = R"(
@table = private constant [4 x i64] [i64 100, i64 200, i64 300, i64 400]
define void @count(ptr %launch, i64 %first, i64 %last, ptr %scratch) {
  %parameters = load ptr, ptr %launch
  %target = load ptr, ptr %parameters
  %slot = getelementptr i64, ptr @table, i64 %first
  %base = load i64, ptr %slot
  %value = add i64 %base, %last
  store i64 %value, ptr %target
  ret void
})";
  return text;
}

std::int64_t run_counting(CpuKernel kernel) {
  std::int64_t result = 0;
  std::int64_t* target = &result;
  CpuLaunch launch;
  launch.parameters = reinterpret_cast<const std::byte*>(&target);
  kernel(&launch, 2, 7, nullptr);
  return result;
}

TEST(CpuLoader, RunsAnObject) {
  CpuLoader loader;
  const LoadedKernel loaded = loader.load(compile_text(counting_text()), "count");
  EXPECT_EQ(run_counting(loaded.entry), 307);
}

TEST(CpuLoader, TheSameNameMayBeLoadedManyTimes) {
  CpuLoader loader;
  const auto object = compile_text(counting_text());
  const LoadedKernel first = loader.load(object, "count");
  const LoadedKernel second = loader.load(object, "count");
  EXPECT_NE(first.entry, second.entry);
  EXPECT_EQ(run_counting(first.entry), 307);
  EXPECT_EQ(run_counting(second.entry), 307);
}

TEST(CpuLoader, CodeOutlivesTheLoader) {
  LoadedKernel loaded;
  {
    CpuLoader loader;
    loaded = loader.load(compile_text(counting_text()), "count");
  }
  EXPECT_EQ(run_counting(loaded.entry), 307);
}

TEST(CpuLoader, FreedCodeGivesItsMemoryBack) {
  CpuLoader loader;
  const auto object = compile_text(counting_text());
  CpuKernel previous = nullptr;
  int reused = 0;
  for (int i = 0; i < 200; ++i) {
    const LoadedKernel loaded = loader.load(object, "count");
    reused += loaded.entry == previous ? 1 : 0;
    previous = loaded.entry;
  }
  EXPECT_GT(reused, 100) << "memory of freed code is not used again";
}

TEST(CpuLoader, FindsVectorMathLibmAndLibc) {
  const std::string text = R"(
declare <4 x float> @Sleef_sinf4_u10(<4 x float>)
declare double @sinh(double)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @math(ptr %launch, i64 %first, i64 %last, ptr %scratch) {
  %parameters = load ptr, ptr %launch
  %target = load ptr, ptr %parameters
  call void @llvm.memset.p0.i64(ptr %target, i8 0, i64 %last, i1 false)
  %v = load <4 x float>, ptr %scratch
  %s = call <4 x float> @Sleef_sinf4_u10(<4 x float> %v)
  store <4 x float> %s, ptr %target
  %d = call double @sinh(double 1.0)
  %f = fptrunc double %d to float
  %p = getelementptr float, ptr %target, i64 4
  store float %f, ptr %p
  ret void
})";
  CpuLoader loader;
  const LoadedKernel loaded = loader.load(compile_text(text), "math");
  alignas(16) std::array<float, 8> result;
  result.fill(7);
  alignas(16) std::array<float, 4> input = {0.0F, 0.5F, 1.0F, 2.0F};
  float* target = result.data();
  CpuLaunch launch;
  launch.parameters = reinterpret_cast<const std::byte*>(&target);
  loaded.entry(&launch, 0, sizeof(result), reinterpret_cast<std::byte*>(input.data()));
  for (std::size_t i = 0; i < input.size(); ++i)
    EXPECT_NEAR(result.at(i), std::sin(input.at(i)), 1e-6);
  EXPECT_NEAR(result[4], std::sinh(1.0), 1e-6);
  EXPECT_EQ(result[5], 0);
}

TEST(CpuLoader, NamesAMissingSymbolAndStaysUsable) {
  const std::string text = R"(
declare void @no_such_function()
define void @broken(ptr %launch, i64 %first, i64 %last, ptr %scratch) {
  call void @no_such_function()
  ret void
})";
  CpuLoader loader;
  try {
    loader.load(compile_text(text), "broken");
    FAIL() << "loaded";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("no_such_function"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("'broken'"), std::string::npos) << error.what();
  }
  EXPECT_EQ(run_counting(loader.load(compile_text(counting_text()), "count").entry), 307);
}

TEST(CpuLoader, ThrowsWhatTheSearchForASymbolThrowsAndStaysUsable) {
  const std::string text = R"(
declare void @no_library()
define void @broken(ptr %launch, i64 %first, i64 %last, ptr %scratch) {
  call void @no_library()
  ret void
})";
  CpuLoader loader(
      [](const std::string& name) -> void* { throw DeviceError("no library has " + name); });
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      loader.load(compile_text(text), "broken");
      FAIL() << "loaded";
    } catch (const DeviceError& error) {
      EXPECT_STREQ(error.what(), "no library has no_library");
    }
  }
  EXPECT_EQ(run_counting(loader.load(compile_text(counting_text()), "count").entry), 307);
}

TEST(CpuLoader, RefusesWhatIsNoObject) {
  CpuLoader loader;
  const std::vector<std::byte> rubbish(100, std::byte{42});
  EXPECT_THROW(loader.load(rubbish, "count"), DeviceError);
  EXPECT_THROW(loader.load({}, "count"), DeviceError);
  auto cut = compile_text(counting_text());
  cut.resize(cut.size() / 2);
  EXPECT_THROW(loader.load(cut, "count"), DeviceError);
  EXPECT_THROW(loader.load(compile_text(counting_text()), "another_name"), DeviceError);
}

TEST(CpuLoader, ThreadsMayLoadAtOnce) {
  CpuLoader loader;
  const auto object = compile_text(counting_text());
  std::vector<std::thread> threads;
  std::array<int, 4> wrong = {};
  for (int& count : wrong) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        count += run_counting(loader.load(object, "count").entry) == 307 ? 0 : 1;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::array<int, 4>{}));
}

}  // namespace
}  // namespace phalanx::jit
