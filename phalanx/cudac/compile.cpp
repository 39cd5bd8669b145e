#include "phalanx/cudac/compile.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include "phalanx/cudac/assembly_registers.h"
#include "phalanx/cudac/files.h"
#include "phalanx/cudac/headers.h"
#include "phalanx/cudac/module_converter.h"

namespace phalanx::cudac {

namespace {

// The name of the header that every source begins with.
constexpr const char* prelude = "phalanx_prelude.h";

// What few sources need is read where a source has one of the words, or folders with headers of its
// own, which may have them: each function of a header costs time.
struct RareHeader {
  const char* name;
  std::vector<std::string_view> words;
};
const std::vector<RareHeader>& rare_headers() {
  static const std::vector<RareHeader> headers = {
      {"phalanx_library.h",
       {"jn",
        "yn",
        "bessel",
        "lrint",
        "lround",
        "norm3d",
        "norm4d",
        "rhypot",
        "remquo",
        "scalbln",
        "umin",
        "umax",
        "llmin",
        "llmax",
        "__funnelshift",
        "__dp4a",
        "__dp2a",
        "__reduce_"}},
      {"phalanx_simd.h", {"__v"}},
      {"phalanx_textures.h",
       {"tex1D", "tex2D", "tex3D", "surf1D", "surf2D", "surf3D", "cudaBoundaryMode"}}};
  return headers;
}

bool needs(const Source& source, const RareHeader& header) {
  const auto has = [&](const std::string& text) {
    return std::ranges::any_of(
        header.words, [&](std::string_view word) { return text.find(word) != std::string::npos; });
  };
  return !source.folders.empty() || has(source.text) || std::ranges::any_of(source.macros, has);
}

// That clang 19 knows. It defines __CUDA_ARCH__.
constexpr unsigned newest_architecture = 90;

// What the compiler says in words of its own of what is not there, and what to write instead.
struct Advice {
  std::string_view message;
  std::string_view instead;
};
constexpr std::array advice_table = {
    Advice{
        "no template named 'texture'",
        "texture references are not there, as CUDA 12 has removed them: take a parameter of type "
        "cudaTextureObject_t, and read it by tex2D<float>(texture, x, y)"},
    Advice{
        "no template named 'surface'",
        "surface references are not there, as CUDA 12 has removed them: take a parameter of type "
        "cudaSurfaceObject_t"},
    Advice{
        "reference to __global__ function",
        "kernels that launch kernels are not supported: launch the other one from the host, or "
        "make it a __device__ function and call it"},
    Advice{"cannot use 'throw'", "exceptions are not there: call __trap(), or assert a condition"},
    Advice{"cannot use 'try'", "exceptions are not there: call __trap(), or assert a condition"},
    Advice{
        "cannot jump from this goto statement",
        "a goto into a statement is not supported: put the label before it, or declare the "
        "variables before the goto"},
};

// The compiler's messages as text, without those about macros that clang itself defines: for device
// code it defines __CUDA_ARCH__ twice.
class Printer : public clang::TextDiagnosticPrinter {
 public:
  Printer(llvm::raw_ostream& out, clang::DiagnosticOptions* options)
      : TextDiagnosticPrinter(out, options), out_(out) {}

  void HandleDiagnostic(
      clang::DiagnosticsEngine::Level level, const clang::Diagnostic& message) override {
    const bool has_place = message.hasSourceManager() && message.getLocation().isValid();
    const bool is_built_in =
        has_place && message.getSourceManager().isWrittenInBuiltinFile(message.getLocation());
    if (level == clang::DiagnosticsEngine::Note ? !is_quiet_ : !is_built_in)
      TextDiagnosticPrinter::HandleDiagnostic(level, message);
    if (level >= clang::DiagnosticsEngine::Error)
      advise(message);
    if (level != clang::DiagnosticsEngine::Note)
      is_quiet_ = is_built_in;
  }

 private:
  void advise(const clang::Diagnostic& message) {
    llvm::SmallString<128> text;
    message.FormatDiagnostic(text);
    for (const Advice& each : advice_table) {
      if (text.str().contains(each.message))
        out_ << "to fix it: " << each.instead << '\n';
    }
  }

  llvm::raw_ostream& out_;
  bool is_quiet_ = false;  // the notes of what was left out are left out too
};

class Consumer : public clang::ASTConsumer {
 public:
  Consumer(const Source& source, std::unique_ptr<ir::Module>& result)
      : source_(source), result_(result) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred())
      return;
    result_ = convert(context, source_);
    if (context.getDiagnostics().hasErrorOccurred())
      result_.reset();
  }

 private:
  const Source& source_;
  std::unique_ptr<ir::Module>& result_;
};

class Action : public clang::ASTFrontendAction {
 public:
  Action(const Source& source, std::unique_ptr<ir::Module>& result)
      : source_(source), result_(result) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(
      clang::CompilerInstance& /*compiler*/, llvm::StringRef /*file*/) override {
    return std::make_unique<Consumer>(source_, result_);
  }

 private:
  const Source& source_;
  std::unique_ptr<ir::Module>& result_;
};

