// What binds values: names, parts of arrays and objects, and tuples of these.
#include <algorithm>

#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/extensions.h"
#include "phalanx/frontend/python/list_operations.h"
#include "phalanx/frontend/python/list_types.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/walker.h"

namespace phalanx::frontend::python {
namespace {

// a, b = array: its elements or rows, as many as there are names.
std::vector<Value> unpacked_array(Emitter& emitter, const Value& value, std::size_t count) {
  const auto expected = integer_literal(static_cast<std::int64_t>(count));
  const Value array = emitter.materialize(value);
  const bool is_list = python::is_list(array);
  if (!is_list && type_of(array)->ndim() == 0)
    emitter.fail(describe(value) + " cannot be unpacked", "It has no dimension.");
  const Value length = is_list ? list_length(emitter, array) : emitter.extent(array, 0);
  emitter.raise_where(
      emitter.compare(tree::Comparison::not_equal, length, expected),
      "ValueError",
      std::string("unpack error: the ") + (is_list ? "list" : "array") +
          " does not have as many elements as there are names");
  std::vector<Value> elements;
  for (std::size_t i = 0; i < count; ++i)
    elements.push_back(emitter.item(array, integer_literal(static_cast<std::int64_t>(i))));
  return elements;
}

// a, *b, c = value: what is left between the others becomes a tuple.
void unpack_starred(
    Walker& walker,
    const tree::Tuple& targets,
    std::size_t starred,
    const std::vector<Value>& elements) {
  const std::size_t rest = elements.size() + 1 - targets.elements.size();
  for (std::size_t i = 0; i < targets.elements.size(); ++i) {
    if (i == starred) {
      const auto first = elements.begin() + static_cast<std::ptrdiff_t>(i);
      const auto& target = std::get<tree::Starred>(targets.elements[i]->node);
      walker.assign(*target.value, tuple_value({first, first + static_cast<std::ptrdiff_t>(rest)}));
    } else {
      walker.assign(*targets.elements[i], elements[i < starred ? i : i + rest - 1]);
    }
  }
}

// a, b = value
void unpack(
    Walker& walker,
    const tree::Expression& target,
    const tree::Tuple& targets,
    const Value& value) {
  Walk& walk = walker.walk();
  auto elements = walk.emitter.elements_of(value);
  if (!elements && walk.options().is_function && (is_array(value) || is_list(value)))
    elements = unpacked_array(walk.emitter, value, targets.elements.size());
  if (!elements)
    walk.fail(target.location, describe(value) + " cannot be unpacked", "Only tuples can.");
  const auto starred = std::ranges::find_if(targets.elements, [](const auto& element) {
    return std::holds_alternative<tree::Starred>(element->node);
  });
  if (starred != targets.elements.end() && elements->size() + 1 >= targets.elements.size()) {
    unpack_starred(
        walker, targets, static_cast<std::size_t>(starred - targets.elements.begin()), *elements);
    return;
  }
  if (elements->size() != targets.elements.size())
    walk.fail(
        target.location,
        describe(value) + " has " + std::to_string(elements->size()) +
            " elements, which do not unpack into " + std::to_string(targets.elements.size()) +
            " names");
  for (std::size_t i = 0; i < elements->size(); ++i)
    walker.assign(*targets.elements[i], (*elements)[i]);
}

}  // namespace

void Walker::assign(const tree::Expression& target, const Value& value) {
  const AtLocation at(walk_.builder(), target.location);
  if (const auto* name = std::get_if<tree::Name>(&target.node)) {
    walk_.bind(name->text, value, target.location);
  } else if (const auto* tuple = std::get_if<tree::Tuple>(&target.node)) {
    unpack(*this, target, *tuple, value);
  } else if (const auto* subscript = std::get_if<tree::Subscript>(&target.node)) {
    const Value owner = evaluate(*subscript->owner);
    const Value index = evaluate(*subscript->index);
    if (lists().set_slice(owner, index, value))
      return;
    if (is_list(owner))
      set_list_item(walk_.emitter, owner, index, list_types().grown(value));
    else if (!extensions().set_elements_at(owner, index, value))
      walk_.emitter.set_item(owner, index, value);
  } else if (const auto* attribute = std::get_if<tree::Attribute>(&target.node)) {
    walk_.emitter.set_attribute(evaluate(*attribute->owner), attribute->name, value);
  } else {
    evaluate(target);  // fails, saying what it is
    walk_.diagnostics().unsupported(target.location, "this cannot be assigned to in a kernel");
  }
}

}  // namespace phalanx::frontend::python
