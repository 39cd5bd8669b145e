// Reads a source once, on all threads, to columns of kinds that are known or guessed.
//
// Each piece of the text is cut by one thread while others cut theirs, from where its first record
// seems to begin. Then, one after another, pieces learn where they really begin, which is where the
// one before ends, and which row of the columns they begin with; the few that guessed wrong are cut
// again. Then their threads write the columns, at once again. So the text is read once, while it is
// in the caches, and values go to where they stay.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "phalanx/frames/csv/columns.h"
#include "phalanx/frames/csv/tokens.h"

namespace phalanx::frames::csv {

// What is read, and what has come of it.
struct Reading {
  runtime::Runtime& runtime;
  const Source& source;
  const Dialect& dialect;
  const Plan& plan;
  const Format& format;
  std::int64_t first;  // where the first record begins
  std::int64_t most_rows;
  std::int64_t guessed_rows;  // columns have room for so many at first
  std::int64_t piece;         // bytes
  const Progress& progress;

  std::int64_t rows = 0;
  std::int64_t next = 0;  // what follows the last row
  std::optional<Problem> failure = {};
  std::vector<Problem> bad_lines = {};
};

class Pass {
 public:
  Pass(Reading& reading, std::vector<Output>& outputs);
  // Throws what threads and the source throw. `reading.failure` is text that is wrong.
  void run();

 private:
  // What a thread needs for a piece.
  struct Worker {
    Worker(const Reading& reading, std::size_t columns)
        : tokenizer(reading.source, reading.dialect, reading.plan),
          strings(columns),
          starts(columns),
          seen(columns) {}

    Tokenizer tokenizer;
    std::vector<Strings> strings;  // by column
    std::vector<std::int64_t> starts;
    std::vector<Seen> seen;
    std::int64_t base = 0;
    std::int64_t rows = 0;
  };

  void take_piece(Worker& worker, std::int64_t piece);
  void take_in_turn(Worker& worker, std::int64_t piece, std::int64_t last, bool is_guessed);
  bool wait_for_turn(std::int64_t piece);
  void end_turn();
  void take_strings_of(Worker& worker, std::int64_t rows);
  void commit(Worker& worker);
  void take_problems(const Tokens& tokens, std::int64_t most);
  void make_room(const Worker& worker);
  void write(Worker& worker);
  void write_columns(Worker& worker);
  void note_seen(Worker& worker);
  void fail();
  void report();
  std::unique_ptr<Worker> worker();

  Reading& reading_;
  std::vector<Output>& outputs_;
  std::thread::id caller_;
  std::int64_t capacity_;
  bool huge_;

  std::atomic<std::int64_t> next_piece_ = 0;
  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::int64_t turn_ = 0;      // the piece whose turn it is
  std::int64_t position_ = 0;  // where its first record begins
  std::int64_t writers_ = 0;   // threads that write to columns
  bool is_done_ = false;       // all rows that are wanted are there, or something failed
  bool has_thrown_ = false;
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace phalanx::frames::csv
