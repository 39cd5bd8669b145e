// What packages ship code for.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/codegen.h"

namespace phalanx::codegen {
namespace {

std::vector<std::string> names_for(const Target& host) {
  std::vector<std::string> names;
  for (const Target& target : common_targets_for(host)) names.push_back(target.cpu);
  return names;
}

Target cpu(const std::string& features) {
  return {.kind = DeviceKind::cpu, .cpu = "some", .features = features};
}

using Names = std::vector<std::string>;

constexpr const char* v3 = "+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe";

TEST(CommonTargets, OfACpuAreTheLevelsThatItHas) {
  const std::string v4 = std::string(v3) + ",+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl";
  EXPECT_EQ(names_for(cpu(v4)), (Names{"x86-64-v4", "x86-64-v3"}));
  EXPECT_EQ(names_for(cpu(v3)), Names{"x86-64-v3"});
  // A level's features are not enough without those below it, nor one that begins like another.
  EXPECT_EQ(names_for(cpu("+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl")), Names{});
  EXPECT_EQ(names_for(cpu("-avx2,+bmi2,+bmi,+f16c,+fma4,+lzcnt,+movbe")), Names{});
  EXPECT_EQ(names_for(cpu("")), Names{});
}

TEST(CommonTargets, OfAGpuAreThoseOfItsGeneration) {
  const auto gpu = [](unsigned capability) { return target_of(DeviceKind::cuda, capability); };
  EXPECT_EQ(names_for(gpu(90)), Names{"sm_90"});
  EXPECT_EQ(names_for(gpu(89)), Names{"sm_80"});
  EXPECT_EQ(names_for(gpu(80)), Names{"sm_80"});
  EXPECT_EQ(names_for(gpu(75)), Names{"sm_75"});
}

TEST(CommonTargets, AreKnownByName) {
  EXPECT_EQ(common_target("sm_80").compute_capability, 80);
  EXPECT_EQ(common_target("x86-64-v3").vector_bits, 256);
  try {
    common_target("z80");
    FAIL();
  } catch (const ValueError& error) {
    EXPECT_NE(std::string(error.what()).find("x86-64-v4, x86-64-v3, sm_90"), std::string::npos);
  }
}

}  // namespace
}  // namespace phalanx::codegen
