// Every pass, one file each; pipeline.cpp puts them in order. The first sentence names the
// textbook's term, and the paper or the pass of LLVM where it is found.
#pragma once

#include "phalanx/base/fault.h"
#include "phalanx/ir/ir.h"

namespace phalanx::passes {

// Inlining (LLVM's Inliner): calls of device functions become their bodies; only recursive ones
// stay calls.
void inline_calls(ir::Module& module);

// Constant folding and algebraic simplification (LLVM's InstSimplify): computes what is constant,
// and takes the branch that a constant condition takes.
void fold_constants(ir::Module& module);

// Control-flow simplification (LLVM's SimplifyCFG) of structured code: what follows an `if` one of
// whose branches leaves goes into the other branch; a jump to where control goes anyway disappears.
void early_returns(ir::Module& module);

// Control-flow simplification (LLVM's SimplifyCFG): a block that nothing breaks out of is replaced
// by what it holds.
void remove_blocks(ir::Module& module);

// If-conversion (Allen, Kennedy, Porterfield and Warren, 1983): an `if` that only chooses values of
// variables becomes straight-line selects.
void if_conversion(ir::Module& module);

// Copy propagation (with what LLVM's mem2reg does between joins): reads of a variable whose value
// is known become that value. What differs at a join stays a variable; the IR has no phi functions.
void promote_variables(ir::Module& module);

// Dead store elimination (LLVM's DSE), of variables: removes the sets that no read follows.
void remove_dead_sets(ir::Module& module);

// Copy coalescing over an interference graph (Chaitin et al., 1981): variables that only hand a
// value to one another, as those of nested loops do, become one.
void coalesce_variables(ir::Module& module);

// Folding of comparisons by value ranges (LLVM's CorrelatedValuePropagation): those whose answer
// follows from the sizes of blocks and grids become constants. The step of a grid-stride loop is
// above 0.
void decide_comparisons(ir::Module& module);

// Memory layout by program slices (Weiser, 1981): shared arrays whose shape the launch decides
// become views of dynamic shared memory, before what the user requested, and the launch gets a
// program for their bytes. Throws CompileError where an extent is not the same for all threads of
// the launch.
void place_shared_arrays(ir::Module& module);

// Choice of address spaces (the opposite of LLVM's InferAddressSpaces): where a local array is seen
// through a pointer of another space, local memory becomes generic. The elements of each thread's
// arrays are contiguous there, while those of the CPU device's local space are interleaved with
// other threads'.
void separate_locals(ir::Module& module);

// Interprocedural constant and range propagation (Callahan, Cooper, Kennedy and Torczon, 1986;
// LLVM's IPSCCP) into the bodies of parallel loops: constant arguments, and that a number is not
// negative.
void propagate_ranges(ir::Module& module);

// Elimination of redundant index checks by value ranges (Bodik, Gupta and Sarkar, 2000): removes
// wrap_index where the index is never negative.
void drop_wraps(ir::Module& module);

// Strength reduction (LLVM's InstCombine): divisions of integers by powers of two become shifts and
// masks.
void reduce_strength(ir::Module& module);

// Loop-closed form (LLVM's LCSSA): a counter of a loop that is read after the loop is handed out by
// the jumps that leave. Inside, all threads that are still in the loop have the same.
void form_lcssa(ir::Module& module);

// Common subexpression elimination by a scoped hash table (LLVM's EarlyCSE): of pure operations
// that compute the same, the first stays.
void merge_duplicates(ir::Module& module);

// Check mode: detection of barrier divergence (GPUVerify: Betts et al., 2012), at run time: a
// kernel with barriers that threads can go around gets one more at its end, with the location of
// the first of these. Threads that come to the end while others wait are found there; threads that
// return before are not waited for. GPUs do not report them and skip it.
void insert_end_barriers(ir::Module& module);
inline constexpr std::int64_t end_barrier = 1;  // its index

// Check mode: instrumentation (as of LLVM's sanitizers) that reports faults before each access,
// division and barrier. What value ranges prove to be in bounds gets no check.
void insert_checks(ir::Module& module, Checks checks);

// Check mode: instrumentation of memory accesses (LLVM's ThreadSanitizer and MemorySanitizer), for
// races and reads of what no thread wrote; local arrays get flags for the elements that were
// written.
void instrument_accesses(ir::Module& module, Checks checks);

// Check mode: coalescing of race checks (BigFoot: Rhodes, Flanagan and Freund, 2017): reads of a
// row of a shared array, in a loop over its elements, are tracked at once.
void merge_tracked_reads(ir::Module& module);

// Loop-invariant code motion (LLVM's LICM): moves pure operations out of the loops in which they do
// not change.
void hoist_invariants(ir::Module& module);

// Region-based memory management (Tofte and Talpin, 1997), a region for each iteration: its end
// frees what the iteration allocated and the next does not see.
void release_memory(ir::Module& module);

// Dead code elimination (LLVM's DCE): removes values without use, variables without reader and
// branches without content.
void remove_dead(ir::Module& module);

}  // namespace phalanx::passes
