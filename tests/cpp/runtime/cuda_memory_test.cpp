// Memory of the CUDA device: the pool, pinned memory, copies, fills.
#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

#include "phalanx/runtime/cuda/staging.h"
#include "tests/cpp/runtime/cuda_fixture.h"

namespace phalanx::runtime {
namespace {

using CudaMemory = CudaFixture;
using cuda::Staging;

std::vector<std::byte> noise(std::size_t bytes, unsigned seed = 1) {
  std::vector<std::byte> result(bytes);
  std::mt19937 random(seed);
  for (std::byte& byte : result) byte = static_cast<std::byte>(random());
  return result;
}

TEST_F(CudaMemory, GivesBackWhatABufferHeld) {
  {
    Buffer buffer = device().allocate(1000);
    EXPECT_NE(buffer.address(), 0U);
    EXPECT_EQ(buffer.host(), nullptr);
    EXPECT_EQ(buffer.size(), 1000U);
    EXPECT_EQ(device().memory_info().used_here, 1000U);
    Buffer moved = std::move(buffer);
    EXPECT_EQ(moved.size(), 1000U);
  }
  EXPECT_EQ(fake.live_device_bytes(), 0U);
  EXPECT_EQ(device().memory_info().used_here, 0U);
  EXPECT_EQ(device().memory_info().cached_here, 1000U);
}

TEST_F(CudaMemory, NeedsNothingForZeroBytes) {
  Buffer buffer = device().allocate(0);
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(fake.calls("pool_allocate"), 0);
  device().copy_to_device(0, nullptr, 0, stream());
  device().copy_to_host(nullptr, 0, 0, stream());
}

TEST_F(CudaMemory, WorksOnADeviceWithoutPools) {
  fake.has_pools = false;
  device().allocate(1000).release();
  EXPECT_EQ(fake.calls("memory_allocate"), 1);
  EXPECT_EQ(fake.live_device_bytes(), 0U);
}

TEST_F(CudaMemory, FreesAfterTheStreamsThatUseTheMemory) {
  // The kernel on the second stream is still queued when the buffer goes: it must find the memory.
  const auto home = device().create_stream(StreamKind::non_blocking);
  const auto other = device().create_stream(StreamKind::non_blocking);
  Buffer buffer = device().allocate(4, MemoryKind::device, home);
  const Address address = buffer.address();
  const auto writer = kernel("writer", [address](const auto&) {
    *reinterpret_cast<int*>(address) = 7;  // the sanitizer sees it when it is freed already
    return 0;
  });
  buffer.used_on(other);
  EXPECT_EQ(fake.calls("stream_wait"), 1);  // the other stream waits for the memory
  device().launch(*writer, {}, {}, *other);
  buffer.release();
  home->synchronize();
  EXPECT_EQ(fake.live_device_bytes(), 0U);
  EXPECT_EQ(fake.calls("stream_wait"), 2);
}

TEST_F(CudaMemory, IsUsedByAnotherStreamOnlyWhenTheOneBeforeIsDoneWithIt) {
  // The pool hands the memory out again at once: it is only free in the home stream's order.
  const auto other = device().create_stream(StreamKind::non_blocking);
  std::vector<std::string> order;
  const auto slow = kernel("slow", [&](const auto&) {
    order.emplace_back("slow");
    return 0;
  });
  const auto next = kernel("next", [&](const auto&) {
    order.emplace_back("next");
    return 0;
  });
  Buffer first = device().allocate(4);
  launch(*slow);
  first.release();
  Buffer second = device().allocate(4);
  second.used_on(other);
  device().launch(*next, {}, {}, *other);
  other->synchronize();
  EXPECT_EQ(order, (std::vector<std::string>{"slow", "next"}));
}

TEST_F(CudaMemory, NeedsNoEventsBetweenStreamsThatAreOrderedAnyway) {
  const auto blocking = device().create_stream(StreamKind::blocking);
  Buffer(device().allocate(4)).used_on(blocking);
  EXPECT_EQ(fake.calls("pool_free"), 1);
  EXPECT_EQ(fake.calls("stream_wait"), 0);
}

TEST_F(CudaMemory, DoesNotKeepEveryStreamThatUsedIt) {
  Buffer buffer = device().allocate(4);
  for (int i = 0; i < 20; ++i) {
    const auto passing = device().create_stream(StreamKind::non_blocking);
    buffer.used_on(passing);
    passing->synchronize();
  }
  EXPECT_LT(fake.live_streams(), 6U);
}

TEST_F(CudaMemory, FreesWhatAThreadsDefaultStreamUsedInTheLegacyOne) {
  const auto own = device().create_stream(StreamKind::per_thread_default);
  Buffer buffer = device().allocate(4, MemoryKind::device, own);
  std::thread([&] { buffer.release(); }).join();
  EXPECT_EQ(fake.calls("pool_free"), 1);
  EXPECT_EQ(fake.last_free_stream(), cuda::legacy_stream());
}

TEST_F(CudaMemory, TellsWhoHoldsTheMemoryWhenThereIsNotEnough) {
  fake.foreign_memory = 24U << 20;
  const Buffer ours = device().allocate(16U << 20);
  const std::string text =
      message_of<OutOfMemoryError>([&] { static_cast<void>(device().allocate(32U << 20)); });
  EXPECT_EQ(
      text,
      "out of memory on cuda:0: 32.0 MiB (33554432 bytes) asked, 24.0 MiB free of 64.0 MiB; held "
      "by: Phalanx 16.0 MiB in 1 arrays and 0 bytes cached by its pool, other libraries and "
      "processes 24.0 MiB");
}

TEST_F(CudaMemory, GivesUpItsCacheBeforeItFails) {
  device().allocate(40U << 20).release();
  device().synchronize();
  const Buffer larger = device().allocate(50U << 20);
  EXPECT_EQ(larger.size(), 50U << 20);
  EXPECT_EQ(fake.calls("pool_trim"), 1);
}

TEST_F(CudaMemory, WorksOnAfterOutOfMemory) {
  EXPECT_THROW(static_cast<void>(device().allocate(1U << 30)), OutOfMemoryError);
  EXPECT_EQ(device().allocate(1U << 20).size(), 1U << 20);
}

class CudaCopies : public CudaFixture, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(CudaCopies, BringPageableMemoryThereAndBack) {
  fake.total_memory = std::size_t{256} << 20;
  const std::vector<std::byte> data = noise(GetParam());
  Buffer buffer = device().allocate(data.size());
  {
    std::vector<std::byte> source = data;
    device().copy_to_device(buffer.address(), source.data(), source.size(), stream());
    std::ranges::fill(source, std::byte{0});  // it may be reused on return
  }
  std::vector<std::byte> back(data.size());
  device().copy_to_host(back.data(), buffer.address(), back.size(), stream());
  EXPECT_TRUE(back == data);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes,
    CudaCopies,
    ::testing::Values(
        1,
        Staging::worthwhile_bytes - 1,
        Staging::worthwhile_bytes,
        Staging::chunk_bytes,
        Staging::chunk_bytes + 1,
        2 * Staging::chunk_bytes,
        5 * Staging::chunk_bytes - 3));

TEST_F(CudaMemory, CopiesPinnedMemoryWithoutWaiting) {
  const std::vector<std::byte> data = noise(1U << 20);
  const Buffer pinned = device().allocate(data.size(), MemoryKind::pinned);
  const Buffer there = device().allocate(data.size());
  std::memcpy(pinned.host(), data.data(), data.size());
  device().copy_to_device(there.address(), pinned.host(), data.size(), stream());
  EXPECT_FALSE(stream().query());
  const Buffer back = device().allocate(data.size(), MemoryKind::mapped);
  device().copy_to_host(back.host(), there.address(), data.size(), stream());
  EXPECT_NE(std::memcmp(back.host(), data.data(), data.size()), 0);
  stream().synchronize();
  EXPECT_TRUE(stream().query());
  EXPECT_EQ(std::memcmp(back.host(), data.data(), data.size()), 0);
}

TEST_F(CudaMemory, ReusesPinnedMemoryOnlyWhenItsCopiesAreDone) {
  const Buffer there = device().allocate(1U << 20);
  Buffer first = device().allocate(1U << 20, MemoryKind::pinned);
  const void* place = first.host();
  device().copy_to_device(there.address(), first.host(), first.size(), stream());
  first.release();
  const Buffer second = device().allocate(1U << 20, MemoryKind::pinned);
  EXPECT_NE(second.host(), place);
  stream().synchronize();
  const Buffer third = device().allocate(1U << 20, MemoryKind::pinned);
  EXPECT_EQ(third.host(), place);
}

TEST_F(CudaMemory, PinsMemoryOfTheHostForAWhile) {
  std::vector<std::byte> data = noise(1U << 20);
  const Buffer there = device().allocate(data.size());
  {
    const std::shared_ptr<void> pin = device().pin(data.data(), data.size(), false);
    const std::shared_ptr<void> again = device().pin(data.data(), data.size(), false);
    device().copy_to_device(there.address(), data.data(), data.size(), stream());
    EXPECT_FALSE(stream().query());
    stream().synchronize();
  }
  EXPECT_EQ(fake.calls("host_unregister"), 1);
}

TEST_F(CudaMemory, ManagedMemoryHasOneAddress) {
  const Buffer buffer = device().allocate(64, MemoryKind::managed);
  EXPECT_EQ(reinterpret_cast<Address>(buffer.host()), buffer.address());
}

template <typename T>
void expect_filled(Device& device, T value) {
  constexpr std::size_t count = 37;
  Buffer buffer = device.allocate(count * sizeof(T));
  device.fill(
      buffer.address(), std::as_bytes(std::span(&value, 1)), count, *device.default_stream());
  std::vector<T> back(count);
  device.copy_to_host(back.data(), buffer.address(), count * sizeof(T), *device.default_stream());
  for (const T& item : back) EXPECT_EQ(std::memcmp(&item, &value, sizeof(T)), 0);
}

struct Sixteen {
  std::uint32_t words[4] = {1, 2, 3, 4};
};

TEST_F(CudaMemory, FillsWithPatternsOfEverySize) {
  expect_filled<std::uint8_t>(device(), 0xab);
  expect_filled<std::uint16_t>(device(), 0xabcd);
  expect_filled<float>(device(), 1.5F);
  expect_filled<double>(device(), 0.1);
  expect_filled<std::uint64_t>(device(), 0);
  expect_filled<Sixteen>(device(), {});
  EXPECT_EQ(fake.calls("fill_rows_32"), 2 + 4);
  std::byte three[3] = {};
  EXPECT_THROW(device().fill(64, three, 1, stream()), ValueError);
}

TEST_F(CudaMemory, CopiesFromManyThreads) {
  fake.total_memory = std::size_t{256} << 20;
  static_cast<void>(device().default_stream());
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([this, seed] {
      const auto own = device().create_stream(StreamKind::non_blocking);
      const std::vector<std::byte> data = noise(Staging::chunk_bytes + 7, seed);
      Buffer buffer = device().allocate(data.size(), MemoryKind::device, own);
      device().copy_to_device(buffer.address(), data.data(), data.size(), *own);
      std::vector<std::byte> back(data.size());
      device().copy_to_host(back.data(), buffer.address(), back.size(), *own);
      EXPECT_TRUE(back == data);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(CudaMemory, LeavesNothingBehind) {
  fake.total_memory = std::size_t{256} << 20;
  {
    const Buffer pinned = device().allocate(100, MemoryKind::pinned);
    const std::vector<std::byte> data = noise(3 * Staging::chunk_bytes);
    const Buffer there = device().allocate(data.size());
    device().copy_to_device(there.address(), data.data(), data.size(), stream());
    const auto own = device().create_stream(StreamKind::blocking);
    const auto event = device().create_event(true);
    event->record(*own);
  }
  runtime.reset();
  EXPECT_EQ(fake.live_device_bytes(), 0U);
  EXPECT_EQ(fake.live_host_blocks(), 0U);
  EXPECT_EQ(fake.live_events(), 0U);
  EXPECT_EQ(fake.live_streams(), 0U);
}

}  // namespace
}  // namespace phalanx::runtime
