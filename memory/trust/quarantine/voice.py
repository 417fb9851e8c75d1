# ruff: noqa: RUF001 - punctuation and letters of other scripts are meant
"""Tells statements about the user from sentences to the assistant."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from recollect.memory.language import from_packs, packs

from .cues import cues, starts_with
from .text import content, normalise, spaced

_DETERMINERS = (
    "the", "a", "an", "der", "die", "das", "el", "la", "los", "las", "le", "l", "les",
    "o", "os", "il", "lo", "de", "het",
)  # fmt: skip
_ARTICLE = " ال"
"""Articles, without demonstratives: users do not say "this user" of themselves."""
_OF = (
    " of the ", " des ", " del ", " de l ", " de la ", " du ", " do ", " da ", " dell ", " van de ",
    " у ", " von ", " ال",
)  # fmt: skip
"""Words before the user that make a person or thing of theirs the subject."""
_SUBJECT_WORDS = 4
_ORDERED = frozenset({"negation", "send", "tell", "hide", "promote", "action", "condition"})
"""Cues that make the words before the user an order."""
_OBLIQUE = ("को", "से", "に", "を", "から", "へ", "لل")
"""Particles that make the user the object of a sentence."""
_QUOTED = regex.compile(
    r"“[^”]*”|«[^»]*»|„[^“”]*[“”]|「[^」]*」|『[^』]*』|\"[^\"]*\"|`[^`]*`|‘[^’]*’"
    r"|(?<![\p{L}\p{N}])'(?:[^']|(?<=\p{L})'(?=\p{L}))*'(?!\p{L})"
)
_WORK = frozenset({"topic", "process"})
_FUNCTIONAL = ("user", "assistant", "me", "you", "negation", "standing", "condition", "remember")


@dataclass(frozen=True, slots=True)
class Voice:
    """A candidate and its cues."""

    text: str
    cues: frozenset[str]
    """Cues of the predicate; the user as the subject does not count."""
    described: bool
    """Whether it begins with the user, as a statement about them."""
    stems: frozenset[str]
    """Stems for comparison with the conversation."""


def hear(text: str) -> Voice:
    """The voice of `text`; quotations of a user who works with such texts are left out."""
    rest = _predicate(spaced(normalise(text)))
    if rest is None:
        return Voice(text, cues(text), described=False, stems=topical(text))
    bare = _QUOTED.sub(" ", text)
    if bare != text and _WORK & (found := cues(_predicate(spaced(normalise(bare))) or "")):
        return Voice(bare, found, described=True, stems=topical(bare))
    return Voice(text, cues(rest), described=True, stems=topical(text))


def topical(text: str) -> frozenset[str]:
    """Stems of `text` without functional words (user, always, remember)."""
    return content(normalise(text)) - _talk()


def _predicate(words: str) -> str | None:
    """The words after "the user" at the start, or None without them.

    "customer" and "owner" do not count: users do not call themselves that.
    """
    words = words.replace(_ARTICLE, " ", 1) if words.startswith(_ARTICLE) else words
    for determiner in ("", *_DETERMINERS):
        lead = f" {determiner}".rstrip()
        if not words.startswith(lead):
            continue
        rest = words[len(lead) :]
        words_on = rest if rest.startswith(" ") else f" {rest}"
        end = starts_with(words_on, "user")
        if end and not starts_with(words_on, "holder"):
            said = rest[end - (not rest.startswith(" ")) :]
            return None if said.strip().startswith(_OBLIQUE) else said
    return _possession(words)


def _possession(words: str) -> str | None:
    """The words after "the sister of the user" at the start; None without them or for an order."""
    head = " ".join(words.split(" ", _SUBJECT_WORDS + 2)[: _SUBJECT_WORDS + 2])
    for of in _OF:
        before, found, after = head.partition(of)
        rest = words[len(before) + len(of) :]
        end = starts_with(f" {rest}", "user") if found and after else 0
        if end:
            return rest[end - 1 :] if cues(before).isdisjoint(_ORDERED) else None
    return None


@from_packs
def _talk() -> frozenset[str]:
    found: set[str] = set()
    for pack in packs().values():
        for name in _FUNCTIONAL:
            for term in getattr(pack.planting, name):
                found |= content(normalise(term))
    return frozenset(found)
