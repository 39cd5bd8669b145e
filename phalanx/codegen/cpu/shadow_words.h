// Check mode: shadow words with epochs (FastTrack: Flanagan and Freund, 2009), as LLVM values, and
// the rules for two of them.
#pragma once

#include <cstdint>

#include <llvm/IR/IRBuilder.h>

namespace phalanx::codegen::cpu {

// The words of the elements that one access of a warp goes to: one scalar, or one for each lane.
class ShadowWords {
 public:
  struct Pointers {
    llvm::IntegerType* word = nullptr;
    llvm::Value* written = nullptr;  // pointers to the words: one, or a vector of them
    llvm::Value* read = nullptr;
    unsigned lanes = 0;           // 0: a scalar
    llvm::Value* mask = nullptr;  // null: all lanes
    bool is_scattered = false;    // vectors of pointers
  };

  ShadowWords(llvm::IRBuilder<>& builder, const Pointers& pointers)
      : builder_(builder), at_(pointers) {}

  bool is_vector() const { return at_.lanes != 0; }
  bool is_scattered() const { return at_.is_scattered; }
  llvm::Type* type() const;
  llvm::Value* same(llvm::Value* scalar) const;  // of `type()`
  llvm::Value* number(std::uint64_t value) const;

  enum class Kind : std::uint8_t { written, read };
  llvm::Value* load(Kind kind);
  void store(Kind kind, llvm::Value* words);

  // i1, or a mask.
  llvm::Value* has(llvm::Value* words, std::uint64_t bits) const;
  llvm::Value* lacks(llvm::Value* words, std::uint64_t bits) const;
  llvm::Value* only_active(llvm::Value* condition) const;

  llvm::Value* and_number(llvm::Value* words, std::uint64_t bits) const;
  llvm::Value* or_number(llvm::Value* words, std::uint64_t bits) const;

 private:
  llvm::Value* pointer_to(Kind kind) const {
    return kind == Kind::written ? at_.written : at_.read;
  }

  llvm::IRBuilder<>& builder_;
  Pointers at_;
};

struct AccessingThread {
  llvm::Value* number = nullptr;      // of the words' type
  llvm::Value* is_several = nullptr;  // i1, scalar: other lanes do the same; null: no
};

// The happens-before test of race detectors: is an access ordered with the one that left a word,
// and which word do both leave?
class RaceRules {
 public:
  struct Facts {
    llvm::Value* base = nullptr;  // of the interval now, and of the block
    bool is_shared = false;
    std::uint32_t thread_mask = 0;
    bool looks_at_blocks = true;
    AccessingThread thread;
  };

  RaceRules(llvm::IRBuilder<>& builder, const ShadowWords& words, const Facts& facts)
      : builder_(builder), words_(words), facts_(facts) {}

  // The least word of this launch, where blocks are looked at.
  void set_first(llvm::Value* first) { first_ = first; }

  const AccessingThread& thread() const { return facts_.thread; }

  llvm::Value* own(std::uint64_t bits) const;     // the access's word
  llvm::Value* clashes(llvm::Value* word) const;  // i1, or a mask
  llvm::Value* merged(llvm::Value* word, llvm::Value* own) const;
  // Of shared memory: no thread has written since the barrier, and several have read, so that one
  // more makes no difference.
  llvm::Value* is_known_as_read(llvm::Value* written, llvm::Value* read) const;

 private:
  llvm::Value* differs(llvm::Value* word) const;
  llvm::Value* is_same_above(llvm::Value* word, unsigned shift) const;

  llvm::IRBuilder<>& builder_;
  const ShadowWords& words_;
  Facts facts_;
  llvm::Value* first_ = nullptr;
};

}  // namespace phalanx::codegen::cpu
