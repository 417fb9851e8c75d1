"""Tells a lasting instruction to the assistant from an order for this answer. Pure."""

from __future__ import annotations

from functools import _lru_cache_wrapper, lru_cache

from ..language import from_packs, language_of, packs, scan
from ..language.requests import Cue, cues_of
from ..language.sentences import is_question

_BEFORE = (Cue.GREET, Cue.FRAME, Cue.ELLIPSIS)
"""What stands before an instruction: "hi", "could you", "and", "also"."""
_ORDERS = (Cue.TASK, Cue.TRANSFORM, Cue.CALC)
_FORM = "person.traits.manner"
_KEPT = 16_384
_LONG = 5
"""Letters of a term that counts in any language: a short sentence tells its own badly."""


def instructs(sentence: str) -> bool:
    """Whether a sentence tells what to do from now on: "Always answer in German"."""
    return not is_question(sentence) and (
        _begins(sentence, "person.traits.name") or _begins(sentence, "person.instructs")
    )


def instructs_form(sentence: str) -> bool:
    """The same of an instruction about the tone, the length or the language of answers."""
    if is_question(sentence) or not _begins(sentence, "person.instructs"):
        return False
    return scan(sentence).has(_FORM) or bool(cues_of(sentence).has(Cue.TONGUE))


def is_for_good(sentence: str) -> bool:
    """Whether "always", "from now on" or the like is in a sentence that does not ask.

    Of an order that means that it lasts, wherever it stands: "Cite your sources, always". A
    sentence that begins with the user is none ("I always use ...").
    """
    found = scan(sentence)
    hits = [*found.found("planting.standing"), *found.found("person.instructs")]
    if not hits or is_question(sentence):
        return False
    cues = cues_of(sentence)
    greeted, words = cues.covered(Cue.GREET), found.words.folded
    languages = cues.languages | {language_of(sentence)}
    return cues.first_besides(cues.covered(*_BEFORE)) not in cues.covered(Cue.SELF) and any(
        not greeted.issuperset(range(hit.start, hit.end))
        and (hit.language in languages or hit.letters(words) >= _LONG)
        for hit in hits
    )


def orders(text: str) -> bool:
    """Whether a text begins with an order for one answer: "Implement the export"."""
    return _kept()(text)


@from_packs
def _kept() -> _lru_cache_wrapper[bool]:
    """The last texts: the same lines are shown again and again."""
    return lru_cache(maxsize=_KEPT)(_orders)


def _orders(text: str) -> bool:
    if is_question(text) or instructs(text):
        return False
    found = cues_of(text)
    first = found.first_besides(found.covered(*_BEFORE))
    hits = [hit for cue in _ORDERS for hit in found.found(cue)]
    ordered = any(hit.start == first for hit in hits) or _begins(text, "person.orders")
    return ordered and not found.has(Cue.SELF)


def _begins(sentence: str, field: str) -> bool:
    """Whether its first words say so, and the user is not their subject ("I always use ...")."""
    hits = scan(sentence).found(field)
    if not hits:
        return False  # as of nearly all: nothing else is read
    found = cues_of(sentence)
    first = found.first_besides(found.covered(*_BEFORE))
    users, greeted = found.covered(Cue.SELF), found.covered(Cue.GREET)
    languages = found.languages | {language_of(sentence)}
    return any(
        hit.start in (0, first)
        and not greeted.issuperset(range(hit.start, hit.end))  # "never mind"
        and (hit.language in languages or hit.letters(found.words) >= _LONG)
        and (hit.end not in users or packs()[hit.language].person.drops_pronouns)
        for hit in hits
    )
