#include "phalanx/frontend/python/iterables.h"

#include <algorithm>

#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/flat.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/ir/lists.h"

namespace phalanx::frontend::python {

Value range_length(Emitter& emitter, const Iterable& range) {
  const std::vector<Value>& parts = *range.parts;
  const auto u64 = [&](ir::Op op, const Value& a, const Value& b) {
    return emitter.same_type(op, DType::uint64, {a, b});
  };
  const auto one_way = [&](const Value& from, const Value& to, const Value& step) {
    const Value one = integer_literal(1, DType::uint64);
    const Value distance =
        u64(ir::Op::subtract, emitter.cast(to, DType::uint64), emitter.cast(from, DType::uint64));
    const Value steps = u64(ir::Op::floor_divide, u64(ir::Op::subtract, distance, one), step);
    return emitter.select(
        emitter.compare(tree::Comparison::less, from, to),
        u64(ir::Op::add, steps, one),
        integer_literal(0, DType::uint64));
  };
  const Value zero = emitter.cast(integer_literal(0), range.type.dtype());
  const Value step = emitter.cast(parts[2], DType::uint64);
  const Value back = u64(ir::Op::subtract, integer_literal(0, DType::uint64), step);
  const Value is_up = emitter.compare(tree::Comparison::greater, parts[2], zero);
  const auto known = known_truth(is_up);
  if (known)
    return *known ? one_way(parts[0], parts[1], step) : one_way(parts[1], parts[0], back);
  return emitter.select(
      is_up, one_way(parts[0], parts[1], step), one_way(parts[1], parts[0], back));
}

Value iteration_extent(Emitter& emitter, const Value& iterable) {
  if (const auto elements = emitter.elements_of(iterable))
    return integer_literal(static_cast<std::int64_t>(elements->size()));
  if (is_array(iterable) && type_of(iterable)->ndim() > 0)
    return emitter.extent(iterable, 0);
  if (is_list(iterable))
    return list_length(emitter, iterable);
  const auto* lazy = iterable.as<Iterable>();
  if (lazy == nullptr)
    emitter.fail(
        describe(iterable) + " cannot be gone over",
        "Loops go over range, arrays, lists, tuples, enumerate, zip, "
        "numpy.ndindex, "
        "numpy.ndenumerate and numpy.nditer.");
  if (lazy->kind == Iterable::Kind::range)
    return emitter.cast(range_length(emitter, *lazy), DType::int64);
  if (lazy->kind == Iterable::Kind::enumerate)
    return iteration_extent(emitter, (*lazy->parts)[0]);
  if (lazy->kind >= Iterable::Kind::indices)
    return index_count(emitter, *lazy);
  Value shortest = iteration_extent(emitter, lazy->parts->front());
  for (std::size_t i = 1; i < lazy->parts->size(); ++i) {
    const Value extent = iteration_extent(emitter, (*lazy->parts)[i]);
    const Value is_less = emitter.compare(tree::Comparison::less, extent, shortest);
    shortest = emitter.select(is_less, extent, shortest);
  }
  return shortest;
}

Value iteration_element(
    Emitter& emitter, const Value& iterable, ir::Operation* position, const IndexOf& index_of) {
  if (emitter.elements_of(iterable))
    return emitter.item(iterable, position);
  if (is_array(iterable))
    return emitter.row(iterable, position);
  if (is_list(iterable))
    return list_element_at(emitter, iterable, position);
  const auto& lazy = *iterable.as<Iterable>();
  switch (lazy.kind) {
    case Iterable::Kind::range: {
      const DType dtype = lazy.type.dtype();
      const Value offset = emitter.binary(ir::Op::multiply, position, (*lazy.parts)[2]);
      return emitter.cast(emitter.binary(ir::Op::add, (*lazy.parts)[0], offset), dtype);
    }
    case Iterable::Kind::enumerate: {
      const Value count = emitter.binary(ir::Op::add, (*lazy.parts)[1], position);
      return tuple_value({count, iteration_element(emitter, (*lazy.parts)[0], position, index_of)});
    }
    case Iterable::Kind::indices:
      return index_of(lazy);
    case Iterable::Kind::elements: {
      const Value index = index_of(lazy);
      return tuple_value({index, element_at_index(emitter, lazy.parts->front(), index)});
    }
    case Iterable::Kind::flat:
      return element_at_index(emitter, lazy.parts->front(), index_of(lazy));
    case Iterable::Kind::operands:
      return operands_at(emitter, lazy, index_of(lazy));
    case Iterable::Kind::zip:
    case Iterable::Kind::iterations:
      break;
  }
  std::vector<Value> elements;
  for (const Value& part : *lazy.parts)
    elements.push_back(iteration_element(emitter, part, position, index_of));
  return tuple_value(std::move(elements));
}

std::optional<std::vector<Value>> static_elements(Emitter& emitter, const Value& iterable) {
  if (auto elements = emitter.elements_of(iterable))
    return elements;
  const auto* lazy = iterable.as<Iterable>();
  if (lazy == nullptr || lazy->kind == Iterable::Kind::range ||
      lazy->kind >= Iterable::Kind::indices)
    return std::nullopt;
  if (lazy->kind == Iterable::Kind::enumerate) {
    auto elements = static_elements(emitter, (*lazy->parts)[0]);
    const auto start = known_integer((*lazy->parts)[1]);
    if (!elements || !start)
      return std::nullopt;
    for (std::size_t i = 0; i < elements->size(); ++i)
      (*elements)[i] =
          tuple_value({integer_literal(*start + static_cast<std::int64_t>(i)), (*elements)[i]});
    return elements;
  }
  std::vector<std::vector<Value>> rows;
  for (const Value& part : *lazy->parts) {
    const auto elements = static_elements(emitter, part);
    if (!elements)
      return std::nullopt;
    rows.resize(rows.empty() ? elements->size() : std::min(rows.size(), elements->size()));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back((*elements)[i]);
  }
  std::vector<Value> elements;
  for (std::vector<Value>& row : rows) elements.push_back(tuple_value(std::move(row)));
  return elements;
}

std::optional<ir::Type> element_type_of(Emitter& emitter, const Value& iterable) {
  if (is_list(iterable))
    return ir::list_element(*type_of(iterable));
  if (const auto elements = emitter.elements_of(iterable))
    return common_element(*elements);
  const auto type = type_of(iterable);
  if (type && type->is_array()) {
    const bool is_vector = type->ndim() == 1;
    const ir::Layout layout = type->layout() == ir::Layout::c ? ir::Layout::c : ir::Layout::any;
    return is_vector ? type->element()
                     : ir::Type::array(
                           type->element(),
                           type->ndim() - 1,
                           layout,
                           ir::Space::global,
                           type->is_mutable());
  }
  const auto* lazy = iterable.as<Iterable>();
  if (lazy == nullptr)
    return std::nullopt;
  if (lazy->kind == Iterable::Kind::range)
    return ir::Type(DType::int64);
  if (lazy->kind == Iterable::Kind::flat)
    return type_of(lazy->parts->front())->element();
  const auto indices = [&] {
    return ir::Type::tuple(std::vector<ir::Type>(extents_of(*lazy).size(), DType::int64));
  };
  if (lazy->kind == Iterable::Kind::indices)
    return indices();
  if (lazy->kind == Iterable::Kind::elements)
    return ir::Type::tuple({indices(), type_of(lazy->parts->front())->element()});
  if (lazy->kind == Iterable::Kind::operands)
    return std::nullopt;
  std::vector<ir::Type> parts;
  if (lazy->kind == Iterable::Kind::enumerate)
    parts.emplace_back(DType::int64);
  for (std::size_t i = 0; i < lazy->parts->size() - parts.size(); ++i) {
    const auto part = element_type_of(emitter, (*lazy->parts)[i]);
    if (!part)
      return std::nullopt;
    parts.push_back(*part);
  }
  return ir::Type::tuple(std::move(parts));
}

}  // namespace phalanx::frontend::python
