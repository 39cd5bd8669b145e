#include "phalanx/bindings/numpy.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

// NumPy's type numbers; long is 64 bits wide wherever this package runs.
struct Builtin {
  int number;
  DType dtype;
};
constexpr std::array builtins = {
    Builtin{0, DType::boolean},
    Builtin{1, DType::int8},
    Builtin{2, DType::uint8},
    Builtin{3, DType::int16},
    Builtin{4, DType::uint16},
    Builtin{5, DType::int32},
    Builtin{6, DType::uint32},
    Builtin{7, DType::int64},
    Builtin{8, DType::uint64},
    Builtin{9, DType::int64},
    Builtin{10, DType::uint64},
    Builtin{11, DType::float32},
    Builtin{12, DType::float64},
    Builtin{14, DType::complex64},
    Builtin{15, DType::complex128},
    Builtin{23, DType::float16},
};

struct ScalarName {
  const char* name;
  DType dtype;
};
constexpr std::array scalar_names = {
    ScalarName{"bool_", DType::boolean},
    ScalarName{"int8", DType::int8},
    ScalarName{"int16", DType::int16},
    ScalarName{"int32", DType::int32},
    ScalarName{"int64", DType::int64},
    ScalarName{"uint8", DType::uint8},
    ScalarName{"uint16", DType::uint16},
    ScalarName{"uint32", DType::uint32},
    ScalarName{"uint64", DType::uint64},
    ScalarName{"longlong", DType::int64},
    ScalarName{"ulonglong", DType::uint64},
    ScalarName{"float16", DType::float16},
    ScalarName{"float32", DType::float32},
    ScalarName{"float64", DType::float64},
    ScalarName{"complex64", DType::complex64},
    ScalarName{"complex128", DType::complex128},
};

PyTypeObject* type_object(nb::handle owner, const char* name) {
  // Held for the life of the process, as NumPy itself is.
  return reinterpret_cast<PyTypeObject*>(nb::object(owner.attr(name)).release().ptr());
}

}  // namespace

const Numpy* Numpy::loaded() {
  static std::atomic<const Numpy*> usable = nullptr;
  static std::atomic<bool> is_unusable = false;
  if (const Numpy* const known = usable.load(std::memory_order_acquire))
    return known;
  if (is_unusable.load(std::memory_order_relaxed))
    return nullptr;
  std::unique_ptr<Numpy> made(new Numpy());
  if (!made->fill()) {
    // Tried again until NumPy is imported.
    if (made->array_type_ != nullptr)
      is_unusable = true;
    return nullptr;
  }
  const Numpy* first = nullptr;  // another thread's is as good
  return usable.compare_exchange_strong(first, made.get()) ? made.release() : first;
}

bool Numpy::fill() {
  const nb::object name = nb::str("numpy");
  const nb::object numpy = nb::steal(PyImport_GetModule(name.ptr()));
  // Half imported while NumPy imports itself.
  if (!numpy.is_valid() || !nb::hasattr(numpy, "ndarray") || !nb::hasattr(numpy, "arange"))
    return false;
  array_type_ = type_object(numpy, "ndarray");
  generic_type_ = type_object(numpy, "generic");
  for (std::size_t i = 0; i < scalar_names.size(); ++i) {
    const auto& [scalar, dtype] = scalar_names.at(i);
    scalars_.at(i) = {type_object(numpy, scalar), dtype};
  }
  return layout_is_known(numpy);
}

bool Numpy::layout_is_known(nb::handle numpy) const {
  const nb::object made = numpy.attr("zeros")(nb::make_tuple(2, 3), "float32");
  const auto* array = reinterpret_cast<const NumpyArray*>(made.ptr());
  const auto address =
      nb::cast<std::uintptr_t>(nb::object(made.attr("__array_interface__")["data"][nb::int_(0)]));
  const bool array_fits =
      reinterpret_cast<std::uintptr_t>(array->data) == address && array->ndim == 2 &&
      array->shape[0] == 2 && array->shape[1] == 3 && array->strides[0] == 12 &&
      array->strides[1] == 4 &&
      (array->flags & 0x403) == (NumpyArray::c_contiguous | NumpyArray::writeable) &&
      array->descr->number == 11 && array->descr->kind == 'f';
  const nb::object scalar = numpy.attr("complex128")(nb::cast(2.5));
  double real = 0;
  std::memcpy(
      &real, reinterpret_cast<const char*>(scalar.ptr()) + numpy_scalar_offset, sizeof(real));
  return array_fits && real == 2.5;
}

