// Operators: arithmetic as C has it, comparisons, assignments, choices.
#include <algorithm>

#include "phalanx/base/errors.h"
#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"
#include "phalanx/cudac/positions.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::cudac {

namespace {

using clang::BinaryOperatorKind;
using ir::Op;

std::optional<Op> arithmetic_op(BinaryOperatorKind kind, DType dtype) {
  const bool is_whole = !is_floating(dtype);
  switch (kind) {
    case clang::BO_Add:
      return Op::add;
    case clang::BO_Sub:
      return Op::subtract;
    case clang::BO_Mul:
      return Op::multiply;
    case clang::BO_Div:
      return !is_whole ? Op::true_divide : is_signed(dtype) ? Op::trunc_divide : Op::floor_divide;
    case clang::BO_Rem:
      return is_signed(dtype) ? Op::trunc_remainder : Op::remainder;
    case clang::BO_And:
      return Op::bitwise_and;
    case clang::BO_Or:
      return Op::bitwise_or;
    case clang::BO_Xor:
      return Op::bitwise_xor;
    case clang::BO_Shl:
      return Op::left_shift;
    case clang::BO_Shr:
      return Op::right_shift;
    default:
      return std::nullopt;
  }
}

Op comparison_op(BinaryOperatorKind kind) {
  switch (kind) {
    case clang::BO_LT:
      return Op::less;
    case clang::BO_GT:
      return Op::greater;
    case clang::BO_LE:
      return Op::less_equal;
    case clang::BO_GE:
      return Op::greater_equal;
    case clang::BO_EQ:
      return Op::equal;
    default:
      return Op::not_equal;
  }
}

// Numbers and names, which no child of theirs changes.
bool is_known_value(const clang::Stmt* statement) {
  return llvm::isa<
      clang::IntegerLiteral,
      clang::FloatingLiteral,
      clang::CharacterLiteral,
      clang::StringLiteral,
      clang::CXXBoolLiteralExpr,
      clang::CXXNullPtrLiteralExpr,
      clang::GNUNullExpr,
      clang::CXXThisExpr,
      clang::ConstantExpr,
      clang::ImplicitValueInitExpr,
      clang::CXXScalarValueInitExpr,
      clang::UnaryExprOrTypeTraitExpr,
      clang::SizeOfPackExpr,
      clang::TypeTraitExpr,
      clang::CXXNoexceptExpr,
      clang::OffsetOfExpr,
      clang::OpaqueValueExpr>(statement);
}

// Check mode tells reads of what has no value yet: they stay where they are written.
bool may_be_unassigned(const clang::ValueDecl* declared) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
  return variable != nullptr && variable->isLocalVarDecl() && !variable->hasInit();
}

// True of what does nothing that its operands do not do, and has a value whatever theirs are.
bool is_harmless(const clang::Stmt* statement) {
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(statement))
    return !operation->isAssignmentOp() && !operation->isPtrMemOp() &&
           operation->getOpcode() != clang::BO_Div && operation->getOpcode() != clang::BO_Rem;
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(statement))
    return !operation->isIncrementDecrementOp() && operation->getOpcode() != clang::UO_Deref;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(statement))
    return !member->isArrow() && !member->getType().isVolatileQualified();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement))
    return !name->getType().isVolatileQualified() && !may_be_unassigned(name->getDecl());
  return llvm::isa<
      clang::ParenExpr,
      clang::CastExpr,
      clang::InitListExpr,
      clang::SubstNonTypeTemplateParmExpr>(statement);
}

// True if both ways of a choice may be computed: nothing is read, called, divided or changed.
bool is_cheap(const clang::Stmt* statement) {
  if (is_known_value(statement))
    return true;
  return is_harmless(statement) &&
         std::ranges::all_of(statement->children(), [](const clang::Stmt* child) {
           return child == nullptr || is_cheap(child);
         });
}

Value pointer_arithmetic(FunctionConverter& c, const clang::BinaryOperator* operation) {
  const clang::Expr* left = operation->getLHS();
  const clang::Expr* right = operation->getRHS();
  if (!left->getType()->isPointerType())
    std::swap(left, right);
  Value pointer = c.scalar(left);
  const clang::QualType element = left->getType()->getPointeeType();
  Value other = c.scalar(right);
  c.locate(operation);
  if (!right->getType()->isPointerType())
    return c.moved(pointer, other, element, operation->getOpcode() == clang::BO_Sub);
  Value bytes = c.builder().elementwise(
      Op::subtract,
      {c.builder().bitcast(pointer, DType::int64), c.builder().bitcast(other, DType::int64)});
  const std::int64_t size = element->isVoidType() ? 1 : bytes_of(c.context(), element);
  return c.builder().elementwise(Op::trunc_divide, {bytes, c.builder().integer(size)});
}

