"""Tells which texts are of a kind that waits for a person (`trust.review`).

Health and money by meaning, and by the few words that mean nothing else; other people by who the
subject is; wishes as recall tells them. In doubt a text is of no kind, and acts at once.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Self

from ..language import language_of
from ..language.scanner import says
from ..language.words import is_question, sentences
from ..model.claims import NO_CLAIMS, EntityKind, GraphClaims
from ..model.ports import Embedder
from ..model.types import Decision, MemoryType, Vector
from ..recall.example_vectors import ExampleVectors
from ..recall.lasting_wishes import is_lasting_wish
from ..recall.prototypes import Kinds, Prototypes, nearness
from ..recall.traits import traits_of
from ..trust.claims import is_user
from ..trust.options import ReviewKind
from .extract.fact_subject import KIN, ROLES, clauses_of, is_of_others
from .waiting import states_something

_EXAMPLES = "review_examples.toml"
_ORDER = ("health", "money", "other_people", "plain", "pets")
INLINE = 4
"""Texts whose kinds are told without a thread."""
_ILL = frozenset({"allergy", "health"})
"""Traits whose words tell of health."""
HEALTH, MONEY, PEOPLE = 0.04, 0.06, 0.04
"""How much nearer a text must be to its kind than to all others (cosines on the scale of USE)."""


@dataclass(frozen=True, slots=True)
class ReviewedText:
    """A text, and what else is known of it."""

    text: str
    vector: Vector
    learned: bool = False
    """Whether a model called it how to do something."""
    subject: str | None = None
    """Whom it tells of, as a model says."""
    claims: GraphClaims = NO_CLAIMS

    @classmethod
    def of(cls, fact: Decision, vector: Vector) -> Self:
        """A fact that a model found."""
        learned = fact.type is MemoryType.PROCEDURAL
        return cls(fact.text, vector, learned, fact.subject, fact.claims)


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What texts are compared with."""

    prototypes: Prototypes
    kinds: Kinds

    def near(self, vector: Vector) -> Mapping[str, float]:
        """How near a text is to the sentences of each kind."""
        cosines = self.kinds.cosines(self.prototypes.own(vector))
        return dict(zip(_ORDER, map(nearness, cosines), strict=True))


class ReviewKinds:
    """Tells the kinds that wait; with none, nothing is read or embedded."""

    def __init__(
        self,
        days: Mapping[str, float],
        embedder: Embedder,
        prototypes: Callable[[], Awaitable[Prototypes | None]],
    ) -> None:
        """`prototypes` makes what recall compares texts with; None if its embedder tells little."""
        self._waiting = frozenset(map(ReviewKind, days))
        self._embedder = embedder
        self._prototypes = prototypes
        self._meaning: _Meaning | None = None
        self._ready = False

    def __bool__(self) -> bool:
        """Whether any kind waits."""
        return bool(self._waiting)

    async def prepare(self) -> None:
        """Embed the examples; without them words tell. Raises EmbeddingError."""
        if self._ready or not self:
            return
        if (prototypes := await self._prototypes()) is not None:
            vectors = ExampleVectors(self._embedder)
            told = [await vectors.of(texts) for texts in _examples()]
            self._meaning = _Meaning(prototypes, Kinds.of(*told))
        self._ready = True

    async def of_decisions(
        self, decisions: Sequence[Decision]
    ) -> Mapping[int, frozenset[ReviewKind]]:
        """The kinds of what decisions state, by their numbers. Raises EmbeddingError."""
        stated = [number for number, one in enumerate(decisions) if states_something(one)]
        if not (self and stated):
            return {}
        await self.prepare()
        vectors = await self._embedder.embed([decisions[number].text for number in stated])
        told = [
            ReviewedText.of(decisions[number], vector)
            for number, vector in zip(stated, vectors, strict=True)
        ]
        found = zip(stated, await self.each(told), strict=True)
        return {number: kinds for number, kinds in found if kinds}

    async def without(self, text: str) -> str:
        """A text of a model's without the sentences that wait. Raises EmbeddingError."""
        told = sentences(text)
        if not (self and told):
            return text
        await self.prepare()
        vectors = await self._embedder.embed(told)
        found = await self.each(list(map(ReviewedText, told, vectors)))
        kept = [one for one, kinds in zip(told, found, strict=True) if not kinds]
        return text if len(kept) == len(told) else "".join(kept).strip()

    async def each(self, told: Sequence[ReviewedText]) -> list[frozenset[ReviewKind]]:
        """The kinds of each that wait; those of many are told beside the loop."""
        if len(told) <= INLINE:
            return list(map(self.of, told))
        return await asyncio.to_thread(lambda: list(map(self.of, told)))

    def of(self, told: ReviewedText) -> frozenset[ReviewKind]:
        """The kinds of a text that wait. Without IO; up to a millisecond."""
        if not self or is_question(told.text):
            return frozenset()
        meaning = self._meaning
        if meaning is not None and language_of(told.text) not in meaning.prototypes.languages:
            meaning = None
        near = {} if meaning is None else meaning.near(told.vector)
        found = set(_private(told.text, near))
        if _is_of_others(told, near):
            found.add(ReviewKind.OTHER_PEOPLE)
        meant = None if meaning is None else meaning.prototypes.told(told.vector)
        if is_lasting_wish(told.text, meant, learned=told.learned):
            found.add(ReviewKind.WISHES)
        return self._waiting.intersection(found)


def _examples() -> list[Sequence[str]]:
    read = tomllib.loads(resources.files(__package__).joinpath(_EXAMPLES).read_text("utf-8"))
    return [read[name] for name in _ORDER]


def _private(text: str, near: Mapping[str, float]) -> set[ReviewKind]:
    found = set[ReviewKind]()
    if not traits_of(text).isdisjoint(_ILL):
        found.add(ReviewKind.HEALTH)
    if not near:
        return found
    if near["health"] - max(near["plain"], near["money"]) >= HEALTH:
        found.add(ReviewKind.HEALTH)
    if near["money"] - max(near["plain"], near["health"]) >= MONEY:
        found.add(ReviewKind.MONEY)
    return found


def _is_of_others(told: ReviewedText, near: Mapping[str, float]) -> bool:
    """Whether it tells of somebody else, by its subject or by its meaning; a pet is nobody."""
    if near and near["pets"] >= near["other_people"]:
        return False
    if _is_person(told.subject, told.claims) or is_of_others(clauses_of(told.text)):
        return True
    others = ("plain", "health", "money")
    return bool(near) and near["other_people"] - max(near[one] for one in others) >= PEOPLE


def _is_person(subject: str | None, claims: GraphClaims) -> bool:
    """Whether a subject is somebody else than the user."""
    if not subject or is_user(subject):
        return False
    people = {one.name for one in claims.entities if one.kind is EntityKind.PERSON}
    return subject in people or says(subject, *KIN, *ROLES)