std::optional<DType> Numpy::scalar_dtype(PyTypeObject* type) const {
  for (const auto& [known, dtype] : scalars_) {
    if (known == type)
      return dtype;
  }
  return std::nullopt;
}

std::optional<DType> builtin_dtype(const NumpyDescr& descr) {
  if (descr.byte_order == '>')
    return std::nullopt;
  if (static_cast<std::size_t>(descr.number) < builtins.size() &&
      builtins.at(static_cast<std::size_t>(descr.number)).number == descr.number)
    return builtins.at(static_cast<std::size_t>(descr.number)).dtype;
  for (const Builtin& row : builtins) {
    if (row.number == descr.number)
      return row.dtype;
  }
  return std::nullopt;
}

namespace {

[[noreturn]] void refuse(nb::handle dtype, const char* why) {
  throw TypeError(
      "elements of dtype " + std::string(nb::str(dtype).c_str()) +
      " cannot be used in compiled code" + why);
}

ir::Type record_type(nb::handle dtype) {
  const bool is_aligned = nb::cast<bool>(dtype.attr("isalignedstruct"));
  // The dtype's own `alignment` is lost when it is made a np.record's, as np.recarray does.
  std::size_t alignment = 1;
  std::vector<ir::Field> fields;
  const nb::object table = dtype.attr("fields");
  for (nb::handle name : nb::object(dtype.attr("names"))) {
    const nb::object row = table[name];
    nb::object type = row[nb::int_(0)];
    std::vector<std::int64_t> shape;
    if (const nb::object parts = type.attr("subdtype"); !parts.is_none()) {
      shape = nb::cast<std::vector<std::int64_t>>(nb::object(parts[nb::int_(1)]));
      type = parts[nb::int_(0)];
    }
    alignment = std::max(alignment, nb::cast<std::size_t>(type.attr("alignment")));
    fields.push_back(
        {nb::cast<std::string>(name),
         element_type(type),
         nb::cast<std::size_t>(nb::object(row[nb::int_(1)])),
         std::move(shape)});
  }
  return ir::Type::record(
      std::move(fields), nb::cast<std::size_t>(dtype.attr("itemsize")), is_aligned ? alignment : 1);
}

// datetime64[25s] counts 25 seconds: the unit is what is in the brackets.
ir::Type time_type(nb::handle dtype, ir::TimeKind kind) {
  const std::string name = nb::cast<std::string>(dtype.attr("name"));
  const std::size_t open = name.find('[');
  if (open == std::string::npos)
    return ir::Type::time(kind, "generic");
  return ir::Type::time(kind, name.substr(open + 1, name.size() - open - 2));
}

// Text of a fixed length: kernels copy it, as a record of its characters.
ir::Type text_type(nb::handle dtype, const std::string& kind) {
  const auto bytes = nb::cast<std::size_t>(dtype.attr("itemsize"));
  const ir::Type character = kind == "U" ? DType::uint32 : DType::uint8;
  const std::size_t width = ir::size_of(character);
  std::vector<ir::Field> fields = {
      {.name = "<" + kind + ">",
       .type = character,
       .offset = 0,
       .shape = {static_cast<std::int64_t>(bytes / width)}}};
  return ir::Type::record(std::move(fields), bytes, width);
}

}  // namespace

ir::Type element_type(nb::handle dtype) {
  if (!nb::object(dtype.attr("fields")).is_none())
    return record_type(dtype);
  if (!nb::object(dtype.attr("subdtype")).is_none())
    refuse(dtype, ": only records hold arrays");
  if (!nb::cast<bool>(dtype.attr("isnative")))
    refuse(dtype, ": its bytes are swapped; convert with .astype(dtype.newbyteorder('='))");
  const std::string kind = nb::cast<std::string>(dtype.attr("kind"));
  const std::string name = nb::cast<std::string>(dtype.attr("name"));
  if (kind == "M" || kind == "m")
    return time_type(dtype, kind == "M" ? ir::TimeKind::datetime : ir::TimeKind::timedelta);
  if (kind == "U" || kind == "S")
    return text_type(dtype, kind);
  if (name == "bool")
    return DType::boolean;
  if (kind.find_first_of("iufcV") != std::string::npos) {
    if (const auto known = dtype_from_name(name))
      return *known;
  }
  refuse(dtype, "");
}

}  // namespace phalanx::bindings