Value compare(FunctionConverter& c, const clang::BinaryOperator* operation) {
  Value x = c.scalar(operation->getLHS());
  Value y = c.scalar(operation->getRHS());
  c.locate(operation);
  const auto number = [&](Value value) {
    return value->type.is_pointer() ? c.builder().bitcast(value, DType::uint64) : value;
  };
  x = number(x);
  y = number(y);
  return c.builder().elementwise(comparison_op(operation->getOpcode()), {x, y});
}

Value logical(FunctionConverter& c, const clang::BinaryOperator* operation) {
  const bool is_and = operation->getOpcode() == clang::BO_LAnd;
  Value first = c.condition(operation->getLHS());
  if (is_cheap(operation->getRHS())) {
    Value second = c.condition(operation->getRHS());
    return is_and ? ir::both(c.builder(), first, second) : ir::either(c.builder(), first, second);
  }
  const ir::VariableId result = c.builder().variable("truth", DType::boolean);
  c.builder().set(result, first);
  const ir::Builder::Branches branches = c.builder().if_(first);
  {
    const auto scope = c.builder().enter(is_and ? branches.then : branches.otherwise);
    const std::size_t objects = c.jumps().objects().size();
    c.builder().set(result, c.condition(operation->getRHS()));
    c.jumps().objects().end(objects);
  }
  return c.builder().get(result);
}

// What was changed, and the value that it has then.
struct Changed {
  LValue target;
  Value value;
};

// What pointers lead to is looked at when their memory is known, by the pass infer_spaces.
void require_writable(FunctionConverter& c, const LValue& target, const clang::Expr* where) {
  if (target.kind == LValue::Kind::element && target.value->type.space() == ir::Space::constant)
    c.refuse(
        where->getBeginLoc(),
        "a kernel cannot write to constant memory: declare the variable __device__");
}

Changed assign(FunctionConverter& c, const clang::BinaryOperator* operation) {
  Value value = c.scalar(operation->getRHS());
  const LValue target = c.place(operation->getLHS());
  require_writable(c, target, operation);
  c.locate(operation);
  c.store(target, value);
  return {target, target.kind == LValue::Kind::bits ? c.load(target) : value};
}

Changed assign_and_compute(FunctionConverter& c, const clang::CompoundAssignOperator* operation) {
  Value right = c.scalar(operation->getRHS());
  const LValue target = c.place(operation->getLHS());
  require_writable(c, target, operation);
  Value before = c.load(target);
  c.locate(operation);
  Value after = nullptr;
  const clang::QualType type = operation->getLHS()->getType();
  const BinaryOperatorKind kind =
      clang::BinaryOperator::getOpForCompoundAssignment(operation->getOpcode());
  if (type->isPointerType()) {
    after = c.moved(before, right, type->getPointeeType(), kind == clang::BO_Sub);
  } else {
    Value left = c.converted(before, type, operation->getComputationLHSType());
    after = c.converted(
        c.arithmetic(kind, left, right, operation->getComputationResultType()),
        operation->getComputationResultType(),
        type);
  }
  c.store(target, after);
  return {target, target.kind == LValue::Kind::bits ? c.load(target) : after};
}

// ++ and --: of the value before where they stand behind it.
Changed step(FunctionConverter& c, const clang::UnaryOperator* operation) {
  const LValue target = c.place(operation->getSubExpr());
  require_writable(c, target, operation);
  Value before = c.load(target);
  const clang::QualType type = operation->getType();
  const bool is_down = operation->isDecrementOp();
  Value after = nullptr;
  if (type->isPointerType()) {
    after = c.moved(before, c.builder().integer(1), type->getPointeeType(), is_down);
  } else {
    Value one = c.builder().cast(c.builder().integer(1), before->type.dtype());
    after = c.arithmetic(is_down ? clang::BO_Sub : clang::BO_Add, before, one, type);
  }
  c.store(target, after);
  return {target, operation->isPrefix() ? after : before};
}

}  // namespace

// `type` is that of the result, to which both operands were converted. Signed sums, differences and
// products do not wrap: C says so.
Value FunctionConverter::arithmetic(
    BinaryOperatorKind kind, Value x, Value y, clang::QualType type) {
  const DType dtype = number_type(context(), type).value_or(DType::int32);
  const auto op = arithmetic_op(kind, dtype);
  PHX_ASSERT(op.has_value());
  if (kind == clang::BO_Shl || kind == clang::BO_Shr)
    y = builder_.cast(y, x->type.dtype());
  if (Value position = grid_position(builder_, *op, x, y))
    return position;
  Value result = builder_.elementwise(*op, {x, y});
  const bool may_be_marked = is_integer(dtype) && (kind == clang::BO_Add || kind == clang::BO_Sub ||
                                                   kind == clang::BO_Mul);
  result->no_wrap = may_be_marked && (is_signed(dtype) || is_small(*result));
  return result;
}

