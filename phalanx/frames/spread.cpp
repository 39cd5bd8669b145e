#include "phalanx/frames/spread.h"

#include "phalanx/base/errors.h"
#include "phalanx/frames/images.h"
#include "phalanx/frames/key_words.h"
#include "phalanx/frames/parts.h"
#include "phalanx/frames/strings.h"

namespace phalanx::frames {
namespace {

void hash_block(const Key& key, std::int64_t first, std::int64_t count, std::uint64_t* to) {
  if (key.is_strings()) {
    Strings({key}).hash(first, count, to);
    return;
  }
  with_type(key.column.dtype, [&]<typename T>(T) {
    const Missing<T> missing(key.column, key.is_codes);
    const T* const values = static_cast<const T*>(key.column.values);
    for (std::int64_t i = 0; i < count; ++i)
      to[i] = missing(first + i) ? missing_hash : hash_word(image_of(values[first + i]));
  });
}

// The high bits of a hash tell the part: tables of a part's rows take the low ones.
std::int32_t part_of(std::uint64_t hash, std::int32_t parts) {
  return static_cast<std::int32_t>(
      Wide{hash_word(hash)} * static_cast<std::uint64_t>(parts) >> 64U);
}

}  // namespace

Memory<std::int32_t> spread_rows(
    runtime::Runtime& runtime, std::span<const Key> keys, std::int32_t parts) {
  for (const Key& key : keys) check_key(runtime, key);
  if (parts < 1)
    throw ValueError("rows are spread to one part or more");
  const std::int64_t rows = rows_of(keys);
  Memory<std::int32_t> made(runtime, rows);
  for_ranges(runtime, rows, [&](std::int64_t begin, std::int64_t end) {
    for_blocks(begin, end, [&](std::int64_t first, std::int64_t count) {
      std::uint64_t hashes[block_rows] = {};
      std::uint64_t of_key[block_rows];
      for (const Key& key : keys) {
        hash_block(key, first, count, of_key);
        for (std::int64_t i = 0; i < count; ++i) hashes[i] = hash_word(hashes[i] + of_key[i]);
      }
      for (std::int64_t i = 0; i < count; ++i) made[first + i] = part_of(hashes[i], parts);
    });
  });
  return made;
}

}  // namespace phalanx::frames
