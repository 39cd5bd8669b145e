// What kernels use of the C++ library's traits.
#pragma once
namespace std {
template <typename T, T v> struct integral_constant {
  static constexpr T value = v;
  typedef T value_type;
  typedef integral_constant type;
  __host__ __device__ constexpr operator T() const { return v; }
};
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <bool b> using bool_constant = integral_constant<bool, b>;
template <bool b, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { typedef T type; };
template <bool b, typename T = void> using enable_if_t = typename enable_if<b, T>::type;
template <bool b, typename T, typename F> struct conditional { typedef T type; };
template <typename T, typename F> struct conditional<false, T, F> { typedef F type; };
template <bool b, typename T, typename F> using conditional_t = typename conditional<b, T, F>::type;
template <typename T, typename U> struct is_same : false_type {};
template <typename T> struct is_same<T, T> : true_type {};
template <typename T, typename U> inline constexpr bool is_same_v = is_same<T, U>::value;
template <typename T> struct remove_reference { typedef T type; };
template <typename T> struct remove_reference<T&> { typedef T type; };
template <typename T> struct remove_reference<T&&> { typedef T type; };
template <typename T> using remove_reference_t = typename remove_reference<T>::type;
template <typename T> struct remove_const { typedef T type; };
template <typename T> struct remove_const<const T> { typedef T type; };
template <typename T> using remove_const_t = typename remove_const<T>::type;
template <typename T> struct remove_volatile { typedef T type; };
template <typename T> struct remove_volatile<volatile T> { typedef T type; };
template <typename T> struct remove_cv { typedef remove_const_t<typename remove_volatile<T>::type> type; };
template <typename T> using remove_cv_t = typename remove_cv<T>::type;
template <typename T> using decay_t = remove_cv_t<remove_reference_t<T>>;
template <typename T> struct decay { typedef decay_t<T> type; };
template <typename T> struct is_integral : bool_constant<__is_integral(T)> {};
template <typename T> struct is_floating_point : bool_constant<__is_floating_point(T)> {};
template <typename T> struct is_arithmetic : bool_constant<__is_arithmetic(T)> {};
template <typename T> struct is_signed : bool_constant<__is_signed(T)> {};
template <typename T> struct is_unsigned : bool_constant<__is_unsigned(T)> {};
template <typename T> struct is_pointer : bool_constant<__is_pointer(T)> {};
template <typename T> struct is_enum : bool_constant<__is_enum(T)> {};
template <typename T> struct is_void : bool_constant<__is_void(T)> {};
template <typename T> struct is_const : bool_constant<__is_const(T)> {};
template <typename T> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {};
template <typename T, typename... Args>
struct is_constructible : bool_constant<__is_constructible(T, Args...)> {};
template <typename T> struct is_default_constructible : is_constructible<T> {};
template <typename B, typename D> struct is_base_of : bool_constant<__is_base_of(B, D)> {};
template <typename F, typename T> struct is_convertible : bool_constant<__is_convertible(F, T)> {};
template <typename T> inline constexpr bool is_integral_v = __is_integral(T);
template <typename T> inline constexpr bool is_floating_point_v = __is_floating_point(T);
template <typename T> inline constexpr bool is_arithmetic_v = __is_arithmetic(T);
template <typename T> inline constexpr bool is_signed_v = __is_signed(T);
template <typename T> inline constexpr bool is_unsigned_v = __is_unsigned(T);
template <typename T> inline constexpr bool is_pointer_v = __is_pointer(T);
template <typename B, typename D> inline constexpr bool is_base_of_v = __is_base_of(B, D);
template <typename T> T&& declval() noexcept;
template <typename... T> using void_t = void;
template <typename T> struct add_lvalue_reference { typedef T& type; };
template <typename T> struct add_pointer { typedef remove_reference_t<T>* type; };
template <typename T> struct make_unsigned { typedef __make_unsigned(T) type; };
template <typename T> struct make_signed { typedef __make_signed(T) type; };
template <typename T> using make_unsigned_t = __make_unsigned(T);
template <typename T> using make_signed_t = __make_signed(T);
template <typename T> struct alignment_of : integral_constant<size_t, alignof(T)> {};
template <typename... T> struct common_type {};
template <typename T> struct common_type<T> { typedef decay_t<T> type; };
template <typename T, typename U, typename... Rest> struct common_type<T, U, Rest...>
    : common_type<decltype(true ? declval<T>() : declval<U>()), Rest...> {};
template <typename... T> using common_type_t = typename common_type<T...>::type;
template <typename T> struct underlying_type { typedef __underlying_type(T) type; };
}  // namespace std
