// How an evaluation treats concatenations. One that is wanted itself is written part by part: what
// is below a part is in the part's kernel. One below an elementwise value cuts the value's space
// into regions: in each of them it is a view of one part.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "phalanx/arrays/evaluation.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/other_shapes.h"
#include "phalanx/arrays/regions.h"

namespace phalanx::arrays {
namespace {

views::DeviceArray box_of(
    jit::Engine& engine, const views::DeviceArray& array, const Region& region) {
  std::vector<Axis> axes;
  axes.reserve(region.start.size());
  for (std::size_t i = 0; i < region.start.size(); ++i) {
    axes.push_back(
        {.dimension = static_cast<std::int32_t>(i), .start = region.start[i], .step = 1});
  }
  return view_of(engine, array, region.extents, axes);
}

void write_parts(
    Executor& executor,
    const Concatenation& concatenation,
    const views::DeviceArray& target,
    Reason why) {
  for (const Part& part : concatenation.parts) {
    if (part.value->size() == 0)
      continue;
    const Region region = {.start = part.start, .extents = *part.value->shape};
    Evaluation(executor, why).write(part.value, box_of(executor.engine(), target, region));
    why = Reason::part;
  }
}

// The order of the largest region's loops.
Order order_of_largest(const std::vector<RegionProgram>& regions) {
  const auto count = [](const RegionProgram& each) { return element_count(each.region.extents); };
  const Program& largest = std::ranges::max_element(regions, {}, count)->program;
  return order_of(largest.space, largest.accesses);
}

void launch(
    Executor& executor,
    std::vector<RegionProgram> regions,
    const views::DeviceArray& target,
    Reason why) {
  for (RegionProgram& each : regions) {
    const views::DeviceArray box = box_of(executor.engine(), target, each.region);
    const Order order = order_of(each.program.space, each.program.accesses);
    executor.elementwise(each.program, order, {&box, 1}, why);
    each.program = {};  // what only it uses can be freed
    why = Reason::part;
  }
}

}  // namespace

// Settles what is below a concatenation that is in the kernels.
void Evaluation::settle_parts(const NodePtr& node, bool is_viewed, std::int64_t space, Done& done) {
  const unsigned uses = uses_.at(node.get());
  const std::int64_t repeats = space / std::max<std::int64_t>(node->size(), 1);
  for (const Part& part : std::get<Concatenation>(node->made_by).parts) {
    if (!part.value->is_pending() || done[part.value.get()])
      continue;
    done[part.value.get()] = true;
    uses_[part.value.get()] += uses - 1;  // each view of the whole is one of the part
    settle_operand(part.value, is_viewed, part.value->size() * repeats, done);
  }
}

// A concatenation, or a value that is cut.
void Evaluation::compute_parts(const NodePtr& node) {
  runtime::Device& device = placer_.likely_device(node);
  views::DeviceArray array;
  if (const auto* concatenation = std::get_if<Concatenation>(&node->made_by)) {
    array = executor_.allocate(device, node->dtype, *node->shape);
    write_parts(executor_, *concatenation, array, why_);
  } else {
    std::vector<RegionProgram> regions = programs_of_regions(node);
    array = executor_.allocate(device, node->dtype, *node->shape);
    array = in_order(std::move(array), order_of_largest(regions));
    for (RegionProgram& each : regions) placer_.bring_to({node}, each.program, device);
    launch(executor_, std::move(regions), array, why_);
  }
  finish(node, std::move(array));
}

void Evaluation::write(const NodePtr& value, const views::DeviceArray& target) {
  const auto* parts = std::get_if<Concatenation>(&value->made_by);
  if (parts != nullptr && !executor_.is_shared(value)) {
    write_parts(executor_, *parts, target, why_);
    return;
  }
  if (is_own_kernel(*value))
    place(value, Reason::memory);
  else
    settle(value, Rows::folded, Cut::allowed);
  std::vector<RegionProgram> regions = programs_of_regions(value);
  for (RegionProgram& each : regions) placer_.bring_to({value}, each.program, *target.device);
  launch(executor_, std::move(regions), target, why_);
}

// One program where nothing is cut.
std::vector<RegionProgram> Evaluation::programs_of_regions(const NodePtr& node) {
  std::vector<RegionProgram> made;
  const auto make = [&] {
    const auto held = restored_below({node});
    const Region whole = {.start = Extents(node->shape->size()), .extents = *node->shape};
    made.clear();
    for (const Region& region :
         below_.is_cut ? regions_of(*node).all.value() : std::vector<Region>{whole}) {
      ProgramBuilder builder(*node->shape, region, rows_);
      builder.add_result(node);
      made.push_back({region, builder.take()});
    }
  };
  make();
  const auto is_too_large = [](const RegionProgram& each) {
    return has_too_many_parameters(each.program, 1);
  };
  if (std::ranges::any_of(made, is_too_large)) {
    compute_operands(*node);
    below_.is_cut = false;
    make();
  }
  note_inlined();
  return made;
}

}  // namespace phalanx::arrays
