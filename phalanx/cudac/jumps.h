// Where `break`, `continue` and `goto` lead: the IR counts the loops and blocks between a jump and
// its target. Objects with destructors that are left on the way are counted too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <clang/AST/Decl.h>

#include "phalanx/cudac/objects.h"
#include "phalanx/ir/builder.h"

namespace phalanx::cudac {

class Jumps {
 public:
  explicit Jumps(FunctionConverter& converter) : objects_(converter) {}

  Objects& objects() { return objects_; }
  // How many statements are around this one.
  unsigned& depth() { return depth_; }

  // By how many loops and blocks are around the targets.
  struct Targets {
    std::int64_t break_level;
    std::int64_t continue_level;  // -1 for a switch, which has none
    bool continues_by_break;      // `continue` leaves a block around the body
    std::size_t objects = 0;      // that stay at `break`
    std::size_t continue_objects = objects;
  };
  // Of a label: the block that ends at it, or the loop that begins at it.
  struct Label {
    std::int64_t level;
    bool is_loop;
    std::size_t objects;
  };

  std::int64_t level() const { return level_; }
  void enter() { ++level_; }
  void exit() { --level_; }
  // From here on, until the end that belongs to it.
  void begin(const Targets& targets) { targets_.push_back(targets); }
  void end() { targets_.pop_back(); }

  const Targets& innermost() const { return targets_.back(); }
  const Targets& innermost_loop() const {
    std::size_t i = targets_.size() - 1;
    while (targets_[i].continue_level < 0) --i;
    return targets_[i];
  }

  void break_from(ir::Builder& builder) const {
    builder.break_(level_ - innermost().break_level - 1);
  }
  void continue_in(ir::Builder& builder) const {
    const Targets& loop = innermost_loop();
    const std::int64_t levels = level_ - loop.continue_level - 1;
    if (loop.continues_by_break)
      builder.break_(levels);
    else
      builder.continue_(levels);
  }

  void begin(const clang::LabelDecl& label, const Label& target) { labels_[&label] = target; }
  void end(const clang::LabelDecl& label) { labels_.erase(&label); }
  // nullptr where no block or loop of the label is around.
  const Label* find(const clang::LabelDecl& label) const {
    const auto found = labels_.find(&label);
    return found == labels_.end() ? nullptr : &found->second;
  }
  void go_to(ir::Builder& builder, const Label& target) const {
    const std::int64_t levels = level_ - target.level - 1;
    if (target.is_loop)
      builder.continue_(levels);
    else
      builder.break_(levels);
  }

 private:
  Objects objects_;
  unsigned depth_ = 0;
  std::int64_t level_ = 0;
  std::vector<Targets> targets_;
  std::unordered_map<const clang::LabelDecl*, Label> labels_;
};

}  // namespace phalanx::cudac
