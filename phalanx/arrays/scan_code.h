// The code of scan_kernel.h's kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "phalanx/arrays/kernel_code.h"
#include "phalanx/numpy/reductions.h"

namespace phalanx::arrays {

// A block that scans a row takes so many elements at a time: each of its warps, of 32 threads, a
// part, of which its threads take one element each, and the next ones after that.
constexpr std::uint32_t scan_threads = 256;
constexpr std::uint32_t scan_rounds = 8;
constexpr std::int64_t scan_tile = std::int64_t{scan_threads} * scan_rounds;

enum class ScanWay : std::uint8_t {
  rows,        // a block for each kept index
  columns,     // a thread for each; neighbours along the innermost kept loop
  sequential,  // a block of one thread for several of them: for CPUs
};

// All that decides the code.
struct ScanForm {
  std::string name;                        // the fold's
  const numpy::Reduction* fold = nullptr;  // of one number
  ProgramForm program;                     // of one result
  OperandForm output;
  ScanWay way = ScanWay::rows;
  std::size_t kept_loops = 0;  // the scanned one comes last, of columns last but one
  bool has_offsets = false;    // chunks go on with what the ones before them come to
  bool is_narrow = true;       // 32 bits count the indices

  void write_key(KeyWriter& writer) const;
};

// Parameters: kept indices, those along the innermost loop of columns counted once; elements to
// scan; those of a chunk; offsets of each kept index; the extents of the kept loops; the output; a
// pointer to the offsets where there are some; the program.
std::shared_ptr<ir::Module> make_scan_module(const ScanForm& form);

}  // namespace phalanx::arrays
