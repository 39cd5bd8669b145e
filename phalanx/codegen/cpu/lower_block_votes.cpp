#include "phalanx/codegen/cpu/lower_block_votes.h"

#include <algorithm>
#include <iterator>

#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/builder.h"
#include "phalanx/ir/clone.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

bool has_votes(const ir::Module& module) {
  bool found = false;
  for (const auto& function : module.functions) {
    ir::for_each(std::as_const(function->body), [&](const Operation& operation) {
      found |= operation.op == Op::block_vote;
    });
  }
  return found;
}

// The vote becomes what it yields; before it goes what this is made of. Each thread clears the
// counter, as any one may have returned before. The first barrier waits for those that still read
// it, when the kernel comes here again.
Region lower(ir::Function& function, Operation& vote) {
  Region before;
  ir::Builder builder(function);
  const auto scope = builder.enter(before);
  builder.at(vote.location);
  Operation* condition = vote.operands[0];
  if (ir::has_kind(vote, ir::BlockVote::all))
    condition = builder.elementwise(Op::logical_not, {condition});
  Operation* zero = builder.integer(0, DType::int32);
  Operation* counter =
      builder.array_element(ir::shared_array(builder, DType::int32, {1}), {builder.integer(0)});
  ir::barrier(builder);
  builder.store(counter, zero);
  ir::barrier(builder);
  ir::atomic(builder, ir::Atomic::add, counter, builder.cast(condition, DType::int32));
  ir::barrier(builder);
  if (ir::has_kind(vote, ir::BlockVote::count)) {
    vote.op = Op::load;
    vote.operands = {counter};
  } else {
    vote.op = ir::has_kind(vote, ir::BlockVote::all) ? Op::equal : Op::not_equal;
    vote.operands = {builder.load(counter), zero};
  }
  vote.detail = {};
  return before;
}

void lower(ir::Function& function, Region& region) {
  for (std::size_t i = 0; i < region.size(); ++i) {
    for (Region& nested : region[i]->regions) lower(function, nested);
    if (region[i]->op != Op::block_vote)
      continue;
    Region before = lower(function, *region[i]);
    region.insert(
        region.begin() + static_cast<std::ptrdiff_t>(i),
        std::make_move_iterator(before.begin()),
        std::make_move_iterator(before.end()));
    i += before.size();
  }
}

}  // namespace

std::optional<ir::Module> lower_block_votes(const ir::Module& source) {
  if (!has_votes(source))
    return std::nullopt;
  ir::ModuleCopy copy(source);
  for (const auto& function : copy.module.functions) lower(*function, function->body);
  return std::move(copy.module);
}

}  // namespace phalanx::codegen::cpu
