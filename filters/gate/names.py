"""Names in a question, by their capitals: known to the world, or perhaps to the user alone."""

from __future__ import annotations

from collections.abc import Collection

from recollect.memory.language import is_shouting
from recollect.memory.language.message import Reading
from recollect.memory.language.requests import Cue

from .kinds import kinds_of_answer


def is_full_name(reading: Reading, index: int) -> bool:
    """Whether two capitalised words are adjacent inside a clause; never in German."""
    raw, starts = reading.scan.raw, reading.scan.clause_starts
    following = index + 1
    return (
        not reading.nouns_have_capitals
        and index not in starts
        and following not in starts
        and following < len(raw)
        and _is_capital(reading, index)
        and raw[following].istitle()
        and not is_shouting(raw)
    )


def unknown_names(reading: Reading, asked: Collection[int]) -> set[int]:
    """Indexes of capitalised words that are no general vocabulary, nor next to some.

    What the shape of a question leads to ("capital of Peru") is known. None in languages that write
    all nouns like names.
    """
    scan = reading.scan
    if reading.nouns_have_capitals or is_shouting(scan.raw):
        return set()
    known = scan.covered(Cue.GENERAL, Cue.TECH, Cue.UNIT, Cue.LIVE)
    known |= {i for i in _led_to(reading) if not owns(reading, [i])}
    return {
        i
        for i in set(asked) - known - scan.clause_starts - scan.stop
        if _is_capital(reading, i)
        and not any(n in known and scan.raw[n].istitle() for n in (i - 1, i + 1))
    }


def _led_to(reading: Reading) -> set[int]:
    """Indexes of words beside the shape of a question ("who painted Guernica").

    After a shape that asks for a time or ends in an auxiliary the name does something.
    """
    scan = reading.scan
    times = {hit.start for hit in reading.times}
    helping = scan.stop | scan.covered(Cue.OPENER)
    asking = helping | kinds_of_answer(reading)
    shapes = [
        hit
        for hit in scan.found(Cue.STRONG)
        if hit.start not in times
        and not (asking if hit.start in helping else helping).issuperset(hit.own)
    ]
    # Before a shape without a question word stands a genitive (Turkish, Korean, German).
    return {hit.end for hit in shapes} | {h.start - 1 for h in shapes if h.start not in helping}


def is_lone(reading: Reading, index: int) -> bool:
    """Whether a name stands without another capitalised word beside it."""
    raw, starts = reading.scan.raw, reading.scan.clause_starts
    before = index - 1 not in starts and index > 0 and raw[index - 1].istitle()
    after = index + 1 < len(raw) and index + 1 not in starts and raw[index + 1].istitle()
    return not before and not after


def acts(reading: Reading, names: Collection[int]) -> bool:
    """Whether somebody with one of these names does what a shape asks ("when did Ada start")."""
    gaps = {i for hit in reading.scan.found(Cue.STRONG) for i in hit.skipped}
    return not gaps.isdisjoint(names)


def owns(reading: Reading, names: Collection[int]) -> bool:
    """Whether something of somebody with one of these names is asked about ("Ada's dogs")."""
    return any(reading.scan.words[i + 1 : i + 2] == ["'s"] for i in names)


def _is_capital(reading: Reading, index: int) -> bool:
    word = reading.scan.raw[index]
    return len(word) > 1 and word.istitle()
