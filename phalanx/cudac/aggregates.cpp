// Structs and arrays: made where they lie, member by member.
#include <utility>

#include <clang/AST/RecordLayout.h>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::cudac {

namespace {

constexpr std::int64_t most_unrolled = 64;  // elements that are copied one by one

struct ArrayType {
  clang::QualType element;
  std::int64_t count;
};

std::optional<ArrayType> array_type(const FunctionConverter& c, clang::QualType type) {
  const auto* array = c.context().getAsConstantArrayType(type);
  if (array == nullptr)
    return std::nullopt;
  return ArrayType{
      array->getElementType(), static_cast<std::int64_t>(array->getSize().getZExtValue())};
}

// A union is its bytes.
clang::QualType bytes_like(const FunctionConverter& c, clang::QualType type) {
  const llvm::APInt size(64, static_cast<std::uint64_t>(bytes_of(c.context(), type)));
  return c.context().getConstantArrayType(
      c.context().UnsignedCharTy, size, nullptr, clang::ArraySizeModifier::Normal, 0);
}

LValue element_of(FunctionConverter& c, const LValue& array, clang::QualType element, Value index) {
  if (array.kind != LValue::Kind::element)
    return c.at(c.moved(array.value, index, element), element);
  LValue part = array;
  part.indices.push_back(index);
  part.type = element;
  return part;
}

// Calls `each` with the index of every element: as code for each where they are few, in a loop
// where they are many.
template <typename Each>
void for_each_index(FunctionConverter& c, std::int64_t count, const Each& each) {
  ir::Builder& builder = c.builder();
  if (count <= most_unrolled) {
    for (std::int64_t i = 0; i < count; ++i) each(builder.integer(i));
    return;
  }
  const ir::CountedLoop loop =
      ir::begin_counted_loop(builder, "element", builder.integer(0), builder.integer(count));
  {
    const auto scope = builder.enter(*loop.body);
    each(loop.index);
  }
  ir::step_counted_loop(builder, loop, 1);
}

const clang::CXXRecordDecl& record_of(const clang::CXXBaseSpecifier& base) {
  return *base.getType()->getAsCXXRecordDecl();
}

// A reference among the members holds an address.
void make_member(
    FunctionConverter& c,
    const clang::Expr* expression,
    const LValue& target,
    clang::QualType type) {
  if (type->isReferenceType())
    c.store(c.at(target.value, c.context().VoidPtrTy), c.address(c.place(expression)));
  else
    c.make(expression, target);
}

// A default initializer speaks of the members of its own object.
void make_given_member(
    FunctionConverter& c,
    const clang::Expr* expression,
    const LValue& whole,
    const clang::FieldDecl& member) {
  const bool is_default = llvm::isa<clang::CXXDefaultInitExpr>(expression->IgnoreParens());
  Value outer = is_default ? std::exchange(c.current().object, c.address(whole)) : nullptr;
  make_member(c, expression, c.field(whole, member), member.getType());
  if (is_default)
    c.current().object = outer;
}

void make_choice(
    FunctionConverter& c,
    const clang::AbstractConditionalOperator* expression,
    const LValue& target) {
  bind_common(c, expression);
  const ir::Builder::Branches branches = c.builder().if_(c.condition(expression->getCond()));
  {
    const auto scope = c.builder().enter(branches.then);
    const std::size_t objects = c.jumps().objects().size();
    c.make(expression->getTrueExpr(), target);
    c.jumps().objects().end(objects);
  }
  const auto scope = c.builder().enter(branches.otherwise);
  const std::size_t objects = c.jumps().objects().size();
  c.make(expression->getFalseExpr(), target);
  c.jumps().objects().end(objects);
}

void make_text(FunctionConverter& c, const clang::StringLiteral* text, const LValue& target) {
  const ArrayType type = *array_type(c, target.type);
  const DType dtype = number_type(c.context(), type.element).value_or(DType::int8);
  for (std::int64_t i = 0; i < type.count; ++i) {
    const bool is_inside = i < static_cast<std::int64_t>(text->getLength());
    const std::uint32_t code = is_inside ? text->getCodeUnit(static_cast<std::size_t>(i)) : 0;
    c.store(
        element_of(c, target, type.element, c.builder().integer(i)),
        c.builder().integer(code, dtype));
  }
}

void make_array(
    FunctionConverter& c,
    const clang::InitListExpr* list,
    const ArrayType& type,
    const LValue& target) {
  if (list->getNumInits() == 1 && llvm::isa<clang::StringLiteral>(list->getInit(0)->IgnoreParens()))
    return c.make(list->getInit(0), target);
  const auto given = static_cast<std::int64_t>(list->getNumInits());
  const bool is_cleared = type.count > most_unrolled && given < type.count;
  if (is_cleared)
    c.clear(target);
  for (std::int64_t i = 0; i < (is_cleared ? given : type.count); ++i) {
    const LValue part = element_of(c, target, type.element, c.builder().integer(i));
    if (i < given)
      c.make(list->getInit(static_cast<unsigned>(i)), part);
    else if (list->hasArrayFiller())
      c.make(list->getArrayFiller(), part);
  }
}

void make_list(FunctionConverter& c, const clang::InitListExpr* list, const LValue& target) {
  if (list->isTransparent())
    return c.make(list->getInit(0), target);
  if (const auto type = array_type(c, target.type))
    return make_array(c, list, *type, target);
  const auto* record = target.type->getAsCXXRecordDecl();
  if (record->isUnion()) {
    if (const clang::FieldDecl* active = list->getInitializedFieldInUnion())
      make_given_member(c, list->getInit(0), target, *active);
    return;
  }
  unsigned number = 0;
  for (const clang::CXXBaseSpecifier& each : record->bases())
    c.make(list->getInit(number++), c.base(target, *record, record_of(each)));
  for (const clang::FieldDecl* each : record->fields()) {
    if (each->isUnnamedBitField())
      continue;
    if (number < list->getNumInits())
      make_given_member(c, list->getInit(number), target, *each);
    ++number;
  }
}

void make_lambda(FunctionConverter& c, const clang::LambdaExpr* lambda, const LValue& target) {
  auto member = lambda->getLambdaClass()->field_begin();
  for (const clang::Expr* captured : lambda->capture_inits()) {
    make_member(c, captured, c.field(target, **member), member->getType());
    ++member;
  }
}

// What only wraps another expression; nullptr for others.
const clang::Expr* wrapped_in(const clang::Expr* expression) {
  if (const auto* whole = llvm::dyn_cast<clang::FullExpr>(expression))
    return whole->getSubExpr();
  if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
    return made->getSubExpr();
  if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression))
    return bound->getSubExpr();
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
    return given->getExpr();
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expression))
    return given->getExpr();
  if (const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(expression))
    return literal->getInitializer();
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression);
  if (cast == nullptr)
    return nullptr;
  switch (cast->getCastKind()) {
    case clang::CK_NoOp:
    case clang::CK_ConstructorConversion:
    case clang::CK_UserDefinedConversion:
    case clang::CK_ToUnion:
      return cast->getSubExpr();
    default:
      return nullptr;
  }
}

