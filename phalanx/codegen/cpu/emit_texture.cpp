// Textures and surfaces on the CPU: routines of the runtime that take a warp's lanes at once
// (runtime/cpu/texture_routines.cpp). Values of lanes go through memory, one channel or coordinate
// after another.
#include <llvm/IR/Constants.h>

#include "phalanx/base/routines.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/stateless_operations.h"
#include "phalanx/codegen/llvm/lower_types.h"
#include "phalanx/ir/build_textures.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

class TextureCall {
 public:
  // `lanes`: 1 where they agree.
  TextureCall(Emitter& emitter, const Operation& operation, unsigned lanes)
      : emitter_(emitter), builder_(emitter.builder()), operation_(operation), lanes_(lanes) {}

  // Memory for `count` rows of the lanes' values.
  llvm::AllocaInst* rows(DType dtype, std::size_t count) {
    llvm::Type* type = register_type(emitter_.context(), dtype);
    return emitter_.make_slot(llvm::ArrayType::get(type, count * lanes_), "lanes");
  }
  llvm::Value* row(llvm::AllocaInst* rows, std::size_t index) {
    llvm::Type* element = rows->getAllocatedType()->getArrayElementType();
    return builder_.CreateConstGEP1_64(element, rows, index * lanes_);
  }
  llvm::Value* load(llvm::AllocaInst* rows, std::size_t index) {
    llvm::Type* element = rows->getAllocatedType()->getArrayElementType();
    llvm::Type* type = is_single() ? element : llvm::FixedVectorType::get(element, lanes_);
    return builder_.CreateAlignedLoad(type, row(rows, index), alignment(element));
  }
  void store(llvm::AllocaInst* rows, std::size_t index, const Component& component) {
    llvm::Type* element = rows->getAllocatedType()->getArrayElementType();
    llvm::Value* value = component.value;
    if (!is_single())
      value = emitter_.vector_of(component);
    builder_.CreateAlignedStore(value, row(rows, index), alignment(element));
  }

  // The lanes that the routine refused, as bits.
  llvm::Value* call(std::string_view name, DType dtype, std::uint32_t shape, llvm::Value* memory);

  // The operands between the object and a value: `count` coordinates.
  void take_coordinates(std::size_t count) {
    const DType dtype = operation_.operands[1]->type.dtype();
    coordinates_ = rows(dtype, count);
    for (std::size_t i = 0; i < count; ++i)
      store(coordinates_, i, emitter_.value_of(*operation_.operands[1 + i])[0]);
    objects_ = rows(DType::uint64, 1);
    store(objects_, 0, emitter_.value_of(*operation_.operands[0])[0]);
  }

 private:
  bool is_single() const { return lanes_ == 1; }
  llvm::Align alignment(llvm::Type* element) const {
    return llvm::Align(element->getPrimitiveSizeInBits() / 8);
  }

  Emitter& emitter_;
  llvm::IRBuilder<>& builder_;
  const Operation& operation_;
  unsigned lanes_;
  llvm::AllocaInst* coordinates_ = nullptr;
  llvm::AllocaInst* objects_ = nullptr;
};

llvm::Value* TextureCall::call(
    std::string_view name, DType dtype, std::uint32_t shape, llvm::Value* memory) {
  llvm::Type* pointer = builder_.getPtrTy();
  llvm::Type* whole = builder_.getInt64Ty();
  auto* type =
      llvm::FunctionType::get(whole, {pointer, pointer, pointer, whole, whole, whole}, false);
  const std::string symbol =
      std::string(routine_prefix) + std::string(name) + "." + std::string(info(dtype).name);
  llvm::FunctionCallee routine = emitter_.compilation().module.getOrInsertFunction(symbol, type);
  llvm::cast<llvm::Function>(routine.getCallee())->setDoesNotThrow();
  llvm::Value* running =
      is_single() ? builder_.getInt64(1)
                  : builder_.CreateZExt(emitter_.mask_bits(emitter_.mask_or_all()), whole);
  return builder_.CreateCall(
      routine,
      {memory,
       coordinates_,
       objects_,
       builder_.getInt64(shape),
       builder_.getInt64(lanes_),
       running});
}

