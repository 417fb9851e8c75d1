"""Turns a model's fact into a candidate, doubts it, or rejects what is no fact. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...language.values import values_of
from ...model.doubts import MAX_SENTENCE, NOT_ASSERTED, REFUTED, SOMEBODY_ELSE, UNSURE
from ...model.types import Candidate, Doubt, Source
from ..noise import is_output
from .days import corrected, written_out
from .facts import Fact
from .passage import FactPassage, Known, passage_of
from .refute import refuted
from .said import Said
from .screen import is_echo, reason_against
from .searchable import plain
from .stance import is_about_others, is_unsure


@dataclass(frozen=True, slots=True)
class Doubted:
    """A fact that is kept for a person to see, and is not recalled."""

    candidate: Candidate
    doubt: Doubt
    is_open: bool = False
    """Whether a model that reads the turns again may know better than the doubt."""


def judge(
    fact: Fact, said: Said, known: Known, *, prompt: str | None = None
) -> Candidate | Doubted | str:
    """The candidate with its evidence, the same with a doubt, or why it is no fact.

    A fact is doubted if a value, a name, a negation or a question stands against it, or if the
    model itself says that the user does not assert it or that it is about somebody else.
    """
    if reason := reason_against(fact.text):
        return reason
    passage = passage_of(fact, said, known)
    if passage is None:
        return "known"
    if not passage.quoted and (reason := _is_no_fact(fact, said, prompt)):
        return reason
    if is_output(passage.quote):
        return "noise"
    if passage.part.source is not Source.EXTRACTION and known.holds(fact.text):
        return "known"
    at = passage.part.turn.created_at
    fact = replace(fact, text=corrected(fact.text, passage.quote, at))
    candidate = _candidate(fact, passage, said)
    kind, detail = _why_not(fact, passage, said)
    if not kind:
        return candidate
    whose = "user" if candidate.source is Source.EXTRACTION else candidate.source.value
    doubt = Doubt(kind, whose, detail, passage.sentences[:MAX_SENTENCE])
    return Doubted(candidate, doubt, is_open=kind == UNSURE)


def _is_no_fact(fact: Fact, said: Said, prompt: str | None) -> str:
    """Why a fact is none whose quote nobody said: it repeats our prompt, or an earlier turn."""
    if is_echo(fact.text, prompt) and plain(fact.text) not in plain(said.text):
        return "instructions"
    return "context" if said.was_said_before(fact.quote or "") else ""


def _candidate(fact: Fact, passage: FactPassage, said: Said) -> Candidate:
    return Candidate(
        text=written_out(fact.text, passage.part.turn.created_at),
        type=fact.type,
        quote=passage.quote,
        turn_ids=(passage.part.turn.id,),
        source=passage.part.source,
        importance=fact.importance,
        **_parts(fact, said),
    )


def _parts(fact: Fact, said: Said) -> dict[str, str | None]:
    """Subject, predicate and object, unless one adds a name or number or repeats the fact."""
    parts = {"subject": fact.subject, "predicate": fact.predicate, "object": fact.object}
    numbers = values_of(fact.text) | said.values
    new = any(
        plain(part) == plain(fact.text)
        or said.unsaid_names(f"is {part}")
        or not values_of(part) <= numbers
        for part in parts.values()
        if part
    )
    return {} if new else parts


def _why_not(fact: Fact, passage: FactPassage, said: Said) -> tuple[str, str]:
    """The kind of doubt about a fact, and its sign in a few words; two times "" without any."""
    if not fact.asserted:
        return NOT_ASSERTED, ""
    if is_about_others(fact):
        return SOMEBODY_ELSE, fact.who or ""
    if against := refuted(fact, passage, said):
        return REFUTED, against
    unsure = is_unsure(fact, passage)
    return (UNSURE, unsure) if unsure else ("", "")
