// The reader: where it is, what the columns' kinds are, and passes over the text.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "phalanx/frames/csv/pass.h"
#include "phalanx/frames/csv/state_machine.h"
#include "phalanx/frames/csv/utf8.h"
#include "phalanx/runtime/parallel.h"

namespace phalanx::frames::csv {
namespace {

constexpr std::int64_t sample_bytes = 1 << 16;
constexpr std::int64_t piece_bytes = 1 << 18;
constexpr std::int64_t least_piece = 1 << 14;
constexpr std::int64_t longest_line = std::int64_t{1} << 30;
constexpr std::size_t most_warnings = 1000;

std::int64_t line_of(const Source& source, std::int64_t position) {
  std::int64_t line = 1;
  Scratch scratch;
  char last = '\0';
  for (std::int64_t first = 0; first < position; first += piece_bytes) {
    const std::int64_t end = std::min(position, first + piece_bytes);
    const char* const text = source.fetch(first, end, scratch);
    for (std::int64_t i = 0; i < end - first; ++i) {
      if (text[i] == '\r' || (text[i] == '\n' && last != '\r'))
        ++line;
      last = text[i];
    }
  }
  return line;
}

std::string describe(const Source& source, const Plan& plan, const Problem& problem) {
  const std::string line = "line " + std::to_string(line_of(source, problem.position)) + ": ";
  if (!problem.text.empty())
    return line + problem.text;
  return line + "expected " + std::to_string(plan.width) + " fields, found " +
         std::to_string(problem.fields);
}

// One read of a Reader.
class Read {
 public:
  Read(runtime::Runtime& runtime, const Source& source, const Dialect& dialect, const Plan& plan)
      : runtime_(runtime), source_(source), dialect_(dialect), plan_(plan), format_(dialect, plan) {
    for (const MissingValues& values : plan.missing) missing_.emplace_back(values, is_number);
  }

  // `position`: of the first record; moved to what follows the last.
  Table run(std::int64_t& position, std::int64_t most_rows, const Progress& progress) {
    guess(position, most_rows);
    Reading reading = read(outputs_, position, most_rows, progress);
    if (reading.failure)
      throw ParseError(describe(source_, plan_, *reading.failure));
    settle_kinds(position, reading.rows, progress);
    source_.check();
    Table table = finish(reading);
    position = reading.next;
    return table;
  }

  std::vector<std::optional<Kind>> kinds(std::int64_t position) {
    guess(position, std::numeric_limits<std::int64_t>::max());
    std::vector<std::optional<Kind>> found;
    for (const Output& output : outputs_) {
      const bool is_open = output.missing == &none_missing_;
      found.emplace_back(is_open ? std::nullopt : std::optional(output.kind));
    }
    return found;
  }

 private:
  void guess(std::int64_t position, std::int64_t most_rows);
  void guess_kind(Output& output, const Tokens& sample, std::int64_t rows);
  Reading read(
      std::vector<Output>& outputs,
      std::int64_t position,
      std::int64_t most_rows,
      const Progress& progress);
  void settle_kinds(std::int64_t position, std::int64_t rows, const Progress& progress);
  void read_again(
      const std::vector<Output*>& again,
      std::int64_t position,
      std::int64_t rows,
      const Progress& progress);
  bool change_kind(Output& output);
  void set_kind(Output& output, const Facts& facts);
  Table finish(const Reading& reading);
  static Column finish(Output& output, std::int64_t rows);