// A struct that is read where it lies; nullptr for others.
const clang::Expr* read_from(const clang::Expr* expression) {
  if (const auto* loop = llvm::dyn_cast<clang::ArrayInitLoopExpr>(expression))
    return loop->getCommonExpr()->getSourceExpr();
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression);
  const bool is_read = cast != nullptr && (cast->getCastKind() == clang::CK_LValueToRValue ||
                                           cast->getCastKind() == clang::CK_LValueToRValueBitCast);
  return is_read ? cast->getSubExpr() : nullptr;
}

// Arrays whose elements have copy constructors of their own.
void make_each(FunctionConverter& c, const clang::ArrayInitLoopExpr* loop, const LValue& target) {
  const ArrayType type = *array_type(c, target.type);
  bind(c, *loop->getCommonExpr());
  for_each_index(c, type.count, [&](Value index) {
    Value outer = std::exchange(c.current().array_index, index);
    c.make(loop->getSubExpr(), element_of(c, target, type.element, index));
    c.current().array_index = outer;
  });
}

bool is_copied_by_calls(const FunctionConverter& c, const clang::Expr* expression) {
  if (!llvm::isa<clang::ArrayInitLoopExpr>(expression))
    return false;
  const auto* record = c.context().getBaseElementType(expression->getType())->getAsCXXRecordDecl();
  return record != nullptr && !record->isTriviallyCopyable();
}

