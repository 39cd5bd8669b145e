// Python objects as the arguments of a launch: typed and read without making Python objects.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phalanx/ir/types.h"
#include "phalanx/jit/argument.h"
#include "phalanx/jit/graph.h"
#include "phalanx/views/device_array.h"

namespace phalanx::bindings {

// The rows of a launch. What is not one of the row's own members stays as it is: kernels with
// hundreds of numbers should not wait for memory to be cleared.
class ArgumentRows {
 public:
  explicit ArgumentRows(std::size_t count) {
    if (count > usual)
      grow(count);
  }
  ArgumentRows(const ArgumentRows&) = delete;
  ArgumentRows& operator=(const ArgumentRows&) = delete;

  jit::Argument& add(ir::TypeKey key) {
    if (count_ == capacity_)
      grow(2 * capacity_);
    jit::Argument& row = first_[count_++];
    row.key = key;
    row.device = nullptr;
    row.device_array = nullptr;
    return row;
  }
  std::span<jit::Argument> all() { return {first_, count_}; }
  std::size_t count() const { return count_; }

 private:
  static constexpr std::size_t usual = 32;

  void grow(std::size_t capacity);

  std::array<jit::Argument, usual> few_;
  std::unique_ptr<jit::Argument[]> many_;
  jit::Argument* first_ = few_.data();
  std::size_t count_ = 0;
  std::size_t capacity_ = usual;
};

// What the arguments are for, as messages name it.
enum class Callee : std::uint8_t { kernel, function };

// Reads arguments one by one. Lives on the stack for one launch; objects are borrowed as long.
class Arguments {
 public:
  // `adapter`: an object whose `_adapt` method is asked for what no rule covers; may be null.
  Arguments(std::size_t count, PyObject* adapter, Callee kind)
      : rows_(count), adapter_(adapter), kind_(kind) {}
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  // Throws TypeError for what cannot be passed, naming the argument by its position.
  void add(PyObject* object) {
    ++position_;
    // Kernels of many arguments have many numbers.
    if (!add_number(object, Py_TYPE(object)))
      add_value(object);
  }

  // A number of that type. The caller writes its bytes there.
  std::uint64_t* add_scalar(DType dtype) {
    ++position_;
    return row(ir::key::scalar(dtype)).bits;
  }
  void add(const views::DeviceArray& array) {
    ++position_;
    add_elements(array);
  }

  // A row whose array comes when all arguments are there, before the launch: the row's number.
  std::size_t add_later() {
    ++position_;
    return add_row();
  }
  // The elements as bytes, from the first one on: a pointer to anything takes them.
  void set_bytes(std::size_t number, const views::DeviceArray& array);
  // The elements that an array hands out: the launch comes after what it has queued.
  void set_lent(std::size_t number, const views::DeviceArray& array);

  std::span<jit::Argument> rows() { return rows_.all(); }
  // Makes `stream` wait for what other libraries queued for their arrays.
  void order_before(runtime::Stream& stream) {
    if (work_.device != nullptr)
      order_all(stream);
  }
  void keep_temporaries(jit::Graph& graph);  // made for the launch, which is recorded
  // The elements of a list as they were passed, null for a list that is no argument.
  const char* passed_elements(PyObject* list, std::int64_t& count) const;
  // What `_adapt` asked to be called once the launch is queued.
  void call_after() {
    if (slow_)
      call_functions();
  }

 private:
  // A stream on which another library may still be writing to its array.
  struct Work {
    runtime::Device* device = nullptr;
    std::uintptr_t stream = 0;
    bool operator==(const Work&) const = default;
  };
  struct Slow;  // temporaries, made only when a slow path needs them
  struct DropSlow {
    void operator()(Slow* slow) const;
  };

  jit::Argument& row(ir::TypeKey key) { return rows_.add(key); }
  std::size_t add_row() {
    rows_.add(0);
    return rows_.count() - 1;
  }
  void add_value(PyObject* object);
  void add_elements(const views::DeviceArray& array) { jit::set_array(row(array.key), array); }
  bool add_number(PyObject* object, PyTypeObject* type);
  bool add_numpy(PyObject* object, PyTypeObject* type);
  void add_integer(PyObject* object);
  void add_large_integer(PyObject* object, int sign);
  void add_array(PyObject* object);
  void add_numpy_scalar(PyObject* object, PyTypeObject* type);
  void add_tuple(PyObject* object, PyTypeObject* type);
  void add_other(PyObject* object);
  bool add_known_list(PyObject* object);
  bool add_adapted(PyObject* object);
  bool add_tensor(PyObject* object, PyTypeObject* type);
  std::int64_t* room_for_strides(std::size_t ndim);
  bool add_own_array(PyObject* object);
  bool add_foreign_array(PyObject* object);
  void note_work(runtime::Device& device, std::uintptr_t stream);
  void order_all(runtime::Stream& stream) const;
  void call_functions() const;
  bool add_buffer(PyObject* object);
  void add_record(PyObject* object);
  void add_time(PyObject* object);
  [[noreturn]] void refuse(PyObject* object) const;
  std::uint32_t element_number(PyObject* array) const;
  std::string subject() const;  // "argument 2", for messages
  std::string callee() const;   // "kernel scale"
  Slow& slow();

  ArgumentRows rows_;
  std::array<std::int64_t, 32> strides_;  // of tensors, the first `strides_used_`
  std::size_t strides_used_ = 0;
  PyObject* adapter_;
  Callee kind_;
  Work work_ = {};  // the first, mostly the only one; without a device: none
  std::unique_ptr<Slow, DropSlow> slow_;
  int position_ = 0;
};

// The C++ object of a DeviceArray or an instance of a subclass; null for anything else.
const views::DeviceArray* device_array_in(PyObject* object);

// The type of one value, as a launch would type it.
ir::Type type_of(PyObject* value);

}  // namespace phalanx::bindings
