#include "phalanx/cudac/initializers.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <clang/AST/APValue.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>
#include <llvm/ADT/APInt.h>

#include "phalanx/cudac/types.h"

namespace phalanx::cudac {

namespace {

using clang::APValue;

class Writer {
 public:
  Writer(
      const clang::ASTContext& context, const FunctionNumber& number, std::vector<std::byte>& bytes)
      : context_(context), number_(number), bytes_(bytes) {}

  bool write(const APValue& value, clang::QualType type, std::size_t offset) {
    switch (value.getKind()) {
      case APValue::Int:
        write_bits(value.getInt(), offset, static_cast<std::size_t>(bytes_of(context_, type)));
        return true;
      case APValue::Float:
        write_bits(
            value.getFloat().bitcastToAPInt(),
            offset,
            static_cast<std::size_t>(bytes_of(context_, type)));
        return true;
      case APValue::Array:
        return write_array(value, type, offset);
      case APValue::Struct:
        return write_struct(value, type, offset);
      case APValue::LValue:
        return value.isNullPointer() || write_function(value, offset);
      default:
        return value.isAbsent() || value.isIndeterminate();
    }
  }

 private:
  bool write_function(const APValue& value, std::size_t offset) {
    const auto* pointed = value.getLValueBase().dyn_cast<const clang::ValueDecl*>();
    const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(pointed);
    if (function != nullptr)
      write_bits(llvm::APInt(64, static_cast<std::uint64_t>(number_(*function))), offset, 8);
    return function != nullptr;
  }

  void write_bits(const llvm::APInt& bits, std::size_t offset, std::size_t count) {
    for (std::size_t i = 0; i < count && 8 * i < bits.getBitWidth(); ++i)
      bytes_.at(offset + i) = static_cast<std::byte>(bits.extractBitsAsZExtValue(
          std::min(8U, bits.getBitWidth() - static_cast<unsigned>(8 * i)),
          static_cast<unsigned>(8 * i)));
  }

  bool write_array(const APValue& value, clang::QualType type, std::size_t offset) {
    const auto* array = context_.getAsConstantArrayType(type);
    if (array == nullptr)
      return false;
    const clang::QualType element = array->getElementType();
    const auto bytes = static_cast<std::size_t>(bytes_of(context_, element));
    for (unsigned i = 0; i < value.getArraySize(); ++i) {
      const APValue& item = i < value.getArrayInitializedElts() ? value.getArrayInitializedElt(i)
                                                                : value.getArrayFiller();
      if (!write(item, element, offset + i * bytes))
        return false;
    }
    return true;
  }

  bool write_struct(const APValue& value, clang::QualType type, std::size_t offset) {
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr || record->isDynamicClass())
      return false;
    const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(record);
    unsigned number = 0;
    for (const clang::CXXBaseSpecifier& base : record->bases()) {
      const auto at = layout.getBaseClassOffset(base.getType()->getAsCXXRecordDecl());
      if (!write(
              value.getStructBase(number++),
              base.getType(),
              offset + static_cast<std::size_t>(at.getQuantity())))
        return false;
    }
    for (const clang::FieldDecl* field : record->fields()) {
      const std::size_t at = layout.getFieldOffset(field->getFieldIndex()) / 8;
      if (field->isBitField() ||
          !write(value.getStructField(field->getFieldIndex()), field->getType(), offset + at))
        return false;
    }
    return true;
  }

  const clang::ASTContext& context_;
  const FunctionNumber& number_;
  std::vector<std::byte>& bytes_;
};

// A default constructor that does nothing, as CUDA allows for variables. clang computes no value by
// it where it is not constexpr, and none of a long array.
bool leaves_as_it_is(const clang::Expr& given) {
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(given.IgnoreImplicit());
  if (made == nullptr || !made->getConstructor()->isDefaultConstructor())
    return false;
  const clang::CXXConstructorDecl& constructor = *made->getConstructor();
  const auto does_nothing = [](const clang::CXXCtorInitializer* each) {
    return leaves_as_it_is(*each->getInit());
  };
  return constructor.isTrivial() ||
         (constructor.hasTrivialBody() && std::ranges::all_of(constructor.inits(), does_nothing));
}

// True for a pointer to a variable or a text, whose address the device decides, in any part of it.
bool has_address(const APValue& value) {
  if (value.isLValue())
    return !value.isNullPointer();
  bool found = false;
  if (value.isArray()) {
    for (unsigned i = 0; i < value.getArrayInitializedElts(); ++i)
      found |= has_address(value.getArrayInitializedElt(i));
  } else if (value.isStruct()) {
    for (unsigned i = 0; i < value.getStructNumBases(); ++i)
      found |= has_address(value.getStructBase(i));
    for (unsigned i = 0; i < value.getStructNumFields(); ++i)
      found |= has_address(value.getStructField(i));
  }
  return found;
}

}  // namespace

std::string why_no_initial_bytes(const clang::VarDecl& variable) {
  const APValue* value = variable.evaluateValue();
  if (value == nullptr || !has_address(*value))
    return "a variable of the module needs a constant initializer";
  const std::string name = variable.getNameAsString();
  return "the address of a variable is no initial value of another one here: leave " + name +
         " without one, and assign the address in a kernel that is launched first, or take it "
         "where " +
         name + " is used";
}

std::optional<std::vector<std::byte>> initial_bytes(
    const clang::VarDecl& variable, const FunctionNumber& number) {
  if (!variable.hasInit() || leaves_as_it_is(*variable.getInit()))
    return std::vector<std::byte>{};
  const clang::ASTContext& context = variable.getASTContext();
  const APValue* value = variable.evaluateValue();
  if (value == nullptr)
    return std::nullopt;
  std::vector<std::byte> bytes(static_cast<std::size_t>(bytes_of(context, variable.getType())));
  if (!Writer(context, number, bytes).write(*value, variable.getType(), 0))
    return std::nullopt;
  return bytes;
}

}  // namespace phalanx::cudac
