// Functions of libdevice on the CPU: an operation that equals one, or the runtime's function of the
// same name, called lane by lane.
#include <llvm/IR/Constants.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/stateless_operations.h"
#include "phalanx/codegen/llvm/lower_types.h"
#include "phalanx/ir/libdevice.h"

namespace phalanx::codegen::cpu {

using ir::Operation;

namespace {

// Results are passed as libdevice does it: the first by value, the others through pointers.
llvm::Function* declare(llvm::Module& module, const ir::LibraryFunction& function) {
  llvm::LLVMContext& context = module.getContext();
  llvm::SmallVector<llvm::Type*, 6> types;
  for (const DType dtype : function.parameters()) types.push_back(register_type(context, dtype));
  const std::vector<DType> results = function.results();
  const bool returns = function.returns_value();
  for (std::size_t i = returns ? 1 : 0; i < results.size(); ++i)
    types.push_back(llvm::PointerType::get(context, 0));
  llvm::Type* result =
      returns ? register_type(context, results[0]) : llvm::Type::getVoidTy(context);
  auto* declared = llvm::cast<llvm::Function>(
      module
          .getOrInsertFunction(
              "__nv_" + std::string(function.name), llvm::FunctionType::get(result, types, false))
          .getCallee());
  declared->setDoesNotThrow();
  declared->setWillReturn();
  return declared;
}

// One lane's call; the results in order.
llvm::SmallVector<llvm::Value*, 3> call_library(
    Emitter& emitter, const ir::LibraryFunction& function, llvm::ArrayRef<llvm::Value*> operands) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Function* callee = declare(emitter.compilation().module, function);
  const std::vector<DType> results = function.results();
  llvm::SmallVector<llvm::Value*, 6> arguments(operands.begin(), operands.end());
  llvm::SmallVector<llvm::Value*, 3> slots;
  for (std::size_t i = function.returns_value() ? 1 : 0; i < results.size(); ++i)
    slots.push_back(emitter.make_slot(register_type(emitter.context(), results[i]), "out"));
  arguments.append(slots.begin(), slots.end());
  llvm::Value* returned = builder.CreateCall(callee, arguments);
  llvm::SmallVector<llvm::Value*, 3> values;
  if (function.returns_value())
    values.push_back(returned);
  for (llvm::Value* slot : slots)
    values.push_back(emitter.read(llvm::cast<llvm::AllocaInst>(slot)->getAllocatedType(), slot));
  return values;
}

}  // namespace

Value emit_library(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const ir::LibraryFunction& function = *ir::find_library_function(operation.text);
  if (const auto op = function.operation())
    return emit_operation_on(emitter, *op, operation);
  const Shapes& shapes = emitter.shapes().of(operation);
  Value value;
  llvm::SmallVector<Component, 4> operands;
  for (const Operation* operand : operation.operands) {
    const Component known = emitter.value_of(*operand)[0];
    operands.push_back(
        known.shape.is_uniform()
            ? known
            : Component{Shape::of(Uniformity::varying), emitter.vector_of(known)});
  }
  const auto call_lane = [&](llvm::Value* lane) {
    llvm::SmallVector<llvm::Value*, 4> ones;
    for (const Component& operand : operands)
      ones.push_back(
          operand.shape.is_uniform() ? operand.value : emitter.lane_of(operand.value, lane));
    return call_library(emitter, function, ones);
  };
  if (shapes[0].is_uniform()) {
    for (llvm::Value* result : call_lane(builder.getInt32(0))) value.push_back({shapes[0], result});
    return value;
  }
  llvm::SmallVector<llvm::Value*, 3> slots;
  const std::vector<DType> results = function.results();
  for (unsigned i = 0; i < shapes.size(); ++i) {
    llvm::Type* whole =
        llvm::FixedVectorType::get(register_type(emitter.context(), results[i]), emitter.lanes());
    slots.push_back(emitter.make_slot(whole, "results"));
    emitter.write(llvm::Constant::getNullValue(whole), slots.back());
  }
  emitter.for_each_lane([&](llvm::Value* lane) {
    const auto ones = call_lane(lane);
    for (unsigned i = 0; i < ones.size(); ++i)
      builder.CreateStore(ones[i], builder.CreateGEP(ones[i]->getType(), slots[i], lane));
  });
  for (unsigned i = 0; i < shapes.size(); ++i)
    value.push_back(
        {shapes[i],
         emitter.read(llvm::cast<llvm::AllocaInst>(slots[i])->getAllocatedType(), slots[i])});
  return value;
}

}  // namespace phalanx::codegen::cpu
