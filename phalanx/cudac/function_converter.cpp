// A function's parameters, its variables, and what a constructor does before its body.
#include "phalanx/cudac/function_converter.h"

#include <clang/AST/Attr.h>

#include "phalanx/cudac/intrinsics.h"
#include "phalanx/cudac/passed_types.h"
#include "phalanx/ir/build_memory.h"

namespace phalanx::cudac {

namespace {

struct FixedArray {
  clang::QualType element;
  std::vector<std::int64_t> shape;
};

// The extents of an array of arrays, and what its elements are.
FixedArray fixed_array(const clang::ASTContext& context, clang::QualType type) {
  FixedArray result{type, {}};
  while (const auto* array = context.getAsConstantArrayType(result.element)) {
    result.shape.push_back(static_cast<std::int64_t>(array->getSize().getZExtValue()));
    result.element = array->getElementType();
  }
  return result;
}

std::string name_of(const clang::NamedDecl& declaration) { return declaration.getNameAsString(); }

}  // namespace

FunctionConverter::FunctionConverter(
    ModuleConverter& module, const clang::FunctionDecl& declaration, ir::Function& function)
    : module_(module), declaration_(declaration), function_(function), builder_(function) {}

void FunctionConverter::run() {
  usage_.add_body(declaration_.getBody());
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&declaration_);
  if (constructor != nullptr) {
    for (const clang::CXXCtorInitializer* each : constructor->inits()) usage_.add(each->getInit());
  }
  add_parameters();
  add_captures();
  for (const clang::VarDecl* shared : usage_.shared_of_file()) {
    if (!shared->getType()->isIncompleteArrayType())
      module_.claim_shared(*shared, declaration_);
    declare_shared(*shared);
  }
  if (constructor != nullptr)
    initialize_members(*constructor);
  if (const auto* destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(&declaration_))
    add_members(*this, *destructor);
  statement(declaration_.getBody());
  jumps_.objects().end(0);
  if (builder_.is_ended())
    return;
  if (function_.result.is_none())
    builder_.return_();
  else  // C leaves open what such a function gives; nobody may rely on it
    builder_.return_(builder_.undefined(function_.result));
}

void FunctionConverter::add_parameters() {
  std::size_t position = 0;
  const auto next = [&] { return builder_.parameter(position++); };
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&declaration_);
  if (method != nullptr && method->isInstance())
    current_.object = next();
  for (const clang::ParmVarDecl* parameter : declaration_.parameters())
    add_parameter(*parameter, next());
  const bool is_kernel = function_.kind == ir::FunctionKind::kernel;
  if (!is_kernel && !return_type()->isVoidType() && !is_scalar(context(), return_type()))
    result_ = next();
}

void FunctionConverter::add_parameter(const clang::ParmVarDecl& parameter, Value given) {
  const clang::QualType type = parameter.getType();
  const bool is_kernel = function_.kind == ir::FunctionKind::kernel;
  if (given->type.is_pointer() && given->type != any_pointer())
    given = generic(given);
  if (type->isReferenceType() || (!is_scalar(context(), type) && !is_kernel)) {
    places_[&parameter] = at(given, type.getNonReferenceType());
  } else if (!is_scalar(context(), type)) {
    const LValue own = temporary(type, name_of(parameter));
    store_parts(*this, given, own);
    places_[&parameter] = own;
  } else if (usage_.is_addressed(&parameter)) {
    const LValue own = temporary(type, name_of(parameter));
    store(own, given);
    places_[&parameter] = own;
  } else if (usage_.is_modified(&parameter)) {
    const ir::VariableId variable = builder_.variable(name_of(parameter), given->type);
    builder_.set(variable, given);
    places_[&parameter] = {.kind = LValue::Kind::variable, .type = type, .variable = variable};
  } else {
    values_[&parameter] = given;
  }
}

// In the body of a lambda: what it captured are members of it.
void FunctionConverter::add_captures() {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&declaration_);
  if (method == nullptr || !method->getParent()->isLambda() || current_.object == nullptr)
    return;
  llvm::DenseMap<const clang::ValueDecl*, clang::FieldDecl*> members;
  clang::FieldDecl* own_this = nullptr;
  method->getParent()->getCaptureFields(members, own_this);
  const LValue closure = at(current_.object, context().getRecordType(method->getParent()));
  for (const auto& [variable, member] : members) places_[variable] = member_place(closure, *member);
  if (own_this != nullptr)
    current_.object = own_this->getType()->isPointerType() ? load(field(closure, *own_this))
                                                           : field(closure, *own_this).value;
}

