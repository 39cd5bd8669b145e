#include "phalanx/cudac/indirect_calls.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <clang/AST/RecordLayout.h>

#include "phalanx/cudac/module_converter.h"
#include "phalanx/cudac/types.h"

namespace phalanx::cudac {

namespace {

using Values = ir::Builder::Values;

// The function that a lambda without captures converts to has no body: it is the lambda's own.
const clang::FunctionDecl* callee_of(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method != nullptr && method->isLambdaStaticInvoker())
    return method->getParent()->getLambdaCallOperator();
  return function.getDefinition();
}

std::vector<ir::Parameter> parameters_of(
    const clang::ASTContext& context, const clang::FunctionProtoType& type) {
  std::vector<ir::Parameter> parameters = {{"callee", any_pointer()}};
  for (const clang::QualType each : type.param_types())
    parameters.push_back({"given", value_type(context, each)});
  const clang::QualType result = type.getReturnType();
  if (!result->isVoidType() && !is_scalar(context, result))
    parameters.push_back({"result", any_pointer()});
  return parameters;
}

ir::Type result_of(const clang::ASTContext& context, clang::QualType type) {
  return is_scalar(context, type) ? value_type(context, type) : ir::Type{};
}

// A class within another, and where.
struct Part {
  const clang::CXXRecordDecl* record;
  std::int64_t at;
};

// The parts around one of a class that is at an offset: the whole first, that part last; none where
// it is not there.
std::vector<Part> parts_to(
    const clang::ASTContext& context, const Part& whole, const Part& wanted) {
  if (whole.record->getCanonicalDecl() == wanted.record->getCanonicalDecl() &&
      whole.at == wanted.at)
    return {whole};
  const clang::ASTRecordLayout& layout = context.getASTRecordLayout(whole.record);
  for (const clang::CXXBaseSpecifier& each : whole.record->bases()) {
    const clang::CXXRecordDecl* base = each.getType()->getAsCXXRecordDecl();
    const std::int64_t at = whole.at + layout.getBaseClassOffset(base).getQuantity();
    std::vector<Part> found = parts_to(context, {base, at}, wanted);
    if (found.empty())
      continue;
    found.insert(found.begin(), whole);
    return found;
  }
  return {};
}

// if number == known { return callee(...) }
void call_if(
    ir::Builder& builder,
    ir::Operation* number,
    std::int64_t known,
    ir::Function& callee,
    const std::function<Values(ir::Builder&)>& values) {
  ir::Operation* is_it = builder.elementwise(ir::Op::equal, {number, builder.integer(known)});
  const ir::Builder::Branches branches = builder.if_(is_it);
  const auto scope = builder.enter(branches.then);
  ir::Operation* result = builder.call(callee, values(builder));
  builder.return_(callee.result.is_none() ? nullptr : result);
}

void end(ir::Builder& builder, const ir::Function& function) {
  builder.return_(function.result.is_none() ? nullptr : builder.undefined(function.result));
}

}  // namespace

std::int64_t IndirectCalls::number(
    const clang::FunctionDecl& function, clang::SourceLocation where) {
  const clang::FunctionDecl* callee = callee_of(function);
  if (callee == nullptr)
    module_.refuse(
        where,
        "the function " + function.getQualifiedNameAsString() +
            " has no body here, so that its address cannot be taken");
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method != nullptr && method->isInstance())
    module_.refuse(where, "pointers to methods are not supported in device code");
  const auto* known = function.getCanonicalDecl();
  const auto found = std::ranges::find(functions_, known);
  if (found != functions_.end())
    return found - functions_.begin() + 1;
  module_.function(*callee);
  functions_.push_back(known);
  return static_cast<std::int64_t>(functions_.size());
}

std::int64_t IndirectCalls::number(const clang::CXXRecordDecl& record, std::int64_t offset) {
  const Class wanted = {record.getCanonicalDecl()->getDefinition(), offset};
  const auto found = std::ranges::find(classes_, wanted);
  if (found != classes_.end())
    return found - classes_.begin() + 1;
  classes_.push_back(wanted);
  return static_cast<std::int64_t>(classes_.size());
}

