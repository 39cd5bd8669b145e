// How the launcher does without a kernel that is compiled in background: by single operations.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/arrays/capture.h"
#include "phalanx/arrays/elementwise_kernel.h"
#include "phalanx/arrays/launcher.h"
#include "phalanx/arrays/other_shapes.h"
#include "phalanx/base/errors.h"

namespace phalanx::arrays {
namespace {

// Of values that the kernel would have kept in registers. Writing and reading more takes longer
// than the compiler.
constexpr std::uint64_t most_host_bytes = std::uint64_t{32} << 20;
constexpr std::uint64_t most_gpu_bytes = std::uint64_t{1} << 30;

std::uint64_t most_bytes(const runtime::Device& device) {
  return device.is_host() ? most_host_bytes : most_gpu_bytes;
}

// Memory that can be had without sending other arrays away.
std::uint64_t room_in(runtime::Device& device) {
  const runtime::MemoryInfo info = device.memory_info();
  const runtime::MemoryUse use = device.memory_use();
  const std::uint64_t room = info.free + info.cached_here;
  return use.limit ? std::min(room, *use.limit - std::min(use.used, *use.limit)) : room;
}

}  // namespace

// Launches the operations and notes them; before, looks for their kernels.
class Launcher::StepLauncher final : public StepSink {
 public:
  StepLauncher(Launcher& launcher, const Steps& steps)
      : launcher_(launcher), steps_(steps), stepwise_(steps.program, steps.order, steps.outputs) {}

  // True if the operations are several, have their kernels and fit into memory.
  bool is_at_hand() {
    const auto bytes = static_cast<std::uint64_t>(stepwise_.bytes());
    if (stepwise_.operations() + (steps_.launch_last ? 1 : 0) < 2 ||
        bytes > most_bytes(steps_.device) || bytes > room_in(steps_.device))
      return false;
    const Trial look(launcher_.kernels_, Trial::Kind::look);
    const Program results = stepwise_.run(*this);
    if (steps_.launch_last && look.has_all())
      steps_.launch_last(results);
    return look.has_all();
  }

  Launched run(Reason why) {
    why_ = why;
    Program results = stepwise_.run(*this);
    if (!steps_.launch_last)
      return {.is_noted = true};
    auto kernel = steps_.launch_last(results);
    return {.kernel = std::move(kernel), .program = std::move(results)};
  }

  views::DeviceArray allocate(DType dtype, const Extents& shape) override {
    runtime::Device& device = steps_.device;
    return why_ ? launcher_.allocate(device, dtype, shape)
                : array_without_memory(launcher_.engine(), device, dtype, shape);
  }

  void elementwise(const Program& program, const Order& order, const StepOutput& output) override {
    const Output where = {
        .address = output.array.address,
        .strides = output.strides,
        .dtype = output.array.element.dtype()};
    runtime::Stream& stream = queue_of(steps_.device);
    note(launch_elementwise(launcher_.kernels_, program, {where}, order, stream), program, output);
  }

  void reduce(const Folding& folding, const StepOutput& output) override {
    note(
        launcher_.reduce_one(folding, {&output.array.address, 1}, steps_.device),
        *folding.program,
        output);
  }

 private:
  void note(
      std::shared_ptr<ProgramKernel> kernel, const Program& program, const StepOutput& output) {
    if (!why_)
      return;
    const Reason why = output.is_result ? steps_.why : *why_;
    launcher_.log_.add(std::move(kernel), program, {&output.array, 1}, why);
    ++launcher_.launched_;
  }

  Launcher& launcher_;
  const Steps& steps_;
  Stepwise stepwise_;
  std::optional<Reason> why_;  // there is a kernel for each; nothing while none runs
};

namespace {

// Why the operations run meanwhile; nothing where no thread compiles.
std::optional<Reason> compile(jit::Engine& engine, const std::vector<Trial::Missing>& missing) {
  Reason why = Reason::compiling;
  for (const Trial::Missing& each : missing) {
    const auto tell = [&engine, code = each.kernel->code()](const std::string& reason) {
      std::string text = "the kernel of " + code;
      text += " could not be compiled, its operations run one by one: " + reason;
      engine.warn({.warning = {.kind = Warning::Kind::fallback, .text = std::move(text)}});
    };
    const jit::Coming coming = each.kernel->kernel()->compile_in_background(
        *each.device, each.config.block, each.config.grid, tell);
    if (coming == jit::Coming::never)
      return std::nullopt;
    if (coming == jit::Coming::failed)
      why = Reason::not_compiled;
  }
  return why;
}

}  // namespace

Launcher::Launched Launcher::launch_or_step(const Launch& launch, const Steps& steps) {
  const bool is_recorded = jit::recording() != nullptr;  // to be launched often
  if (!compiles_in_background_ || is_timed_ || is_recorded || steps.program.reads_sources())
    return {.kernel = launch()};
  std::vector<Trial::Missing> missing;
  {
    Trial trial(kernels_, Trial::Kind::run);
    auto kernel = launch();
    if (trial.has_all())
      return {.kernel = std::move(kernel)};
    missing = trial.take_missing();
  }
  StepLauncher launcher(*this, steps);
  const auto why = launcher.is_at_hand() ? compile(engine(), missing) : std::nullopt;
  if (!why)
    return {.kernel = launch()};
  try {
    return launcher.run(*why);
  } catch (const OutOfMemoryError&) {  // others took it
    return {.kernel = launch()};
  }
}

// False where the program's kernel is there, or what it gives needs chunks.
bool Launcher::step_to_host(
    const Program& program, const Order& order, const HostTarget& target, Reason why) {
  if (!compiles_in_background_ || is_timed_ || program.reads_sources())
    return false;
  runtime::Device& device = *target.device;
  const Extents shape(program.space.begin(), program.space.end());
  const auto bytes = static_cast<std::uint64_t>(element_count(shape)) * size_of(target.dtype);
  if (bytes > most_bytes(device) || bytes > room_in(device))
    return false;
  {
    const Trial look(kernels_, Trial::Kind::look);
    const auto results = array_without_memory(engine(), device, target.dtype, shape);
    launch_one(program, order, {&results, 1});
    if (look.has_all())
      return false;
  }
  to_host_at_once(program, order, target, [&](const views::DeviceArray& results) {
    const Steps steps = {
        .program = program, .device = device, .outputs = {&results, 1}, .order = order, .why = why};
    run([&] { return launch_one(program, order, steps.outputs); }, steps, steps.outputs, why);
    return nullptr;
  });
  return true;
}

}  // namespace phalanx::arrays
