"""What check mode finds in a launch."""

from phalanx import KernelError, cuda


def launch(kernel, grid, block, *arguments):
    """The faults of a launch; none when it goes well."""
    try:
        kernel[grid, block](*arguments)
        cuda.synchronize()
    except KernelError as error:
        return error.faults
    return ()
