// What the emitter of a function calls for operations of each kind, one file a kind: emit_memory is
// in emit_memory.cpp. And what these share.
#pragma once

#include "phalanx/codegen/nvptx/function_emitter.h"

namespace phalanx::codegen::nvptx {

// True if the operation is one of theirs, and is emitted now.
bool emit_memory(FunctionEmitter& emitter, const ir::Operation& operation);
bool emit_atomic(FunctionEmitter& emitter, const ir::Operation& operation);
bool emit_thread(FunctionEmitter& emitter, const ir::Operation& operation);
bool emit_warp(FunctionEmitter& emitter, const ir::Operation& operation);
bool emit_texture(FunctionEmitter& emitter, const ir::Operation& operation);
bool emit_check(FunctionEmitter& emitter, const ir::Operation& operation);

// emit_grid.cpp
void emit_grid_barrier(FunctionEmitter& emitter);

// emit_memory.cpp. Without an alignment: that of the type.
Components load(FunctionEmitter& emitter, llvm::Value* pointer, const ir::Type& type);
Components load(
    FunctionEmitter& emitter,
    llvm::Value* pointer,
    const ir::Type& type,
    std::size_t alignment_bytes);
void store(
    FunctionEmitter& emitter, llvm::Value* pointer, const ir::Type& type, const Components& value);
void store(
    FunctionEmitter& emitter,
    llvm::Value* pointer,
    const ir::Type& type,
    const Components& value,
    std::size_t alignment_bytes);
// Of the array that is the operation's first operand, at as many indices.
llvm::Value* element_pointer(
    FunctionEmitter& emitter, const ir::Operation& operation, std::size_t indices);
// The pointer as one of type `type`, for views that forget where their memory lies.
llvm::Value* as_pointer(llvm::IRBuilder<>& builder, llvm::Value* pointer, const ir::Type& type);

// emit_assembly.cpp
llvm::Value* emit_clock(FunctionEmitter& emitter, const ir::Operation& operation);
Components emit_assembly(FunctionEmitter& emitter, const ir::Operation& operation);

// emit_thread.cpp
llvm::Value* read_block_index(llvm::IRBuilder<>& builder, unsigned dimension);
llvm::Value* read_thread_index(llvm::IRBuilder<>& builder, unsigned dimension);
llvm::Value* read_block_extent(llvm::IRBuilder<>& builder, unsigned dimension);

// emit_check.cpp: tells the host of a fault at the operation.
void emit_report(
    FunctionEmitter& emitter, const ir::Operation& operation, llvm::ArrayRef<llvm::Value*> values);

// emit_absent.cpp: nothing where check mode does not look at masks. At a kernel's begin and end,
// and before an operation with a mask.
void clear_lanes_at_end(FunctionEmitter& emitter);
void note_lane_at_end(FunctionEmitter& emitter);
void check_named_lanes(FunctionEmitter& emitter, const ir::Operation& operation);

}  // namespace phalanx::codegen::nvptx
