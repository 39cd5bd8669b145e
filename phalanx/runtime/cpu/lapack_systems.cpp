// Systems of equations by LAPACK. Matrices lie column by column; all are overwritten.
//
// Of float32, float64, complex64 and complex128, where R is the real type:
//     solve(T* a, T* b, n, columns)                b becomes the solution
//     lu(T* a, i64* is_odd, n)                     whether an odd number of rows was exchanged
//     inverse(T* a, n)
//     cholesky(T* a, n)                            the lower triangle
//     qr(T* a, T* q, rows, columns)                R in a's upper triangle
//     lstsq(T* a, T* b, R* sizes, R* cutoff, i64* rank, i64* shape)   shape: rows, columns, sides
// They return LAPACK's info where it is not below 0, or one of `failure`, or out_of_memory.
#include "phalanx/runtime/cpu/lapack_call.h"

namespace phalanx::runtime::cpu {

using namespace lapack;

namespace {

template <typename T>
i64 solve(T* a, T* b, i64 size, i64 count) {
  [[maybe_unused]] static void* const gesv = find<T>("gesv");
  return with_integers([&]<typename Int>(Int info) -> i64 {
    const Int n = static_cast<Int>(size);
    const Int columns = static_cast<Int>(count);
    const auto pivots = try_allocate<Int>(static_cast<std::size_t>(size));
    if (pivots == nullptr)
      return out_of_memory;
    call(gesv, &n, &columns, a, &n, pivots.get(), b, &n, &info);
    return info;
  });
}

template <typename T>
i64 lu(T* a, i64* is_odd, i64 size) {
  [[maybe_unused]] static void* const getrf = find<T>("getrf");
  return with_integers([&]<typename Int>(Int info) -> i64 {
    const Int n = static_cast<Int>(size);
    const auto pivots = try_allocate<Int>(static_cast<std::size_t>(size));
    if (pivots == nullptr)
      return out_of_memory;
    call(getrf, &n, &n, a, &n, pivots.get(), &info);
    *is_odd = 0;
    for (Int i = 0; i < n; ++i)
      *is_odd ^= static_cast<i64>(pivots[static_cast<std::size_t>(i)] != i + 1);
    return info;
  });
}

// A third less arithmetic than solving for the columns of the unit matrix.
template <typename T>
i64 inverse(T* a, i64 size) {
  [[maybe_unused]] static void* const getrf = find<T>("getrf");
  [[maybe_unused]] static void* const getri = find<T>("getri");
  return with_integers([&]<typename Int>(Int info) -> i64 {
    const Int n = static_cast<Int>(size);
    const auto pivots = try_allocate<Int>(static_cast<std::size_t>(size));
    const Int ask = -1;
    T optimal = {};
    call(getri, &n, a, &n, pivots.get(), &optimal, &ask, &info);
    const Int length = length_of<T, Int>(optimal);
    const auto work = try_allocate<T>(static_cast<std::size_t>(length));
    if (pivots == nullptr || work == nullptr)
      return out_of_memory;
    call(getrf, &n, &n, a, &n, pivots.get(), &info);
    if (info == 0)
      call(getri, &n, a, &n, pivots.get(), work.get(), &length, &info);
    return info;
  });
}

template <typename T>
i64 cholesky(T* a, i64 size) {
  [[maybe_unused]] static void* const potrf = find<T>("potrf");
  return with_integers([&]<typename Int>(Int info) -> i64 {
    const Int n = static_cast<Int>(size);
    call(potrf, "L", &n, a, &n, &info, one_letter);
    return info;
  });
}

template <typename T>
i64 qr(T* a, T* q, i64 height, i64 width) {
  [[maybe_unused]] static void* const geqrf = find<T>("geqrf");
  [[maybe_unused]] static void* const orgqr = find<T>(is_complex<T> ? "ungqr" : "orgqr");
  return with_integers([&]<typename Int>(Int info) -> i64 {
    const Int rows = static_cast<Int>(height);
    const Int columns = static_cast<Int>(width);
    const Int count = std::min(rows, columns);
    const auto factors = try_allocate<T>(static_cast<std::size_t>(count));
    if (factors == nullptr)
      return out_of_memory;
    const Int ask = -1;
    std::array<T, 2> optimal = {};
    call(geqrf, &rows, &columns, a, &rows, factors.get(), optimal.data(), &ask, &info);
    call(orgqr, &rows, &count, &count, q, &rows, factors.get(), &optimal[1], &ask, &info);
    const Int length = std::max(length_of<T, Int>(optimal[0]), length_of<T, Int>(optimal[1]));
    const auto work = try_allocate<T>(static_cast<std::size_t>(length));
    if (work == nullptr)
      return out_of_memory;
    call(geqrf, &rows, &columns, a, &rows, factors.get(), work.get(), &length, &info);
    std::copy_n(a, rows * count, q);
    call(orgqr, &rows, &count, &count, q, &rows, factors.get(), work.get(), &length, &info);
    return info;
  });
}

// The complex routine takes one argument more: real memory.
template <typename T, typename Int>
struct LeastSquares {
  void* routine;
  T* a;
  T* b;
  real_of<T>* sizes;
  real_of<T>* cutoff;
  Int rows;
  Int columns;
  Int sides;
  Int rank = 0;
  Int info = 0;

