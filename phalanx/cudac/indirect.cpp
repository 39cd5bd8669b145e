// Pointers to functions, and objects with virtual methods: what a function does with them.
#include <clang/AST/RecordLayout.h>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"

namespace phalanx::cudac {

Value function_pointer(
    FunctionConverter& c, const clang::FunctionDecl& function, clang::SourceLocation where) {
  const std::int64_t number = c.module().indirect().number(function, where);
  return c.builder().bitcast(c.builder().integer(number), any_pointer());
}

namespace {

void store_class(
    FunctionConverter& c,
    const clang::CXXRecordDecl& whole,
    const LValue& object,
    std::int64_t start) {
  const std::int64_t number = c.module().indirect().number(whole, start);
  c.store(c.offset(object, start, c.context().LongLongTy), c.builder().integer(number));
}

// Each part of the object that has virtual methods of its own begins with its class; a first base
// shares that of what it is a part of, but has further parts too.
void set_bases(
    FunctionConverter& c,
    const clang::CXXRecordDecl& whole,
    const LValue& object,
    const clang::CXXRecordDecl& part,
    std::int64_t start) {
  const clang::ASTRecordLayout& layout = c.context().getASTRecordLayout(&part);
  for (const clang::CXXBaseSpecifier& each : part.bases()) {
    const clang::CXXRecordDecl* base = each.getType()->getAsCXXRecordDecl();
    if (!base->isDynamicClass())
      continue;
    const std::int64_t offset = layout.getBaseClassOffset(base).getQuantity();
    set_bases(c, whole, object, *base, start + offset);
    if (offset != 0)
      store_class(c, whole, object, start + offset);
  }
}

}  // namespace

void set_class(FunctionConverter& c, const clang::CXXRecordDecl& record, const LValue& object) {
  if (record.getNumVBases() != 0)
    c.refuse(record.getLocation(), "virtual base classes are not supported in device code");
  set_bases(c, record, object, record, 0);
  store_class(c, record, object, 0);
}

Value call_virtual(
    FunctionConverter& c, const clang::CXXMethodDecl& method, Values values, const LValue* result) {
  const clang::QualType returned = method.getReturnType();
  if (!returned->isVoidType() && !is_scalar(c.context(), returned))
    values.push_back(c.address(*result));
  return c.builder().call(c.module().indirect().caller(method), std::move(values));
}

Value call_indirectly(
    FunctionConverter& c, const clang::CallExpr* expression, const LValue* result) {
  const clang::Expr* callee = expression->getCallee();
  if (llvm::isa<clang::CXXPseudoDestructorExpr>(callee->IgnoreParens()))
    return nullptr;  // of a number, which has nothing to do at its end
  const clang::QualType pointed = callee->getType()->getPointeeType();
  const auto* type = pointed.isNull() ? nullptr : pointed->getAs<clang::FunctionProtoType>();
  if (type == nullptr)
    c.refuse(expression->getBeginLoc(), "pointers to methods are not supported in device code");
  Values values = {c.scalar(callee)};
  for (Value each : arguments_of(c, *expression, *type)) values.push_back(each);
  c.locate(expression);
  const clang::QualType returned = type->getReturnType();
  if (!returned->isVoidType() && !is_scalar(c.context(), returned))
    values.push_back(c.address(*result));
  return c.builder().call(c.module().indirect().caller(*type), std::move(values));
}

}  // namespace phalanx::cudac
