// Live variable analysis on the syntax tree: a function's names, and those read after each join.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "phalanx/frontend/tree.h"

namespace phalanx::frontend::python {

using NameId = std::uint32_t;

// A set of a function's local names.
class NameSet {
 public:
  void add(NameId name);
  void add(const NameSet& others);
  void remove(NameId name);
  bool contains(NameId name) const;
  std::vector<NameId> members() const;
  bool operator==(const NameSet& other) const;

 private:
  std::vector<bool> bits_;
};

// What a branching or looping statement means for the names.
struct JoinNames {
  NameSet live_after;  // may be read after the statement
  NameSet live_head;   // loops: may be read when an iteration starts, or after the loop
  NameSet assigned;    // anywhere in the statement
};

struct Names {
  std::vector<std::string> locals;
  NameId flags = 0;  // how many locals have a flag, a local of its own this many ids on
  std::unordered_map<std::string, NameId> ids;
  std::unordered_map<const tree::Statement*, JoinNames> joins;  // of if, while, for

  const NameId* find(std::string_view name) const;
};

Names analyze_names(const tree::Function& function);

// Gives each local a flag that says whether it has a value, live and assigned wherever it is.
void add_flags(Names& names);

// Names that the function reads and does not bind itself; those of nested functions included.
std::vector<std::string> free_names(const tree::Function& function);

}  // namespace phalanx::frontend::python
