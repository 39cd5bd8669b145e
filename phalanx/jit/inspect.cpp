// What a kernel became, as text.
#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/module_facts.h"
#include "phalanx/jit/kernel.h"

namespace phalanx::jit {

std::string Kernel::ptx(unsigned compute_capability) {
  const auto module = this->module();
  const Compiler& compiler = engine_->compiler();
  const Target target = compiler.target_of(DeviceKind::cuda, compute_capability);
  const Binary binary = timed(statistics_, engine_->statistics(), Stage::codegen, [&] {
    return description_.gpu_code ? description_.gpu_code(*module, target)
                                 : compiler.compile(*module, target, options(), {});
  });
  return codegen::backend_of(target.kind).assembly(binary, target);
}

std::string Kernel::llvm_text(runtime::Device& device, bool optimized) {
  const auto module = this->module();
  const Target& target = engine_->target_of(device);
  const runtime::Dim3 block = {.x = 128};  // as the assembly's
  codegen::CpuVariant variant = choose_variant(block, description_.lanes);
  variant.block = {block.x, block.y, block.z};
  if (is_function())
    variant = {.lanes = 1, .shape = codegen::BlockShape::single};
  else if (engine_->compiler().needs_full_warp(*module))
    variant = with_full_warps(variant);
  const codegen::Backend& backend = codegen::backend_of(target.kind);
  return backend.llvm_text(*module, target, options(), variant, optimized);
}

std::string Kernel::assembly(runtime::Device& device) {
  // What a GPU loads is the driver's: its text needs NVIDIA's tools (inspect_sass).
  if (device.cuda() != nullptr)
    return ptx(device.limits().compute_capability);
  const auto made = executable(device, {.x = 128});
  return codegen::backend_of(device.kind()).assembly(made->binary(), engine_->target_of(device));
}

}  // namespace phalanx::jit
