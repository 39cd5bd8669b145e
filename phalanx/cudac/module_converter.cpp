#include "phalanx/cudac/module_converter.h"

#include <algorithm>
#include <span>
#include <utility>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/Support/raw_ostream.h>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/initializers.h"
#include "phalanx/cudac/linkage.h"
#include "phalanx/cudac/passed_types.h"
#include "phalanx/cudac/random_jumps.h"
#include "phalanx/cudac/types.h"
#include "phalanx/ir/builder.h"

namespace phalanx::cudac {

namespace {

// A pointer of a kernel says what it points to, so that launches can check their arrays.
ir::Type pointer_parameter(const clang::ASTContext& context, clang::QualType type) {
  const clang::QualType pointee =
      type->isReferenceType() ? type.getNonReferenceType() : type->getPointeeType();
  const clang::QualType element = context.getBaseElementType(pointee);  // of float (*)[4] too
  const auto dtype = element->isVoidType() ? std::nullopt : number_type(context, element);
  return ir::Type::pointer(dtype.value_or(DType::uint8), ir::Space::global);
}

bool is_kernel(const clang::FunctionDecl& function) {
  return function.hasAttr<clang::CUDAGlobalAttr>() && function.doesThisDeclarationHaveABody() &&
         !function.isDependentContext();
}

// True if the user wrote the attribute: clang adds it to constants of the host.
template <typename Attribute>
bool has_written(const clang::Decl& declaration) {
  const auto* attribute = declaration.getAttr<Attribute>();
  return attribute != nullptr && !attribute->isImplicit();
}

// What the text of the IR can have.
constexpr unsigned deepest_region = 990;

unsigned depth_of(const ir::Region& region) {
  unsigned deepest = 0;
  for (const auto& operation : region) {
    for (const ir::Region& nested : operation->regions)
      deepest = std::max(deepest, depth_of(nested) + 1);
  }
  return deepest;
}

FunctionNumber numbers_of_functions(ModuleConverter& module) {
  return [&module](const clang::FunctionDecl& function) {
    return module.indirect().number(function, function.getLocation());
  };
}

}  // namespace

ModuleConverter::ModuleConverter(
    clang::ASTContext& context, const Source& source, ir::Module& module)
    : context_(context), source_(source), module_(module), mangle_(context.createMangleContext()) {}

void ModuleConverter::run() {
  find_expressions(*context_.getTranslationUnitDecl());
  find_kernels(*context_.getTranslationUnitDecl());
  while (next_pending_ < pending_.size()) {
    convert_pending();
    indirect_.request_methods();
  }
  if (!context_.getDiagnostics().hasErrorOccurred())
    indirect_.finish();
}

void ModuleConverter::find_expressions(const clang::DeclContext& scope) {
  for (const clang::Decl* declaration : scope.decls()) {
    if (const auto* inner = llvm::dyn_cast<clang::NamespaceDecl>(declaration))
      find_expressions(*inner);
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (variable == nullptr || !variable->getName().starts_with(expression_prefix))
      continue;
    unsigned number = 0;
    variable->getName().substr(expression_prefix.size()).getAsInteger(10, number);
    const clang::Expr* named = variable->getInit()->IgnoreParenImpCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(named))
      named = address->getSubExpr()->IgnoreParenImpCasts();
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(named);
    if (name == nullptr)
      continue;
    if (const auto* kernel = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl())) {
      if (!is_kernel(*kernel))
        report(
            kernel->getLocation(),
            "the name expression " + source_.kernels.at(number) +
                " names this function, which is no kernel: it is not __global__");
      else if (kernel->getDefinition() != nullptr)
        add_kernel(*kernel->getDefinition(), source_.kernels.at(number));
    }
  }
}

void ModuleConverter::find_kernels(const clang::DeclContext& scope) {
  for (const clang::Decl* declaration : scope.decls()) {
    if (const auto* inner = llvm::dyn_cast<clang::NamespaceDecl>(declaration))
      find_kernels(*inner);
    else if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(declaration))
      find_kernels(*linkage);
    else if (const auto* made = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration))
      find_instances(*made);
    else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      if (source_.is_linked && is_visible_function(context_, *function))
        add_export(*function);
      if (is_kernel(*function) && !functions_.contains(function->getCanonicalDecl()))
        add_kernel(
            *function,
            function->isExternC() ? function->getNameAsString() : mangled_name(*function));
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
      // Variables that no kernel uses can be asked for by their names too.
      const bool is_ours = has_written<clang::CUDADeviceAttr>(*variable) ||
                           has_written<clang::CUDAConstantAttr>(*variable);
      if (is_ours && variable->hasGlobalStorage() && !variable->isInvalidDecl() &&
          location(variable->getLocation()).line != 0)
        add_global(*variable);
    }
  }
}

