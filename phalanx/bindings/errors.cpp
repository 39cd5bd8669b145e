// C++ errors as the exceptions of phalanx.errors.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "phalanx/base/errors.h"
#include "phalanx/bindings/bind.h"
#include "phalanx/bindings/context.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

nb::object error_class(const char* name) {
  return nb::module_::import_("phalanx.errors").attr(name);
}

void set_error(const nb::object& type, const std::string& message) {
  PyErr_SetString(type.ptr(), message.c_str());
}

const char* class_of(CompileError::Kind kind) {
  switch (kind) {
    case CompileError::Kind::typing:
      return "TypingError";
    case CompileError::Kind::unsupported:
      return "UnsupportedError";
    case CompileError::Kind::lowering:
      return "LoweringError";
    case CompileError::Kind::kernel_result:
      return "KernelResultError";
  }
  return "CompileError";
}

void set_compile_error(const CompileError& error) {
  const CompileError::Message& message = error.message();
  nb::object made = error_class("class_to_raise")(class_of(error.kind()))(error.what());
  made.attr("sentence") = message.sentence;
  if (message.at) {
    made.attr("file") = message.at->path;
    made.attr("line") = message.at->line;
  }
  PyErr_SetObject(made.type().ptr(), made.ptr());
}

void set_device_error(const char* name, const DeviceError& error) {
  nb::object made = error_class(name)(error.what());
  made.attr("code") = error.code();
  PyErr_SetObject(made.type().ptr(), made.ptr());
}

std::string text_of(const std::array<std::uint32_t, 3>& numbers) {
  return "[" + std::to_string(numbers[0]) + ", " + std::to_string(numbers[1]) + ", " +
         std::to_string(numbers[2]) + "]";
}

// The exception class that the kernel named: one of Python's own, or one that a kernel knew.
nb::object exception_class(const std::string& name) {
  nb::object found = nb::getattr(nb::module_::import_("builtins"), name.c_str(), nb::none());
  if (found.is_none())
    found = error_class("raised_class")(name);
  if (found.is_none() || !PyExceptionClass_Check(found.ptr()))
    return error_class("KernelError");
  return found;
}

template <typename Numbers>
nb::tuple tuple_of(const Numbers& numbers, std::size_t first, std::size_t count) {
  nb::list items;
  for (std::size_t i = first; i < std::min(first + count, numbers.size()); ++i)
    items.append(numbers[i]);
  return nb::tuple(items);
}

// "write tile"; of lanes that a mask names and that do not come, "absent lanes".
std::string text_of(const FaultSite& site) {
  const Report* report = site.report();
  if (report == nullptr)
    return {};
  const bool is_of_lanes = report->check == Check::masks && report->subject.empty();
  return is_of_lanes ? "absent lanes" : to_string(*report);
}

// The name of the array that the report is of; "" where it has none, or the report is of no array.
std::string array_of(const Report& report) {
  return has_verb(report.check) || report.check == Check::wraps ? report.subject : "";
}

// As `phalanx.errors.OtherAccess` takes it.
nb::object other_access(const KernelFault::Other& other) {
  nb::dict made;
  made["file"] = other.site.path;
  made["line"] = other.site.location.line;
  made["source"] = other.site.source_line;
  made["text"] = text_of(other.site);
  made["block"] = other.block ? nb::object(tuple_of(*other.block, 0, 3)) : nb::none();
  made["thread"] = other.thread ? nb::object(tuple_of(*other.thread, 0, 3)) : nb::none();
  return error_class("OtherAccess")(**made);
}

// The indices as they are written: one that counts from the end is recorded with the extent added.
std::vector<std::int64_t> written_indices(const KernelFault& fault) {
  const std::size_t count = fault.site.dimensions;
  std::vector<std::int64_t> indices(
      fault.values.begin(),
      fault.values.begin() + static_cast<std::ptrdiff_t>(std::min(count, fault.values.size())));
  for (std::size_t d = 0; d < indices.size() && count + d < fault.values.size(); ++d) {
    if ((fault.site.wraps >> d & 1U) != 0 && indices[d] < 0)
      indices[d] -= fault.values[count + d];
  }
  return indices;
}

