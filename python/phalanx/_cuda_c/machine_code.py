"""PTX and cubins of other compilers as modules: what their kernels take, and how it is passed.

PTX lists its parameters as text. A cubin is an ELF file (machine 190), where the section
``.nv.info.KERNEL`` says offset and size of each. Neither tells types, so that an argument is
passed by its bytes, whose number has to be the parameter's.
"""

from __future__ import annotations

import operator
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _engine
from ..errors import CompileError
from .module import CudaCKernel

REFUSAL = (
    "it is code for GPUs that another compiler has made (PTX or a cubin): the CPU device runs the "
    "CUDA C source that it was made of"
)


@dataclass(frozen=True)
class Parameter:
    """Where a parameter lies in the block of all, in bytes."""

    offset: int
    size: int


@dataclass(frozen=True)
class MachineCode:
    """What a file of PTX or a cubin has."""

    kind: str  # "ptx" or "cubin"
    octets: bytes
    kernels: dict[str, list[Parameter]]
    variables: dict[str, int]  # bytes of each

    @staticmethod
    def read(octets: bytes) -> MachineCode:
        """Raises `CompileError` for what is neither PTX nor a cubin, or damaged."""
        if octets[:4] == b"\x7fELF":
            return _checked(_cubin(octets))
        if b".version" in octets and b".target" in octets:
            return _checked(_ptx(octets))
        raise CompileError(
            "the file is neither PTX nor a cubin; nvcc -ptx and nvcc -cubin make them, and what "
            "nvcc -fatbin makes is not read"
        )


def _checked(code: MachineCode) -> MachineCode:
    """Raises `CompileError` where a kernel's parameters cannot be."""
    for name, parameters in code.kernels.items():
        ends = [0, *(each.offset + each.size for each in parameters)]
        if any(p.offset < end or not p.size for p, end in zip(parameters, ends, strict=False)):
            raise CompileError(f"the {code.kind} is damaged: parameters of {name} overlap")
    return code


_ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*(?:\(([^)]*)\))?")
_PARAMETER = re.compile(r"\.param\s+(?:\.align\s+(\d+)\s+)?\.\w*?(\d+)\s[^\[,]*(?:\[(\d+)\])?")
_VARIABLE = re.compile(
    r"^\s*(?:\.visible\s+)?\.(?:global|const)\s+(?:\.align\s+\d+\s+)?(?:\.attribute\(\.managed\)\s+)?"
    r"\.\w*?(\d+)\s+([\w$]+)((?:\[\d*\])*)",
    re.MULTILINE,
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def _ptx(octets: bytes) -> MachineCode:
    text = _COMMENT.sub("", octets.rstrip(b"\0").decode(errors="replace"))
    kernels = {name: list(_placed(listed or "")) for name, listed in _ENTRY.findall(text)}
    variables = {
        name: int(bits)
        // 8
        * int(np.prod([int(each or 0) for each in re.findall(r"\d+", extents)]))
        for bits, name, extents in _VARIABLE.findall(text)
    }
    return MachineCode("ptx", octets, kernels, variables)


def _placed(listed: str) -> Iterator[Parameter]:
    """Parameters follow one another, each at a multiple of its alignment."""
    end = 0
    for align, bits, count in _PARAMETER.findall(listed):
        size = int(bits) // 8 * int(count or 1)
        alignment = max(int(align or int(bits) // 8), 1)
        offset = -(-end // alignment) * alignment
        yield Parameter(offset, size)
        end = offset + size


_CUDA = 190  # of e_machine
_ENTRY_POINT = 0x10  # of st_other
_FUNCTION, _OBJECT = 2, 1  # of st_info
_PARAMETER_INFO = (0x04, 0x17)  # format and attribute
_NO_PAYLOAD = 4  # bytes of an attribute whose value is in its head


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    octets: bytes
    link: int


def _cubin(octets: bytes) -> MachineCode:
    try:
        sections = _sections(octets)
        kernels, variables = _symbols(sections)
        infos = {each.name: each.octets for each in sections}
        found = {name: _parameters(infos.get(f".nv.info.{name}", b"")) for name in kernels}
    except (struct.error, IndexError, KeyError, OverflowError, ValueError) as error:
        raise CompileError(f"the cubin is damaged: {error}") from None
    return MachineCode("cubin", octets, found, variables)


def _sections(octets: bytes) -> list[_Section]:
    if octets[4] != 2 or struct.unpack_from("<H", octets, 18)[0] != _CUDA:
        raise CompileError("the file is an ELF file of another machine, not a cubin")
    (table,) = struct.unpack_from("<Q", octets, 40)
    size, count, names = struct.unpack_from("<HHH", octets, 58)
    # sh_name, sh_type, sh_flags, sh_addr, sh_offset, sh_size, sh_link
    heads = [struct.unpack_from("<IIQQQQI", octets, table + size * each) for each in range(count)]
    parts = [octets[head[4] : head[4] + head[5]] if head[1] != 8 else b"" for head in heads]
    return [
        _Section(_text(parts[names], head[0]), head[1], part, head[6])
        for head, part in zip(heads, parts, strict=True)
    ]


def _text(table: bytes, begin: int) -> str:
    return table[begin : table.index(b"\0", begin)].decode()


def _symbols(sections: Sequence[_Section]) -> tuple[list[str], dict[str, int]]:
    """The kernels, and the variables with their bytes."""
    kernels: list[str] = []
    variables: dict[str, int] = {}
    for section in sections:
        if section.kind != 2:
            continue
        strings = sections[section.link].octets
        for name, info, other, index, _, size in struct.iter_unpack("<IBBHQQ", section.octets):
            if info & 15 == _FUNCTION and other & _ENTRY_POINT:
                kernels.append(_text(strings, name))
            of = sections[index].name if index < len(sections) else ""
            if info & 15 == _OBJECT and of.startswith((".nv.global", ".nv.constant")):
                variables[_text(strings, name)] = size
    return kernels, variables


def _parameters(info: bytes) -> list[Parameter]:
    """Those of a kernel, by the attributes of its section ``.nv.info``."""
    found: dict[int, Parameter] = {}
    at = 0
    while at + _NO_PAYLOAD <= len(info):
        form, attribute, size = struct.unpack_from("<BBH", info, at)
        at += _NO_PAYLOAD
        if form != _PARAMETER_INFO[0]:
            continue
        if (form, attribute) == _PARAMETER_INFO:
            _, ordinal, offset, flags = struct.unpack_from("<IHHI", info, at)
            found[ordinal] = Parameter(offset, flags >> 18 & 0x3FFF)
        at += size
    return [found[each] for each in range(len(found))]


def _words(parameter: Parameter, end: int) -> tuple[int, int, int]:
    """Bytes of a word, words of padding after `end`, and words of the parameter."""
    size = next(
        each
        for each in (8, 4, 2, 1)
        if not (parameter.offset | parameter.size) % each and parameter.size >= each
    )
    begin = -(-end // size) * size
    return size, (parameter.offset - begin) // size, parameter.size // size


def _declared(parameters: Sequence[Parameter]) -> Iterator[tuple[str, int, int, int]]:
    """For each its type as the IR has it, and what `_words` says."""
    end = 0
    for each in parameters:
        size, padding, count = _words(each, end)
        word = f"u{8 * size}"
        members = ", ".join([word] * (padding + count))
        comma = "," if padding + count == 1 else ""
        yield (word if padding + count == 1 else f"({members}{comma})", size, padding, count)
        end = each.offset + each.size


def declaration(code: MachineCode) -> str:
    """The kernels and variables as text of the IR; the kernels do nothing there."""
    lines = [f"global @{name}: u8 [{size}]" for name, size in code.variables.items()]
    for name, parameters in code.kernels.items():
        types = [each[0] for each in _declared(parameters)]
        listed = ", ".join(f"%p{number}: {each}" for number, each in enumerate(types))
        lines.append(f'\nkernel @{name}({listed}) source "{name}" {{\n  return @1:1\n}}')
    return "\n".join(lines) + "\n"


def converters(parameters: Sequence[Parameter]) -> list[Callable[[Any], Any]]:
    """For each parameter what makes the numbers of an argument that a launch takes."""
    return [
        _converter(number, size, padding, count)
        for number, (_, size, padding, count) in enumerate(_declared(parameters))
    ]


def _converter(number: int, size: int, padding: int, count: int) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        octets = _octets(value, size * count, number)
        words = np.frombuffer(octets, f"<u{size}").tolist()
        return words[0] if padding + count == 1 else (*[0] * padding, *words)

    return convert


def _octets(value: Any, size: int, number: int) -> bytes:
    """The bytes of an argument. Raises `TypeError` for one of another size."""
    if isinstance(value, np.ndarray):
        if value.size != 1:
            raise TypeError(
                f"argument {number} is a numpy.ndarray of shape {value.shape}, memory of the host: "
                "pass an array of the device"
            )
        value = value.reshape(-1)[0]
    value = _address(value)
    octets = _number(value, size)
    if octets is None or len(octets) != size:
        raise TypeError(
            f"argument {number}: the kernel takes {size} bytes, and {type(value).__name__} "
            f"{value!r} is not passed in them; pass a NumPy scalar or record of {size} bytes"
        )
    return octets


def _address(value: Any) -> Any:
    """The address of memory of the device; other values as they are."""
    if value is None:
        return 0
    for name in ("__cuda_array_interface__", "__phalanx_array_interface__"):
        there = getattr(value, name, None)
        if there is not None:
            return int(there["data"][0])
    if hasattr(value, "data") and hasattr(value.data, "ptr"):
        return int(value.data.ptr)
    return int(value.ptr) if hasattr(value, "ptr") else value


def _number(value: Any, size: int) -> bytes | None:
    if isinstance(value, np.generic) and value.dtype.itemsize == size:
        return value.tobytes()
    if isinstance(value, (bool, np.bool_)):
        return bytes([int(value)]).ljust(size, b"\0")
    if isinstance(value, (int, np.integer)) and size in (1, 2, 4, 8):
        if not -(1 << 8 * size - 1) <= value < 1 << 8 * size:
            raise OverflowError(f"{value} does not fit the {size} bytes of the parameter")
        return (int(value) % (1 << 8 * size)).to_bytes(size, "little")
    if isinstance(value, float) and not isinstance(value, np.generic) and size in (2, 4, 8):
        return np.array(value, f"<f{size}").tobytes()
    if isinstance(value, complex) and not isinstance(value, np.generic) and size in (8, 16):
        return np.array(value, f"<c{size}").tobytes()
    if not isinstance(value, int) and hasattr(value, "__index__"):
        return _number(operator.index(value), size)
    return None


class MachineCodeKernel(CudaCKernel):
    """A kernel of PTX or of a cubin; `converters` make what its launches take of arguments."""

    def __init__(self, name: str, kernel: _engine.Kernel, parameters: Sequence[Parameter]) -> None:
        super().__init__(name, kernel)
        self.converters = converters(parameters)


class MachineCodeModule:
    """A module of PTX or a cubin, as `CudaCModule` is one of source; for GPUs only.

    Raises `CompileError` for what is neither, and where it has no kernel; launches raise it on the
    CPU device, and `DeviceError` where the code is for another GPU.
    """

    log = ""

    def __init__(self, octets: bytes) -> None:
        self.code = MachineCode.read(bytes(octets))
        if _engine.current_device().is_host:
            raise CompileError(f"the {self.code.kind} does not run here: {REFUSAL}")
        if not self.code.kernels:
            raise CompileError(f"the {self.code.kind} has no kernel")
        source = _engine.Module.parse(declaration(self.code))
        self._module = _engine.KernelModule(
            source,
            b"",
            cache=False,
            machine_code=(self.code.kind, self.code.octets, REFUSAL),
        )
        self._kernels: dict[str, MachineCodeKernel] = {}

    @property
    def kernel_names(self) -> list[str]:
        """All kernels, by their symbols."""
        return self._module.kernel_names

    def kernel(self, name: str) -> MachineCodeKernel:
        """The kernel of that symbol; raises `ValueError`, which names those that there are."""
        if name not in self._kernels:
            kernel = self._module.kernel(name)
            self._kernels[name] = MachineCodeKernel(name, kernel, self.code.kernels[name])
        return self._kernels[name]

    def global_memory(self, device: _engine.Device, name: str) -> tuple[int, int]:
        """Address and bytes of a variable on a device.

        Raises `ValueError`, which names the variables that there are.
        """
        return self._module.global_memory(device, name)
