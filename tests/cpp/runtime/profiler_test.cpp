// What a profile records of both devices; the fake driver's events are a millisecond apart.
#include "phalanx/runtime/profiler.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/cpp/runtime/cuda_fixture.h"

namespace phalanx::runtime {
namespace {

Profiler& profiler() { return Profiler::instance(); }

// All records, in the order they ended.
std::vector<ProfileRecord> taken() {
  std::vector<ProfileRecord> all;
  for (const Profiler::ThreadRecords& thread : profiler().take())
    all.insert(all.end(), thread.records.begin(), thread.records.end());
  return all;
}

std::vector<ProfileRecord> taken(ProfileKind kind) {
  std::vector<ProfileRecord> records = taken();
  std::erase_if(records, [&](const ProfileRecord& record) { return record.kind != kind; });
  return records;
}

struct Profiling {
  Profiling() { profiler().start(); }
  ~Profiling() {
    profiler().stop();
    // A start forgets what was recorded, and with it the kernels of this test's driver.
    profiler().start();
    profiler().stop();
  }
};

struct ProfilerTest : CudaFixture {};

TEST_F(ProfilerTest, RecordsNothingWhereThereIsNoProfile) {
  {
    const Profiling on;
  }
  const auto kernel = harmless_kernel();
  launch(*kernel);
  stream().synchronize();
  EXPECT_TRUE(taken().empty());
  EXPECT_EQ(fake.calls("event_record"), 0);
}

TEST_F(ProfilerTest, HasTheDevicesTimeOfALaunch) {
  const Profiling on;
  const auto kernel = harmless_kernel("scale");
  launch(*kernel, {{7, 1, 1}, {64, 2, 1}, 0, false});
  launch(*kernel, {{1, 1, 1}, {32, 1, 1}, 0, false});
  const std::vector<ProfileRecord> launches = taken(ProfileKind::launch);
  ASSERT_EQ(launches.size(), 2U);
  const ProfileRecord& first = launches.front();
  EXPECT_EQ(first.device_end - first.device_start, 1'000'000);
  EXPECT_EQ(launches[1].device_start - first.device_end, 1'000'000);
  EXPECT_EQ(first.blocks, 7U);
  EXPECT_EQ(first.threads, 128U);
  EXPECT_EQ(first.device, 0);
  EXPECT_EQ(profiler().executables().at(first.detail - 1), kernel);
  EXPECT_LE(first.start, first.end);
}

TEST_F(ProfilerTest, ReadsEventsOfMoreLaunchesThanItKeeps) {
  const Profiling on;
  const auto kernel = harmless_kernel();
  constexpr std::size_t count = 10'000;
  for (std::uint32_t i = 0; i < count; ++i) {
    launch(*kernel, {{i % 700 + 1, 1, 1}, {32, 1, 1}, 0, false});  // the first of a grid are timed
    if (i % 1000 == 0)
      stream().synchronize();
  }
  const std::vector<ProfileRecord> launches = taken(ProfileKind::launch);
  ASSERT_EQ(launches.size(), count);
  EXPECT_TRUE(std::ranges::all_of(launches, [](const ProfileRecord& record) {
    return record.device_end - record.device_start == 1'000'000;
  }));
  EXPECT_LT(fake.calls("event_create"), 18'000);  // events of what is done serve again
}

TEST_F(ProfilerTest, TimesSomeOfManyLaunches) {
  const Profiling on;
  const auto kernel = harmless_kernel();
  constexpr std::size_t count = 10'000;
  for (std::size_t i = 0; i < count; ++i) launch(*kernel);
  const std::vector<ProfileRecord> launches = taken(ProfileKind::launch);
  ASSERT_EQ(launches.size(), count);
  const auto is_untimed = [](const ProfileRecord& record) {
    return (record.flags & static_cast<std::uint16_t>(ProfileFlag::untimed)) != 0;
  };
  EXPECT_TRUE(std::none_of(launches.begin(), launches.begin() + 16, is_untimed));
  // Of launches that follow another closely, as all do but under a sanitizer, most are not.
  constexpr std::int64_t close = 15'000;
  std::ptrdiff_t close_ones = 0;
  std::ptrdiff_t untimed = 0;
  for (std::size_t i = 17; i < count; ++i) {
    if (launches[i].start - launches[i - 1].start < close) {
      ++close_ones;
      untimed += is_untimed(launches[i]) ? 1 : 0;
    }
  }
  if (close_ones > 500) {
    EXPECT_GT(untimed, close_ones * 3 / 4);
    EXPECT_LT(untimed, close_ones * 15 / 16);
  }
  for (const ProfileRecord& record : launches)
    EXPECT_EQ(record.device_end - record.device_start, is_untimed(record) ? 0 : 1'000'000);
}

TEST_F(ProfilerTest, RecordsCopiesWithTheirBytesAndASampleOfThem) {
  const Profiling on;
  const Buffer memory = device().allocate(4096);
  std::vector<std::byte> host(4096, std::byte{1});
  device().copy_to_device(memory.address(), host.data(), host.size(), stream());
  device().copy_to_device(memory.address(), host.data(), host.size(), stream());
  host.back() = std::byte{2};
  device().copy_to_device(memory.address(), host.data(), host.size(), stream());
  device().copy_to_host(host.data(), memory.address(), 16, stream());
  const std::vector<ProfileRecord> copies = taken(ProfileKind::to_device);
  ASSERT_EQ(copies.size(), 3U);
  EXPECT_EQ(copies[0].bytes_read, 4096U);
  EXPECT_EQ(copies[0].operations, copies[1].operations);
  EXPECT_NE(copies[0].operations, copies[2].operations);
  EXPECT_EQ(taken(ProfileKind::to_host).at(0).bytes_read, 16U);
}

TEST_F(ProfilerTest, RecordsMemoryThatComesAndGoes) {
  const Profiling on;
  Address address = 0;
  {
    const Buffer memory = device().allocate(10000);
    address = memory.address();
  }
  {
    const Buffer small = device().allocate(64);
  }
  EXPECT_EQ(taken(ProfileKind::allocate).size(), 1U);
  const ProfileRecord made = taken(ProfileKind::allocate).at(0);
  const ProfileRecord gone = taken(ProfileKind::release).at(0);
  EXPECT_EQ(made.bytes_read, 10000U);
  EXPECT_EQ(made.address, address);
  EXPECT_EQ(gone.address, address);
}

TEST_F(ProfilerTest, RecordsNoEventsIntoAGraph) {
  const Profiling on;
  const auto kernel = harmless_kernel();
  launch(*kernel);  // makes the clock
  const auto recording = device().start_recording();
  const int before = fake.calls("event_record");
  device().launch(*kernel, {}, {}, *recording);
  const auto graph = device().finish_recording(*recording);
  EXPECT_EQ(fake.calls("event_record"), before);
  graph->launch(stream());
  const std::vector<ProfileRecord> launches = taken(ProfileKind::launch);
  EXPECT_NE(launches.at(1).flags & static_cast<std::uint16_t>(ProfileFlag::recorded), 0);
  const ProfileRecord launched = taken(ProfileKind::graph).at(0);
  EXPECT_EQ(launched.device_end - launched.device_start, 1'000'000);
}

TEST_F(ProfilerTest, RecordsLaunchesOfTheCpuDeviceAndOfItsQueues) {
  const Profiling on;
  Device& cpu = runtime->cpu();
  std::vector<std::byte> data(64);
  cpu.fill(
      reinterpret_cast<Address>(data.data()), std::span(data).first(1), 64, *cpu.default_stream());
  const auto queue = cpu.create_stream(StreamKind::queued);
  cpu.fill(reinterpret_cast<Address>(data.data()), std::span(data).first(1), 64, *queue);
  queue->synchronize();
  const std::vector<ProfileRecord> fills = taken(ProfileKind::fill);
  ASSERT_EQ(fills.size(), 2U);
  EXPECT_EQ(fills[0].device, -1);
  EXPECT_EQ(fills[0].slot, 0U);  // done when its call returned
  EXPECT_NE(fills[1].slot, 0U);
  EXPECT_GE(fills[1].device_start, fills[1].start);
  EXPECT_GE(fills[1].device_end, fills[1].device_start);
}

TEST_F(ProfilerTest, KnowsWhatLiesWithinWhat) {
  const Profiling on;
  {
    ProfileSpan outer(ProfileKind::scope);
    outer.set_name("step");
    {
      const ProfileSpan inner(ProfileKind::expression);
    }
    EXPECT_THROW(
        {
          const ProfileSpan failed(ProfileKind::compile);
          throw std::runtime_error("no");
        },
        std::runtime_error);
    ProfileSpan dropped(ProfileKind::compile);
    dropped.drop();
  }
  const std::vector<ProfileRecord> records = taken();
  ASSERT_EQ(records.size(), 3U);  // in the order they ended
  EXPECT_EQ(records[0].parent.id, records[2].id);
  EXPECT_EQ(records[1].parent.id, records[2].id);
  EXPECT_EQ(records[0].parent.thread, profiler().log().thread());
  EXPECT_EQ(records[2].parent.id, 0U);
  EXPECT_EQ(records[1].flags, static_cast<std::uint16_t>(ProfileFlag::failed));
  EXPECT_EQ(records[0].flags, 0);
}

TEST_F(ProfilerTest, KnowsWhatAThreadDoesForAnother) {
  ProfilePlace place;
  {
    const Profiling on;
    const ProfileSpan outer(ProfileKind::scope);
    place = ProfilePlace::here();
    std::thread([&] {
      {
        const ProfileWithin within(place);
        const ProfileSpan theirs(ProfileKind::expression);
        const ProfileSpan inner(ProfileKind::launch);
      }
      const ProfileSpan own(ProfileKind::fill);
    }).join();
    const ProfileRecord theirs = taken(ProfileKind::expression).at(0);
    EXPECT_EQ(theirs.parent.id, 1U);
    EXPECT_EQ(theirs.parent.thread, profiler().log().thread());
    const ProfileRecord inner = taken(ProfileKind::launch).at(0);
    EXPECT_EQ(inner.parent.id, theirs.id);
    EXPECT_NE(inner.parent.thread, theirs.parent.thread);
    EXPECT_EQ(taken(ProfileKind::fill).at(0).parent.id, 0U);
  }
  const Profiling later;
  const ProfileWithin within(place);  // of a profile that has ended
  {
    const ProfileSpan alone(ProfileKind::wait);
  }
  EXPECT_EQ(taken(ProfileKind::wait).at(0).parent.id, 0U);
}

TEST_F(ProfilerTest, CountsDynamicSharedMemoryWithoutArraysThatWereMovedThere) {
  const Profiling on;
  fake.kernels["staged"] = [](const auto&) { return 0; };
  Binary binary = ptx("staged");
  binary.entry().moved_shared_bytes = 4096;
  const auto kernel = device().load(binary, "staged");
  launch(*kernel, {{1, 1, 1}, {32, 1, 1}, 512, false});
  EXPECT_EQ(taken(ProfileKind::launch).at(0).shared_bytes, 512U);
}

TEST_F(ProfilerTest, KeepsTheNewestRecordsOfAThread) {
  const Profiling on;
  ProfileLog& log = profiler().log();
  constexpr std::size_t more = 5;
  for (std::uint32_t i = 1; i <= ProfileLog::most_records + more; ++i) log.add({.id = i});
  const std::vector<ProfileRecord> records = log.records();
  ASSERT_EQ(records.size(), ProfileLog::most_records);
  EXPECT_EQ(log.lost(), more);
  EXPECT_EQ(records.front().id, more + 1);
  EXPECT_EQ(records.back().id, ProfileLog::most_records + more);
  EXPECT_TRUE(std::ranges::is_sorted(records, {}, &ProfileRecord::id));
}

TEST_F(ProfilerTest, HasALogForEachThreadAndForgetsThoseOfTheProfileBefore) {
  {
    const Profiling on;
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] {
        for (int j = 0; j < 100; ++j) {
          const ProfileSpan span(ProfileKind::wait);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    const auto logs = profiler().take();
    ASSERT_EQ(logs.size(), 4U);
    for (const auto& log : logs) EXPECT_EQ(log.records.size(), 100U);
  }
  const Profiling on;
  const Profiling nested;
  {
    const ProfileSpan span(ProfileKind::wait);
  }
  EXPECT_EQ(taken().size(), 1U);
}

TEST_F(ProfilerTest, GoesOnUntilTheOutermostProfileEnds) {
  const Profiling on;
  {
    const Profiling nested;
  }
  EXPECT_TRUE(is_profiling());
  {
    const ProfileSpan span(ProfileKind::wait);
  }
  EXPECT_EQ(taken(ProfileKind::wait).size(), 1U);
}

TEST_F(ProfilerTest, ToleratesADriverThatMakesNoEvents) {
  const auto kernel = harmless_kernel();
  fake.fail_next("event_create", 2);  // out of memory
  const Profiling on;
  launch(*kernel);
  const ProfileRecord record = taken(ProfileKind::launch).at(0);
  EXPECT_EQ(record.slot, 0U);
  EXPECT_LE(record.start, record.end);
}

}  // namespace
}  // namespace phalanx::runtime
