#include "phalanx/jit/cpu_loader.h"

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/TaskDispatch.h>
#include <llvm/Support/MemoryBuffer.h>

#include <exception>
#include <mutex>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/codegen.h"
#include "phalanx/jit/code_observers.h"

namespace phalanx::jit {

namespace orc = llvm::orc;

namespace {

// `cause` is what the session reported meanwhile: missing symbols are named only there.
[[noreturn]] void fail(const std::string& what, llvm::Error error, const std::string& cause = {}) {
  const std::string text = llvm::toString(std::move(error));
  throw DeviceError(what + ": " + (cause.empty() ? text : cause));
}

llvm::StringRef text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

CpuLoader::Find with_globals(const CpuLoader::Find& find, const CpuLoader::Find& global) {
  if (!global)
    return find;
  return [find, global](const std::string& name) {
    const bool is_global = name.starts_with(codegen::global_prefix);
    return is_global ? global(name.substr(codegen::global_prefix.size())) : find(name);
  };
}

// Answers for symbols that an object does not define itself.
class SymbolGenerator : public orc::DefinitionGenerator {
 public:
  // What `find` throws is put into `failure`: no exception may pass through LLVM.
  SymbolGenerator(CpuLoader::Find find, std::exception_ptr& failure)
      : find_(std::move(find)), failure_(&failure) {}

  llvm::Error tryToGenerate(
      orc::LookupState& /*state*/,
      orc::LookupKind /*kind*/,
      orc::JITDylib& library,
      orc::JITDylibLookupFlags /*flags*/,
      const orc::SymbolLookupSet& wanted) override {
    try {
      return generate(library, wanted);
    } catch (...) {
      *failure_ = std::current_exception();
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(), "a symbol could not be looked for");
    }
  }

 private:
  llvm::Error generate(orc::JITDylib& library, const orc::SymbolLookupSet& wanted) const {
    orc::SymbolMap found;
    for (const auto& [name, flags] : wanted) {
      if (void* address = find_((*name).str()))
        found[name] = {
            orc::ExecutorAddr::fromPtr(address),
            llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    }
    // What is missing is reported by name by the lookup itself.
    return found.empty() ? llvm::Error::success() : library.define(orc::absoluteSymbols(found));
  }

  CpuLoader::Find find_;
  std::exception_ptr* failure_;
};

}  // namespace

struct CpuLoader::Session {
  explicit Session(Find known) : find(std::move(known)) {}
  ~Session() {
    if (execution)
      llvm::consumeError(execution->endSession());
  }

  void start();
  LoadedKernel load(
      const std::shared_ptr<Session>& self,
      Object object,
      const std::string& entry,
      const Find& global,
      const std::string& shown);
  void unload(orc::JITDylib& library);

  std::mutex mutex;
  Find find;
  std::unique_ptr<orc::ExecutionSession> execution;
  std::unique_ptr<orc::ObjectLinkingLayer> linker;
  std::uint64_t count = 0;
  // Since the last load began:
  std::string reported;
  std::exception_ptr failure;  // of `find`
  std::string shown;           // what other tools call the code
};

// Only the linker is needed here, so no LLJIT: it would make a target machine as well.
void CpuLoader::Session::start() {
  if (execution)
    return;
  // The default dispatcher starts a thread for each task.
  auto control = orc::SelfExecutorProcessControl::Create(
      nullptr, std::make_unique<orc::InPlaceTaskDispatcher>());
  if (!control)
    fail("code cannot be loaded", control.takeError());
  auto made = std::make_unique<orc::ExecutionSession>(std::move(*control));
  made->setErrorReporter(
      [this](llvm::Error error) { reported += llvm::toString(std::move(error)); });
  linker = std::make_unique<orc::ObjectLinkingLayer>(
      *made, made->getExecutorProcessControl().getMemMgr());
  for (auto& plugin :
       plugins_of(CodeObservers::chosen(), *made, [this]() -> const auto& { return shown; }))
    linker->addPlugin(std::move(plugin));
  execution = std::move(made);
}

LoadedKernel CpuLoader::Session::load(
    const std::shared_ptr<Session>& self,
    Object object,
    const std::string& entry,
    const Find& global,
    const std::string& name_of_code) {
  const std::lock_guard lock(mutex);
  start();
  reported.clear();
  failure = nullptr;
  shown = name_of_code.empty() ? entry : name_of_code;
  const std::string name = entry + "." + std::to_string(++count);
  orc::JITDylib& library = execution->createBareJITDylib(name);
  library.addGenerator(std::make_unique<SymbolGenerator>(with_globals(find, global), failure));
  // Owned by what is returned, so that a failed load is undone too.
  std::shared_ptr<void> code(
      &library, [self](void* loaded) { self->unload(*static_cast<orc::JITDylib*>(loaded)); });

  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text_of(object), name);
  if (auto error = linker->add(library, std::move(buffer)))
    fail("the machine code of kernel '" + entry + "' cannot be read", std::move(error), reported);
  auto symbol = execution->lookup({&library}, execution->intern(entry));
  if (!symbol && failure) {
    llvm::consumeError(symbol.takeError());
    std::rethrow_exception(std::exchange(failure, nullptr));
  }
  if (!symbol)
    fail(
        "the machine code of kernel '" + entry + "' cannot be linked",
        symbol.takeError(),
        reported);
  return {symbol->getAddress().toPtr<CpuKernel>(), std::move(code)};
}

void CpuLoader::Session::unload(orc::JITDylib& library) {
  llvm::consumeError(execution->removeJITDylib(library));
}

CpuLoader::CpuLoader(Symbols symbols)
    : CpuLoader([known = std::make_shared<Symbols>(std::move(symbols))](const std::string& name) {
        return known->find(name);
      }) {}
CpuLoader::CpuLoader(Find find) : session_(std::make_shared<Session>(std::move(find))) {}
CpuLoader::~CpuLoader() = default;

LoadedKernel CpuLoader::load(
    Object object, const std::string& entry, const Find& global, const std::string& name) {
  return session_->load(session_, object, entry, global, name);
}

}  // namespace phalanx::jit
