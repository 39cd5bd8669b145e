#include "phalanx/frames/csv_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/frames/csv/numbers.h"
#include "phalanx/frames/csv/pass.h"
#include "phalanx/runtime/device.h"
#include "phalanx/runtime/runtime.h"
#include "tests/support/fake_driver.h"

namespace phalanx::frames::csv {
namespace {

constexpr std::int64_t all_rows = std::numeric_limits<std::int64_t>::max();

Plan plan_of(std::int64_t width, Kind kind) {
  Plan plan = {.width = width, .missing = {{{"", "NA"}, {}}}};
  for (std::int64_t i = 0; i < width; ++i)
    plan.columns.push_back({.field = i, .name = "c" + std::to_string(i), .kind = kind});
  return plan;
}

// All that has been read, as text.
std::string shown(const Reading& reading, const std::vector<Output>& outputs) {
  std::string text = std::to_string(reading.rows) + " rows\n";
  if (reading.failure)
    return "failed at " + std::to_string(reading.failure->position) + ": " + reading.failure->text;
  for (const Problem& bad : reading.bad_lines)
    text += "bad at " + std::to_string(bad.position) + "\n";
  for (std::int64_t row = 0; row < reading.rows; ++row) {
    for (const Output& output : outputs) {
      const std::int64_t* const offsets = output.offsets.as<std::int64_t>() + row;
      if (output.is_missing.as<char>()[row] != 0)
        text += "(missing)";
      else
        text.append(output.bytes.as<char>() + offsets[0], output.bytes.as<char>() + offsets[1]);
      text += "|";
    }
    text += "\n";
  }
  return text;
}

// Reads a text in pieces of that many bytes.
std::string read_in_pieces(
    runtime::Runtime& runtime,
    const std::string& text,
    const Dialect& dialect,
    const Plan& plan,
    std::int64_t piece) {
  const auto source = source_of_memory(text.data(), text.size());
  const Format format(dialect, plan);
  const Missing missing(plan.missing[0], is_number);
  std::vector<Output> outputs(plan.columns.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].kind = Kind::string;
    outputs[i].field = plan.columns[i].field;
    outputs[i].missing = &missing;
  }
  const Progress none;
  Reading reading = {runtime, *source, dialect, plan, format, 0, all_rows, 1, piece, none};
  Pass(reading, outputs).run();
  return shown(reading, outputs);
}

struct Case {
  const char* name;
  const char* text;
  std::int64_t width;
  Dialect dialect = {};
  bool skips_bad = false;
};

const Case cases[] = {
    {"plain", "1,2\n3,4\n55,66\n7,8", 2},
    {"returns", "1,2\r\n3,4\r\n\r\n5,6\r\n", 2},
    {"returns alone", "1,2\r3,4\r,6\r\r7,8", 2},
    {"quotes", "\"a\nb\",1\n\"c,\n\nd\",2\n\"e\"\"\n\"\"f\",3\n\"\",\"\n\"\n", 2},
    {"one column of quotes", "\"a\n\"\n\"\n\nb\"\n\n\"\"\n\"\"\"\n\"\"\"\nc\n", 1},
    {"quotes within fields", "5\" pipe,x\n6\" pipe,\"y\nz\"\n\"a\"b\"c\",7\n", 2},
    {"ragged", "1\n2,3\n\n ,\n4,5,6\n7,8\n", 2, {}, true},
    {"ragged, as many separators in all", "123456789012345\n3,4\n5,6,7,8,9,10\n", 3, {}, true},
    {"ragged, an error", "1\n2,3\n\n ,\n4,5,6\n7,8\n", 2},
    {"comments", "#a\"\n1,2#,\"\n\"#\",3\n#\n4,5", 2, {.comment = '#'}},
    {"escapes", "1\\,2,3\n\"4\\\"\n5\",6\\\n7\n8,9\n", 2, {.escape = '\\'}},
    {"open quote", "1,2\n3,\"4\n5,6\n", 2},
    {"initial spaces", "1, \"2\n3\"\n  4,  5\n", 2, {.skips_initial_space = true}},
    {"blank lines kept", "\n1\n\n\r\n2\n", 1, {.skips_blank_lines = false}},
    {"quotes not doubled", "\"a\"\"b\",1\n\"c\n\"d,2\n", 2, {.doubles_quotes = false}},
    {"UTF-8", "\xC3\xA4,\xE6\x97\xA5\n\"\xF0\x9D\x84\x9E\n\",x\n", 2},
    {"not UTF-8 and too many", "\xC3,2\n1,2,3\n", 2, {.skips_initial_space = true}},
    {"not UTF-8", "\xC3\xA4,1\n2,\xC3\n3,4\n", 2},
};

class CsvPieces : public testing::TestWithParam<Case> {};

TEST_P(CsvPieces, OfAnySizeGiveTheSameRows) {
  const Case& each = GetParam();
  runtime::Runtime runtime{runtime::RuntimeOptions{"cpu", 3}};
  Plan plan = plan_of(each.width, Kind::string);
  plan.bad_lines = each.skips_bad ? BadLines::warn : BadLines::error;
  const std::string text = each.text;
  const auto size = static_cast<std::int64_t>(text.size());
  const std::string whole = read_in_pieces(runtime, text, each.dialect, plan, size);
  // Pieces of half the text or more are two; of a third three; of a byte each as many as can be.
  for (std::int64_t piece = 1; piece < size; ++piece)
    ASSERT_EQ(read_in_pieces(runtime, text, each.dialect, plan, piece), whole) << piece;
}

INSTANTIATE_TEST_SUITE_P(AllCases, CsvPieces, testing::ValuesIn(cases), [](const auto& given) {
  std::string name = given.param.name;
  std::erase_if(name, [](char c) { return c == ' ' || c == ',' || c == '-'; });
  return name;
});

Table read(const std::string& text, const Plan& plan, const Dialect& dialect = {}) {
  static runtime::Runtime runtime{runtime::RuntimeOptions{"cpu", 3}};
  return Reader(runtime, source_of_memory(text.data(), text.size()), dialect).read(plan, all_rows);
}

TEST(CsvReader, WidensColumnsThatTheFirstRowsMisrepresent) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "1,2,,4,5\n";
  text += "x,2.5,true,18446744073709551615,\n";
  const Table table = read(text, plan_of(5, Kind::inferred));
  ASSERT_EQ(table.rows, 100'001);
  EXPECT_EQ(table.columns[0].kind, Kind::string);
  EXPECT_EQ(table.columns[1].kind, Kind::float64);
  EXPECT_EQ(static_cast<double*>(table.columns[1].values.memory.get())[100'000], 2.5);
  EXPECT_EQ(table.columns[2].kind, Kind::boolean);
  EXPECT_EQ(static_cast<std::uint8_t*>(table.columns[2].valid.memory.get())[0], 0);
  EXPECT_EQ(static_cast<std::uint8_t*>(table.columns[2].valid.memory.get())[100'000], 1);
  EXPECT_EQ(table.columns[3].kind, Kind::uint64);
  EXPECT_EQ(table.columns[4].kind, Kind::float64);
}

TEST(CsvReader, GoesOnWhereTheRowsBeforeEnd) {
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += std::to_string(i) + ",\"a\n\"\n";
  runtime::Runtime runtime{runtime::RuntimeOptions{"cpu", 3}};
  Reader reader(runtime, source_of_memory(text.data(), text.size()), {});
  std::int64_t next = 0;
  while (reader.position() < reader.size()) {
    const Table table = reader.read(plan_of(2, Kind::inferred), 777);
    const auto* const values = static_cast<std::int64_t*>(table.columns[0].values.memory.get());
    for (std::int64_t row = 0; row < table.rows; ++row) ASSERT_EQ(values[row], next++);
    ASSERT_EQ(table.columns[1].offsets.size, static_cast<std::size_t>(8 * (table.rows + 1)));
  }
  EXPECT_EQ(next, 30'000);
}

TEST(CsvReader, NamesTheLineOfWhatIsWrong) {
  const auto message = [](const std::string& text) {
    try {
      read(text, plan_of(2, Kind::inferred));
    } catch (const ParseError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("1,2\n\"a\nb\",3\n4,5,6\n"), "line 4: expected 2 fields, found 3");
  EXPECT_NE(
      message("1,2\r\n3,\"4\r\n").find("line 2: a quote that is not closed"), std::string::npos);
  EXPECT_NE(message("1,2\n3,\xFF\n").find("line 2: byte 255 is not UTF-8"), std::string::npos);
  EXPECT_NE(message(std::string("1,2\n3,4\0\n", 9)).find("line 2: a NUL byte"), std::string::npos);
  EXPECT_EQ(message("1,2\n"), "no error");
}

TEST(CsvReader, ReadsAHundredThousandColumns) {
  const std::int64_t width = 100'000;
  std::string text;
  for (int row = 0; row < 3; ++row) {
    for (std::int64_t i = 0; i < width; ++i)
      text += std::to_string(i + row) + (i + 1 < width ? "," : "\n");
  }
  text += "7\n8\n";  // the other fields are missing
  const Table table = read(text, plan_of(width, Kind::inferred));
  ASSERT_EQ(table.rows, 5);
  EXPECT_EQ(table.columns[0].kind, Kind::int64);
  EXPECT_EQ(table.columns[99'999].kind, Kind::float64);
  EXPECT_EQ(static_cast<double*>(table.columns[99'999].values.memory.get())[2], 100'001);
}

// Copies a text but for its first line to a device and back.
void expect_copied(runtime::Runtime& runtime, runtime::Device& device, std::size_t bytes) {
  std::string text = "a,b\n";
  for (int i = 0; text.size() < bytes; ++i) text += std::to_string(i) + ",x\n";
  Reader reader(runtime, source_of_memory(text.data(), text.size()), {});
  reader.move_to(4);
  std::string found(text.size() - 4, '\0');
  const runtime::Buffer buffer = device.allocate(found.size());
  reader.copy_text(device, buffer.address(), *device.default_stream());
  device.copy_to_host(found.data(), buffer.address(), found.size(), *device.default_stream());
  device.synchronize();
  EXPECT_EQ(found, text.substr(4));
}

TEST(CsvReader, CopiesWhatFollowsItsPlace) {
  runtime::Runtime runtime{runtime::RuntimeOptions{"cpu", 3}};
  for (const std::size_t bytes : {5U, 1000U, (5U << 20) + 7})
    expect_copied(runtime, runtime.cpu(), bytes);
}

// The fake driver copies as late as it may: page-locked memory that is read into too early, or
// given back, would show.
TEST(CsvReader, CopiesToAGpuThroughFewBuffers) {
  support::FakeDriver fake;
  runtime::Runtime runtime{
      runtime::RuntimeOptions{.device = "cuda", .threads = 2, .driver = &fake.table()}};
  expect_copied(runtime, runtime.cuda(0), (12U << 20) + 7);
  EXPECT_LE(fake.live_host_blocks(), 8U);
}

TEST(CsvReader, GuessesKindsByTheFirstRecords) {
  runtime::Runtime runtime{runtime::RuntimeOptions{"cpu", 3}};
  const std::string text = "1,x,0.5,9223372036854775808\n,,1,-1\n";
  const Reader reader(runtime, source_of_memory(text.data(), text.size()), {});
  const std::vector<std::optional<Kind>> kinds = reader.guess(plan_of(4, Kind::inferred));
  EXPECT_EQ(
      kinds,
      (std::vector<std::optional<Kind>>{Kind::int64, Kind::string, Kind::float64, std::nullopt}));
}

TEST(CsvNumbers, ShortDecimalsAreThoseOfTheLibrary) {
  for (const std::string each :
       {"1",
        "-1",
        "0.1",
        "-0.0",
        "12345678.87654321",
        "9007199254740993",
        ".5",
        "5.",
        "-.25",
        "0.30000000000004",
        "1234567890123456",
        "000000000000000.1"}) {
    const std::string text = std::string(16, 'x') + each;
    double fast = 0;
    double exact = 0;
    ASSERT_TRUE(read_float64(each, {}, exact)) << each;
    if (read_short_decimal(
            text.data() + text.size(), static_cast<std::uint32_t>(each.size()), fast)) {
      EXPECT_EQ(std::memcmp(&fast, &exact, sizeof fast), 0) << each;
    }
  }
  for (const std::string each :
       {"",
        "-",
        ".",
        "-.",
        "1..2",
        "1.2.3",
        "+1",
        " 1",
        "1 ",
        "1e5",
        "--1",
        "1-",
        "12345678901234567"}) {
    const std::string text = std::string(16, '0') + each;
    double value = 0;
    EXPECT_FALSE(read_short_decimal(
        text.data() + text.size(), static_cast<std::uint32_t>(each.size()), value))
        << each;
    std::int64_t whole = 0;
    EXPECT_FALSE(read_short_integer(
        text.data() + text.size(), static_cast<std::uint32_t>(each.size()), whole))
        << each;
  }
}

}  // namespace
}  // namespace phalanx::frames::csv
