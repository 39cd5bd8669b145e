#include "phalanx/arrays/regions.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>

#include "phalanx/base/errors.h"

namespace phalanx::arrays {
namespace {

// So many elements take as long to be written and read again as a launch takes.
constexpr std::int64_t least_elements_on_host = std::int64_t{1} << 14;
constexpr std::int64_t least_elements_on_gpu = std::int64_t{1} << 19;

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - static_cast<std::int64_t>(a % b != 0 && (a < 0) != (b < 0));
}

// Goes from a value to the concatenations below it as its kernel does.
class Search {
 public:
  explicit Search(const Node& root) : space_(*root.shape), cuts_(space_.size()) {
    visit(root, identity_map(space_.size()));
  }

  Regions take() {
    std::size_t count = 1;
    for (std::size_t i = 0; i < space_.size(); ++i) {
      std::vector<std::int64_t>& cuts = cuts_[i];
      cuts.push_back(0);
      cuts.push_back(space_[i]);
      std::ranges::sort(cuts);
      const auto [first, last] = std::ranges::unique(cuts);
      cuts.erase(first, last);
      count *= cuts.size() - 1;
    }
    if (count > most_regions)
      return {.all = std::nullopt, .kernels = kernels_};
    std::vector<Region> all = {{.start = {}, .extents = {}}};
    for (const std::vector<std::int64_t>& cuts : cuts_) all = times(all, cuts);
    return {.all = std::move(all), .kernels = kernels_};
  }

 private:
  using Map = DimensionMap;

  static std::vector<Region> times(
      const std::vector<Region>& regions, const std::vector<std::int64_t>& cuts) {
    std::vector<Region> made;
    for (const Region& region : regions) {
      for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        made.push_back(region);
        made.back().start.push_back(cuts[i]);
        made.back().extents.push_back(cuts[i + 1] - cuts[i]);
      }
    }
    return made;
  }

  void visit(const Node& node, const Map& map) {
    if (!node.is_pending())
      return;
    std::vector<Map>& known = visited_[&node];
    if (std::ranges::find(known, map) != known.end())
      return;
    const bool is_first = known.empty();
    known.push_back(map);
    if (const auto* view = std::get_if<View>(&node.made_by)) {
      visit(*view->base, composed(map, view->axes));
    } else if (const auto* call = std::get_if<Call>(&node.made_by)) {
      for (const NodePtr& operand : call->in_order()) visit_operand(node, *operand, map);
    } else if (const auto* gather = std::get_if<Gather>(&node.made_by)) {
      for (const GatherIndex& index : gather->indices) visit_operand(node, *index.value, map);
    } else if (const auto* concatenation = std::get_if<Concatenation>(&node.made_by)) {
      kernels_ += is_first ? concatenation->parts.size() : 0;
      for (const Part& part : concatenation->parts) visit(part, map);
    }
  }

  void visit_operand(const Node& node, const Node& operand, const Map& map) {
    visit(operand, broadcast(map, *node.shape, *operand.shape));
  }

  void visit(const Part& part, Map map) {
    for (std::size_t i = 0; i < map.size(); ++i) {
      cut(map[i], part.start[i]);
      cut(map[i], part.start[i] + (*part.value->shape)[i]);
      map[i].start -= part.start[i];
    }
    visit(*part.value, map);
  }

  // Between the indices of the space that lead before `place` and those that lead there and beyond.
  void cut(const Axis& axis, std::int64_t place) {
    if (axis.dimension == Axis::none || axis.step == 0)
      return;
    const auto dimension = static_cast<std::size_t>(axis.dimension);
    const std::int64_t away = place - axis.start;
    const std::int64_t at =
        axis.step > 0 ? -floor_divide(-away, axis.step) : floor_divide(-away, -axis.step) + 1;
    if (at > 0 && at < space_[dimension])
      cuts_[dimension].push_back(at);
  }

  Extents space_;
  std::vector<std::vector<std::int64_t>> cuts_;  // of each dimension
  std::size_t kernels_ = 1;
  std::unordered_map<const Node*, std::vector<Map>> visited_;
};

}  // namespace

Regions regions_of(const Node& node) { return Search(node).take(); }

// A region's kernel takes the host half as long again as a copy of a part. What is more than that
// must be made up for by what is not written and read again.
bool pays_to_cut(const Node& node, runtime::Device& device) {
  const Regions regions = regions_of(node);
  if (!regions.all || regions.all->empty())
    return false;
  const auto copies = static_cast<std::int64_t>(regions.all->size() * 3 / 2);
  const std::int64_t more = copies - static_cast<std::int64_t>(regions.kernels);
  return node.size() >= more * (device.is_host() ? least_elements_on_host : least_elements_on_gpu);
}

const Part& part_at(const Concatenation& concatenation, const DimensionMap& map, ExtentSpan space) {
  const auto is_in = [&](const Part& part) {
    for (std::size_t i = 0; i < map.size(); ++i) {
      const Axis& axis = map[i];
      const std::int64_t passes =
          axis.dimension == Axis::none ? 0 : space[static_cast<std::size_t>(axis.dimension)] - 1;
      const std::int64_t last = axis.start + axis.step * passes;
      const std::int64_t end = part.start[i] + (*part.value->shape)[i];
      if (std::min(axis.start, last) < part.start[i] || std::max(axis.start, last) >= end)
        return false;
    }
    return true;
  };
  const auto latest = std::views::reverse(concatenation.parts);
  const auto found = std::ranges::find_if(latest, is_in);
  PHX_ASSERT(found != latest.end());
  return *found;
}

}  // namespace phalanx::arrays
