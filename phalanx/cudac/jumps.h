// Where `break` and `continue` lead: the IR counts the loops and blocks between a jump and its
// target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "phalanx/ir/builder.h"

namespace phalanx::cudac {

class Jumps {
 public:
  // By how many loops and blocks are around the targets.
  struct Targets {
    std::int64_t break_level;
    std::int64_t continue_level;  // -1 for a switch, which has none
    bool continues_by_break;      // `continue` leaves a block around the body
  };

  std::int64_t level() const { return level_; }
  void enter() { ++level_; }
  void exit() { --level_; }
  // From here on, until the end that belongs to it.
  void begin(const Targets& targets) { targets_.push_back(targets); }
  void end() { targets_.pop_back(); }

  void break_from(ir::Builder& builder) const {
    builder.break_(level_ - targets_.back().break_level - 1);
  }
  void continue_in(ir::Builder& builder) const {
    for (std::size_t i = targets_.size(); i > 0; --i) {
      const Targets& each = targets_[i - 1];
      if (each.continue_level < 0)
        continue;
      const std::int64_t levels = level_ - each.continue_level - 1;
      if (each.continues_by_break)
        builder.break_(levels);
      else
        builder.continue_(levels);
      return;
    }
  }

 private:
  std::int64_t level_ = 0;
  std::vector<Targets> targets_;
};

}  // namespace phalanx::cudac
