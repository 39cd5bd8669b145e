// How an evaluation treats concatenations. One that is wanted itself is written part by part: what
// is below a part is in the part's kernel. One below an elementwise value cuts the value's space
// into regions: in each of them it is a view of one part.
#include <algorithm>
#include <iterator>
#include <utility>

#include "phalanx/arrays/evaluation.h"
#include "phalanx/arrays/nest.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/other_shapes.h"
#include "phalanx/arrays/regions.h"

namespace phalanx::arrays {
namespace {

// So many elements take as long to be written and read again as a launch takes.
constexpr std::int64_t least_elements_on_host = std::int64_t{1} << 14;
constexpr std::int64_t least_elements_on_gpu = std::int64_t{1} << 19;

views::DeviceArray box_of(
    jit::Engine& engine, const views::DeviceArray& array, const Region& region) {
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < region.start.size(); ++i) {
    axes.push_back(
        {.dimension = static_cast<std::int32_t>(i), .start = region.start[i], .step = 1});
  }
  return view_of(engine, array, region.extents, axes);
}

}  // namespace

// A program for each region of a node.
struct Evaluation::Cut {
  std::vector<Region> regions;
  std::vector<Program> programs;

  const Program& largest() const {
    return *std::ranges::max_element(programs, {}, [](const Program& program) {
      return element_count({program.space.data(), program.space.size()});
    });
  }
};

// A region's kernel takes the host half as long again as a copy of a part. What is more than that
// must be made up for by what is not written and read again.
bool Evaluation::pays_to_cut(const NodePtr& node) const {
  const Regions regions = regions_of(*node);
  if (regions.all.empty())
    return false;
  const auto copies = static_cast<std::int64_t>(regions.all.size() * 3 / 2);
  const std::int64_t more = copies - static_cast<std::int64_t>(regions.kernels);
  const bool is_on_host = placer_.likely_device(node).is_host();
  return node->size() >= more * (is_on_host ? least_elements_on_host : least_elements_on_gpu);
}

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

void Evaluation::compute_concatenation(const NodePtr& node, const Concatenation& concatenation) {
  views::DeviceArray array =
      executor_.allocate(placer_.likely_device(node), node->dtype, *node->shape);
  write_parts(concatenation, array);
  finish(node, std::move(array));
}

void Evaluation::write_parts(const Concatenation& concatenation, const views::DeviceArray& target) {
  Reason why = why_;
  for (const Part& part : concatenation.parts) {
    if (part.value->size() == 0)
      continue;
    Evaluation(executor_, why)
        .write(
            part.value,
            box_of(
                executor_.engine(), target, {.start = part.start, .extents = *part.value->shape}));
    why = Reason::part;
  }
}

void Evaluation::write(const NodePtr& value, const views::DeviceArray& target) {
  const auto* parts = std::get_if<Concatenation>(&value->made_by);
  if (parts != nullptr && !executor_.is_shared(value)) {
    write_parts(*parts, target);
    return;
  }
  if (is_own_kernel(*value)) {
    place(value, Reason::memory);
  } else {
    may_cut_ = true;
    settle(value);
  }
  write(cut(value), value, target);
}

void Evaluation::compute_in_regions(const NodePtr& node) {
  Cut regions = cut(node);
  views::DeviceArray array =
      executor_.allocate(placer_.likely_device(node), node->dtype, *node->shape);
  const Program& largest = regions.largest();
  array = in_order(std::move(array), order_of(largest.space, largest.accesses));
  write(std::move(regions), node, array);
  finish(node, std::move(array));
}

Evaluation::Cut Evaluation::cut(const NodePtr& node) {
  Cut made;
  const auto make = [&] {
    const Extents& shape = *node->shape;
    made = {.regions = {{.start = Extents(shape.size()), .extents = shape}}, .programs = {}};
    if (is_cut_)
      made.regions = regions_of(*node).all;
    for (const Region& region : made.regions) made.programs.push_back(program_of(node, region));
  };
  const auto has_many = [](const Program& program) { return has_too_many_parameters(program, 1); };
  make();
  if (std::ranges::any_of(made.programs, has_many)) {
    made.programs.clear();
    compute_operands(*node);
    is_cut_ = false;
    make();
  }
  note_inlined();
  return made;
}

void Evaluation::write(Cut cut, const NodePtr& node, const views::DeviceArray& target) {
  Reason why = why_;
  for (std::size_t i = 0; i < cut.regions.size(); ++i) {
    Program& program = cut.programs[i];
    placer_.bring_to({node}, program, *target.device);
    const views::DeviceArray box = box_of(executor_.engine(), target, cut.regions[i]);
    executor_.elementwise(program, order_of(program.space, program.accesses), {&box, 1}, why);
    program = Program();  // what only it uses can be freed
    why = Reason::part;
  }
}

}  // namespace phalanx::arrays
