// Every pass, one file each; pipeline.cpp puts them in order.
#pragma once

#include "phalanx/base/fault.h"
#include "phalanx/ir/ir.h"

namespace phalanx::passes {

// Puts device functions in the place of their calls; only recursive ones stay calls.
void inline_calls(ir::Module& module);

// Computes what is constant, and takes the branch that a constant condition takes.
void fold_constants(ir::Module& module);

// What follows an `if` one of whose branches leaves goes into the other branch; a jump to where
// control goes anyway disappears.
void early_returns(ir::Module& module);

// A block that nothing breaks out of is replaced by what it holds.
void remove_blocks(ir::Module& module);

// An `if` that only chooses values of variables becomes straight-line selects.
void if_conversion(ir::Module& module);

// Reads of a variable whose value is known become that value.
void promote_variables(ir::Module& module);

// Removes the sets of variables that nobody reads afterwards.
void remove_dead_sets(ir::Module& module);

// Variables that only hand a value to one another, as those of nested loops do, become one.
void coalesce_variables(ir::Module& module);

// Comparisons whose answer follows from the sizes of blocks and grids become constants: the step of
// a grid-stride loop is above 0.
void decide_comparisons(ir::Module& module);

// Shared arrays whose shape the launch decides become views of dynamic shared memory, before
// what the user asked for, and the launch gets a program that computes their bytes. Throws
// CompileError where an extent is not the same for all threads of the launch.
void place_shared_arrays(ir::Module& module);

// Where a local array is seen through a pointer of another space, local memory becomes generic: the
// elements of each thread's arrays lie together there, while those of the CPU device's local space
// are interleaved with other threads'.
void separate_locals(ir::Module& module);

// What the launches of a parallel loop's body know of their integer arguments, the body get to
// know: constants, and that a number is not negative.
void propagate_ranges(ir::Module& module);

// Removes wrap_index where the index is never negative.
void drop_wraps(ir::Module& module);

// Divisions of integers by powers of two become shifts and masks.
void reduce_strength(ir::Module& module);

// A counter of a loop that is read after the loop is handed out by the jumps that leave: inside,
// all threads that are still there have the same.
void form_lcssa(ir::Module& module);

// Of pure operations that compute the same, the first stays.
void merge_duplicates(ir::Module& module);

// Check mode: a kernel with barriers that threads can go around gets one more at its end, at the
// place of the first of these. Threads that come to the end while others wait are found there;
// threads that return before are not waited for. GPUs, where nobody looks, skip it.
void insert_end_barriers(ir::Module& module);
inline constexpr std::int64_t end_barrier = 1;  // its index

// Check mode: before each access, division and barrier the operations that report its faults.
// What the ranges of indices prove needs none.
void insert_checks(ir::Module& module, Checks checks);

// Check mode: notes each access to global and shared memory, for races and reads of what nobody
// wrote; local arrays get flags that tell which elements were written.
void instrument_accesses(ir::Module& module, Checks checks);

// Check mode: reads of a row of a shared array, in a loop over its elements, are noted at once.
void merge_tracked_reads(ir::Module& module);

// Moves pure operations out of the loops in which they do not change.
void hoist_invariants(ir::Module& module);

// Frees at the end of an iteration what the iteration allocated and the next does not see.
void release_memory(ir::Module& module);

// Removes values without use, variables without reader and branches without content.
void remove_dead(ir::Module& module);

}  // namespace phalanx::passes
