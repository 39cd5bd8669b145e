// Inline assembly of the user's, and the clocks, which are registers of PTX.
#include <llvm/IR/InlineAsm.h>

#include "phalanx/codegen/llvm/lower_types.h"
#include "phalanx/codegen/nvptx/emit_parts.h"
#include "phalanx/codegen/nvptx/function_emitter.h"
#include "phalanx/ir/assembly.h"

namespace phalanx::codegen::nvptx {

using ir::Operation;

// What is between two readings is not moved out: programs measure it.
llvm::Value* emit_clock(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const char* const text = ir::has_kind(operation, ir::Clock::cycles) ? "mov.u64 $0, %clock64;"
                                                                      : "mov.u64 $0, %globaltimer;";
  auto* type = llvm::FunctionType::get(builder.getInt64Ty(), false);
  return builder.CreateCall(llvm::InlineAsm::get(type, text, "=l,~{memory}", true), {});
}

Components emit_assembly(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const ir::Assembly assembly = *ir::read_assembly(operation.text);
  llvm::SmallVector<llvm::Value*, 8> values;
  llvm::SmallVector<llvm::Type*, 8> types;
  for (std::size_t i = 0; i < operation.operands.size(); ++i) {
    values.push_back(emitter.operand(operation, i));
    types.push_back(values.back()->getType());
  }
  llvm::Type* result = builder.getVoidTy();
  const bool is_tuple = operation.type.is_tuple();
  if (!operation.type.is_none()) {
    const auto parts = component_types(builder.getContext(), operation.type, AddressSpaces::nvptx);
    result = is_tuple ? llvm::StructType::get(builder.getContext(), parts) : parts[0];
  }
  auto* type = llvm::FunctionType::get(result, types, false);
  llvm::CallInst* call = builder.CreateCall(
      llvm::InlineAsm::get(
          type,
          llvm::StringRef(assembly.text.data(), assembly.text.size()),
          llvm::StringRef(assembly.constraints.data(), assembly.constraints.size()),
          assembly.is_volatile),
      values);
  if (operation.type.is_none())
    return {};
  if (!is_tuple)
    return {call};
  Components parts;
  for (unsigned i = 0; i < operation.type.fields().size(); ++i)
    parts.push_back(builder.CreateExtractValue(call, i));
  return parts;
}

}  // namespace phalanx::codegen::nvptx
