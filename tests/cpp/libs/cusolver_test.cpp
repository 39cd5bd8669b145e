// What cuSOLVER is called with: a fake library on the fake driver's device.
#include "phalanx/libs/cusolver.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "tests/cpp/libs/fake_function.h"
#include "tests/cpp/runtime/cuda_fixture.h"

namespace phalanx::libs {
namespace {

using F = CusolverFunctions;

constexpr std::size_t device_bytes = 512;

// What the fake library was asked for.
struct Calls {
  int created = 0;
  int destroyed = 0;
  int params_destroyed = 0;
  int run = 0;
  std::vector<const void*> matrices;
  std::vector<const int*> infos;
  std::vector<const void*> others;  // pivots, factors, values, right sides
  std::vector<const void*> vectors;
  int type = -1;
  int other_type = -1;
  int job = -1;
  int part = -1;
  std::int64_t rows = -1;
  std::int64_t columns = -1;
  std::int64_t leading = -1;
  std::size_t host_bytes = 0;
  int orthonormal = -1;  // which of the four functions
  void* stream = nullptr;
  CusolverStatus next = cusolver::success;  // of the next routine
};
Calls* calls = nullptr;
const runtime::cuda::Driver* driver = nullptr;

CusolverStatus outcome() {
  runtime::cuda::ContextHandle context = nullptr;
  driver->context_get_current(&context);
  EXPECT_NE(context, nullptr) << "cuSOLVER works in the current context";
  ++calls->run;
  return std::exchange(calls->next, cusolver::success);
}

CusolverStatus create(CusolverHandle* handle) {
  ++calls->created;
  *handle = reinterpret_cast<CusolverHandle>(calls);
  return cusolver::success;
}

CusolverStatus destroy(CusolverHandle /*handle*/) {
  ++calls->destroyed;
  return cusolver::success;
}

CusolverStatus destroy_params(CusolverParams /*params*/) {
  ++calls->params_destroyed;
  return cusolver::success;
}

CusolverStatus create_params(CusolverParams* params) {
  *params = reinterpret_cast<CusolverParams>(calls);
  return cusolver::success;
}

CusolverStatus set_stream(CusolverHandle /*handle*/, void* stream) {
  calls->stream = stream;
  return cusolver::success;
}

// The last two arguments of all that ask for sizes.
template <typename Tuple>
CusolverStatus give_sizes(const Tuple& call) {
  constexpr std::size_t count = std::tuple_size_v<Tuple>;
  *std::get<count - 2>(call) = device_bytes;
  *std::get<count - 1>(call) = calls->host_bytes;
  return cusolver::success;
}

// The last five arguments of all routines with working memory.
template <typename Tuple>
void note_memory(const Tuple& call) {
  constexpr std::size_t count = std::tuple_size_v<Tuple>;
  EXPECT_EQ(std::get<count - 4>(call), device_bytes);
  std::memset(std::get<count - 5>(call), 1, device_bytes);
  EXPECT_EQ(std::get<count - 2>(call), calls->host_bytes);
  std::memset(std::get<count - 3>(call), 1, calls->host_bytes);
  calls->infos.push_back(std::get<count - 1>(call));
}

void note_matrix(const void* a, int type, std::int64_t leading) {
  calls->matrices.push_back(a);
  calls->type = type;
  calls->leading = leading;
}

template <auto member>
constexpr auto sizes_of = [] {
  using Type = std::remove_reference_t<decltype(std::declval<F&>().*member)>;
  return fake_function<Type, [](const arguments_of<Type>& call) { return give_sizes(call); }>;
}();

CusolverStatus potrf(const arguments_of<decltype(F::potrf)>& call) {
  note_memory(call);
  calls->part = std::get<2>(call);
  calls->rows = std::get<3>(call);
  note_matrix(std::get<5>(call), std::get<4>(call), std::get<6>(call));
  return outcome();
}

CusolverStatus getrf(const arguments_of<decltype(F::getrf)>& call) {
  note_memory(call);
  calls->rows = std::get<2>(call);
  calls->columns = std::get<3>(call);
  note_matrix(std::get<5>(call), std::get<4>(call), std::get<6>(call));
  calls->others.push_back(std::get<7>(call));
  return outcome();
}

CusolverStatus getrs(const arguments_of<decltype(F::getrs)>& call) {
  calls->columns = std::get<4>(call);
  note_matrix(std::get<6>(call), std::get<5>(call), std::get<7>(call));
  calls->others.push_back(std::get<8>(call));
  calls->vectors.push_back(std::get<10>(call));
  calls->infos.push_back(std::get<12>(call));
  return outcome();
}

CusolverStatus geqrf(const arguments_of<decltype(F::geqrf)>& call) {
  note_memory(call);
  note_matrix(std::get<5>(call), std::get<4>(call), std::get<6>(call));
  calls->others.push_back(std::get<8>(call));
  return outcome();
}

CusolverStatus syevd(const arguments_of<decltype(F::syevd)>& call) {
  note_memory(call);
  calls->job = std::get<2>(call);
  calls->part = std::get<3>(call);
  note_matrix(std::get<6>(call), std::get<5>(call), std::get<7>(call));
  calls->other_type = std::get<8>(call);
  calls->others.push_back(std::get<9>(call));
  return outcome();
}

CusolverStatus gesvd(const arguments_of<decltype(F::gesvd)>& call) {
  note_memory(call);
  EXPECT_EQ(std::get<2>(call), std::get<3>(call));
  calls->job = std::get<2>(call);
  note_matrix(std::get<7>(call), std::get<6>(call), std::get<8>(call));
  calls->other_type = std::get<9>(call);
  calls->others.push_back(std::get<10>(call));
  calls->vectors.push_back(std::get<12>(call));
  calls->vectors.push_back(std::get<15>(call));
  return outcome();
}

CusolverStatus geev(const arguments_of<decltype(F::geev)>& call) {
  note_memory(call);
  EXPECT_EQ(std::get<2>(call), cusolver::without_vectors);
  calls->job = std::get<3>(call);
  note_matrix(std::get<6>(call), std::get<5>(call), std::get<7>(call));
  calls->other_type = std::get<8>(call);
  calls->others.push_back(std::get<9>(call));
  EXPECT_EQ(std::get<11>(call), nullptr);
  calls->vectors.push_back(std::get<14>(call));
  return outcome();
}

CusolverStatus orgqr_size(const arguments_of<decltype(F::orgqr_float32_size)>& call) {
  *std::get<7>(call) = 32;
  return cusolver::success;
}

constexpr auto orgqr_size_function = fake_function<decltype(F::orgqr_float32_size), orgqr_size>;

template <int which>
CusolverStatus orgqr(const arguments_of<decltype(F::orgqr_float32)>& call) {
  const auto& [handle, m, n, k, a, leading, tau, work, elements, info] = call;
  EXPECT_EQ(elements, 32);
  std::memset(work, 1, 32 * 4);
  calls->orthonormal = which;
  calls->rows = m;
  calls->columns = n;
  calls->job = k;
  note_matrix(a, -1, leading);
  calls->others.push_back(tau);
  calls->infos.push_back(info);
  return outcome();
}

template <int which>
constexpr auto orgqr_function = fake_function<decltype(F::orgqr_float32), orgqr<which>>;

struct CusolverTest : runtime::CudaFixture {
  void SetUp() override {
    calls = &made;
    driver = &fake.table();
  }

