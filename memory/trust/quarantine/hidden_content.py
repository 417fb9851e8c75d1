# ruff: noqa: RUF001
"""Content that no text may have, wherever it comes from: hidden, encoded, or in another's role."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ...util import lazy_regex as regex
from ..confusables import folded, hidden, lookalike, smuggled
from .payloads import fetches, in_format, payloads
from .signs import odds, signs_of
from .utterances import Claim, Form, claims, is_about_work
from .values import SuspicionKind

_GAP = r"[ \t]{0,4}"
_ROLE = "(?:system|developer|assistant)"
_TAG = (
    r"system|assistant|user|human|developer|instructions?|memory|memories|context|tool|tool_result"
    r"|tool_call|function|function_results?|function_calls?|prompt|message|recollect[\w-]*|admin"
    r"|override|important|system[-_ ][\w-]+"
    r"|[a-z]{0,20}[-_](?:profile|memor(?:y|ies)|polic(?:y|ies)|rules?|instructions?|context|prompt|turn)"
    r"|polic(?:y|ies)|profile|settings|permissions?|directives?"
)
_HEADING = r"(?:system|assistant|instructions?|developer|human|user|new instructions?)"
_NOTE = r"(?:\s(?:message|prompt|note|update|notice|override))?"
_MARKUP = regex.compile(
    "|".join(
        (
            r"<\|\s?[\w/ -]{2,40}\s?\|>",
            r"\[/?INST\]|<</?SYS>>",
            r"</?(?:start_of_turn|end_of_turn|bos|eos|s)>",
            rf"</?{_GAP}(?:{_TAG})(?=[\s>/:=])[^<>]{{0,80}}>",
            rf"(?m:^|(?<=[\s\"'「（(]))\#{{1,4}}{_GAP}{_HEADING}\b{_GAP}(?:message|prompt)?{_GAP}:?",
            rf"[\"']type[\"']{_GAP}:{_GAP}[\"'](?:function|tool|system)[\w-]{{0,20}}[\"']",
            rf"[\"']?role[\"']?{_GAP}:{_GAP}[\"']?(?:{_ROLE}|tool)\b",
            rf"(?m:^|(?<=[\n.!?。>\]\"'”」]\s?)){_GAP}{_ROLE}{_NOTE}{_GAP}(?:\]{_GAP})?[:：](?=\s)",
            rf"\[{_GAP}/?{_GAP}{_ROLE}(?:\s[\w ]{{0,30}})?{_GAP}[\]:]",
            rf"(?m:^){_GAP}(?:human|user|ai){_GAP}[:：]\s.*\n{{1,3}}{_GAP}(?:assistant|ai){_GAP}[:：]",
            r"\b(?:BEGIN|END)[ _](?:SYSTEM|INSTRUCTIONS?|PROMPT)\b",
            rf"\{{\{{{_GAP}\#?system[^}}]{{0,40}}\}}\}}",
        )
    ),
    flags=regex.IGNORECASE,
)
"""Tokens of chat templates, tags and headings named after roles, roles in JSON, forged turns."""


_BEGINS = regex.compile(r"[<\[#{:：]|(?:begin|end)[ _]", flags=regex.IGNORECASE)
"""What every token has."""
_PLAIN = regex.compile(r"[^\x00-\x7f]|&")
"""Only a text with one of these may have another visible form."""


def undisguised(text: str) -> str:
    """The visible form of `text` if that has more role markup than `text`, else `text`.

    Other texts are not folded, because folded punctuation would move the ends of sentences.
    """
    if not _PLAIN.search(text):
        return text
    read = folded(text)
    written = len(markup_spans(text))
    for look in (read, lookalike(read)):
        if len(markup_spans(look)) > written:
            return look
    return text


def markup_spans(text: str) -> list[tuple[int, int]]:
    """The offsets of role markup in `text`."""
    return [found.span() for found in _MARKUP.finditer(text)] if _BEGINS.search(text) else []


_LABEL = regex.compile(r"\s*(?:assistant|ai)\s*[:：]", flags=regex.IGNORECASE)
"""At the start of a text it says whose answer follows; behind other words it is a forged turn."""

_HARMFUL = -1.0
"""Log odds above which a text counts that somebody took the trouble to hide."""

_LOOKED_AT = 2
"""Sentences: the mark of an image ("![") ends the first."""
_SENT_ON = frozenset({"send", "standing"})


class HiddenContent(NamedTuple):
    """The hidden content of a text, and the sentences that show it."""

    kind: SuspicionKind
    detail: str
    where: Sequence[Claim]


def hidden_content(text: str, said: Sequence[Claim]) -> Iterator[HiddenContent]:
    """What is wrong with `text`, whose sentences are `said`."""
    checks = (_hidden, _in_a_role, _sent_on, _fetched, _encoded)
    return (found for check in checks if (found := check(text, said)) is not None)


def _hidden(text: str, said: Sequence[Claim]) -> HiddenContent | None:
    trick = hidden(text)
    if trick is None:
        return None
    found = _those(said, lambda one: hidden(text[slice(*one.span)]) is not None)
    return HiddenContent(SuspicionKind.HIDDEN_UNICODE, trick, found)


def _in_a_role(text: str, said: Sequence[Claim]) -> HiddenContent | None:
    """Role markup; what follows a mark pretends to be said by somebody else."""
    seen = undisguised(text)
    marks = _marks(seen)
    if not marks or _mentions(seen, marks):
        return None
    start = marks[0][0] if seen == text else 0
    found = _those(said, lambda one: one.span[1] > start)
    return HiddenContent(SuspicionKind.ROLE_MARKUP, "role token", found)


def _sent_on(_text: str, said: Sequence[Claim]) -> HiddenContent | None:
    sent = [one for one in said if _sends_on(one)]
    return HiddenContent(SuspicionKind.EXFILTRATION, "sent to an address", sent) if sent else None


def _fetched(text: str, said: Sequence[Claim]) -> HiddenContent | None:
    pairs = (said[at : at + _LOOKED_AT] for at in range(len(said)))
    shown = [one for pair in pairs if _goes_into_answers(text, pair) for one in pair]
    detail = "fetched when it is shown"
    return HiddenContent(SuspicionKind.EXFILTRATION, detail, shown) if shown else None


def _encoded(text: str, said: Sequence[Claim]) -> HiddenContent | None:
    if not _hides_order(text):
        return None
    found = _those(said, lambda one: _hides_order(text[slice(*one.span)]))
    return HiddenContent(SuspicionKind.ENCODED, "hidden instruction", found)


def _sends_on(one: Claim) -> bool:
    """Whether it says what always goes to an address, and not that the user sends it."""
    return (
        one.form is not Form.FIRST
        and one.cues >= _SENT_ON
        and "destination" in in_format(one.spoken.text)
    )


def _goes_into_answers(text: str, said: Sequence[Claim]) -> bool:
    """Whether the first of these says what always goes into answers, and they are fetched."""
    one = said[0]
    if one.form in {Form.FIRST, Form.DESCRIBED} or "standing" not in one.cues:
        return False
    return fetches(text[one.span[0] : said[-1].span[1]])


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
    return not is_about_work(one) and odds(signs_of(one, None)) > _HARMFUL
