// C++ errors as the exceptions of phalanx.errors.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

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
  }
  return "CompileError";
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

// Splits "file:line: Type: text"; the file may hold colons, so the line number is looked for.
struct RaiseSite {
  std::string place;
  std::string type;
  std::string text;
};

RaiseSite parse_site(const std::string& site) {
  for (std::size_t at = site.find(": "); at != std::string::npos; at = site.find(": ", at + 1)) {
    const std::size_t digits = site.find_last_not_of("0123456789", at - 1);
    if (digits == std::string::npos || digits + 1 == at || site[digits] != ':')
      continue;
    const std::string rest = site.substr(at + 2);
    const std::size_t colon = rest.find(':');
    RaiseSite found{site.substr(0, at), rest.substr(0, colon), {}};
    if (colon != std::string::npos)
      found.text = rest.substr(std::min(rest.find_first_not_of(' ', colon + 1), rest.size()));
    return found;
  }
  return {{}, {}, site};
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

void set_kernel_error(const KernelError& error) {
  const KernelFault& fault = error.fault();
  if (fault.site.empty())
    return set_error(error_class("KernelError"), error.what());
  const RaiseSite site = parse_site(fault.site);
  std::string message = "tid=" + text_of(fault.thread) + " ctaid=" + text_of(fault.block);
  if (!site.text.empty())
    message += ": " + site.text;
  if (!site.place.empty())
    message += " (" + site.place + ")";
  set_error(exception_class(site.type), message);
}

void translate(const std::exception_ptr& pointer, void* /*payload*/) {
  try {
    std::rethrow_exception(pointer);
  } catch (const CompileError& error) {
    set_error(error_class(class_of(error.kind())), error.what());
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
