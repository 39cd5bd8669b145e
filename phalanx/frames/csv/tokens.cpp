#include "phalanx/frames/csv/tokens.h"

#include <algorithm>
#include <cstring>

#include "phalanx/frames/csv/scan.h"
#include "phalanx/frames/csv/state_machine.h"
#include "phalanx/frames/csv/utf8.h"

namespace phalanx::frames::csv {
namespace {

// Read after a piece at first, for the record that its end cuts.
constexpr std::int64_t first_overshoot = 4096;
constexpr std::int64_t growth = 8;
// A guess does not read more: it is probably wrong.
constexpr std::int64_t most_guessed = first_overshoot * growth * growth;
constexpr std::int64_t longest_record = std::int64_t{1} << 27;
// Records that are cut at once have no more: where most are missing, they take more memory than
// text.
constexpr std::size_t most_fields = std::size_t{1} << 22;

bool is_line_end(char c) { return c == '\n' || c == '\r'; }

bool ends_field(const Dialect& dialect, char c) {
  return is_line_end(c) || static_cast<unsigned char>(c) == dialect.separator;
}

// True if the text seems to begin within quotes, by the first quote that has a field's border on
// one side alone. C. Ge et al., Speculative Distributed CSV Data Parsing for Big Data Analytics,
// SIGMOD 2019.
bool seems_quoted(const Dialect& dialect, const char* text, std::size_t size) {
  bool is_odd = false;
  const char* const last = text + std::min<std::size_t>(size, 1 << 16);
  const char* at = text;
  while (++at < last) {
    const auto left = static_cast<std::size_t>(last - at);
    at = static_cast<const char*>(std::memchr(at, dialect.quote, left));
    if (at == nullptr || at + 1 == last)
      return false;
    const bool after_border = ends_field(dialect, at[-1]);
    const bool before_border = ends_field(dialect, at[1]);
    if (after_border != before_border)
      return before_border != is_odd;
    if (after_border)
      is_odd = !is_odd;
  }
  return false;
}

// Where the first record begins after text[0], which is of the piece before; `size`: nowhere.
std::size_t record_start(const Dialect& dialect, const char* text, std::size_t size) {
  bool is_quoted = dialect.quote != Dialect::none && seems_quoted(dialect, text, size);
  for (std::size_t i = 0; i < size; ++i) {
    if (static_cast<unsigned char>(text[i]) == dialect.quote && i > 0)
      is_quoted = !is_quoted;
    else if (is_line_end(text[i]) && !is_quoted)
      return i + 1 < size && text[i] == '\r' && text[i + 1] == '\n' ? i + 2 : i + 1;
  }
  return size;
}

}  // namespace

void Tokenizer::begin(std::int64_t position) {
  tokens_.position = position;
  tokens_.next = position;
  tokens_.width = plan_->width;
  tokens_.rows = 0;
  tokens_.record_ends.clear();
  tokens_.bad_lines.clear();
  tokens_.failure.reset();
}

void Tokenizer::cut(std::int64_t first, std::int64_t last) {
  begin(first);
  for (std::int64_t overshoot = first_overshoot;; overshoot *= growth) {
    const std::int64_t stop = std::min(source_->size(), last + overshoot);
    const char* const data = source_->fetch(first, stop, scratch_);
    const auto size = static_cast<std::size_t>(stop - first);
    const auto limit = static_cast<std::size_t>(last - first);
    if (cut_text({data, size, limit, stop == source_->size()}) == Outcome::done)
      return;
    if (overshoot > longest_record) {
      tokens_.failure = {
          .position = first, .text = "a record of more than 128 MiB; is a quote not closed?"};
      return;
    }
  }
}

bool Tokenizer::guess(std::int64_t first, std::int64_t last) {
  for (std::int64_t overshoot = first_overshoot; overshoot <= most_guessed; overshoot *= growth) {
    const std::int64_t stop = std::min(source_->size(), last + overshoot);
    const char* const data = source_->fetch(first - 1, stop, scratch_);
    const auto size = static_cast<std::size_t>(stop - first + 1);
    const std::size_t start = record_start(*dialect_, data, size);
    const std::int64_t begins = first - 1 + static_cast<std::int64_t>(start);
    if (begins >= last)
      return false;
    begin(begins);
    const auto limit = static_cast<std::size_t>(last - begins);
    if (cut_text({data + start, size - start, limit, stop == source_->size()}) == Outcome::done)
      return true;
  }
  return false;
}

Tokenizer::Outcome Tokenizer::cut_text(const Text& text) {
  const Outcome outcome = dialect_->skips_initial_space ? Outcome::irregular : cut_regular(text);
  return outcome == Outcome::irregular ? cut_by_states(text) : outcome;
}

std::uint32_t* Tokenizer::reserve_ends(std::size_t size) {
  const std::size_t needed = size + ends_slack + 2;
  if (needed > ends_size_) {
    ends_.reset();
    ends_ = std::make_unique_for_overwrite<std::uint32_t[]>(needed);
    ends_size_ = needed;
    ends_[0] = UINT32_MAX;
  }
  return ends_.get() + 1;
}

// Records that all have the width, and lie as the fields of vectors do.
Tokenizer::Outcome Tokenizer::cut_regular(const Text& text) {
  std::size_t size = text.size;
  if (text.at_end && size > 0 && text.data[size - 1] != '\n') {
    // The last piece is in our own memory, which has room after it.
    const_cast<char*>(text.data)[size++] = '\n';
  }
  const Scan scan = scan_fields(*dialect_, text.data, size, reserve_ends(size));
  tokens_.has_quotes = scan.has_quotes;
  tokens_.has_returns = scan.has_returns;
  tokens_.text = text.data;
  tokens_.ends = ends_.get();
  if (scan.is_irregular || (text.at_end && scan.ends_in_quotes))
    return Outcome::irregular;
  const auto width = static_cast<std::size_t>(plan_->width);
  const std::size_t records = scan.line_ends;
  if (records == 0 && !text.at_end)
    return scan.count > width ? Outcome::irregular : Outcome::more;
  if (records * width > scan.count || (text.at_end && records * width != scan.count))
    return Outcome::irregular;
  // All line ends are those of records, also after the limit: then none is within a record.
  const std::uint32_t* const ends = ends_.get();
  std::size_t rows = 0;
  for (std::size_t i = 0; i < records; ++i) {
    rows += ends[i * width] + 1 < text.limit ? 1 : 0;
    if (text.data[ends[(i + 1) * width]] != '\n')
      return Outcome::irregular;
  }
  tokens_.rows = static_cast<std::int64_t>(rows);
  tokens_.next = rows == 0 ? tokens_.position : tokens_.end_of(tokens_.rows - 1);
  if (text.at_end && rows == records)
    tokens_.next = source_->size();
  if (has_blank_rows(text))
    return Outcome::irregular;
  if (scan.has_non_ascii)
    check_utf8(text.data, static_cast<std::size_t>(tokens_.next - tokens_.position));
  return Outcome::done;
}

// Lines of one field may be blank, which is no record then.
bool Tokenizer::has_blank_rows(const Text& text) const {
  if (plan_->width > 1 || !dialect_->skips_blank_lines)
    return false;
  for (std::int64_t row = 0; row < tokens_.rows; ++row) {
    const char c = text.data[tokens_.ends[row] + 1];
    if (is_line_end(c) || c == ' ' || c == '\t')
      return true;
  }
  return false;
}

void Tokenizer::check_utf8(const char* text, std::size_t size) {
  const std::size_t good = end_of_utf8(text, size);
  if (good >= size)
    return;
  const std::int64_t position = tokens_.position + static_cast<std::int64_t>(good);
  std::int64_t rows = 0;
  while (rows < tokens_.rows && tokens_.end_of(rows) <= position) ++rows;
  if (!tokens_.failure || position < tokens_.failure->position) {
    tokens_.failure = {
        .position = position,
        .rows = rows,
        .text = "byte " + std::to_string(static_cast<unsigned char>(text[good])) +
                " is not UTF-8; is `encoding` another one?"};
  }
}

// Takes the record whose fields were appended. False where it is left out: it has too many.
bool Tokenizer::take_record(std::size_t fields_before, std::size_t text_before, std::size_t place) {
  const auto width = static_cast<std::size_t>(plan_->width);
  const std::size_t fields = state_ends_.size() - fields_before;
  if (fields > width && !plan_->drops_more_fields) {
    state_ends_.resize(fields_before);
    fields_.resize(text_before);
    return false;
  }
  if (fields > width) {
    state_ends_.resize(fields_before + width);
    fields_.resize(state_ends_.back() + 1);
  }
  for (std::size_t i = fields; i < width; ++i) {
    state_ends_.push_back(static_cast<std::uint32_t>(fields_.size()));
    fields_.push_back('\n');
  }
  tokens_.record_ends.push_back(static_cast<std::uint32_t>(place));
  ++tokens_.rows;
  return true;
}

Tokenizer::Outcome Tokenizer::cut_by_states(const Text& text) {
  begin(tokens_.position);
  fields_.assign(padding, '\n');  // loads of vectors pass its start
  state_ends_.assign(1, static_cast<std::uint32_t>(padding - 1));
  StateMachine machine(*dialect_, fields_, state_ends_);
  machine.set_text(text.data, text.size, text.at_end);
  std::size_t place = 0;
  bool goes_on = true;
  while (goes_on && place < text.limit && state_ends_.size() < most_fields) {
    const std::size_t fields_before = state_ends_.size();
    const std::size_t text_before = fields_.size();
    const std::int64_t position = tokens_.position + static_cast<std::int64_t>(place);
    switch (machine.next()) {
      case StateMachine::Step::record: {
        const auto fields = static_cast<std::int64_t>(state_ends_.size() - fields_before);
        if (!take_record(fields_before, text_before, machine.place()))
          tokens_.bad_lines.push_back({position, tokens_.rows, fields, {}});
        break;
      }
      case StateMachine::Step::nothing:
        break;
      case StateMachine::Step::more:
        if (place == 0)
          return Outcome::more;
        goes_on = false;
        continue;
      case StateMachine::Step::end:
        goes_on = false;
        break;
      case StateMachine::Step::failed:
        tokens_.failure = {position, tokens_.rows, 0, machine.problem()};
        goes_on = false;
        break;
    }
    place = machine.place();
  }
  tokens_.next = tokens_.position + static_cast<std::int64_t>(place);
  tokens_.has_quotes = tokens_.has_returns = false;
  fields_.append(padding, '\n');
  tokens_.text = fields_.data();
  tokens_.ends = state_ends_.data();
  check_utf8(text.data, place);
  return Outcome::done;
}

}  // namespace phalanx::frames::csv