// template __global__ void f<float>(float*);
void ModuleConverter::find_instances(const clang::FunctionTemplateDecl& kernel) {
  for (const clang::FunctionDecl* each : kernel.specializations()) {
    const clang::FunctionDecl* body = each->getDefinition();
    if (each->getTemplateSpecializationKind() == clang::TSK_ExplicitInstantiationDefinition &&
        body != nullptr && is_kernel(*body))
      add_kernel(*body, mangled_name(*body));
  }
}

void ModuleConverter::claim_shared(
    const clang::VarDecl& variable, const clang::FunctionDecl& function) {
  const clang::FunctionDecl* first = claimed_.try_emplace(&variable, &function).first->second;
  if (first != &function && !(is_kernel(*first) && is_kernel(function)))
    refuse(
        variable.getLocation(),
        "several functions name this __shared__ variable: declare it in the kernel, and give the "
        "others a pointer to it");
}

void ModuleConverter::add_global(const clang::VarDecl& variable) {
  try {
    global(variable);
  } catch (const Refused&) {
    // It was reported.
  }
}

void ModuleConverter::add_export(const clang::FunctionDecl& function) {
  try {
    pending_.push_back({&function, &add_linked(*this, function, ir::FunctionKind::exported)});
  } catch (const Refused&) {
    // It was reported.
  }
}

void ModuleConverter::add_kernel(const clang::FunctionDecl& kernel, std::string name) {
  if (functions_.contains(kernel.getCanonicalDecl()) || module_.find(name) != nullptr)
    return;
  std::vector<ir::Parameter> parameters;
  try {
    for (const clang::ParmVarDecl* parameter : kernel.parameters()) {
      const clang::QualType type = parameter->getType();
      std::optional<ir::Type> passed;
      if (type->isPointerType() || type->isReferenceType())
        passed = pointer_parameter(context_, type);
      else
        passed = argument_type(context_, type);
      if (!passed)
        refuse(
            parameter->getLocation(),
            "a kernel cannot take this type by value here: it has more than " +
                std::to_string(most_kernel_members) +
                " members, or unions, bit-fields or virtual methods; pass a pointer to it");
      parameters.push_back({parameter->getNameAsString(), *passed});
    }
  } catch (const Refused&) {
    return;
  }
  ir::Function& function =
      ir::add_function(module_, std::move(name), ir::FunctionKind::kernel, std::move(parameters));
  functions_[kernel.getCanonicalDecl()] = &function;
  pending_.push_back({&kernel, &function});
}

ir::Function& ModuleConverter::function(const clang::FunctionDecl& declaration) {
  if (const auto found = functions_.find(declaration.getCanonicalDecl()); found != functions_.end())
    return *found->second;
  std::vector<ir::Parameter> parameters;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&declaration);
  if (method != nullptr && method->isInstance())
    parameters.push_back({"this", any_pointer()});
  for (const clang::ParmVarDecl* parameter : declaration.parameters())
    parameters.push_back(
        {parameter->getNameAsString(), value_type(context_, parameter->getType())});
  ir::Type result;
  const clang::QualType returned = declaration.getReturnType();
  if (is_scalar(context_, returned))
    result = value_type(context_, returned);
  else if (!returned->isVoidType())
    parameters.push_back({"result", any_pointer()});
  ir::Function& function = ir::add_function(
      module_,
      declaration.getQualifiedNameAsString() + "." + std::to_string(functions_.size()),
      ir::FunctionKind::device,
      std::move(parameters),
      std::move(result));
  functions_[declaration.getCanonicalDecl()] = &function;
  pending_.push_back({&declaration, &function});
  return function;
}

bool ModuleConverter::is_foreign(const clang::FunctionDecl& function) const {
  return source_.is_linked && is_foreign_function(context_, function);
}

void ModuleConverter::convert(const Pending& next) {
  if (next.function->kind == ir::FunctionKind::exported)
    convert_export(*this, *next.declaration, *next.function);
  else if (next.declaration->getBody() == nullptr && is_foreign(*next.declaration))
    convert_import(*this, *next.declaration, *next.function);
  else
    FunctionConverter(*this, *next.declaration, *next.function).run();
}

