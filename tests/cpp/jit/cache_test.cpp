#include "phalanx/jit/cache.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/cpp/jit/temporary_directory.h"

namespace phalanx::jit {
namespace {

namespace fs = std::filesystem;

Binary sample(std::size_t bytes = 100, char fill = 'x') {
  Binary binary;
  binary.kind = BinaryKind::cubin;
  binary.entry().symbol = "add";
  binary.code.assign(bytes, static_cast<std::byte>(fill));
  binary.entry().parameter_bytes = 24;
  binary.entry().shared_bytes = 1024;
  binary.entry().lanes = 32;
  binary.entry().warp_bytes = 128;
  binary.entry().block = {16, 8, 1};
  binary.fault_sites = {
      fault_site(nullptr, {.line = 1, .column = 2}, Raise{"ValueError", "no"}), FaultSite{}};
  binary.uses_print = true;
  binary.entry().is_cooperative = true;
  binary.warnings = {
      {.kind = Warning::Kind::stride,
       .text = "reads with gaps",
       .file = "kernel.py",
       .line = -3,
       .source_line = "a[i] = 1"},
      Warning{}};
  return binary;
}

Digest key(std::uint64_t number) { return Hasher().add(number).digest(); }

class CacheTest : public testing::Test {
 protected:
  DiskCache make(std::uint64_t cap = 1 << 20) {
    CacheOptions options;
    options.directory = directory();
    options.cap = cap;
    return {options, [this](const std::string& text) { warnings.push_back(text); }};
  }
  std::string directory() const { return (temporary.path() / "cache").string(); }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    if (fs::exists(directory())) {
      for (const auto& entry : fs::directory_iterator(directory())) found.push_back(entry.path());
    }
    return found;
  }

