// Local memories in which pointers lie, as an array of pointers or one of structs that have some,
// and the bounds of those pointers, in arrays beside (SoftBound's disjoint metadata).
#pragma once

#include <unordered_map>

#include "phalanx/ir/builder.h"

namespace phalanx::passes {

// Where memory begins, and where it ends, as numbers.
struct Bounds {
  ir::Operation* low;
  ir::Operation* high;
};

// The local arrays of a function that a pointer is read from, and of which all accesses are seen:
// their address is nowhere else. By each of those accesses.
std::unordered_map<const ir::Operation*, const ir::Operation*> find_pointer_tables(
    const ir::Function& function);

// What `builder` appends for tables; `offset`: the bytes from the table's start, an i64.
class PointerTables {
 public:
  // `table` has been appended; its pointers have the bounds `unknown` until they are written.
  void make(ir::Builder& builder, const ir::Operation& table, const Bounds& unknown);
  Bounds read(ir::Builder& builder, const ir::Operation& table, ir::Operation* offset) const;
  void write(
      ir::Builder& builder,
      const ir::Operation& table,
      ir::Operation* offset,
      const Bounds& bounds) const;

 private:
  static ir::Operation* slot(
      ir::Builder& builder, const ir::Operation& table, ir::Operation* offset);

  std::unordered_map<const ir::Operation*, Bounds> beside_;  // arrays of i64
};

}  // namespace phalanx::passes
