// Check mode: records accesses to memory that threads share, and tests a new one against them.
//
// Each granule of memory has a word for the last write and one for reads (base/cpu_kernel.h). An
// access looks at them and puts its own there: one scalar where a warp goes to one element, vectors
// where its elements follow each other, else gathers and scatters.
#include <cstddef>

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/cpu/access_tracker.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/warp_code.h"
#include "phalanx/codegen/llvm/emit_report.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

// The row of an address in the launch's list of arrays: the one with `bytes` 0 where there is none.
llvm::Function* find_shadowed(llvm::Module& module) {
  constexpr const char* name = "phalanx_find_shadowed";
  if (llvm::Function* known = module.getFunction(name))
    return known;
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type* pointer = builder.getPtrTy();
  llvm::Type* i64 = builder.getInt64Ty();
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(pointer, {pointer, i64}, false),
      llvm::GlobalValue::InternalLinkage,
      name,
      module);
  function->setDoesNotThrow();
  const auto block = [&](const char* of) {
    return llvm::BasicBlock::Create(context, of, function);
  };
  llvm::BasicBlock* entry = block("entry");
  llvm::BasicBlock* look = block("look");
  llvm::BasicBlock* next = block("next");
  llvm::BasicBlock* found = block("found");
  builder.SetInsertPoint(entry);
  const auto field = [&](llvm::Type* type, llvm::Value* base, std::size_t offset) {
    return builder.CreateLoad(type, builder.CreateConstGEP1_64(builder.getInt8Ty(), base, offset));
  };
  llvm::Value* rows = field(pointer, function->getArg(0), offsetof(CpuLaunch, shadowed));
  llvm::Value* count = field(i64, function->getArg(0), offsetof(CpuLaunch, shadowed_count));
  llvm::Value* end = builder.CreateGEP(
      builder.getInt8Ty(), rows, builder.CreateMul(count, builder.getInt64(sizeof(ShadowedArray))));
  builder.CreateBr(look);
  builder.SetInsertPoint(look);
  llvm::PHINode* index = builder.CreatePHI(i64, 2);
  index->addIncoming(builder.getInt64(0), entry);
  llvm::Value* row = builder.CreateGEP(
      builder.getInt8Ty(), rows, builder.CreateMul(index, builder.getInt64(sizeof(ShadowedArray))));
  llvm::Value* offset =
      builder.CreateSub(function->getArg(1), field(i64, row, offsetof(ShadowedArray, address)));
  llvm::Value* bytes = field(i64, row, offsetof(ShadowedArray, bytes));
  builder.CreateCondBr(builder.CreateICmpULT(offset, bytes), found, next);
  builder.SetInsertPoint(next);
  llvm::Value* following = builder.CreateAdd(index, builder.getInt64(1));
  index->addIncoming(following, next);
  // One more row than is counted ends the list: its `bytes` is 0.
  builder.CreateCondBr(builder.CreateICmpULT(following, count), look, found);
  builder.SetInsertPoint(found);
  llvm::PHINode* result = builder.CreatePHI(pointer, 2);
  result->addIncoming(row, look);
  result->addIncoming(end, next);
  builder.CreateRet(result);
  return function;
}

}  // namespace

void AccessTracker::locate_shared(TrackedAccess& access) {
  access.word = builder_.getInt32Ty();
  access.granule = compilation_.shadow.shared_granule;
  access.origin = builder_.CreatePtrToInt(emitter_.launch.scratch, builder_.getInt64Ty());
  access.bytes = emitter_.launch.shared_bytes;
  access.written = emitter_.launch.shared_writes;
  access.read = emitter_.launch.shared_reads;
}