ir::Function& IndirectCalls::caller(const clang::FunctionProtoType& given) {
  const clang::ASTContext& context = module_.context();
  const clang::QualType type(&given, 0);
  for (const ByType& each : by_type_) {
    if (context.hasSameFunctionTypeIgnoringExceptionSpec(each.type, type))
      return *each.caller;
  }
  ir::Function& function = ir::add_function(
      module_.module(),
      "call." + std::to_string(by_type_.size()),
      ir::FunctionKind::device,
      parameters_of(context, given),
      result_of(context, given.getReturnType()));
  by_type_.push_back({type, &function});
  return function;
}

ir::Function& IndirectCalls::caller(const clang::CXXMethodDecl& given) {
  const auto* method = llvm::cast<clang::CXXMethodDecl>(given.getCanonicalDecl());
  const auto found = std::ranges::find(by_method_, method, &ByMethod::method);
  if (found != by_method_.end())
    return *found->caller;
  const clang::ASTContext& context = module_.context();
  ir::Function& function = ir::add_function(
      module_.module(),
      "call virtual." + std::to_string(by_method_.size()),
      ir::FunctionKind::device,
      parameters_of(context, *method->getType()->castAs<clang::FunctionProtoType>()),
      result_of(context, method->getReturnType()));
  by_method_.push_back({method, &function});
  return function;
}

const IndirectCalls::Overrider* IndirectCalls::find(const ByMethod& called, const Class& each) {
  const std::vector<Part> parts =
      parts_to(module_.context(), {each.record, 0}, {called.method->getParent(), each.offset});
  for (const Part& part : parts) {
    const clang::CXXMethodDecl* own =
        called.method->getCorrespondingMethodDeclaredInClass(part.record);
    if (own == nullptr)
      continue;
    if (own->isPureVirtual() || own->getDefinition() == nullptr)
      return nullptr;
    const auto* body = llvm::cast<clang::CXXMethodDecl>(own->getDefinition());
    found_.assign(1, {body, part.at - each.offset});
    return found_.data();
  }
  return nullptr;
}

void IndirectCalls::request_methods() {
  for (const ByMethod& called : by_method_) {
    for (const Class& each : classes_) {
      if (const Overrider* found = find(called, each))
        module_.function(*found->method);
    }
  }
}

void IndirectCalls::finish(const ByType& made) {
  ir::Builder builder(*made.caller);
  ir::Operation* number = builder.bitcast(builder.parameter(0), DType::int64);
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    const clang::FunctionDecl& each = *functions_[k];
    if (!module_.context().hasSameFunctionTypeIgnoringExceptionSpec(each.getType(), made.type))
      continue;
    const clang::FunctionDecl* callee = callee_of(each);
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    const bool takes_object = method != nullptr && method->isInstance();
    const auto values = [&](ir::Builder& inside) {
      Values result;
      if (takes_object)  // a lambda without captures, which looks at nothing of it
        result.push_back(inside.bitcast(inside.integer(0), any_pointer()));
      for (std::size_t i = 1; i < made.caller->parameters.size(); ++i)
        result.push_back(inside.parameter(i));
      return result;
    };
    call_if(builder, number, static_cast<std::int64_t>(k) + 1, module_.function(*callee), values);
  }
  end(builder, *made.caller);
}

void IndirectCalls::finish(const ByMethod& made) {
  ir::Builder builder(*made.caller);
  ir::Operation* table = builder.pointer_offset(
      builder.parameter(0),
      builder.integer(0),
      ir::Type::pointer(DType::int64, ir::Space::generic));
  ir::Operation* number = builder.load(table);
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    const Overrider* found = find(made, classes_[k]);
    if (found == nullptr)
      continue;
    const std::int64_t move = found->move;
    const auto values = [&](ir::Builder& inside) {
      Values result = {
          inside.pointer_offset(inside.parameter(0), inside.integer(move), any_pointer())};
      for (std::size_t i = 1; i < made.caller->parameters.size(); ++i)
        result.push_back(inside.parameter(i));
      return result;
    };
    call_if(
        builder,
        number,
        static_cast<std::int64_t>(k) + 1,
        module_.function(*found->method),
        values);
  }
  end(builder, *made.caller);
}

void IndirectCalls::finish() {
  for (const ByType& each : by_type_) finish(each);
  for (const ByMethod& each : by_method_) finish(each);
}

}  // namespace phalanx::cudac
