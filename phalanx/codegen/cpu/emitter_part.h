// What every part of the emitter works with: the emitter, and what it was made of.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace phalanx::codegen::cpu {

struct Compilation;
class Emitter;
class FunctionShapes;

class EmitterPart {
 public:
  explicit EmitterPart(Emitter& emitter);

 protected:
  Emitter& emitter_;
  Compilation& compilation_;
  llvm::IRBuilder<>& builder_;
  const FunctionShapes& shapes_;
};

}  // namespace phalanx::codegen::cpu
