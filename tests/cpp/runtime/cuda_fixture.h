// A runtime on the fake driver, for the tests of the CUDA device.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/runtime.h"
#include "tests/support/fake_driver.h"

namespace phalanx::runtime {

// What `action` throws, as text; "" when it throws nothing of this type.
template <typename Error, typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

struct CudaFixture : ::testing::Test {
  phalanx::support::FakeDriver fake;
  std::unique_ptr<Runtime> runtime =
      std::make_unique<Runtime>(RuntimeOptions{.driver = &fake.table()});

  Device& device() { return runtime->cuda(0); }
  Stream& stream() { return *device().default_stream(); }

  static Binary ptx(const std::string& entry) {
    Binary binary;
    binary.kind = BinaryKind::ptx;
    binary.entry().symbol = entry;
    binary.code = phalanx::support::fake_code(entry);
    return binary;
  }

  // Loads a kernel that does `action`, under its own name.
  std::shared_ptr<Executable> kernel(
      const std::string& name, phalanx::support::FakeDriver::Kernel action) {
    fake.kernels[name] = std::move(action);
    return device().load(ptx(name), name);
  }

  std::shared_ptr<Executable> harmless_kernel(const std::string& name = "harmless") {
    return kernel(name, [](const auto&) { return 0; });
  }

  void launch(Executable& executable, LaunchConfig config = {}) {
    device().launch(executable, config, {}, stream());
  }
};

}  // namespace phalanx::runtime
