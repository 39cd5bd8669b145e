// A translation unit to a module: its kernels, what they call, and the variables that they share.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <clang/Basic/SourceLocation.h>

#include "phalanx/base/source.h"
#include "phalanx/cudac/compile.h"
#include "phalanx/cudac/indirect_calls.h"
#include "phalanx/ir/ir.h"

namespace phalanx::cudac {

// The names of variables that point to what a name expression names begin so.
inline const std::string expression_prefix = "phalanx_expression_";

// Errors go to the context's diagnostics; the module is not to be used then.
std::unique_ptr<ir::Module> convert(clang::ASTContext& context, const Source& source);

// Ends the conversion of a function whose error was reported.
struct Refused {};

class ModuleConverter {
 public:
  ModuleConverter(clang::ASTContext& context, const Source& source, ir::Module& module);

  void run();

  clang::ASTContext& context() const { return context_; }
  ir::Module& module() const { return module_; }

  // True for a function that another module is to have, in a source that is linked.
  bool is_foreign(const clang::FunctionDecl& function) const;
  IndirectCalls& indirect() { return indirect_; }

  // A device function, converted once somebody calls it.
  ir::Function& function(const clang::FunctionDecl& declaration);
  // A block's memory that is declared at the file's level is a function's own in the IR: kernels
  // may name it, and no other function beside them.
  void claim_shared(const clang::VarDecl& variable, const clang::FunctionDecl& function);
  // The number of a variable of the module among its globals.
  std::size_t global(const clang::VarDecl& variable);
  // The number of a constant array of the module with these bytes.
  std::size_t constant(
      const clang::VarDecl& variable, DType element, std::vector<std::int64_t> shape);

  // The same for text, which ends with a null byte.
  std::size_t constant(const std::string& text);

  // The line in the user's source; none in our headers.
  Location location(clang::SourceLocation where) const;
  void report(clang::SourceLocation where, const std::string& text) const;
  [[noreturn]] void refuse(clang::SourceLocation where, const std::string& text) const;
  std::string mangled_name(const clang::FunctionDecl& function) const;

 private:
  void find_instances(const clang::FunctionTemplateDecl& kernel);
  void find_kernels(const clang::DeclContext& scope);
  void find_expressions(const clang::DeclContext& scope);
  void add_kernel(const clang::FunctionDecl& kernel, std::string name);
  void add_global(const clang::VarDecl& variable);
  void add_export(const clang::FunctionDecl& function);
  struct Pending {
    const clang::FunctionDecl* declaration;
    ir::Function* function;
  };
  void convert(const Pending& next);
  void convert_pending();

  clang::ASTContext& context_;
  const Source& source_;
  ir::Module& module_;
  std::unique_ptr<clang::MangleContext> mangle_;
  std::unordered_map<const clang::FunctionDecl*, ir::Function*> functions_;
  std::unordered_map<const clang::VarDecl*, std::size_t> globals_;
  std::unordered_map<const clang::VarDecl*, std::size_t> constants_;
  std::unordered_map<const clang::VarDecl*, const clang::FunctionDecl*> claimed_;
  std::vector<Pending> pending_;
  std::size_t next_pending_ = 0;
  IndirectCalls indirect_{*this};
};

}  // namespace phalanx::cudac
