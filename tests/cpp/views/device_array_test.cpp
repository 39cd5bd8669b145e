#include "phalanx/views/device_array.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/runtime.h"
#include "phalanx/views/copier.h"
#include "tests/support/fake_driver.h"

namespace phalanx::views {
namespace {

class DeviceArrayTest : public testing::Test {
 protected:
  DeviceArrayTest() : runtime(runtime::RuntimeOptions{.device = "cpu"}) {}

  DeviceArray make(Extents shape, ir::Layout layout = ir::Layout::c) {
    return allocate_array(types, runtime.cpu(), nullptr, {DType::int32, std::move(shape), layout});
  }
  static HostArray host(std::vector<std::int32_t>& data, Extents shape, Extents strides) {
    return {data.data(), std::move(shape), std::move(strides), 4};
  }
  static std::vector<std::int32_t> numbers(std::size_t count) {
    std::vector<std::int32_t> made(count);
    std::iota(made.begin(), made.end(), 0);
    return made;
  }

  runtime::Runtime runtime;
  ir::TypeTable types;
  Copier copier{runtime, nullptr};
};

TEST_F(DeviceArrayTest, CopiesRoundTripInBothOrders) {
  auto data = numbers(24);
  const Extents shape = {2, 3, 4};
  for (const auto layout : {ir::Layout::c, ir::Layout::f}) {
    const DeviceArray array = make(shape, layout);
    const HostArray source = host(data, shape, contiguous_strides(shape, 4, ir::Layout::c));
    copier.from_host(array, source, array.queue(), true);
    std::vector<std::int32_t> back(24);
    copier.to_host(
        array, host(back, shape, contiguous_strides(shape, 4, ir::Layout::c)), array.queue(), true);
    EXPECT_EQ(back, data);
    EXPECT_EQ(array.layout(), layout);
  }
}

TEST(DeviceArraysOfTwoGpus, AreCopiedWithoutTheHost) {
  support::FakeDriver fake;
  fake.devices = 2;
  runtime::Runtime gpus({.driver = &fake.table()});
  ir::TypeTable types;
  Copier copier(gpus, nullptr);
  std::vector<std::int32_t> data = {1, 2, 3, 4};
  const HostArray host = {data.data(), {2, 2}, {8, 4}, 4};
  const auto make = [&](int ordinal) {
    return allocate_array(types, gpus.cuda(ordinal), nullptr, {DType::int32, {2, 2}});
  };
  const DeviceArray target = make(1);
  {
    const DeviceArray source = make(0);
    copier.from_host(source, host, source.queue(), true);
    copier.copy(target, source, target.queue());
  }  // its memory is given back after the copy, which has not run yet
  EXPECT_EQ(fake.calls("copy_peer"), 1);
  EXPECT_EQ(fake.calls("copy_to_host"), 0);
  std::vector<std::int32_t> back(4);
  copier.to_host(target, {back.data(), {2, 2}, {8, 4}, 4}, target.queue(), true);
  EXPECT_EQ(back, data);
}

TEST_F(DeviceArrayTest, ViewsShareMemory) {
  auto data = numbers(12);
  const DeviceArray array = make({3, 4});
  copier.from_host(array, host(data, {3, 4}, {16, 4}), array.queue(), true);
  // The second column, from below.
  const DeviceArray column = view_array(types, array, {3}, {-16}, 2 * 16 + 4, std::nullopt);
  EXPECT_EQ(column.layout(), ir::Layout::any);
  std::vector<std::int32_t> back(3);
  copier.to_host(column, host(back, {3}, {4}), array.queue(), true);
  EXPECT_EQ(back, (std::vector<std::int32_t>{9, 5, 1}));

  std::vector<std::int32_t> other = {-1, -2, -3};
  copier.from_host(column, host(other, {3}, {4}), array.queue(), true);
  std::vector<std::int32_t> whole(12);
  copier.to_host(array, host(whole, {3, 4}, {16, 4}), array.queue(), true);
  EXPECT_EQ(whole, (std::vector<std::int32_t>{0, -3, 2, 3, 4, -2, 6, 7, 8, -1, 10, 11}));
}

TEST_F(DeviceArrayTest, ViewsCannotLeaveTheMemory) {
  const DeviceArray array = make({3, 4});
  EXPECT_THROW(view_array(types, array, {13}, {4}, 0, std::nullopt), ValueError);
  EXPECT_THROW(view_array(types, array, {2}, {-4}, 0, std::nullopt), ValueError);
  EXPECT_THROW(view_array(types, array, {1}, {4}, 48, std::nullopt), ValueError);
  EXPECT_THROW(view_array(types, array, {1}, {4, 4}, 0, std::nullopt), ValueError);
  EXPECT_THROW(view_array(types, array, {6}, {8}, 4, ir::Type(DType::int64)), ValueError);
  EXPECT_NO_THROW(view_array(types, array, {0}, {4}, 0, std::nullopt));
  EXPECT_NO_THROW(view_array(types, array, {1000}, {0}, 44, std::nullopt));
}

TEST_F(DeviceArrayTest, MemoryLivesAsLongAsAView) {
  DeviceArray view;
  {
    const DeviceArray array = make({4});
    const std::int32_t seven = 7;
    copier.fill(array, std::as_bytes(std::span(&seven, 1)), array.queue());
    view = view_array(types, array, {2}, {8}, 4, std::nullopt);
  }
  std::vector<std::int32_t> back(2);
  copier.to_host(view, host(back, {2}, {4}), view.queue(), true);
  EXPECT_EQ(back, (std::vector<std::int32_t>{7, 7}));
}

TEST_F(DeviceArrayTest, FillsStridedViewsToo) {
  const DeviceArray array = make({2, 3});
  const std::int32_t zero = 0;
  const std::int32_t one = 1;
  copier.fill(array, std::as_bytes(std::span(&zero, 1)), array.queue());
  const DeviceArray column = view_array(types, array, {2}, {12}, 8, std::nullopt);
  copier.fill(column, std::as_bytes(std::span(&one, 1)), array.queue());
  std::vector<std::int32_t> whole(6);
  copier.to_host(array, host(whole, {2, 3}, {12, 4}), array.queue(), true);
  EXPECT_EQ(whole, (std::vector<std::int32_t>{0, 0, 1, 0, 0, 1}));
}

TEST_F(DeviceArrayTest, CopiesBetweenOrders) {
  auto data = numbers(6);
  const DeviceArray c = make({2, 3}, ir::Layout::c);
  const DeviceArray f = make({2, 3}, ir::Layout::f);
  copier.from_host(c, host(data, {2, 3}, {12, 4}), c.queue(), true);
  copier.copy(f, c, f.queue());
  std::vector<std::int32_t> raw(6);
  std::memcpy(raw.data(), f.host, 24);
  EXPECT_EQ(raw, (std::vector<std::int32_t>{0, 3, 1, 4, 2, 5}));
}

TEST_F(DeviceArrayTest, WrongShapesAreErrors) {
  std::vector<std::int32_t> data(12);
  const DeviceArray array = make({3, 4});
  EXPECT_THROW(
      copier.from_host(array, host(data, {4, 3}, {12, 4}), array.queue(), true), ValueError);
  HostArray wide = host(data, {3, 4}, {16, 4});
  wide.item_bytes = 8;
  EXPECT_THROW(copier.from_host(array, wide, array.queue(), true), ValueError);
  EXPECT_THROW(make({-1}), ValueError);
  EXPECT_THROW(make({std::int64_t{1} << 40, std::int64_t{1} << 40}), OutOfMemoryError);
}

TEST_F(DeviceArrayTest, EmptyArraysAreFine) {
  std::vector<std::int32_t> none(1);
  const DeviceArray array = make({0, 4});
  EXPECT_EQ(array.bytes(), 0U);
  EXPECT_EQ(array.layout(), ir::Layout::c);
  EXPECT_NO_THROW(copier.from_host(array, host(none, {0, 4}, {16, 4}), array.queue(), true));
  EXPECT_NO_THROW(copier.to_host(array, host(none, {0, 4}, {16, 4}), array.queue(), true));
}

// As NumPy flags them: extents of 1 may have any stride, and nothing is contiguous in both orders.
TEST(LayoutOf, IsAsNumpyFlagsIt) {
  EXPECT_EQ(layout_of({}, {}, 4), ir::Layout::c);
  EXPECT_EQ(layout_of({5}, {4}, 4), ir::Layout::c);
  EXPECT_EQ(layout_of({5}, {8}, 4), ir::Layout::any);
  EXPECT_EQ(layout_of({1}, {8}, 4), ir::Layout::c);
  EXPECT_EQ(layout_of({2, 3}, {4, 8}, 4), ir::Layout::f);
  EXPECT_EQ(layout_of({1, 3}, {999, 4}, 4), ir::Layout::c);
  EXPECT_EQ(layout_of({0, 3}, {7, 9}, 4), ir::Layout::c);
  EXPECT_EQ(layout_of({2, 2}, {-8, 4}, 4), ir::Layout::any);
}

}  // namespace
}  // namespace phalanx::views
