"""Splits suspicious sentences off a text. Pure; linear in the text.

What is withheld is the sentence, not the memory: the rest of a text is remembered as if the
sentence were not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..model.doubts import MAX_DOUBTS, MAX_SENTENCE
from ..model.types import Doubt
from .quarantine.values import Reason, Span, Suspicion
from .redact import is_empty_remains

MOST_PARTS = 16
"""Texts that are withheld of one piece; the last one has all further sentences, so that nobody
fills a store or a list to review with one message."""
NOT_KNOWN = "candidate"
"""The judge's word for a sign whose origin it cannot tell."""
_Part = tuple[Span, tuple[Doubt, ...]]


@dataclass(frozen=True, slots=True)
class Withheld:
    """A text that is withheld: neighbouring sentences, or a whole text."""

    text: str
    doubts: tuple[Doubt, ...]

    @property
    def flags(self) -> tuple[str, ...]:
        """The kinds of its doubts, sorted."""
        return tuple(sorted({doubt.kind for doubt in self.doubts}))


@dataclass(frozen=True, slots=True)
class SplitText:
    """A text in two: what is believed, and what is withheld."""

    rest: str
    """Empty if no word is left; then the whole text is withheld."""
    withheld: tuple[Withheld, ...] = ()


def doubts_about(suspicion: Suspicion | None, whose: str = "") -> tuple[Doubt, ...]:
    """The judge's reasons; `whose` words they are in where the judge cannot tell."""
    return _doubts(suspicion.reasons if suspicion else (), whose)


def _doubts(reasons: Iterable[Reason], whose: str) -> tuple[Doubt, ...]:
    return tuple(
        Doubt(
            reason.kind.value,
            whose if reason.where == NOT_KNOWN else reason.where,
            reason.detail,
            reason.sentence[:MAX_SENTENCE],
        )
        for reason in reasons
    )


def split_suspicious(text: str, suspicion: Suspicion | None, whose: str = "") -> SplitText:
    """The text without the sentences that the judge withholds, and these."""
    [piece] = split_spans(text, [(0, len(text))], suspicion, whose)
    return piece


def split_spans(
    text: str, cuts: Sequence[Span], suspicion: Suspicion | None, whose: str = ""
) -> list[SplitText]:
    """The same for each of the spans `cuts`, which cover the text in order.

    A piece is the text of its span as it is; without suspicion it is its own rest.
    """
    if suspicion is None:
        return [SplitText(text[first:last]) for first, last in cuts]
    parts = _joined(suspicion, text, whose)
    made, at = [], 0
    for first, last in cuts:
        inside: list[_Part] = []
        while at < len(parts) and parts[at][0][0] < last:
            (begin, end), doubts = parts[at]
            inside.append(((max(begin, first), min(end, last)), doubts))
            if end > last:
                break  # goes on in the next piece
            at += 1
        made.append(_piece(text, (first, last), inside))
    return made


def _piece(text: str, whole: Span, inside: Sequence[_Part]) -> SplitText:
    all_of_it = text[slice(*whole)]
    if not inside:
        return SplitText(all_of_it)
    rest = _without(text, whole, [span for span, _ in inside])
    if not _says_something(rest):
        merged = _few(doubt for _, doubts in inside for doubt in doubts)
        return SplitText("", (Withheld(all_of_it, merged),))
    parts = [Withheld(text[slice(*span)].strip(), doubts) for span, doubts in inside]
    return SplitText(rest, tuple(_bounded([part for part in parts if part.text])))


def _bounded(parts: list[Withheld]) -> list[Withheld]:
    if len(parts) <= MOST_PARTS:
        return parts
    further = parts[MOST_PARTS - 1 :]
    text = "\n".join(dict.fromkeys(part.text for part in further))
    doubts = _few(doubt for part in further for doubt in part.doubts)
    return [*parts[: MOST_PARTS - 1], Withheld(text, doubts)]


def _joined(suspicion: Suspicion, text: str, whose: str) -> list[_Part]:
    """Its spans without white space at their ends; those with nothing else in between are one."""
    joined: list[_Part] = []
    for span, reasons in suspicion.parts:
        bare = _bare(span, text)
        doubts = _doubts(reasons, whose)
        if bare is None:
            continue
        if joined and not text[joined[-1][0][1] : bare[0]].strip():
            before, known = joined[-1]
            joined[-1] = ((before[0], bare[1]), _few((*known, *doubts)))
        else:
            joined.append((bare, _few(doubts)))
    return joined


def _bare(span: Span, text: str) -> Span | None:
    words = text[slice(*span)]
    first = span[0] + len(words) - len(words.lstrip())
    return (first, first + len(words.strip())) if words.strip() else None


def _without(text: str, whole: Span, spans: Sequence[Span]) -> str:
    """The text between the spans; where one was taken out, the wider white space is kept."""
    edges = [whole[0], *(edge for span in spans for edge in span), whole[1]]
    kept = [text[first:last] for first, last in zip(edges[::2], edges[1::2], strict=True)]
    told: list[str] = []
    gap = ""
    for one in kept:
        bare = one.lstrip()
        gap = max(gap, one[: len(one) - len(bare)], key=_width)
        if bare:
            ended = bare.rstrip()
            told += [gap if told else "", ended]
            gap = bare[len(ended) :]
    return "".join(told)


def _width(gap: str) -> tuple[int, int]:
    return gap.count("\n"), len(gap)


def _says_something(rest: str) -> bool:
    return not is_empty_remains("".join(each for each in rest if not each.isdecimal()))


def _few(doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    return tuple(dict.fromkeys(doubts))[:MAX_DOUBTS]
