"""numba.config: the settings that the engine follows."""

ASK = """
from phalanx import _engine
told = []

_engine.set_advice = lambda **given: told.append(given)
from phalanx.compat import numba
numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 1
numba.config.CUDA_WARN_ON_IMPLICIT_COPY = 0
print(told)
"""


def test_settings_and_environment_reach_the_engine(run_python):
    done = run_python(
        ASK, NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS="0", NUMBA_CUDA_WARN_ON_IMPLICIT_COPY="1"
    )
    assert done.stdout.strip() == str(
        [
            {"low_occupancy": False, "implicit_copies": True},
            {"low_occupancy": True, "implicit_copies": True},
            {"low_occupancy": True, "implicit_copies": False},
        ]
    )
