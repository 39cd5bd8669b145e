// A libFuzzer target: CSV text of any bytes, in a dialect of the first ones, gives columns or an
// error, and the same in pieces of every size. `make fuzz-csv` builds and runs it.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <thread>

#include "phalanx/frames/csv/pass.h"
#include "phalanx/frames/csv_reader.h"
#include "phalanx/runtime/parallel.h"

namespace phalanx::runtime {

// In place of the engine's: two threads of its own.
class Runtime {};
void parallel_for(Runtime&, std::uint64_t count, std::uint64_t, const LoopBody& body) {
  std::exception_ptr thrown;
  std::thread other([&] {
    try {
      body(0, count / 2);
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  try {
    body(count / 2, count);
  } catch (...) {
    thrown = std::current_exception();
  }
  other.join();
  if (thrown)
    std::rethrow_exception(thrown);
}

}  // namespace phalanx::runtime

namespace {

using namespace phalanx::frames::csv;  // NOLINT(google-build-using-namespace)

constexpr std::array kinds = {
    Kind::inferred,
    Kind::inferred,
    Kind::inferred,
    Kind::float64,
    Kind::int64,
    Kind::string,
    Kind::category,
    Kind::datetime,
    Kind::dictionary};

Dialect dialect_of(std::uint8_t first, std::uint8_t second) {
  Dialect made;
  made.separator = (first & 1) != 0 ? ';' : ',';
  made.quote = (first & 2) != 0 ? Dialect::none : '"';
  made.escape = (first & 4) != 0 ? '\\' : Dialect::none;
  made.comment = (first & 8) != 0 ? '#' : Dialect::none;
  made.thousands = (first & 16) != 0 ? '_' : Dialect::none;
  made.decimal = (first & 32) != 0 ? ':' : '.';
  made.doubles_quotes = (first & 64) == 0;
  made.skips_blank_lines = (first & 128) == 0;
  made.skips_initial_space = (second & 1) != 0;
  return made;
}

Plan plan_of(std::uint8_t second, std::uint8_t third) {
  Plan made = {.width = 1 + (third & 7), .missing = {{{"", "NA", "7"}, {7}}}};
  made.bad_lines = static_cast<BadLines>((second >> 1) % 3);
  made.drops_more_fields = (second & 8) != 0;
  made.reads_integers_as_floats = (second & 16) != 0;
  for (std::int64_t i = 0; i < made.width; ++i)
    made.columns.push_back(
        {.field = i, .kind = kinds[static_cast<std::size_t>((third >> 3) + i) % kinds.size()]});
  return made;
}

// The fields as text, of pieces of that many bytes.
std::string read_pieces(
    const Dialect& dialect, const Plan& plan, const Source& source, std::int64_t piece) {
  static phalanx::runtime::Runtime runtime;
  const Format format(dialect, plan);
  const Missing missing(plan.missing[0], is_number);
  std::vector<Output> outputs(plan.columns.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].kind = Kind::string;
    outputs[i].field = plan.columns[i].field;
    outputs[i].missing = &missing;
  }
  const Progress none;
  Reading reading = {
      runtime,
      source,
      dialect,
      plan,
      format,
      0,
      std::numeric_limits<std::int64_t>::max(),
      1,
      piece,
      none};
  Pass(reading, outputs).run();
  if (reading.failure)
    return std::to_string(reading.failure->position) + reading.failure->text;
  std::string text = std::to_string(reading.rows) + " " + std::to_string(reading.bad_lines.size());
  for (const Output& output : outputs) {
    text.append(output.bytes.as<char>(), static_cast<std::size_t>(output.byte_count));
    text.append(
        output.offsets.as<char>(),
        static_cast<std::size_t>(reading.rows + 1) * sizeof(std::int64_t));
    text.append(output.is_missing.as<char>(), static_cast<std::size_t>(reading.rows));
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4)
    return 0;
  const Dialect dialect = dialect_of(data[0], data[1]);
  const Plan plan = plan_of(data[1], data[2]);
  // A copy of its own size: what is read beyond it is found.
  const std::string text(reinterpret_cast<const char*>(data) + 4, size - 4);
  const auto source = source_of_memory(text.data(), text.size());
  static phalanx::runtime::Runtime runtime;
  const std::int64_t most =
      data[3] < 128 ? std::numeric_limits<std::int64_t>::max() : data[3] - 127;
  Reader reader(runtime, source, dialect);
  try {
    if ((data[2] & 1) != 0)
      reader.skip_lines(1);
    reader.next_record();
    for (std::int64_t before = -1;
         before < reader.position() && reader.position() < reader.size();) {
      before = reader.position();
      reader.read(plan, most);
    }
  } catch (const ParseError&) {
    // What is wrong with the text is told so.
  }
  const std::string whole =
      read_pieces(dialect, plan, *source, static_cast<std::int64_t>(text.size()) + 1);
  if (read_pieces(dialect, plan, *source, 1 + data[3] % 16) != whole)
    std::abort();
  return 0;
}
