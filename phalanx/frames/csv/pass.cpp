#include "phalanx/frames/csv/pass.h"

#include <algorithm>
#include <utility>

#include "phalanx/runtime/parallel.h"

namespace phalanx::frames::csv {
namespace {

// Rows whose text and ends stay in the first cache while column after column is written.
constexpr std::int64_t block_rows = 128;
// Pages of 2 MiB where what is lost at the columns' ends is little.
constexpr std::size_t most_huge_columns = 32;

}  // namespace

Pass::Pass(Reading& reading, std::vector<Output>& outputs)
    : reading_(reading),
      outputs_(outputs),
      caller_(std::this_thread::get_id()),
      capacity_(std::min(reading.guessed_rows, reading.most_rows)),
      huge_(outputs.size() <= most_huge_columns),
      position_(reading.first) {
  for (Output& output : outputs_) output.reserve(capacity_, huge_);
}

void Pass::run() {
  const std::int64_t bytes = reading_.most_rows == 0 ? 0 : reading_.source.size() - reading_.first;
  const std::int64_t pieces = (bytes + reading_.piece - 1) / reading_.piece;
  runtime::parallel_for(
      reading_.runtime,
      static_cast<std::uint64_t>(pieces),
      1,
      [&](std::uint64_t first, std::uint64_t last) {
        for (; first < last; ++first) {
          std::unique_ptr<Worker> with = worker();
          try {
            // In this order, whichever the loop has: a piece waits for those before it.
            take_piece(*with, next_piece_++);
          } catch (...) {
            fail();
            throw;
          }
          const std::scoped_lock lock(mutex_);
          idle_.push_back(std::move(with));
        }
      });
  reading_.next = position_;
  if (reading_.progress)
    report();  // the calling thread may have come too late for a piece
}

std::unique_ptr<Pass::Worker> Pass::worker() {
  const std::scoped_lock lock(mutex_);
  if (idle_.empty())
    return std::make_unique<Worker>(reading_, outputs_.size());
  std::unique_ptr<Worker> found = std::move(idle_.back());
  idle_.pop_back();
  return found;
}

void Pass::fail() {
  const std::scoped_lock lock(mutex_);
  has_thrown_ = true;
  changed_.notify_all();
}

bool Pass::wait_for_turn(std::int64_t piece) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return turn_ == piece || has_thrown_; });
  return !has_thrown_;
}

void Pass::end_turn() {
  const std::scoped_lock lock(mutex_);
  ++turn_;
  changed_.notify_all();
}

void Pass::take_piece(Worker& worker, std::int64_t piece) {
  const std::int64_t first = reading_.first + piece * reading_.piece;
  const std::int64_t last = std::min(first + reading_.piece, reading_.source.size());
  bool is_guessed = false;
  {
    const std::scoped_lock lock(mutex_);
    if (has_thrown_)
      return;
    is_guessed = !is_done_;
  }
  if (is_guessed && piece == 0)
    worker.tokenizer.cut(first, last);
  else if (is_guessed)
    is_guessed = worker.tokenizer.guess(first, last);
  if (is_guessed)
    take_strings_of(worker, worker.tokenizer.tokens().rows);
  if (wait_for_turn(piece))
    take_in_turn(worker, piece, last, is_guessed);
  if (std::this_thread::get_id() == caller_ && reading_.progress)
    report();
}

void Pass::report() {
  std::unique_lock lock(mutex_);
  const std::int64_t done = position_;
  lock.unlock();
  reading_.progress(done, reading_.source.size());
}

void Pass::take_in_turn(
    Worker& worker, std::int64_t /*piece*/, std::int64_t last, bool is_guessed) {
  const Tokens& tokens = worker.tokenizer.tokens();
  bool is_cut = is_guessed && tokens.position == position_;
  while (!is_done_ && position_ < last) {
    if (!is_cut) {
      worker.tokenizer.cut(position_, last);
      take_strings_of(worker, tokens.rows);
    }
    is_cut = false;
    commit(worker);
    const bool is_last = is_done_ || position_ >= last;
    if (is_last)
      end_turn();
    write(worker);
    if (is_last)
      return;
  }
  end_turn();
}

void Pass::take_strings_of(Worker& worker, std::int64_t rows) {
  const Tokens& tokens = worker.tokenizer.tokens();
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Output& output = outputs_[i];
    if (output.has_strings() || output.has_codes())
      take_strings(
          output, Fields(tokens, output.field, reading_.format.quote), rows, worker.strings[i]);
  }
}

