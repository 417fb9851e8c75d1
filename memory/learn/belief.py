"""Decides which candidates are believed, before they are compared with memories. Pure.

Secrets are redacted first, then the text is judged, then its source. Suspicious sentences are
stored for review and are not recalled until they are validated; the rest of a text is believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..model.doubts import MAX_DOUBTS, MAX_SENTENCE, UNCONFIRMED
from ..model.types import Candidate, Doubt, MemoryType, Message, Source, Turn
from ..trust.claims import NameText, supported
from ..trust.quarantine import judge
from ..trust.quarantine.values import Suspicion
from ..trust.redact import is_empty_remains
from ..trust.suspicious_sentences import doubts_about, split_suspicious
from .cleaning import Redact
from .extract import Doubted
from .options import Unconfirmed

_NOT_THE_USER = frozenset({Source.ASSISTANT, Source.TOOL, Source.REFLECTION})


@dataclass(frozen=True, slots=True)
class Suspicious:
    """A candidate, or sentences of one, to quarantine."""

    candidate: Candidate
    doubts: tuple[Doubt, ...]
    rest: int | None = None
    """The index in `Trusted.believed` of the rest that the sentences were taken from."""

    @property
    def flags(self) -> tuple[str, ...]:
        """The kinds of its doubts, sorted."""
        return tuple(sorted({doubt.kind for doubt in self.doubts}))


@dataclass(slots=True)
class Trusted:
    """Sorted candidates, and the numbers of rejected ones by reason."""

    believed: list[Candidate] = field(default_factory=list)
    suspicious: list[Suspicious] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)


def sort_by_trust(
    candidates: Sequence[Candidate],
    turns: Sequence[Turn],
    *,
    redact: Redact,
    unconfirmed: Unconfirmed,
) -> Trusted:
    """Sort candidates; each is judged together with its turns."""
    sorted_ = Trusted()
    by_id = {turn.id: turn for turn in turns}
    for candidate in candidates:
        clean = redacted(candidate, redact)
        if is_empty_remains(clean.text):
            sorted_.rejected["redacted"] += 1
            continue
        read_from = [by_id[turn] for turn in clean.turn_ids if turn in by_id] or turns
        _sort(clean, suspicion_about(clean, read_from), unconfirmed, sorted_)
    return sorted_


def held_back(
    doubted: Sequence[Doubted], turns: Sequence[Turn], *, redact: Redact
) -> list[Suspicious]:
    """Doubted facts as texts to withhold, without secrets.

    Each is judged too, in its own words and in those that it was read from: what looks planted is
    no mere want of evidence (`learn.withheld`).
    """
    by_id = {turn.id: turn for turn in turns}
    held = []
    for one in doubted:
        clean = redacted(one.candidate, redact)
        read_from = [by_id[turn] for turn in clean.turn_ids if turn in by_id] or turns
        said = replace(clean, text=clean.quote or clean.text)
        suspicions = [suspicion_about(each, read_from) for each in (clean, said)]
        doubts = [doubt for each in suspicions for doubt in doubts_about(each, _whose(clean))]
        doubt = replace(
            one.doubt,
            detail=redact(one.doubt.detail),
            sentence=redact(one.doubt.sentence),
        )
        every = tuple(dict.fromkeys((doubt, *doubts)))[:MAX_DOUBTS]
        held.append(Suspicious(clean, every))
    return held


def _sort(
    clean: Candidate, suspicion: Suspicion | None, unconfirmed: Unconfirmed, sorted_: Trusted
) -> None:
    doubts = doubts_about(suspicion, _whose(clean))
    doubted = is_unconfirmed(clean)
    if doubted and unconfirmed is Unconfirmed.QUARANTINE:
        said = Doubt(UNCONFIRMED, clean.source.value, "", clean.text[:MAX_SENTENCE])
        sorted_.suspicious.append(Suspicious(clean, doubts or (said,)))
    elif doubted and unconfirmed is Unconfirmed.DROP:
        if doubts:
            sorted_.suspicious.append(Suspicious(clean, doubts))
        else:
            sorted_.rejected["unconfirmed"] += 1
    else:
        _part(clean, suspicion, sorted_)


def _part(clean: Candidate, suspicion: Suspicion | None, sorted_: Trusted) -> None:
    """Believe a candidate but for its withheld sentences."""
    parts = split_suspicious(clean.text, suspicion, _whose(clean))
    if not parts.rest or (parts.withheld and clean.source is Source.TOOL):
        doubts = [doubt for one in parts.withheld for doubt in one.doubts]
        sorted_.suspicious.append(Suspicious(clean, tuple(doubts)))
        return
    rest = len(sorted_.believed)
    sorted_.believed.append(_saying(clean, parts.rest))
    for one in parts.withheld:
        # The statement is that of the whole, and is true of the rest at most.
        sentence = replace(
            _saying(clean, one.text), subject=None, predicate=None, object=None, context=None
        )
        sorted_.suspicious.append(Suspicious(sentence, one.doubts, rest))


def _saying(clean: Candidate, text: str) -> Candidate:
    """A part of a candidate, which claims no more than stands in it."""
    if text == clean.text:
        return clean
    return replace(clean, text=text, claims=supported(clean.claims, NameText(text)))


def _whose(candidate: Candidate) -> str:
    """Whose words a candidate is in, if others than the user said it."""
    return candidate.source.value if candidate.source in _NOT_THE_USER else ""


def redacted(candidate: Candidate, redact: Redact) -> Candidate:
    """The candidate without secrets, which a model may assemble from several turns."""
    clean = replace(
        candidate,
        text=redact(candidate.text),
        quote=None if candidate.quote is None else redact(candidate.quote),
        object=None if candidate.object is None else redact(candidate.object),
        context=None if candidate.context is None else redact(candidate.context),
    )
    if not clean.claims or (clean.text, clean.quote) == (candidate.text, candidate.quote):
        return clean
    return replace(clean, claims=supported(clean.claims, NameText(clean.text, clean.quote)))


def suspicion_about(candidate: Candidate, turns: Sequence[Turn]) -> Suspicion | None:
    """What the judge says about a candidate and its turns; usually nothing."""
    source = "user" if candidate.source is Source.EXTRACTION else candidate.source.value
    return judge(candidate.text, messages_of(turns), source=source)


def is_unconfirmed(candidate: Candidate) -> bool:
    """Whether the user did not say it; procedures from tool runs count as unconfirmed."""
    return candidate.source in _NOT_THE_USER or (
        candidate.type is MemoryType.PROCEDURAL and candidate.source is not Source.EXTRACTION
    )


def messages_of(turns: Sequence[Turn]) -> list[Message]:
    """Turns as the messages they came from, in order."""
    messages = []
    for turn in turns:
        messages.append(Message(role="user", content=turn.user_text))
        messages += [Message(role="tool", content=step.result) for step in turn.steps]
        messages.append(Message(role="assistant", content=turn.assistant_text))
    return [message for message in messages if message.content]


def redacted_turn(turn: Turn, redact: Redact) -> Turn:
    """The turn without secrets."""
    return replace(
        turn,
        user_text=redact(turn.user_text),
        assistant_text=redact(turn.assistant_text),
        steps=tuple(
            replace(step, arguments=redact(step.arguments), result=redact(step.result))
            for step in turn.steps
        ),
    )