  void run(T* work, Int length, real_of<T>* reals, Int* integers) {
    const Int b_rows = std::max(rows, columns);
    const auto with = [&](auto... more) {
      call(
          routine,
          &rows,
          &columns,
          &sides,
          a,
          &rows,
          b,
          &b_rows,
          sizes,
          cutoff,
          &rank,
          work,
          &length,
          more...,
          &info);
    };
    if constexpr (is_complex<T>)
      with(reals, integers);
    else
      with(integers);
  }
};

template <typename T>
i64 lstsq(T* a, T* b, real_of<T>* sizes, real_of<T>* cutoff, i64* rank, const i64* shape) {
  using R = real_of<T>;
  [[maybe_unused]] static void* const gelsd = find<T>("gelsd");
  return with_integers([&]<typename Int>(Int) -> i64 {
    LeastSquares<T, Int> system = {
        .routine = gelsd,
        .a = a,
        .b = b,
        .sizes = sizes,
        .cutoff = cutoff,
        .rows = static_cast<Int>(shape[0]),
        .columns = static_cast<Int>(shape[1]),
        .sides = static_cast<Int>(shape[2])};
    T optimal = {};
    R optimal_reals = 0;
    Int optimal_integers = 0;
    system.run(&optimal, -1, &optimal_reals, &optimal_integers);
    const auto reals = try_allocate<R>(static_cast<std::size_t>(length_of<R, Int>(optimal_reals)));
    const auto integers =
        try_allocate<Int>(static_cast<std::size_t>(std::max<Int>(1, optimal_integers)));
    const Int length = length_of<T, Int>(optimal);
    const auto work = try_allocate<T>(static_cast<std::size_t>(length));
    if (work == nullptr || reals == nullptr || integers == nullptr)
      return out_of_memory;
    system.run(work.get(), length, reals.get(), integers.get());
    *rank = system.rank;
    return system.info;
  });
}

#define PHX_TYPE(T, dtype)                                         \
  Routine{"solve", dtype, address_of_routine(solve<T>)},           \
      Routine{"lu", dtype, address_of_routine(lu<T>)},             \
      Routine{"inverse", dtype, address_of_routine(inverse<T>)},   \
      Routine{"cholesky", dtype, address_of_routine(cholesky<T>)}, \
      Routine{"qr", dtype, address_of_routine(qr<T>)}, Routine {   \
    "lstsq", dtype, address_of_routine(lstsq<T>)                   \
  }

}  // namespace

std::span<const Routine> lapack_system_routines() {
  static const std::array rows = {
      PHX_TYPE(float, "float32"),
      PHX_TYPE(double, "float64"),
      PHX_TYPE(std::complex<float>, "complex64"),
      PHX_TYPE(std::complex<double>, "complex128"),
  };
  return rows;
}

#undef PHX_TYPE

}  // namespace phalanx::runtime::cpu
