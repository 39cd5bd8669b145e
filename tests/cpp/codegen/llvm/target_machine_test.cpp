// LLVM as the rest of the engine meets it: targets, and errors that do not end the process.
#include "phalanx/codegen/llvm/target_machine.h"
#include "phalanx/codegen/cpu/backend.h"
#include "phalanx/codegen/nvptx/backend.h"

#include <gtest/gtest.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include <llvm/Support/ErrorHandling.h>

#include "phalanx/base/errors.h"

namespace phalanx::codegen {
namespace {

TEST(TargetMachine, exists_for_this_cpu_and_for_each_chip) {
  EXPECT_NE(make_target_machine(cpu::host_target(), {}, cpu::machine_settings()), nullptr);
  for (const unsigned capability : {75U, 80U, 86U, 89U, 90U, 120U})
    EXPECT_NE(
        make_target_machine(nvptx::cuda_target(capability), {}, nvptx::machine_settings()),
        nullptr);
}

TEST(TargetMachine, host_is_described_the_same_way_each_time) {
  const Target host = cpu::host_target();
  EXPECT_EQ(host, cpu::host_target());
  EXPECT_FALSE(host.cpu.empty());
  EXPECT_TRUE(host.vector_bits == 128 || host.vector_bits == 256 || host.vector_bits == 512);
}

TEST(TargetMachine, fatal_errors_of_llvm_are_compile_errors) {
  initialize_llvm();
#if defined(__SANITIZE_ADDRESS__)
  // LLVM is built without exceptions: its copy of the message is lost on the way out.
  const __lsan::ScopedDisabler known_leak;
#endif
  try {
    llvm::report_fatal_error("cannot select this");
    FAIL() << "LLVM went on after a fatal error";
  } catch (const CompileError& error) {
    EXPECT_EQ(error.kind(), CompileError::Kind::lowering);
    EXPECT_STREQ(error.what(), "LLVM: cannot select this");
  }
  // LLVM is as usable as before.
  EXPECT_NE(make_target_machine(nvptx::cuda_target(90), {}, nvptx::machine_settings()), nullptr);
}

}  // namespace
}  // namespace phalanx::codegen
