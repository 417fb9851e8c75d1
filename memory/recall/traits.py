"""Reads by its words what a text tells of a person, or orders the assistant to do. Pure.

`prototypes` tells by meaning what has no such words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import _lru_cache_wrapper, lru_cache

import regex

from ..language import Hit, Scan, from_packs, language_of, languages_of, packs, scan
from ..language.reach import FOR_GOOD, Reach
from ..language.requests import Cue, cues_of
from ..language.words import is_question, sentences

_BEFORE = (Cue.GREET, Cue.FRAME, Cue.ELLIPSIS)
"""What stands before an instruction: "hi", "could you", "and", "also"."""
_ORDERS = (Cue.TASK, Cue.TRANSFORM, Cue.CALC)
_FORM = "person.traits.manner"
_KEPT = 16_384
_ANY_LANGUAGE = 5
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
        and (hit.language in languages or hit.letters(words) >= _ANY_LANGUAGE)
        for hit in hits
    )


def orders(text: str) -> bool:
    """Whether a text begins with an order for one answer: "Implement the export"."""
    return _kept_orders()(text)


@from_packs
def _kept_orders() -> _lru_cache_wrapper[bool]:
    """The last texts: the same lines are shown again and again."""
    return lru_cache(maxsize=_KEPT)(_orders)


def _orders(text: str) -> bool:
    if not scan(text).has(*_ORDERS, "person.orders"):
        return False  # as of nearly all: nothing else is read
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
        and (hit.language in languages or hit.letters(found.words) >= _ANY_LANGUAGE)
        and (hit.end not in users or packs()[hit.language].person.drops_pronouns)
        for hit in hits
    )


TRAIT = "person.traits."
WISH = "wish"
"""How the user wants to be answered: a trait that others together show."""
SHORT, EACH = 120, 60
"""Characters of the longest text that is a wish, and for each of its words about form."""
_SURE_LETTERS = 6
"""Letters from which a term counts in any language: short texts tell their language badly, and
short words mean something else in another one."""


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits that a memory tells of the user, by its words and by its meaning."""

    traits: frozenset[str]
    bears_on: frozenset[str] = frozenset()
    """The topics of requests that it bears on."""
    private: bool = False
    """Whether it is about health, money, fear or trouble in the family."""
    unfit: bool = False
    """Whether it is an instruction that goes with no message unasked (`injection_policy`)."""
    unsafe: bool = False
    """Whether it is one that is shown in no chat."""
    reach: Reach = FOR_GOOD
    """Where it holds, if it tells what to do."""


def traits_of(text: str) -> frozenset[str]:
    """The traits of a text, as `memory/language/sections.py` names them; 40 microseconds."""
    told = _told(scan(text))
    traits = frozenset(told)
    return traits | {WISH} if _is_wish(_places(told.get("manner", ())), text) else traits


def _places(hits: Sequence[Hit]) -> int:
    """How many the hits are: what several languages have counts in one of them ("emojis")."""
    by_language = Counter(hit.language for hit in hits)
    kept: set[int] = set()
    count = 0
    for language, _ in by_language.most_common():
        own = [hit for hit in hits if hit.language == language]
        new = [hit for hit in own if kept.isdisjoint(range(hit.start, hit.end))]
        count += len(new)
        kept.update(at for hit in new for at in range(hit.start, hit.end))
    return count


def _told(found: Scan) -> dict[str, list[Hit]]:
    """The terms of the section in languages that the text may be of."""
    section = found.section("person")
    if not section:
        return {}
    languages = languages_of(found.words.folded)
    told = {
        name.removeprefix(TRAIT): [
            hit for hit in hits if hit.language in languages or _is_long(found, hit)
        ]
        for name, hits in section.items()
        if name.startswith(TRAIT)
    }
    return {name: hits for name, hits in told.items() if hits}


def _is_long(found: Scan, hit: Hit) -> bool:
    return hit.letters(found.words.folded) >= _SURE_LETTERS


def _is_wish(manners: int, text: str) -> bool:
    """One word about form tells nothing ("a short trip"); two do, or one of an instruction.

    In a long text they are few among many.
    """
    if len(text) > SHORT + EACH * manners:
        return False
    return manners > 1 or instructs_form(text)


LONGEST = 400
"""Characters of a wish with what stands around it."""
_PARAGRAPHS = regex.compile(r"\n[ \t]*\n+")
_LASTING = ("person.instructs", "person.traits.name", "person.traits.manner", "planting.standing")
"""What every sentence has that may."""
_LETTER = regex.compile(r"\p{L}")


def lasts(sentence: str) -> bool:
    """Whether it may say how answers are to be from now on, by its words."""
    found = scan(sentence)
    if not any(map(found.found, _LASTING)):
        return False  # as of nearly all: nothing else is read
    return instructs(sentence) or WISH in traits_of(sentence) or is_for_good(sentence)


def is_among_others(text: str) -> bool:
    """Whether a text has a wish and sentences beside it, and none of these speaks of anybody."""
    told = [one.strip() for one in sentences(text) if one.strip()]
    if len(told) < 2:  # noqa: PLR2004 - as most: nothing is read
        return False
    return any(map(lasts, told)) and bool(_others([one for one in told if not lasts(one)]))


def with_others(text: str, wish: str) -> str:
    """The wish with the sentences of its paragraph, if these speak of nobody; else "".

    A wish that is a paragraph of its own stands between those before and after it.
    """
    paragraphs = [part for part in _PARAGRAPHS.split(text) if part.strip()]
    at = next((n for n, part in enumerate(paragraphs) if wish in part), None)
    if at is None:
        return ""
    for first, last in ((at, at + 1), (max(0, at - 1), at + 2)):
        told = [one.strip() for part in paragraphs[first:last] for one in sentences(part)]
        told = [one for one in told if one]
        related = [one for one in told if one not in wish and wish not in one]
        if related:
            return _bounded(told, wish) if _others(related) else ""
    return ""


def _others(related: list[str]) -> list[str]:
    """The sentences beside a wish that tell something; none if one of all speaks of the user."""
    if any(cues_of(one).has(Cue.SELF) for one in related):
        return []
    return [
        one for one in related
        if _LETTER.search(one) and not _asks(one) and not lasts(one)
    ]  # fmt: skip


def _asks(sentence: str) -> bool:
    """Whether it is a question or an order, as far as its first words tell."""
    found = cues_of(sentence)
    first = found.first_besides(found.covered(Cue.GREET, Cue.FRAME, Cue.ELLIPSIS))
    begins = any(hit.start == first for hit in found.found(Cue.OPENER))
    return begins or is_question(sentence) or orders(sentence)


def _bounded(told: list[str], wish: str) -> str:
    """The sentences nearest to the wish, in order."""
    own = next((n for n, one in enumerate(told) if wish in one or one in wish), 0)
    first = last = own
    length = len(told[own])
    while first > 0 or last < len(told) - 1:
        before = len(told[first - 1]) if first > 0 else LONGEST
        after = len(told[last + 1]) if last < len(told) - 1 else LONGEST
        if length + min(before, after) >= LONGEST:
            break
        if before <= after:
            first -= 1
        else:
            last += 1
        length += min(before, after) + 1
    return " ".join(told[first : last + 1])
