// What cuFFT is called with: a fake library on the fake driver's device.
#include "phalanx/libs/fft_plan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "tests/cpp/libs/fake_function.h"
#include "tests/cpp/runtime/cuda_fixture.h"

namespace phalanx::libs {
namespace {

using MakeCall = arguments_of<decltype(CufftFunctions::make_plan)>;

struct Side {
  std::vector<long long> extents;
  long long stride = 0;
  long long step = 0;
  int type = -1;

  bool operator==(const Side&) const = default;
};

// What the fake library was asked for.
struct Calls {
  int created = 0;
  int destroyed = 0;
  int direction = 0;
  bool is_automatic = true;
  std::vector<long long> extents;
  Side in;
  Side out;
  long long count = 0;
  int compute_type = -1;
  void* stream = nullptr;
  void* executed_in = nullptr;
  void* executed_out = nullptr;
  CufftStatus next = cufft::success;  // of the next plan or transform
};
Calls* calls = nullptr;
const runtime::cuda::Driver* driver = nullptr;

constexpr std::size_t work_bytes = 4096;

CufftStatus outcome() {
  runtime::cuda::ContextHandle context = nullptr;
  driver->context_get_current(&context);
  EXPECT_NE(context, nullptr) << "cuFFT works in the current context";
  return std::exchange(calls->next, cufft::success);
}

CufftStatus create(CufftPlan* plan) {
  *plan = ++calls->created;
  return cufft::success;
}

CufftStatus destroy(CufftPlan /*plan*/) {
  ++calls->destroyed;
  return cufft::success;
}

CufftStatus set_stream(CufftPlan /*plan*/, void* stream) {
  calls->stream = stream;
  return cufft::success;
}

CufftStatus set_auto_allocation(CufftPlan /*plan*/, int is_automatic) {
  calls->is_automatic = is_automatic != 0;
  return cufft::success;
}

CufftStatus set_work_area(CufftPlan /*plan*/, void* memory) {
  std::memset(memory, 1, work_bytes);  // so much is there
  return cufft::success;
}

CufftStatus make_plan(const MakeCall& call) {
  const auto& [plan, rank, extents, in_extents, in_stride, in_step, in_type, out_extents, out_stride, out_step, out_type, count, bytes, compute_type] =
      call;
  EXPECT_FALSE(calls->is_automatic);
  calls->extents.assign(extents, extents + rank);
  calls->in = {{in_extents, in_extents + rank}, in_stride, in_step, in_type};
  calls->out = {{out_extents, out_extents + rank}, out_stride, out_step, out_type};
  calls->count = count;
  calls->compute_type = compute_type;
  *bytes = work_bytes;
  return outcome();
}

CufftStatus execute(CufftPlan /*plan*/, void* in, void* out, int direction) {
  calls->executed_in = in;
  calls->executed_out = out;
  calls->direction = direction;
  return outcome();
}

struct FftPlanTest : runtime::CudaFixture {
  void SetUp() override {
    calls = &made;
    driver = &fake.table();
  }

  CufftFunctions functions = {
      .create = create,
      .destroy = destroy,
      .set_stream = set_stream,
      .set_auto_allocation = set_auto_allocation,
      .set_work_area = set_work_area,
      .make_plan = fake_function<decltype(CufftFunctions::make_plan), make_plan>,
      .execute = execute};
  Calls made;
};

TEST_F(FftPlanTest, HalvesOfTheFrequenciesLieBesideRealElements) {
  const FftLayout real = {DType::float32, 1, 80};
  const FftLayout half = {DType::complex64, 1, 48};
  const FftPlan to_half(functions, device(), {{8, 10}, real, half, 3});
  EXPECT_EQ(made.extents, (std::vector<long long>{8, 10}));
  EXPECT_EQ(made.in, (Side{{8, 10}, 1, 80, 0}));
  EXPECT_EQ(made.out, (Side{{8, 6}, 1, 48, 4}));
  EXPECT_EQ(made.count, 3);
  EXPECT_EQ(made.compute_type, 4);
  const FftPlan to_real(functions, device(), {{8, 10}, half, real, 3});
  EXPECT_EQ(made.in, (Side{{8, 6}, 1, 48, 4}));
  EXPECT_EQ(made.out, (Side{{8, 10}, 1, 80, 0}));
  EXPECT_EQ(made.compute_type, 4);
}

TEST_F(FftPlanTest, ComplexElementsMayLieApart) {
  const FftLayout layout = {DType::complex128, 5, 1};
  const FftPlan plan(functions, device(), {{7}, layout, layout, 5});
  EXPECT_EQ(made.in, (Side{{7}, 5, 1, 5}));
  EXPECT_EQ(made.out, made.in);
  EXPECT_EQ(plan.work_bytes(), work_bytes);
}

TEST_F(FftPlanTest, RunsOnTheDefaultStreamWithMemoryOfItsOwn) {
  const FftLayout layout = {DType::complex64, 1, 7};
  const runtime::Buffer memory = device().allocate(112);
  const auto before = device().memory_use().used;
  {
    FftPlan plan(functions, device(), {{7}, layout, layout, 1});
    plan.run(memory.address(), memory.address() + 56, true);
    EXPECT_EQ(made.direction, cufft::inverse);
    EXPECT_EQ(reinterpret_cast<runtime::Address>(made.executed_in), memory.address());
    EXPECT_EQ(reinterpret_cast<runtime::Address>(made.executed_out), memory.address() + 56);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made.stream), stream().handle());
    plan.run(memory.address(), memory.address() + 56, false);
    EXPECT_EQ(made.direction, cufft::forward);
    EXPECT_EQ(device().memory_use().used, before);  // given back
    EXPECT_EQ(made.destroyed, 0);
  }
  EXPECT_EQ(made.destroyed, 1);
}

TEST_F(FftPlanTest, FailuresAreErrorsWithTheCallAndTheStatus) {
  const FftLayout layout = {DType::complex64, 1, 7};
  const FftShape shape = {{7}, layout, layout, 1};
  made.next = 8;
  const auto text =
      runtime::message_of<DeviceError>([&] { const FftPlan plan(functions, device(), shape); });
  EXPECT_NE(text.find("cufftXtMakePlanMany failed with status 8"), std::string::npos) << text;
  EXPECT_EQ(made.destroyed, made.created);  // also of a plan that was not made
  FftPlan plan(functions, device(), shape);
  made.next = cufft::allocation_failed;
  EXPECT_THROW(plan.run(64, 128, false), OutOfMemoryError);
  made.next = 6;
  EXPECT_THROW(plan.run(64, 128, false), DeviceError);
  EXPECT_NO_THROW(plan.run(64, 128, false));
}

TEST(CufftLibraryTest, HasAllFunctionsWhereItIsInstalled) {
  try {
    EXPECT_NE(cufft_library().execute, nullptr);
  } catch (const runtime::LibraryError& error) {
    EXPECT_EQ(error.missing(), "");
    GTEST_SKIP() << error.what();
  }
}

}  // namespace
}  // namespace phalanx::libs
