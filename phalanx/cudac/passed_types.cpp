#include "phalanx/cudac/passed_types.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>

#include "phalanx/cudac/types.h"

namespace phalanx::cudac {

namespace {

// thrust::complex<T> and its like, and __half.
std::optional<DType> number_of_class(
    const clang::ASTContext& context, const clang::CXXRecordDecl& record) {
  if (record.getName() == "__half")
    return DType::float16;
  const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
  if (instance == nullptr || record.getName() != "complex" ||
      instance->getTemplateArgs().size() != 1)
    return std::nullopt;
  const auto part = number_type(context, instance->getTemplateArgs()[0].getAsType());
  if (part == DType::float32)
    return DType::complex64;
  return part == DType::float64 ? std::optional(DType::complex128) : std::nullopt;
}

class TupleTypes {
 public:
  TupleTypes(const clang::ASTContext& context, bool is_named)
      : context_(context), is_named_(is_named) {}

  std::optional<ir::Type> of(clang::QualType type) {
    if (is_scalar(context_, type))
      return ++members_ > most_kernel_members ? std::nullopt
                                              : std::optional(value_type(context_, type));
    if (const auto* array = context_.getAsConstantArrayType(type)) {
      Fields fields;
      for (std::uint64_t i = 0; i < array->getSize().getZExtValue(); ++i) {
        if (!add(fields, "", array->getElementType()))
          return std::nullopt;
      }
      return tuple_of(std::move(fields), "");
    }
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr || record->isUnion() || !record->hasDefinition() ||
        record->isDynamicClass())
      return std::nullopt;
    return of(*record);
  }

 private:
  using Fields = std::vector<ir::Field>;

  std::optional<ir::Type> of(const clang::CXXRecordDecl& record) {
    if (const auto number = is_named_ ? number_of_class(context_, record) : std::nullopt)
      return ir::Type(*number);
    Fields fields;
    for (const clang::CXXBaseSpecifier& base : record.bases()) {
      if (!add(fields, "base", base.getType()))
        return std::nullopt;
    }
    for (const clang::FieldDecl* field : record.fields()) {
      if (field->isBitField() || !add(fields, field->getNameAsString(), field->getType()))
        return std::nullopt;
    }
    return tuple_of(std::move(fields), record.getNameAsString());
  }

  bool add(Fields& fields, std::string name, clang::QualType type) {
    const auto passed = of(type);
    if (passed)
      fields.push_back({.name = std::move(name), .type = *passed});
    return passed.has_value();
  }

  ir::Type tuple_of(Fields fields, const std::string& name) const {
    if (is_named_ && !name.empty())
      return ir::Type::named_tuple(name, std::move(fields));
    std::vector<ir::Type> types;
    types.reserve(fields.size());
    for (const ir::Field& field : fields) types.push_back(field.type);
    return ir::Type::tuple(std::move(types));
  }

  const clang::ASTContext& context_;
  bool is_named_;
  std::size_t members_ = 0;
};

std::optional<ir::Type> memory_type(const clang::ASTContext& context, clang::QualType type);

// As it lies in memory; pointers in it are addresses. Nothing where it has no such form.
std::optional<ir::Type> record_type(
    const clang::ASTContext& context, const clang::CXXRecordDecl& record) {
  if (const auto number = number_of_class(context, record))
    return ir::Type(*number);
  if (record.isUnion() || record.getNumBases() != 0 || record.isDynamicClass() ||
      record.field_empty())
    return std::nullopt;
  const clang::ASTRecordLayout& layout = context.getASTRecordLayout(&record);
  std::vector<ir::Field> fields;
  for (const clang::FieldDecl* field : record.fields()) {
    if (field->isBitField() || field->getName().empty())
      return std::nullopt;
    clang::QualType element = field->getType();
    std::vector<std::int64_t> shape;
    while (const auto* array = context.getAsConstantArrayType(element)) {
      shape.push_back(static_cast<std::int64_t>(array->getSize().getZExtValue()));
      element = array->getElementType();
    }
    const auto type = memory_type(context, element);
    if (!type)
      return std::nullopt;
    const std::uint64_t offset = layout.getFieldOffset(field->getFieldIndex()) / 8;
    fields.push_back(
        {.name = field->getNameAsString(),
         .type = *type,
         .offset = static_cast<std::size_t>(offset),
         .shape = std::move(shape)});
  }
  return ir::Type::record(
      std::move(fields),
      static_cast<std::size_t>(layout.getSize().getQuantity()),
      static_cast<std::size_t>(layout.getAlignment().getQuantity()));
}

std::optional<ir::Type> memory_type(const clang::ASTContext& context, clang::QualType type) {
  if (type->isPointerType() || type->isReferenceType())
    return ir::Type(DType::uint64);
  if (const auto number = number_type(context, type))
    return ir::Type(*number);
  const auto* record = type->getAsCXXRecordDecl();
  return record == nullptr || !record->hasDefinition() ? std::nullopt
                                                       : record_type(context, *record);
}

// What is reached from a type, each class once.
class NumbersOfModule {
 public:
  explicit NumbersOfModule(const clang::ASTContext& context) : context_(context) {}

