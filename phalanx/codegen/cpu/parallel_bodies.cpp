#include "phalanx/codegen/cpu/parallel_bodies.h"

#include <algorithm>
#include <utility>

#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/cpu/device_function.h"
#include "phalanx/codegen/cpu/kernel_builder.h"
#include "phalanx/codegen/cpu/stateless_operations.h"
#include "phalanx/codegen/llvm/emit_op.h"
#include "phalanx/ir/build_calls.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

constexpr unsigned warp_lanes = 16;

// What the masked code of a warp has no form of, or gains nothing by.
bool needs_one_thread(const Operation& operation) {
  switch (operation.op) {
    case Op::allocate:
    case Op::memory_mark:
    case Op::memory_release:
    case Op::call:
    case Op::parallel:
    case Op::random_state:
    case Op::random_refill:
    case Op::print:
    case Op::local_array:
      return true;
    default:
      return false;
  }
}

bool reads_or_writes(Op op) {
  switch (op) {
    case Op::array_load:
    case Op::array_store:
    case Op::load:
    case Op::store:
    case Op::atomic:
    case Op::atomic_cas:
      return true;
    default:
      return false;
  }
}

// Looks for loops that lanes leave at different times and that compute on their own: there a warp
// is several times as fast as a thread. Memory in such a loop would be gathered lane by lane.
class DivergentLoops {
 public:
  explicit DivergentLoops(const ir::Function& body, const CpuVariant& variant)
      : shapes_(body, variant) {}

  // `is_outermost`: the loop over the body's own iterations is none of them.
  void visit(const ir::Region& region, bool is_outermost) {
    for (const auto& owned : region) {
      const Operation& operation = *owned;
      const bool is_loop = operation.op == Op::loop;
      if (is_loop && !is_outermost && shapes_.break_divergence(operation) == Divergence::lane)
        note(operation);
      for (const ir::Region& nested : operation.regions) visit(nested, is_outermost && !is_loop);
    }
  }

  bool found() const { return found_ && !touches_memory_; }

 private:
  void note(const Operation& loop) {
    found_ = true;
    for (const ir::Region& region : loop.regions)
      ir::for_each(region, [&](const Operation& one) {
        if (reads_or_writes(one.op))
          touches_memory_ = true;
      });
  }

  FunctionShapes shapes_;
  bool found_ = false;
  bool touches_memory_ = false;
};

// How a body is compiled: one thread at a time, so that LLVM vectorises what it can; or a warp,
// where lanes diverge in inner loops, which LLVM leaves scalar.
CpuVariant variant_of_body(const ir::Function& body) {
  const CpuVariant single = {.lanes = 1, .shape = BlockShape::single};
  bool is_alone = false;
  ir::for_each(
      body.body, [&](const Operation& operation) { is_alone |= needs_one_thread(operation); });
  if (is_alone)
    return single;
  const CpuVariant warp = {.lanes = warp_lanes, .shape = BlockShape::one_dimensional};
  DivergentLoops loops(body, warp);
  loops.visit(body.body, true);
  return loops.found() ? warp : single;
}

}  // namespace

llvm::Function* declare_parallel_body(Compilation& compilation, const ir::Function& body) {
  llvm::Function*& declared = compilation.parallel_bodies[&body];
  if (declared != nullptr)
    return declared;
  llvm::LLVMContext& context = compilation.module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* i64 = llvm::Type::getInt64Ty(context);
  declared = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, i64, i64, pointer}, false),
      llvm::GlobalValue::InternalLinkage,
      body.name,
      compilation.module);
  compilation.undefined_bodies.push_back(&body);
  return declared;
}

void define_parallel_bodies(Compilation& compilation) {
  while (!compilation.undefined_bodies.empty()) {
    const ir::Function& function = *compilation.undefined_bodies.back();
    compilation.undefined_bodies.pop_back();
    const CpuVariant variant = variant_of_body(function);
    Compilation body{
        .source = compilation.source,
        .module = compilation.module,
        .alias = AliasScopes(compilation.module.getContext()),
        .math = compilation.math,
        .target = compilation.target,
        .machine = compilation.machine,
        .options = compilation.options,
        .variant = variant,
        .kernel = function,
        .fault_sites = std::move(compilation.fault_sites),
        .parallel_bodies = compilation.parallel_bodies,
        .lines = compilation.lines};
    KernelBuilder(body).build();
    compilation.fault_sites = std::move(body.fault_sites);
    compilation.parallel_bodies = std::move(body.parallel_bodies);
  }
}

