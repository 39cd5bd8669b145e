// Eigenvalues and singular values by LAPACK. Matrices lie column by column; all are overwritten.
//
// Of float32, float64, complex64 and complex128, where R is the real type:
//     svd(T* a, R* sizes, T* u, T* vt, i64* shape, vectors)   shape: rows, columns;
//                                                  vectors: 0 none, 1 some, 2 all
//     eigh(T* a, R* values, n, has_vectors)        the vectors in a
//     eig(T* a, T* values, R* imaginary, T* vectors, n, has_vectors)   imaginary: of real matrices
// They return LAPACK's info where it is not below 0, or one of `failure`, or out_of_memory. The
// complex routines take one argument more than the real ones: real memory.
#include "phalanx/runtime/cpu/lapack_call.h"

namespace phalanx::runtime::cpu {

using namespace lapack;

namespace {

template <typename T>
i64 svd(T* a, real_of<T>* sizes, T* u, T* vt, const i64* shape, i64 vectors) {
  using R = real_of<T>;
  [[maybe_unused]] static void* const gesdd = find<T>("gesdd");
  return with_integers([&]<typename Int>(Int info) -> i64 {
    const Int rows = static_cast<Int>(shape[0]);
    const Int columns = static_cast<Int>(shape[1]);
    const Int vt_rows = vectors == 2 ? columns : std::min(rows, columns);
    const char job = "NSA"[vectors];
    const auto least = static_cast<std::size_t>(std::min(rows, columns));
    const auto most = static_cast<std::size_t>(std::max(rows, columns));
    const auto integers = try_allocate<Int>(8 * least);
    const std::size_t real_count = least * std::max(5 * least + 7, 2 * (most + least) + 1);
    const auto reals = try_allocate<R>(is_complex<T> ? real_count : 1);
    if (integers == nullptr || reals == nullptr)
      return out_of_memory;
    const bool is_run = run_with_work<T, Int>([&](T* work, Int length) {
      const auto with = [&](auto... more) {
        call(
            gesdd,
            &job,
            &rows,
            &columns,
            a,
            &rows,
            sizes,
            u,
            &rows,
            vt,
            &vt_rows,
            work,
            &length,
            more...,
            &info,
            one_letter);
      };
      if constexpr (is_complex<T>)
        with(reals.get(), integers.get());
      else
        with(integers.get());
    });
    return is_run ? info : out_of_memory;
  });
}

template <typename T>
i64 eigh(T* a, real_of<T>* values, i64 size, i64 has_vectors) {
  using R = real_of<T>;
  [[maybe_unused]] static void* const heevd = find<T>(is_complex<T> ? "heevd" : "syevd");
  return with_integers([&]<typename Int>(Int info) -> i64 {
    const Int n = static_cast<Int>(size);
    const char job = has_vectors != 0 ? 'V' : 'N';
    const auto run = [&](T* work, Int length, auto... more) {
      call(
          heevd,
          &job,
          "L",
          &n,
          a,
          &n,
          values,
          work,
          &length,
          more...,
          &info,
          one_letter,
          one_letter);
    };
    const auto run_with =
        [&](T* work, Int length, R* reals, Int real_length, Int* integers, Int integer_length) {
          if constexpr (is_complex<T>)
            run(work, length, reals, &real_length, integers, &integer_length);
          else
            run(work, length, integers, &integer_length);
        };
    T optimal = {};
    R optimal_reals = 0;
    Int optimal_integers = 0;
    run_with(&optimal, -1, &optimal_reals, -1, &optimal_integers, -1);
    const Int length = length_of<T, Int>(optimal);
    const Int real_length = length_of<R, Int>(optimal_reals);
    const Int integer_length = std::max<Int>(1, optimal_integers);
    const auto work = try_allocate<T>(static_cast<std::size_t>(length));
    const auto reals = try_allocate<R>(static_cast<std::size_t>(real_length));
    const auto integers = try_allocate<Int>(static_cast<std::size_t>(integer_length));
    if (work == nullptr || reals == nullptr || integers == nullptr)
      return out_of_memory;
    run_with(work.get(), length, reals.get(), real_length, integers.get(), integer_length);
    return info;
  });
}

template <typename T>
i64 eig(T* a, T* values, real_of<T>* imaginary, T* vectors, i64 size, i64 has_vectors) {
  [[maybe_unused]] static void* const geev = find<T>("geev");
  return with_integers([&]<typename Int>(Int info) -> i64 {
    const Int n = static_cast<Int>(size);
    const Int one = 1;
    const char job = has_vectors != 0 ? 'V' : 'N';
    T no_vectors = {};
    const auto reals = try_allocate<real_of<T>>(2 * static_cast<std::size_t>(size));
    if (reals == nullptr)
      return out_of_memory;
    const bool is_run = run_with_work<T, Int>([&](T* work, Int length) {
      if constexpr (is_complex<T>)
        call(
            geev,
            "N",
            &job,
            &n,
            a,
            &n,
            values,
            &no_vectors,
            &one,
            vectors,
            &n,
            work,
            &length,
            reals.get(),
            &info,
            one_letter,
            one_letter);
      else
        call(
            geev,
            "N",
            &job,
            &n,
            a,
            &n,
            values,
            imaginary,
            &no_vectors,
            &one,
            vectors,
            &n,
            work,
            &length,
            &info,
            one_letter,
            one_letter);
    });
    return is_run ? info : out_of_memory;
  });
}

#define PHX_TYPE(T, dtype)                                           \
  Routine{"svd", dtype, address_of_routine(svd<T>)},                 \
      Routine{"eigh", dtype, address_of_routine(eigh<T>)}, Routine { \
    "eig", dtype, address_of_routine(eig<T>)                         \
  }

}  // namespace

std::span<const Routine> lapack_spectrum_routines() {
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
