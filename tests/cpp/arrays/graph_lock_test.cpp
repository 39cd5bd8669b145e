// When the notes of kernels are told.
#include "phalanx/arrays/graph_lock.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace phalanx::arrays {
namespace {

struct GraphLockTest : testing::Test {
  GraphLockTest() {
    mutex.set_tell([this](KernelNotes& notes) {
      // Another thread gets the lock meanwhile.
      std::thread([this] {
        is_free = mutex.native().try_lock();
        if (is_free)
          mutex.native().unlock();
      }).join();
      if (leaves)
        return;
      for (const KernelNote& note : notes.take()) told.push_back(note.code);
    });
  }
  ~GraphLockTest() override = default;
  void note(const std::string& code) { mutex.notes()->add({.code = code, .device = "cpu"}); }

  GraphMutex mutex{[](const auto& wait) { wait(); }};
  bool leaves = false;
  bool is_free = false;
  std::vector<std::string> told;
};

TEST_F(GraphLockTest, TheOutermostLockTellsWhenItIsFree) {
  {
    const GraphLock outer(mutex);
    {
      const GraphLock inner(mutex);
      note("a + b");
    }
    EXPECT_TRUE(told.empty());
    note("a - b");
  }
  EXPECT_EQ(told, (std::vector<std::string>{"a + b", "a - b"}));
  EXPECT_TRUE(is_free);
}

TEST_F(GraphLockTest, NotesThatAreLeftWaitForTheNextLock) {
  leaves = true;
  {
    const GraphLock lock(mutex);
    note("a");
  }
  EXPECT_TRUE(told.empty() && mutex.notes()->any());
}

TEST(KernelNotes, KeepSoManyAndNoMore) {
  KernelNotes notes;
  for (std::size_t i = 0; i < KernelNotes::most + 5; ++i) notes.add({.code = std::to_string(i)});
  const std::vector<KernelNote> taken = notes.take();
  ASSERT_EQ(taken.size(), KernelNotes::most);
  EXPECT_EQ(taken.front().code, "0");
  EXPECT_FALSE(notes.any());
  EXPECT_TRUE(notes.take().empty());
}

}  // namespace
}  // namespace phalanx::arrays