void AccessTracker::locate_global(TrackedAccess& access, const Component& pointer) {
  access.word = builder_.getInt64Ty();
  access.granule = compilation_.shadow.global_granule;
  const Operation& element = *access.operation.operands[0];
  const ir::Function& function = shapes_.nesting().function();
  std::optional<std::size_t> array;
  if (&function == &compilation_.kernel)
    array = shadowed_array(compilation_.shadow, function, element);
  llvm::Type* pointer_type = builder_.getPtrTy();
  const auto field = [&](llvm::Type* type, llvm::Value* base, std::size_t offset) {
    llvm::LoadInst* load =
        builder_.CreateLoad(type, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, offset));
    load->setMetadata(
        llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder_.getContext(), {}));
    return load;
  };
  llvm::Value* row = nullptr;
  if (array) {
    llvm::Value* rows = field(pointer_type, emitter_.launch.launch, offsetof(CpuLaunch, shadowed));
    row = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), rows, *array * sizeof(ShadowedArray));
  } else {
    llvm::Value* one = pointer.value;
    if (one->getType()->isVectorTy())
      one = emitter_.lane_of(one, emitter_.first_lane());
    row = builder_.CreateCall(
        find_shadowed(compilation_.module),
        {emitter_.launch.launch, builder_.CreatePtrToInt(one, builder_.getInt64Ty())});
  }
  access.origin = field(builder_.getInt64Ty(), row, offsetof(ShadowedArray, address));
  access.bytes = field(builder_.getInt64Ty(), row, offsetof(ShadowedArray, bytes));
  llvm::Value* zero = builder_.getInt64(0);
  llvm::Value* base = shadow_field(offsetof(ShadowState, global), builder_.getInt64Ty());
  access.bytes = builder_.CreateSelect(builder_.CreateICmpEQ(base, zero), zero, access.bytes);
  access.written = field(pointer_type, row, offsetof(ShadowedArray, writes));
  access.read = field(pointer_type, row, offsetof(ShadowedArray, reads));
}

void AccessTracker::check_barrier(const Operation& barrier, llvm::AllocaInst* passed) {
  llvm::Type* i32 = builder_.getInt32Ty();
  llvm::Type* type = passed->getAllocatedType();
  const auto same = [&](llvm::Value* number) {
    return emitter_.lanes() > 1 ? splat(builder_, number, emitter_.lanes()) : number;
  };
  llvm::Value* round = shadow_field(offsetof(ShadowState, barriers), i32);
  llvm::Value* here = shadow_field(offsetof(ShadowState, barrier_site), i32);
  llvm::Value* own = builder_.getInt32(emitter_.reporter().site_number(barrier));
  llvm::Value* no_thread = builder_.getInt32(0);
  llvm::Value* is_elsewhere =
      builder_.CreateAnd(builder_.CreateICmpNE(here, no_thread), builder_.CreateICmpNE(here, own));
  builder_.CreateStore(
      own,
      builder_.CreateConstGEP1_64(
          builder_.getInt8Ty(), emitter_.launch.shadow, offsetof(ShadowState, barrier_site)));
  llvm::Value* count = builder_.CreateLoad(type, passed);
  llvm::Value* skipped = builder_.CreateICmpNE(count, same(round));
  llvm::Value* next = builder_.CreateAdd(count, same(builder_.getInt32(1)));
  llvm::Value* bad = builder_.CreateOr(skipped, same(is_elsewhere));
  if (emitter_.lanes() > 1) {
    next = builder_.CreateSelect(emitter_.mask_or_all(), next, count);
    bad = emitter_.merged(emitter_.mask(), bad);
  }
  builder_.CreateStore(next, passed);
  llvm::BasicBlock* fault = emitter_.new_block("fault");
  llvm::BasicBlock* end = emitter_.new_block("checked");
  emitter_.branch_rarely(emitter_.lanes() > 1 ? emitter_.any(bad) : bad, fault, end);
  builder_.SetInsertPoint(fault);
  emitter_.reporter().report_lanes(barrier, emitter_.lanes() > 1 ? bad : builder_.getTrue(), {});
  emitter_.branch_to(end);
}

void AccessTracker::track(const Operation& operation) {
  const Address address = emitter_.memory().address_of(*operation.operands[0]);
  if (!address.speculative)
    return track_at(operation, address.pointer);
  llvm::BasicBlock* affine = emitter_.new_block("track.affine");
  llvm::BasicBlock* scattered = emitter_.new_block("track.scattered");
  llvm::BasicBlock* end = emitter_.new_block("tracked");
  builder_.CreateCondBr(address.speculative->holds, affine, scattered);
  builder_.SetInsertPoint(affine);
  track_at(operation, address.speculative->value);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(scattered);
  track_at(operation, address.pointer);
  emitter_.branch_to(end);
}

