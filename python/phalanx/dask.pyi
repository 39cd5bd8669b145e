"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.dask."""

from ._dask.deploy.cluster import Cluster as Cluster
from ._dask.deploy.versions import WorkerError as WorkerError
from ._dask.deploy.versions import check_workers as check_workers
from ._dask.traffic import Traffic as Traffic
from ._dask.traffic import traffic as traffic
