// The backward slice (Weiser, 1981) of a value that is the same for all threads of a launch, as a
// program that the launch can run.
#pragma once

#include <string>

#include "phalanx/base/launch_memory.h"
#include "phalanx/ir/abi.h"
#include "phalanx/ir/ir.h"

namespace phalanx::passes {

class LaunchPrograms {
 public:
  explicit LaunchPrograms(const ir::Function& kernel);

  // Throws NotUniform.
  SizeProgram program_of(const ir::Operation& value) const;

  struct NotUniform {
    std::string reason;  // "threadIdx"
    Location location;   // of what it is
  };

 private:
  void add(const ir::Operation& value, SizeProgram& program) const;
  bool add_parameter(const ir::Operation& value, SizeProgram& program) const;
  std::size_t slot_of(const ir::Operation& value) const;

  ir::ParameterLayout layout_;
};

}  // namespace phalanx::passes
