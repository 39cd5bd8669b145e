#include "phalanx/cudac/linkage.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/passed_types.h"
#include "phalanx/cudac/types.h"

namespace phalanx::cudac {

namespace {

bool is_of_user(const clang::ASTContext& context, const clang::FunctionDecl& function) {
  const clang::SourceLocation where = function.getLocation();
  return where.isValid() && !context.getSourceManager().isInSystemHeader(where) &&
         !llvm::isa<clang::CXXMethodDecl>(function) && function.getIdentifier() != nullptr;
}

bool is_of_host_only(const clang::FunctionDecl& function) {
  return function.hasAttr<clang::CUDAHostAttr>() && !function.hasAttr<clang::CUDADeviceAttr>();
}

bool is_struct(const clang::ASTContext& context, clang::QualType type) {
  return !type->isVoidType() && !is_scalar(context, type);
}

bool stays_in_module(const clang::ASTContext& context, const clang::FunctionDecl& function) {
  return has_numbers_of_module(context, function.getReturnType()) ||
         std::ranges::any_of(function.parameters(), [&](const auto* parameter) {
           return has_numbers_of_module(context, parameter->getType());
         });
}

ir::Type linked(const ModuleConverter& module, clang::QualType type, clang::SourceLocation where) {
  if (has_numbers_of_module(module.context(), type))
    module.refuse(
        where,
        "a function of another source cannot take or give pointers to functions or to classes with "
        "virtual methods, which each source numbers for itself: define it in this source");
  const auto known = linked_type(module.context(), type);
  if (!known)
    module.refuse(where, "a function that is linked cannot take or give this type by value");
  return *known;
}

// Pointers of another module's type as C's, and back.
Value as(FunctionConverter& c, Value value, const ir::Type& type) {
  if (!value->type.is_pointer() || value->type == type)
    return value;
  return c.builder().pointer_offset(value, c.builder().integer(0), type);
}

}  // namespace

bool is_visible_function(clang::ASTContext& context, const clang::FunctionDecl& function) {
  return function.doesThisDeclarationHaveABody() && is_of_user(context, function) &&
         !function.hasAttr<clang::CUDAGlobalAttr>() && !function.isDependentContext() &&
         !function.isTemplated() && !is_of_host_only(function) && !function.isInlined() &&
         function.hasExternalFormalLinkage() && !stays_in_module(context, function);
}

bool is_foreign_function(clang::ASTContext& context, const clang::FunctionDecl& function) {
  return function.getDefinition() == nullptr && is_of_user(context, function) &&
         function.getBuiltinID() == 0 && !function.hasAttr<clang::CUDAGlobalAttr>() &&
         !is_of_host_only(function) && function.hasExternalFormalLinkage() &&
         !function.isVariadic();
}

ir::Function& add_linked(
    ModuleConverter& module, const clang::FunctionDecl& function, ir::FunctionKind kind) {
  std::vector<ir::Parameter> parameters;
  for (const clang::ParmVarDecl* parameter : function.parameters())
    parameters.push_back(
        {parameter->getNameAsString(),
         linked(module, parameter->getType(), parameter->getLocation())});
  const clang::QualType returned = function.getReturnType();
  ir::Type result;
  if (!returned->isVoidType())
    result = linked(module, returned, function.getLocation());
  std::string name =
      function.isExternC() ? function.getNameAsString() : module.mangled_name(function);
  return ir::add_function(
      module.module(), std::move(name), kind, std::move(parameters), std::move(result));
}

void convert_export(
    ModuleConverter& module, const clang::FunctionDecl& function, ir::Function& exported) {
  FunctionConverter c(module, function, exported);
  Values arguments;
  for (unsigned i = 0; i < function.getNumParams(); ++i) {
    Value given = c.builder().parameter(i);
    const clang::QualType type = function.getParamDecl(i)->getType();
    if (is_struct(c.context(), type)) {
      const LValue own = c.temporary(type);
      store_parts(c, given, own);
      given = c.address(own);
    }
    arguments.push_back(as(c, given, any_pointer()));
  }
  const clang::QualType returned = function.getReturnType();
  ir::Function& called = module.function(function);
  if (!is_struct(c.context(), returned)) {
    Value result = c.builder().call(called, arguments);
    c.builder().return_(exported.result.is_none() ? nullptr : as(c, result, exported.result));
    return;
  }
  const LValue own = c.temporary(returned);
  arguments.push_back(c.address(own));
  c.builder().call(called, arguments);
  c.builder().return_(load_parts(c, own, exported.result));
}

void convert_import(
    ModuleConverter& module, const clang::FunctionDecl& function, ir::Function& called) {
  ir::Function& external = add_linked(module, function, ir::FunctionKind::external);
  FunctionConverter c(module, function, called);
  Values arguments;
  for (unsigned i = 0; i < function.getNumParams(); ++i) {
    Value given = c.builder().parameter(i);
    const clang::QualType type = function.getParamDecl(i)->getType();
    const ir::Type& wanted = external.parameters[i]->type;
    arguments.push_back(
        is_struct(c.context(), type) ? load_parts(c, c.at(given, type), wanted)
                                     : as(c, given, wanted));
  }
  Value result = c.builder().call(external, arguments);
  const clang::QualType returned = function.getReturnType();
  if (is_struct(c.context(), returned)) {
    store_parts(c, result, c.at(c.builder().parameter(function.getNumParams()), returned));
    c.builder().return_();
  } else {
    c.builder().return_(returned->isVoidType() ? nullptr : as(c, result, called.result));
  }
}

}  // namespace phalanx::cudac