  TemporaryDirectory temporary;
  std::vector<std::string> warnings;
};

TEST_F(CacheTest, GivesBackWhatWasStored) {
  make().store(key(1), sample());
  DiskCache later = make();
  EXPECT_EQ(later.find(key(1)), sample());
  EXPECT_EQ(later.find(key(2)), std::nullopt);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CacheTest, MakesNothingBeforeTheFirstStore) {
  DiskCache cache = make();
  EXPECT_EQ(cache.find(key(1)), std::nullopt);
  EXPECT_EQ(cache.info().files, 0U);
  EXPECT_FALSE(fs::exists(directory()));
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CacheTest, ItsDirectoryIsForTheUserAlone) {
  make().store(key(1), sample());
  EXPECT_EQ(fs::status(directory()).permissions(), fs::perms::owner_all);
}

TEST_F(CacheTest, SwitchedOffItDoesNothing) {
  CacheOptions options;
  options.enabled = false;
  options.directory = directory();
  DiskCache cache(options, [this](const std::string& text) { warnings.push_back(text); });
  cache.store(key(1), sample());
  EXPECT_EQ(cache.find(key(1)), std::nullopt);
  EXPECT_FALSE(fs::exists(directory()));
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CacheTest, EntriesOfAnotherFormatAreRemovedAndWrittenAnew) {
  make().store(key(1), sample());
  const fs::path file = files().at(0);
  {
    std::fstream entry(file, std::ios::binary | std::ios::in | std::ios::out);
    entry.write("PXBINAR2", 8);
  }
  DiskCache cache = make();
  EXPECT_EQ(cache.find(key(1)), std::nullopt);
  EXPECT_TRUE(files().empty());
  cache.store(key(1), sample());
  EXPECT_EQ(make().find(key(1)), sample());
  EXPECT_TRUE(warnings.empty());
}

// Every byte counts: whichever is damaged, the entry is not used.
TEST_F(CacheTest, DamagedEntriesAreIgnoredAndRemoved) {
  make().store(key(1), sample(10));
  const fs::path file = files().at(0);
  std::ifstream in(file, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    std::ofstream(file, std::ios::binary) << damaged;
    EXPECT_EQ(make().find(key(1)), std::nullopt) << "byte " << at;
    EXPECT_FALSE(fs::exists(file)) << "byte " << at;
  }
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CacheTest, ShortAndLongEntriesAreIgnoredAndRemoved) {
  make().store(key(1), sample(10));
  const fs::path file = files().at(0);
  const auto size = fs::file_size(file);
  for (const auto wrong : {std::uintmax_t{0}, std::uintmax_t{20}, size - 1, size + 1}) {
    make().store(key(1), sample(10));
    fs::resize_file(file, wrong);
    EXPECT_EQ(make().find(key(1)), std::nullopt) << wrong;
    EXPECT_FALSE(fs::exists(file)) << wrong;
  }
}

TEST_F(CacheTest, AnEntryUnderAnotherNameIsNotUsed) {
  make().store(key(1), sample());
  make().store(key(2), sample(50));
  const fs::path first = fs::path(directory()) / (to_hex(key(1)) + ".phx");
  const fs::path second = fs::path(directory()) / (to_hex(key(2)) + ".phx");
  fs::rename(first, second);
  EXPECT_EQ(make().find(key(2)), std::nullopt);
}

TEST_F(CacheTest, ADirectoryThatOthersCanWriteIsNotUsed) {
  make().store(key(1), sample());
  ::chmod(directory().c_str(), 0770);
  DiskCache cache = make();
  EXPECT_EQ(cache.find(key(1)), std::nullopt);
  cache.store(key(2), sample());
  EXPECT_EQ(cache.find(key(2)), std::nullopt);
  EXPECT_EQ(files().size(), 1U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("other users can write to it"), std::string::npos);
  EXPECT_NE(warnings[0].find("machine code"), std::string::npos);
  EXPECT_FALSE(cache.info().usable);
}

TEST_F(CacheTest, ADirectoryOfAnotherUserIsNotUsed) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give a directory away";
  fs::create_directory(directory());
  ::chmod(directory().c_str(), 0700);
  ASSERT_EQ(::chown(directory().c_str(), 12345, 12345), 0);
  DiskCache cache = make();
  cache.store(key(1), sample());
  EXPECT_EQ(cache.find(key(1)), std::nullopt);
  EXPECT_TRUE(files().empty());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("another user"), std::string::npos);
}

TEST_F(CacheTest, AFileInItsPlaceCostsOneWarning) {
  std::ofstream(directory()) << "not a directory";
  DiskCache cache = make();
  for (int i = 0; i < 3; ++i) cache.store(key(1), sample());
  EXPECT_EQ(cache.find(key(1)), std::nullopt);
  EXPECT_EQ(warnings.size(), 1U);
}

// What a full disk, a read-only one and a lost permission have in common: writes fail. A limit on
// the size of files makes them fail for root as well.
TEST_F(CacheTest, AFailedWriteCostsOneWarningAndReadingGoesOn) {
  make().store(key(1), sample());
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit tiny{16, before.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &tiny);
  DiskCache cache = make();
  cache.store(key(2), sample());
  cache.store(key(3), sample());
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(cache.find(key(1)), sample());
  EXPECT_EQ(cache.find(key(2)), std::nullopt);
  EXPECT_EQ(files().size(), 1U) << "a temporary file was left";
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("cannot be written"), std::string::npos);
}

