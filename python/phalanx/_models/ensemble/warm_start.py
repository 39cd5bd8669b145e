"""How many trees a fit adds to a forest."""

from __future__ import annotations

from ..exceptions import warn_user


def missing_trees(wanted: int, done: int) -> int:
    """The trees that `warm_start` has to add to those there are.

    Raises ValueError where there are more than wanted; warns where none are missing.
    """
    if wanted < done:
        raise ValueError(
            f"n_estimators={wanted} must be larger or equal to len(estimators_)={done} when "
            "warm_start==True"
        )
    if wanted == done:
        warn_user("Warm-start fitting without increasing n_estimators does not fit new trees.")
    return wanted - done
