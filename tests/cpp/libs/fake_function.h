// Functions of a library's type that hand their arguments on as one tuple.
#pragma once

#include <tuple>

namespace phalanx::libs {

template <typename Function>
struct Arguments;
template <typename Result, typename... Types>
struct Arguments<Result (*)(Types...)> {
  using type = std::tuple<Types...>;
};
template <typename Function>
using arguments_of = typename Arguments<Function>::type;

template <typename Function, auto body>
struct Fake;
template <typename Result, typename... Types, auto body>
struct Fake<Result (*)(Types...), body> {
  static Result call(Types... arguments) { return body(std::tuple<Types...>(arguments...)); }
};

// A function of that type which calls `body` with a tuple of its arguments.
template <typename Function, auto body>
constexpr Function fake_function = Fake<Function, body>::call;

}  // namespace phalanx::libs
