// Tools beside the engine that are told of the CPU device's code: perf and GDB. docs/decisions/0095
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

namespace phalanx::jit {

// By environment variables, read once.
struct CodeObservers {
  bool perf = false;  // PHALANX_PERF=1: a perf map, and a jitdump
  bool gdb = false;   // PHALANX_GDB=1: registration by GDB's JIT interface

  bool any() const { return perf || gdb; }

  static const CodeObservers& chosen();
};

// What tells them when objects are linked. `name` gives the name of the code that is being linked:
// the symbols of all kernels are the same.
std::vector<std::shared_ptr<llvm::orc::ObjectLinkingLayer::Plugin>> plugins_of(
    const CodeObservers& observers,
    llvm::orc::ExecutionSession& session,
    std::function<const std::string&()> name);

}  // namespace phalanx::jit
