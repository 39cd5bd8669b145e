// Functions of libdevice on the CPU: an operation that equals one, or the runtime's function of the
// same name, called lane by lane.
#include <llvm/IR/Constants.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"
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

}  // namespace

// One lane's call; the results in order.
llvm::SmallVector<llvm::Value*, 3> Emitter::call_library(
    const ir::LibraryFunction& function, llvm::ArrayRef<llvm::Value*> operands) {
  llvm::Function* callee = declare(compilation_.module, function);
  const std::vector<DType> results = function.results();
  llvm::SmallVector<llvm::Value*, 6> arguments(operands.begin(), operands.end());
  llvm::SmallVector<llvm::Value*, 3> slots;
  for (std::size_t i = function.returns_value() ? 1 : 0; i < results.size(); ++i)
    slots.push_back(make_slot(register_type(context(), results[i]), "out"));
  arguments.append(slots.begin(), slots.end());
  llvm::Value* returned = builder_.CreateCall(callee, arguments);
  llvm::SmallVector<llvm::Value*, 3> values;
  if (function.returns_value())
    values.push_back(returned);
  for (llvm::Value* slot : slots)
    values.push_back(read(llvm::cast<llvm::AllocaInst>(slot)->getAllocatedType(), slot));
  return values;
}

Value Emitter::emit_library(const Operation& operation) {
  const ir::LibraryFunction& function = *ir::find_library_function(operation.text);
  if (const auto op = function.operation())
    return emit_operation_on(*op, operation);
  const Shapes& shapes = shapes_.of(operation);
  Value value;
  llvm::SmallVector<Component, 4> operands;
  for (const Operation* operand : operation.operands) {
    const Component known = value_of(*operand)[0];
    operands.push_back(
        known.shape.is_uniform() ? known
                                 : Component{Shape::of(Uniformity::varying), vector_of(known)});
  }
  const auto call_lane = [&](llvm::Value* lane) {
    llvm::SmallVector<llvm::Value*, 4> ones;
    for (const Component& operand : operands)
      ones.push_back(operand.shape.is_uniform() ? operand.value : lane_of(operand.value, lane));
    return call_library(function, ones);
  };
  if (shapes[0].is_uniform()) {
    for (llvm::Value* result : call_lane(builder_.getInt32(0)))
      value.push_back({shapes[0], result});
    return value;
  }
  llvm::SmallVector<llvm::Value*, 3> slots;
  const std::vector<DType> results = function.results();
  for (unsigned i = 0; i < shapes.size(); ++i) {
    llvm::Type* whole = llvm::FixedVectorType::get(register_type(context(), results[i]), lanes());
    slots.push_back(make_slot(whole, "results"));
    write(llvm::Constant::getNullValue(whole), slots.back());
  }
  for_each_lane([&](llvm::Value* lane) {
    const auto ones = call_lane(lane);
    for (unsigned i = 0; i < ones.size(); ++i)
      builder_.CreateStore(ones[i], builder_.CreateGEP(ones[i]->getType(), slots[i], lane));
  });
  for (unsigned i = 0; i < shapes.size(); ++i)
    value.push_back(
        {shapes[i], read(llvm::cast<llvm::AllocaInst>(slots[i])->getAllocatedType(), slots[i])});
  return value;
}

}  // namespace phalanx::codegen::cpu
