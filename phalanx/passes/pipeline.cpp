#include "phalanx/passes/pipeline.h"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "phalanx/ir/verifier.h"
#include "phalanx/ir/warp_operations.h"
#include "phalanx/passes/passes.h"

namespace phalanx::passes {

namespace {

// Order matters: each pass relies on the shape that the one before leaves. Inlined functions
// are in blocks, which go before variables are promoted; plain values let a branch be seen as a
// choice, and a choice is again a plain value; the guards that drop_wraps looks for are plain then.
constexpr std::array standard_passes = {
    Pass{"inline_calls", inline_calls},
    Pass{"early_returns", early_returns},
    Pass{"remove_blocks", remove_blocks},
    Pass{"promote_variables", promote_variables},
    Pass{"fold_constants", fold_constants},
    Pass{"remove_dead_sets", remove_dead_sets},
    Pass{"if_conversion", if_conversion},
    Pass{"promote_variables", promote_variables},
    Pass{"remove_dead_sets", remove_dead_sets},
    Pass{"if_conversion", if_conversion},
    Pass{"promote_variables", promote_variables},
    Pass{"fold_constants", fold_constants},
    Pass{"remove_dead_sets", remove_dead_sets},
    Pass{"coalesce_variables", coalesce_variables},
    Pass{"promote_variables", promote_variables},
    Pass{"decide_comparisons", decide_comparisons},
    Pass{"fold_constants", fold_constants},
    Pass{"place_shared_arrays", place_shared_arrays},
    Pass{"separate_locals", separate_locals},
    Pass{"merge_duplicates", merge_duplicates},
    Pass{"propagate_ranges", propagate_ranges},
    Pass{"drop_wraps", drop_wraps},
    Pass{"reduce_strength", reduce_strength},
    Pass{"form_lcssa", form_lcssa},
    Pass{"promote_variables", promote_variables},
    Pass{"hoist_invariants", hoist_invariants},
    Pass{"merge_duplicates", merge_duplicates},
    Pass{"release_memory", release_memory},
    Pass{"remove_dead", remove_dead},
};

// How many come before the checks of check mode: those make indices plain, the others move and
// merge what the checks are made of.
std::size_t passes_before_checks() {
  std::size_t last = 0;
  for (std::size_t i = 0; i < standard_passes.size(); ++i) {
    if (standard_passes.at(i).run == drop_wraps)
      last = i + 1;
  }
  return last;
}

// True if the code has to tell threads that returned from those that take another path to the end:
// masks may name only the former.
bool keeps_returns(const ir::Module& module, Checks checks) {
  bool found = false;
  for (const auto& function : module.functions) {
    ir::for_each(std::as_const(function->body), [&](const ir::Operation& operation) {
      found |= ir::has_mask(operation.op);
    });
  }
  return found && checks.has(Check::masks);
}

}  // namespace

std::span<const Pass> standard() { return standard_passes; }

void run(std::span<const Pass> passes, ir::Module& module) {
  for (const Pass& pass : passes) {
    pass.run(module);
#ifndef NDEBUG
    try {
      ir::verify(module);
    } catch (const ir::VerifyError& error) {
      throw ir::VerifyError("after " + std::string(pass.name) + ": " + error.what());
    }
#endif
  }
}

void run_standard(ir::Module& module, Checks checks) {
  if (!checks.any()) {
    run(standard(), module);
    return;
  }
  if (checks.has(Check::barriers))
    insert_end_barriers(module);
  std::vector<Pass> before(
      standard_passes.begin(), standard_passes.begin() + passes_before_checks());
  if (keeps_returns(module, checks))
    std::erase_if(before, [](const Pass& pass) { return pass.run == early_returns; });
  run(before, module);
  insert_checks(module, checks);
  instrument_accesses(module, checks);
  run(standard().subspan(passes_before_checks()), module);
  merge_tracked_reads(module);
}

}  // namespace phalanx::passes
