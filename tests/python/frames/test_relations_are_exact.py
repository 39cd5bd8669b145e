"""Correlations that are known exactly: of a column with itself, and of what does not vary."""

import numpy as np
import pandas as pd
import pytest

import phalanx as px

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize("rows", [2, 3, 4, 7, 50])
@pytest.mark.parametrize("scale", [1.0, 0.1, 1e-70, 1e70])
def test_a_column_has_one_with_itself_and_its_equals(rows, scale):
    draw = np.random.default_rng(rows)
    for _ in range(20):
        values = draw.integers(0, 4, (rows, 3)) * scale
        table = {"a": values[:, 0], "b": values[:, 1], "c": values[:, 2], "same": values[:, 0]}
        found, wanted = (library.DataFrame(table).corr().to_numpy() for library in (px, pd))
        assert (np.isnan(found) == np.isnan(wanted)).all()
        np.testing.assert_allclose(found, wanted, atol=1e-12)
        varies = ~np.isnan(np.diag(wanted))
        assert (np.diag(found)[varies] == 1).all()
        assert found[0, 3] == 1 or not varies[0]
        one, other = px.Series(values[:, 0]), px.Series(values[:, 1])
        theirs = pd.Series(values[:, 0]).corr(pd.Series(values[:, 1]))
        assert one.corr(other) == pytest.approx(theirs, abs=1e-12, nan_ok=True)
