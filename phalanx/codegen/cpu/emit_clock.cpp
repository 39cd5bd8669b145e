// The clocks; and assembly, of which the CPU device has the empty text only.
#include <llvm/IR/Constants.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/stateless_operations.h"
#include "phalanx/ir/assembly.h"

namespace phalanx::codegen::cpu {

using ir::Operation;

Value emit_clock(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const Shape& shape = emitter.shapes().of(operation, 0);
  if (ir::has_kind(operation, ir::Clock::cycles))
    return {{shape, builder.CreateIntrinsic(llvm::Intrinsic::readcyclecounter, {}, {})}};
  const llvm::FunctionCallee clock = emitter.compilation().module.getOrInsertFunction(
      "__nv_globaltimer", llvm::FunctionType::get(builder.getInt64Ty(), false));
  llvm::CallInst* call = builder.CreateCall(clock);
  call->setDoesNotThrow();
  return {{shape, call}};
}

// Without instructions and values it keeps accesses to memory in their order, as compiled code has
// them.
Value emit_assembly(const Emitter& emitter, const Operation& operation) {
  const auto given = ir::read_assembly(operation.text);
  const bool is_empty = given && given->text.find_first_not_of(" \t\r\n") == std::string::npos;
  if (is_empty && operation.type.is_none())
    return {};
  const Location& where = operation.location;
  const SourceFile* own = emitter.compilation().kernel.source.get();
  const SourceFile* file = where.file == nullptr ? own : where.file;
  throw CompileError(
      CompileError::Kind::unsupported,
      (file == nullptr ? "line " : file->path + ":") + std::to_string(where.line) +
          ": inline assembly is PTX, which the CPU device does not run: write it in C, or launch "
          "the kernel on a GPU");
}

}  // namespace phalanx::codegen::cpu
