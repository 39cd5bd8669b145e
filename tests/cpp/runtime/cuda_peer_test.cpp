// Memory of one GPU for another: copies, and access for kernels.
#include <vector>

#include "tests/cpp/runtime/cuda_fixture.h"

namespace phalanx::runtime {
namespace {

struct CudaPeers : CudaFixture {
  CudaPeers() { fake.devices = 2; }

  Device& other() { return runtime->cuda(1); }

  Buffer filled(Device& where, const std::vector<int>& data) {
    Buffer buffer = where.allocate(data.size() * sizeof(int));
    where.copy_to_device(buffer.address(), data.data(), buffer.size(), *where.default_stream());
    return buffer;
  }

  std::vector<int> content(Device& where, const Buffer& buffer) {
    std::vector<int> data(buffer.size() / sizeof(int));
    where.copy_to_host(data.data(), buffer.address(), buffer.size(), *where.default_stream());
    return data;
  }
};

TEST_F(CudaPeers, CopyInTheOrderOfTheReceivingStream) {
  const std::vector<int> data = {1, 2, 3};
  const Buffer source = filled(device(), data);
  Buffer target = filled(other(), {0, 0, 0});
  const auto queue = other().create_stream(StreamKind::non_blocking);
  target.used_on(queue);
  other().cuda()->copy_from_peer(
      target.address(), device(), source.address(), source.size(), *queue);
  EXPECT_EQ(fake.calls("copy_peer"), 1);
  EXPECT_FALSE(queue->query());  // nobody waited
  EXPECT_EQ(content(other(), target), (std::vector<int>{0, 0, 0}));
  queue->synchronize();
  EXPECT_EQ(content(other(), target), data);
}

TEST_F(CudaPeers, WaitForWorkOfTheGivingDeviceByAnEvent) {
  const Buffer source = filled(device(), {1});
  const Buffer target = filled(other(), {0});
  const auto giving = device().create_stream(StreamKind::non_blocking);
  const auto writer = kernel("writer", [address = source.address()](const auto&) {
    *reinterpret_cast<int*>(address) = 7;
    return 0;
  });
  device().launch(*writer, {}, {}, *giving);
  const auto written = device().create_event(false);
  written->record(*giving);
  const auto queue = other().create_stream(StreamKind::non_blocking);
  queue->wait(*written);
  other().cuda()->copy_from_peer(target.address(), device(), source.address(), 4, *queue);
  queue->synchronize();
  EXPECT_EQ(content(other(), target), std::vector<int>{7});
}

TEST_F(CudaPeers, AreAPlainCopyOnOneDevice) {
  const Buffer source = filled(device(), {5});
  const Buffer target = filled(device(), {0});
  device().cuda()->copy_from_peer(target.address(), device(), source.address(), 4, stream());
  EXPECT_EQ(content(device(), target), std::vector<int>{5});
  EXPECT_EQ(fake.calls("copy_peer"), 0);
  device().cuda()->copy_from_peer(0, other(), 0, 0, stream());  // no bytes
  EXPECT_EQ(fake.calls("copy_peer"), 0);
}

TEST_F(CudaPeers, RefuseOtherStreamsAndOtherDevices) {
  const Buffer source = filled(device(), {5});
  const Buffer target = filled(other(), {0});
  CudaFeatures& receiving = *other().cuda();
  EXPECT_THROW(
      receiving.copy_from_peer(target.address(), device(), source.address(), 4, stream()),
      TypeError);
  EXPECT_THROW(
      receiving.copy_from_peer(
          target.address(), runtime->cpu(), source.address(), 4, *other().default_stream()),
      TypeError);
  EXPECT_THROW(receiving.enable_peer_access(runtime->cpu()), TypeError);
}

TEST_F(CudaPeers, AreGivenAccessOnceAndMoreOften) {
  EXPECT_TRUE(device().cuda()->can_access_peer(other()));
  EXPECT_FALSE(device().cuda()->can_access_peer(device()));
  device().cuda()->enable_peer_access(other());
  EXPECT_EQ(fake.pool_reader(), 0);  // of the other's pool
  device().cuda()->enable_peer_access(other());
  other().cuda()->enable_peer_access(device());
  EXPECT_EQ(fake.pool_reader(), 1);
  device().cuda()->enable_peer_access(device());
  EXPECT_EQ(fake.calls("peer_enable"), 3);
}

TEST_F(CudaPeers, AskForAccessBeforeTheFirstCopyAlone) {
  const Buffer source = filled(device(), {5});
  const Buffer target = filled(other(), {0});
  CudaFeatures& receiving = *other().cuda();
  const auto copy = [&] {
    receiving.copy_from_peer(
        target.address(), device(), source.address(), 4, *other().default_stream());
    return content(other(), target);
  };
  EXPECT_EQ(copy(), std::vector<int>{5});
  EXPECT_EQ(fake.pool_reader(), 1);  // of the giving device's pool
  EXPECT_EQ(copy(), std::vector<int>{5});
  EXPECT_EQ(fake.calls("peer_enable"), 1);
  EXPECT_TRUE(receiving.try_peer_access(device()));
  EXPECT_FALSE(receiving.try_peer_access(other()));
  EXPECT_EQ(fake.calls("peer_enable"), 1);
}

TEST_F(CudaPeers, CopyWithoutAccessWhereThereIsNone) {
  const Buffer source = filled(device(), {5});
  const Buffer target = filled(other(), {0});
  const auto copy = [&](Device& from, const Buffer& given, Device& to, const Buffer& taken) {
    to.cuda()->copy_from_peer(taken.address(), from, given.address(), 4, *to.default_stream());
    return content(to, taken);
  };
  fake.has_links = false;
  EXPECT_EQ(copy(device(), source, other(), target), std::vector<int>{5});
  EXPECT_EQ(fake.calls("peer_enable"), 0);
  fake.has_links = true;
  EXPECT_FALSE(other().cuda()->try_peer_access(device()));  // it was asked before
  fake.fail_next("peer_enable", cuda::result::invalid_value);
  EXPECT_EQ(copy(other(), target, device(), source), std::vector<int>{5});
  EXPECT_FALSE(device().cuda()->try_peer_access(other()));
}

TEST_F(CudaPeers, SayWhyThereIsNoAccess) {
  fake.has_links = false;
  EXPECT_FALSE(device().cuda()->can_access_peer(other()));
  EXPECT_EQ(
      message_of<DeviceError>([&] { device().cuda()->enable_peer_access(other()); }),
      "cuda:0 cannot access the memory of cuda:1: no link between these GPUs allows it; copy with "
      "copy_from_peer, which needs no access");
  fake.has_links = true;
  fake.fail_next("peer_enable", cuda::result::invalid_value);
  const std::string text =
      message_of<DeviceError>([&] { device().cuda()->enable_peer_access(other()); });
  EXPECT_NE(text.find("cuCtxEnablePeerAccess failed"), std::string::npos) << text;
}

}  // namespace
}  // namespace phalanx::runtime