// A folder of the headers of NVIDIA's toolkit, which know NVIDIA's compilers.
bool is_of_toolkit(llvm::StringRef folder) {
  constexpr std::array<const char*, 4> marks = {
      "cuda_runtime_api.h", "cuda_fp16.h", "curand_kernel.h", "cooperative_groups.h"};
  return std::ranges::any_of(marks, [&](const char* mark) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, mark);
    return llvm::sys::fs::exists(path);
  });
}

// clang compares an unknown name with those that it knows, which takes the square of its length.
bool has_long_name(const std::string& text) {
  constexpr std::size_t longest = 512;
  std::size_t length = 0;
  for (const char each : text) {
    const bool is_of_name = each == '_' || std::isalnum(static_cast<unsigned char>(each)) != 0;
    length = is_of_name ? length + 1 : 0;
    if (length > longest)
      return true;
  }
  return false;
}

std::vector<std::string> arguments_for(const Source& source) {
  std::vector<std::string> arguments = {
      "-triple",
      "nvptx64-nvidia-cuda",
      "-fcuda-is-device",
      "-fcuda-allow-variadic-functions",
      "-x",
      "cuda",
      "-nostdsysteminc",
      "-nobuiltininc",
      "-fdeprecated-macro",
      "-fwchar-type=int",
      "-fbracket-depth",
      "1024",
      "-ftemplate-depth=512",
      "-ferror-limit",
      "20",
      "-fgnuc-version=12.2.0",
      "-D__CUDACC__",
      "-Wno-unused-value",
      "-Wunused-variable",
      "-Wno-macro-redefined",
      "-Wno-invalid-constexpr",
      "-Wno-deprecated-volatile",
      "-Wno-register",
      "-Wno-return-type-c-linkage",
  };
  arguments.push_back("-std=c++" + std::to_string(source.standard));
  arguments.insert(
      arguments.end(),
      {"-target-cpu", "sm_" + std::to_string(std::min(source.architecture, newest_architecture))});
  if (has_long_name(source.text))
    arguments.emplace_back("-fno-spell-checking");
  if (!source.keeps_assertions)
    arguments.emplace_back("-DNDEBUG");
  for (const std::string& macro : source.macros) arguments.push_back("-D" + macro);
  for (const std::string& folder : source.folders) {
    llvm::SmallString<128> whole(folder);
    if (llvm::sys::fs::make_absolute(whole))
      continue;  // there is no such folder to look in
    // What is phalanx's own is so even where NVIDIA's headers are.
    arguments.emplace_back(is_of_toolkit(whole.str()) ? "-idirafter" : "-I");
    arguments.push_back(whole.str().str());
  }
  arguments.insert(arguments.end(), {"-isystem", header_folder, "-include", prelude});
  for (const RareHeader& header : rare_headers()) {
    if (needs(source, header))
      arguments.insert(arguments.end(), {"-include", header.name});
  }
  arguments.push_back(source.name);
  return arguments;
}

// What is compiled: the text, and behind it functions of the host that use each kernel that a name
// expression asks for, so that templates are instantiated.
std::string text_of(const Source& source) {
  std::string text = with_escaped_registers(source.text);
  text += '\n';
  for (std::size_t i = 0; i < source.kernels.size(); ++i) {
    text += "# 1 \"name expression\"\n";
    text += "namespace { [[maybe_unused]] auto* const " + expression_prefix + std::to_string(i) +
            " = &" + source.kernels[i] + "; }\n";
  }
  return text;
}

}  // namespace

Compiled compile(const Source& source) {
  Compiled result;
  llvm::raw_string_ostream log(result.log);
  if (source.text.find('\0') != std::string::npos) {
    log << source.name << ": error: the source holds a null byte\n";
    return result;
  }
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options = new clang::DiagnosticOptions;
  options->ShowPresumedLoc = true;  // as #line says
  llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> diagnostics = new clang::DiagnosticsEngine(
      new clang::DiagnosticIDs, options, new Printer(log, options.get()));

  const std::vector<std::string> arguments = arguments_for(source);
  std::vector<const char*> pointers;
  pointers.reserve(arguments.size());
  for (const std::string& each : arguments) pointers.push_back(each.c_str());
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers, *diagnostics))
    return result;
  invocation->getFrontendOpts().DisableFree = false;
  clang::ProcessWarningOptions(*diagnostics, invocation->getDiagnosticOpts());

  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory =
      new llvm::vfs::InMemoryFileSystem;
  memory->setCurrentWorkingDirectory("/");  // NOLINT(bugprone-unused-return-value): it cannot fail
  memory->addFile(source.name, 0, llvm::MemoryBuffer::getMemBufferCopy(text_of(source)));
  add_headers(*memory);

  clang::CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.setDiagnostics(diagnostics.get());
  compiler.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  compiler.createFileManager(files_for(source, memory));
  Action action(source, result.module);
  if (!compiler.ExecuteAction(action) || diagnostics->hasErrorOccurred())
    result.module.reset();
  return result;
}

}  // namespace phalanx::cudac
