// What cuBLAS is called with: a fake library on the fake driver's device.
#include "phalanx/libs/cublas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "tests/cpp/libs/check_products.h"
#include "tests/cpp/libs/fake_function.h"
#include "tests/cpp/libs/fake_gemm.h"
#include "tests/cpp/runtime/cuda_fixture.h"

namespace phalanx::libs {
namespace {

// What the fake library was asked for.
struct Calls {
  int create = 0;
  int destroy = 0;
  int gemm = 0;
  int gemm_of_stack = 0;
  int gemv = 0;
  int math_mode = -1;
  int type = -1;
  int compute_type = -1;
  void* stream = nullptr;
  CublasStatus next = cublas::success;  // of the next call
  std::atomic<int> inside = 0;
};
Calls* calls = nullptr;
const runtime::cuda::Driver* driver = nullptr;

CublasStatus outcome() {
  runtime::cuda::ContextHandle context = nullptr;
  driver->context_get_current(&context);
  EXPECT_NE(context, nullptr) << "cuBLAS works in the current context";
  return std::exchange(calls->next, cublas::success);
}

CublasStatus create(CublasHandle* handle) {
  ++calls->create;
  *handle = reinterpret_cast<CublasHandle>(calls);
  return outcome();
}

CublasStatus destroy(CublasHandle handle) {
  EXPECT_EQ(handle, reinterpret_cast<CublasHandle>(calls));
  ++calls->destroy;
  return outcome();
}

CublasStatus set_stream(CublasHandle /*handle*/, void* stream) {
  calls->stream = stream;
  return cublas::success;
}

CublasStatus set_math_mode(CublasHandle /*handle*/, int mode) {
  calls->math_mode = mode;
  return cublas::success;
}

const char* status_text(CublasStatus status) {
  return status == 13 ? "the function failed to launch" : "another text";
}

std::size_t item_of(int type) {
  switch (type) {
    case 0:
      return 4;
    case 1:
    case 4:
      return 8;
    default:
      return 16;
  }
}

// The small floats' products are not computed.
void run_as(int type, const FakeGemm& product, const void* alpha, const void* beta) {
  const auto as = [&]<typename Number>(Number /*of*/) {
    expect_one_and_zero<Number>(alpha, beta);
    run<Number>(product);
  };
  if (type == 0)
    as(float{});
  else if (type == 1)
    as(double{});
  else if (type == 4)
    as(std::complex<float>{});
  else if (type == 5)
    as(std::complex<double>{});
  else
    expect_one_and_zero<float>(alpha, beta);
}

using GemmCall = arguments_of<decltype(CublasFunctions::gemm)>;
using StackCall = arguments_of<decltype(CublasFunctions::gemm_of_stack)>;
using GemvCall = arguments_of<decltype(CublasFunctions::gemv_float32)>;

CublasStatus gemm(const GemmCall& call) {
  const auto& [handle, op_a, op_b, m, n, k, alpha, a, a_type, a_leading, b, b_type, b_leading, beta, c, c_type, c_leading, compute_type, algorithm] =
      call;
  EXPECT_EQ(++calls->inside, 1) << "one thread at a time";
  ++calls->gemm;
  calls->type = a_type;
  calls->compute_type = compute_type;
  EXPECT_EQ(a_type, b_type);
  EXPECT_EQ(a_type, c_type);
  EXPECT_EQ(algorithm, -1);
  run_as(
      a_type,
      {m, n, k, {op_a == 1, a, a_leading}, {op_b == 1, b, b_leading}, c, c_leading},
      alpha,
      beta);
  --calls->inside;
  return outcome();
}

CublasStatus gemm_of_stack(const StackCall& call) {
  const auto& [handle, op_a, op_b, m, n, k, alpha, a, a_type, a_leading, a_step, b, b_type, b_leading, b_step, beta, c, c_type, c_leading, c_step, count, compute_type, algorithm] =
      call;
  ++calls->gemm_of_stack;
  const auto item = static_cast<std::int64_t>(item_of(a_type));
  for (std::int64_t i = 0; i < count; ++i) {
    const void* const left = static_cast<const std::byte*>(a) + i * a_step * item;
    const void* const right = static_cast<const std::byte*>(b) + i * b_step * item;
    void* const result = static_cast<std::byte*>(c) + i * c_step * item;
    gemm(
        {handle,
         op_a,
         op_b,
         m,
         n,
         k,
         alpha,
         left,
         a_type,
         a_leading,
         right,
         b_type,
         b_leading,
         beta,
         result,
         c_type,
         c_leading,
         compute_type,
         algorithm});
  }
  return outcome();
}

template <typename Number>
CublasStatus gemv(const GemvCall& call) {
  const auto& [handle, op, m, n, alpha, a, leading, x, x_increment, beta, y, y_increment] = call;
  ++calls->gemv;
  expect_one_and_zero<Number>(alpha, beta);
  run<Number>(FakeGemv{m, n, {op == 1, a, leading}, x, x_increment, y, y_increment});
  return outcome();
}

template <typename Number>
constexpr auto fake_gemv = fake_function<decltype(CublasFunctions::gemv_float32), gemv<Number>>;

constexpr CublasFunctions functions = {
    .create = create,
    .destroy = destroy,
    .set_stream = set_stream,
    .set_math_mode = set_math_mode,
    .status_text = status_text,
    .gemm = fake_function<decltype(CublasFunctions::gemm), gemm>,
    .gemm_of_stack = fake_function<decltype(CublasFunctions::gemm_of_stack), gemm_of_stack>,
    .gemv_float32 = fake_gemv<float>,
    .gemv_float64 = fake_gemv<double>,
    .gemv_complex64 = fake_gemv<std::complex<float>>,
    .gemv_complex128 = fake_gemv<std::complex<double>>};

struct CublasTest : runtime::CudaFixture {
  CublasTest() {
    calls = &made;
    driver = &fake.table();
  }
  Multiply multiply() {
    return [this](const Product& product) { library.multiply(device(), product); };
  }