  runtime::Runtime& runtime_;
  const Source& source_;
  const Dialect& dialect_;
  const Plan& plan_;
  Format format_;
  std::vector<Missing> missing_;
  Missing none_missing_ = {{}, is_number};
  std::vector<Output> outputs_;
  std::int64_t row_bytes_ = 16;  // of a row, on average
  bool has_rows_ = false;        // there are some, wanted or not
};

// Kinds by the first records.
void Read::guess(std::int64_t position, std::int64_t most_rows) {
  Tokenizer tokenizer(source_, dialect_, plan_);
  tokenizer.cut(position, std::min(position + sample_bytes, source_.size()));
  const Tokens& sample = tokenizer.tokens();
  has_rows_ = sample.rows > 0;
  if (has_rows_)
    row_bytes_ = std::max<std::int64_t>(1, (sample.next - position) / sample.rows);
  const std::int64_t rows = std::min(sample.rows, most_rows);
  outputs_.resize(plan_.columns.size());
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const WantedColumn& wanted = plan_.columns[i];
    Output& output = outputs_[i];
    output.kind = wanted.kind;
    output.field = wanted.field;
    output.unit = wanted.unit;
    output.missing = &missing_[wanted.missing];
    output.has_floats_only = plan_.reads_integers_as_floats || wanted.kind == Kind::float64;
    output.keeps_integers = wanted.kind == Kind::int64;
    const bool is_string = output.has_strings() || output.has_codes();
    output.may_change = !is_string;
    if (!is_string && wanted.kind != Kind::datetime)
      guess_kind(output, sample, rows);
  }
}

void Read::guess_kind(Output& output, const Tokens& sample, std::int64_t rows) {
  Seen seen;
  const Fields fields(sample, output.field, dialect_.quote);
  look_at(output, fields, {0, rows, 0}, format_, seen);
  set_kind(output, seen.facts);
  if (rows == 0 && !output.has_floats_only)
    output.kind = Kind::int64;     // what pandas tries first
  seen.facts.has_missing = false;  // the pass says so
  output.facts = seen.facts;
  output.may_change = output.kind != Kind::string;
}

Reading Read::read(
    std::vector<Output>& outputs,
    std::int64_t position,
    std::int64_t most_rows,
    const Progress& progress) {
  const std::int64_t bytes = source_.size() - position;
  const std::int64_t rows = bytes / row_bytes_ + bytes / row_bytes_ / 8 + 64;
  // A few rows are read in pieces of about what they take.
  const std::int64_t enough =
      most_rows < bytes / row_bytes_ ? most_rows * row_bytes_ / 4 : std::int64_t{piece_bytes};
  Reading reading = {
      runtime_,
      source_,
      dialect_,
      plan_,
      format_,
      position,
      most_rows,
      rows,
      std::clamp(enough, least_piece, piece_bytes),
      progress};
  Pass(reading, outputs).run();
  return reading;
}

void Read::set_kind(Output& output, const Facts& facts) {
  output.kind = facts.kind(output.has_floats_only);
  if (output.kind == Kind::string && facts.has_no_type_of_64_bits())
    output.missing = &none_missing_;
}

// Gives the column the kind that its fields have. True if it is to be read again for it.
bool Read::change_kind(Output& output) {
  if (!output.has_failed)
    return false;
  if (output.kind == Kind::datetime) {
    const bool is_date = output.facts.are_dates;
    output.kind = is_date ? Kind::datetime : Kind::string;
    output.unit = is_date ? TimeUnit::nanoseconds : output.unit;
    output.may_change = is_date;
    return true;
  }
  const Facts& facts = output.facts;
  const bool is_decided =
      output.kind == Kind::inferred || facts.is_text() ||
      !(facts.has_large || facts.is_too_large_for_int64 || facts.is_too_large_for_uint64);
  // Which large numbers come first decides: then all fields are looked at.
  if (is_decided)
    set_kind(output, facts);
  else
    output.kind = Kind::inferred;
  output.may_change = !is_decided;
  return true;
}

void Read::settle_kinds(std::int64_t position, std::int64_t rows, const Progress& progress) {
  for (;;) {
    std::vector<Output*> again;
    for (Output& output : outputs_) {
      if (!output.may_change) {
        if (output.has_failed)
          throw SourceError("the text changed while it was read");
      } else if (change_kind(output)) {
        again.push_back(&output);
      }
    }
    if (again.empty())
      return;
    read_again(again, position, rows, progress);
  }
}

void Read::read_again(
    const std::vector<Output*>& again,
    std::int64_t position,
    std::int64_t rows,
    const Progress& progress) {
  std::vector<Output> outputs(again.size());
  for (std::size_t i = 0; i < again.size(); ++i) {
    Output& output = outputs[i];
    output.kind = again[i]->kind;
    output.may_change = again[i]->may_change;
    output.field = again[i]->field;
    output.unit = again[i]->unit;
    output.missing = again[i]->missing;
    output.has_floats_only = again[i]->has_floats_only;
    output.keeps_integers = again[i]->keeps_integers;
    *again[i] = {};  // its memory is not needed any more
  }
  const Reading reading = read(outputs, position, rows, progress);
  if (reading.rows != rows)
    throw SourceError("the text changed while it was read");
  for (std::size_t i = 0; i < again.size(); ++i) {
    *again[i] = std::move(outputs[i]);
    again[i]->has_failed |= again[i]->kind == Kind::inferred;  // known now: to be read
  }
}

Column Read::finish(Output& output, std::int64_t rows) {
  const auto count = static_cast<std::size_t>(rows);
  Column column = {.kind = output.kind, .unit = output.unit};
  auto* const missing = output.is_missing.as<std::uint8_t>();
  if (output.kind == Kind::int64 && output.facts.has_missing && !output.keeps_integers) {
    column.kind = Kind::float64;
    auto* const values = output.values.as<double>();
    const auto* const numbers = output.values.as<std::int64_t>();
    for (std::size_t row = 0; row < count; ++row) {
      values[row] = missing[row] != 0 ? std::numeric_limits<double>::quiet_NaN()
                                      : static_cast<double>(numbers[row]);
    }
  }
  if (output.facts.has_missing) {
    for (std::size_t row = 0; row < count; ++row) missing[row] ^= 1;
    column.valid = output.is_missing.release(count);
  }
  if (output.kind == Kind::category)
    sort_words(output, rows);
  if (output.has_codes()) {
    const std::deque<std::string>& words = output.dictionary->words;
    output.offsets = Memory((words.size() + 1) * sizeof(std::int64_t), false);
    for (std::size_t i = 0; i < words.size(); ++i) {
      output.byte_count += static_cast<std::int64_t>(words[i].size());
      output.offsets.as<std::int64_t>()[i + 1] = output.byte_count;
    }
    output.bytes = Memory(static_cast<std::size_t>(output.byte_count), false);
    char* to = output.bytes.as<char>();
    for (const std::string& word : words) to = std::ranges::copy(word, to).out;
    column.offsets = output.offsets.release((words.size() + 1) * sizeof(std::int64_t));
  } else if (output.has_strings()) {
    column.offsets = output.offsets.release((count + 1) * sizeof(std::int64_t));
  }
  column.bytes = output.bytes.release(static_cast<std::size_t>(output.byte_count));
  column.values = output.values.release(count * output.item_size());
  return column;
}

Table Read::finish(const Reading& reading) {
  Table table = {.rows = reading.rows};
  table.columns.resize(outputs_.size());
  runtime::parallel_for(runtime_, outputs_.size(), 1, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) {
      table.columns[i] = finish(outputs_[i], reading.rows);
      if (reading.rows == 0 && !has_rows_ && plan_.columns[i].kind == Kind::inferred)
        table.columns[i].kind = Kind::empty;
    }
  });
  table.bad_lines = static_cast<std::int64_t>(reading.bad_lines.size());
  for (const Problem& bad : reading.bad_lines) {
    if (table.warnings.size() == most_warnings)
      break;
    table.warnings.push_back("skipped " + describe(source_, plan_, bad));
  }
  return table;
}

