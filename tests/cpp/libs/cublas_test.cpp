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
  bool is_in_context = false;
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

template <typename Number>
void multiply_as(
    int op_a,
    int op_b,
    std::int64_t m,
    std::int64_t n,
    std::int64_t k,
    const void* alpha,
    const void* a,
    std::int64_t a_leading,
    const void* b,
    std::int64_t b_leading,
    const void* beta,
    void* c,
    std::int64_t c_leading) {
  EXPECT_EQ(*static_cast<const Number*>(alpha), Number(1));
  EXPECT_EQ(*static_cast<const Number*>(beta), Number(0));
  fake_gemm<Number>(m, n, k, {op_a == 1, a, a_leading}, {op_b == 1, b, b_leading}, c, c_leading);
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

CublasStatus gemm(
    CublasHandle /*handle*/,
    int op_a,
    int op_b,
    std::int64_t m,
    std::int64_t n,
    std::int64_t k,
    const void* alpha,
    const void* a,
    int a_type,
    std::int64_t a_leading,
    const void* b,
    int b_type,
    std::int64_t b_leading,
    const void* beta,
    void* c,
    int c_type,
    std::int64_t c_leading,
    int compute_type,
    int algorithm) {
  EXPECT_EQ(++calls->inside, 1) << "one thread at a time";
  ++calls->gemm;
  calls->type = a_type;
  calls->compute_type = compute_type;
  EXPECT_EQ(a_type, b_type);
  EXPECT_EQ(a_type, c_type);
  EXPECT_EQ(algorithm, -1);
  const auto run = [&]<typename Number>(Number) {
    multiply_as<Number>(
        op_a, op_b, m, n, k, alpha, a, a_leading, b, b_leading, beta, c, c_leading);
  };
  if (a_type == 0)
    run(float{});
  else if (a_type == 1)
    run(double{});
  else if (a_type == 4)
    run(std::complex<float>{});
  else if (a_type == 5)
    run(std::complex<double>{});
  --calls->inside;
  return outcome();
}

CublasStatus gemm_of_stack(
    CublasHandle handle,
    int op_a,
    int op_b,
    std::int64_t m,
    std::int64_t n,
    std::int64_t k,
    const void* alpha,
    const void* a,
    int a_type,
    std::int64_t a_leading,
    long long a_step,
    const void* b,
    int b_type,
    std::int64_t b_leading,
    long long b_step,
    const void* beta,
    void* c,
    int c_type,
    std::int64_t c_leading,
    long long c_step,
    std::int64_t count,
    int compute_type,
    int algorithm) {
  ++calls->gemm_of_stack;
  const auto item = static_cast<std::int64_t>(item_of(a_type));
  for (std::int64_t i = 0; i < count; ++i) {
    gemm(
        handle,
        op_a,
        op_b,
        m,
        n,
        k,
        alpha,
        static_cast<const std::byte*>(a) + i * a_step * item,
        a_type,
        a_leading,
        static_cast<const std::byte*>(b) + i * b_step * item,
        b_type,
        b_leading,
        beta,
        static_cast<std::byte*>(c) + i * c_step * item,
        c_type,
        c_leading,
        compute_type,
        algorithm);
  }
  return outcome();
}

template <typename Number>
CublasStatus gemv(
    CublasHandle /*handle*/,
    int op,
    std::int64_t m,
    std::int64_t n,
    const void* alpha,
    const void* a,
    std::int64_t leading,
    const void* x,
    std::int64_t x_increment,
    const void* beta,
    void* y,
    std::int64_t y_increment) {
  ++calls->gemv;
  EXPECT_EQ(*static_cast<const Number*>(alpha), Number(1));
  EXPECT_EQ(*static_cast<const Number*>(beta), Number(0));
  fake_gemv<Number>(m, n, {op == 1, a, leading}, x, x_increment, y, y_increment);
  return outcome();
}

constexpr CublasFunctions functions = {
    .create = create,
    .destroy = destroy,
    .set_stream = set_stream,
    .set_math_mode = set_math_mode,
    .status_text = status_text,
    .gemm = gemm,
    .gemm_of_stack = gemm_of_stack,
    .gemv_float32 = gemv<float>,
    .gemv_float64 = gemv<double>,
    .gemv_complex64 = gemv<std::complex<float>>,
    .gemv_complex128 = gemv<std::complex<double>>};

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
  for (const auto& [dtype, type] :
       {std::pair{DType::float16, 2}, std::pair{DType::bfloat16, 14}}) {
    ASSERT_TRUE(Cublas::takes(dtype));
    library.multiply(device(), {.dtype = dtype, .rows = 2, .columns = 1, .inner = 2, .a = {.leading = 2}});
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

TEST(CublasLibraryTest, OnlyTheFileThatTheVariableNamesIsTried) {
  ::setenv("PHALANX_CUBLAS", "/no/such/libcublas.so", 1);
  const runtime::LibraryChoice choice = cublas_choice();
  ::unsetenv("PHALANX_CUBLAS");
  EXPECT_EQ(choice.files, std::vector<std::string>{"/no/such/libcublas.so"});
}

}  // namespace
}  // namespace phalanx::libs