// It is found once, as finding it may change others.
std::optional<LValue> changed_place(FunctionConverter& c, const clang::Expr* expression) {
  if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(expression))
    return assign_and_compute(c, compound).target;
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expression);
      operation != nullptr && operation->getOpcode() == clang::BO_Assign)
    return assign(c, operation).target;
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expression);
      operation != nullptr && operation->isIncrementDecrementOp() && operation->isPrefix())
    return step(c, operation).target;
  return std::nullopt;
}

Value FunctionConverter::binary(const clang::BinaryOperator* operation) {
  if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(operation))
    return assign_and_compute(*this, compound).value;
  const BinaryOperatorKind kind = operation->getOpcode();
  if (kind == clang::BO_Assign)
    return assign(*this, operation).value;
  if (kind == clang::BO_Comma) {
    discard(operation->getLHS());
    return scalar(operation->getRHS());
  }
  if (operation->isLogicalOp())
    return logical(*this, operation);
  if (operation->isComparisonOp())
    return compare(*this, operation);
  if (operation->isPtrMemOp() || kind == clang::BO_Cmp)
    refuse(operation->getOperatorLoc(), "this operator is not supported in device code");
  if (operation->getLHS()->getType()->isPointerType() ||
      operation->getRHS()->getType()->isPointerType())
    return pointer_arithmetic(*this, operation);
  Value x = scalar(operation->getLHS());
  Value y = scalar(operation->getRHS());
  locate(operation);
  return arithmetic(kind, x, y, operation->getType());
}

Value FunctionConverter::moved(Value pointer, Value index, clang::QualType element, bool is_back) {
  const std::int64_t bytes = element->isVoidType() ? 1 : bytes_of(context(), element);
  // C lets an int not overflow, so that 64 bits say the same.
  Value distance = builder_.cast(index, DType::int64);
  if (bytes != 1)
    distance = builder_.elementwise(Op::multiply, {distance, builder_.integer(bytes)});
  if (is_back)
    distance = builder_.elementwise(Op::negative, {distance});
  return builder_.pointer_offset(pointer, distance, any_pointer());
}

void bind(FunctionConverter& c, const clang::OpaqueValueExpr& operand) {
  if (operand.isGLValue())
    c.current().places.insert_or_assign(&operand, c.place(operand.getSourceExpr()));
  else
    c.current().values.insert_or_assign(&operand, c.scalar(operand.getSourceExpr()));
}

void bind_common(FunctionConverter& c, const clang::AbstractConditionalOperator* expression) {
  if (const auto* common = llvm::dyn_cast<clang::BinaryConditionalOperator>(expression))
    bind(c, *common->getOpaqueValue());
}

// Of two scalars, or of two places by their addresses; of places that are only read by their
// values.
Value FunctionConverter::choose(
    const clang::AbstractConditionalOperator* expression, bool is_read) {
  const bool is_place = expression->isGLValue();
  const bool by_place = is_place && !is_read;
  const auto value_of = [&](const clang::Expr* each) {
    return by_place ? address(place(each)) : is_place ? read(*this, each) : scalar(each);
  };
  const clang::Expr* one = expression->getTrueExpr();
  const clang::Expr* other = expression->getFalseExpr();
  bind_common(*this, expression);
  Value condition_value = condition(expression->getCond());
  if (!by_place && !expression->getType()->isPointerType() && is_cheap(one) && is_cheap(other)) {
    Value x = value_of(one);
    Value y = value_of(other);
    return builder_.elementwise(Op::select, {condition_value, x, y});
  }
  const ir::VariableId result = builder_.variable(
      "choice", by_place ? any_pointer() : value_type(context(), expression->getType()));
  const ir::Builder::Branches branches = builder_.if_(condition_value);
  const auto take = [&](ir::Region& branch, const clang::Expr* each) {
    const auto scope = builder_.enter(branch);
    const std::size_t objects = jumps_.objects().size();
    builder_.set(result, value_of(each));
    jumps_.objects().end(objects);
  };
  take(branches.then, one);
  take(branches.otherwise, other);
  return builder_.get(result);
}

Value FunctionConverter::unary(const clang::UnaryOperator* operation) {
  const clang::Expr* inner = operation->getSubExpr();
  switch (operation->getOpcode()) {
    case clang::UO_PreInc:
    case clang::UO_PreDec:
    case clang::UO_PostInc:
    case clang::UO_PostDec:
      return step(*this, operation).value;
    case clang::UO_AddrOf:
      return address(place(inner));
    case clang::UO_Deref:
      return load(at(scalar(inner), operation->getType()));
    case clang::UO_Plus:
    case clang::UO_Extension:
      return scalar(inner);
    case clang::UO_Minus:
      return builder_.elementwise(Op::negative, {scalar(inner)});
    case clang::UO_Not:
      return builder_.elementwise(Op::invert, {scalar(inner)});
    case clang::UO_LNot:
      return builder_.elementwise(Op::logical_not, {condition(inner)});
    default:
      refuse(operation->getOperatorLoc(), "this operator is not supported in device code");
  }
}

}  // namespace phalanx::cudac
