"""Decides which memories may go to which model, and where answers may be learned from. Pure.

A rule only takes away: what several rules say of one destination is the strictest of it. Of a piece
whose facts are not known, what a rule asks for counts as so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from pydantic import Field, field_validator

from ..language import stored_terms
from ..language.fold import fold
from ..model.options_base import Options
from ..model.suggestions import nearest
from ..model.turns import TOLD_UNKNOWN
from ..util.destinations import WORDS, Destination

SAID, BLOCK = "said", "block"
"""Kinds of text beside the types of memories: what stands in turns, and working blocks."""
PieceKind = Literal["semantic", "procedural", "episodic", "reflective", "said", "block"]
MOST_RULES = 50
MOST_NAMES = 50
MAX_CHARS = 200


class WithheldBy(StrEnum):
    """Why something does not go to a destination."""

    ALL = "all"
    """Nothing goes there."""
    UNVALIDATED = "unvalidated"
    TYPE = "type"
    TOPIC = "topic"
    PRIVATE = "private"
    ORIGIN = "origin"
    """It was told to a model that the rule keeps apart."""
    DERIVED = "derived"
    """It was concluded or condensed from something that does not go there."""


def _patterns(values: tuple[str, ...]) -> tuple[str, ...]:
    for value in values:
        where = value.partition("/")[0]
        if not where or len(value) > MAX_CHARS or "://" in value or len(value.split()) != 1:
            raise ValueError(
                "expected `local`, `cloud`, `mcp` or a host such as api.openai.com, each also with "
                "a model behind it (cloud/gpt-*); `*` stands for any characters"
            )
        meant = nearest(where, tuple(WORDS)) if where.isalpha() and where not in WORDS else None
        if meant is not None:
            raise ValueError(f"there is no {where!r}: did you mean {meant!r}?")
    return values


class PolicyRule(Options):
    """What may go to some models, and whether their answers are learned from.

    Each field that is set takes away; a rule without one changes nothing.
    """

    to: tuple[str, ...] = Field(
        default=("*",),
        min_length=1,
        max_length=MOST_NAMES,
        description="Where: `local`, `cloud`, `mcp` (programs that speak it) or a host, each also "
        "with a model (`cloud/gpt-*`); `*`: everywhere.",
    )
    send: Literal["all", "none", "validated"] = Field(
        default="all", description="Which memories may go there; `validated`: by a person."
    )
    types: tuple[PieceKind, ...] | None = Field(
        default=None, description="Only memories of these types; `said`: the user's own words."
    )
    not_topics: tuple[str, ...] = Field(
        default=(), max_length=MOST_NAMES, description="None whose text or metadata names these."
    )
    private: bool = Field(
        default=True, description="Whether those about health, money, fear and family may."
    )
    not_from: tuple[str, ...] = Field(
        default=(),
        max_length=MOST_NAMES,
        description="None that was told to these models, named as in `to`, or to one unknown.",
    )
    learn: bool = Field(default=True, description="Whether chats with it are learned from.")

    _to = field_validator("to", "not_from")(_patterns)

    @field_validator("not_topics")
    @classmethod
    def _words(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        if any(not value.strip() or len(value) > MAX_CHARS for value in values):
            raise ValueError("expected words, such as salary")
        return values

    @property
    def withholds(self) -> bool:
        """Whether it keeps anything back."""
        narrowed = self.send != "all" or self.types is not None or not self.private
        return narrowed or bool(self.not_topics or self.not_from)

    def concerns(self, to: Destination) -> bool:
        """Whether it is about this destination."""
        return any(map(to.fits, self.to))


def wrong_places(
    rules: Sequence[PolicyRule], known: Sequence[Destination], at: str = "trust.policy"
) -> Iterator[tuple[str, str]]:
    """The keys of patterns in `to` that mean no server or model that is configured, and why.

    `known` are these; one without a model has any. `at` is where the rules stand.
    """
    hosts = sorted({one.host for one in known})
    for number, rule in enumerate(rules):
        for place, pattern in enumerate(rule.to):
            where, _, model = pattern.partition("/")
            key = f"{at}.{number}.to.{place}"
            there = [one for one in known if one.fits(where)]
            if where not in WORDS and not there:
                yield key, f"no model server is there; configured are {', '.join(hosts)}"
            elif there and model and not any(one.fits(pattern) for one in there):
                names = ", ".join(sorted({one.model for one in there}))
                yield key, f"no such model is configured there; expected one of {names}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFacts:
    """What a rule may ask of a piece of text."""

    kind: str
    """A type of memories, `SAID` or `BLOCK`."""
    text: str | None
    """None: it may name anything."""
    topics: frozenset[str] = frozenset()
    """The values of its metadata, folded."""
    validated: bool = False
    private: bool | None = None
    told_to: Sequence[str] = (TOLD_UNKNOWN,)
    """As `Provenance.told_to`; none: it was told to no model."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Rules, those of the configuration and those of a user together."""

    rules: tuple[PolicyRule, ...] = ()

    def of(self, destinations: Iterable[Destination]) -> Policy:
        """The rules that are about one of these."""
        every = list(destinations)
        return Policy(tuple(one for one in self.rules if any(map(one.concerns, every))))

    def with_rules(self, rules: Sequence[PolicyRule]) -> Policy:
        """These, too."""
        return Policy((*self.rules, *rules)) if rules else self

    @property
    def withholds(self) -> bool:
        """Whether any of them keeps something back."""
        return any(one.withholds for one in self.rules)

    @property
    def asks_private(self) -> bool:
        """Whether it has to be known what is private."""
        return any(not one.private for one in self.rules)

    @property
    def learns(self) -> bool:
        """Whether all of them let answers be learned from."""
        return all(one.learn for one in self.rules)

    def why_withheld(self, facts: PolicyFacts) -> WithheldBy | None:
        """Why a piece does not go where these rules are about; None if it may."""
        found = (_why(one, facts) for one in self.rules)
        return next((why for why in found if why is not None), None)


def _why(rule: PolicyRule, facts: PolicyFacts) -> WithheldBy | None:
    if rule.send == "none":
        return WithheldBy.ALL
    if rule.send == "validated" and not facts.validated:
        return WithheldBy.UNVALIDATED
    if rule.types is not None and facts.kind not in rule.types:
        return WithheldBy.TYPE
    if rule.not_from and any(_is_from(rule, told) for told in facts.told_to):
        return WithheldBy.ORIGIN
    if not rule.private and facts.private is not False:
        return WithheldBy.PRIVATE
    if any(_names(facts, topic) for topic in rule.not_topics):
        return WithheldBy.TOPIC
    return None


def _is_from(rule: PolicyRule, told: str) -> bool:
    return told == TOLD_UNKNOWN or any(map(Destination.of_told(told).fits, rule.not_from))


def _names(facts: PolicyFacts, topic: str) -> bool:
    """Whether a piece has the words of a topic, in any form, or its metadata names it."""
    if facts.text is None:
        return True
    wanted = fold(topic).strip()
    if wanted in fold(facts.text) or wanted in facts.topics:
        return True
    words = set(stored_terms(topic))
    return bool(words) and words <= set(stored_terms(facts.text))