  Calls made;
  Cublas library{functions};
};

TEST_F(CublasTest, MultipliesByRowsThroughCallsByColumns) {
  check_products<float>(multiply());
  check_products<double>(multiply());
  check_products<std::complex<float>>(multiply());
  check_products<std::complex<double>>(multiply());
  EXPECT_EQ(made.create, 1);
}

TEST_F(CublasTest, TheHandleIsOnTheDefaultStreamInFullPrecision) {
  check_product<float>(multiply(), {3, 4, 5}, true, true);
  EXPECT_EQ(made.stream, reinterpret_cast<void*>(stream().handle()));
  EXPECT_EQ(made.math_mode, 16);
  EXPECT_EQ(made.type, 0);
  EXPECT_EQ(made.compute_type, 68);
  check_product<std::complex<double>>(multiply(), {3, 4, 5}, true, true);
  EXPECT_EQ(made.type, 5);
  EXPECT_EQ(made.compute_type, 70);
}

TEST_F(CublasTest, SmallFloatsComputeInFloat32) {
  for (const auto& [dtype, type] : {std::pair{DType::float16, 2}, std::pair{DType::bfloat16, 14}}) {
    ASSERT_TRUE(Cublas::takes(dtype));
    library.multiply(
        device(), {.dtype = dtype, .rows = 2, .columns = 1, .inner = 2, .a = {.leading = 2}});
    EXPECT_EQ(made.type, type);
    EXPECT_EQ(made.compute_type, 68);
  }
  EXPECT_EQ(made.gemv, 0);
  EXPECT_FALSE(Cublas::takes(DType::int32));
  EXPECT_FALSE(Cublas::takes(DType::boolean));
}

TEST_F(CublasTest, StacksAndVectorsHaveCallsOfTheirOwn) {
  check_product<float>(multiply(), {3, 4, 5, 6}, true, false);
  EXPECT_EQ(made.gemm_of_stack, 1);
  check_product<float>(multiply(), {3, 4, 1}, true, false);
  check_product<float>(multiply(), {1, 4, 5}, true, false);
  EXPECT_EQ(made.gemv, 2);
}

TEST_F(CublasTest, FailuresAreErrorsWithTheLibrarysText) {
  check_product<float>(multiply(), {3, 4, 5}, true, true);
  made.next = 13;
  const std::string text = runtime::message_of<DeviceError>(
      [&] { check_product<float>(multiply(), {3, 4, 5}, true, true); });
  EXPECT_EQ(text, "cublasGemmEx failed: the function failed to launch");
}

TEST_F(CublasTest, ADeviceWhoseMemoryThePoolKeepsIsTriedAgain) {
  made.next = cublas::allocation_failed;
  check_product<float>(multiply(), {3, 4, 5}, true, true);
  EXPECT_EQ(made.create, 2);
}

TEST_F(CublasTest, ThreadsTakeTurns) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int each = 0; each < 20; ++each)
        check_product<double>(multiply(), {3, 4, 5}, true, true);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made.create, 1);
}

TEST_F(CublasTest, HandlesAreGivenBack) {
  {
    Cublas other(functions);
    const auto through = [&](const Product& product) { other.multiply(device(), product); };
    check_product<double>(through, {3, 4, 5}, true, true);
    EXPECT_EQ(made.create, 1);
  }
  EXPECT_EQ(made.destroy, 1);
}

TEST(CublasLibraryTest, IsLookedForInTheToolkitThatIsNamed) {
  namespace fs = std::filesystem;
  const fs::path toolkit = fs::path(testing::TempDir()) / "toolkit";
  fs::create_directories(toolkit / "lib64");
  std::ofstream(toolkit / "lib64" / "libcublas.so.12") << "no library";
  ::setenv("CUDA_HOME", toolkit.c_str(), 1);
  const runtime::LibraryChoice choice = cublas_choice();
  ::unsetenv("CUDA_HOME");
  const auto found =
      std::ranges::find(choice.files, (toolkit / "lib64" / "libcublas.so.12").string());
  EXPECT_NE(found, choice.files.end());
  EXPECT_EQ(choice.files.back(), "libcublas.so.12");
  EXPECT_NE(choice.remedy.find("pip install nvidia-cublas"), std::string::npos);
  fs::remove_all(toolkit);
}

TEST(CublasLibraryTest, HasAllFunctionsWhereItIsInstalled) {
  try {
    EXPECT_NE(std::string(cublas_library().status_text(1)), "");
  } catch (const runtime::LibraryError& error) {
    EXPECT_EQ(error.missing(), "");
    GTEST_SKIP() << error.what();
  }
}

TEST(CublasLibraryTest, OnlyTheFileThatTheVariableNamesIsTried) {
  ::setenv("PHALANX_CUBLAS", "/no/such/libcublas.so", 1);
  const runtime::LibraryChoice choice = cublas_choice();
  ::unsetenv("PHALANX_CUBLAS");
  EXPECT_EQ(choice.files, std::vector<std::string>{"/no/such/libcublas.so"});
}

}  // namespace
}  // namespace phalanx::libs