void check(const Plan& plan) {
  if (plan.width < 1)
    throw ValueError("a record has at least one field");
  for (const WantedColumn& column : plan.columns) {
    if (column.field < 0 || column.field >= plan.width)
      throw ValueError("there is no field " + std::to_string(column.field));
    if (column.missing >= plan.missing.size())
      throw ValueError("the column has no missing values' set");
  }
}

}  // namespace

Reader::Reader(runtime::Runtime& runtime, std::shared_ptr<Source> source, const Dialect& dialect)
    : runtime_(&runtime), source_(std::move(source)), dialect_(dialect) {
  Scratch scratch;
  const std::int64_t size = std::min<std::int64_t>(3, source_->size());
  const char* const text = source_->fetch(0, size, scratch);
  if (std::string_view(text, static_cast<std::size_t>(size)) == "\xEF\xBB\xBF")
    position_ = size;
}

std::int64_t Reader::size() const { return source_->size(); }

namespace {

// Takes one line after `position` by `step`, of as much text as it needs.
template <typename Take>
StateMachine::Step take_line(
    const Source& source, StateMachine& machine, std::int64_t& position, const Take& take) {
  Scratch scratch;
  for (std::int64_t bytes = 1 << 12;; bytes *= 8) {
    const std::int64_t end = std::min(source.size(), position + bytes);
    const char* const text = source.fetch(position, end, scratch);
    machine.set_text(text, static_cast<std::size_t>(end - position), end == source.size());
    const StateMachine::Step step = take();
    if (step == StateMachine::Step::more && bytes < longest_line)
      continue;
    if (step == StateMachine::Step::failed || step == StateMachine::Step::more) {
      const std::string what =
          step == StateMachine::Step::more ? "a line of more than 1 GiB" : machine.problem();
      throw ParseError("line " + std::to_string(line_of(source, position)) + ": " + what);
    }
    if (end_of_utf8(text, machine.place()) < machine.place())
      throw ParseError(
          "line " + std::to_string(line_of(source, position)) +
          ": it is not UTF-8; is `encoding` another one?");
    position += static_cast<std::int64_t>(machine.place());
    return step;
  }
}

}  // namespace

