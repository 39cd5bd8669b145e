// The types of IR values: scalars, pointers, array views, tuples, records and small vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/base/dtype.h"
#include "phalanx/base/export.h"

namespace phalanx::ir {

enum class TypeKind : std::uint8_t { none, scalar, pointer, array, tuple, record, vector };

// Where memory lives. `generic` points anywhere; the CPU device tells none of them apart.
enum class Space : std::uint8_t { generic, global, shared, local, constant };

// C: last index fastest, contiguous. F: first index fastest, contiguous. any: strides are stored.
enum class Layout : std::uint8_t { c, f, any };

enum class TimeKind : std::uint8_t { datetime, timedelta };

struct Field;

// An immutable value: copies share their payload, equality is structural.
class PHX_API Type {
 public:
  Type() = default;  // none
  Type(DType dtype)  // NOLINT(google-explicit-constructor)
      : kind_(TypeKind::scalar), dtype_(dtype) {}

  static Type none() { return {}; }
  static Type pointer(Type element, Space space);
  static Type array(
      Type element, unsigned ndim, Layout layout, Space space, bool is_mutable = true);
  static Type tuple(std::vector<Type> elements);
  static Type named_tuple(std::string name, std::vector<Field> fields);  // offsets are ignored
  static Type record(std::vector<Field> fields, std::size_t bytes, std::size_t alignment);
  static Type vector(DType dtype, unsigned lanes);
  // A point in time or a span of it: 64 bits that count `unit`s, of which the least is NaT.
  static Type time(TimeKind kind, std::string_view unit);

  TypeKind kind() const { return kind_; }
  bool is_none() const { return kind_ == TypeKind::none; }
  bool is_scalar() const { return kind_ == TypeKind::scalar; }
  bool is_pointer() const { return kind_ == TypeKind::pointer; }
  bool is_array() const { return kind_ == TypeKind::array; }
  bool is_tuple() const { return kind_ == TypeKind::tuple; }
  bool is_record() const { return kind_ == TypeKind::record; }
  bool is_vector() const { return kind_ == TypeKind::vector; }
  bool is_time() const;  // a vector of one int64 to everything but the front ends

  DType dtype() const;                       // scalar, vector
  const Type& element() const;               // pointer, array
  Space space() const;                       // pointer, array
  unsigned ndim() const;                     // array
  Layout layout() const;                     // array
  bool is_mutable() const;                   // array
  unsigned lanes() const;                    // vector
  const std::string& name() const;           // named tuple; empty for a plain one; time: the unit
  TimeKind time_kind() const;                // time
  const std::vector<Field>& fields() const;  // tuple, record: elements in order
  std::size_t record_bytes() const;          // record; see size_of for other types
  std::size_t record_alignment() const;      // record

  bool operator==(const Type& other) const;

 private:
  struct Payload;
  explicit Type(TypeKind kind, std::shared_ptr<const Payload> payload)
      : kind_(kind), payload_(std::move(payload)) {}

  TypeKind kind_ = TypeKind::none;
  DType dtype_ = DType::boolean;
  std::shared_ptr<const Payload> payload_;
};

struct Field {
  std::string name;  // empty in a plain tuple
  Type type;
  std::size_t offset = 0;  // bytes from the record's start; records only
  // Records only: not empty where the field is an array of `type`, row-major.
  std::vector<std::int64_t> shape = {};
  bool operator==(const Field&) const = default;
};

// Bytes and alignment of a value in memory. Bool is one byte; an array view, `none` and a tuple
// have no memory form of their own (see abi.h for how they are passed).
PHX_API std::size_t size_of(const Type& type);
PHX_API std::size_t alignment_of(const Type& type);
PHX_API std::size_t size_of(const Field& field);

// The printed form, which `parse_type` reads back: `f32`, `ptr<f32, global>`,
// `array<f32, 2, C, global>`, `array<const f32, 1, any, shared>`, `(i64, f32)`,
// `Point(x: f32, y: f32)`, `record<24, 8, x: f32[2, 2] @0, n: i64 @16>`, `vec<f32, 4>`,
// `datetime<"ns">`, `none`.
PHX_API std::string to_string(const Type& type);
PHX_API std::string_view to_string(Space space);
PHX_API std::string_view to_string(Layout layout);

}  // namespace phalanx::ir
