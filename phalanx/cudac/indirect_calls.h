// Calls whose callee only the run knows: through pointers to functions, and of virtual methods.
//
// A pointer to a function is the function's number; an object with virtual methods holds the number
// of its class. A function of the IR for each type of function, and for each method, tests the
// number and calls. Where it is known once functions are inlined, a plain call is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Type.h>

#include "phalanx/ir/builder.h"

namespace phalanx::cudac {

class ModuleConverter;

class IndirectCalls {
 public:
  explicit IndirectCalls(ModuleConverter& module) : module_(module) {}

  // From 1 on: 0 is the null pointer. The function is converted, too.
  std::int64_t number(const clang::FunctionDecl& function, clang::SourceLocation where);
  // Of a class, and of where in its objects a pointer to its table is.
  std::int64_t number(const clang::CXXRecordDecl& record, std::int64_t offset);

  // Takes the pointer, and what such functions take.
  ir::Function& caller(const clang::FunctionProtoType& type);
  // Takes the object, and what the method takes.
  ir::Function& caller(const clang::CXXMethodDecl& method);

  // Has the methods converted that may be called.
  void request_methods();
  // Makes the callers, once all numbers are given.
  void finish();

 private:
  struct ByType {
    clang::QualType type;
    ir::Function* caller;
  };
  struct Class {
    const clang::CXXRecordDecl* record;
    std::int64_t offset;
    bool operator==(const Class&) const = default;
  };
  struct ByMethod {
    const clang::CXXMethodDecl* method;
    ir::Function* caller;
  };
  // What a method is in a class, and by how much the object's address moves.
  struct Overrider {
    const clang::CXXMethodDecl* method;
    std::int64_t move;
  };
  const Overrider* find(const ByMethod& called, const Class& each);
  void finish(const ByType& made);
  void finish(const ByMethod& made);

  ModuleConverter& module_;
  std::vector<const clang::FunctionDecl*> functions_;
  std::vector<Class> classes_;
  std::vector<ByType> by_type_;
  std::vector<ByMethod> by_method_;
  std::vector<Overrider> found_;
};

}  // namespace phalanx::cudac
