// Recording work on the CUDA device, and launching it again.
#include <vector>

#include "phalanx/runtime/texture.h"
#include "tests/cpp/runtime/cuda_fixture.h"
#include "tests/support/fake_driver_parts.h"

namespace phalanx::runtime {
namespace {

using CudaGraphs = CudaFixture;

TEST_F(CudaGraphs, RunsNothingBeforeItsLaunchAndAllAtEach) {
  int runs = 0;
  const auto count = kernel("count", [&](const auto&) {
    ++runs;
    return 0;
  });
  const auto recording = device().start_recording();
  device().launch(*count, {}, {}, *recording);
  device().launch(*count, {}, {}, *recording);
  const auto graph = device().finish_recording(*recording);
  device().synchronize();
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(graph->size(), 2U);
  graph->launch(stream());
  graph->launch(*device().create_stream(StreamKind::blocking));
  device().synchronize();
  EXPECT_EQ(runs, 4);
}

TEST_F(CudaGraphs, KeepsItsKernelsLoadedAndGivesItsHandlesBack) {
  auto recording = device().start_recording();
  {
    const auto gone = harmless_kernel();
    device().launch(*gone, {}, {}, *recording);
  }
  auto graph = device().finish_recording(*recording);
  recording.reset();
  EXPECT_EQ(fake.live_streams(), 0U);
  EXPECT_EQ(fake.live_modules(), 1U);
  EXPECT_EQ(fake.live_graphs(), 1U);
  graph->launch(stream());
  device().synchronize();
  graph.reset();
  EXPECT_EQ(fake.live_modules(), 0U);
  EXPECT_EQ(fake.live_graphs(), 0U);
}

TEST_F(CudaGraphs, GivesUpARecordingThatIsDropped) {
  device().start_recording().reset();
  EXPECT_EQ(fake.live_streams(), 0U);
  EXPECT_EQ(fake.live_graphs(), 0U);
}

TEST_F(CudaGraphs, GivesUpARecordingThatTheDriverHasInvalidated) {
  auto recording = device().start_recording();
  device().launch(*harmless_kernel(), {}, {}, *recording);
  for (const auto& [handle, each] : fake.parts().streams.all) each->is_invalid = true;
  EXPECT_THROW(device().finish_recording(*recording), DeviceError);
  recording.reset();
  EXPECT_EQ(fake.live_streams(), 0U);
  EXPECT_EQ(fake.calls("capture_end"), 1);
  const auto next = device().start_recording();  // the device records as before
  device().launch(*harmless_kernel(), {}, {}, *next);
  EXPECT_EQ(device().finish_recording(*next)->size(), 1U);
}

TEST_F(CudaGraphs, RefusesWhatHasNoPlaceInAGraph) {
  const auto recording = device().start_recording();
  const auto refusal = [](const auto& action) { return message_of<ValueError>(action); };
  EXPECT_NE(refusal([&] { recording->synchronize(); }), "");
  EXPECT_NE(refusal([&] { recording->query(); }), "");
  EXPECT_NE(refusal([&] { recording->add_callback([] {}); }), "");
  EXPECT_NE(refusal([&] { recording->wait(*device().create_event(false)); }), "");
  EXPECT_NE(refusal([&] { device().create_event(false)->record(*recording); }), "");
  EXPECT_NE(refusal([&] { device().allocate(64, MemoryKind::device, recording); }), "");
  Buffer memory = device().allocate(64);
  std::vector<std::byte> pageable(64);
  const std::string text =
      refusal([&] { device().copy_to_host(pageable.data(), memory.address(), 64, *recording); });
  EXPECT_NE(text.find("page-locked"), std::string::npos) << text;
}

TEST_F(CudaGraphs, CopiesPinnedMemoryAtEachLaunch) {
  Buffer memory = device().allocate(64);
  Buffer pinned = device().allocate(64, MemoryKind::pinned);
  const auto recording = device().start_recording();
  memory.used_on(recording);  // nothing is waited for: the launch does it
  device().copy_to_device(memory.address(), pinned.host(), 64, *recording);
  const auto graph = device().finish_recording(*recording);
  std::vector<unsigned char> result(64);
  for (const unsigned char value : {3, 9}) {
    std::memset(pinned.host(), value, 64);
    graph->launch(stream());
    device().copy_to_host(result.data(), memory.address(), 64, stream());
    stream().synchronize();
    EXPECT_EQ(result, std::vector<unsigned char>(64, value));
  }
}

TEST_F(CudaGraphs, SaysWhyAGraphCannotBeMade) {
  const auto recording = device().start_recording();
  device().launch(*harmless_kernel(), {}, {}, *recording);
  fake.fail_next("graph_instantiate", cuda::result::out_of_memory);
  EXPECT_THROW(device().finish_recording(*recording), OutOfMemoryError);
  EXPECT_EQ(fake.live_graphs(), 0U);
}

// What is collected as garbage amid a recording must not wait for the device: that ends it.
TEST_F(CudaGraphs, FreesWhatIsDroppedAmidRecordingsAfterTheLastOfThem) {
  auto other_kernel = harmless_kernel("other");
  auto array = device().textures().make_array({}, {.width = 8}, true);
  auto texture = device().textures().make_texture({.array = array}, {});
  auto surface = device().textures().make_surface(array);
  const auto& textures = fake.parts().textures;
  auto first = device().start_recording();
  const auto second = device().start_recording();
  other_kernel.reset();
  array.reset();
  texture.reset();
  surface.reset();
  first.reset();  // given up
  EXPECT_EQ(fake.live_modules(), 1U);
  EXPECT_EQ(textures.objects.size(), 2U);
  device().launch(*harmless_kernel(), {}, {}, *second);
  const auto graph = device().finish_recording(*second);
  EXPECT_EQ(graph->size(), 1U);
  EXPECT_EQ(fake.live_modules(), 1U);  // the graph's
  EXPECT_TRUE(textures.objects.empty());
  EXPECT_TRUE(textures.arrays.empty());
}

TEST_F(CudaGraphs, FreesAtOnceWhenARecordingCannotBegin) {
  auto other_kernel = harmless_kernel("other");
  fake.fail_next("capture_begin", cuda::result::out_of_memory);
  EXPECT_THROW(device().start_recording(), OutOfMemoryError);
  other_kernel.reset();
  EXPECT_EQ(fake.live_modules(), 0U);
  EXPECT_EQ(fake.live_streams(), 0U);
}

// By another thread, say.
TEST_F(CudaGraphs, WaitsForTheDeviceBesideARecording) {
  int runs = 0;
  const auto count = kernel("count", [&](const auto&) {
    ++runs;
    return 0;
  });
  const auto recording = device().start_recording();
  device().launch(*count, {}, {}, *recording);
  const auto blocking = device().create_stream(StreamKind::blocking);
  const auto overlapping = device().create_stream(StreamKind::non_blocking);
  for (Stream* each : {&stream(), blocking.get(), overlapping.get()})
    device().launch(*count, {}, {}, *each);
  EXPECT_EQ(runs, 0);
  device().synchronize();
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(fake.live_events(), 0U);
  fake.fail_next("event_record", cuda::result::illegal_address);
  EXPECT_THROW(device().synchronize(), DeviceError);
  EXPECT_EQ(fake.live_events(), 0U);
}

TEST_F(CudaGraphs, FindsMemoryThatIsGivenBackBesideARecording) {
  const auto recording = device().start_recording();
  const std::size_t most = fake.total_memory;
  {
    const Buffer gone = device().allocate(most);
  }
  EXPECT_EQ(device().allocate(most).size(), most);
  EXPECT_EQ(device().finish_recording(*recording)->size(), 0U);
}

TEST_F(CudaGraphs, StartsAndStopsProfilers) {
  device().cuda()->profile(true);
  EXPECT_TRUE(fake.is_profiling());
  device().cuda()->profile(false);
  EXPECT_FALSE(fake.is_profiling());
}

}  // namespace
}  // namespace phalanx::runtime