// Gives the piece its rows. The turn is this thread's: others read what they do not change.
void Pass::commit(Worker& worker) {
  const Tokens& tokens = worker.tokenizer.tokens();
  const std::int64_t most = reading_.most_rows - reading_.rows;
  worker.base = reading_.rows;
  worker.rows = std::min(tokens.rows, most);
  if (worker.rows < tokens.rows)
    take_strings_of(worker, worker.rows);
  take_problems(tokens, most);
  make_room(worker);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].has_strings() || outputs_[i].has_codes())
      worker.starts[i] = place_strings(outputs_[i], worker.strings[i]);
  }
  const std::scoped_lock lock(mutex_);
  reading_.rows += worker.rows;
  position_ = worker.rows == most && most > 0 ? tokens.end_of(worker.rows - 1) : tokens.next;
  is_done_ = worker.rows == most || reading_.failure.has_value();
  ++writers_;
}

void Pass::take_problems(const Tokens& tokens, std::int64_t most) {
  const auto take = [&](const Problem& problem) {
    Problem found = problem;
    found.rows += reading_.rows;
    return found;
  };
  for (const Problem& bad : tokens.bad_lines) {
    if (tokens.failure && tokens.failure->position < bad.position)
      break;
    if (bad.rows >= most)
      return;
    if (reading_.plan.bad_lines == BadLines::error) {
      reading_.failure = take(bad);
      return;
    }
    if (reading_.plan.bad_lines == BadLines::warn)
      reading_.bad_lines.push_back(take(bad));
  }
  if (tokens.failure && tokens.failure->rows < most)
    reading_.failure = take(*tokens.failure);
}

// Columns move when they grow: nobody may be writing to them.
void Pass::make_room(const Worker& worker) {
  const std::int64_t needed = worker.base + worker.rows;
  bool grows = needed > capacity_;
  for (std::size_t i = 0; i < outputs_.size() && !grows; ++i)
    grows = must_grow(outputs_[i], worker.strings[i]);
  if (!grows)
    return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return writers_ == 0; });
  if (needed <= capacity_)
    return;
  capacity_ = std::min(needed + needed / 2, reading_.most_rows);
  for (Output& output : outputs_) output.grow(capacity_);
}

void Pass::write(Worker& worker) {
  try {
    write_columns(worker);
    note_seen(worker);
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    --writers_;
    changed_.notify_all();
    throw;
  }
  const std::scoped_lock lock(mutex_);
  --writers_;
  changed_.notify_all();
}

void Pass::write_columns(Worker& worker) {
  const Tokens& tokens = worker.tokenizer.tokens();
  std::ranges::fill(worker.seen, Seen());
  for (std::int64_t first = 0; first < worker.rows; first += block_rows) {
    const Rows rows = {first, std::min(first + block_rows, worker.rows), worker.base};
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const Output& output = outputs_[i];
      Seen& seen = worker.seen[i];
      const bool is_value = output.item_size() > 0 && !output.has_codes();
      if (is_value && !seen.has_failed)
        write_values(
            output,
            Fields(tokens, output.field, reading_.format.quote),
            rows,
            reading_.format,
            seen);
    }
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Output& output = outputs_[i];
    if (output.has_strings() || output.has_codes())
      write_strings(output, worker.strings[i], worker.base, worker.starts[i]);
  }
}

// Says what the piece was like, for the kinds of its columns.
void Pass::note_seen(Worker& worker) {
  const Tokens& tokens = worker.tokenizer.tokens();
  const Rows rows = {0, worker.rows, worker.base};
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Output& output = outputs_[i];
    Seen& seen = worker.seen[i];
    if (output.kind == Kind::datetime)
      continue;
    if (output.kind == Kind::inferred || seen.has_failed) {
      seen.facts = {};
      look_at(
          output, Fields(tokens, output.field, reading_.format.quote), rows, reading_.format, seen);
    } else if (output.item_size() > 0 && seen.missing < worker.rows) {
      seen.facts.has_values = true;
      seen.facts.are_booleans = output.kind == Kind::boolean;
      seen.facts.are_floats = output.kind != Kind::boolean;
    }
  }
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    Seen& seen = worker.seen[i];
    seen.facts.has_missing |= seen.missing > 0 || worker.strings[i].has_missing;
    outputs_[i].facts.merge(seen.facts);
    outputs_[i].has_failed |= seen.has_failed;
  }
}

}  // namespace phalanx::frames::csv
