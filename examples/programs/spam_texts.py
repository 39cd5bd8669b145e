"""Spam: texts to weights of their words, and naive Bayes over these.

The tutorial for texts that scikit-learn has. Weights: K. Sparck Jones, 1972; the classifier: the
multinomial event model (A. McCallum and K. Nigam, 1998).
"""

import numpy as np
from _program import Run, check, start
from phalanx.ml.feature_extraction.text import TfidfVectorizer
from phalanx.ml.naive_bayes import MultinomialNB

FIELD, USES = "texts", "models"
SPAM = [
    "winner",
    "prize",
    "free",
    "cash",
    "click",
    "offer",
    "urgent",
    "claim",
    "bonus",
    "discount",
    "cheap",
    "credit",
    "deal",
]
HAM = [
    "meeting",
    "lunch",
    "report",
    "tomorrow",
    "thanks",
    "family",
    "project",
    "draft",
    "garden",
    "train",
    "school",
    "notes",
]


def letters(count):
    """Texts and whether they are spam: common words, and now and then one that tells."""
    rng = np.random.default_rng(22)
    syllables = ["ka", "lo", "mi", "ne", "ru", "sa", "ti", "vo"]
    common = np.array([a + b + c for a in syllables for b in syllables for c in syllables])
    is_spam = rng.random(count) < 0.5
    texts = []
    for spam in is_spam:
        words = common[(512 * rng.power(0.5, rng.integers(20, 60))).astype(int)]
        own, other = (SPAM, HAM) if spam else (HAM, SPAM)
        words = [*words, *rng.choice(own, rng.integers(2, 7)), *rng.choice(other, 1)]
        texts.append(" ".join(rng.permutation(words)))
    return texts, is_spam


def classify(vectorizer, model, learn, test):
    """What the model says of the test texts."""
    model.fit(vectorizer.fit_transform(learn[0]), learn[1])
    return np.asarray(model.predict(vectorizer.transform(test)))


def main(run: Run) -> None:
    texts, is_spam = letters(run.size(20_000, 500))
    split = len(texts) * 3 // 4
    learn, test = (texts[:split], is_spam[:split]), texts[split:]
    found = run.measure(lambda: classify(TfidfVectorizer(), MultinomialNB(), learn, test))

    def plain():
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.naive_bayes import MultinomialNB

        return classify(TfidfVectorizer(), MultinomialNB(), learn, test)

    run.agree(found, run.peer("scikit-learn", plain))
    check(np.mean(found == is_spam[split:]) > 0.85, True)
    words = TfidfVectorizer()
    model = MultinomialNB().fit(words.fit_transform(learn[0]), learn[1])
    telling = np.diff(model.feature_log_prob_, axis=0)[0]
    names = words.get_feature_names_out()
    check(set(names[np.argsort(-telling)[:8]]) <= set(SPAM), True)

    def draw(axes):
        order = np.argsort(telling)[np.r_[:10, -10:0]]
        axes.barh(names[order], telling[order])
        axes.set(xlabel="logarithm of how much more often in spam")

    run.picture(draw)


if __name__ == "__main__":
    start(main)
