"""Turns a model's fact into a candidate, doubts it, or rejects what is no fact. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

import regex

from ...language import from_packs, packs
from ...language.reach import reach_of
from ...language.scanner import begins
from ...language.values import values_of
from ...model.claims import NO_CLAIMS, GraphClaims
from ...model.doubts import (
    MAX_SENTENCE,
    NOT_ASSERTED,
    NOT_BORNE_OUT,
    REFUTED,
    SOMEBODY_ELSE,
    UNSURE,
)
from ...model.types import Candidate, Doubt, Source
from ...model.zones import said_at
from ...trust.claims import NameText, supported
from ..program_output import is_output, is_statement
from .answer import MAX_QUOTE_CHARS, Fact
from .fact_dates import corrected, written_out
from .fact_passage import FactPassage, Known, passage_of
from .other_values import other_value
from .prompts import EXTRACTION_PROMPT
from .stance import is_about_others, is_denied, is_unsure
from .turn_texts import TurnTexts, plain
from .witness import OWN_WORDS, Witness

MAX_FACT_CHARS = 1_000
"""A longer "fact" is a document."""
_MIN_LETTERS = 0.4
"""Least share of letters and digits in a sentence, without blanks."""
_LOOP_WORDS = 12
_LOOP_SHARE = 0.3
"""Share of distinct words below which a text of `_LOOP_WORDS` is a model's loop."""
_MIN_ECHO = 20
"""Letters; shorter parts of the prompt may occur by chance."""

_MARKUP = regex.compile(
    r"</?(?:html|head|body|div|span|p|script|style|table|td|tr|li|ul|a|br|h[1-6])\b[^<>]*>|"
    r"<!doctype|&(?:nbsp|lt|gt|amp);|[{}\[\]]{3}|\"\s*:\s*[\"\[{]",
    regex.IGNORECASE,
)
_PROMPT = plain(EXTRACTION_PROMPT)


@from_packs
def _placeholders() -> frozenset[str]:
    return frozenset(plain(one) for pack in packs().values() for one in pack.turns.placeholder)


def reason_against(text: str) -> str | None:
    """The reason "too_long", "not_text", "boilerplate" or "noise"; None if it may be a fact."""
    if len(text) > MAX_FACT_CHARS:
        return "too_long"
    if not _is_text(text):
        return "not_text"
    if plain(text) in _placeholders() or begins(text, "turns.about_talk"):
        return "boilerplate"
    if not is_statement(text) or is_output(text):
        return "noise"
    return None


def is_echo(text: str, prompt: str | None = None) -> bool:
    """Whether the text is part of the prompt: small models repeat its examples."""
    said = plain(text)
    return len(said) >= _MIN_ECHO and (said in _PROMPT or said in plain(prompt or ""))


def _is_text(text: str) -> bool:
    visible = [character for character in text if not character.isspace()]
    letters = sum(character.isalnum() for character in visible)
    words = text.casefold().split()
    stuck = len(words) >= _LOOP_WORDS and len(set(words)) < _LOOP_SHARE * len(words)
    return (
        any(character.isalpha() for character in visible)
        and letters >= _MIN_LETTERS * len(visible)
        and not stuck
        and not _MARKUP.search(text)
    )


@dataclass(frozen=True, slots=True)
class Doubted:
    """A fact that is kept for a person to see, and is not recalled."""

    candidate: Candidate
    doubt: Doubt
    is_open: bool = False
    """Whether a model that reads the turns again may know better than the doubt."""


def judge(
    fact: Fact, said: TurnTexts, known: Known, *, prompt: str | None = None
) -> Candidate | Doubted | str:
    """The candidate with its evidence, the same with a doubt, or why it is no fact.

    A fact is doubted if a value, a negation or a question stands against it, if the user's own
    sentences do not bear it out, or if the model itself says that the user does not assert it or
    that it is about somebody else.
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
    at = said_at(passage.part.turn)
    fact = replace(fact, text=corrected(fact.text, passage.quote, at))
    candidate = _candidate(fact, passage, said)
    kind, detail = _why_not(fact, passage, said)
    if not kind:
        return candidate
    whose = "user" if candidate.source is Source.EXTRACTION else candidate.source.value
    doubt = Doubt(kind, whose, detail, passage.sentences[:MAX_SENTENCE])
    # Other words may say the same: who can read tells. Names, wishes and holders are exact.
    return Doubted(candidate, doubt, is_open=kind == UNSURE or detail in OWN_WORDS)


def _is_no_fact(fact: Fact, said: TurnTexts, prompt: str | None) -> str:
    """Why a fact is none whose quote nobody said: it repeats our prompt, or an earlier turn."""
    if is_echo(fact.text, prompt) and plain(fact.text) not in plain(said.text):
        return "instructions"
    return "context" if said.was_said_before(fact.quote or "") else ""


def _candidate(fact: Fact, passage: FactPassage, said: TurnTexts) -> Candidate:
    return Candidate(
        text=written_out(fact.text, said_at(passage.part.turn)),
        type=fact.type,
        quote=_quote(passage),
        turn_ids=(passage.part.turn.id,),
        source=passage.part.source,
        importance=fact.importance,
        claims=_claims(fact, passage, said),
        **_parts(fact, said),
    )


def _quote(passage: FactPassage) -> str:
    """The quote, with its sentence if only that says how far a wish reaches: "for this story"."""
    whole, at = passage.sentences, passage.part.turn.created_at
    if passage.quote == whole or len(whole) > MAX_QUOTE_CHARS or not reach_of(whole, at).here:
        return passage.quote
    return passage.quote if reach_of(passage.quote, at).here else whole.strip()


def _claims(fact: Fact, passage: FactPassage, said: TurnTexts) -> GraphClaims:
    """Those whose names stand in the fact or its quote, and were said."""
    if not fact.claims:
        return NO_CLAIMS
    return supported(fact.claims, NameText(fact.text, passage.quote), said.wording)


def _parts(fact: Fact, said: TurnTexts) -> dict[str, str | None]:
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


def _why_not(fact: Fact, passage: FactPassage, said: TurnTexts) -> tuple[str, str]:
    """The kind of doubt about a fact, and its sign in a few words; two times "" without any."""
    if not fact.asserted:
        return NOT_ASSERTED, ""
    if is_about_others(fact):
        return SOMEBODY_ELSE, fact.who or ""
    if against := is_denied(fact, passage):
        return REFUTED, against
    if lacking := _not_borne_out(fact, passage, said):
        return NOT_BORNE_OUT, lacking
    unsure = is_unsure(fact, passage)
    return (UNSURE, unsure) if unsure else ("", "")


def _not_borne_out(fact: Fact, passage: FactPassage, said: TurnTexts) -> str:
    """What the user never said; of a fact in another language only values can be compared."""
    if passage.part.source is not Source.EXTRACTION:
        return ""
    at = said_at(passage.part.turn)
    witness = Witness(said.users, at=at)
    if witness.speaks(fact.text):
        return witness.against(fact.text)
    return other_value(fact.text, passage.near, said, at)
