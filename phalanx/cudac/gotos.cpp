// A jump forward leaves a block that ends before the label; a jump back continues a loop that
// begins at the label, which is left at its end.
#include "phalanx/cudac/gotos.h"

#include <algorithm>
#include <unordered_map>

namespace phalanx::cudac {

namespace {

// The jumps to a label, by the statements of the compound statement that they are in.
struct Jumped {
  std::optional<std::size_t> label;
  std::vector<std::size_t> from;
  const clang::GotoStmt* first = nullptr;
};

using Labels = std::unordered_map<const clang::LabelDecl*, Jumped>;

void find_jumps(const clang::Stmt* statement, std::size_t position, Labels& labels) {
  if (statement == nullptr)
    return;
  if (const auto* jump = llvm::dyn_cast<clang::GotoStmt>(statement)) {
    Jumped& target = labels[jump->getLabel()];
    if (target.from.empty())
      target.first = jump;
    target.from.push_back(position);
  }
  for (const clang::Stmt* child : statement->children()) find_jumps(child, position, labels);
}

class Planner {
 public:
  explicit Planner(const std::vector<const clang::Stmt*>& statements) {
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const clang::Stmt* inner = statements[i];
      while (const auto* label = llvm::dyn_cast<clang::LabelStmt>(inner)) {
        labels_[label->getDecl()].label = i;
        order_.push_back(label->getDecl());
        inner = label->getSubStmt();
      }
    }
    if (order_.empty())
      return;
    for (std::size_t i = 0; i < statements.size(); ++i) find_jumps(statements[i], i, labels_);
    make_ranges(statements.size());
    nest();
  }

  GotoPlan take() {
    std::ranges::stable_sort(plan_.ranges, [](const GotoRange& a, const GotoRange& b) {
      return a.last - a.first > b.last - b.first;
    });
    return std::move(plan_);
  }

 private:
  void make_ranges(std::size_t end) {
    for (const clang::LabelDecl* each : order_) {
      const Jumped& jumped = labels_.at(each);
      const std::size_t at = *jumped.label;
      if (jumped.from.empty())
        continue;
      // A loop goes to the end: what is declared in it may be used up to there.
      if (jumped.from.back() >= at)
        plan_.ranges.push_back({each, at, end, true});
      if (jumped.from.front() < at)
        plan_.ranges.push_back({each, jumped.from.front(), at, false});
    }
  }

  // Ranges overlap only where one is within the other.
  void nest() {
    bool has_changed = true;
    while (has_changed && plan_.impossible == nullptr) {
      has_changed = false;
      for (GotoRange& a : plan_.ranges) {
        for (GotoRange& b : plan_.ranges) {
          if (a.first < b.first && b.first < a.last && a.last < b.last)
            has_changed |= part(a, b);
        }
      }
    }
  }

  // `a` begins first, and ends within `b`. C++ lets no jump pass over a variable that is
  // initialised, so that both may change so far. True if one did.
  bool part(GotoRange& a, GotoRange& b) {
    if (!b.is_loop) {
      b.first = a.first;
      return true;
    }
    if (labels_.at(b.label).from.back() < a.last) {
      b.last = a.last;
      return true;
    }
    if (a.is_loop) {
      a.last = b.last;
      return true;
    }
    plan_.impossible = labels_.at(a.label).first;
    return false;
  }

  Labels labels_;
  std::vector<const clang::LabelDecl*> order_;
  GotoPlan plan_;
};

}  // namespace

GotoPlan plan_gotos(const std::vector<const clang::Stmt*>& statements) {
  return Planner(statements).take();
}

}  // namespace phalanx::cudac
