"""Turns a model's fact into a candidate, or rejects it with a reason. Pure."""

from __future__ import annotations

from datetime import datetime

from ...language import language_of
from ...language.dates import reads_numbers, tells_time
from ...types import Candidate, Source, Turn
from ..noise import is_output
from .days import Dated, dates_in, written_out
from .evidence import Known, evidence_of
from .facts import Fact
from .numbers import unsaid
from .said import Said, is_translated
from .screen import is_echo, reason_against
from .searchable import plain


def judge(fact: Fact, said: Said, known: Known, *, prompt: str | None = None) -> Candidate | str:
    """The candidate with its evidence, or the reason word of the rejection."""
    if reason := reason_against(fact.text):
        return reason
    found = evidence_of(fact, said, known, related=prompt is None)
    if found == "no_evidence" and said.was_said_before(fact.quote or ""):
        return "context"
    if isinstance(found, str):
        return "instructions" if is_echo(fact.text, prompt) else found
    if is_output(found.quote):
        return "noise"
    if found.part.source is not Source.EXTRACTION and known.holds(fact.text):
        return "known"
    if prompt is None and is_translated(fact.text, [found.part.text]):
        return "translated"
    text = written_out(fact.text, found.quote, found.part.turn.created_at)
    around = found.part.around(found.begin, found.end)
    if is_invented(text, found.part.turn, said, around):
        return "invented"
    return Candidate(
        text=text,
        type=fact.type,
        quote=found.quote,
        turn_ids=(found.part.turn.id,),
        source=found.part.source,
        importance=fact.importance,
        **_parts(fact, said),
    )


def _parts(fact: Fact, said: Said) -> dict[str, str | None]:
    """Subject, predicate and object, unless one adds a name or number or repeats the fact."""
    parts = {"subject": fact.subject, "predicate": fact.predicate, "object": fact.object}
    new = any(
        plain(part) == plain(fact.text)
        or said.unsaid_name(f"is {part}")
        or unsaid(part, said.numbers, spelled_unknown=True)
        for part in parts.values()
        if part
    )
    return {} if new else parts


def is_invented(text: str, turn: Turn, said: Said, around: str | None = None) -> bool:
    """Whether the text has a name or a number that nobody said, apart from derived dates.

    A date may be derived if the text `around` the evidence mentions a time, is in a language
    without a list of time words, or is not given.
    """
    dates = dates_in(text, turn.created_at)
    words = " ".join(dated.words for dated in dates)
    rest = text
    for dated in dates:
        rest = rest.replace(dated.words, " ")
    stated = [d.words for d in dates if not _may_be_counted(d, turn.created_at, around)]
    spelled_unknown = not reads_numbers(language_of(around or text))
    return (
        unsaid(rest, said.numbers, spelled_unknown=spelled_unknown)
        or unsaid(" ".join(stated), said.numbers, spelled_unknown=False)
        or said.unsaid_name(text, apart_from=words)
    )


def _may_be_counted(dated: Dated, at: datetime, around: str | None) -> bool:
    """Whether a model can have derived a date from the turn's date."""
    if dated.first <= at.date() <= dated.last:
        return True
    speaks = around is None or tells_time(around) or not reads_numbers(language_of(around))
    return speaks and dated.is_near(at)
