// The assembly text of an x86 object.
#include <algorithm>
#include <map>
#include <mutex>

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/raw_ostream.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/backend.h"
#include "phalanx/codegen/llvm/target_machine.h"

extern "C" void LLVMInitializeX86Disassembler();

namespace phalanx::codegen::cpu {

namespace {

constexpr unsigned intel_syntax = 1;

// LLVM's tables for one CPU.
class Disassembler {
 public:
  explicit Disassembler(const Target& target) {
    static std::once_flag once;
    const llvm::Target* found = &llvm_target(machine_settings());
    std::call_once(once, LLVMInitializeX86Disassembler);
    const llvm::Triple triple(machine_settings().triple);
    registers_.reset(found->createMCRegInfo(triple.str()));
    assembly_.reset(found->createMCAsmInfo(*registers_, triple.str(), llvm::MCTargetOptions()));
    features_.reset(found->createMCSubtargetInfo(triple.str(), target.cpu, target.features));
    instructions_.reset(found->createMCInstrInfo());
    context_ = std::make_unique<llvm::MCContext>(
        triple, assembly_.get(), registers_.get(), features_.get());
    disassembler_.reset(found->createMCDisassembler(*features_, *context_));
    printer_.reset(
        found->createMCInstPrinter(triple, intel_syntax, *assembly_, *instructions_, *registers_));
    if (disassembler_ == nullptr || printer_ == nullptr)
      throw CompileError(CompileError::Kind::lowering, "LLVM cannot disassemble for this CPU");
  }

  // `relocations`: what the linker will fill in, by offset.
  void print(
      llvm::ArrayRef<std::uint8_t> code,
      const std::map<std::uint64_t, std::string>& relocations,
      llvm::raw_ostream& stream) {
    std::uint64_t at = 0;
    while (at < code.size()) {
      llvm::MCInst instruction;
      std::uint64_t bytes = 0;
      const auto status =
          disassembler_->getInstruction(instruction, bytes, code.slice(at), at, llvm::nulls());
      stream << llvm::format_hex_no_prefix(at, 6) << ":";
      if (status == llvm::MCDisassembler::Fail)
        stream << "\t(bad)";
      else
        printer_->printInst(&instruction, at, "", *features_, stream);
      bytes = std::max<std::uint64_t>(bytes, 1);
      const auto relocation = relocations.lower_bound(at);
      if (relocation != relocations.end() && relocation->first < at + bytes)
        stream << "\t; " << relocation->second;
      stream << '\n';
      at += bytes;
    }
  }

 private:
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> assembly_;
  std::unique_ptr<llvm::MCSubtargetInfo> features_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
};

std::map<std::uint64_t, std::string> relocations_of(
    const llvm::object::ObjectFile& object, const llvm::object::SectionRef& section) {
  std::map<std::uint64_t, std::string> relocations;
  for (const llvm::object::SectionRef& other : object.sections()) {
    auto target = other.getRelocatedSection();
    if (!target) {
      llvm::consumeError(target.takeError());
      continue;
    }
    if (*target != section)
      continue;
    for (const llvm::object::RelocationRef& relocation : other.relocations()) {
      if (relocation.getSymbol() == object.symbol_end())
        continue;
      auto name = relocation.getSymbol()->getName();
      if (name)
        relocations[relocation.getOffset()] = name->str();
      else
        llvm::consumeError(name.takeError());
    }
  }
  return relocations;
}

void print_functions(
    const llvm::object::ObjectFile& object,
    const llvm::object::SectionRef& section,
    llvm::raw_ostream& stream) {
  for (const llvm::object::SymbolRef& symbol : object.symbols()) {
    auto name = symbol.getName();
    auto type = symbol.getType();
    auto address = symbol.getAddress();
    auto home = symbol.getSection();
    if (name && type && address && home && *type == llvm::object::SymbolRef::ST_Function &&
        *home != object.section_end() && **home == section)
      stream << "; " << *name << " at " << llvm::format_hex_no_prefix(*address, 6) << '\n';
    llvm::consumeError(name.takeError());
    llvm::consumeError(type.takeError());
    llvm::consumeError(address.takeError());
    llvm::consumeError(home.takeError());
  }
}

}  // namespace

std::string disassemble(const Binary& binary, const Target& target) {
  const llvm::StringRef bytes(
      reinterpret_cast<const char*>(binary.code.data()), binary.code.size());
  auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "kernel"));
  if (!object)
    throw CompileError(
        CompileError::Kind::lowering, "not an object: " + llvm::toString(object.takeError()));
  Disassembler disassembler(target);
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const llvm::object::SectionRef& section : (*object)->sections()) {
    if (!section.isText() || section.getSize() == 0)
      continue;
    auto code = section.getContents();
    if (!code) {
      llvm::consumeError(code.takeError());
      continue;
    }
    print_functions(**object, section, stream);
    disassembler.print(
        llvm::ArrayRef(code->bytes_begin(), code->bytes_end()),
        relocations_of(**object, section),
        stream);
  }
  return text;
}

}  // namespace phalanx::codegen::cpu
