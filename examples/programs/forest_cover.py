"""What grows where: a random forest over a table of numbers.

The task of the cover-type benchmark, on data that is drawn by a known rule: height, slope and water
decide. Method: L. Breiman, "Random Forests", 2001; importance by the decrease of impurity.
"""

import numpy as np
from _program import Run, check, start
from phalanx.ml.ensemble import RandomForestClassifier

import phalanx as px

FIELD, USES = "models", "models"
NAMES = ["height", "slope", "water", "sun", "soil", "road", "fire", "noise"]


def places(count):
    """Numbers of places, and which of four trees grows there; one of ten is by chance."""
    rng = np.random.default_rng(25)
    table = rng.random((count, len(NAMES))).astype(np.float32)
    height, slope, water = table[:, 0], table[:, 1], table[:, 2]
    tree = np.where(height > 0.7, 0, np.where(slope + 0.5 * water > 0.9, 1, 2))
    tree = np.where((water < 0.15) & (height < 0.4), 3, tree)
    return table, np.where(rng.random(count) < 0.1, rng.integers(0, 4, count), tree)


def grow(model_of, learn, of_learn, test):
    model = model_of(60, max_depth=12, random_state=0, n_jobs=-1).fit(learn, of_learn)
    return np.asarray(model.predict(test)), np.asarray(model.feature_importances_)


def main(run: Run) -> None:
    table, tree = places(run.size(60_000, 2_000))
    split = len(table) * 3 // 4
    parts = table[:split], tree[:split], table[split:]
    found, importance = run.measure(lambda: grow(RandomForestClassifier, *parts))

    def plain():
        from sklearn.ensemble import RandomForestClassifier

        return grow(RandomForestClassifier, *parts)

    expected = run.peer("scikit-learn", plain)
    right = np.mean(found == tree[split:])
    if expected is not None:
        check(right, np.mean(expected[0] == tree[split:]), atol=run.size(0.01, 0.04))
        check(importance, expected[1], atol=0.1)
    # 92.5 % is all that can be right.
    check(right > run.size(0.9, 0.8), True)
    ranked = px.Series(importance, NAMES).sort_values(ascending=False)
    check(set(ranked.index[:3]) == {"height", "slope", "water"}, True)
    run.picture(lambda axes: axes.barh(list(ranked.index)[::-1], np.asarray(ranked)[::-1]))


if __name__ == "__main__":
    start(main)
