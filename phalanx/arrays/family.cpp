#include "phalanx/arrays/family.h"

#include <algorithm>

#include "phalanx/arrays/capture.h"
#include "phalanx/arrays/graph.h"

namespace phalanx::arrays {

void Family::add(Member member) {
  if (members.size() >= next_cleaning) {
    clean();
    next_cleaning = 2 * members.size() + 8;
  }
  members.push_back(std::move(member));
}

void Family::clean() {
  std::erase_if(members, [](const Member& member) { return member.value.expired(); });
}

bool Family::has_one_array() const {
  const auto lives = [](const Member& member) { return !member.cell.expired(); };
  return std::ranges::count_if(members, lives) == 1;
}

void Family::bind(Graph& graph) {
  if (is_bound)
    return;
  clean();
  for (const Member& member : members) {
    if (const auto value = member.value.lock())
      graph.evaluate(value);
  }
  is_bound = true;
}

void Family::keep_recorded(Graph& graph) {
  clean();
  for (Member& member : members) {
    const auto cell = member.cell.lock();
    const long own = cell ? 2 : 1;  // with `value`
    const auto value = member.value.lock();
    if (!value || value.use_count() <= own)
      continue;
    const Memory memory = graph.evaluate(value);
    Capture* const capture = Capture::current(graph);
    graph.replace_by(
        value,
        capture != nullptr ? capture->copy_now_and_then(*memory, value) : graph.copy(*memory));
    if (cell) {
      const Memory kept = with_element(graph.engine(), memory, value->element);
      NodePtr now = value->device != nullptr ? graph.memory(*kept) : graph.movable_memory(*kept);
      member.value = now;
      cell->set_value(std::move(now));
    }
  }
}

}  // namespace phalanx::arrays
