// goto: the blocks and loops that it needs among the statements of a compound statement.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

namespace phalanx::cudac {

// Statements [first, last): a block that `goto` leaves, whose label is the statement at `last`, or
// a loop that `goto` continues, whose label is the statement at `first`.
struct GotoRange {
  const clang::LabelDecl* label;
  std::size_t first;
  std::size_t last;
  bool is_loop;
};

// Those of the labels among the statements that a `goto` leads to, outer ones first. Labels within
// other statements are those' own.
struct GotoPlan {
  std::vector<GotoRange> ranges;
  // A jump into what would be a loop, from before it: no structure has that.
  const clang::GotoStmt* impossible = nullptr;
};
GotoPlan plan_gotos(const std::vector<const clang::Stmt*>& statements);

}  // namespace phalanx::cudac
