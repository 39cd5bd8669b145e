// Arrays that share elements. Its functions are called under the graph's lock.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "phalanx/arrays/node.h"
#include "phalanx/arrays/siblings.h"

namespace phalanx::arrays {

class Graph;

struct Family {
  // An array, and its value; that of an array which is gone may be an operand of others still.
  struct Member {
    std::weak_ptr<Cell> cell;
    std::weak_ptr<Node> value;
  };
  std::vector<Member> members;  // parents before their children
  bool is_bound = false;        // all are views of memory; so are those that come
  std::size_t next_cleaning = 8;

  void add(const std::shared_ptr<Cell>& cell) { add({cell, cell->value()}); }
  void add(Member member);
  void clean();
  bool has_one_array() const;

  // Makes all of them views of one memory. Those that cannot be are copies from then on.
  void bind(Graph& graph);
  // Before the memory changes: values that were recorded before keep what is there now.
  void keep_recorded(Graph& graph);
};

}  // namespace phalanx::arrays
