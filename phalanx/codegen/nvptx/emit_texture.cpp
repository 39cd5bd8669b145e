// Textures and surfaces by NVVM's intrinsics. Their handles are numbers (PTX's unified mode), and
// their names say what they do: llvm.nvvm.tex.unified.2d.v4f32.f32, llvm.nvvm.suld.2d.v4i8.trap.
#include <fmt/format.h>

#include <array>

#include <llvm/IR/Intrinsics.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/nvptx/emit_parts.h"
#include "phalanx/codegen/nvptx/function_emitter.h"

namespace phalanx::codegen::nvptx {

using ir::Op;
using ir::Operation;

namespace {

// By ir::SurfaceBoundary.
constexpr std::array<std::string_view, 3> boundaries = {"trap", "clamp", "zero"};

llvm::Function* intrinsic(FunctionEmitter& emitter, const std::string& name) {
  const llvm::Intrinsic::ID id = llvm::Function::lookupIntrinsicID("llvm.nvvm." + name);
  PHX_ASSERT(id != llvm::Intrinsic::not_intrinsic);
  return llvm::Intrinsic::getDeclaration(&emitter.state().module, id);
}

std::string_view name_in_ptx(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return "f32";
    case DType::uint32:
      return "u32";
    default:
      return "s32";
  }
}

// "i8", "v4i32": what a surface's access moves.
std::string channels_of(const ir::Type& type) {
  const std::string lanes = type.is_vector() ? fmt::format("v{}", type.lanes()) : "";
  return fmt::format("{}i{}", lanes, bits_of(type.dtype()));
}

llvm::CallInst* read(
    llvm::IRBuilder<>& builder, llvm::Function* callee, llvm::ArrayRef<llvm::Value*> operands) {
  llvm::CallInst* call = builder.CreateCall(callee, operands);
  call->setOnlyReadsMemory();
  call->setDoesNotThrow();
  call->addFnAttr(llvm::Attribute::WillReturn);
  return call;
}

// Bytes come and go in registers of 16 bits.
void define_channels(FunctionEmitter& emitter, const Operation& operation, llvm::Value* given) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Type* type = register_type(builder.getContext(), operation.type.dtype());
  Components channels;
  const unsigned count = operation.type.is_vector() ? operation.type.lanes() : 1;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Value* channel =
        given->getType()->isStructTy() ? builder.CreateExtractValue(given, i) : given;
    channels.push_back(type->isIntegerTy() ? builder.CreateTrunc(channel, type) : channel);
  }
  emitter.define(operation, std::move(channels));
}

void emit_fetch(FunctionEmitter& emitter, const Operation& operation) {
  llvm::SmallVector<llvm::Value*, 4> operands;
  for (std::size_t i = 0; i < operation.operands.size(); ++i)
    operands.push_back(emitter.operand(operation, i));
  llvm::Function* callee = intrinsic(
      emitter,
      fmt::format(
          "tex.unified.{}d.v4{}.{}",
          operands.size() - 1,
          name_in_ptx(operation.type.dtype()),
          name_in_ptx(operation.operands[1]->type.dtype())));
  define_channels(emitter, operation, read(emitter.builder(), callee, operands));
}

void emit_surface(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const bool is_load = operation.op == Op::surface_load;
  const std::size_t positions = operation.operands.size() - (is_load ? 0 : 1);
  const ir::Type& moved = is_load ? operation.type : operation.operands.back()->type;
  llvm::Function* callee = intrinsic(
      emitter,
      fmt::format(
          "{}.{}d.{}.{}",
          is_load ? "suld" : "sust.b",
          positions - 1,
          channels_of(moved),
          boundaries.at(static_cast<std::size_t>(operation.index))));
  llvm::SmallVector<llvm::Value*, 8> operands;
  for (std::size_t i = 0; i < positions; ++i) operands.push_back(emitter.operand(operation, i));
  if (is_load) {
    define_channels(emitter, operation, read(builder, callee, operands));
    return;
  }
  for (llvm::Value* channel : emitter.components(operation.operands.back()))
    operands.push_back(builder.CreateZExt(
        channel, callee->getFunctionType()->getParamType(static_cast<unsigned>(operands.size()))));
  builder.CreateCall(callee, operands);
}

}  // namespace

bool emit_texture(FunctionEmitter& emitter, const Operation& operation) {
  if (!ir::is_of(ir::OpFamily::texture, operation.op))
    return false;
  if (operation.op == Op::texture_fetch)
    emit_fetch(emitter, operation);
  else
    emit_surface(emitter, operation);
  return true;
}

}  // namespace phalanx::codegen::nvptx