// How many lanes a routine is called for: one where all give the same and get the same.
unsigned lanes_of_value(Emitter& emitter, const Operation& operation) {
  return emitter.shapes().of(operation)[0].is_uniform() ? 1 : emitter.lanes();
}

Value channels(
    Emitter& emitter, const Operation& operation, TextureCall& call, llvm::AllocaInst* rows) {
  const Shapes& shapes = emitter.shapes().of(operation);
  Value value;
  for (unsigned i = 0; i < shapes.size(); ++i) value.push_back({shapes[i], call.load(rows, i)});
  return value;
}

std::uint32_t shape_of(std::size_t dimensions, std::size_t channels, const Operation& operation) {
  return static_cast<std::uint32_t>(
      dimensions | channels << 8U | static_cast<std::size_t>(operation.index) << 16U);
}

// Lanes that the routine has refused are reported; the others go on.
void report_refused(
    Emitter& emitter, const Operation& operation, llvm::Value* refused, unsigned called) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::BasicBlock* rare = emitter.new_block("refused");
  llvm::BasicBlock* after = emitter.new_block("done");
  emitter.branch_rarely(builder.CreateIsNotNull(refused), rare, after);
  builder.SetInsertPoint(rare);
  llvm::Value* lanes = builder.getTrue();  // all, where it was called for one of them
  if (called != 1)
    lanes = builder.CreateBitCast(
        builder.CreateTrunc(refused, builder.getIntNTy(called)),
        llvm::FixedVectorType::get(builder.getInt1Ty(), called));
  emitter.reporter().report_lanes(operation, lanes, {});
  emitter.branch_to(after);
}

}  // namespace

Value emit_texture_fetch(Emitter& emitter, const Operation& operation) {
  const std::size_t dimensions = operation.operands.size() - 1;
  const unsigned lanes = lanes_of_value(emitter, operation);
  TextureCall call(emitter, operation, lanes);
  call.take_coordinates(dimensions);
  llvm::AllocaInst* rows = call.rows(operation.type.dtype(), operation.type.lanes());
  llvm::Value* refused = call.call(
      "texture_fetch",
      operation.operands[1]->type.dtype(),
      static_cast<std::uint32_t>(dimensions),
      rows);
  report_refused(emitter, operation, refused, lanes);
  return channels(emitter, operation, call, rows);
}

Value emit_surface_load(Emitter& emitter, const Operation& operation) {
  const ir::Type& type = operation.type;
  const std::size_t count = type.is_vector() ? type.lanes() : 1;
  const std::size_t dimensions = operation.operands.size() - 1;
  const unsigned lanes = lanes_of_value(emitter, operation);
  TextureCall call(emitter, operation, lanes);
  call.take_coordinates(dimensions);
  llvm::AllocaInst* rows = call.rows(type.dtype(), count);
  llvm::Value* refused =
      call.call("surface_load", type.dtype(), shape_of(dimensions, count, operation), rows);
  report_refused(emitter, operation, refused, lanes);
  return channels(emitter, operation, call, rows);
}

void emit_surface_store(Emitter& emitter, const Operation& operation) {
  const Value value = emitter.value_of(*operation.operands.back());
  const DType dtype = operation.operands.back()->type.dtype();
  const std::size_t dimensions = operation.operands.size() - 2;
  TextureCall call(emitter, operation, emitter.lanes());
  call.take_coordinates(dimensions);
  llvm::AllocaInst* rows = call.rows(dtype, value.size());
  for (std::size_t i = 0; i < value.size(); ++i) call.store(rows, i, value[i]);
  llvm::Value* refused =
      call.call("surface_store", dtype, shape_of(dimensions, value.size(), operation), rows);
  report_refused(emitter, operation, refused, emitter.lanes());
}

}  // namespace phalanx::codegen::cpu