// True if the expression was one of those that make a value from parts.
bool make_from_parts(FunctionConverter& c, const clang::Expr* expression, const LValue& target) {
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression))
    make_list(c, list, target);
  else if (const auto* constructed = llvm::dyn_cast<clang::CXXConstructExpr>(expression))
    c.construct(constructed, target);
  else if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(expression))
    make_lambda(c, lambda, target);
  else if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(expression))
    make_text(c, text, target);
  else if (llvm::isa<clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(expression))
    c.clear(target);
  else if (is_copied_by_calls(c, expression))
    make_each(c, llvm::cast<clang::ArrayInitLoopExpr>(expression), target);
  else
    return false;
  return true;
}

}  // namespace

void FunctionConverter::clear(const LValue& target) {
  if (is_scalar(context(), target.type))
    return store(target, zero(target.type));
  if (const auto type = array_type(*this, target.type))
    return for_each_index(*this, type->count, [&](Value index) {
      clear(element_of(*this, target, type->element, index));
    });
  const auto* record = target.type->getAsCXXRecordDecl();
  if (record->isUnion())
    return clear(at(address(target), bytes_like(*this, target.type)));
  for (const clang::CXXBaseSpecifier& each : record->bases())
    clear(base(target, *record, record_of(each)));
  for (const clang::FieldDecl* each : record->fields()) {
    if (!each->isUnnamedBitField())
      clear(field(target, *each));
  }
}

void FunctionConverter::copy(const LValue& from, const LValue& target) {
  if (is_scalar(context(), target.type))
    return store(target, load(from));
  if (const auto type = array_type(*this, target.type))
    return for_each_index(*this, type->count, [&](Value index) {
      copy(
          element_of(*this, from, type->element, index),
          element_of(*this, target, type->element, index));
    });
  const auto* record = target.type->getAsCXXRecordDecl();
  if (record->isUnion()) {
    const clang::QualType bytes = bytes_like(*this, target.type);
    return copy(at(address(from), bytes), at(address(target), bytes));
  }
  for (const clang::CXXBaseSpecifier& each : record->bases())
    copy(base(from, *record, record_of(each)), base(target, *record, record_of(each)));
  for (const clang::FieldDecl* each : record->fields()) {
    if (!each->isUnnamedBitField())
      copy(field(from, *each), field(target, *each));
  }
}

// Stores what an expression gives at a place of its type.
void FunctionConverter::make(const clang::Expr* given, const LValue& target) {
  const clang::Expr* expression = given->IgnoreParens();
  locate(expression);
  if (is_scalar(context(), target.type))
    return store(target, scalar(expression));
  if (target.type->isMemberPointerType())
    refuse(expression->getBeginLoc(), "pointers to members are not supported in device code");
  if (make_from_parts(*this, expression, target))
    return;
  if (const auto* whole = llvm::dyn_cast<clang::ExprWithCleanups>(expression)) {
    const std::size_t objects = jumps_.objects().size();
    make(whole->getSubExpr(), target);
    return jumps_.objects().end(objects);
  }
  if (const clang::Expr* inner = wrapped_in(expression))
    return make(inner, target);
  if (const clang::Expr* source = read_from(expression))
    return copy(at(address(place(source)), target.type), target);
  const auto* called = llvm::dyn_cast<clang::CallExpr>(expression);
  if (called != nullptr && !called->isGLValue()) {
    call(called, &target);
    return;
  }
  const auto* chosen = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression);
  if (chosen != nullptr && !chosen->isGLValue())
    return make_choice(*this, chosen, target);
  const auto* comma = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (comma != nullptr && comma->getOpcode() == clang::BO_Comma) {
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

}  // namespace phalanx::cudac
