// Compiling on a thread of its own while the caller waits, so that Ctrl-C is answered at once, long
// compilations are told of, and deep recursion has its room.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "phalanx/jit/kernel.h"
#include "phalanx/runtime/device.h"

namespace phalanx::bindings {

// Runs `work` on a thread of its own and waits for it; called with the GIL, which others may have
// meanwhile. Throws what `work` throws, or Python's exception where the handler of a signal raises
// one: the work then goes on by itself, so that it must own all it uses.
void run_compilation(const jit::Kernel& kernel, std::function<void()> work);

// What the stages took, by their names; without those that took nothing.
nanobind::dict to_dict(const jit::StageSeconds& seconds);

// Runs `request`, which needs Python: on a thread that compiles by handing it to the one that
// waits, with its GIL; elsewhere right here. Throws CompileError where nobody waits any more.
void with_python(const std::function<void()>& request);

// run_compilation for work with a result; `owner` keeps the kernel.
template <typename Work>
auto compiled(jit::Kernel& kernel, std::shared_ptr<const void> owner, Work work) {
  auto result = std::make_shared<std::optional<decltype(work(kernel))>>();
  run_compilation(kernel, [&kernel, owner = std::move(owner), work = std::move(work), result] {
    *result = work(kernel);
  });
  return *std::move(*result);
}

// The kernel's code for a device and a block, compiled where there is none yet. Gives the warnings.
std::shared_ptr<runtime::Executable> executable_of(
    jit::Kernel& kernel,
    std::shared_ptr<const void> owner,
    runtime::Device& device,
    const runtime::Dim3& block,
    const runtime::Dim3& grid = {});

}  // namespace phalanx::bindings