void ModuleConverter::convert_pending() {
  while (next_pending_ < pending_.size()) {
    const Pending next = pending_[next_pending_++];  // a copy: what is called is added behind
    try {
      convert(next);
      if (depth_of(next.function->body) > deepest_region)
        refuse(
            next.declaration->getLocation(),
            "the statements and expressions of this function are too deep within each other: make "
            "functions of the inner ones");
    } catch (const Refused&) {
      // It was reported; the other functions may have mistakes too.
    }
  }
}

std::size_t ModuleConverter::global(const clang::VarDecl& given) {
  const clang::VarDecl* definition = given.getDefinition(context_);
  const clang::VarDecl& variable = definition == nullptr ? given : *definition;
  if (const auto found = globals_.find(&variable); found != globals_.end())
    return found->second;
  if (source_.is_linked && definition == nullptr && variable.hasExternalStorage())
    refuse(
        variable.getLocation(),
        "sources that are linked share functions, not variables: define it here, or pass a "
        "pointer");
  auto bytes = initial_bytes(variable, numbers_of_functions(*this));
  if (!bytes)
    refuse(variable.getLocation(), why_no_initial_bytes(variable));
  clang::QualType element = variable.getType();
  std::vector<std::int64_t> shape;
  while (const auto* array = context_.getAsConstantArrayType(element)) {
    shape.push_back(static_cast<std::int64_t>(array->getSize().getZExtValue()));
    element = array->getElementType();
  }
  auto dtype = number_type(context_, element);
  if (!dtype) {
    dtype = DType::uint8;
    shape.push_back(bytes_of(context_, element));
  }
  std::string name = variable.getNameAsString();
  const auto has_name = [&](const ir::Global& other) { return other.name == name; };
  while (std::ranges::any_of(module_.globals, has_name)) name += "_";
  module_.globals.push_back(
      {.name = std::move(name),
       .element = *dtype,
       .shape = std::move(shape),
       .space =
           variable.hasAttr<clang::CUDAConstantAttr>() ? ir::Space::constant : ir::Space::global,
       .bytes = std::move(*bytes)});
  return globals_[&variable] = module_.globals.size() - 1;
}

std::size_t ModuleConverter::constant(
    const clang::VarDecl& variable, DType element, std::vector<std::int64_t> shape) {
  if (const auto found = constants_.find(&variable); found != constants_.end())
    return found->second;
  auto bytes = random_table(std::string_view(variable.getName()));
  if (!bytes)
    bytes = initial_bytes(variable, numbers_of_functions(*this));
  if (!bytes || bytes->empty())
    refuse(
        variable.getLocation(),
        "a variable that kernels read needs __device__ or __constant__, or a constant initializer");
  module_.constants.push_back(
      {.element = element, .shape = std::move(shape), .bytes = std::move(*bytes)});
  return constants_[&variable] = module_.constants.size() - 1;
}

std::size_t ModuleConverter::constant(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text.c_str(), text.size() + 1));
  module_.constants.push_back(
      {.element = DType::int8,
       .shape = {static_cast<std::int64_t>(bytes.size())},
       .bytes = {bytes.begin(), bytes.end()}});
  return module_.constants.size() - 1;
}

Location ModuleConverter::location(clang::SourceLocation where) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::SourceLocation expanded = sources.getExpansionLoc(where);
  if (!expanded.isValid() || !sources.isInMainFile(expanded))
    return {};
  return {
      .line = sources.getExpansionLineNumber(expanded),
      .column = sources.getExpansionColumnNumber(expanded) - 1};
}

void ModuleConverter::report(clang::SourceLocation where, const std::string& text) const {
  clang::DiagnosticsEngine& diagnostics = context_.getDiagnostics();
  const unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
  diagnostics.Report(where, id) << text;
}

void ModuleConverter::refuse(clang::SourceLocation where, const std::string& text) const {
  report(where, text);
  throw Refused{};
}

std::string ModuleConverter::mangled_name(const clang::FunctionDecl& function) const {
  std::string name;
  llvm::raw_string_ostream stream(name);
  if (mangle_->shouldMangleDeclName(&function))
    mangle_->mangleName(
        function.hasAttr<clang::CUDAGlobalAttr>()
            ? clang::GlobalDecl(&function, clang::KernelReferenceKind::Kernel)
            : clang::GlobalDecl(&function),
        stream);
  else
    stream << function.getName();
  return name;
}

std::unique_ptr<ir::Module> convert(clang::ASTContext& context, const Source& source) {
  auto module = std::make_unique<ir::Module>();
  ModuleConverter(context, source, *module).run();
  return module;
}

}  // namespace phalanx::cudac
