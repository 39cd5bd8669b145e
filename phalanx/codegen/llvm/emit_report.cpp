#include "phalanx/codegen/llvm/emit_report.h"

#include <cstddef>
#include <string>
#include <type_traits>

#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/ir/build_textures.h"
#include "phalanx/ir/warp_operations.h"

namespace phalanx::codegen {

using ir::Op;
using ir::Operation;

namespace {

constexpr std::size_t most_records = std::extent_v<decltype(ErrorLog::records)>;
constexpr std::size_t most_values = std::extent_v<decltype(ErrorRecord::values)>;

enum Argument : unsigned { log, site, count, block, thread = block + 3, values = thread + 3, held };

class ReportWriter {
 public:
  explicit ReportWriter(llvm::Module& module) : builder_(module.getContext()) {
    llvm::Type* i32 = builder_.getInt32Ty();
    llvm::SmallVector<llvm::Type*, 11> types(held + 1, i32);
    types[log] = builder_.getPtrTy();
    types[values] = builder_.getPtrTy();
    function_ = llvm::Function::Create(
        llvm::FunctionType::get(builder_.getVoidTy(), types, false),
        llvm::GlobalValue::InternalLinkage,
        "phalanx_report",
        module);
    function_->addFnAttr(llvm::Attribute::NoInline);
    function_->addFnAttr(llvm::Attribute::Cold);
    function_->setDoesNotThrow();
  }

  // Looks for the site's record, or the first free one, and gives up after the last.
  llvm::Function* write() {
    llvm::BasicBlock* entry = block_named("entry");
    llvm::BasicBlock* look = block_named("look");
    llvm::BasicBlock* taken = block_named("taken");
    llvm::BasicBlock* first = block_named("first");
    llvm::BasicBlock* again = block_named("again");
    llvm::BasicBlock* next = block_named("next");
    llvm::BasicBlock* done = block_named("done");
    builder_.SetInsertPoint(entry);
    llvm::Value* order = add(at(argument(log), offsetof(ErrorLog, count)));
    builder_.CreateBr(look);
    builder_.SetInsertPoint(look);
    llvm::PHINode* slot = builder_.CreatePHI(builder_.getInt64Ty(), 2, "slot");
    slot->addIncoming(builder_.getInt64(0), entry);
    llvm::Value* records = at(argument(log), offsetof(ErrorLog, records));
    llvm::Value* record = builder_.CreateGEP(
        builder_.getInt8Ty(),
        records,
        builder_.CreateMul(slot, builder_.getInt64(sizeof(ErrorRecord))));
    llvm::Value* outcome = builder_.CreateAtomicCmpXchg(
        at(record, offsetof(ErrorRecord, site)),
        builder_.getInt32(0),
        argument(site),
        llvm::MaybeAlign(4),
        llvm::AtomicOrdering::Monotonic,
        llvm::AtomicOrdering::Monotonic);
    llvm::Value* before = builder_.CreateExtractValue(outcome, 0);
    builder_.CreateCondBr(builder_.CreateICmpEQ(before, builder_.getInt32(0)), first, taken);
    builder_.SetInsertPoint(taken);
    builder_.CreateCondBr(builder_.CreateICmpEQ(before, argument(site)), again, next);
    builder_.SetInsertPoint(next);
    llvm::Value* following = builder_.CreateAdd(slot, builder_.getInt64(1));
    slot->addIncoming(following, next);
    builder_.CreateCondBr(
        builder_.CreateICmpULT(following, builder_.getInt64(most_records)), look, done);
    builder_.SetInsertPoint(first);
    fill(record, order);
    builder_.CreateBr(again);
    builder_.SetInsertPoint(again);
    add(at(record, offsetof(ErrorRecord, count)));
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
    builder_.CreateRetVoid();
    return function_;
  }

 private:
  llvm::Argument* argument(unsigned index) { return function_->getArg(index); }
  llvm::BasicBlock* block_named(const char* name) {
    return llvm::BasicBlock::Create(builder_.getContext(), name, function_);
  }
  llvm::Value* at(llvm::Value* base, std::size_t offset) {
    return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, offset);
  }
  // Adds the report's count; yields what was there.
  llvm::Value* add(llvm::Value* counter) {
    return builder_.CreateAtomicRMW(
        llvm::AtomicRMWInst::Add,
        counter,
        argument(count),
        llvm::MaybeAlign(4),
        llvm::AtomicOrdering::Monotonic);
  }

