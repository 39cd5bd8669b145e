// True if our declaration of a library's function is called as the library's own is.
#pragma once

#include <type_traits>

namespace phalanx::support {

// Two types that are passed alike: both pointers, or both numbers of one size and kind.
template <typename A, typename B>
constexpr bool passes_alike() {
  if constexpr (std::is_pointer_v<A> || std::is_pointer_v<B>)
    return std::is_pointer_v<A> && std::is_pointer_v<B>;
  else
    return sizeof(A) == sizeof(B) && std::is_floating_point_v<A> == std::is_floating_point_v<B>;
}

template <typename Ours, typename Theirs>
struct Alike : std::false_type {};
template <typename R, typename... A, typename S, typename... B>
  requires(sizeof...(A) == sizeof...(B))
struct Alike<R (*)(A...), S (*)(B...)>
    : std::bool_constant<passes_alike<R, S>() && (passes_alike<A, B>() && ...)> {};

}  // namespace phalanx::support