  bool in(clang::QualType type) {
    while (type->isPointerType() || type->isReferenceType()) type = type->getPointeeType();
    if (type->isFunctionType() || type->isMemberFunctionPointerType())
      return true;
    if (const auto* array = context_.getAsArrayType(type))
      return in(array->getElementType());
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition() ||
        !seen_.insert(record->getCanonicalDecl()).second)
      return false;
    return record->isDynamicClass() ||
           std::ranges::any_of(
               record->bases(), [this](const auto& base) { return in(base.getType()); }) ||
           std::ranges::any_of(
               record->fields(), [this](const auto* field) { return in(field->getType()); });
  }

 private:
  const clang::ASTContext& context_;
  std::set<const clang::CXXRecordDecl*> seen_;
};

// Calls use(place, part) for the members of a struct, and for the elements of an array.
template <typename Use>
void for_each_part(FunctionConverter& c, const LValue& whole, const Use& use) {
  std::size_t number = 0;
  if (const auto* array = c.context().getAsConstantArrayType(whole.type)) {
    const std::int64_t bytes = bytes_of(c.context(), array->getElementType());
    for (std::uint64_t i = 0; i < array->getSize().getZExtValue(); ++i)
      use(c.offset(whole, static_cast<std::int64_t>(i) * bytes, array->getElementType()), number++);
    return;
  }
  const auto* record = whole.type->getAsCXXRecordDecl();
  for (const clang::CXXBaseSpecifier& each : record->bases())
    use(c.base(whole, *record, *each.getType()->getAsCXXRecordDecl()), number++);
  for (const clang::FieldDecl* each : record->fields()) use(c.field(whole, *each), number++);
}

// The two numbers of a complex one.
std::pair<LValue, LValue> complex_parts(FunctionConverter& c, const LValue& whole, DType type) {
  const clang::QualType part =
      type == DType::complex64 ? c.context().FloatTy : c.context().DoubleTy;
  return {c.offset(whole, 0, part), c.offset(whole, bytes_of(c.context(), part), part)};
}

// True for the class that holds such a number.
bool is_half(const LValue& memory, const ir::Type& type) {
  return type == ir::Type(DType::float16) && memory.type->getAsCXXRecordDecl() != nullptr;
}

bool is_complex_value(const ir::Type& type) { return type.is_scalar() && is_complex(type.dtype()); }

}  // namespace

std::optional<ir::Type> argument_type(const clang::ASTContext& context, clang::QualType type) {
  return TupleTypes(context, false).of(type);
}

std::optional<ir::Type> linked_type(const clang::ASTContext& context, clang::QualType type) {
  if (!type->isPointerType() && !type->isReferenceType())
    return TupleTypes(context, true).of(type);
  const clang::QualType element =
      type->isReferenceType() ? type.getNonReferenceType() : type->getPointeeType();
  const auto known =
      element->isVoidType() ? std::nullopt : memory_type(context, element.getUnqualifiedType());
  return ir::Type::pointer(known.value_or(DType::uint8), ir::Space::generic);
}

bool has_numbers_of_module(const clang::ASTContext& context, clang::QualType type) {
  return NumbersOfModule(context).in(type);
}

void store_parts(FunctionConverter& c, Value value, const LValue& target) {
  if (is_complex_value(value->type)) {
    const auto [real, imaginary] = complex_parts(c, target, value->type.dtype());
    c.store(real, c.builder().complex_real(value));
    c.store(imaginary, c.builder().complex_imag(value));
  } else if (is_half(target, value->type)) {
    c.store(c.offset(target, 0, c.context().HalfTy), value);
  } else if (value->type.is_tuple()) {
    for_each_part(c, target, [&](const LValue& place, std::size_t number) {
      store_parts(c, c.builder().tuple_get(value, number), place);
    });
  } else {
    c.store(target, value);
  }
}

Value load_parts(FunctionConverter& c, const LValue& from, const ir::Type& type) {
  if (is_complex_value(type)) {
    const auto [real, imaginary] = complex_parts(c, from, type.dtype());
    Value first = c.load(real);
    return c.builder().complex_make(first, c.load(imaginary));
  }
  if (is_half(from, type))
    return c.load(c.offset(from, 0, c.context().HalfTy));
  if (!type.is_tuple())
    return c.load(from);
  Values parts;
  for_each_part(c, from, [&](const LValue& place, std::size_t number) {
    parts.push_back(load_parts(c, place, type.fields()[number].type));
  });
  return c.builder().tuple_make(type, parts);
}

}  // namespace phalanx::cudac
