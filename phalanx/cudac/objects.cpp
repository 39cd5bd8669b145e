#include "phalanx/cudac/objects.h"

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"

namespace phalanx::cudac {

namespace {

const clang::CXXDestructorDecl* destructor_of(clang::QualType type) {
  const auto* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || record->hasTrivialDestructor())
    return nullptr;
  return record->getDestructor();
}

}  // namespace

void Objects::add(const LValue& object) {
  if (const auto* destructor = destructor_of(object.type))
    objects_.push_back({destructor, converter_.address(object), object.type});
}

void Objects::name(const clang::VarDecl& variable) {
  if (destructor_of(variable.getType()) != nullptr)
    objects_.back().variable = &variable;
}

void Objects::destroy(const Object& object) {
  const auto* definition =
      llvm::dyn_cast_or_null<clang::CXXDestructorDecl>(object.destructor->getDefinition());
  if (definition == nullptr)
    converter_.refuse(object.destructor->getLocation(), "this destructor has no body");
  ir::Function& callee = converter_.module().function(*definition);
  const auto* array = converter_.context().getAsConstantArrayType(object.type);
  if (array == nullptr) {
    converter_.builder().call(callee, {object.address});
    return;
  }
  const clang::QualType element = converter_.context().getBaseElementType(object.type);
  const std::int64_t count =
      bytes_of(converter_.context(), object.type) / bytes_of(converter_.context(), element);
  for (std::int64_t i = count; i-- > 0;)
    converter_.builder().call(
        callee, {converter_.moved(object.address, converter_.builder().integer(i), element)});
}

void Objects::destroy_from(std::size_t first, const clang::VarDecl* but) {
  for (std::size_t i = objects_.size(); i-- > first;) {
    if (but == nullptr || objects_[i].variable != but)
      destroy(objects_[i]);
  }
}

void Objects::end(std::size_t first) {
  if (objects_.size() <= first)
    return;
  if (!converter_.builder().is_ended())
    destroy_from(first);
  objects_.resize(first);
}

bool is_result(const FunctionConverter& c, const clang::VarDecl& variable) {
  const auto* record = variable.getType()->getAsCXXRecordDecl();
  const bool is_seen = record != nullptr &&
                       (!record->hasTrivialDestructor() || record->hasNonTrivialCopyConstructor());
  return is_seen && c.result_address() != nullptr && variable.isNRVOVariable();
}

// In the opposite of their order.
void add_members(FunctionConverter& c, const clang::CXXDestructorDecl& destructor) {
  const clang::CXXRecordDecl& record = *destructor.getParent();
  const LValue whole = c.at(c.current().object, c.context().getRecordType(&record));
  if (record.isDynamicClass())
    set_class(c, record, whole);
  Objects& objects = c.jumps().objects();
  for (const clang::CXXBaseSpecifier& each : record.bases())
    objects.add(c.base(whole, record, *each.getType()->getAsCXXRecordDecl()));
  for (const clang::FieldDecl* each : record.fields()) {
    if (!each->isBitField())
      objects.add(c.field(whole, *each));
  }
}

LValue made(FunctionConverter& c, const clang::Expr* expression) {
  const LValue own = c.temporary(expression->getType());
  c.make(expression, own);
  c.jumps().objects().add(own);
  return own;
}

void scoped(FunctionConverter& c, const clang::Stmt* statement) {
  const std::size_t first = c.jumps().objects().size();
  c.statement(statement);
  c.jumps().objects().end(first);
}

}  // namespace phalanx::cudac
