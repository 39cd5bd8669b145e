// Emits one elementwise operation, cast or constant as LLVM IR, for single values and for vectors
// of lanes alike; both back ends share it.
//
// Register forms: bool is i1, integers iN, floats half / bfloat / float / double, a complex number
// the struct {real, imaginary}; with lanes each of these scalars is a fixed vector <N x T>
// (complex: a struct of two vectors). Operands of one call are all scalar, or some are scalar and
// the others vectors of one width: the scalars are then splat. Emission never ends the current
// basic block.
#pragma once

#include <span>

#include <llvm/IR/IRBuilder.h>

#include "phalanx/codegen/codegen.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen {

// The mathematical functions of a device: libdevice on the GPU, SLEEF on the CPU.
class MathLibrary {
 public:
  MathLibrary() = default;
  MathLibrary(const MathLibrary&) = delete;
  MathLibrary& operator=(const MathLibrary&) = delete;
  virtual ~MathLibrary() = default;

  // Any operation with an entry in the columns `nv` or `sleef` of ir/ops.def, plus fmod and
  // ieee_remainder, on float32 or float64. All operands have one shape (scalar, or vectors of one
  // width); the second of ldexp is i32. The builder carries the fast-math flags.
  virtual llvm::Value* call(
      llvm::IRBuilderBase& builder,
      ir::Op op,
      DType dtype,
      std::span<llvm::Value* const> operands) = 0;
};

// What emission needs to know: where to put code, the device's functions, and what it may assume.
struct OpEmitter {
  llvm::IRBuilderBase& builder;
  MathLibrary& math;
  bool contracts = true;   // Options::contracts
  FastMath fastmath = {};  // Options::fastmath
  // False: float64 -> float16 and anything -> bfloat16 are rounded by integer arithmetic, because
  // LLVM would call functions of compiler-rt for them.
  bool converts_small_floats = false;
  // True: the device has fma of float16 and bfloat16.
  bool fuses_small_floats = false;
  // True: vectors of 8 to 32-bit integers are divided as float64, which is exact and a vector
  // operation on x86, where integer division is not.
  bool divides_as_float = false;
};

// `operand` is the type of the operands as ir/ops.def means it (select: of the second and third;
// ldexp: of the first); scalar types only. Never traps: x // 0 and x % 0 give 0 on integers.
// popcount, leading_zeros and trailing_zeros give i32; reverse_bits the operand's type.
llvm::Value* emit_elementwise(
    OpEmitter& emitter, ir::Op op, const ir::Type& operand, std::span<llvm::Value* const> operands);

// Between all scalar types. A float outside the range of the integer type gives an unspecified
// integer (the device's own conversion), never undefined behaviour; the narrow integers convert
// through i32, so that -1.0 becomes 255 as u8.
llvm::Value* emit_cast(OpEmitter& emitter, DType from, DType to, llvm::Value* value);

// The same bits as another type of equal size; complex numbers to complex numbers only.
llvm::Value* emit_bitcast(OpEmitter& emitter, DType from, DType to, llvm::Value* value);

// One scalar (lanes are splat by the user, where needed).
llvm::Constant* emit_constant(
    llvm::LLVMContext& context, DType dtype, const ir::Constant& constant);

llvm::Value* make_complex(OpEmitter& emitter, llvm::Value* real, llvm::Value* imaginary);
llvm::Value* real_of(OpEmitter& emitter, llvm::Value* complex);
llvm::Value* imaginary_of(OpEmitter& emitter, llvm::Value* complex);

// A scalar (or a complex number of scalars) as vectors of `lanes`; a vector is returned as it is.
llvm::Value* splat(llvm::IRBuilderBase& builder, llvm::Value* value, unsigned lanes);
// Lanes of a register form; 0 for a single value.
unsigned lanes_of(const llvm::Value* value);

// bool between register (i1) and memory (i8) form; any other type is returned as it is.
llvm::Value* to_memory(llvm::IRBuilderBase& builder, DType dtype, llvm::Value* value);
llvm::Value* from_memory(llvm::IRBuilderBase& builder, DType dtype, llvm::Value* value);

}  // namespace phalanx::codegen
