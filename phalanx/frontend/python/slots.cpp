#include "phalanx/frontend/python/slots.h"

#include <memory>
#include <utility>

#include "phalanx/ir/abi.h"

namespace phalanx::frontend::python {
namespace {

constexpr ir::Space global = ir::Space::global;

// Goes over the slots of a type in order.
class Slots {
 public:
  Slots(Emitter& emitter, ir::Operation* memory, const ir::Type& type)
      : emitter_(&emitter), memory_(memory), layout_(ir::layout_parameters({type})) {}

  void store(const Value& value, const ir::Type& type) {
    if (type.is_none())
      return;
    if (type.is_tuple()) {
      const auto elements = *emitter_->elements_of(value);
      for (std::size_t i = 0; i < elements.size(); ++i) store(elements[i], type.fields()[i].type);
    } else if (type.is_array()) {
      store_array(emitter_->convert(value, type), type);
    } else {
      ir::Operation* part = emitter_->convert(value, type);
      builder().store(next(type), part);
    }
  }

  Value load(const ir::Type& type) {
    if (type.is_none())
      return none_value();
    if (type.is_tuple())
      return load_tuple(type);
    if (type.is_array())
      return load_array(type);
    return builder().load(next(type));
  }

 private:
  ir::Builder& builder() { return emitter_->builder(); }

  // The address of the next slots, which hold a value of the type.
  ir::Operation* next(const ir::Type& type) {
    const auto offset = static_cast<std::int64_t>(layout_.slots.at(slot_).offset);
    slot_ += ir::flatten(type).size();
    return builder().pointer_offset(
        memory_, builder().integer(offset), ir::Type::pointer(type, global));
  }

  void store_array(ir::Operation* array, const ir::Type& type) {
    const auto put = [&](ir::Operation* part) { builder().store(next(part->type), part); };
    put(builder().array_data(array));
    for (unsigned i = 0; i < type.ndim(); ++i) put(builder().array_shape(array, i));
    for (unsigned i = 0; i < type.ndim() && type.layout() == ir::Layout::any; ++i)
      put(builder().array_stride(array, i));
  }

  Value load_array(const ir::Type& type) {
    const auto get = [&](const ir::Type& part) { return builder().load(next(part)); };
    ir::Operation* data = get(ir::Type::pointer(type.element(), type.space()));
    ir::Builder::Values shape;
    ir::Builder::Values strides;
    for (unsigned i = 0; i < type.ndim(); ++i) shape.push_back(get(DType::int64));
    for (unsigned i = 0; i < type.ndim() && type.layout() == ir::Layout::any; ++i)
      strides.push_back(get(DType::int64));
    return builder().array_make(type, data, shape, strides);
  }

  Value load_tuple(const ir::Type& type) {
    std::vector<Value> elements;
    std::vector<std::string> names;
    for (const ir::Field& field : type.fields()) {
      elements.push_back(load(field.type));
      names.push_back(field.name);
    }
    TupleValue tuple = {
        .elements = std::make_shared<const std::vector<Value>>(std::move(elements)),
        .name = type.name()};
    if (!type.name().empty())
      tuple.field_names = std::make_shared<const std::vector<std::string>>(std::move(names));
    return tuple;
  }

  Emitter* emitter_;
  ir::Operation* memory_;
  ir::ParameterLayout layout_;
  std::size_t slot_ = 0;
};

}  // namespace

void store_slots(
    Emitter& emitter, ir::Operation* target, const ir::Type& type, const Value& value) {
  Slots(emitter, target, type).store(value, type);
}

Value load_slots(Emitter& emitter, ir::Operation* source, const ir::Type& type) {
  return Slots(emitter, source, type).load(type);
}

}  // namespace phalanx::frontend::python
