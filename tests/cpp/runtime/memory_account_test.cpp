// Limits of a device's memory, and who is asked for memory before an allocation fails.
#include "phalanx/runtime/memory_account.h"

#include <optional>
#include <vector>

#include "tests/cpp/runtime/cuda_fixture.h"

namespace phalanx::runtime {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

// Holds buffers that it can do without.
struct Holder final : MemoryReclaimer {
  std::vector<Buffer> buffers;
  std::vector<std::uint64_t> asked;

  std::uint64_t reclaim(Device&, std::uint64_t bytes) override {
    asked.push_back(bytes);
    if (buffers.empty())
      return 0;
    const std::uint64_t freed = buffers.back().size();
    buffers.pop_back();
    return freed;
  }
  std::string holders(Device&) override { return "\nthe holder"; }
};

struct MemoryAccountTest : CudaFixture {};

TEST(MemoryAccount, CountsWhatIsUsedAndTheMost) {
  MemoryAccount account;
  EXPECT_TRUE(account.take(100));
  account.give_back(40);
  EXPECT_EQ(account.use().used, 60U);
  EXPECT_EQ(account.use().peak, 100U);
  EXPECT_EQ(account.use().limit, std::nullopt);
  account.set_limit(100);
  EXPECT_FALSE(account.take(41));
  EXPECT_EQ(account.excess(41), 1U);
  EXPECT_TRUE(account.take(40));
  EXPECT_EQ(account.use().limit, 100U);
}

TEST_F(MemoryAccountTest, RefusesWhatIsBeyondTheLimit) {
  device().set_memory_limit(4 * mib);
  const Buffer kept = device().allocate(3 * mib);
  const std::string text =
      message_of<OutOfMemoryError>([&] { const Buffer more = device().allocate(2 * mib); });
  EXPECT_EQ(
      text,
      "out of memory on cuda:0: 2.0 MiB (2097152 bytes) asked, 3.0 MiB in use of the limit of 4.0 "
      "MiB; free arrays, raise the limit with px.set_memory_limit(), or let results go to a file "
      "with out=px.memmap(...)");
  EXPECT_EQ(device().memory_use().used, 3 * mib);
  device().set_memory_limit(std::nullopt);
  EXPECT_EQ(device().allocate(2 * mib).size(), 2 * mib);
}

TEST_F(MemoryAccountTest, CountsNoPinnedMemory) {
  device().set_memory_limit(mib);
  EXPECT_EQ(device().allocate(2 * mib, MemoryKind::pinned).size(), 2 * mib);
  EXPECT_EQ(device().memory_use().used, 0U);
}

TEST_F(MemoryAccountTest, AnAllocationThatFailsIsNotCounted) {
  fake.fail_next("pool_allocate", cuda::result::invalid_value);
  EXPECT_THROW(device().allocate(mib), DeviceError);
  EXPECT_EQ(device().memory_use().used, 0U);
}

TEST_F(MemoryAccountTest, ThePoolGivesBackWhatIsBeyondTheLimit) {
  device().set_memory_limit(4 * mib);
  device().allocate(3 * mib).release();
  device().synchronize();
  const Buffer kept = device().allocate(2 * mib);
  EXPECT_LE(device().cached_memory() + kept.size(), 4 * mib);
}

TEST_F(MemoryAccountTest, HoldersAreAskedBeforeTheLimitRefuses) {
  const auto holder = std::make_shared<Holder>();
  device().add_memory_reclaimer(holder);
  for (int i = 0; i < 3; ++i) holder->buffers.push_back(device().allocate(mib));
  device().set_memory_limit(4 * mib);
  const Buffer large = device().allocate(3 * mib);
  EXPECT_EQ(holder->asked, (std::vector<std::uint64_t>{2 * mib, mib}));
  EXPECT_EQ(holder->buffers.size(), 1U);
  const std::string text =
      message_of<OutOfMemoryError>([&] { const Buffer more = device().allocate(5 * mib); });
  EXPECT_NE(text.find("\nthe holder"), std::string::npos) << text;
}

TEST_F(MemoryAccountTest, HoldersAreAskedWhereTheDeviceHasNoMore) {
  fake.total_memory = 8 * mib;
  const auto holder = std::make_shared<Holder>();
  device().add_memory_reclaimer(holder);
  for (int i = 0; i < 3; ++i) holder->buffers.push_back(device().allocate(2 * mib));
  EXPECT_EQ(device().allocate(4 * mib).size(), 4 * mib);
  EXPECT_LT(holder->buffers.size(), 3U);
}

TEST_F(MemoryAccountTest, AHolderThatIsGoneIsNotAsked) {
  device().add_memory_reclaimer(std::make_shared<Holder>());
  device().set_memory_limit(mib);
  EXPECT_THROW(device().allocate(2 * mib), OutOfMemoryError);
}

}  // namespace
}  // namespace phalanx::runtime