void AccessTracker::track_at(const Operation& operation, const Component& pointer) {
  TrackedAccess access{.operation = operation, .pointer = pointer};
  const Report& report = std::get<Report>(operation.detail);
  access.is_shared = operation.operands[0]->type.space() == ir::Space::shared;
  access.is_content_only = report.check == Check::uninitialized;
  access.reads = report.verb != Verb::write;
  access.writes = report.verb != Verb::read;
  if (access.is_shared)
    locate_shared(access);
  else
    locate_global(access, pointer);
  const bool is_one = pointer.shape.is_uniform() || emitter_.lanes() == 1;
  const bool is_contiguous = !is_one && pointer.shape.uniformity == Uniformity::affine &&
                             pointer.shape.stride == std::int64_t{1} << access.granule;
  llvm::Value* address = is_one || is_contiguous ? pointer.value : emitter_.vector_of(pointer);
  const auto same = [&](llvm::Value* value) {
    return is_one || is_contiguous ? value : splat(builder_, value, emitter_.lanes());
  };
  llvm::Type* i64 = builder_.getInt64Ty();
  llvm::Type* number =
      is_one || is_contiguous ? i64 : llvm::FixedVectorType::get(i64, emitter_.lanes());
  llvm::Value* offset =
      builder_.CreateSub(builder_.CreatePtrToInt(address, number), same(access.origin));
  // Addresses outside have no words: the sink buffer, arrays that no thread writes.
  llvm::Value* within = is_surely_inside(access)
                            ? same(builder_.getTrue())
                            : builder_.CreateICmpULT(offset, same(access.bytes));
  llvm::Value* mask =
      is_one || is_contiguous ? emitter_.mask() : emitter_.merged(emitter_.mask(), within);
  llvm::BasicBlock* inside = emitter_.new_block("track");
  llvm::BasicBlock* end = emitter_.new_block("tracked");
  builder_.CreateCondBr(is_one || is_contiguous ? within : emitter_.any(mask), inside, end);
  builder_.SetInsertPoint(inside);
  llvm::Value* index = builder_.CreateLShr(offset, llvm::ConstantInt::get(number, access.granule));
  llvm::Value* written = builder_.CreateGEP(access.word, access.written, index);
  llvm::Value* read = builder_.CreateGEP(access.word, access.read, index);
  if (is_contiguous && !access.is_shared) {
    prefetch_words(written);
    prefetch_words(read);
  }
  ShadowWords words(
      builder_,
      {.word = access.word,
       .written = written,
       .read = read,
       .lanes = is_one ? 0 : emitter_.lanes(),
       .mask = is_one ? nullptr : mask,
       .is_scattered = !is_one && !is_contiguous});
  if (access.is_content_only)
    track_content(access, words);
  else
    track_race(access, words);
  emitter_.branch_to(end);
}

// Those after the warp's own, where the next block along x goes. The words of the rows of a tile
// lie too far apart for the hardware to see it coming, and the code for one row is too long for the
// loads of the next to begin meanwhile.
void AccessTracker::prefetch_words(llvm::Value* own) {
  constexpr unsigned cache_line = 64;
  const unsigned bytes = emitter_.lanes() * sizeof(std::uint64_t);
  for (unsigned offset = bytes; offset < 2 * bytes; offset += cache_line) {
    llvm::Value* address = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), own, offset);
    builder_.CreateIntrinsic(
        llvm::Intrinsic::prefetch,
        {address->getType()},
        {address, builder_.getInt32(1), builder_.getInt32(3), builder_.getInt32(1)});
  }
}

// Elements that bounds checks found no need to look at.
bool AccessTracker::is_surely_inside(const TrackedAccess& access) const {
  return access.is_shared && compilation_.options.checks.has(Check::bounds) &&
         access.operation.operands[0]->op == Op::array_element;
}

