#include "phalanx/codegen/cpu/shared_windows.h"

#include <algorithm>
#include <optional>

#include <llvm/ADT/SmallSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/GVN.h>

#include "phalanx/codegen/cpu/alias_scopes.h"
#include "phalanx/codegen/cpu/lane_addresses.h"

namespace phalanx::codegen::cpu {

namespace {

constexpr std::int64_t most_vectors = 4;  // of a window

// Where each lane's element lies in the vectors that hold them all.
struct Window {
  llvm::FixedVectorType* vector = nullptr;
  llvm::SmallVector<llvm::Value*, 4> pointers;  // of each vector
  llvm::SmallVector<unsigned, 32> elements;     // of each lane, counted from the first vector's

  unsigned lanes() const { return static_cast<unsigned>(elements.size()); }
};

std::int64_t floored(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

std::optional<Window> window_of(
    llvm::IRBuilderBase& builder,
    llvm::Value& pointers,
    llvm::FixedVectorType& type,
    const llvm::DataLayout& layout) {
  const std::optional<LaneAddresses> addresses = lane_addresses(pointers, layout);
  if (!addresses)
    return std::nullopt;
  const auto size = static_cast<std::int64_t>(layout.getTypeStoreSize(type.getElementType()));
  const std::int64_t reach = size * std::int64_t{type.getNumElements()};
  const auto [least, most] = std::ranges::minmax(addresses->bytes);
  const std::int64_t odd = least - floored(least, size);
  const std::int64_t start = floored(least - odd, reach) + odd;
  const std::int64_t vectors = (most - start) / reach + 1;
  if (vectors > most_vectors)
    return std::nullopt;
  Window window;
  window.vector = &type;
  for (const std::int64_t bytes : addresses->bytes) {
    if ((bytes - start) % size != 0)
      return std::nullopt;
    window.elements.push_back(static_cast<unsigned>((bytes - start) / size));
  }
  llvm::Value* base = addresses->pointer(builder);
  for (std::int64_t i = 0; i < vectors; ++i)
    window.pointers.push_back(builder.CreateGEP(
        builder.getInt8Ty(),
        base,
        builder.getInt64(static_cast<std::uint64_t>(start + i * reach))));
  return window;
}

llvm::SmallVector<llvm::Value*, 4> load_vectors(
    llvm::IRBuilderBase& builder, const Window& window, llvm::Align alignment) {
  llvm::SmallVector<llvm::Value*, 4> vectors;
  for (llvm::Value* pointer : window.pointers)
    vectors.push_back(builder.CreateAlignedLoad(window.vector, pointer, alignment));
  return vectors;
}

// Elements of two of a window's vectors, from the one of that number on.
llvm::Value* pick_of_two(
    llvm::IRBuilderBase& builder,
    llvm::ArrayRef<llvm::Value*> vectors,
    unsigned first,
    llvm::ArrayRef<int> picks) {
  llvm::Value* second = first + 1 < vectors.size() ? vectors[first + 1] : vectors[first];
  return builder.CreateShuffleVector(vectors[first], second, picks);
}

// True if the first half of the lanes lies in the first two vectors, the second half in the others,
// and all at even elements or all at odd ones.
bool has_neighbours(const Window& window) {
  const unsigned lanes = window.lanes();
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned element = window.elements[lane];
    if ((element < 2 * lanes) != (lane < lanes / 2) || (element ^ window.elements[0]) % 2 != 0)
      return false;
  }
  return true;
}

// Each shuffle of two vectors picks the lanes' elements and the odd or even ones beside them, which
// often are another access's, and that one's first shuffles: 8 shuffles for tile[4 * t + i] with
// all four i, not 12.
llvm::Value* pick_with_neighbours(
    llvm::IRBuilderBase& builder, const Window& window, llvm::ArrayRef<llvm::Value*> vectors) {
  const unsigned half = window.lanes() / 2;
  llvm::Value* pairs[2];
  for (unsigned part = 0; part < 2; ++part) {
    llvm::SmallVector<int, 32> picks;
    for (const unsigned odd : {0U, 1U}) {
      for (unsigned i = 0; i < half; ++i) {
        const unsigned even = window.elements[part * half + i] & ~1U;
        picks.push_back(static_cast<int>((even | odd) - part * 4 * half));
      }
    }
    pairs[part] = pick_of_two(builder, vectors, 2 * part, picks);
  }
  llvm::SmallVector<int, 32> picks;
  for (unsigned lane = 0; lane < 2 * half; ++lane) {
    const unsigned own = lane % half + (window.elements[0] % 2) * half;
    picks.push_back(static_cast<int>(lane < half ? own : 2 * half + own));
  }
  return builder.CreateShuffleVector(pairs[0], pairs[1], picks);
}

// The lanes' elements out of two vectors, or of what was picked out of them before.
llvm::Value* pick(
    llvm::IRBuilderBase& builder, const Window& window, llvm::ArrayRef<llvm::Value*> vectors) {
  const unsigned lanes = window.lanes();
  if (vectors.size() > 2 && has_neighbours(window))
    return pick_with_neighbours(builder, window, vectors);
  llvm::SmallVector<llvm::Value*, 2> halves;
  for (unsigned first = 0; first < vectors.size(); first += 2) {
    llvm::SmallVector<int, 32> picks;
    for (const unsigned element : window.elements) {
      const bool is_here = element >= first * lanes && element < (first + 2) * lanes;
      picks.push_back(is_here ? static_cast<int>(element - first * lanes) : llvm::PoisonMaskElem);
    }
    halves.push_back(pick_of_two(builder, vectors, first, picks));
  }
  if (halves.size() == 1)
    return halves[0];
  llvm::SmallVector<int, 32> picks;
  for (unsigned lane = 0; lane < lanes; ++lane)
    picks.push_back(static_cast<int>(window.elements[lane] < 2 * lanes ? lane : lanes + lane));
  return builder.CreateShuffleVector(halves[0], halves[1], picks);
}

// The vector of that number with the lanes' values put in; the last lane wins.
llvm::Value* put(
    llvm::IRBuilderBase& builder,
    const Window& window,
    unsigned number,
    llvm::Value* old,
    llvm::Value* values) {
  const unsigned lanes = window.lanes();
  llvm::SmallVector<int, 32> picks;
  for (unsigned i = 0; i < lanes; ++i) picks.push_back(static_cast<int>(i));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (window.elements[lane] / lanes == number)
      picks[window.elements[lane] % lanes] = static_cast<int>(lanes + lane);
  }
  return builder.CreateShuffleVector(old, values, picks);
}

bool is_all(const llvm::Value* mask) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  return constant != nullptr && constant->isAllOnesValue();
}

