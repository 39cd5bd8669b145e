// Operations that leave no state in the emitter: one entry for each kind of them.
#pragma once

#include <cstddef>

#include "phalanx/codegen/cpu/value.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

class Emitter;

// Elementwise operations, casts, constants, threads, parts of aggregates: emit_value.cpp
Value emit_plain_value(Emitter& emitter, const ir::Operation& operation);
// The elementwise operation `op` on the operands of `operation`.
Value emit_operation_on(Emitter& emitter, ir::Op op, const ir::Operation& operation);
Value emit_undefined(Emitter& emitter, const ir::Operation& operation);

// Arrays of the block, the thread and the module: emit_array.cpp
Value emit_array(Emitter& emitter, const ir::Operation& operation);

// The lanes of a warp among themselves: emit_warp.cpp
Value emit_warp_value(Emitter& emitter, const ir::Operation& operation);

// Device functions, also those of the runtime: emit_call.cpp, emit_external.cpp;
// libdevice's: emit_library.cpp
Value emit_call(Emitter& emitter, const ir::Operation& operation);
Value emit_external_call(Emitter& emitter, const ir::Operation& operation);
Value emit_library(Emitter& emitter, const ir::Operation& operation);
// CPU functions: ends the caller too where the function called raised.
void leave_if_raised(Emitter& emitter);

// Textures and surfaces, by routines of the runtime: emit_texture.cpp
Value emit_texture_fetch(Emitter& emitter, const ir::Operation& operation);
Value emit_surface_load(Emitter& emitter, const ir::Operation& operation);
void emit_surface_store(Emitter& emitter, const ir::Operation& operation);

// What CPU functions ask of the runtime: emit_service.cpp
Value emit_service_value(Emitter& emitter, const ir::Operation& operation);
void emit_service(Emitter& emitter, const ir::Operation& operation);
// The function pointer at `offset` of the launch's services.
llvm::Value* load_service(Emitter& emitter, std::size_t offset);

// Loops over the cores: parallel_bodies.cpp
Value emit_parallel_lanes(Emitter& emitter, const ir::Operation& operation);
void emit_parallel(Emitter& emitter, const ir::Operation& operation);

// What a thread calls the host for: emit_host_call.cpp
void emit_raise(Emitter& emitter, const ir::Operation& operation);
void emit_print(Emitter& emitter, const ir::Operation& operation);
void emit_grid_barrier(Emitter& emitter);
Value emit_clock(Emitter& emitter, const ir::Operation& operation);
Value emit_assembly(const Emitter& emitter, const ir::Operation& operation);

}  // namespace phalanx::codegen::cpu
