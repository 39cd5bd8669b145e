// What the lists of a function hold: when a display becomes a list that grows, and of which type.
#pragma once

#include <optional>
#include <vector>

#include "phalanx/frontend/python/walk.h"

namespace phalanx::frontend::python {

// Type inference for lists: what is put into one decides what it holds. It is kept in the instance,
// by the location of the display, so that the next round begins the list with that type.
class ListTypes {
 public:
  explicit ListTypes(Walk& walk) : walk_(walk) {}

  // A list display as the list that Python makes of it, also within a tuple. What a list cannot
  // hold together stays a tuple.
  Value grown(const Value& value);
  // The arguments of a function written in Python: our own take list displays as tuples.
  std::vector<Value> handed_on(std::vector<Value> arguments, bool is_library);

  // What the list that is written there holds, as far as earlier rounds and its begin tell.
  std::optional<ir::Type> learnt_element(
      const Location& list, const std::optional<ir::Type>& begin) const;
  // Fails where the value is a list of which nothing is known yet.
  void require_known(const Value& value, Location where) const;
  // The length of such a list, or whether it has one, in a round that will not be the last: what
  // depends on it is emitted, and may tell what the list holds.
  Value number_of_open_list(DType dtype);

  // An empty list that meets one of a known type holds the same.
  void learn_from(const Value& open, const ir::Type& other);
  // Before a value, or all that is in it, is put into a list.
  void fill(const Value& list, const Value& given, bool is_iterable);

 private:
  void learn(const Location& list, const ir::Type& element);

  Walk& walk_;
};

// True if the value is a list display, which is a tuple where nothing is put into it.
bool is_display(const Value& value);

}  // namespace phalanx::frontend::python
