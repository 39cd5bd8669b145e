// Where values lie: variables, members, elements, what pointers lead to.
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/RecordLayout.h>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"
#include "phalanx/cudac/random_jumps.h"
#include "phalanx/ir/build_memory.h"

namespace phalanx::cudac {

namespace {

ir::Type pointer_to(const ir::Type& element) {
  return ir::Type::pointer(element, ir::Space::generic);
}

// A volatile element of an array, which is accessed by a pointer: accesses by indices may be
// joined.
bool is_volatile_element(const LValue& place) {
  return place.kind == LValue::Kind::element && place.type.isVolatileQualified() &&
         place.indices.size() == place.value->type.ndim();
}

LValue global_place(FunctionConverter& c, const clang::VarDecl& variable) {
  const bool is_of_device = variable.hasAttr<clang::CUDADeviceAttr>() ||
                            variable.hasAttr<clang::CUDAConstantAttr>() || variable.isStaticLocal();
  const bool is_fixed = variable.getType().isConstQualified() && variable.hasInit() &&
                        !variable.hasAttr<clang::CUDAConstantAttr>();
  const bool is_table = random_table(std::string_view(variable.getName())).has_value();
  const bool as_constant = is_fixed || !is_of_device || is_table;
  clang::QualType element = variable.getType();
  std::vector<std::int64_t> shape;
  while (const auto* array = c.context().getAsConstantArrayType(element)) {
    shape.push_back(static_cast<std::int64_t>(array->getSize().getZExtValue()));
    element = array->getElementType();
  }
  const auto dtype = number_type(c.context(), element);
  const bool is_array = dtype && !shape.empty();
  if (!dtype)
    shape.assign(1, bytes_of(c.context(), variable.getType()));
  else if (as_constant && shape.empty())
    shape.assign(1, 1);
  Value view =
      as_constant ? ir::constant_array(
                        c.builder(),
                        c.module().module(),
                        c.module().constant(variable, dtype.value_or(DType::uint8), shape))
                  : ir::global_array(c.builder(), c.module().module(), c.module().global(variable));
  view->name = variable.getNameAsString();
  if (is_array)
    return {.kind = LValue::Kind::element, .type = variable.getType(), .value = view};
  return c.at(c.generic(c.builder().array_data(view)), variable.getType());
}

// Elements of fixed arrays by their indices, which analyses understand; others by pointers.
LValue element_place(FunctionConverter& c, const clang::ArraySubscriptExpr* element) {
  const auto* decayed = llvm::dyn_cast<clang::ImplicitCastExpr>(element->getBase()->IgnoreParens());
  if (decayed != nullptr && decayed->getCastKind() == clang::CK_ArrayToPointerDecay) {
    LValue whole = c.place(decayed->getSubExpr());
    if (whole.kind == LValue::Kind::element && whole.indices.size() < whole.value->type.ndim()) {
      whole.indices.push_back(c.builder().cast(c.scalar(element->getIdx()), DType::int64));
      whole.type = element->getType();
      return whole;
    }
    return c.at(
        c.moved(c.address(whole), c.scalar(element->getIdx()), element->getType()),
        element->getType());
  }
  Value pointer = c.scalar(element->getBase());
  return c.at(
      c.moved(pointer, c.scalar(element->getIdx()), element->getType()), element->getType());
}

LValue text_place(FunctionConverter& c, const clang::StringLiteral* text) {
  Value view = ir::constant_array(
      c.builder(), c.module().module(), c.module().constant(text->getString().str()));
  return c.at(c.generic(c.builder().array_data(view)), text->getType());
}

// Values that have no name: they get a place of their own.
LValue made_place(FunctionConverter& c, const clang::Expr* expression) {
  if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
    return made_place(c, made->getSubExpr());
  if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(expression))
    return text_place(c, text);
  if (const auto* name = llvm::dyn_cast<clang::PredefinedExpr>(expression))
    return text_place(c, name->getFunctionName());  // __func__
  if (const auto* wrapped = llvm::dyn_cast<clang::FullExpr>(expression))
    return c.place(wrapped->getSubExpr());
  if (const auto* wrapped = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression))
    return c.place(wrapped->getSubExpr());
  if (const auto* parameter = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression))
    return c.place(parameter->getReplacement());
  if (const auto* given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
    return c.place(given->getExpr());
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(expression);
      called != nullptr && called->isGLValue())
    return c.at(c.call(called, nullptr), expression->getType());
  if (const auto* chosen = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression);
      chosen != nullptr && chosen->isGLValue() && !chosen->refersToBitField())
    return c.at(c.choose(chosen), expression->getType());
  if (const auto* statement = llvm::dyn_cast<clang::CXXThisExpr>(expression))
    return c.at(c.current().object, statement->getType()->getPointeeType());
  if (expression->refersToBitField())
    c.refuse(
        expression->getBeginLoc(),
        "device code cannot write to one of two bit-fields: write an if with two assignments");
  if (expression->isGLValue())
    c.refuse(
        expression->getBeginLoc(),
        std::string("device code cannot hold this expression (") + expression->getStmtClassName() +
            ")");
  return made(c, expression);
}