// The number of each lane's thread in the block, and whether several lanes are meant by one.
AccessingThread AccessTracker::accessing_thread(const ShadowWords& words) {
  if (!words.is_vector())
    return warp_as_thread(words.type());
  AccessingThread thread;
  llvm::Value* first = builder_.CreateMul(emitter_.warp.index, builder_.getInt32(emitter_.lanes()));
  llvm::Value* number = builder_.CreateAdd(
      splat(builder_, first, emitter_.lanes()), lane_numbers(builder_, emitter_.lanes()));
  thread.number = builder_.CreateZExt(number, words.type());
  return thread;
}

// The first thread that runs is recorded for all of them.
AccessingThread AccessTracker::warp_as_thread(llvm::Type* word) {
  AccessingThread thread;
  llvm::Value* first = builder_.CreateMul(emitter_.warp.index, builder_.getInt32(emitter_.lanes()));
  thread.number = builder_.CreateZExt(builder_.CreateAdd(first, emitter_.first_lane()), word);
  if (emitter_.lanes() == 1 || compilation_.shadow.has_warp_barriers)
    return thread;  // alone, or they take care of each other
  thread.is_several = builder_.getTrue();
  if (emitter_.mask() != nullptr) {
    llvm::Value* bits = emitter_.mask_bits(emitter_.mask());
    llvm::Value* one = llvm::ConstantInt::get(bits->getType(), 1);
    llvm::Value* rest = builder_.CreateAnd(bits, builder_.CreateSub(bits, one));
    thread.is_several = builder_.CreateICmpNE(rest, llvm::Constant::getNullValue(bits->getType()));
  }
  return thread;
}

llvm::Value* AccessTracker::load_shadow_field(std::size_t offset, llvm::Type* type) {
  return builder_.CreateLoad(
      type, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), emitter_.launch.shadow, offset));
}

llvm::Value* AccessTracker::shadow_field(std::size_t offset, llvm::Type* type) {
  const auto held = interval_.find(offset);
  return held == interval_.end() ? load_shadow_field(offset, type) : held->second;
}

void AccessTracker::hold_interval() {
  if (!compilation_.shadow.has_shadow)
    return;
  for (const std::size_t offset :
       {offsetof(ShadowState, shared), offsetof(ShadowState, shared_start)})
    interval_[offset] = load_shadow_field(offset, builder_.getInt32Ty());
  constexpr std::size_t global = offsetof(ShadowState, global);
  interval_[global] = load_shadow_field(global, builder_.getInt64Ty());
}

// Elements of shared memory whose last write is older than the block.
void AccessTracker::track_content(const TrackedAccess& access, ShadowWords& words) {
  llvm::Type* i32 = builder_.getInt32Ty();
  if (access.reads) {
    llvm::Value* start = words.same(shadow_field(offsetof(ShadowState, shared_start), i32));
    llvm::Value* bad =
        words.only_active(builder_.CreateICmpULT(words.load(ShadowWords::Kind::written), start));
    report_access(access, words, bad, {});
  }
  // Race detection records the writing thread, too.
  if (!access.writes || compilation_.options.checks.has(Check::races))
    return;
  const AccessingThread thread = accessing_thread(words);
  llvm::Value* base = words.same(shadow_field(offsetof(ShadowState, shared), i32));
  words.store(ShadowWords::Kind::written, builder_.CreateOr(base, thread.number));
}

RaceRules AccessTracker::race_rules(
    const TrackedAccess& access, const ShadowWords& words, const AccessingThread& thread) {
  llvm::Value* base = access.is_shared
                          ? shadow_field(offsetof(ShadowState, shared), builder_.getInt32Ty())
                          : shadow_field(offsetof(ShadowState, global), builder_.getInt64Ty());
  RaceRules rules(
      builder_,
      words,
      {.base = words.same(base),
       .is_shared = access.is_shared,
       .thread_mask = compilation_.shadow.has_warp_barriers ? 0x3e0U : shadow::thread_mask,
       .looks_at_blocks = !compilation_.shadow.has_fences,
       .thread = thread});
  if (!access.is_shared) {
    llvm::Value* first = builder_.CreateLoad(
        builder_.getInt64Ty(),
        builder_.CreateConstGEP1_64(
            builder_.getInt8Ty(), emitter_.launch.launch, offsetof(CpuLaunch, first_epoch)));
    rules.set_first(words.same(builder_.CreateShl(first, shadow::epoch_shift)));
  }
  return rules;
}

