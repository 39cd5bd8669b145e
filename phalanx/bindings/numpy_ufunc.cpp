#include "phalanx/bindings/numpy_ufunc.h"

#include "phalanx/bindings/made_once.h"

namespace nb = nanobind;

namespace phalanx::bindings {

namespace {

// The part of a ufunc's object that NumPy's interface shows to every extension since 1.22.
struct NumpyUfunc {
  PyObject_HEAD int inputs;
  int outputs;
  int operands;
  int identity;
  NumpyLoop* loops;
  void* const* data;
  int count;
  int reserved;
  const char* name;
  const char* types;
  const char* doc;
  void* pointer;
  PyObject* owner;  // kept by the ufunc for whoever made it
  PyObject* user_loops;
  int has_core;
  int core_dimensions;
  int* core_counts;
  int* core_indices;
  int* core_offsets;
  char* core_signature;
  void* type_resolver;
  PyObject* dict;
  PyObject* (*vectorcall)(PyObject*, PyObject* const*, std::size_t, PyObject*);
};

// NumPy's C interface is a table whose rows never move; this is the one used here.
constexpr std::size_t from_functions_row = 31;  // PyUFunc_FromFuncAndDataAndSignature
using FromFunctions = PyObject* (*)(NumpyLoop* loops,
                                    void* const* data,
                                    const char* types,
                                    int count,
                                    int inputs,
                                    int outputs,
                                    int identity,
                                    const char* name,
                                    const char* doc,
                                    int unused,
                                    const char* signature);

nb::object umath() {
  try {
    return nb::module_::import_("numpy._core._multiarray_umath");
  } catch (nb::python_error&) {
    return nb::module_::import_("numpy.core._multiarray_umath");  // before NumPy 2
  }
}

FromFunctions load_from_functions() {
  const nb::object capsule = umath().attr("_UFUNC_API");
  auto* rows = static_cast<void**>(PyCapsule_GetPointer(capsule.ptr(), nullptr));
  if (rows == nullptr)
    throw nb::python_error();
  return reinterpret_cast<FromFunctions>(rows[from_functions_row]);
}

NumpyUfunc& as_ufunc(PyObject* object) { return *reinterpret_cast<NumpyUfunc*>(object); }

}  // namespace

nb::object make_numpy_ufunc(const NumpyUfuncParts& parts, const nb::object& owner) {
  static MadeOnce<FromFunctions> known;
  const FromFunctions from_functions = known.get(load_from_functions);
  nb::object made = nb::steal(from_functions(
      parts.loops,
      parts.data,
      parts.types,
      parts.count,
      parts.inputs,
      parts.outputs,
      parts.identity,
      parts.name.c_str(),
      parts.doc.c_str(),
      0,
      parts.signature.empty() ? nullptr : parts.signature.c_str()));
  if (!made.is_valid())
    throw nb::python_error();
  NumpyUfunc& ufunc = as_ufunc(made.ptr());
  if (ufunc.name != parts.name.c_str() || ufunc.owner != nullptr || ufunc.vectorcall == nullptr)
    throw nb::import_error(
        "this NumPy's ufuncs do not look as expected: version 1.22 or later is needed");
  ufunc.owner = nb::object(owner).release().ptr();
  return made;
}

PyObject* call_numpy_ufunc(
    PyObject* ufunc, PyObject* const* args, std::size_t flagged_count, PyObject* names) {
  return as_ufunc(ufunc).vectorcall(ufunc, args, flagged_count, names);
}

}  // namespace phalanx::bindings
