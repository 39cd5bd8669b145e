// A graph with a GPU of the fake driver, whose kernels do nothing.
#pragma once

#include <gtest/gtest.h>

#include "phalanx/arrays/graph.h"
#include "phalanx/jit/context.h"
#include "tests/support/fake_driver.h"

namespace phalanx::arrays {

// The GPU is the current device.
struct FakeGpuTest : ::testing::Test {
  support::FakeDriver fake;
  jit::Engine engine{
      jit::CacheOptions{.enabled = false},
      jit::Compiler::standard(),
      runtime::RuntimeOptions{.device = "cuda", .driver = &fake.table()}};
  Graph graph{engine};

  FakeGpuTest() {
    fake.any_kernel = [](const auto&) { return runtime::cuda::Result{0}; };
    jit::set_current_device(gpu());
  }
  ~FakeGpuTest() override { jit::set_current_device(cpu()); }

  runtime::Device& cpu() { return engine.runtime().cpu(); }
  runtime::Device& gpu() { return engine.runtime().cuda(0); }
};

}  // namespace phalanx::arrays
