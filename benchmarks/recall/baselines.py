"""The methods of the table in FACTS.md, as plainly as they can be written, on the same vectors.

They share nothing with the product but the embedder, so that they stay a fixed yardstick.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import Stemmer

DENSE = "dense only"
IN_CONTEXT = "the same, also over previous + this turn"
K1, B = 1.5, 0.75
"""The usual constants of BM25."""
RRF = 60
"""The constant of reciprocal rank fusion (Cormack et al. 2009)."""
_WORD = re.compile(r"\w+")
_STEM = Stemmer.Stemmer("english").stemWord
_STOP_WORDS = """
a about above after again against all am an and any are as at be because been before being below
between both but by can could d did do does doing don down during each few for from further had
has have having he her here hers herself him himself his how i if in into is it its itself just ll
m me might more most must my myself no nor not now o of off on once only or other our ours
ourselves out over own re s same shall she should so some such t than that the their theirs them
themselves then there these they this those through to too under until up ve very was we were what
when where which while who whom why will with would you your yours yourself yourselves
"""
_STOP = frozenset(_STOP_WORDS.split())


def words(text: str) -> list[str]:
    """Lower-case words."""
    return _WORD.findall(text.lower())


def stems(text: str) -> list[str]:
    """Their stems, without those that say nothing."""
    return [_STEM(word) for word in words(text) if word not in _STOP]


class Bm25:
    """Okapi BM25 with the idf that is never negative."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self._count = len(documents)
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = np.array([len(document) for document in documents], float)
        self._norm = K1 * (1 - B + B * lengths / max(lengths.mean(), 1.0))
        for number, document in enumerate(documents):
            for term, times in Counter(document).items():
                self._postings[term].append((number, times))

    def scores(self, query: Sequence[str]) -> np.ndarray:
        """Of every document."""
        found = np.zeros(self._count)
        for term in query:
            rows = self._postings.get(term, [])
            idf = math.log(1 + (self._count - len(rows) + 0.5) / (len(rows) + 0.5))
            for number, times in rows:
                found[number] += idf * times * (K1 + 1) / (times + self._norm[number])
        return found


@dataclass
class Corpus:
    """One user's turns: alone, and each with the one before it."""

    vectors: np.ndarray
    context_vectors: np.ndarray
    plain: Bm25
    stemmed: Bm25
    context_stemmed: Bm25


@dataclass(frozen=True)
class Asked:
    """A question with its vector."""

    text: str
    vector: np.ndarray


def corpus(
    texts: Sequence[str], contexts: Sequence[str], vectors: np.ndarray, context_vectors: np.ndarray
) -> Corpus:
    """Index a user's turns."""
    return Corpus(
        vectors,
        context_vectors,
        Bm25([words(text) for text in texts]),
        Bm25([stems(text) for text in texts]),
        Bm25([stems(text) for text in contexts]),
    )


def with_previous(sessions: Sequence[Sequence[str]]) -> list[str]:
    """Each turn with the one before it in its session."""
    return [
        f"{session[number - 1]}\n{text}" if number else text
        for session in sessions
        for number, text in enumerate(session)
    ]


def minmax(scores: np.ndarray) -> np.ndarray:
    """Stretched to 0..1."""
    spread = scores.max() - scores.min()
    return (scores - scores.min()) / spread if spread else np.zeros_like(scores)


def ranks(scores: np.ndarray) -> np.ndarray:
    """1 for the best."""
    found = np.empty(len(scores))
    found[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return found


def dense(of: Corpus, asked: Asked) -> np.ndarray:
    return of.vectors @ asked.vector


def bm25(of: Corpus, asked: Asked) -> np.ndarray:
    return of.plain.scores(words(asked.text))


def rrf(of: Corpus, asked: Asked) -> np.ndarray:
    return 1 / (RRF + ranks(dense(of, asked))) + 1 / (RRF + ranks(bm25(of, asked)))


def bm25_stemmed(of: Corpus, asked: Asked) -> np.ndarray:
    return of.stemmed.scores(stems(asked.text))


def convex(of: Corpus, asked: Asked) -> np.ndarray:
    return minmax(dense(of, asked)) + minmax(bm25_stemmed(of, asked))


def convex_context(of: Corpus, asked: Asked) -> np.ndarray:
    around = minmax(of.context_vectors @ asked.vector)
    return convex(of, asked) + around + minmax(of.context_stemmed.scores(stems(asked.text)))


METHODS: dict[str, Callable[[Corpus, Asked], np.ndarray]] = {
    DENSE: dense,
    "BM25, no stemming": bm25,
    "RRF(dense, BM25)": rrf,
    "BM25, stemmed, stop words": bm25_stemmed,
    "convex: dense + stemmed BM25": convex,
    IN_CONTEXT: convex_context,
}
