"""The nearest station of each place: distances on the globe, of all pairs, in no memory at all.

The haversine formula that answers on pandas and NumPy give, over pairs. What broadcasting makes of
it would be a table of gigabytes; here it is one kernel that keeps the nearest. Formula:
R. Sinnott, "Virtues of the Haversine", 1984.
"""

import numpy as np
from _program import Run, check, start

import phalanx as px

FIELD, USES = "geodata", "arrays"
RADIUS = 6371.0


def places(rng, count):
    """Latitudes and longitudes in radians, evenly over the globe."""
    return np.arcsin(rng.uniform(-1, 1, count)), rng.uniform(-np.pi, np.pi, count)


def haversine(xp, latitude, longitude, latitudes, longitudes):
    """Kilometres between all pairs."""
    up = xp.sin((latitude[:, None] - latitudes) / 2)
    along = xp.sin((longitude[:, None] - longitudes) / 2)
    inside = up * up + xp.cos(latitude)[:, None] * xp.cos(latitudes) * along * along
    return 2 * RADIUS * xp.arcsin(xp.sqrt(inside))


def main(run: Run) -> None:
    count, stations = run.size((100_000, 1_000), (2_000, 50))
    rng = np.random.default_rng(10)
    where, of_stations = places(rng, count), places(rng, stations)
    ours = [px.asarray(each) for each in (*where, *of_stations)]

    nearest = run.measure(lambda: np.asarray(haversine(px, *ours).argmin(axis=1)))
    some = min(count, 5_000)
    first = [each[:some] for each in where]
    expected = run.peer(
        "NumPy", lambda: haversine(np, *first, *of_stations).argmin(axis=1), share=some / count
    )
    run.agree(nearest[:some], expected)
    to_all = haversine(np, *first, *of_stations)
    check(to_all[np.arange(some), nearest[:some]], to_all.min(axis=1))
    # From Paris to New York.
    known = np.radians([[48.8566], [2.3522], [40.7128], [-74.0060]])
    check(haversine(np, *known), [[5837.0]], atol=2.0)

    def draw(axes):
        cells = axes.scatter(
            *np.degrees(where)[::-1, :20_000], c=nearest[:20_000] % 20, s=2, cmap="tab20"
        )
        axes.plot(*np.degrees(of_stations)[::-1], "k.", markersize=2)
        axes.set(xlabel="longitude", ylabel="latitude")
        return cells

    run.picture(draw, (9, 5))


if __name__ == "__main__":
    start(main)
