// What a segment of a block's loop will load in the loop's next round.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/fission_plan.h"

namespace phalanx::codegen::cpu {

// What a counted loop adds to its variable after each round.
struct Induction {
  const ir::Operation* loop = nullptr;
  ir::VariableId variable = 0;
  std::int64_t step = 0;
};

std::optional<Induction> induction_of(const ir::Operation& loop);

// Values as they will be in the next round, where the counter and what stays the same tell them.
class NextRound {
 public:
  // `block`: what the block agrees on. `now`: the segment in this round, already emitted.
  NextRound(const Induction& induction, const FunctionShapes& shapes, Emitter& block, Emitter& now);

  // Array loads of the segment whose place in the next round is known, and another one than now.
  std::vector<const ir::Operation*> loads_of(const Step& step);

  // For Emitter::resolve of an emitter of the next round.
  Value resolve(Emitter& next, const ir::Operation& value, llvm::IRBuilderBase& builder);

 private:
  enum class Knowledge : std::uint8_t { same, moves, unknown };

  bool is_counter(const ir::Operation& value) const;
  bool stays(const ir::Operation& value) const;
  Knowledge knowledge_of(const ir::Operation& value);
  Knowledge knowledge_of_operands(const ir::Operation& operation);

  const Induction& induction_;
  const FunctionShapes& shapes_;
  Emitter& block_;
  Emitter& now_;
  std::unordered_map<const ir::Operation*, Knowledge> known_;
};

}  // namespace phalanx::codegen::cpu
