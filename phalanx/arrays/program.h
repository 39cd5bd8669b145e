// What one kernel computes for each index of a space: loads, numbers and functions of them, in
// order. Made of the nodes below the ones that are wanted; the fusion of elementwise operations.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/arrays/dimension_map.h"
#include "phalanx/arrays/node.h"
#include "phalanx/arrays/regions.h"
#include "phalanx/arrays/row_fusion.h"
#include "phalanx/base/inline_vector.h"
#include "phalanx/numpy/reductions.h"

namespace phalanx::arrays {

// One number for each dimension of a space.
using Strides = InlineVector<std::int64_t, 6>;

enum class StepKind : std::uint8_t {
  load,
  gather,
  number,
  positions,
  call,
  fold,  // of what a step has along a row of the space: one number for the row
};

struct Step {
  StepKind kind = StepKind::load;
  DType dtype = DType::boolean;
  std::uint16_t index = 0;                     // among the accesses, numbers or positions
  const Function* function = nullptr;          // call
  std::array<std::uint16_t, 3> operands = {};  // gather: the first, in bytes; fold: the first

  bool operator==(const Step&) const = default;
};

// Where a load finds the element of an index of the space.
struct Access {
  Memory memory;
  std::int64_t offset = 0;   // bytes from the array's first element
  Strides strides;           // bytes, one for each dimension of the space
  bool is_gathered = false;  // a step adds to the place: it may be anywhere in the memory
  // Null where the elements are in memory. Else that has no address yet, and the offset is from the
  // beginning of the source.
  SpilledPtr spilled;
};

struct NumberUse {
  DType dtype = DType::boolean;
  ir::Constant value;
};

// start + the sum of steps[d] * index[d]
struct PositionsUse {
  std::int64_t start = 0;
  Strides steps;

  bool operator==(const PositionsUse&) const = default;
};

struct FoldUse {
  std::string name;  // the reduction's, for the kernels' keys
  numpy::Reduction reduction;
};

struct Program {
  Strides space;
  std::vector<bool> is_row;  // where something is folded: the dimensions that it is folded along
  std::vector<Step> steps;
  std::vector<Access> accesses;
  std::vector<NumberUse> numbers;
  std::vector<PositionsUse> positions;
  std::vector<FoldUse> folds;
  std::vector<std::uint16_t> results;  // steps
  bool is_of_rows = false;             // the one result is a fold: one number for each row

  // True if something must come to memory before kernels can run.
  bool reads_sources() const;
};

// True if a kernel of that many outputs might need more memory for its parameters than GPUs have.
bool has_too_many_parameters(const Program& program, std::size_t outputs);

// Adds nodes, each with what is below it as far as memory. Reductions below, but for those that
// `rows` has, and routines must have been computed.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(const Extents& space, const RowFusion& rows = {});
  // At the indices of a region of the space, which is as regions.h has it.
  ProgramBuilder(const Extents& space, const Region& region, const RowFusion& rows);

  // A node whose shape the space broadcasts, as a further result.
  void add_result(const NodePtr& node);
  // A reduction of what has the shape of the space, over the dimensions that are along a row.
  void add_folded_result(const Node& node);
  Program take() { return std::move(program_); }

 private:
  using Map = DimensionMap;

  struct Known {
    const Node* node;
    std::size_t map;
    std::uint16_t step;
  };

  std::uint16_t add(const NodePtr& node, const Map& map);
  std::uint16_t add_new(const NodePtr& node, const Map& map);
  Access access_of(const Node& node, const Map& map) const;
  std::uint16_t add_part(const Concatenation& concatenation, Map map);
  std::uint16_t add_gather(const Node& node, const Gather& gather, Map map);
  std::uint16_t add_index(
      std::uint16_t index, std::int64_t stride, std::optional<std::uint16_t> sum);
  std::uint16_t add_access(Access access, Step step);
  std::uint16_t add_integer(std::int64_t value);
  std::uint16_t add_positions(const Positions& positions, const Map& map);
  std::uint16_t add_call(const Node& node, const Call& call, const Map& map);
  std::uint16_t add_fold(const Node& node, const Reduce& reduce, const Map& map_of_operand);
  std::uint16_t as(std::uint16_t step, DType dtype);
  std::uint16_t append(const Step& step);

  const RowFusion& rows_;
  Extents space_;  // with all regions
  Map identity_;
  Program program_;
  std::vector<Map> maps_;     // those met so far; few
  std::vector<Known> known_;  // few, as programs are limited
};

}  // namespace phalanx::arrays
