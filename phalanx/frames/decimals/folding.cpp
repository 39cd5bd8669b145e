// Decimals of groups: sums, means, products, extremes, and those of the rows up to each.
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/frames/decimals/wide.h"
#include "phalanx/frames/parts.h"

namespace phalanx::frames {
namespace {

using namespace decimals;  // NOLINT(google-build-using-namespace)

// Groups are folded by all threads where each thread may have accumulators of its own.
constexpr std::int64_t most_groups_of_thread = 1 << 12;

struct Accumulator {
  Int128 value = 0;
  std::int64_t count = 0;
  bool has_failed = false;
};

class Folder {
 public:
  Folder(DecimalFold fold, int scale) : fold_(fold), unit_(power_of_ten(scale)) {}

  void add(Accumulator& to, Int128 value) const { merge(to, {value, 1, false}); }

  void merge(Accumulator& to, const Accumulator& other) const {
    if (other.count == 0)
      return;
    if (to.count == 0)
      to = other;
    else
      combine(to, other);
  }

  Int128 result(Accumulator& of) const {
    if (of.count == 0)
      return fold_ == DecimalFold::product ? unit_ : Int128{0};
    if (fold_ == DecimalFold::mean)
      return divide_half_away(of.value, of.count);
    return of.value;
  }

 private:
  void combine(Accumulator& to, const Accumulator& other) const {
    to.count += other.count;
    to.has_failed |= other.has_failed;
    switch (fold_) {
      case DecimalFold::min:
        to.value = other.value < to.value ? other.value : to.value;
        return;
      case DecimalFold::max:
        to.value = other.value > to.value ? other.value : to.value;
        return;
      case DecimalFold::product:
        to.has_failed |= __builtin_mul_overflow(to.value, other.value, &to.value);
        to.value = divide_half_away(to.value, unit_);
        return;
      default:
        to.has_failed |= __builtin_add_overflow(to.value, other.value, &to.value);
    }
  }

  DecimalFold fold_;
  Int128 unit_;
};

// The group of a row; of codes without memory all rows are of the first one.
std::int64_t group_of(const Codes& codes, std::int64_t row) {
  return codes.codes == nullptr ? 0 : codes[row];
}

void check(runtime::Runtime& runtime, const Codes& codes, const Decimals& decimals) {
  if (codes.rows != decimals.rows)
    throw ValueError("decimals have as many rows as the codes of their groups");
  if (codes.codes != nullptr)
    check_codes(runtime, codes);
}

}  // namespace

std::optional<DecimalFold> decimal_fold_named(std::string_view name) {
  constexpr std::string_view names[] = {"sum", "mean", "product", "min", "max"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (names[i] == name)
      return static_cast<DecimalFold>(i);
  return std::nullopt;
}

FoldedDecimals fold_decimals(
    runtime::Runtime& runtime,
    const Codes& codes,
    const Decimals& decimals,
    DecimalFold fold,
    int scale) {
  check(runtime, codes, decimals);
  const Folder folder(fold, scale);
  // Products are rounded in the order of the rows.
  const bool is_split = codes.groups <= most_groups_of_thread && fold != DecimalFold::product;
  const Parts parts(runtime, is_split ? decimals.rows : 0);
  const auto groups = static_cast<std::size_t>(codes.groups);
  std::vector<std::vector<Accumulator>> made(static_cast<std::size_t>(parts.count()));
  for_each_task(runtime, parts.count(), [&](std::int64_t part) {
    std::vector<Accumulator>& own = made[static_cast<std::size_t>(part)];
    own.resize(groups);
    const std::int64_t last = is_split ? parts.end(part) : decimals.rows;
    for (std::int64_t row = is_split ? parts.begin(part) : 0; row < last; ++row) {
      const std::int64_t group = group_of(codes, row);
      if (group >= 0 && is_there(decimals, row))
        folder.add(own[static_cast<std::size_t>(group)], load(decimals.words, row));
    }
  });
  FoldedDecimals folded = {
      Memory<std::int64_t>(runtime, 2 * codes.groups), Memory<std::int64_t>(runtime, codes.groups)};
  for (std::size_t group = 0; group < groups; ++group) {
    Accumulator total;
    for (const std::vector<Accumulator>& own : made) folder.merge(total, own[group]);
    const auto place = static_cast<std::int64_t>(group);
    if (total.has_failed || !fits(total.value, most_digits))
      folded.failed = place;
    store(folded.words.data(), place, folder.result(total));
    folded.counts[place] = total.count;
  }
  return folded;
}

MadeDecimals run_decimals(
    runtime::Runtime& runtime, const Codes& codes, const Decimals& decimals, DecimalFold fold) {
  check(runtime, codes, decimals);
  const Folder folder(fold, 0);
  std::vector<Accumulator> totals(static_cast<std::size_t>(codes.groups));
  MadeDecimals made = {Memory<std::int64_t>(runtime, 2 * decimals.rows)};
  for (std::int64_t row = 0; row < decimals.rows; ++row) {
    const std::int64_t group = group_of(codes, row);
    Int128 value = 0;
    if (group >= 0 && is_there(decimals, row)) {
      Accumulator& total = totals[static_cast<std::size_t>(group)];
      folder.add(total, load(decimals.words, row));
      value = total.value;
      if (total.has_failed || !fits(value, most_digits))
        made.failed = row;
    }
    store(made.words.data(), row, value);
  }
  return made;
}

}  // namespace phalanx::frames