// ---- The launch ----

Value emit_parallel_lanes(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const auto lanes = static_cast<std::int64_t>(variant_of_body(*operation.callee).lanes);
  return {{emitter.shapes().of(operation, 0), builder.getInt64(static_cast<std::uint64_t>(lanes))}};
}

namespace {

// Writes values as load_launch reads them.
class ParameterWriter {
 public:
  ParameterWriter(llvm::IRBuilderBase& builder, llvm::Value* block, ir::ParameterLayout layout)
      : builder_(builder), block_(block), layout_(std::move(layout)) {}

  void write(const ir::Type& type, const Value& value) {
    std::size_t component = 0;
    write(type, value, component);
  }

 private:
  void write(const ir::Type& type, const Value& value, std::size_t& component) {
    if (type.is_tuple()) {
      for (const ir::Field& field : type.fields()) write(field.type, value, component);
      return;
    }
    const bool is_complex_type = (type.is_scalar() || type.is_vector()) && is_complex(type.dtype());
    for (unsigned i = 0, count = components_of(type); i < count; ++i) {
      llvm::Value* part = value[component++].value;
      if (is_complex_type) {
        put(builder_.CreateExtractValue(part, 0));
        put(builder_.CreateExtractValue(part, 1));
      } else {
        put(part);
      }
    }
  }

  void put(llvm::Value* value) {
    const ir::Slot& slot = layout_.slots.at(next_++);
    if (slot.type.is_scalar())
      value = to_memory(builder_, slot.type.dtype(), value);
    builder_.CreateAlignedStore(
        value,
        builder_.CreateConstGEP1_64(builder_.getInt8Ty(), block_, slot.offset),
        llvm::Align(ir::alignment_of(slot.type)));
  }

  llvm::IRBuilderBase& builder_;
  llvm::Value* block_;
  ir::ParameterLayout layout_;
  std::size_t next_ = 0;
};

// The operation's operands after the first two, laid out for the body.
llvm::Value* parameter_block(
    Emitter& emitter, const ir::Function& body, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  std::vector<ir::Type> types;
  for (const auto& parameter : body.parameters) types.push_back(parameter->type);
  ir::ParameterLayout layout = ir::layout_parameters(types);
  llvm::AllocaInst* block =
      emitter.make_slot(llvm::ArrayType::get(builder.getInt8Ty(), layout.bytes), "parameters");
  block->setAlignment(llvm::Align(16));
  ParameterWriter writer(builder, block, std::move(layout));
  for (std::size_t i = 0; i < types.size(); ++i)
    writer.write(
        types[i], emitter.value_of(*operation.operands.at(ir::first_parallel_argument + i)));
  return block;
}

}  // namespace

void emit_parallel(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const ir::Function& body = *operation.callee;
  llvm::Function* code = declare_parallel_body(emitter.compilation(), body);
  llvm::Value* parameters = parameter_block(emitter, body, operation);
  auto* cost = new llvm::GlobalVariable(  // owned by the module
      emitter.compilation().module,
      builder.getFloatTy(),
      false,
      llvm::GlobalValue::InternalLinkage,
      llvm::ConstantFP::get(builder.getFloatTy(), 0.0),
      "cost");
  llvm::Type* pointer = builder.getPtrTy();
  llvm::Type* i64 = builder.getInt64Ty();
  auto* type = llvm::FunctionType::get(
      builder.getVoidTy(), {pointer, pointer, pointer, pointer, i64, i64}, false);
  llvm::CallInst* call = builder.CreateCall(
      type,
      load_service(emitter, offsetof(CpuServices, parallel)),
      {emitter.launch.launch,
       code,
       cost,
       parameters,
       emitter.scalar(*operation.operands[0]),
       emitter.scalar(*operation.operands[1])});
  call->setDoesNotThrow();
  leave_if_raised(emitter);
}

}  // namespace phalanx::codegen::cpu