// As `phalanx.errors.Fault` takes it.
nb::object to_python(const KernelFault& fault) {
  const FaultSite& site = fault.site;
  nb::dict made;
  made["category"] = std::string(name_of(site.report()->check));
  made["file"] = site.path;
  made["line"] = site.location.line;
  made["source"] = site.source_line;
  made["text"] = text_of(site);
  made["array"] = array_of(*site.report());
  made["block"] = tuple_of(fault.block, 0, 3);
  made["thread"] = tuple_of(fault.thread, 0, 3);
  made["count"] = fault.count;
  made["index"] = tuple_of(written_indices(fault), 0, site.dimensions);
  made["shape"] = fault.site.is_of(Check::races)
                      ? nb::tuple()
                      : tuple_of(fault.values, site.dimensions, site.dimensions);
  made["other"] = fault.other ? other_access(*fault.other) : nb::none();
  return error_class("Fault")(**made);
}

void set_check_error(const KernelError& error) {
  nb::list faults;
  for (const KernelFault& fault : error.faults()) {
    if (fault.site.report() != nullptr)
      faults.append(to_python(fault));
  }
  nb::object made = error_class("KernelError")(error.what());
  made.attr("faults") = nb::tuple(faults);
  PyErr_SetObject(made.type().ptr(), made.ptr());
}

void set_kernel_error(const KernelError& error) {
  if (error.faults().empty())
    return set_error(error_class("KernelError"), error.what());
  const KernelFault& fault = error.faults().front();
  const auto* raise = std::get_if<Raise>(&fault.site.what);
  if (raise == nullptr)
    return set_check_error(error);
  std::string message = "tid=" + text_of(fault.thread) + " ctaid=" + text_of(fault.block);
  if (!raise->message.empty())
    message += ": " + raise->message;
  if (!fault.site.path.empty())
    message += "\n" + nb::cast<std::string>(
                          error_class("location_of")(fault.site.path, fault.site.location.line));
  set_error(exception_class(raise->type), message);
}

void translate(const std::exception_ptr& pointer, void* /*payload*/) {
  try {
    std::rethrow_exception(pointer);
  } catch (const CompileError& error) {
    set_compile_error(error);
  } catch (const KernelError& error) {
    set_kernel_error(error);
  } catch (const Interrupted& error) {
    // A signal handler's own exception is there already.
    if (PyErr_Occurred() == nullptr)
      PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
  } catch (const OutOfMemoryError& error) {
    set_device_error("OutOfMemoryError", error);
  } catch (const DeviceError& error) {
    set_device_error("DeviceError", error);
  } catch (const TypeError& error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  } catch (const ValueError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const Error& error) {
    set_error(error_class("PhalanxError"), error.what());
  }
}

}  // namespace

void set_python_error() noexcept {
  try {
    try {
      throw;
    } catch (nb::python_error& error) {
      error.restore();
    } catch (const nb::builtin_exception& error) {
      PyErr_SetString(
          error.type() == nb::exception_type::type_error ? PyExc_TypeError : PyExc_ValueError,
          error.what());
    } catch (const std::bad_alloc&) {
      PyErr_NoMemory();
    } catch (const Error&) {
      translate(std::current_exception(), nullptr);
    } catch (const std::overflow_error& error) {
      PyErr_SetString(PyExc_OverflowError, error.what());
    } catch (const std::out_of_range& error) {
      PyErr_SetString(PyExc_IndexError, error.what());
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
  } catch (nb::python_error& error) {
    error.restore();  // from the look-up of a class
  } catch (...) {
    PyErr_SetString(PyExc_SystemError, "an error could not be shown");
  }
}

void bind_errors(nb::module_& /*module*/) { nb::register_exception_translator(translate); }

}  // namespace phalanx::bindings
