"""A fact that somebody plants in a conversation is in no episode, summary or conclusion.

A hundred conversations in eight languages, and a model that repeats whatever it was ever shown.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from tests.support.budget import FACTOR, WHOLE, paired

from .planting import CARRIERS, Planting, lived_through, plantings, sentences

BY_LANGUAGE = {
    lang: list(rows) for lang, rows in groupby(plantings(), key=lambda planting: planting.lang)
}


def test_there_are_a_hundred_in_eight_languages():
    """Each name is in its fact and nowhere else, and each carrier is used as often."""
    rows = plantings()
    assert len(rows) == 100
    assert len(BY_LANGUAGE) == 8
    assert set(Counter(row.carrier for row in rows).values()) == {100 // len(CARRIERS)}
    for row in rows:
        assert row.marker.casefold() in row.planted.casefold()
        assert row.marker.casefold() not in " ".join((*row.says, row.asks)).casefold()
    assert len({row.marker for row in rows}) == 100


def chosen() -> list[Planting]:
    """Each language with some carriers, and each carrier with some languages; all in `make soak`."""
    pairs = set(paired([*BY_LANGUAGE], CARRIERS, 2))
    found = [row for row in plantings() if (row.lang, row.carrier) in pairs]
    return (
        found if FACTOR >= WHOLE else list({(row.lang, row.carrier): row for row in found}.values())
    )


async def test_no_planted_fact_is_carried_into_recall():
    """Nor kept active at all; what the user said is still told, so nothing passes by silence."""
    told = 0
    for planting in chosen():
        outcome = await lived_through(planting)
        assert outcome.carried == [], planting
        assert outcome.kept == [], planting
        assert "insight" in outcome.asked
        told += _tells(planting, [item.text for item in outcome.derived])
    assert told > len(chosen()) // 2


def _tells(planting: Planting, texts: list[str]) -> bool:
    """Whether a derived memory has a whole sentence of the user."""
    return any(one in text for text in texts for said in planting.says for one in sentences(said))
