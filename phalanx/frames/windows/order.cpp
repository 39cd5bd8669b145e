#include <algorithm>
#include <vector>

#include "phalanx/frames/windows/members.h"
#include "phalanx/frames/windows/sliding.h"

namespace phalanx::frames::windows {
namespace {

// The values of some rows in their order, which is sought once for many windows: each row's place
// in it then says all that a window needs.
class Order {
 public:
  Order(const double* values, std::int64_t first, std::int64_t last) : first_(first) {
    struct Entry {
      double value;
      std::int64_t row;
    };
    std::vector<Entry> entries;
    entries.reserve(static_cast<std::size_t>(last - first));
    for (std::int64_t row = first; row < last; ++row)
      if (std::isfinite(values[row]))
        entries.push_back({values[row], row});
    std::ranges::sort(entries, [](const Entry& left, const Entry& right) {
      return left.value != right.value ? left.value < right.value : left.row < right.row;
    });
    places_.assign(static_cast<std::size_t>(last - first), -1);
    values_.reserve(entries.size());
    for (const Entry& entry : entries) {
      places_[static_cast<std::size_t>(entry.row - first)] =
          static_cast<std::int64_t>(values_.size());
      values_.push_back(entry.value);
    }
  }

  std::int64_t size() const { return static_cast<std::int64_t>(values_.size()); }
  // -1 of a row without a value.
  std::int64_t place(std::int64_t row) const {
    return places_[static_cast<std::size_t>(row - first_)];
  }
  double value(std::int64_t place) const { return values_[static_cast<std::size_t>(place)]; }
  // Numbers for each place: the first with an equal value.
  std::vector<std::int64_t> firsts() const {
    std::vector<std::int64_t> made(values_.size());
    for (std::size_t i = 1; i < made.size(); ++i)
      made[i] = values_[i] == values_[i - 1] ? made[i - 1] : static_cast<std::int64_t>(i);
    return made;
  }

 private:
  std::int64_t first_;
  std::vector<std::int64_t> places_;
  std::vector<double> values_;
};

class Quantiles {
 public:
  Quantiles(const Order& order, const WindowStatistic& of)
      : order_(order), members_(order.size()), of_(of) {}

  void insert(std::int64_t place) { members_.insert(place); }
  void erase(std::int64_t place) { members_.erase(place); }
  double result(std::int64_t count, std::int64_t /*last*/) {
    if (of_.kind == WindowKind::median) {
      const std::int64_t lower = members_.member((count - 1) / 2);
      if (count % 2 == 1)
        return order_.value(lower);
      return (order_.value(lower) + order_.value(members_.after(lower))) / 2;
    }
    const double exact = of_.quantile * static_cast<double>(count - 1);
    const auto place = static_cast<std::int64_t>(exact);
    const std::int64_t lower = members_.member(place);
    const double part = exact - static_cast<double>(place);
    if (part == 0 || of_.interpolation == Interpolation::lower)
      return order_.value(lower);
    const double low = order_.value(lower);
    const double high = order_.value(members_.after(lower));
    switch (of_.interpolation) {
      case Interpolation::higher:
        return high;
      case Interpolation::midpoint:
        return (low + high) / 2;
      case Interpolation::nearest:  // of two as near the one at an even place
        return part < 0.5 || (part == 0.5 && place % 2 == 0) ? low : high;
      default:
        return low + (high - low) * part;
    }
  }

 private:
  const Order& order_;
  Selection members_;
  const WindowStatistic& of_;
};

class Ranks {
 public:
  Ranks(const Order& order, const WindowStatistic& of)
      : firsts_(order.firsts()), counts_(order.size() + 1), of_(of) {}

  void insert(std::int64_t place) { counts_.add(first_of(place), 1); }
  void erase(std::int64_t place) { counts_.add(first_of(place), -1); }
  double result(std::int64_t count, std::int64_t last) {
    if (last < 0)
      return none;
    const std::int64_t below = counts_.below(first_of(last));
    const std::int64_t equal = counts_.below(first_of(last) + 1) - below;
    const std::int64_t before = of_.is_descending ? count - below - equal : below;
    const auto least = static_cast<double>(before + 1);
    const auto greatest = static_cast<double>(before + equal);
    const double rank = of_.rank == RankMethod::min   ? least
                        : of_.rank == RankMethod::max ? greatest
                                                      : (least + greatest) / 2;
    return of_.is_fraction ? rank / static_cast<double>(count) : rank;
  }

 private:
  std::int64_t first_of(std::int64_t place) const {
    return firsts_[static_cast<std::size_t>(place)];
  }

  std::vector<std::int64_t> firsts_;
  Cumulated counts_;
  const WindowStatistic& of_;
};

class Distinct {
 public:
  Distinct(const Order& order, const WindowStatistic& /*of*/)
      : firsts_(order.firsts()), counts_(firsts_.size()) {}

  void insert(std::int64_t place) { different_ += count_of(place)++ == 0 ? 1 : 0; }
  void erase(std::int64_t place) { different_ -= --count_of(place) == 0 ? 1 : 0; }
  double result(std::int64_t /*count*/, std::int64_t /*last*/) {
    return static_cast<double>(different_);
  }

 private:
  std::int64_t& count_of(std::int64_t place) {
    return counts_[static_cast<std::size_t>(firsts_[static_cast<std::size_t>(place)])];
  }

  std::vector<std::int64_t> firsts_;
  std::vector<std::int64_t> counts_;
  std::int64_t different_ = 0;
};

template <typename State>
void slide_state(
    const Windows& windows,
    const WindowStatistic& statistic,
    std::int64_t first,
    std::int64_t last,
    double* results) {
  const std::int64_t top = std::max(windows.begin(first), windows.end(last - 1));
  const Order order(statistic.values, windows.begin(first), top);
  State state(order, statistic);
  std::int64_t entered = windows.begin(first);
  std::int64_t left = entered;
  std::int64_t count = 0;
  for (std::int64_t i = first; i < last; ++i) {
    const std::int64_t begin = windows.begin(i);
    const std::int64_t end = std::max(begin, windows.end(i));
    for (const std::int64_t stop = std::min(begin, entered); left < stop; ++left) {
      if (const std::int64_t place = order.place(left); place >= 0) {
        state.erase(place);
        --count;
      }
    }
    left = begin;
    for (entered = std::max(entered, begin); entered < end; ++entered) {
      if (const std::int64_t place = order.place(entered); place >= 0) {
        state.insert(place);
        ++count;
      }
    }
    const bool has_value =
        count >= statistic.min_periods && (count > 0 || statistic.kind == WindowKind::nunique);
    results[i] = has_value ? state.result(count, end > begin ? order.place(end - 1) : -1) : none;
  }
}

}  // namespace

void slide_order(
    const Windows& windows,
    const WindowStatistic& statistic,
    std::int64_t first,
    std::int64_t last,
    double* results) {
  if (statistic.kind == WindowKind::rank)
    slide_state<Ranks>(windows, statistic, first, last, results);
  else if (statistic.kind == WindowKind::nunique)
    slide_state<Distinct>(windows, statistic, first, last, results);
  else
    slide_state<Quantiles>(windows, statistic, first, last, results);
}

}  // namespace phalanx::frames::windows
