// A workaround for LLVM's instruction selection of numbers that become masks: i32 to <32 x i1>.
#pragma once

namespace llvm {
class Module;
}

namespace phalanx::codegen::cpu {

// LLVM 19 does not come to an end where both a | b and a, b are bitcast to masks: one rule of its
// instruction selection makes bitcast(a | b) of bitcast(a) | bitcast(b), another undoes it. Numbers
// that are combined are hidden from it by an instruction that changes nothing. Called after LLVM's
// passes, for CPUs with mask registers.
void hide_combined_masks(llvm::Module& module);

}  // namespace phalanx::codegen::cpu