// The access's word.
llvm::Value* AccessTracker::own_word(const TrackedAccess& access, const RaceRules& rules) {
  const std::uint32_t site = emitter_.reporter().site_number(access.operation);
  std::uint64_t bits = 0;
  if (site <= shadow::most_sites)
    bits = std::uint64_t{site} << shadow::site_shift;
  if (access.reads && access.writes)
    bits |= shadow::atomic;
  return rules.own(bits);
}

void AccessTracker::track_race(const TrackedAccess& access, ShadowWords& words) {
  const RaceRules rules = race_rules(access, words, accessing_thread(words));
  llvm::Value* own = own_word(access, rules);
  if (access.writes)
    track_write(access, words, rules, own);
  else
    track_read(access, words, rules, own);
}

// Also what reads and writes at once.
void AccessTracker::track_write(
    const TrackedAccess& access, ShadowWords& words, const RaceRules& rules, llvm::Value* own) {
  llvm::Value* written = words.load(ShadowWords::Kind::written);
  llvm::Value* read = words.load(ShadowWords::Kind::read);
  llvm::Value* by_write = rules.clashes(written);
  if (access.reads)
    by_write = builder_.CreateAnd(by_write, words.lacks(written, shadow::atomic));
  llvm::Value* bad = words.only_active(builder_.CreateOr(by_write, rules.clashes(read)));
  llvm::Value* other = builder_.CreateSelect(by_write, written, read);
  if (access.reads) {
    report_access(access, words, bad, {other, own});
    llvm::Value* merged = rules.merged(written, own);
    words.store(ShadowWords::Kind::written, merged);
    return merge_same_address(words, merged, ShadowWords::Kind::written);
  }
  report_write(access, words, bad, {other, own}, rules.thread().is_several);
  words.store(ShadowWords::Kind::written, own);
  if (words.is_scattered())
    report_same_address(access, words, own);
}

void AccessTracker::track_read(
    const TrackedAccess& access, ShadowWords& words, const RaceRules& rules, llvm::Value* own) {
  llvm::Value* written = words.load(ShadowWords::Kind::written);
  llvm::Value* read = words.load(ShadowWords::Kind::read);
  llvm::BasicBlock* end = emitter_.new_block("track.known");
  // What many threads read says so after two of them, and stays as it is.
  if (access.is_shared && words.is_vector()) {
    llvm::BasicBlock* look = emitter_.new_block("track.look");
    llvm::Value* is_news = builder_.CreateNot(rules.is_known_as_read(written, read));
    builder_.CreateCondBr(emitter_.any(words.only_active(is_news)), look, end);
    builder_.SetInsertPoint(look);
  }
  report_access(access, words, words.only_active(rules.clashes(written)), {written, own});
  llvm::Value* merged = rules.merged(read, own);
  words.store(ShadowWords::Kind::read, merged);
  merge_same_address(words, merged, ShadowWords::Kind::read);
  emitter_.branch_to(end);
}

