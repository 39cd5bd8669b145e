#include "phalanx/ir/kinds.h"

#include <algorithm>

namespace phalanx::ir {

namespace {

template <typename Kind>
std::optional<ir::Kind> find(std::string_view text) {
  const auto& names = kind_names<Kind>;
  const auto found = std::ranges::find(names, text);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Kind>(found - names.begin());
}

bool is_for(Op op, CacheOperator cache) {
  using enum CacheOperator;
  const bool is_of_both = cache == cg || cache == cs;
  const bool is_of_stores = cache == wb || cache == wt;
  return is_of_both || is_of_stores == (op == Op::hinted_store);
}

std::optional<Kind> named(Op op, std::string_view text) {
  switch (op) {
    case Op::atomic:
      return find<Atomic>(text);
    case Op::block_vote:
      return find<BlockVote>(text);
    case Op::vote:
      return find<Vote>(text);
    case Op::shuffle:
      return find<Shuffle>(text);
    case Op::match:
      return find<Match>(text);
    case Op::fence:
      return find<FenceScope>(text);
    case Op::hinted_load:
    case Op::hinted_store:
      return find<CacheOperator>(text);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string_view text_of(const Kind& kind) {
  return std::visit(
      [](const auto& alternative) -> std::string_view {
        if constexpr (std::is_same_v<std::decay_t<decltype(alternative)>, std::monostate>)
          return "";
        else
          return name_of_kind(alternative);
      },
      kind);
}

std::optional<Kind> kind_from_text(Op op, std::string_view text) {
  const std::optional<Kind> kind = named(op, text);
  const auto* cache = kind ? std::get_if<CacheOperator>(&*kind) : nullptr;
  return cache != nullptr && !is_for(op, *cache) ? std::nullopt : kind;
}

bool may_have_kind(Op op, const Kind& kind) {
  const std::optional<Kind> known = kind_from_text(op, text_of(kind));
  return known ? *known == kind : std::holds_alternative<std::monostate>(kind);
}

}  // namespace phalanx::ir