bool are_distinct(llvm::ArrayRef<unsigned> elements) {
  llvm::SmallSet<unsigned, 32> seen;
  return std::ranges::all_of(elements, [&](unsigned each) { return seen.insert(each).second; });
}

llvm::Align alignment_of(const llvm::Value* argument) {
  return llvm::Align(llvm::cast<llvm::ConstantInt>(argument)->getZExtValue());
}

bool replace_gather(llvm::IntrinsicInst& gather, const llvm::DataLayout& layout) {
  llvm::IRBuilder<> builder(&gather);
  auto& type = *llvm::cast<llvm::FixedVectorType>(gather.getType());
  const auto window = window_of(builder, *gather.getArgOperand(0), type, layout);
  if (!window)
    return false;
  const auto vectors = load_vectors(builder, *window, alignment_of(gather.getArgOperand(1)));
  for (llvm::Value* each : vectors)
    llvm::cast<llvm::Instruction>(each)->setAAMetadata(gather.getAAMetadata());
  llvm::Value* picked = pick(builder, *window, vectors);
  if (!is_all(gather.getArgOperand(2)))
    picked = builder.CreateSelect(gather.getArgOperand(2), picked, gather.getArgOperand(3));
  gather.replaceAllUsesWith(picked);
  return true;
}

// One store for each lane: 17 cycles for 16 lanes a page's row apart, a scatter takes 25.
bool store_lanes(llvm::IntrinsicInst& scatter, const llvm::DataLayout& layout) {
  llvm::IRBuilder<> builder(&scatter);
  const auto addresses = lane_addresses(*scatter.getArgOperand(1), layout);
  if (!addresses)
    return false;
  llvm::Value* base = addresses->pointer(builder);
  const llvm::Align alignment = alignment_of(scatter.getArgOperand(2));
  for (unsigned lane = 0; lane < addresses->bytes.size(); ++lane) {
    llvm::Value* address = builder.CreateGEP(
        builder.getInt8Ty(),
        base,
        builder.getInt64(static_cast<std::uint64_t>(addresses->bytes[lane])));
    llvm::Value* value = builder.CreateExtractElement(scatter.getArgOperand(0), lane);
    builder.CreateAlignedStore(value, address, alignment)->setAAMetadata(scatter.getAAMetadata());
  }
  return true;
}

// Its accesses get no alias metadata: what lies between the lanes' elements may be anything.
bool replace_scatter(llvm::IntrinsicInst& scatter, const llvm::DataLayout& layout) {
  llvm::IRBuilder<> builder(&scatter);
  llvm::Value* values = scatter.getArgOperand(0);
  llvm::Value* mask = scatter.getArgOperand(3);
  const llvm::Align alignment = alignment_of(scatter.getArgOperand(2));
  auto& type = *llvm::cast<llvm::FixedVectorType>(values->getType());
  const auto window = window_of(builder, *scatter.getArgOperand(1), type, layout);
  if (!window)
    return is_all(mask) && store_lanes(scatter, layout);
  if (!is_all(mask) && !are_distinct(window->elements))
    return false;
  const auto vectors = load_vectors(builder, *window, alignment);
  if (!is_all(mask))
    values = builder.CreateSelect(mask, values, pick(builder, *window, vectors));
  for (unsigned i = 0; i < vectors.size(); ++i)
    builder.CreateAlignedStore(
        put(builder, *window, i, vectors[i], values), window->pointers[i], alignment);
  return true;
}

}  // namespace

llvm::PreservedAnalyses SharedWindows::run(
    llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  llvm::SmallVector<llvm::IntrinsicInst*, 8> replaced;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      auto* access = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (access == nullptr || !AliasScopes::is_shared(*access))
        continue;
      const llvm::Intrinsic::ID kind = access->getIntrinsicID();
      if ((kind == llvm::Intrinsic::masked_gather && replace_gather(*access, layout)) ||
          (kind == llvm::Intrinsic::masked_scatter && replace_scatter(*access, layout)))
        replaced.push_back(access);
    }
  }
  for (llvm::IntrinsicInst* access : replaced) access->eraseFromParent();
  if (replaced.empty())
    return llvm::PreservedAnalyses::all();
  // Windows that several accesses read are loaded once, and stored once.
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  analyses.invalidate(function, preserved);
  llvm::FunctionPassManager cleanup;
  cleanup.addPass(llvm::GVNPass());
  cleanup.addPass(llvm::InstCombinePass());
  cleanup.addPass(llvm::DSEPass());
  return cleanup.run(function, analyses);
}

void add_shared_windows(llvm::PassBuilder& passes) {
  passes.registerScalarOptimizerLateEPCallback(
      [](llvm::FunctionPassManager& functions, llvm::OptimizationLevel) {
        functions.addPass(SharedWindows());
      });
}

}  // namespace phalanx::codegen::cpu