  void fill(llvm::Value* record, llvm::Value* order) {
    const auto put = [&](llvm::Value* value, std::size_t offset) {
      builder_.CreateAlignedStore(value, at(record, offset), llvm::Align(4));
    };
    put(order, offsetof(ErrorRecord, order));
    for (unsigned i = 0; i < 3; ++i) {
      put(argument(block + i), offsetof(ErrorRecord, block) + 4 * i);
      put(argument(thread + i), offsetof(ErrorRecord, thread) + 4 * i);
    }
    for (unsigned i = 0; i < most_values; ++i) {
      llvm::BasicBlock* copy = block_named("value");
      llvm::BasicBlock* after = block_named("values");
      builder_.CreateCondBr(
          builder_.CreateICmpULT(builder_.getInt32(i), argument(held)), copy, after);
      builder_.SetInsertPoint(copy);
      llvm::Value* value = builder_.CreateLoad(builder_.getInt64Ty(), at(argument(values), 8 * i));
      put(value, offsetof(ErrorRecord, values) + 8 * i);
      builder_.CreateBr(after);
      builder_.SetInsertPoint(after);
    }
  }

  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
};

// The category of operations that report without a Report of their own.
std::optional<Check> own_check(const Operation& operation) {
  if (operation.op == Op::barrier)
    return Check::barriers;
  if (ir::has_mask(operation.op))
    return Check::masks;
  return std::nullopt;
}

// What a texture or a surface refuses.
Raise refused_by(const Operation& operation) {
  const std::string none =
      "has a handle that is no object's: 0, or that of one that was freed before the launch; keep "
      "the object (CuPy's TextureObject, SurfaceObject) as long as kernels use it";
  if (operation.op == Op::texture_fetch)
    return {.type = "ValueError", .message = "a texture " + none};
  if (operation.index != static_cast<std::int64_t>(ir::SurfaceBoundary::trap))
    return {.type = "ValueError", .message = "a surface " + none};
  return {
      .type = "IndexError",
      .message =
          "a surface is accessed outside of its extent; cudaBoundaryModeClamp and "
          "cudaBoundaryModeZero allow it. Or it " +
          none};
}

std::variant<Raise, Report> what_of(const Operation& operation) {
  if (const auto* raise = std::get_if<Raise>(&operation.detail))
    return *raise;
  if (const auto* report = std::get_if<Report>(&operation.detail))
    return *report;
  if (ir::is_of(ir::OpFamily::texture, operation.op))
    return refused_by(operation);
  if (operation.op == Op::call)
    return Raise{
        .type = "RecursionError",
        .message = operation.callee->name.substr(0, operation.callee->name.find('.')) +
                   " calls itself until the stack is full: look for the case that ends it"};
  return Report{.check = own_check(operation).value()};
}

bool is_tracking(const Operation& operation) {
  return operation.op == Op::track_access || operation.op == Op::track_row;
}

}  // namespace

llvm::Function* report_function(llvm::Module& module) {
  if (llvm::Function* known = module.getFunction("phalanx_report"))
    return known;
  return ReportWriter(module).write();
}

std::size_t first_index(const Operation& operation) {
  const bool has_value =
      operation.op == Op::track_access && std::get<Report>(operation.detail).verb == Verb::write;
  return has_value || operation.op == Op::track_row ? 2 : 1;
}

FaultSite site_of(const ir::Function& function, const Operation& operation) {
  FaultSite site = fault_site(function.source.get(), operation.location, what_of(operation));
  // The indices are after the first operand; in a report, the extents after those.
  const std::size_t after = operation.operands.empty() ? 0 : operation.operands.size() - 1;
  if (operation.op == Op::checked_element)
    site.dimensions = static_cast<unsigned>(after);
  else if (is_tracking(operation))
    site.dimensions = static_cast<unsigned>(operation.operands.size() - first_index(operation));
  else if (site.is_of(Check::bounds) || site.is_of(Check::uninitialized))
    site.dimensions = static_cast<unsigned>(after / 2);
  for (unsigned d = 0; d < site.dimensions; ++d) {
    if (operation.operands[first_index(operation) + d]->op == Op::wrap_index)
      site.wraps |= 1U << d;
  }
  return site;
}

}  // namespace phalanx::codegen
