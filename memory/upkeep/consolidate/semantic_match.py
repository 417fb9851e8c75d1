"""Decides whether two near memories say the same, or a model has to judge. Pure.

A cosine alone says nothing of that: "before a run" and "after a run" are nearer than most ways to
say one thing twice. It only proposes. The words that differ decide (`sameness.differing`), each by
its own cosine, and in English only: elsewhere the cosines of single words tell nothing (of "right
ear" and "left ear" in Japanese it is 0.95).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...calibration import Calibration
from .sameness import OtherWord

OTHER_WORD = 0.91
"""From this level two words mean the same. 0 is the cosine of unrelated texts
(`Calibration.floor`), 1 that from which texts say the same (`same`).

Of 200 pairs of words, synonyms, contraries, siblings of one kind and forms of one word, all from
0.86 of the local pair (level 0.91) on that `differing` lets through are synonyms; "borrow" and
"lend" have 0.82."""
RESPELLED = 0.98
"""The same for words with the same consonants, of which some are another number or tense:
"crisis" and "crises" have 0.90, "colour" and "color" 0.97."""
ONE_SENTENCE = 0.95
"""From this level of their texts single words are looked at."""
DOUBTFUL = 0.75
"""From this level of their texts a model is asked."""


def cosine_of(level: float, calibration: Calibration) -> float:
    """The cosine at a level of an embedder's scale; above 1 if it is not calibrated."""
    return calibration.floor + level * (calibration.same - calibration.floor)


def are_one(
    words: Sequence[OtherWord], cosine: Callable[[str, str], float], calibration: Calibration
) -> bool:
    """Whether each of these words means what the other one means; `cosine` is that of two words."""
    return bool(words) and all(
        cosine(word.one, word.other)
        >= cosine_of(RESPELLED if word.respelled else OTHER_WORD, calibration)
        for word in words
    )


def spelled(pairs: Iterable[Sequence[OtherWord]]) -> list[str]:
    """The words of these, each once, in order: what is to be embedded."""
    words = (text for pair in pairs for word in pair for text in (word.one, word.other))
    return list(dict.fromkeys(words))
