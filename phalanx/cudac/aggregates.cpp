// Structs and arrays: made where they lie, member by member.
#include <clang/AST/RecordLayout.h>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::cudac {

namespace {

constexpr std::int64_t most_unrolled = 64;  // elements that are copied one by one

}  // namespace

// Calls `each` with the place of every element of an array: as code for each where they are few, in
// a loop where they are many.
template <typename Each>
static void for_each_element(FunctionConverter& converter, const Place& array, const Each& each) {
  const auto* type = converter.context().getAsConstantArrayType(array.type);
  const auto count = static_cast<std::int64_t>(type->getSize().getZExtValue());
  const clang::QualType element = type->getElementType();
  const auto element_at = [&](Value index) {
    if (array.kind == Place::Kind::element) {
      Place part = array;
      part.indices.push_back(index);
      part.type = element;
      return part;
    }
    return converter.at(converter.moved(array.value, index, element), element);
  };
  ir::Builder& builder = converter.builder();
  if (count <= most_unrolled) {
    for (std::int64_t i = 0; i < count; ++i) each(element_at(builder.integer(i)), i);
    return;
  }
  const ir::CountedLoop loop =
      ir::begin_counted_loop(builder, "element", builder.integer(0), builder.integer(count));
  {
    const auto scope = builder.enter(*loop.body);
    each(element_at(loop.index), -1);
  }
  ir::step_counted_loop(builder, loop, 1);
}

void FunctionConverter::clear(const Place& target) {
  if (is_scalar(context(), target.type)) {
    store(target, zero(target.type));
    return;
  }
  if (context().getAsConstantArrayType(target.type) != nullptr) {
    for_each_element(
        *this, target, [&](const Place& part, std::int64_t /*number*/) { clear(part); });
    return;
  }
  const auto* record = target.type->getAsCXXRecordDecl();
  if (record->isUnion()) {
    clear(
        at(address(target),
           context().getConstantArrayType(
               context().UnsignedCharTy,
               llvm::APInt(64, static_cast<std::uint64_t>(bytes_of(context(), target.type))),
               nullptr,
               clang::ArraySizeModifier::Normal,
               0)));
    return;
  }
  for (const clang::CXXBaseSpecifier& each : record->bases())
    clear(base(target, *record, *each.getType()->getAsCXXRecordDecl()));
  for (const clang::FieldDecl* each : record->fields()) clear(field(target, *each));
}

void FunctionConverter::copy(const Place& from, const Place& target) {
  if (is_scalar(context(), target.type)) {
    store(target, load(from));
    return;
  }
  if (const auto* array = context().getAsConstantArrayType(target.type)) {
    const clang::QualType element = array->getElementType();
    const Place source = at(address(from), target.type);
    std::int64_t next = 0;
    const Place destination = at(address(target), target.type);
    static_cast<void>(next);
    const auto count = static_cast<std::int64_t>(array->getSize().getZExtValue());
    if (count <= most_unrolled) {
      for (std::int64_t i = 0; i < count; ++i)
        copy(
            at(moved(source.value, builder_.integer(i), element), element),
            at(moved(destination.value, builder_.integer(i), element), element));
      return;
    }
    const ir::CountedLoop loop =
        ir::begin_counted_loop(builder_, "element", builder_.integer(0), builder_.integer(count));
    {
      const auto scope = builder_.enter(*loop.body);
      copy(
          at(moved(source.value, loop.index, element), element),
          at(moved(destination.value, loop.index, element), element));
    }
    ir::step_counted_loop(builder_, loop, 1);
    return;
  }
  const auto* record = target.type->getAsCXXRecordDecl();
  if (record->isUnion()) {
    const clang::QualType bytes = context().getConstantArrayType(
        context().UnsignedCharTy,
        llvm::APInt(64, static_cast<std::uint64_t>(bytes_of(context(), target.type))),
        nullptr,
        clang::ArraySizeModifier::Normal,
        0);
    copy(at(address(from), bytes), at(address(target), bytes));
    return;
  }
  for (const clang::CXXBaseSpecifier& each : record->bases()) {
    const auto* parent = each.getType()->getAsCXXRecordDecl();
    copy(base(from, *record, *parent), base(target, *record, *parent));
  }
  for (const clang::FieldDecl* each : record->fields())
    copy(field(from, *each), field(target, *each));
}

