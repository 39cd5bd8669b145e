// Calls of functions, methods, operators and constructors.
#include <clang/AST/DeclCXX.h>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"

namespace phalanx::cudac {

namespace {

bool is_trivial_copy(const clang::FunctionDecl& callee) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  return method != nullptr && method->isTrivial() &&
         (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
}

// References and structs go by their address; a struct is copied first, as the callee owns it.
Values arguments(
    FunctionConverter& c,
    const clang::FunctionDecl& callee,
    const clang::Expr* const* given,
    unsigned count) {
  Values values;
  values.reserve(count);
  for (unsigned i = 0; i < count; ++i) {
    const bool is_named = i < callee.getNumParams();
    const clang::QualType type = is_named ? callee.getParamDecl(i)->getType() : given[i]->getType();
    if (type->isReferenceType()) {
      values.push_back(c.address(c.place(given[i])));
    } else if (is_scalar(c.context(), type)) {
      values.push_back(c.scalar(given[i]));
    } else {
      const LValue own = c.temporary(type);
      c.make(given[i], own);
      values.push_back(own.value);
    }
  }
  return values;
}

Value call_function(
    FunctionConverter& c, const clang::FunctionDecl& callee, Values values, const LValue* result) {
  const clang::FunctionDecl* definition = callee.getDefinition();
  const clang::FunctionDecl& called = definition == nullptr ? callee : *definition;
  const clang::QualType returned = callee.getReturnType();
  if (!returned->isVoidType() && !is_scalar(c.context(), returned)) {
    const LValue own = result == nullptr ? c.temporary(returned) : *result;
    values.push_back(c.address(own));
  }
  return c.builder().call(c.module().function(called), std::move(values));
}

Value call_intrinsic(
    FunctionConverter& c,
    const clang::CallExpr* expression,
    const clang::FunctionDecl& callee,
    const LValue* result) {
  if (const auto known = special_call(c, expression, callee))
    return *known;
  Values values = arguments(c, callee, expression->getArgs(), expression->getNumArgs());
  c.locate(expression);
  if (const auto known = intrinsic(c, expression, callee, values))
    return *known;
  if (c.module().is_foreign(callee))
    return call_function(c, callee, std::move(values), result);
  c.refuse(
      expression->getBeginLoc(),
      "the function " + callee.getQualifiedNameAsString() +
          " is declared but has no body, and is none that device code has");
}

// An operator that is a method. Of an assignment the right side comes first, as of C's own.
Value call_operator(
    FunctionConverter& c,
    const clang::CXXOperatorCallExpr* expression,
    const clang::CXXMethodDecl& method,
    const LValue* result) {
  const clang::Expr* const* given = expression->getArgs();
  if (is_trivial_copy(method)) {
    const LValue from = c.place(given[1]);
    const LValue self = c.place(given[0]);
    c.copy(from, self);
    return c.address(self);
  }
  if (method.getDefinition() == nullptr)
    return call_intrinsic(c, expression, method);
  const auto self = [&] { return c.address(c.place(given[0])); };
  const auto others = [&] { return arguments(c, method, given + 1, expression->getNumArgs() - 1); };
  Values values;
  if (expression->isAssignmentOp()) {
    values = others();
    values.insert(values.begin(), self());
  } else {
    values = {self()};
    for (Value each : others()) values.push_back(each);
  }
  c.locate(expression);
  return call_function(c, method, std::move(values), result);
}

void construct_array(
    FunctionConverter& c, const clang::CXXConstructExpr* expression, const LValue& target) {
  const auto* array = c.context().getAsConstantArrayType(target.type);
  Value start = c.address(target);
  for (std::uint64_t i = 0; i < array->getSize().getZExtValue(); ++i) {
    Value index = c.builder().integer(static_cast<std::int64_t>(i));
    c.construct(
        expression, c.at(c.moved(start, index, array->getElementType()), array->getElementType()));
  }
}

}  // namespace

// The value, the address of what a reference refers to, or a struct at `result`.
Value FunctionConverter::call(const clang::CallExpr* expression, const LValue* result) {
  locate(expression);
  const clang::FunctionDecl* callee = expression->getDirectCallee();
  if (callee == nullptr)
    refuse(
        expression->getBeginLoc(),
        "calls through pointers to functions are not supported in device code");
  Values values;
  const clang::Expr* const* given = expression->getArgs();
  const unsigned count = expression->getNumArgs();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (const auto* on_member = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression)) {
    const clang::Expr* object = on_member->getImplicitObjectArgument();
    if (method != nullptr && method->isVirtual() && !method->hasAttr<clang::FinalAttr>())
      refuse(expression->getBeginLoc(), "virtual methods are not supported in device code");
    Value self = object->getType()->isPointerType() ? scalar(object) : address(place(object));
    if (callee->getDefinition() == nullptr && is_trivial_copy(*callee)) {
      copy(place(given[0]), at(self, context().getRecordType(method->getParent())));
      return self;
    }
    if (method == nullptr || method->isInstance())
      values.push_back(self);
  } else if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
             operation != nullptr && method != nullptr && method->isInstance()) {
    return call_operator(*this, operation, *method, result);
  }
  if (callee->getDefinition() == nullptr || callee->getBuiltinID() != 0)
    return call_intrinsic(*this, expression, *callee, result);
  for (Value each : arguments(*this, *callee, given, count)) values.push_back(each);
  locate(expression);
  return call_function(*this, *callee, std::move(values), result);
}

void FunctionConverter::construct(const clang::CXXConstructExpr* expression, const LValue& target) {
  const clang::CXXConstructorDecl& constructor = *expression->getConstructor();
  if (context().getAsConstantArrayType(target.type) != nullptr)
    return construct_array(*this, expression, target);
  if (expression->requiresZeroInitialization())
    clear(target);
  if (constructor.isTrivial()) {
    if (constructor.isCopyOrMoveConstructor())
      copy(place(expression->getArg(0)), target);
    return;  // a default constructor that does nothing
  }
  if (constructor.getDefinition() == nullptr)
    refuse(expression->getBeginLoc(), "this constructor has no body");
  Values values = {address(target)};
  for (Value each : arguments(*this, constructor, expression->getArgs(), expression->getNumArgs()))
    values.push_back(each);
  locate(expression);
  builder_.call(module_.function(*constructor.getDefinition()), std::move(values));
}

}  // namespace phalanx::cudac