void FunctionConverter::initialize_members(const clang::CXXConstructorDecl& constructor) {
  const clang::CXXRecordDecl& record = *constructor.getParent();
  const LValue whole = at(current_.object, context().getRecordType(&record));
  bool has_class = !record.isDynamicClass() || constructor.isDelegatingConstructor();
  for (const clang::CXXCtorInitializer* each : constructor.inits()) {
    if (!has_class && !each->isBaseInitializer()) {
      set_class(*this, record, whole);
      has_class = true;
    }
    if (each->isDelegatingInitializer())
      make(each->getInit(), whole);
    else if (each->isBaseInitializer())
      make(each->getInit(), base(whole, record, *each->getBaseClass()->getAsCXXRecordDecl()));
    else if (each->isMemberInitializer() && each->getMember()->getType()->isReferenceType())
      store(
          at(field(whole, *each->getMember()).value, context().VoidPtrTy),
          address(place(each->getInit())));
    else if (each->isMemberInitializer())
      make(each->getInit(), field(whole, *each->getMember()));
    else
      refuse(each->getSourceLocation(), "this initializer is not supported in device code");
  }
  if (!has_class)
    set_class(*this, record, whole);
}

void FunctionConverter::declare(const clang::VarDecl& variable) {
  if (variable.hasAttr<clang::CUDASharedAttr>()) {
    declare_shared(variable);
    return;
  }
  if (variable.isStaticLocal() || variable.hasExternalStorage()) {
    return;  // found where it is used, as those of the module are
  }
  const clang::QualType type = variable.getType();
  if (type->isReferenceType())
    places_[&variable] = at(address(place(variable.getInit())), type.getNonReferenceType());
  else
    declare_local(variable);
}

// A block's memory, which a function has once, wherever it is declared.
void FunctionConverter::declare_shared(const clang::VarDecl& variable) {
  const FixedArray array = fixed_array(context(), variable.getType());
  const auto dtype = number_type(context(), array.element);
  const ir::Type element = dtype.value_or(DType::uint8);
  if (variable.getType()->isIncompleteArrayType()) {
    const auto* open = context().getAsIncompleteArrayType(variable.getType());
    const auto item = number_type(context(), open->getElementType());
    Value view = ir::dynamic_shared_array(builder_, item.value_or(DType::uint8));
    view->name = name_of(variable);
    places_[&variable] = {
        .kind = item ? LValue::Kind::element : LValue::Kind::memory,
        .type = variable.getType(),
        .value = item ? view : generic(builder_.array_data(view))};
    return;
  }
  std::vector<std::int64_t> shape = array.shape;
  if (!dtype)
    shape.assign(1, bytes_of(context(), variable.getType()));
  else if (shape.empty())
    shape.assign(1, 1);
  Value view = ir::shared_array(builder_, element, shape);
  view->name = name_of(variable);
  const std::int64_t alignment = context().getDeclAlign(&variable).getQuantity();
  view->index = alignment > static_cast<std::int64_t>(ir::alignment_of(element)) ? alignment : 0;
  if (dtype && !array.shape.empty())
    places_[&variable] = {.kind = LValue::Kind::element, .type = variable.getType(), .value = view};
  else
    places_[&variable] = at(generic(builder_.array_data(view)), variable.getType());
}

void FunctionConverter::declare_local(const clang::VarDecl& variable) {
  const clang::QualType type = variable.getType();
  const clang::Expr* first = variable.getInit();
  if (is_scalar(context(), type) && !usage_.is_addressed(&variable)) {
    if (!usage_.is_modified(&variable) && first != nullptr) {
      Value value = scalar(first);
      if (value->op == ir::Op::get && value->type.is_pointer())
        value->name = name_of(variable);  // as check mode calls it
      values_[&variable] = value;
      return;
    }
    const ir::VariableId number = builder_.variable(name_of(variable), value_type(context(), type));
    places_[&variable] = {.kind = LValue::Kind::variable, .type = type, .variable = number};
    builder_.set(
        number, first == nullptr ? builder_.undefined(value_type(context(), type)) : scalar(first));
    return;
  }
  const FixedArray array = fixed_array(context(), type);
  const auto dtype = number_type(context(), array.element);
  LValue own;
  if (dtype && !array.shape.empty()) {
    Value view = ir::local_array(builder_, *dtype, array.shape);
    view->name = name_of(variable);
    own = {.kind = LValue::Kind::element, .type = type, .value = view};
  } else {
    own = is_result(*this, variable) ? at(result_, type) : temporary(type, name_of(variable));
  }
  places_[&variable] = own;
  if (first != nullptr)
    make(first, own);
  jumps_.objects().add(own);
  jumps_.objects().name(variable);
}

const LValue* FunctionConverter::place_of(const clang::ValueDecl& variable) const {
  const auto found = places_.find(&variable);
  return found == places_.end() ? nullptr : &found->second;
}

Value FunctionConverter::value_of(const clang::ValueDecl& variable) const {
  const auto found = values_.find(&variable);
  return found == values_.end() ? nullptr : found->second;
}

}  // namespace phalanx::cudac
