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
    const clang::FunctionProtoType& callee,
    const clang::Expr* const* given,
    unsigned count) {
  Values values;
  values.reserve(count);
  for (unsigned i = 0; i < count; ++i) {
    const bool is_named = i < callee.getNumParams();
    const clang::QualType type = is_named ? callee.getParamType(i) : given[i]->getType();
    if (type->isReferenceType()) {
      values.push_back(c.address(c.place(given[i])));
    } else if (is_scalar(c.context(), type)) {
      values.push_back(c.scalar(given[i]));
    } else {
      values.push_back(made(c, given[i]).value);
    }
  }
  return values;
}

const clang::FunctionProtoType& type_of(const clang::FunctionDecl& function) {
  return *function.getType()->castAs<clang::FunctionProtoType>();
}

Value call_function(
    FunctionConverter& c, const clang::FunctionDecl& callee, Values values, const LValue* result) {
  const clang::FunctionDecl* definition = callee.getDefinition();
  const clang::FunctionDecl& called = definition == nullptr ? callee : *definition;
  const clang::QualType returned = callee.getReturnType();
  if (!returned->isVoidType() && !is_scalar(c.context(), returned)) {
    values.push_back(c.address(*result));
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
  Values values = arguments(c, type_of(callee), expression->getArgs(), expression->getNumArgs());
  c.locate(expression);
  if (const auto known = intrinsic(c, expression, callee, values))
    return *known;
  if (callee.getIdentifier() != nullptr &&
      (callee.getName() == "malloc" || callee.getName() == "free"))
    refuse_heap(c, expression);
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
    return call_intrinsic(c, expression, method, result);
  const auto self = [&] { return c.address(c.place(given[0])); };
  const auto others = [&] {
    return arguments(c, type_of(method), given + 1, expression->getNumArgs() - 1);
  };
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

bool is_qualified(const clang::CXXMemberCallExpr* call) {
  const auto* named = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  return named != nullptr && named->hasQualifier();  // x.Base::f()
}

// The method of an object whose class is known here; nullptr for others.
const clang::CXXMethodDecl* known_method(const clang::CXXMemberCallExpr* call) {
  const clang::CXXMethodDecl* method = call->getMethodDecl();
  const clang::Expr* object = call->getImplicitObjectArgument();
  if (method == nullptr || !method->isVirtual() || is_qualified(call))
    return nullptr;
  const clang::CXXMethodDecl* known = method->getDevirtualizedMethod(object, false);
  const clang::QualType type = object->IgnoreParenBaseCasts()->getType();
  const auto* record =
      (type->isPointerType() ? type->getPointeeType() : type)->getAsCXXRecordDecl();
  return known != nullptr && known->getParent() == record ? known : nullptr;
}

bool is_virtual_call(const clang::CXXMemberCallExpr* call, const clang::CXXMethodDecl* method) {
  return method != nullptr && method->isVirtual() && !is_qualified(call) &&
         known_method(call) == nullptr;
}

}  // namespace

Values arguments_of(
    FunctionConverter& c, const clang::CallExpr& expression, const clang::FunctionProtoType& type) {
  return arguments(c, type, expression.getArgs(), expression.getNumArgs());
}

// The value, the address of what a reference refers to, or a struct at `result`.
Value FunctionConverter::call(const clang::CallExpr* expression, const LValue* result) {
  locate(expression);
  const clang::FunctionDecl* callee = expression->getDirectCallee();
  const clang::QualType returned = expression->getCallReturnType(context());
  const bool gives_object = !returned->isVoidType() && !is_scalar(context(), returned);
  LValue own;
  if (gives_object && result == nullptr) {
    own = temporary(returned);
    result = &own;
  }
  if (callee == nullptr)
    return call_indirectly(*this, expression, result);
  Values values;
  const clang::Expr* const* given = expression->getArgs();
  const unsigned count = expression->getNumArgs();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (const auto* on_member = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression)) {
    const clang::Expr* object = on_member->getImplicitObjectArgument();
    if (const auto* known = known_method(on_member)) {
      callee = method = known;
      object = object->IgnoreParenBaseCasts();
    }
    Value self = object->getType()->isPointerType() ? scalar(object) : address(place(object));
    if (is_virtual_call(on_member, method)) {
      values = arguments(*this, type_of(*callee), given, count);
      values.insert(values.begin(), self);
      return call_virtual(*this, *method, std::move(values), result);
    }
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
  for (Value each : arguments(*this, type_of(*callee), given, count)) values.push_back(each);
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
  for (Value each :
       arguments(*this, type_of(constructor), expression->getArgs(), expression->getNumArgs()))
    values.push_back(each);
  locate(expression);
  builder_.call(module_.function(*constructor.getDefinition()), std::move(values));
}

}  // namespace phalanx::cudac
