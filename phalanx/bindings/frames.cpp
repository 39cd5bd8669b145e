#include "phalanx/bindings/frames.h"

#include <memory>
#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"
#include "phalanx/bindings/numpy.h"
#include "phalanx/bindings/numpy_make.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

std::string name_of_type(nb::handle object) { return nb::str(object.type()).c_str(); }

}  // namespace

HostArray::HostArray(nb::handle given, const char* what) : owner_(nb::borrow(given)), what_(what) {
  const Numpy* const numpy = Numpy::loaded();
  if (numpy == nullptr || !numpy->is_array(Py_TYPE(given.ptr())))
    throw TypeError(std::string(what) + " are to be a NumPy array, not " + name_of_type(given));
  const auto& array = *reinterpret_cast<const NumpyArray*>(given.ptr());
  const int wanted = NumpyArray::c_contiguous | NumpyArray::aligned;
  if (array.ndim != 1 || (array.flags & wanted) != wanted)
    throw TypeError(
        std::string(what) +
        " are to be an array of one dimension in C order: use "
        "numpy.ascontiguousarray");
  is_time_ = array.descr->kind == 'M' || array.descr->kind == 'm';
  const std::optional<DType> dtype = builtin_dtype(*array.descr);
  if ((!dtype && !is_time_) || array.descr->byte_order == '>')
    throw TypeError(
        std::string(what) + " of dtype " + nb::str(nb::object(given.attr("dtype"))).c_str() +
        " are not taken");
  dtype_ = is_time_ ? DType::int64 : *dtype;
  size_ = array.shape[0];
  data_ = array.data;
}

void HostArray::expect(DType dtype) const {
  if (dtype_ != dtype || is_time_)
    throw TypeError(
        std::string(what_) + " are to be of " + std::string(info(dtype).name) + ", not " +
        std::string(info(dtype_).name));
}

const HostArray& FrameArguments::array(nb::handle given, const char* what) {
  return *arrays_.emplace_back(std::make_unique<HostArray>(given, what));
}

const std::uint8_t* FrameArguments::mask_of(nb::handle given, std::int64_t rows) {
  if (given.is_none())
    return nullptr;
  const HostArray& mask = array(given, "the mask's elements");
  if (mask.size() != rows)
    throw ValueError(
        "a mask of " + std::to_string(mask.size()) + " elements does not fit " +
        std::to_string(rows) + " rows");
  return mask.elements<std::uint8_t>(DType::boolean);
}

frames::Column FrameArguments::column(nb::handle values, nb::handle mask) {
  const HostArray& given = array(values, "the values");
  frames::Column column = {given.dtype(), given.data(), nullptr, given.size(), given.is_time()};
  column.valid = mask_of(mask, given.size());
  frames::check_column(column);
  return column;
}

frames::Key FrameArguments::key(nb::handle given) {
  constexpr const char* forms =
      "a key is (\"values\", array, mask), (\"codes\", array, mask) or "
      "(\"string\", offsets, bytes, mask)";
  if (!nb::isinstance<nb::tuple>(given))
    throw TypeError(forms);
  const nb::tuple parts = nb::borrow<nb::tuple>(given);
  if (parts.size() < 3 || !nb::isinstance<nb::str>(parts[0]))
    throw TypeError(forms);
  const auto kind = nb::cast<std::string>(parts[0]);
  frames::Key key;
  if (parts.size() == 3 && (kind == "values" || kind == "codes")) {
    key = {column(parts[1], parts[2]), kind == "codes"};
  } else if (parts.size() == 4 && kind == "string") {
    const HostArray& offsets = array(parts[1], "the offsets");
    const HostArray& bytes = array(parts[2], "the bytes");
    key.offsets = offsets.elements<std::int64_t>(DType::int64);
    key.bytes = bytes.elements<char>(DType::uint8);
    if (offsets.size() < 1)
      throw ValueError("strings have one offset more than rows");
    key.column.rows = offsets.size() - 1;
    key.column.valid = mask_of(parts[3], key.column.rows);
    if (key.offsets[key.column.rows] > bytes.size())
      throw ValueError(
          "the offsets end at " + std::to_string(key.offsets[key.column.rows]) +
          ", past the bytes, which are " + std::to_string(bytes.size()));
  } else {
    throw ValueError(forms);
  }
  frames::check_key(engine().runtime(), key);
  return key;
}

std::vector<frames::Key> FrameArguments::keys(nb::handle given) {
  std::vector<frames::Key> keys;
  for (const nb::handle each : nb::iter(given)) keys.push_back(key(each));
  return keys;
}

frames::Codes FrameArguments::codes(nb::handle given, std::int64_t groups) {
  const HostArray& codes = array(given, "the codes");
  const bool is_wide = codes.dtype() == DType::int64;
  if (!is_wide)
    codes.expect(DType::int32);
  if (groups < 0)
    throw ValueError("the number of groups is not negative");
  return {codes.data(), is_wide, codes.size(), groups};
}

nb::object numpy_of_buffer(runtime::Buffer buffer, DType dtype, std::int64_t size) {
  void* const data = buffer.host();
  auto* const kept = new runtime::Buffer(std::move(buffer));
  const nb::capsule owner(
      kept, [](void* memory) noexcept { delete static_cast<runtime::Buffer*>(memory); });
  const std::int64_t shape[] = {size};
  const std::int64_t strides[] = {static_cast<std::int64_t>(size_of(dtype))};
  return make_numpy_array(dtype, {data, shape, strides}, owner);
}

void bind_frames(nb::module_& module) {
  nb::class_<Frames> frames(module, "frames", "Groups, joins and orders of rows of columns.");
  bind_frame_groups(frames);
  bind_frame_rows(frames);
  bind_frame_dates(frames);
  bind_frame_texts(frames);
  bind_frame_windows(frames);
  bind_frame_decimals(frames);
}

}  // namespace phalanx::bindings
