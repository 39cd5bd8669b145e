// Expressions that are numbers or pointers.
#include <clang/AST/Attr.h>
#include <clang/AST/OperationKinds.h>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"

namespace phalanx::cudac {

namespace {

// Literals and names of constants.
std::optional<ir::Constant> literal_value(const clang::Expr* expression) {
  if (const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(expression))
    return static_cast<std::int64_t>(number->getValue().getZExtValue());
  if (const auto* text = llvm::dyn_cast<clang::CharacterLiteral>(expression))
    return static_cast<std::int64_t>(text->getValue());
  if (const auto* truth = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(expression))
    return truth->getValue();
  if (const auto* number = llvm::dyn_cast<clang::FloatingLiteral>(expression))
    return number->getValue().convertToDouble();
  return std::nullopt;
}

// What clang has computed, or can: sizeof, template arguments, constants by their names, functions
// of its own such as __builtin_nanf.
bool may_be_constant(const clang::Expr* expression) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression))
    return call->getBuiltinCallee() != 0;
  return llvm::isa<
      clang::ConstantExpr,
      clang::UnaryExprOrTypeTraitExpr,
      clang::SizeOfPackExpr,
      clang::TypeTraitExpr,
      clang::CXXNoexceptExpr,
      clang::OffsetOfExpr,
      clang::SourceLocExpr,
      clang::DeclRefExpr>(expression);
}

}  // namespace

Value FunctionConverter::constant_value(const clang::Expr* expression) {
  const auto dtype = number_type(context(), expression->getType());
  if (!dtype)
    return nullptr;
  if (const auto literal = literal_value(expression))
    return builder_.constant(*dtype, *literal);
  if (!may_be_constant(expression) || expression->isValueDependent())
    return nullptr;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && !variable->isUsableInConstantExpressions(context()))
      return nullptr;
  }
  clang::Expr::EvalResult result;
  if (!expression->EvaluateAsRValue(result, context()) || result.HasSideEffects)
    return nullptr;
  if (result.Val.isInt() && is_boolean(*dtype))
    return builder_.boolean(result.Val.getInt().getBoolValue());
  if (result.Val.isInt())
    return builder_.constant(*dtype, bits_of(result.Val.getInt()));
  if (result.Val.isFloat())
    return builder_.constant(*dtype, result.Val.getFloat().convertToDouble());
  return nullptr;
}

Value FunctionConverter::scalar(const clang::Expr* given) {
  const clang::Expr* expression = given->IgnoreParens();
  locate(expression);
  if (Value known = constant_value(expression))
    return known;
  if (const auto* each = llvm::dyn_cast<clang::CastExpr>(expression))
    return cast(each);
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return binary(operation);
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return unary(operation);
  if (const auto* chosen = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression))
    return choose(chosen);
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(expression)) {
    Value result = call(called, nullptr);
    return called->isGLValue() ? load(at(result, called->getType())) : result;
  }
  return scalar_of_cpp(expression);
}

namespace {

// GNU's ({ int x = f(); x * x; }): the value of the last statement.
Value value_of_block(FunctionConverter& c, const clang::StmtExpr* block) {
  const clang::CompoundStmt* body = block->getSubStmt();
  const clang::Stmt* last = body->getStmtExprResult();
  const std::size_t objects = c.jumps().objects().size();
  for (const clang::Stmt* each : body->body()) {
    if (each == last)
      break;
    c.statement(each);
  }
  Value value = c.scalar(llvm::cast<clang::ValueStmt>(last)->getExprStmt());
  c.jumps().objects().end(objects);
  return value;
}

}  // namespace

void refuse_heap(const FunctionConverter& c, const clang::Expr* expression) {
  c.refuse(
      expression->getBeginLoc(),
      "device code has no heap here (new, delete, malloc, free): use an array of the function, or "
      "memory that the kernel is given");
}

namespace {

// Only where memory is given: new (pointer) T(1).
Value new_object(FunctionConverter& c, const clang::CXXNewExpr* created) {
  const clang::FunctionDecl* allocation = created->getOperatorNew();
  if (allocation == nullptr || !allocation->isReservedGlobalPlacementOperator() ||
      created->isArray())
    refuse_heap(c, created);
  Value pointer = c.scalar(created->getPlacementArg(0));
  if (const clang::Expr* first = created->getInitializer())
    c.make(first, c.at(pointer, created->getAllocatedType()));
  return pointer;
}

}  // namespace

