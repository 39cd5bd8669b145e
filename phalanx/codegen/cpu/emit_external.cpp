// Calls of routines of the runtime: lane by lane, as C calls functions.
#include <llvm/IR/Constants.h>

#include "phalanx/base/errors.h"
#include "phalanx/base/routines.h"
#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/stateless_operations.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen::cpu {

using ir::Operation;

namespace {

[[noreturn]] void refuse(const ir::Function& kernel, const ir::Function& callee) {
  throw CompileError(
      CompileError::Kind::lowering,
      "kernel '" + kernel.name + "' calls " + callee.name +
          "(), linked code that no link= holds, or that runs on a GPU only: on the CPU device CUDA "
          "C source is linked, whose functions are extern \"C\", not PTX, cubins and other "
          "objects. "
          "A kernel whose first launch was on a GPU, where NVRTC compiled its source, stays there: "
          "decorate its function once more for the CPU device");
}

llvm::Type* passed_type(llvm::LLVMContext& context, const ir::Type& type) {
  return type.is_pointer() ? llvm::PointerType::get(context, 0)
                           : register_type(context, type.dtype());
}

llvm::Function* declare(llvm::Module& module, const ir::Function& callee) {
  if (llvm::Function* known = module.getFunction(callee.name))
    return known;
  llvm::LLVMContext& context = module.getContext();
  llvm::SmallVector<llvm::Type*, 8> types;
  for (const auto& parameter : callee.parameters)
    types.push_back(passed_type(context, parameter->type));
  llvm::Function* made = llvm::Function::Create(
      llvm::FunctionType::get(passed_type(context, callee.result), types, false),
      llvm::GlobalValue::ExternalLinkage,
      callee.name,
      module);
  made->setDoesNotThrow();
  return made;
}

}  // namespace

Value emit_external_call(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const ir::Function& callee = *operation.callee;
  if (!callee.name.starts_with(routine_prefix))
    refuse(emitter.compilation().source.kernel(), callee);
  llvm::Function* declared = declare(emitter.compilation().module, callee);
  llvm::SmallVector<Component, 8> operands;
  for (const Operation* operand : operation.operands) {
    const Component known = emitter.value_of(*operand)[0];
    const bool is_scalar = emitter.lanes() == 1 || known.shape.is_uniform();
    operands.push_back(
        is_scalar ? known : Component{Shape::of(Uniformity::varying), emitter.vector_of(known)});
  }
  const auto call_lane = [&](llvm::Value* lane) {
    llvm::SmallVector<llvm::Value*, 8> ones;
    for (const Component& operand : operands) {
      const bool is_vector = operand.value->getType()->isVectorTy();
      ones.push_back(is_vector ? emitter.lane_of(operand.value, lane) : operand.value);
    }
    return builder.CreateCall(declared, ones);
  };
  const Shape& shape = emitter.shapes().of(operation)[0];
  if (emitter.lanes() == 1)
    return {{shape, call_lane(builder.getInt32(0))}};
  llvm::Type* whole = llvm::FixedVectorType::get(declared->getReturnType(), emitter.lanes());
  llvm::AllocaInst* slot = emitter.make_slot(whole, "results");
  emitter.write(llvm::Constant::getNullValue(whole), slot);
  emitter.for_each_lane([&](llvm::Value* lane) {
    llvm::Value* result = call_lane(lane);
    emitter.write(builder.CreateInsertElement(emitter.read(whole, slot), result, lane), slot);
  });
  return {{shape, emitter.read(whole, slot)}};
}

}  // namespace phalanx::codegen::cpu
