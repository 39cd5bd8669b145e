"""What limits how many blocks of a kernel a device runs at once."""

from __future__ import annotations

from .context import Context, Device
from .flags import device_attribute

__all__ = ["DeviceData", "OccupancyRecord"]

_SHARED_UNIT = 128  # bytes: shared memory is given to blocks in multiples of it


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


class DeviceData:
    """Limits of a device, by default of the current one.

    `warps_per_mp` and `thread_blocks_per_mp` are the device's own. On the CPU device `registers` is
    0: it has no registers to divide among threads.
    """

    register_allocation_unit = "warp"
    smem_granularity = 32
    smem_alloc_granularity = _SHARED_UNIT

    def __init__(self, dev: Device | None = None) -> None:
        device = Context.get_device() if dev is None else dev

        def limit(name: str) -> int:
            return device.get_attribute(device_attribute[name])

        self.max_threads = limit("MAX_THREADS_PER_BLOCK")
        self.warp_size = limit("WARP_SIZE")
        self.warps_per_mp = limit("MAX_THREADS_PER_MULTIPROCESSOR") // self.warp_size
        self.thread_blocks_per_mp = limit("MAX_BLOCKS_PER_MULTIPROCESSOR")
        self.registers = limit("MAX_REGISTERS_PER_BLOCK")
        self.shared_memory = limit("MAX_SHARED_MEMORY_PER_BLOCK")

    def align(self, bytes: int, word_size: int = 4) -> int:
        """`bytes`, rounded up to a multiple of `align_bytes`."""
        return _round_up(bytes, self.align_bytes(word_size))

    def align_dtype(self, elements: int, dtype_size: int) -> int:
        """A number of elements, rounded up so that their bytes are a multiple of `align_bytes`."""
        return _round_up(elements, self.align_words(dtype_size))

    def align_words(self, word_size: int) -> int:
        """`align_bytes` in words."""
        return self.align_bytes(word_size) // word_size

    def align_bytes(self, word_size: int = 4) -> int:
        """How far apart addresses are from which a warp's reads are coalesced.

        Raises `ValueError` for words of other sizes than 4, 8 and 16 bytes.
        """
        if word_size not in (4, 8, 16):
            raise ValueError(f"no alignment possible for fetches of size {word_size}")
        return 64 if word_size == 4 else 128

    def coalesce(self, thread_count: int) -> int:
        """A number of threads, rounded up to half warps."""
        return _round_up(thread_count, 16)

    @staticmethod
    def make_valid_tex_channel_count(size: int) -> int:
        """The least of 1, 2 and 4 that is enough. Raises `ValueError` beyond."""
        for count in (1, 2, 4):
            if size <= count:
                return count
        raise ValueError("could not enlarge argument to valid channel count")


class OccupancyRecord:
    """How many blocks of `threads` a multiprocessor runs at once, and why no more.

    `tb_per_mp` is their number, `limited_by` one of ``"device"``, ``"warps"``, ``"regs"`` and
    ``"smem"``, `warps_per_mp` the warps that they are, and `occupancy` these as a part of all that
    there could be. Raises `ValueError` for a block that is too large for the device.
    """

    def __init__(
        self, devdata: DeviceData, threads: int, shared_mem: int = 0, registers: int = 0
    ) -> None:
        warps = -(-threads // devdata.warp_size)
        shared = _round_up(shared_mem, devdata.smem_alloc_granularity)
        used = warps * devdata.warp_size * registers
        if threads > devdata.max_threads:
            raise ValueError("too many threads")
        if devdata.registers and used > devdata.registers:
            raise ValueError("too many registers")
        if shared > devdata.shared_memory:
            raise ValueError("too much smem")
        self.tb_per_mp_limits = [
            (devdata.thread_blocks_per_mp, "device"),
            (devdata.warps_per_mp // warps, "warps"),
        ]
        if used and devdata.registers:
            self.tb_per_mp_limits.append((devdata.registers // used, "regs"))
        if shared:
            self.tb_per_mp_limits.append((devdata.shared_memory // shared, "smem"))
        self.tb_per_mp, self.limited_by = min(self.tb_per_mp_limits)
        self.warps_per_mp = self.tb_per_mp * warps
        self.occupancy = self.warps_per_mp / devdata.warps_per_mp