LValue cast_place(FunctionConverter& c, const clang::CastExpr* cast) {
  const clang::Expr* inner = cast->getSubExpr();
  switch (cast->getCastKind()) {
    case clang::CK_NoOp:
      if (!cast->isGLValue())
        return made_place(c, inner);
      {
        LValue same = c.place(inner);
        same.type = cast->getType();
        return same;
      }
    case clang::CK_LValueBitCast:
      return c.at(c.address(c.place(inner)), cast->getType());
    case clang::CK_BaseToDerived:
      return c.offset(
          c.place(inner),
          -base_offset(c, cast->getType()->getAsCXXRecordDecl(), cast),
          cast->getType());
    case clang::CK_DerivedToBase:
    case clang::CK_UncheckedDerivedToBase: {
      LValue whole = c.place(inner);
      const clang::CXXRecordDecl* derived = inner->getType()->getAsCXXRecordDecl();
      for (const clang::CXXBaseSpecifier* step : cast->path()) {
        const clang::CXXRecordDecl* parent = step->getType()->getAsCXXRecordDecl();
        whole = c.base(whole, *derived, *parent);
        derived = parent;
      }
      return whole;
    }
    default:
      return made(c, cast);
  }
}

LValue variable_place(FunctionConverter& c, const clang::DeclRefExpr* name) {
  if (const auto* binding = llvm::dyn_cast<clang::BindingDecl>(name->getDecl())) {
    if (binding->getHoldingVar() == nullptr)
      return c.place(binding->getBinding());
    c.refuse(name->getLocation(), "structured bindings of tuples are not supported in device code");
  }
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl()))
    return c.at(function_pointer(c, *function, name->getLocation()), name->getType());
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  if (variable == nullptr)
    c.refuse(name->getLocation(), "this name has no place in device code");
  if (const LValue* known = c.place_of(*variable))
    return *known;
  if (Value known = c.value_of(*variable)) {
    const LValue copied = c.temporary(name->getType());
    c.store(copied, known);
    return copied;
  }
  if (const auto own = thread_place(c, name))
    return *own;
  if (variable->hasGlobalStorage())
    return global_place(c, *variable);
  c.refuse(name->getLocation(), "this variable is not known here");
}

LValue named_member(FunctionConverter& c, const clang::MemberExpr* member) {
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
    return global_place(c, *variable);  // static
  const auto* own = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  if (own == nullptr)
    c.refuse(member->getMemberLoc(), "this member has no place in device code");
  const clang::Expr* whole = member->getBase();
  const LValue structure = member->isArrow()
                               ? c.at(c.scalar(whole), whole->getType()->getPointeeType())
                               : c.place(whole);
  return c.member_place(structure, *own);
}

}  // namespace

std::int64_t base_offset(
    const FunctionConverter& c, const clang::CXXRecordDecl* whole, const clang::CastExpr* cast) {
  std::int64_t bytes = 0;
  for (const clang::CXXBaseSpecifier* step : cast->path()) {
    if (whole->getNumVBases() != 0)
      c.refuse(whole->getLocation(), "virtual base classes are not supported in device code");
    const clang::CXXRecordDecl* parent = step->getType()->getAsCXXRecordDecl();
    bytes += c.context().getASTRecordLayout(whole).getBaseClassOffset(parent).getQuantity();
    whole = parent;
  }
  return bytes;
}

LValue FunctionConverter::at(Value pointer, clang::QualType type) const {
  return {.kind = LValue::Kind::memory, .type = type, .value = pointer};
}

Value FunctionConverter::generic(Value pointer) {
  return builder_.pointer_offset(pointer, builder_.integer(0), any_pointer());
}

LValue FunctionConverter::offset(const LValue& whole, std::int64_t bytes, clang::QualType type) {
  Value start = address(whole);
  if (bytes == 0)
    return at(start, type);
  return at(builder_.pointer_offset(start, builder_.integer(bytes), any_pointer()), type);
}

// Memory of the thread, whose content is undefined.
LValue FunctionConverter::temporary(clang::QualType type, const std::string& name) {
  const ir::Type bytes = ir::Type::array(DType::uint8, 1, ir::Layout::c, ir::Space::generic);
  ir::Operation& memory = builder_.append(ir::Op::local_array, bytes);
  memory.shape = {std::max<std::int64_t>(bytes_of(context(), type), 1)};
  memory.index = alignment_of(context(), type);
  memory.name = name;
  return at(generic(builder_.array_data(&memory)), type);
}

