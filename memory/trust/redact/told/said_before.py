# ruff: noqa: E501, RUF001, SIM905 - word lists and patterns of many scripts
"""Finds values before their noun: "4711 is my PIN", "use X as the password"."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from ..findings import Finding
from ..formats.shapes import Shape, shape
from ..formats.view import View
from .nouns import Noun
from .sentences import EXAMPLE

_LINKS = frozenset(
    """is are was be as becomes for ist sind war als wird lautet zum es son era como sera est sont etait comme e sao foi sono come
    is als jest jako как это является — - = als है हैं को هو هي""".split()
)
_DETERMINERS = frozenset(
    """my the our your his her their its a an this that new old current mein meine meinem dein deine das die der dem den unser unsere ihr
    mi el la tu su nuestra nuestro nueva nuevo mon ma le la notre votre nouveau meu minha o a nossa nova novo il lo mio mia nuova nuovo het mijn
    de ons onze moj moja мой моя наш новый मेरा मेरी हमारा नया""".split()
)
_JUDGING = frozenset(
    """worst best most common commonest weakest strongest typical terrible bad weak good schlechteste
    haufigste peor pire pior plus""".split()
)
"""Words of statements about passwords in general."""
_REACH = 70
_BETWEEN_WORDS = 5
_CJK = regex.compile(
    r"([!-~]{4,60})[」』”\"]?\s*(?:を|就?是|为|為|作为|作為|当作|當作|设为|設為|が|は)[^。，,!?]{0,8}\Z"
)
_STRIP = ".,;:)]}>'\"’”»“„«(`*"
_JUDGED = regex.compile(
    r"\b(?:is|was|ist|war|es|est|e)\s[\"'“„«`]?([^\s\"'“”„«»`]{7,64})[\"'”“»`]?\s(?:a|an|my|the|ein|eine|mein|una?|um|uma|mon|le)\s(?:[^\W\d]{1,16}\s){0,2}\Z"
)
"""As in "is ... a good password?"."""
_WORD = regex.compile(r"\S+")
_MIN_DIGITS = 4
_MIN_KEY = 12


def find_before(view: View, kind: str, noun: Noun, floor: int, end: int) -> Iterator[Finding]:
    """The value in the words before the noun at `end`, but not before `floor`."""
    start = max(floor, end - _REACH)
    if start and start > floor:
        space = view.text.find(" ", start, end)
        start = space if space >= 0 else start
    text = view.text[start:end]
    match = None if text.isascii() else _CJK.search(text)
    if match:
        yield from _candidate(view, kind, noun, start + match.start(1), start + match.end(1))
        return
    words = list(_WORD.finditer(text))
    judged = _JUDGED.search(view.low, start, end)
    if judged and shape(view.text[judged.start(1) : judged.end(1)]) >= Shape.STRONG:
        yield Finding(*judged.span(1), kind)
        return
    for back, word in enumerate(reversed(words)):
        if back > _BETWEEN_WORDS or word.group()[-1] in ".!?":
            return
        if word.group().lower() in _LINKS and back < len(words) - 1:
            if _introduces(words[len(words) - back :]):
                value = words[-back - 2]
                if EXAMPLE.search(view.low[start : start + value.start()]):
                    return
                first, last = start + value.start(), start + value.end()
                yield from _candidate(view, kind, noun, first, last)
            return


def _introduces(words: list[regex.Match[str]]) -> bool:
    """Whether the words between "is" and the noun begin with "my", "the", ..., or are empty."""
    said = [word.group().lower() for word in words]
    return not said or (said[0] in _DETERMINERS and _JUDGING.isdisjoint(said))


def _candidate(view: View, kind: str, noun: Noun, start: int, end: int) -> Iterator[Finding]:
    word = view.text[start:end]
    bare = word.lstrip(_STRIP)
    start += len(word) - len(bare)
    bare = bare.rstrip(_STRIP)
    found = shape(bare)
    digits = sum(char.isdigit() for char in bare)
    numeric = noun in (Noun.PIN, Noun.PASSWORD, Noun.CODES) and digits >= _MIN_DIGITS
    quoted = word[:1] in "\"'“„«「" and word[-1:] in "\"'”“»」" and len(bare) >= _MIN_DIGITS
    if noun in (Noun.OPENING, Noun.RESET, Noun.WALLET) or (
        noun in (Noun.WEAK, Noun.LOGIN) and not quoted
    ):
        return
    if noun is Noun.KEY:
        if found >= Shape.STRONG and len(bare) >= _MIN_KEY:
            yield Finding(start, start + len(bare), kind)
    elif found >= Shape.LIKELY or (found is Shape.NUMBER and numeric) or (quoted and found):
        yield Finding(start, start + len(bare), kind)