// Root writes to read-only directories, so a child that is nobody does it.
TEST_F(CacheTest, AReadOnlyDirectoryIsStillRead) {
  const auto body = [] {
    const TemporaryDirectory own;
    const CacheOptions options{.directory = own.path().string()};
    DiskCache(options, nullptr).store(key(1), sample());
    ::chmod(own.path().c_str(), 0500);
    int count = 0;
    DiskCache cache(options, [&](const std::string&) { ++count; });
    cache.store(key(2), sample());
    cache.store(key(3), sample());
    return cache.find(key(1)) == sample() && !cache.find(key(2)) && count == 1;
  };
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit((::geteuid() != 0 || ::setuid(65534) == 0) && body() ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(CacheTest, TheLeastRecentlyUsedEntriesGoFirst) {
  make().store(key(0), sample(800));
  const std::uint64_t entry = make().info().bytes;
  const std::uint64_t cap = 4 * entry + entry / 2;  // four entries, not five
  DiskCache cache = make(cap);
  for (std::uint64_t i = 0; i < 8; ++i) {
    cache.store(key(i), sample(800));
    const fs::path file = fs::path(directory()) / (to_hex(key(i)) + ".phx");
    if (fs::exists(file))
      fs::last_write_time(
          file, fs::file_time_type::clock::now() - std::chrono::hours(100 - static_cast<int>(i)));
  }
  // A use makes an entry young again.
  const bool had_oldest = cache.find(key(4)).has_value();
  EXPECT_TRUE(had_oldest);
  cache.store(key(9), sample(800));
  cache.trim();
  EXPECT_TRUE(cache.find(key(4)).has_value());
  EXPECT_TRUE(cache.find(key(9)).has_value());
  EXPECT_FALSE(cache.find(key(0)).has_value());
  EXPECT_LE(cache.info().bytes, cap);
}

TEST_F(CacheTest, AbandonedTemporaryFilesAreSweptUp) {
  DiskCache cache = make();
  cache.store(key(1), sample());
  const std::string entry = to_hex(key(2)) + ".phx";
  const fs::path old_one = fs::path(directory()) / (entry + ".tmp.1.1");
  const fs::path new_one = fs::path(directory()) / (entry + ".tmp.1.2");
  std::ofstream(old_one) << "x";
  std::ofstream(new_one) << "x";
  fs::last_write_time(old_one, fs::file_time_type::clock::now() - std::chrono::hours(5));
  cache.trim();
  EXPECT_FALSE(fs::exists(old_one));
  EXPECT_TRUE(fs::exists(new_one)) << "another process may be writing it";
}

TEST_F(CacheTest, ClearRemovesEntriesAndNothingElse) {
  DiskCache cache = make();
  cache.store(key(1), sample());
  cache.store(key(2), sample());
  std::ofstream(fs::path(directory()) / "notes.txt") << "mine";
  EXPECT_EQ(cache.clear(), 2U);
  EXPECT_EQ(files().size(), 1U);
}

// Names that are like ours, but are not; and our names on what is no file.
TEST_F(CacheTest, WhatOthersPutThereIsNeverOpenedNorRemoved) {
  make().store(key(1), sample());
  const std::string entry = to_hex(key(2)) + ".phx";
  const std::vector<std::string> names = {
      "notes.phx",
      "thesis.tmp.docx",
      "a.tmp.1.1",
      "abc.phx.tmp.1.1",
      entry + "x",
      entry + ".tmp.",
      entry + ".tmp.1",
      entry + ".tmp.1.x",
      entry + ".tmp.1.1.bak",
      "x" + entry,
      to_hex(key(2)) + ".txt"};
  std::vector<fs::path> foreign;
  for (const std::string& name : names) {
    foreign.push_back(fs::path(directory()) / name);
    std::ofstream(foreign.back()) << "mine";
    fs::last_write_time(foreign.back(), fs::file_time_type::clock::now() - std::chrono::hours(500));
  }
  foreign.push_back(fs::path(directory()) / entry);
  ASSERT_EQ(::mkfifo(foreign.back().c_str(), 0600), 0);
  foreign.push_back(fs::path(directory()) / (to_hex(key(3)) + ".phx"));
  fs::create_symlink(foreign.front(), foreign.back());
  foreign.push_back(fs::path(directory()) / (to_hex(key(4)) + ".phx"));
  fs::create_directory(foreign.back());

  DiskCache cache = make(1);  // so small that every entry has to go
  EXPECT_EQ(cache.info().files, 1U);
  for (const std::uint64_t number : {2, 3, 4}) {
    EXPECT_EQ(cache.find(key(number)), std::nullopt) << number;
    cache.store(key(number), sample());
    EXPECT_EQ(cache.find(key(number)), std::nullopt) << number;
  }
  cache.trim();
  EXPECT_EQ(cache.clear(), 0U) << "the entry went with trim()";
  for (const fs::path& path : foreign)
    EXPECT_NE(fs::symlink_status(path).type(), fs::file_type::not_found) << path;
  EXPECT_TRUE(fs::is_fifo(fs::path(directory()) / entry));
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CacheTest, ThreadsAndProcessesMayShareIt) {
  constexpr std::uint64_t entries = 20;
  const auto work = [&] {
    DiskCache cache = make();
    for (int round = 0; round < 10; ++round) {
      for (std::uint64_t i = 0; i < entries; ++i) {
        const Binary expected = sample(200 + i, static_cast<char>('a' + i));
        cache.store(key(i), expected);
        if (cache.find(key(i)) != expected)
          return 1;
      }
    }
    return 0;
  };
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = ::fork();
    if (child == 0)
      ::_exit(work());
    children.push_back(child);
  }
  EXPECT_EQ(work(), 0);
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(files().size(), entries);
}

// The parts of one key must not run into each other.
TEST(Hasher, FieldsKeepTheirBorders) {
  EXPECT_NE(Hasher().add("ab").add("c").digest(), Hasher().add("a").add("bc").digest());
  EXPECT_NE(Hasher().add("").digest(), Hasher().digest());
}

class CacheOptionsTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name :
         {"PHALANX_CACHE", "PHALANX_CACHE_DIR", "PHALANX_CACHE_SIZE", "XDG_CACHE_HOME"})
      ::unsetenv(name);
    ::setenv("HOME", "/home/somebody", 1);
  }
};

