"""Handwritten digits: a pipeline of components and a support vector machine.

The first page of scikit-learn's documentation, on its data (E. Alpaydin and C. Kaynak, 1998, 1,797
images). Needs scikit-learn for the data and the pipeline. Method: C. Cortes and V. Vapnik, 1995.
"""

import numpy as np
from _program import Run, check, start
from phalanx.ml.decomposition import PCA
from phalanx.ml.metrics import confusion_matrix
from phalanx.ml.model_selection import train_test_split
from phalanx.ml.preprocessing import StandardScaler
from phalanx.ml.svm import SVC

FIELD, USES = "models", "models"


def recognise(parts, learn, of_learn, test):
    """What a pipeline of the parts says of the test images."""
    from sklearn.pipeline import make_pipeline

    scaler, components, machine = parts
    model = make_pipeline(scaler(), components(40), machine(C=10, gamma=0.01))
    return model.fit(learn, of_learn).predict(test)


def main(run: Run) -> None:
    run.need("sklearn")
    import sklearn.decomposition
    import sklearn.preprocessing
    import sklearn.svm
    from phalanx.ml.datasets import load_digits

    images, digits = load_digits(return_X_y=True)
    some = run.size(slice(None), slice(400))
    learn, test, of_learn, of_test = train_test_split(
        images[some], digits[some], test_size=0.3, random_state=0
    )
    found = run.measure(lambda: recognise((StandardScaler, PCA, SVC), learn, of_learn, test))
    theirs = sklearn.preprocessing.StandardScaler, sklearn.decomposition.PCA, sklearn.svm.SVC
    expected = run.peer("scikit-learn", lambda: recognise(theirs, learn, of_learn, test))
    check(np.mean(found != expected) < 0.01, True)
    check(np.mean(found == of_test) > run.size(0.97, 0.9), True)
    table = confusion_matrix(of_test, found)
    check(np.trace(np.asarray(table)), np.count_nonzero(found == of_test))

    def draw(axes):
        wrong = np.flatnonzero(found != of_test)[:8]
        chosen = np.concatenate([np.arange(24), wrong])
        axes.imshow(np.block([[test[k].reshape(8, 8) for k in row] for row in
                              np.resize(chosen, (4, 8))]), cmap="gray_r")  # fmt: skip
        axes.set_title("below: digits that were taken for others")
        axes.set_axis_off()

    run.picture(draw)


if __name__ == "__main__":
    start(main)
