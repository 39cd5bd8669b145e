// How the front end sees the resolver around a function: what its free names and attributes mean.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "phalanx/base/source.h"
#include "phalanx/frontend/tree.h"
#include "phalanx/ir/ir.h"
#include "phalanx/ir/types.h"

namespace phalanx::frontend {

struct Entity;
class Environment;
class Overloads;

// A module or another object whose attributes have a meaning.
class Scope {
 public:
  virtual ~Scope() = default;
  virtual std::string describe() const = 0;  // "the module numpy"
  virtual Entity attribute(std::string_view name) = 0;
  virtual Entity item(std::string_view /*key*/);  // object["key"]; Missing where there is none
  // The attribute that looks most like a wrong name; empty where none does.
  virtual std::string similar(std::string_view /*name*/) { return {}; }
};

// A Python function that may be compiled. One object a function: caches compare addresses.
struct FunctionSource {
  std::shared_ptr<const tree::Function> tree;
  std::shared_ptr<const SourceFile> file;
  std::shared_ptr<Environment> environment;
  std::vector<Entity> defaults;  // of the last parameters
  bool is_library = false;       // our own, written in Python: users see their call of it
};

// A function seen from another; its source is looked for only when it is called.
class FunctionReference {
 public:
  virtual ~FunctionReference() = default;
  virtual std::string name() const = 0;
  // The same object at every call; throws CompileError where there is no source.
  virtual std::shared_ptr<const FunctionSource> source() = 0;
};

struct Missing {};     // no such name or attribute
struct NoneEntity {};  // Python's None

struct ScalarEntity {
  DType dtype;
  ir::Constant value;
};

// datetime64 or timedelta64.
struct TimeEntity {
  ir::Type type;
  std::int64_t count = 0;  // of the type's unit
};

struct TextEntity {
  std::string text;
};

struct TupleEntity {
  std::vector<Entity> elements;
  std::string name;                      // of a named tuple
  std::vector<std::string> field_names;  // of a named tuple
};

// A NumPy array among the globals: fixed at compile time.
struct ArrayEntity {
  const void* identity = nullptr;  // the same for the same array
  std::shared_ptr<const ir::ConstantArray> array;
};

// An array in a device's memory among the globals: kernels read and write it where it lies.
struct DeviceArrayEntity {
  const void* identity = nullptr;  // the same for the same array
  ir::Type type = {};
  std::uint64_t address = 0;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  // bytes
};

struct TypeEntity {
  ir::Type type;
};

// A named tuple's class: calling it makes one.
struct TupleClassEntity {
  std::string name;
  std::vector<std::string> field_names;
};

// Something the compiler knows by its dotted name: "cuda.grid", "math.sin", "builtins.range".
struct IntrinsicEntity {
  std::string name;
};

struct ScopeEntity {
  std::shared_ptr<Scope> scope;
};

// What a device function was declared to take: its arguments are converted to that.
struct DeclaredSignature {
  std::vector<ir::Type> arguments;
  std::optional<ir::Type> result;  // nothing: what the function gives
};

// A function whose code is linked in: CUDA C, PTX or machine code.
struct ExternalFunction {
  std::string symbol;
  bool returns_status = false;  // see ir::Function
  bool is_cooperative = false;  // it waits for other blocks
};

// Declared types of a function's local names.
using LocalTypes = std::map<std::string, ir::Type>;

struct FunctionEntity {
  std::shared_ptr<FunctionReference> function;     // null for an external one
  std::vector<DeclaredSignature> signatures = {};  // empty: takes anything
  std::optional<ExternalFunction> external = {};   // has one signature, with its result
  std::optional<FastMath> fast_math = {};  // of a CPU function that says so; else its caller's
  std::shared_ptr<const LocalTypes> locals = {};  // null where none is declared

  std::string name() const { return external ? external->symbol : function->name(); }
};

// A function whose meaning depends on the types of its arguments.
struct OverloadEntity {
  std::shared_ptr<Overloads> overloads;
};

// An exception class, for raise.
struct ExceptionEntity {
  std::string name;
};

// Exists, and cannot be used in a kernel. `what` as in "a dict".
struct UnusableEntity {
  std::string what;
};

struct Entity {
  std::variant<
      Missing,
      NoneEntity,
      ScalarEntity,
      TimeEntity,
      TextEntity,
      TupleEntity,
      ArrayEntity,
      DeviceArrayEntity,
      TypeEntity,
      TupleClassEntity,
      IntrinsicEntity,
      ScopeEntity,
      FunctionEntity,
      OverloadEntity,
      ExceptionEntity,
      UnusableEntity>
      value;
};

inline Entity Scope::item(std::string_view /*key*/) { return {Missing{}}; }

// Chooses among the implementations that were registered for a function, a method or an attribute.
class Overloads {
 public:
  struct Argument {
    std::optional<ir::Type> type;  // nothing: no value that a kernel computes with
    Entity known;                  // Missing where it is not known now
  };
  using Keywords = std::vector<std::pair<std::string, Argument>>;

  virtual ~Overloads() = default;
  virtual std::string name() const = 0;
  // For methods: true if one is registered for values of this type.
  virtual bool takes(const ir::Type& self) = 0;
  // The implementation for such arguments; Missing where none fits. Throws CompileError where one
  // refuses them.
  virtual Entity choose(const std::vector<Argument>& arguments, const Keywords& keywords) = 0;
  // What is called where none fits; Missing where there is nothing.
  virtual Entity otherwise() = 0;
  // What to write where nothing fits.
  virtual std::string advice() = 0;
};

// What the free names of one function mean.
class Environment {
 public:
  virtual ~Environment() = default;
  // Closure cell, then module global, then builtin.
  virtual Entity lookup(std::string_view name) = 0;
  // The overloads written in Python for what the front end does not know itself: "numpy.sum" for an
  // intrinsic, "method.sum" and "attribute.sum" for members of values. Missing where none are.
  virtual Entity extension(std::string_view /*name*/) { return {Missing{}}; }
  // The known name that looks most like a wrong one; empty where none does.
  virtual std::string similar(
      std::string_view /*name*/, const std::vector<std::string>& /*locals*/) {
    return {};
  }
};

}  // namespace phalanx::frontend