Value FunctionConverter::load(const LValue& from) {
  if (is_volatile_element(from))
    return load(at(address(from), from.type));
  const ir::Type type = value_type(context(), from.type);
  switch (from.kind) {
    case LValue::Kind::variable:
      return builder_.get(from.variable);
    case LValue::Kind::element:
      return builder_.array_load(from.value, from.indices);
    case LValue::Kind::bits:
      return load_bits(*this, from);
    default:
      break;
  }
  Value pointer = builder_.pointer_offset(from.value, builder_.integer(0), pointer_to(type));
  if (from.type.isVolatileQualified() && type.is_scalar())
    return ir::hinted_load(builder_, ir::CacheOperator::cv, pointer);
  return builder_.load(pointer);
}

void FunctionConverter::store(const LValue& target, Value value) {
  if (is_volatile_element(target))
    return store(at(address(target), target.type), value);
  switch (target.kind) {
    case LValue::Kind::variable:
      builder_.set(target.variable, value);
      return;
    case LValue::Kind::element:
      builder_.array_store(target.value, target.indices, value);
      return;
    case LValue::Kind::bits:
      return store_bits(*this, target, value);
    default:
      break;
  }
  Value pointer =
      builder_.pointer_offset(target.value, builder_.integer(0), pointer_to(value->type));
  if (target.type.isVolatileQualified() && value->type.is_scalar())
    ir::hinted_store(builder_, ir::CacheOperator::wt, pointer, value);
  else
    builder_.store(pointer, value);
}

Value FunctionConverter::address(const LValue& place) {
  if (place.kind == LValue::Kind::memory)
    return place.value;
  if (place.kind == LValue::Kind::variable)
    return nullptr;  // Usage saw to it that nobody asks
  if (place.kind == LValue::Kind::bits)
    refuse(current_.where, "a bit-field has no address: copy it to a variable");
  Values indices = place.indices;
  while (indices.size() < place.value->type.ndim()) indices.push_back(builder_.integer(0));
  return generic(builder_.array_element(place.value, indices));
}

LValue FunctionConverter::field(const LValue& whole, const clang::FieldDecl& member) {
  const clang::ASTRecordLayout& layout = context().getASTRecordLayout(member.getParent());
  const std::uint64_t bit = layout.getFieldOffset(member.getFieldIndex());
  if (member.isBitField())
    return bit_field(*this, whole, member, bit);
  const auto bytes = static_cast<std::int64_t>(bit / 8);
  clang::QualType type = member.getType();
  if (whole.type.isVolatileQualified())
    type = type.withVolatile();
  return offset(whole, bytes, type);
}

LValue FunctionConverter::base(
    const LValue& whole, const clang::CXXRecordDecl& derived, const clang::CXXRecordDecl& parent) {
  if (derived.getNumVBases() != 0)
    refuse(derived.getLocation(), "virtual base classes are not supported in device code");
  const clang::ASTRecordLayout& layout = context().getASTRecordLayout(&derived);
  return offset(
      whole, layout.getBaseClassOffset(&parent).getQuantity(), context().getRecordType(&parent));
}

LValue FunctionConverter::place(const clang::Expr* given) {
  const clang::Expr* expression = given->IgnoreParens();
  locate(expression);
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return variable_place(*this, name);
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
    return element_place(*this, element);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression))
    return named_member(*this, member);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression))
    return cast_place(*this, cast);
  if (const auto* shared = llvm::dyn_cast<clang::OpaqueValueExpr>(expression)) {
    const auto found = current_.places.find(shared);
    return found != current_.places.end() ? found->second : place(shared->getSourceExpr());
  }
  if (const auto changed = changed_place(*this, expression))
    return *changed;
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (operation->getOpcode() == clang::UO_Deref)
      return at(scalar(operation->getSubExpr()), operation->getType());
    if (operation->getOpcode() == clang::UO_Extension)
      return place(operation->getSubExpr());
  }
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (operation->getOpcode() == clang::BO_Comma) {
      discard(operation->getLHS());
      return place(operation->getRHS());
    }
  }
  return made_place(*this, expression);
}

// A member, or what it refers to.
LValue FunctionConverter::member_place(const LValue& whole, const clang::FieldDecl& member) {
  LValue found = field(whole, member);
  if (!member.getType()->isReferenceType())
    return found;
  return at(load(at(found.value, context().VoidPtrTy)), member.getType().getNonReferenceType());
}

}  // namespace phalanx::cudac
