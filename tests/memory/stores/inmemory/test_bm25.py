"""The reference formula."""

from __future__ import annotations

import math

import pytest

from recollect.memory.stores.inmemory.bm25 import K1, B, bm25


def test_score_is_the_published_formula():
    """One term, worked out by hand: rarity times saturated, length-normalised frequency."""
    scores = bm25([["tea", "tea"], ["tea", "milk", "cake", "cup"], ["milk"]], ["tea"])
    rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    length = 1 - B + B * 2 / (7 / 3)
    assert scores[0] == pytest.approx(rarity * 2 * (K1 + 1) / (2 + K1 * length))
    assert scores[0] > scores[1] > scores[2] == 0


def test_terms_count_once():
    """A query that repeats itself asks for nothing else."""
    documents = [["tea"], ["milk", "tea"]]
    assert bm25(documents, ["tea", "tea"]) == bm25(documents, ["tea"])


@pytest.mark.parametrize("documents", [[], [[]], [[], []]])
def test_nothing_scores_nothing(documents):
    """Neither no documents nor empty ones are an error."""
    assert bm25(documents, ["tea"]) == [0.0] * len(documents)
