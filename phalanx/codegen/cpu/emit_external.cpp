// Calls of routines of the runtime, and of linked code, which the host's compiler has made: lane by
// lane, as C calls functions.
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

[[noreturn]] void refuse(const ir::Function& callee, const std::string& text) {
  throw CompileError(
      CompileError::Kind::lowering,
      callee.name + "() is linked code (cuda.declare_device), and on the CPU device " + text);
}

// What C has too.
void check_type(const ir::Function& callee, const ir::Type& type) {
  const bool is_number = type.is_scalar() && !is_complex(type.dtype()) &&
                         !(is_floating(type.dtype()) && size_of(type.dtype()) < 4);
  if (!is_number && !type.is_pointer())
    refuse(
        callee,
        "such functions take and give integers, float32, float64 and pointers, not " +
            ir::to_string(type));
}

// C's callers extend small integers.
void extend(llvm::AttrBuilder& attributes, const ir::Type& type) {
  if (type.is_scalar() && !is_floating(type.dtype()) && size_of(type.dtype()) < 4)
    attributes.addAttribute(
        kind_of(type.dtype()) == DTypeKind::signed_integer ? llvm::Attribute::SExt
                                                           : llvm::Attribute::ZExt);
}

llvm::Type* passed_type(llvm::LLVMContext& context, const ir::Type& type) {
  if (type.is_none())
    return llvm::Type::getVoidTy(context);
  return type.is_pointer() ? llvm::PointerType::get(context, 0)
                           : register_type(context, type.dtype());
}

llvm::Function* declare(llvm::Module& module, const ir::Function& callee) {
  const bool is_routine = callee.name.starts_with(routine_prefix);
  const std::string name = is_routine ? callee.name : std::string(linked_prefix) + callee.name;
  if (llvm::Function* known = module.getFunction(name))
    return known;
  llvm::LLVMContext& context = module.getContext();
  llvm::SmallVector<llvm::Type*, 8> types;
  if (callee.returns_status)
    types.push_back(llvm::PointerType::get(context, 0));
  for (const auto& parameter : callee.parameters)
    types.push_back(passed_type(context, parameter->type));
  llvm::Type* result =
      callee.returns_status ? llvm::Type::getInt32Ty(context) : passed_type(context, callee.result);
  llvm::Function* made = llvm::Function::Create(
      llvm::FunctionType::get(result, types, false),
      llvm::GlobalValue::ExternalLinkage,
      name,
      module);
  made->setDoesNotThrow();
  unsigned next = callee.returns_status ? 1 : 0;
  for (const auto& parameter : callee.parameters) {
    llvm::AttrBuilder attributes(context);
    extend(attributes, parameter->type);
    made->addParamAttrs(next++, attributes);
  }
  llvm::AttrBuilder attributes(context);
  if (!callee.returns_status && !callee.result.is_none())
    extend(attributes, callee.result);
  made->addRetAttrs(attributes);
  return made;
}

// One thread's call; null for a function without a result.
llvm::Value* call_linked(
    Emitter& emitter, const ir::Function& callee, llvm::ArrayRef<llvm::Value*> operands) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Function* declared = declare(emitter.compilation().module, callee);
  llvm::SmallVector<llvm::Value*, 8> arguments;
  llvm::AllocaInst* slot = nullptr;
  if (callee.returns_status) {
    llvm::Type* type = callee.result.is_none() ? builder.getInt64Ty()
                       : callee.result.is_scalar()
                           ? memory_type(emitter.context(), callee.result.dtype())
                           : passed_type(emitter.context(), callee.result);
    slot = emitter.make_slot(type, "result");
    arguments.push_back(slot);
  }
  arguments.append(operands.begin(), operands.end());
  llvm::CallInst* called = builder.CreateCall(declared, arguments);
  called->setAttributes(declared->getAttributes());
  if (callee.result.is_none())
    return nullptr;
  if (slot == nullptr)
    return called;
  llvm::Value* stored = builder.CreateLoad(slot->getAllocatedType(), slot);
  const bool is_boolean_result = callee.result.is_scalar() && is_boolean(callee.result.dtype());
  return is_boolean_result ? builder.CreateIsNotNull(stored) : stored;
}

}  // namespace

Value emit_external_call(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const ir::Function& callee = *operation.callee;
  llvm::SmallVector<Component, 8> operands;
  for (const Operation* operand : operation.operands) {
    check_type(callee, operand->type);
    const Component known = emitter.value_of(*operand)[0];
    const bool is_scalar = emitter.lanes() == 1 || known.shape.is_uniform();
    operands.push_back(
        is_scalar ? known : Component{Shape::of(Uniformity::varying), emitter.vector_of(known)});
  }
  if (!callee.result.is_none())
    check_type(callee, callee.result);
  const auto call_lane = [&](llvm::Value* lane) {
    llvm::SmallVector<llvm::Value*, 8> ones;
    for (const Component& operand : operands) {
      const bool is_vector = operand.value->getType()->isVectorTy();
      ones.push_back(is_vector ? emitter.lane_of(operand.value, lane) : operand.value);
    }
    return call_linked(emitter, callee, ones);
  };
  if (callee.result.is_none()) {
    emitter.for_each_lane([&](llvm::Value* lane) { call_lane(lane); });
    return {};
  }
  const Shape& shape = emitter.shapes().of(operation)[0];
  if (emitter.lanes() == 1)
    return {{shape, call_lane(builder.getInt32(0))}};
  llvm::Type* whole =
      llvm::FixedVectorType::get(passed_type(emitter.context(), callee.result), emitter.lanes());
  llvm::AllocaInst* slot = emitter.make_slot(whole, "results");
  emitter.write(llvm::Constant::getNullValue(whole), slot);
  emitter.for_each_lane([&](llvm::Value* lane) {
    llvm::Value* result = call_lane(lane);
    emitter.write(builder.CreateInsertElement(emitter.read(whole, slot), result, lane), slot);
  });
  return {{shape, emitter.read(whole, slot)}};
}

}  // namespace phalanx::codegen::cpu
