"""Finds what is left behind for something else: "moved from Berlin to Lyon". Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from ...language import Hit
from ...language.cues import cues_in
from ...language.function_words import function_words_of
from ...language.words import Words, words_of

_PLACE = ("changes.home", "people.user")


def left_behind(text: str) -> tuple[str, ...]:
    """The place that the user is said to have left for another; empty without one."""
    words = words_of(text)
    for hit in cues_in(text, "changes.leaves_next"):
        stop = function_words_of(hit.language)
        if not _is_of_user(text, words, hit, stop):
            continue
        behind = words.folded[hit.end :]
        place = _content(behind, stop)
        if place and len(behind) > len(place) + 1:
            return place
    return ()


def _content(words: Sequence[str], stop: frozenset[str]) -> tuple[str, ...]:
    """The words before the first function word."""
    return tuple(takewhile(lambda word: word not in stop, words))


def _is_of_user(text: str, words: Words, hit: Hit, stop: frozenset[str]) -> bool:
    user = {at for named in cues_in(text, "people.user") for at in named.own}
    before = range(hit.start)
    small = (words.folded[at] for at in before if at not in user)
    # An article may be written onto the word: "l'utente".
    return bool(user) and all(word in stop or word.endswith("'") for word in small)


def lives_in(old: str, place: Sequence[str]) -> bool:
    """Whether a statement says that the user lives in this place, and nothing else."""
    words = words_of(old)
    hits = list(cues_in(old, *_PLACE, "changes.negated"))
    if {hit.field for hit in hits} != set(_PLACE):
        return False
    told = {at for hit in hits for at in hit.own}
    stop = function_words_of(hits[0].language)
    left = [word for at, word in enumerate(words.folded) if at not in told and word not in stop]
    return tuple(left) == tuple(place)
