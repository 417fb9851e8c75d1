"""What kind of answer a question wants: "which country" names a kind and no knowledge."""

from __future__ import annotations

from recollect.memory.language.message import Reading
from recollect.memory.language.requests import Cue


def capitals_tell(reading: Reading) -> bool:
    """Whether people have capitals and common nouns have none."""
    return not reading.nouns_have_capitals and reading.has_case


def kinds_of_answer(reading: Reading) -> set[int]:
    """Indexes of words that only say what kind of answer is wanted ("which country").

    They stand beside the question word, in some languages with a particle between.
    """
    scan = reading.scan
    openers, general = scan.covered(Cue.OPENER), scan.covered(Cue.GENERAL)
    loose = scan.stop - openers
    kinds: set[int] = set()
    for opener in openers:
        for step in (1, -1):
            at = opener + step
            while at in loose:
                at += step
            while at in general:
                kinds.add(at)
                at += step
    return kinds | {hit.start for hit in scan.found(Cue.GENERAL) if hit.start in openers}


def is_particular(reading: Reading, asked: set[int]) -> bool:
    """Whether a question has words that are neither general knowledge nor a form of asking."""
    return not asked.isdisjoint(
        reading.residue(Cue.OPENER, Cue.ARTICLE, Cue.GREET, Cue.FRAME, Cue.GENERAL, Cue.STRONG)
    )