// What C++ adds to C's expressions.
Value FunctionConverter::scalar_of_cpp(const clang::Expr* expression) {
  if (const auto* wrapped = llvm::dyn_cast<clang::FullExpr>(expression)) {
    const std::size_t objects = jumps_.objects().size();
    Value value = scalar(wrapped->getSubExpr());
    jumps_.objects().end(objects);
    return value;
  }
  if (const auto* created = llvm::dyn_cast<clang::CXXNewExpr>(expression))
    return new_object(*this, created);
  if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
    return scalar(made->getSubExpr());
  if (const auto* parameter = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression))
    return scalar(parameter->getReplacement());
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
    return scalar(given->getExpr());
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expression))
    return scalar(given->getExpr());
  if (const auto* shared = llvm::dyn_cast<clang::OpaqueValueExpr>(expression)) {
    const auto found = current_.values.find(shared);
    if (found != current_.values.end())
      return found->second;
    return expression->isGLValue() ? load(place(shared)) : scalar(shared->getSourceExpr());
  }
  if (llvm::isa<clang::ArrayInitIndexExpr>(expression))
    return converted(current_.array_index, context().LongTy, expression->getType());
  if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(expression))
    return value_of_block(*this, block);
  if (llvm::isa<clang::AddrLabelExpr>(expression))
    refuse(
        expression->getBeginLoc(),
        "device code cannot jump to the address of a label: write a switch");
  if (llvm::isa<clang::CXXThisExpr>(expression))
    return current_.object;
  if (llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(expression))
    return builder_.bitcast(builder_.integer(0), any_pointer());
  if (llvm::isa<clang::CXXScalarValueInitExpr, clang::ImplicitValueInitExpr>(expression))
    return zero(expression->getType());
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression))
    return list->getNumInits() == 0 ? zero(expression->getType()) : scalar(list->getInit(0));
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (Value known = value_of(*name->getDecl()))
      return known;
  }
  if (expression->isGLValue())
    return load(place(expression));
  refuse(
      expression->getBeginLoc(),
      std::string("this expression is not supported in device code (") +
          expression->getStmtClassName() + ")");
}

Value FunctionConverter::zero(clang::QualType type) {
  if (const auto dtype = number_type(context(), type))
    return builder_.cast(builder_.integer(0), *dtype);
  return builder_.bitcast(builder_.integer(0), any_pointer());
}

Value FunctionConverter::condition(const clang::Expr* expression) {
  return converted(scalar(expression), expression->getType(), context().BoolTy);
}

// An expression for its effects.
void FunctionConverter::discard(const clang::Expr* given) {
  const clang::Expr* expression = given->IgnoreParens();
  locate(expression);
  if (const auto* wrapped = llvm::dyn_cast<clang::FullExpr>(expression)) {
    const std::size_t objects = jumps_.objects().size();
    discard(wrapped->getSubExpr());
    jumps_.objects().end(objects);
  } else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression);
             cast != nullptr && cast->getCastKind() == clang::CK_ToVoid) {
    discard(cast->getSubExpr());
  } else if (const auto* called = llvm::dyn_cast<clang::CallExpr>(expression)) {
    if (is_scalar(context(), called->getType()) || called->getType()->isVoidType() ||
        called->isGLValue()) {
      call(called, nullptr);
    } else {
      made(*this, called);
    }
  } else if (const auto* chosen = llvm::dyn_cast<clang::ConditionalOperator>(expression);
             chosen != nullptr && chosen->getType()->isVoidType()) {
    const ir::Builder::Branches branches = builder_.if_(condition(chosen->getCond()));
    {
      const auto scope = builder_.enter(branches.then);
      scoped(*this, chosen->getTrueExpr());
    }
    const auto scope = builder_.enter(branches.otherwise);
    scoped(*this, chosen->getFalseExpr());
  } else if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(expression)) {
    statement(block->getSubStmt());
  } else if (llvm::isa<clang::CXXDeleteExpr>(expression)) {
    refuse_heap(*this, expression);
  } else if (expression->getType()->isVoidType()) {
    refuse(expression->getBeginLoc(), "this expression is not supported in device code");
  } else if (const auto* comma = llvm::dyn_cast<clang::BinaryOperator>(expression);
             comma != nullptr && comma->getOpcode() == clang::BO_Comma) {
    discard(comma->getLHS());
    discard(comma->getRHS());
  } else if (const auto* changed = llvm::dyn_cast<clang::BinaryOperator>(expression);
             changed != nullptr && changed->isAssignmentOp()) {
    binary(changed);
  } else if (const auto* stepped = llvm::dyn_cast<clang::UnaryOperator>(expression);
             stepped != nullptr && stepped->isIncrementDecrementOp()) {
    unary(stepped);
  } else if (expression->isGLValue()) {
    place(expression);
  } else if (is_scalar(context(), expression->getType())) {
    scalar(expression);
  } else {
    made(*this, expression);
  }
}

}  // namespace phalanx::cudac
