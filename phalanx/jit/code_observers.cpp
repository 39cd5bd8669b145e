#include "phalanx/jit/code_observers.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/ExecutionEngine/Orc/DebugObjectManagerPlugin.h>
#include <llvm/ExecutionEngine/Orc/Debugging/DebugInfoSupport.h>
#include <llvm/ExecutionEngine/Orc/EPCDebugObjectRegistrar.h>
#include <llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderGDB.h>

#include <cstdio>
#include <utility>

#include "phalanx/base/environment.h"
#include "phalanx/jit/perf_files.h"

namespace phalanx::jit {

namespace orc = llvm::orc;
namespace jitlink = llvm::jitlink;

namespace {

using Plugin = orc::ObjectLinkingLayer::Plugin;
using Name = std::function<const std::string&()>;

// Enters functions, by the name of what they were compiled of, into perf's files.
class PerfPlugin : public Plugin {
 public:
  explicit PerfPlugin(Name name) : name_(std::move(name)) {}

  void modifyPassConfig(
      orc::MaterializationResponsibility& /*made*/,
      jitlink::LinkGraph& /*graph*/,
      jitlink::PassConfiguration& passes) override {
    passes.PostFixupPasses.emplace_back([this](jitlink::LinkGraph& graph) {
      note(graph);
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(orc::MaterializationResponsibility& /*made*/) override {
    return llvm::Error::success();
  }
  llvm::Error notifyRemovingResources(
      orc::JITDylib& /*library*/, orc::ResourceKey /*key*/) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(
      orc::JITDylib& /*library*/, orc::ResourceKey /*to*/, orc::ResourceKey /*from*/) override {}

 private:
  void note(jitlink::LinkGraph& graph) {
    auto debug = orc::createDWARFContext(graph);
    if (!debug)
      llvm::consumeError(debug.takeError());  // no lines
    llvm::DWARFContext* const lines = debug ? debug->first.get() : nullptr;
    const std::string name = "py::" + name_();
    for (jitlink::Symbol* symbol : graph.defined_symbols()) {
      if (!symbol->hasName() || !symbol->isCallable() || symbol->getSize() == 0)
        continue;
      const bool is_entry = symbol->getScope() == jitlink::Scope::Default;
      const llvm::ArrayRef<char> code =
          symbol->getBlock().getContent().slice(symbol->getOffset(), symbol->getSize());
      PerfFiles::instance().add(
          {.name = is_entry ? name : name + "." + symbol->getName().str(),
           .address = symbol->getAddress().getValue(),
           .code = {code.data(), code.size()},
           .lines = lines_of(lines, *symbol)});
    }
  }

  static std::vector<PerfLine> lines_of(llvm::DWARFContext* debug, const jitlink::Symbol& symbol) {
    std::vector<PerfLine> made;
    if (debug == nullptr)
      return made;
    const llvm::object::SectionedAddress start = {
        symbol.getAddress().getValue(), llvm::object::SectionedAddress::UndefSection};
    const llvm::DILineInfoSpecifier how(
        llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath);
    for (const auto& [address, line] :
         debug->getLineInfoForAddressRange(start, symbol.getSize(), how)) {
      if (line.Line != 0)  // 0: of no line
        made.push_back({.address = address, .line = line.Line, .file = line.FileName});
    }
    return made;
  }

  Name name_;
};

std::shared_ptr<Plugin> gdb(orc::ExecutionSession& session) {
  auto registrar = std::make_unique<orc::EPCDebugObjectRegistrar>(
      session, orc::ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderGDBAllocAction));
  return std::make_shared<orc::DebugObjectManagerPlugin>(
      session, std::move(registrar), /*RequireDebugSections=*/false, /*AutoRegisterCode=*/true);
}

bool is_asked(const char* variable) {
  const std::string value = environment(variable).value_or("0");
  if (value != "1" && value != "0" && !value.empty())
    std::fprintf(
        stderr, "phalanx: %s takes 1 or 0, not '%s': it is off\n", variable, value.c_str());
  return value == "1";
}

}  // namespace

const CodeObservers& CodeObservers::chosen() {
  static const CodeObservers read = {
      .perf = is_asked("PHALANX_PERF"), .gdb = is_asked("PHALANX_GDB")};
  return read;
}

std::vector<std::shared_ptr<Plugin>> plugins_of(
    const CodeObservers& observers, orc::ExecutionSession& session, Name name) {
  std::vector<std::shared_ptr<Plugin>> made;
  if (observers.gdb)
    made.push_back(gdb(session));
  if (!observers.perf)
    return made;
  made.push_back(std::make_shared<orc::DebugInfoPreservationPlugin>());
  made.push_back(std::make_shared<PerfPlugin>(std::move(name)));
  return made;
}

}  // namespace phalanx::jit