// Only writes that change the element: a write of the value that is there already does no harm.
void AccessTracker::report_write(
    const TrackedAccess& access,
    const ShadowWords& words,
    llvm::Value* bad,
    llvm::ArrayRef<llvm::Value*> reported,
    llvm::Value* is_several) {
  const Operation& operation = access.operation;
  const ir::Type& type = operation.operands[1]->type;
  const Component value = emitter_.value_of(*operation.operands[1])[0];
  // Several threads that write different values to one element clash by themselves.
  const bool is_mixed = !words.is_vector() && is_several != nullptr && !value.shape.is_uniform();
  llvm::Value* suspicious = is_mixed ? builder_.CreateOr(bad, is_several) : bad;
  if (!type.is_scalar() || is_complex(type.dtype()))
    return report_access(access, words, suspicious, reported);
  llvm::BasicBlock* look = emitter_.new_block("track.look");
  llvm::BasicBlock* end = emitter_.new_block("track.looked");
  emitter_.branch_rarely(words.is_vector() ? emitter_.any(suspicious) : suspicious, look, end);
  builder_.SetInsertPoint(look);
  const ir::Space space = operation.operands[0]->type.space();
  const Component old = emitter_.memory().emit_load({access.pointer, space, std::nullopt}, type)[0];
  const bool is_vector = words.is_vector() || is_mixed;
  const auto bits = [&](const Component& number) {
    llvm::Value* one = is_vector ? emitter_.vector_of(number) : number.value;
    if (!is_vector && one->getType()->isVectorTy())
      one = emitter_.lane_of(one, emitter_.first_lane());
    llvm::Value* raw = to_memory(builder_, type.dtype(), one);
    llvm::Type* wide = builder_.getIntNTy(raw->getType()->getScalarSizeInBits());
    if (is_vector)
      wide = llvm::FixedVectorType::get(wide, emitter_.lanes());
    return builder_.CreateBitCast(raw, wide);
  };
  llvm::Value* changes = builder_.CreateICmpNE(bits(value), bits(old));
  if (is_mixed) {
    llvm::Value* own = bits(value);
    llvm::Value* first =
        splat(builder_, emitter_.lane_of(own, emitter_.first_lane()), emitter_.lanes());
    llvm::Value* mixed =
        emitter_.any(emitter_.merged(emitter_.mask(), builder_.CreateICmpNE(own, first)));
    changes =
        builder_.CreateSelect(bad, emitter_.any(emitter_.merged(emitter_.mask(), changes)), mixed);
  }
  report_access(access, words, builder_.CreateAnd(suspicious, changes), reported);
  emitter_.branch_to(end);
}

// Lanes of one access that go to the same element: the last one's word is there, which does not
// tell of the others.
void AccessTracker::merge_same_address(
    ShadowWords& words, llvm::Value* stored, ShadowWords::Kind kind) {
  if (!words.is_scattered())
    return;
  llvm::Value* now = words.load(kind);
  llvm::Value* lost = words.only_active(builder_.CreateICmpNE(now, stored));
  llvm::BasicBlock* join = emitter_.new_block("track.join");
  llvm::BasicBlock* end = emitter_.new_block("track.merged");
  emitter_.branch_rarely(emitter_.any(lost), join, end);
  builder_.SetInsertPoint(join);
  words.store(
      kind, builder_.CreateSelect(lost, words.or_number(now, shadow::several_threads), now));
  emitter_.branch_to(end);
}

// Lanes of one store that go to the same element: the last one's word is there.
void AccessTracker::report_same_address(
    const TrackedAccess& access, ShadowWords& words, llvm::Value* own) {
  llvm::Value* now = words.load(ShadowWords::Kind::written);
  llvm::Value* bad = words.only_active(builder_.CreateICmpNE(now, own));
  report_access(access, words, bad, {now, own});
}

// `bad`: i1, or a mask. Two words, if there are any: the other's and this access's.
void AccessTracker::report_access(
    const TrackedAccess& access,
    const ShadowWords& words,
    llvm::Value* bad,
    llvm::ArrayRef<llvm::Value*> reported) {
  llvm::BasicBlock* fault = emitter_.new_block("fault");
  llvm::BasicBlock* end = emitter_.new_block("checked");
  emitter_.branch_rarely(words.is_vector() ? emitter_.any(bad) : bad, fault, end);
  builder_.SetInsertPoint(fault);
  const Uniformity uniformity = words.is_vector() ? Uniformity::varying : Uniformity::warp;
  llvm::SmallVector<Component, 8> values;
  for (llvm::Value* word : reported) {
    // Words of shared memory count intervals, not blocks.
    if (access.is_shared)
      word = words.and_number(word, (std::uint64_t{1} << shadow::interval_shift) - 1);
    llvm::Type* wide = builder_.getInt64Ty();
    if (words.is_vector())
      wide = llvm::FixedVectorType::get(wide, emitter_.lanes());
    values.push_back({Shape::of(uniformity), builder_.CreateZExt(word, wide)});
  }
  for (std::size_t i = first_index(access.operation); i < access.operation.operands.size(); ++i)
    values.push_back(emitter_.value_of(*access.operation.operands[i])[0]);
  if (row_position_ != nullptr)
    values.back().value = row_position_;
  emitter_.reporter().report_lanes(
      access.operation, words.is_vector() ? bad : builder_.getTrue(), values);
  emitter_.branch_to(end);
}

}  // namespace phalanx::codegen::cpu
