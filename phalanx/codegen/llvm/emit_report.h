// How generated code tells the host of an exception or a fault: one function for both devices.
#pragma once

#include <string>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "phalanx/base/fault.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen {

// void (log, i32 site, i32 count, i32 block x, y, z, i32 thread x, y, z, values, i32 how many):
// enters a report of `count` threads into the ErrorLog of base/cpu_kernel.h. `log` and `values` are
// pointers of the address spaces 0 and 0. Made at the first call.
llvm::Function* report_function(llvm::Module& module);

// Where the indices begin among the operands of a checked element, a report of one, or a tracked
// access.
std::size_t first_index(const ir::Operation& operation);

// The site of a raise, or of one of check mode's operations.
FaultSite site_of(const ir::Function& function, const ir::Operation& operation);

}  // namespace phalanx::codegen
