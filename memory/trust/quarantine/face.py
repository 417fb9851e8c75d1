"""Content that no text may have, wherever it comes from: hidden, encoded, or in another's role."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import regex

from .carried import fetches
from .claim import Claim, Form, claims, is_about_work
from .encoded import payloads
from .formats import in_format
from .hidden import hidden, smuggled
from .markup import markup_spans, undisguised
from .signs import signs
from .values import SuspicionKind
from .verdict import odds

_LABEL = regex.compile(r"\s*(?:assistant|ai)\s*[:：]", flags=regex.IGNORECASE)  # noqa: RUF001 - wide
"""At the start of a text it says whose answer follows; behind other words it is a forged turn."""

_HARMFUL = -1.0
"""Log odds above which a text counts that somebody took the trouble to hide."""

_LOOKED_AT = 2
"""Sentences: the mark of an image ("![") ends the first."""
_SENT_ON = frozenset({"send", "standing"})


class Telltale(NamedTuple):
    """What is found, and the sentences that show it."""

    kind: SuspicionKind
    detail: str
    where: Sequence[Claim]


def on_its_face(text: str, said: Sequence[Claim]) -> Iterator[Telltale]:
    """What is wrong with `text`, whose sentences are `said`."""
    trick = hidden(text)
    if trick:
        found = _those(said, lambda one: hidden(text[slice(*one.span)]) is not None)
        yield Telltale(SuspicionKind.HIDDEN_UNICODE, trick, found)
    seen = undisguised(text)
    marks = _marks(seen)
    if marks and not _mentions(seen, marks):
        # What follows a mark pretends to be said by somebody else.
        start = marks[0][0] if seen == text else 0
        found = [one for one in said if one.span[1] > start]
        yield Telltale(SuspicionKind.ROLE_MARKUP, "role token", found or said)
    sent = [one for one in said if _sends_on(one)]
    if sent:
        yield Telltale(SuspicionKind.EXFILTRATION, "sent to an address", sent)
    shown = [one for at in range(len(said)) for one in _fetched(text, said[at : at + _LOOKED_AT])]
    if shown:
        yield Telltale(SuspicionKind.EXFILTRATION, "fetched when it is shown", shown)
    if _hides_order(text):
        found = _those(said, lambda one: _hides_order(text[slice(*one.span)]))
        yield Telltale(SuspicionKind.ENCODED, "hidden instruction", found)


def _sends_on(one: Claim) -> bool:
    """Whether it says what always goes to an address, and not that the user sends it."""
    return (
        one.form is not Form.FIRST
        and one.cues >= _SENT_ON
        and "destination" in in_format(one.spoken.text)
    )


def _fetched(text: str, said: Sequence[Claim]) -> Sequence[Claim]:
    """These sentences, if the first says what always goes into answers, and it is fetched."""
    one = said[0]
    if one.form in {Form.FIRST, Form.DESCRIBED} or "standing" not in one.cues:
        return ()
    return said if fetches(text[one.span[0] : said[-1].span[1]]) else ()


def _those(said: Sequence[Claim], test: Callable[[Claim], bool]) -> Sequence[Claim]:
    """The sentences that show it by themselves; all if none does."""
    return [one for one in said if test(one)] or said


def _marks(text: str) -> list[tuple[int, int]]:
    label = _LABEL.match(text)
    return [span for span in markup_spans(text) if label is None or span[0] >= label.end()]


def _mentions(text: str, marks: Sequence[tuple[int, int]]) -> bool:
    """Whether the text is about the user's work with such tokens and gives no order after them."""
    first = next(claims(text), None)
    if first is None or not is_about_work(first):
        return False
    return not any(_harmful(one) for one in claims(text[marks[-1][1] :]))


def _hides_order(text: str) -> bool:
    clear = [*payloads(text), smuggled(text)]
    return any(map(markup_spans, clear)) or any(
        _harmful(one) for read in clear for one in claims(read)
    )


def _harmful(one: Claim) -> bool:
    return not is_about_work(one) and odds(signs(one, None)) > _HARMFUL