// Stores what an expression gives at a place of its type.
void FunctionConverter::make(const clang::Expr* given, const Place& target) {
  const clang::Expr* expression = given->IgnoreParens();
  locate(expression);
  if (is_scalar(context(), target.type)) {
    store(target, scalar(expression));
    return;
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression))
    return make_list(list, target);
  if (const auto* constructed = llvm::dyn_cast<clang::CXXConstructExpr>(expression))
    return construct(constructed, target);
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(expression);
      called != nullptr && !called->isGLValue()) {
    call(called, &target);
    return;
  }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(expression))
    return make_lambda(lambda, target);
  if (const auto* wrapped = llvm::dyn_cast<clang::FullExpr>(expression))
    return make(wrapped->getSubExpr(), target);
  if (const auto* wrapped = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
    return make(wrapped->getSubExpr(), target);
  if (const auto* wrapped = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression))
    return make(wrapped->getSubExpr(), target);
  if (const auto* wrapped = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
    return make(wrapped->getExpr(), target);
  if (const auto* wrapped = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expression))
    return make(wrapped->getExpr(), target);
  if (const auto* wrapped = llvm::dyn_cast<clang::CompoundLiteralExpr>(expression))
    return make(wrapped->getInitializer(), target);
  if (llvm::isa<clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(expression))
    return clear(target);
  if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(expression))
    return make_text(text, target);
  if (const auto* loop = llvm::dyn_cast<clang::ArrayInitLoopExpr>(expression))
    return copy(place(loop->getCommonExpr()->getSourceExpr()), target);
  if (const auto* chosen = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression);
      chosen != nullptr && !chosen->isGLValue())
    return make_choice(chosen, target);
  if (const auto* each = llvm::dyn_cast<clang::CastExpr>(expression)) {
    switch (each->getCastKind()) {
      case clang::CK_NoOp:
      case clang::CK_ConstructorConversion:
      case clang::CK_UserDefinedConversion:
      case clang::CK_ToUnion:
        return make(each->getSubExpr(), target);
      case clang::CK_LValueToRValue:
      case clang::CK_LValueToRValueBitCast: {
        Place from = place(each->getSubExpr());
        from = at(address(from), target.type);
        return copy(from, target);
      }
      default:
        break;
    }
  }
  if (const auto* comma = llvm::dyn_cast<clang::BinaryOperator>(expression);
      comma != nullptr && comma->getOpcode() == clang::BO_Comma) {
    discard(comma->getLHS());
    return make(comma->getRHS(), target);
  }
  if (expression->isGLValue())
    return copy(place(expression), target);
  refuse(
      expression->getBeginLoc(),
      std::string("this value is not supported in device code (") + expression->getStmtClassName() +
          ")");
}

void FunctionConverter::make_choice(
    const clang::AbstractConditionalOperator* expression, const Place& target) {
  const ir::Builder::Branches branches = builder_.if_(condition(expression->getCond()));
  {
    const auto scope = builder_.enter(branches.then);
    make(expression->getTrueExpr(), target);
  }
  const auto scope = builder_.enter(branches.otherwise);
  make(expression->getFalseExpr(), target);
}

void FunctionConverter::make_text(const clang::StringLiteral* text, const Place& target) {
  for_each_element(*this, target, [&](const Place& part, std::int64_t number) {
    const bool is_inside = number >= 0 && number < static_cast<std::int64_t>(text->getLength());
    const std::int64_t code =
        is_inside ? static_cast<std::int64_t>(text->getCodeUnit(static_cast<std::size_t>(number)))
                  : 0;
    store(part, builder_.integer(code, number_type(context(), part.type).value_or(DType::int8)));
  });
}

void FunctionConverter::make_list(const clang::InitListExpr* list, const Place& target) {
  if (list->isTransparent())
    return make(list->getInit(0), target);
  if (context().getAsConstantArrayType(target.type) != nullptr) {
    if (list->getNumInits() == 1 &&
        llvm::isa<clang::StringLiteral>(list->getInit(0)->IgnoreParens()))
      return make(list->getInit(0), target);
    const auto* array = context().getAsConstantArrayType(target.type);
    const auto count = static_cast<std::int64_t>(array->getSize().getZExtValue());
    if (count > most_unrolled && list->getNumInits() < static_cast<unsigned>(count))
      clear(target);
    const auto given = static_cast<std::int64_t>(list->getNumInits());
    const std::int64_t written = count > most_unrolled ? given : count;
    for (std::int64_t i = 0; i < written; ++i) {
      Place part = target;
      if (target.kind == Place::Kind::element) {
        part.indices.push_back(builder_.integer(i));
        part.type = array->getElementType();
      } else {
        part =
            at(moved(target.value, builder_.integer(i), array->getElementType()),
               array->getElementType());
      }
      if (i < given)
        make(list->getInit(static_cast<unsigned>(i)), part);
      else if (list->hasArrayFiller())
        make(list->getArrayFiller(), part);
    }
    return;
  }
  const auto* record = target.type->getAsCXXRecordDecl();
  if (record->isUnion()) {
    if (const clang::FieldDecl* active = list->getInitializedFieldInUnion())
      make(list->getInit(0), field(target, *active));
    return;
  }
  unsigned number = 0;
  for (const clang::CXXBaseSpecifier& each : record->bases())
    make(list->getInit(number++), base(target, *record, *each.getType()->getAsCXXRecordDecl()));
  for (const clang::FieldDecl* each : record->fields()) {
    if (each->isUnnamedBitField())
      continue;
    if (number < list->getNumInits())
      make_member(list->getInit(number), field(target, *each), each->getType());
    ++number;
  }
}

// A reference among the members holds an address.
void FunctionConverter::make_member(
    const clang::Expr* expression, const Place& target, clang::QualType type) {
  if (type->isReferenceType())
    store(at(target.value, context().VoidPtrTy), address(place(expression)));
  else
    make(expression, target);
}

void FunctionConverter::make_lambda(const clang::LambdaExpr* lambda, const Place& target) {
  const clang::CXXRecordDecl* closure = lambda->getLambdaClass();
  auto member = closure->field_begin();
  for (const clang::Expr* captured : lambda->capture_inits()) {
    make_member(captured, field(target, **member), member->getType());
    ++member;
  }
}

}  // namespace phalanx::cudac