TEST_F(CacheOptionsTest, TheDirectoryFollowsTheEnvironment) {
  EXPECT_EQ(CacheOptions::from_environment().directory, "/home/somebody/.cache/phalanx");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(CacheOptions::from_environment().directory, "/home/somebody/.cache/phalanx");
  ::setenv("XDG_CACHE_HOME", "/var/c", 1);
  EXPECT_EQ(CacheOptions::from_environment().directory, "/var/c/phalanx");
  ::setenv("PHALANX_CACHE_DIR", "/tmp/mine", 1);
  EXPECT_EQ(CacheOptions::from_environment().directory, "/tmp/mine");
}

TEST_F(CacheOptionsTest, SizesHaveUnits) {
  const std::vector<std::pair<const char*, std::uint64_t>> cases = {
      {"1000", 1000}, {"2K", 2048}, {"3m", 3U << 20U}, {"5G", std::uint64_t{5} << 30U}};
  for (const auto& [text, bytes] : cases) {
    ::setenv("PHALANX_CACHE_SIZE", text, 1);
    EXPECT_EQ(CacheOptions::from_environment().cap, bytes) << text;
    EXPECT_EQ(CacheOptions::from_environment().problem, "") << text;
  }
  for (const char* wrong : {"lots", "-1", "1.5G", "G", "99999999999999G"}) {
    ::setenv("PHALANX_CACHE_SIZE", wrong, 1);
    EXPECT_EQ(CacheOptions::from_environment().cap, std::uint64_t{1} << 30U) << wrong;
    EXPECT_NE(CacheOptions::from_environment().problem.find(wrong), std::string::npos) << wrong;
  }
}

TEST_F(CacheOptionsTest, ZeroSwitchesOff) {
  EXPECT_TRUE(CacheOptions::from_environment().enabled);
  ::setenv("PHALANX_CACHE", "0", 1);
  EXPECT_FALSE(CacheOptions::from_environment().enabled);
}

}  // namespace
}  // namespace phalanx::jit