void Reader::skip_lines(std::int64_t count) {
  std::string fields;
  std::vector<std::uint32_t> ends;
  StateMachine machine(dialect_, fields, ends);
  for (; count > 0 && position_ < source_->size(); --count)
    take_line(*source_, machine, position_, [&] { return machine.skip(); });
}

std::optional<std::vector<std::string>> Reader::next_record() {
  std::string text;
  std::vector<std::uint32_t> ends;
  StateMachine machine(dialect_, text, ends);
  StateMachine::Step step = StateMachine::Step::nothing;
  while (step == StateMachine::Step::nothing) {
    step = take_line(*source_, machine, position_, [&] {
      text.clear();
      ends.clear();
      return machine.next();
    });
  }
  if (step != StateMachine::Step::record)
    return std::nullopt;
  std::vector<std::string> fields;
  std::size_t begin = 0;
  for (const std::uint32_t end : ends) {
    fields.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

std::int64_t Reader::line_of_row(const Plan& plan, std::int64_t row) const {
  check(plan);
  Tokenizer tokenizer(*source_, dialect_, plan);
  std::int64_t position = position_;
  while (position < source_->size()) {
    tokenizer.cut(position, std::min(position + piece_bytes, source_->size()));
    const Tokens& tokens = tokenizer.tokens();
    if (row < tokens.rows) {
      const std::int64_t begin = row == 0 ? position : tokens.end_of(row - 1);
      return line_of(*source_, begin);
    }
    if (tokens.next == position)
      break;
    row -= tokens.rows;
    position = tokens.next;
  }
  throw ValueError("there is no such row");
}

std::vector<std::optional<Kind>> Reader::guess(const Plan& plan) const {
  check(plan);
  return Read(*runtime_, *source_, dialect_, plan).kinds(position_);
}

Table Reader::read(const Plan& plan, std::int64_t most_rows, const Progress& progress) {
  check(plan);
  std::int64_t position = position_;
  Table table = Read(*runtime_, *source_, dialect_, plan).run(position, most_rows, progress);
  position_ = position;
  return table;
}

}  // namespace phalanx::frames::csv
