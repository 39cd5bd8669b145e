// Where the pointers of a function come from (as the underlying objects of LLVM's alias analysis).
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "phalanx/ir/ir.h"

namespace phalanx::passes {

struct Origin {
  enum class Kind : std::uint8_t {
    none,      // nothing was assigned
    argument,  // the pointer of that number among the kernel's parameters
    array,     // an array of the function's, or of the module's
    several,  // one or another of these, or what is not known; read from a table (pointer_tables.h)
    unknown,  // read from other memory, made of a number, given by a call
  };
  Kind kind = Kind::none;
  std::size_t argument = 0;
  const ir::Operation* array = nullptr;

  bool operator==(const Origin&) const = default;
};

class PointerOrigins {
 public:
  explicit PointerOrigins(const ir::Function& function);

  Origin of(const ir::Operation& pointer) const;
  Origin of(ir::VariableId variable) const { return variables_.at(variable); }
  // The table (pointer_tables.h) that the operation reads from or writes to; null for none.
  const ir::Operation* table_of(const ir::Operation& operation) const;
  bool is_table(const ir::Operation& operation) const;

 private:
  bool note(const ir::Operation& set);
  std::optional<std::size_t> first_pointer(const ir::Operation& value) const;

  std::unordered_map<const ir::Operation*, std::size_t> parameters_;  // the first pointer of each
  std::unordered_map<const ir::Operation*, const ir::Operation*> tables_;  // by their accesses
  std::vector<Origin> variables_;                                          // those of pointers
};

}  // namespace phalanx::passes
