// Inference of address spaces (LLVM's InferAddressSpaces): accesses through a pointer that was made
// generic are of the memory that it was made of. Throws CompileError where constant memory is
// written to.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/base/source_text.h"
#include "phalanx/ir/builder.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;
using ir::Space;
using ir::Type;

namespace {

bool is_generic(const Type& type) { return type.is_pointer() && type.space() == Space::generic; }

// What an access reads or writes; none for what is no access.
Type accessed(const Operation& operation) {
  switch (operation.op) {
    case Op::load:
    case Op::hinted_load:
    case Op::atomic:
    case Op::atomic_cas:
      return operation.type;
    case Op::store:
    case Op::hinted_store:
      return operation.operands[1]->type;
    default:
      return {};
  }
}

bool is_write(const Operation& operation) {
  return operation.op == Op::store || operation.op == Op::hinted_store ||
         operation.op == Op::atomic || operation.op == Op::atomic_cas;
}

[[noreturn]] void refuse_write(const Function& function, const Operation& write) {
  const SourceFile* file =
      write.location.file != nullptr ? write.location.file : function.source.get();
  CompileError::Message message = {
      .sentence = "a kernel writes to constant memory, which only the host does",
      .advice = "Declare the variable __device__, or let the host write it."};
  if (file != nullptr)
    message.at = excerpt_at(*file, write.location, "kernel " + function.name);
  throw CompileError(CompileError::Kind::typing, std::move(message));
}

class Inference {
 public:
  explicit Inference(Function& function) : function_(function) {}

  void run() {
    ir::for_each(function_.body, [&](Operation& operation) {
      for (const Operation* operand : operation.operands) users_[operand].push_back(&operation);
    });
    rewrite(function_.body);
  }

 private:
  // The elements of local memory lie apart from each other: an access is of one of them, whole.
  bool fits_local(const Operation& pointer, std::size_t element) const {
    const auto found = users_.find(&pointer);
    return found == users_.end() || std::ranges::all_of(found->second, [&](const Operation* user) {
             if (user->op == Op::pointer_offset)
               return is_generic(user->type) && fits_local(*user, element);
             const Type type = accessed(*user);
             return user->operands[0] == &pointer && !type.is_none() &&
                    ir::size_of(type) == element;
           });
  }

  std::optional<Type> inferred(const Operation& offset) const {
    const Type& from = offset.operands[0]->type;
    if (!is_generic(offset.type) || is_generic(from) ||
        (from.space() == Space::local && !fits_local(offset, ir::size_of(from.element()))))
      return std::nullopt;
    return Type::pointer(offset.type.element(), from.space());
  }

  // Pointers with a twin in their own space are replaced by it where they are accessed through.
  void use_twins(Operation& operation) {
    if (operation.operands.empty() ||
        (operation.op != Op::pointer_offset && accessed(operation).is_none()))
      return;
    const auto twin = twins_.find(operation.operands[0]);
    if (twin == twins_.end())
      return;
    if (is_write(operation) && twin->second->type.space() == Space::constant)
      refuse_write(function_, operation);
    operation.operands[0] = twin->second;
  }

  void rewrite(Region& region) {
    Region result;
    ir::Builder builder(function_, result);
    for (auto& owned : region) {
      Operation& operation = *owned;
      use_twins(operation);
      for (Region& nested : operation.regions) rewrite(nested);
      if (operation.op != Op::pointer_offset) {
        result.push_back(std::move(owned));
        continue;
      }
      const auto type = inferred(operation);
      if (!type) {
        result.push_back(std::move(owned));
        continue;
      }
      builder.at(operation.location);
      Operation* twin = builder.pointer_offset(operation.operands[0], operation.operands[1], *type);
      twin->index = operation.index;
      twins_[&operation] = twin;
      if (needs_itself(operation))
        result.push_back(std::move(owned));
      else
        removed_.push_back(std::move(owned));
    }
    region = std::move(result);
  }

  // True if somebody holds the generic pointer itself, as a variable.
  bool needs_itself(const Operation& pointer) const {
    const auto found = users_.find(&pointer);
    return found != users_.end() && std::ranges::any_of(found->second, [&](const Operation* user) {
             const bool is_address = user->operands[0] == &pointer &&
                                     (user->op == Op::pointer_offset || !accessed(*user).is_none());
             const bool is_value = std::ranges::count(user->operands, &pointer) > 1;
             return !is_address || is_value;
           });
  }

  Function& function_;
  std::unordered_map<const Operation*, std::vector<Operation*>> users_;
  std::unordered_map<const Operation*, Operation*> twins_;
  Region removed_;
};

}  // namespace

void infer_spaces(ir::Module& module) {
  for_each_function(module, [](Function& function) { Inference(function).run(); });
}

}  // namespace phalanx::passes
