// Between the copy and the last read nothing is written but shared memory, so that a read of the
// matrix finds what the copy found: other blocks' writes to it would have been a race before.
#include "phalanx/codegen/cpu/forwarded_tiles.h"

#include <algorithm>
#include <optional>

#include "phalanx/ir/idioms.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

class Finder {
 public:
  Finder(const FissionPlan& plan, const FunctionShapes& shapes, const CpuVariant& variant)
      : plan_(plan), shapes_(shapes), nesting_(shapes.nesting()), variant_(variant) {}

  std::vector<ForwardedTile> run() {
    if (variant_.shape != BlockShape::exact_rows || variant_.block[2] != 1)
      return {};
    ir::for_each(nesting_.function().body, [&](const Operation& operation) {
      for (const Operation* operand : operation.operands) uses_[operand].push_back(&operation);
    });
    find_in(plan_.steps);
    return std::move(found_);
  }

 private:
  void find_in(const std::vector<Step>& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (const auto& region : steps[i].regions) find_in(region);
      if (steps[i].kind != Step::Kind::warps || !writes_shared_only(steps[i]))
        continue;
      for_each_operation(steps[i], [&](const Operation& operation) {
        if (operation.op == Op::array_store && is_tile(*operation.operands[0]))
          add(*operation.operands[0], steps, i);
      });
    }
  }

  bool writes_shared_only(const Step& step) const {
    bool holds = true;
    for_each_operation(step, [&](const Operation& operation) {
      if (is_structured(operation.op) || !nesting_.at(operation).has_effect)
        return;
      holds = holds && operation.op == Op::array_store &&
              operation.operands[0]->type.space() == ir::Space::shared;
    });
    return holds;
  }

  bool is_tile(const Operation& array) const {
    return array.op == Op::shared_array && array.shape.size() == 2 &&
           array.shape[0] == variant_.block[1] && array.shape[1] == variant_.block[0] &&
           array.type.element().is_scalar() && !is_complex(array.type.element().dtype());
  }

  void add(const Operation& tile, const std::vector<Step>& steps, std::size_t at) {
    const bool is_known =
        std::ranges::any_of(found_, [&](const ForwardedTile& one) { return one.tile == &tile; });
    if (is_known || !are_reads_of_rows(tile, steps, at))
      return;
    std::optional<ForwardedTile> made = filled_by(tile, steps[at]);
    if (made)
      found_.push_back(*std::move(made));
  }

  // The segment's stores to the tile: the last is the copy. All others are of the same elements.
  std::optional<ForwardedTile> filled_by(const Operation& tile, const Step& step) const {
    ForwardedTile made = {.tile = &tile, .step = &step, .guards = {}, .stores = {}};
    const Operation* copy = nullptr;
    bool holds = true;
    for_each_operation(step, [&](const Operation& operation) {
      if (operation.op != Op::array_store || operation.operands[0] != &tile)
        return;
      holds = holds && ir::is_thread_index(*operation.operands[1], 1) &&
              ir::is_thread_index(*operation.operands[2], 0);
      made.stores.insert(&operation);
      copy = &operation;
    });
    const auto is_other = [](const Operation* use) { return use->op != Op::array_load; };
    const auto others = std::ranges::count_if(uses_.at(&tile), is_other);
    if (!holds || static_cast<std::size_t>(others) != made.stores.size())
      return std::nullopt;
    made.load = copy->operands[3];
    if (!is_row_of_matrix(*made.load, tile))
      return std::nullopt;
    const auto is_of_step = [&](const Operation* operation) {
      return std::ranges::find(step.operations, operation) != step.operations.end();
    };
    for (const Operation* outer = copy; !is_of_step(outer);) {
      outer = nesting_.at(*outer).parent;
      if (outer->op != Op::if_)
        return std::nullopt;
      made.guards.push_back(outer);
    }
    // A thread that a guard keeps from the copy must not find what the tile had before.
    if (!made.guards.empty() && std::ranges::none_of(made.stores, is_of_step))
      return std::nullopt;
    return made;
  }

  bool is_row_of_matrix(const Operation& load, const Operation& tile) const {
    if (load.op != Op::array_load)
      return false;
    const Operation& matrix = *load.operands[0];
    return matrix.op == Op::parameter && matrix.type.ndim() == 2 &&
           matrix.type.layout() == ir::Layout::c && matrix.type.element() == tile.type.element() &&
           is_in_part(*load.operands[1], 1) && is_in_part(*load.operands[2], 0);
  }

  // Reads of tile[k, threadIdx.x], the same row for all threads, in loops of the block that come
  // after the segment without a write in between.
  bool are_reads_of_rows(
      const Operation& tile, const std::vector<Step>& steps, std::size_t at) const {
    std::unordered_set<const Operation*> known;
    for (std::size_t i = at + 1; i < steps.size(); ++i) {
      const Step& step = steps[i];
      if (step.kind == Step::Kind::control) {
        if (!plan_.interchanged.contains(step.operations[0]))
          break;
        for (const ir::Region& region : step.operations[0]->regions)
          ir::for_each(region, [&](const Operation& inner) { known.insert(&inner); });
      } else if (step.kind == Step::Kind::warps && !writes_shared_only(step)) {
        break;
      }
    }
    return std::ranges::all_of(uses_.at(&tile), [&](const Operation* use) {
      if (use->op == Op::array_store)
        return use->operands[0] == &tile;
      return use->op == Op::array_load && known.contains(use) && is_block_wide(*use->operands[1]) &&
             ir::is_thread_index(*use->operands[2], 0);
    });
  }

  bool is_block_wide(const Operation& value) const {
    return shapes_.of(value, 0).uniformity == Uniformity::block;
  }

  bool is_in_part(const Operation& index, unsigned dimension) const {
    return ir::is_index_of_tile(
        index, dimension, [&](const Operation& first) { return is_block_wide(first); });
  }

  const FissionPlan& plan_;
  const FunctionShapes& shapes_;
  const Nesting& nesting_;
  const CpuVariant& variant_;
  std::unordered_map<const Operation*, std::vector<const Operation*>> uses_;
  std::vector<ForwardedTile> found_;
};

}  // namespace

std::vector<ForwardedTile> find_forwarded_tiles(
    const FissionPlan& plan, const FunctionShapes& shapes, const CpuVariant& variant) {
  return Finder(plan, shapes, variant).run();
}

}  // namespace phalanx::codegen::cpu