  runtime::Address address(std::size_t offset) const { return memory.address() + offset; }
  const void* place(std::size_t offset) const {
    return reinterpret_cast<const void*>(address(offset));
  }
  std::vector<const void*> places(std::size_t first, std::size_t step, std::size_t count) const {
    std::vector<const void*> made_places;
    for (std::size_t i = 0; i < count; ++i) made_places.push_back(place(first + i * step));
    return made_places;
  }
  std::vector<const int*> infos(std::size_t count) const {
    std::vector<const int*> made_places;
    for (std::size_t i = 0; i < count; ++i)
      made_places.push_back(static_cast<const int*>(place(info_offset)) + i);
    return made_places;
  }

  static constexpr std::size_t info_offset = 8000;
  F functions = {
      .create = create,
      .destroy = destroy,
      .set_stream = set_stream,
      .create_params = create_params,
      .destroy_params = destroy_params,
      .potrf_size = sizes_of<&F::potrf_size>,
      .potrf = fake_function<decltype(F::potrf), potrf>,
      .getrf_size = sizes_of<&F::getrf_size>,
      .getrf = fake_function<decltype(F::getrf), getrf>,
      .getrs = fake_function<decltype(F::getrs), getrs>,
      .geqrf_size = sizes_of<&F::geqrf_size>,
      .geqrf = fake_function<decltype(F::geqrf), geqrf>,
      .syevd_size = sizes_of<&F::syevd_size>,
      .syevd = fake_function<decltype(F::syevd), syevd>,
      .gesvd_size = sizes_of<&F::gesvd_size>,
      .gesvd = fake_function<decltype(F::gesvd), gesvd>,
      .orgqr_float32_size = orgqr_size_function,
      .orgqr_float64_size = orgqr_size_function,
      .orgqr_complex64_size = orgqr_size_function,
      .orgqr_complex128_size = orgqr_size_function,
      .orgqr_float32 = orgqr_function<0>,
      .orgqr_float64 = orgqr_function<1>,
      .orgqr_complex64 = orgqr_function<2>,
      .orgqr_complex128 = orgqr_function<3>,
      .geev_size = sizes_of<&F::geev_size>,
      .geev = fake_function<decltype(F::geev), geev>};
  Calls made;
  Cusolver solver{functions};
  runtime::Buffer memory = device().allocate(10'000);
};

TEST_F(CusolverTest, GoesThroughAStackOnTheDefaultStream) {
  made.host_bytes = 24;
  const MatrixStack a = {DType::float32, 4, 4, 3, address(0)};
  solver.cholesky(device(), a, address(info_offset));
  EXPECT_EQ(made.matrices, places(0, 4 * 4 * 4, 3));
  EXPECT_EQ(made.infos, infos(3));
  EXPECT_EQ(std::tuple(made.type, made.rows, made.leading, made.part), std::tuple(0, 4, 4, 0));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made.stream), stream().handle());
  solver.cholesky(device(), {DType::float32, 4, 4, 0, address(0)}, address(info_offset));
  EXPECT_EQ(made.run, 3);
  EXPECT_EQ(made.created, 1);
}

TEST_F(CusolverTest, TypesAreNvidiasNumbers) {
  using Row = std::tuple<DType, int, int, int>;  // the type, that of real and complex values
  for (const auto& [dtype, type, real, complex] :
       {Row(DType::float32, 0, 0, 4),
        Row(DType::float64, 1, 1, 5),
        Row(DType::complex64, 4, 0, 4),
        Row(DType::complex128, 5, 1, 5)}) {
    EXPECT_TRUE(Cusolver::takes(dtype));
    const MatrixStack a = {dtype, 2, 2, 1, address(0)};
    solver.eigh(device(), a, address(4000), true, true, address(info_offset));
    EXPECT_EQ(std::tuple(made.type, made.other_type), std::tuple(type, real));
    solver.svd(device(), a, {.values = address(4000), .infos = address(info_offset)});
    EXPECT_EQ(std::tuple(made.type, made.other_type), std::tuple(type, real));
    solver.eig(device(), a, {.values = address(4000), .infos = address(info_offset)});
    EXPECT_EQ(std::tuple(made.type, made.other_type), std::tuple(type, complex));
    solver.orthonormal(device(), a, 2, address(4000), address(info_offset));
    EXPECT_EQ(made.orthonormal, type == 0 ? 0 : type == 1 ? 1 : type == 4 ? 2 : 3);
  }
  EXPECT_FALSE(Cusolver::takes(DType::float16));
  EXPECT_FALSE(Cusolver::takes(DType::int64));
}

TEST_F(CusolverTest, FactorsAndWhatComesWithThemFollowEachOther) {
  const MatrixStack a = {DType::float64, 6, 3, 2, address(0)};
  solver.lu(device(), a, address(4000), address(info_offset));
  EXPECT_EQ(made.matrices, places(0, 6 * 3 * 8, 2));
  EXPECT_EQ(made.others, places(4000, 3 * 8, 2));
  EXPECT_EQ(std::tuple(made.rows, made.columns, made.leading), std::tuple(6, 3, 6));
  made.others.clear();
  solver.qr(device(), a, address(4000), address(info_offset));
  EXPECT_EQ(made.others, places(4000, 3 * 8, 2));
  made.others.clear();
  made.matrices.clear();
  const MatrixStack wide = {DType::complex64, 6, 6, 2, address(0)};
  solver.orthonormal(device(), wide, 3, address(4000), address(info_offset));
  EXPECT_EQ(made.matrices, places(0, 6 * 6 * 8, 2));
  EXPECT_EQ(made.others, places(4000, 3 * 8, 2));
  EXPECT_EQ(std::tuple(made.rows, made.columns, made.job), std::tuple(6, 6, 3));
}

TEST_F(CusolverTest, SolvesEachWithItsOwnFactors) {
  const MatrixStack a = {DType::float64, 3, 3, 2, address(0)};
  const MatrixStack b = {DType::float64, 3, 5, 2, address(1000)};
  solver.lu_solve(device(), a, address(4000), b, address(info_offset));
  EXPECT_EQ(made.matrices, places(0, 72, 2));
  EXPECT_EQ(made.others, places(4000, 24, 2));
  EXPECT_EQ(made.vectors, places(1000, 120, 2));
  EXPECT_EQ(made.columns, 5);
  EXPECT_EQ(made.infos, infos(2));
}

TEST_F(CusolverTest, VectorsAreMadeWhereTheyAreWanted) {
  const MatrixStack a = {DType::float64, 4, 3, 2, address(0)};
  SvdResults results = {.values = address(2000), .infos = address(info_offset)};
  solver.svd(device(), a, results);
  EXPECT_EQ(made.job, 'N');
  EXPECT_EQ(made.vectors, std::vector<const void*>(4, nullptr));
  results.left = address(3000);
  results.right = address(5000);
  made.vectors.clear();
  solver.svd(device(), a, results);
  EXPECT_EQ(made.job, 'S');
  const std::vector<const void*> thin = {place(3000), place(5000), place(3096), place(5072)};
  EXPECT_EQ(made.vectors, thin);
  results.is_full = true;
  made.vectors.clear();
  solver.svd(device(), a, results);
  EXPECT_EQ(made.job, 'A');
  EXPECT_EQ(made.vectors[2], place(3128));
  const MatrixStack square = {DType::float64, 3, 3, 1, address(0)};
  made.vectors.clear();
  const EigResults with = {address(2000), address(3000), address(info_offset)};
  solver.eig(device(), square, with);
  EXPECT_EQ(made.job, cusolver::with_vectors);
  EXPECT_EQ(made.vectors, places(3000, 0, 1));
  solver.eigh(device(), square, address(2000), false, false, address(info_offset));
  EXPECT_EQ(std::tuple(made.job, made.part), std::tuple(0, cusolver::upper_part));
}

TEST_F(CusolverTest, FailuresAreErrorsWithTheCallAndTheStatus) {
  const MatrixStack a = {DType::float64, 2, 2, 1, address(0)};
  made.next = 7;
  const auto text = runtime::message_of<DeviceError>(
      [&] { solver.lu(device(), a, address(4000), address(info_offset)); });
  EXPECT_NE(text.find("cusolverDnXgetrf failed with status 7"), std::string::npos) << text;
  made.next = cusolver::allocation_failed;
  EXPECT_THROW(
      solver.orthonormal(device(), a, 2, address(4000), address(info_offset)), OutOfMemoryError);
  EXPECT_NO_THROW(solver.cholesky(device(), a, address(info_offset)));
}

TEST_F(CusolverTest, GivesBackWhatItMade) {
  {
    Cusolver other{functions};
    other.cholesky(device(), {DType::float32, 4, 4, 1, address(0)}, address(info_offset));
  }
  EXPECT_EQ(std::tuple(made.created, made.destroyed, made.params_destroyed), std::tuple(1, 1, 1));
}

TEST_F(CusolverTest, OlderLibrariesHaveNoGeneralEigenvalues) {
  EXPECT_TRUE(solver.has_eig());
  functions.geev = nullptr;
  EXPECT_FALSE(solver.has_eig());
}

TEST(CusolverLibraryTest, HasItsFunctionsWhereItIsInstalled) {
  try {
    EXPECT_NE(cusolver_library().gesvd, nullptr);
  } catch (const runtime::LibraryError& error) {
    EXPECT_EQ(error.missing(), "");
    GTEST_SKIP() << error.what();
  }
}

}  // namespace
}  // namespace phalanx::libs
