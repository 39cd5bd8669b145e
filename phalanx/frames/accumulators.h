// Aggregations as objects that take blocks of rows.
#pragma once

#include <cstdint>
#include <memory>

#include "phalanx/frames/aggregate.h"

namespace phalanx::frames {

// Rows that an accumulator takes: those of a column, in another order or not.
struct Block {
  const std::int64_t* codes = nullptr;  // one a row; rows with -1 are in no group
  std::int64_t first = 0;               // the first row in the columns given
  std::int64_t count = 0;
  const std::int64_t* rows = nullptr;  // what the rows' numbers were; null: first, first + 1, ...
  Column column;
  Column second;

  std::int64_t row(std::int64_t i) const { return rows == nullptr ? first + i : rows[first + i]; }
};

// States of all groups, once or as often as there are tables: of threads that take other rows.
class Accumulator {
 public:
  virtual ~Accumulator() = default;
  virtual std::int64_t state_bytes() const = 0;
  virtual bool needs_rows() const = 0;
  virtual void allocate(runtime::Runtime& runtime, std::int64_t tables) = 0;
  // Makes the states of groups in one table those of no rows.
  virtual void clear(std::int64_t table, std::int64_t first, std::int64_t last) = 0;
  virtual void add(std::int64_t table, const Block& block) = 0;
  // The results of groups, out of all tables, those of earlier rows first.
  virtual void finish(std::int64_t first, std::int64_t last, Aggregated& results) = 0;
  // The results of groups whose rows come one after another, from bounds[i] up to bounds[i + 1];
  // without any table.
  virtual void fold_runs(
      const std::int64_t* bounds, std::int64_t first, std::int64_t last, Aggregated& results) = 0;
};

// Null for kinds that need all values of a group at once.
std::unique_ptr<Accumulator> make_accumulator(const Aggregation& aggregation, std::int64_t groups);

}  // namespace phalanx::frames
