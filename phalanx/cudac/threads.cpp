// threadIdx and its relatives.
#include <algorithm>
#include <array>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"
#include "phalanx/ir/build_threads.h"

namespace phalanx::cudac {

namespace {

struct Query {
  std::string_view variable;
  ir::Op op;
};
constexpr std::array queries = {
    Query{"threadIdx", ir::Op::thread_index},
    Query{"blockIdx", ir::Op::block_index},
    Query{"blockDim", ir::Op::block_extent},
    Query{"gridDim", ir::Op::grid_extent},
};

const Query* query_of(const clang::Expr* expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  if (name == nullptr)
    return nullptr;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  if (variable == nullptr || !variable->hasExternalStorage())
    return nullptr;
  const auto* const found =
      std::ranges::find(queries, std::string_view(variable->getName()), &Query::variable);
  return found == queries.end() ? nullptr : found;
}

}  // namespace

std::optional<Value> thread_query(FunctionConverter& c, const clang::MemberExpr* member) {
  const Query* query = query_of(member->getBase());
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  if (query == nullptr || field == nullptr)
    return std::nullopt;
  return c.builder().cast(
      ir::thread_query(c.builder(), query->op, field->getFieldIndex()), DType::uint32);
}

// threadIdx as a whole, which a function takes or a variable is made of.
std::optional<LValue> thread_place(FunctionConverter& c, const clang::DeclRefExpr* name) {
  const Query* query = query_of(name);
  if (query == nullptr)
    return std::nullopt;
  LValue own = c.temporary(name->getType());
  const auto* record = name->getType()->getAsCXXRecordDecl();
  for (const clang::FieldDecl* each : record->fields()) {
    Value extent = ir::thread_query(c.builder(), query->op, each->getFieldIndex());
    c.store(c.field(own, *each), c.builder().cast(extent, DType::uint32));
  }
  return own;
}

}  // namespace phalanx::cudac
