"""A record in a device's memory."""

from __future__ import annotations

from typing import Any

from ._bridge import to_engine
from ._device_array import DeviceNDArray, field_layout
from ._streams import engine_stream


class DeviceRecord(DeviceNDArray):
    """One element of a structured dtype in device memory, as kernels take it.

    ``record["x"]`` is the field: a number is copied to the host, an array or a record inside is a
    view; assigning copies to the device. `copy_to_host` gives a NumPy record.
    """

    def __init__(self, dtype: Any, stream: Any = 0, *, base: DeviceNDArray | None = None) -> None:
        if base is None:
            super().__init__((), to_engine(dtype), stream=engine_stream(stream))
        else:
            super().__init__(base, (), (), 0, base.element)
        self.mark_as_record()

    @classmethod
    def at(cls, view: DeviceNDArray) -> DeviceRecord:
        """The record that an array without dimensions holds, in the same memory."""
        return cls(None, base=view)

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> Any:
        """Copies into the host record `ary`, or into a new one, and returns it."""
        import numpy as np

        if ary is None:
            return super().copy_to_host(stream=stream)[()]
        into = ary if isinstance(ary, np.ndarray) else _host_view(ary)
        super().copy_to_host(into, stream)
        return ary

    def __getitem__(self, item: Any) -> Any:
        if not isinstance(item, str):
            return super().__getitem__(item)
        field = self._field(item)
        if field.ndim:
            return field
        # Text is a record to the engine, and a string to the host.
        if field.element.kind == "record" and field.dtype.names is not None:
            return DeviceRecord.at(field)
        return field.copy_to_host()[()]

    def _field(self, name: str) -> DeviceNDArray:
        offset, element, shape, strides = field_layout(self, name)
        return self._view(shape, strides, offset, element)

    def __reduce__(self) -> tuple[Any, ...]:
        return from_record_like, (self.copy_to_host(),)

    def __repr__(self) -> str:
        where = "CPU" if self.device.kind == "cpu" else f"GPU {self.device.ordinal}"
        return f"<DeviceRecord dtype={self.dtype} on {where}>"


def _host_view(record: Any) -> Any:
    """A host record as an array without dimensions over the same memory."""
    import numpy as np

    octets = np.frombuffer(record, dtype=np.uint8)
    address = octets.__array_interface__["data"][0]

    class _Memory:  # np.frombuffer is read-only for records, though they may be written to
        owner = record
        __array_interface__ = {  # noqa: RUF012
            "shape": (record.dtype.itemsize,),
            "typestr": "|u1",
            "data": (address, not record.flags.writeable),
            "version": 3,
        }

    return np.asarray(_Memory()).view(record.dtype)[0:1].reshape(())


def from_record_like(record: Any, stream: Any = 0) -> DeviceRecord:
    """A new device record with the content of `record`, a host or a device record."""
    made = DeviceRecord(record.dtype, stream)
    made.copy_to_device(record, stream)
    return made
