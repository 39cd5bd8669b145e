// What a kernel became, as text.
#include "phalanx/codegen/codegen.h"
#include "phalanx/jit/kernel.h"

namespace phalanx::jit {

std::string Kernel::ptx(unsigned compute_capability) {
  const auto module = this->module();
  const Binary binary = timed(statistics_, engine_->statistics(), Stage::codegen, [&] {
    const Target target = engine_->compiler().cuda_target(compute_capability);
    return engine_->compiler().compile_ptx(*module, target, options());
  });
  return std::string(reinterpret_cast<const char*>(binary.code.data()));
}

std::string Kernel::llvm_text(runtime::Device& device, bool optimized) {
  const auto module = this->module();
  const Target target = engine_->target_of(device);
  if (target.kind == DeviceKind::cuda)
    return codegen::llvm_text_ptx(*module, target, options(), optimized);
  const runtime::Dim3 block = {.x = 128};  // as the assembly's
  codegen::CpuVariant variant = choose_variant(block, description_.lanes);
  variant.block = {block.x, block.y, block.z};
  if (is_function())
    variant = {.lanes = 1, .shape = codegen::BlockShape::single};
  else if (engine_->compiler().needs_full_warp(*module))
    variant = with_full_warps(variant);
  return codegen::llvm_text_cpu(*module, target, options(), variant, optimized);
}

std::string Kernel::assembly(runtime::Device& device) {
  if (device.kind() == DeviceKind::cuda)
    return ptx(device.limits().compute_capability);
  const auto made = executable(device, {.x = 128});
  return codegen::disassemble(made->binary(), engine_->host_target());
}

}  // namespace phalanx::jit
