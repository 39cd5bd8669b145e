// A kernel, and a compiler that makes code of it at once.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "phalanx/ir/ir.h"
#include "phalanx/jit/compiler.h"
#include "tests/support/sample_object.h"

namespace phalanx::jit {

inline constexpr const char* text_of_work = R"(
kernel @work(%x: array<f32, 1, C, global>, %n: i64) {
  return
})";

inline std::vector<ir::Type> types_of_work() {
  return {
      ir::Type::array(DType::float32, 1, ir::Layout::c, ir::Space::global), ir::Type(DType::int64)};
}

// Replaces the compiler: gives a real object, and notes what it was asked for.
struct FakeCompiler {
  bool full_warp = false;
  bool is_for_block = false;
  std::optional<unsigned> lane_axis;
  unsigned parameter_bytes = 24;
  std::vector<unsigned> axes_asked;
  std::function<void(const codegen::CpuVariant&)> on_compile;  // without the lock
  std::atomic<int> runs = 0;
  std::vector<codegen::CpuVariant> variants;
  std::mutex mutex;  // guards the two lists

  Compiler table() {
    Compiler compiler;
    compiler.run_passes = [](ir::Module&, Checks) {};
    compiler.needs_full_warp = [this](const ir::Module&) { return full_warp; };
    compiler.find_lane_axis = [this](const ir::Module&, unsigned axes) {
      const std::lock_guard lock(mutex);
      axes_asked.push_back(axes);
      return lane_axis;
    };
    compiler.target_of = [](DeviceKind kind, unsigned capability) {
      Target target;
      target.kind = kind;
      target.cpu = "x86-64-v2";
      target.compute_capability = capability;
      return target;
    };
    compiler.common_targets_for = [](const Target& host) {
      Target common = host;
      common.cpu = "common";
      return std::vector{common};
    };
    compiler.compile = [this](
                           const ir::Module& module,
                           const Target& target,
                           const codegen::Options&,
                           const codegen::CpuVariant& variant) {
      if (target.kind == DeviceKind::cuda) {
        Binary ptx;
        ptx.code.assign({std::byte{'p'}, std::byte{'t'}, std::byte{'x'}, std::byte{0}});
        return ptx;
      }
      ++runs;
      {
        const std::lock_guard lock(mutex);
        variants.push_back(variant);
      }
      if (on_compile)
        on_compile(variant);
      Binary binary;
      binary.entry().symbol = "work";
      binary.code = sample_object("work");
      binary.entry().parameter_bytes = parameter_bytes;
      binary.entry().lanes = variant.lanes;
      binary.entry().lane_axis = variant.lane_axis;
      if (is_for_block)
        binary.entry().block = variant.block;
      EXPECT_EQ(module.kernel().name, "work");
      return binary;
    };
    return compiler;
  }
};

}  // namespace phalanx::jit
