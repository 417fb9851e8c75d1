"""Tells by meaning what no list of words does: whom a request is for, what constrains, what wishes.

A text is compared with sentences of its kind and with those of the other kind (`examples`). How
much nearer it is to either decides, in units of how much the sentences' own cosines differ: so it
needs no measurement of the embedder.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Self

import numpy as np
import numpy.typing as npt

from ..calibration import Calibration
from ..language.detect import FALLBACK, UNKNOWN
from ..model.ports import Embedder
from ..model.types import Vector, Vectors
from .baseline import SimilarityBaseline, Themes
from .example_vectors import ExampleVectors
from .examples import (
    ABOUT,
    CHANGES,
    CHAT,
    CONSTRAINTS,
    DISPUTES,
    FACTS,
    FIT,
    IMPERSONAL,
    MATERIAL,
    ORDINARY,
    OWN,
    PERSONAL_ORDERS,
    PRIVATE,
    PUBLIC,
    QUESTIONS,
    REMARKS,
    REQUESTS,
    THEMES,
    TOOL_ORDERS,
    UNDISPUTED,
    UNFIT,
    WANTS,
    WISHES,
)

LEAST_WORTH = 0.6
"""Of a language's cosines (`Calibration.worth`), for its texts to be compared with English ones."""
ASKED = 0.01
"""How much nearer (`nearness`) a request must be to those of a person than to impersonal ones."""
PERSONAL = 0.02
"""How much nearer a message must be to a person's requests or questions than to impersonal ones
to depend on who asks."""
ANYBODYS = -0.06
"""The same, up to which a message is for everybody although it speaks of the user ("How do I say
thank you in Dutch?"). Of 630 own questions that do, 2 are below, of 63 impersonal requests 34."""
REQUESTED = 0.01
"""How much further from requests than from questions about somebody's own things one may be that
their constraints bear on."""
PAST = 0.02
"""The same of a message to questions about what was once true and to all others."""
ALL = 0.12
"""The same of a message to questions for all that is known: of 1,377 other questions in fifteen
languages, one in a thousand is as near."""
STANDING = 0.03
"""The same of a statement to constraints and to other statements."""
UNFIT_MORE = 0.03
"""How much nearer a wish must be to what none may ask for than to other wishes (cosines on the
scale of USE). On our own rows, honest ones are below, but for three of a
hundred."""
INSTRUCTS, LASTING_INSTRUCTS = 0.13, 0.05
"""The same of what tells the assistant what to do, good or bad, and all else; and of a text that
says "always". Of 2,741 other texts of `benchmarks/unseen/rows` one is above the first."""
ORDERS = 0.15
"""The same of a text that speaks of nobody to requests and instructions, and to statements."""
CHATS = 0.2
"""The same of one to small talk, and to statements."""
AMONG = -0.1
"""The same of a wish with its surroundings to texts that somebody pastes and to what people say
beside wishes. Remarks on answers are at most -0.16, texts with a wish in them at least -0.07."""
DISPUTED, DISPUTED_ORDER = 0.088, 0.1
"""The same of a text to what people say of a wish that is none of theirs, and to wishes; and of one
that begins as an order."""
PRIVATELY, PRIVATE_LIKE = 0.04, 0.2
"""The same of a statement to private ones and to all others, and its least cosine to one of them.
Of 39 private facts of five persons, 37 are told by it, of 91 others 12, of other people's chats
one in fifty."""
_SHARPNESS = 20.0
"""How much the nearest sentences count more than others: at 10, AUC on requests, constraints and
wishes in other languages than English is .995 .977 .992, at 20 .998 .984 .991, and with the nearest
alone .996 .978 .978."""
_DIFFER = 0.095
"""The standard deviation of USE's cosines of constraints and other statements: these margins are on
its scale, on which MiniLM has 0.084."""
LIKE = 0.25
"""Least likeness of a statement to one of its trait, if it constrains nothing (cosine)."""
LIKE_REQUEST = 0.4
"""Least likeness of what only tells to a request, for the constraints of its topic (cosine)."""
BESIDE = 0.08
"""Sentences that are nearly as near as the best count too (cosines)."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """The meaning of a statement, as likeness to examples."""

    trait: str = ""
    """What it tells of the user; "" if nothing that stands in a profile."""
    bears_on: frozenset[str] = frozenset()
    """The topics of requests that it bears on; empty if it constrains nothing."""
    wished: float = -1.0
    """How much nearer it is to wishes about answers than to all else."""
    private: bool = False
    """Whether it is about health, money, fear or trouble in the family."""
    ordinary: float = 1.0
    """How much nearer it is to what is told near to wishes and is none than to wishes."""
    unfit: float = 1.0
    """How much nearer it is to what no wish may ask for than to other wishes; of what is not
    embedded yet nobody knows, so it is no wish."""
    instructs: float = -1.0
    """How much nearer it is to instructions for the assistant, good or bad, than to all else."""
    material: float = 1.0
    """How much nearer it is to texts that somebody pastes than to what people say of answers."""


@dataclass(frozen=True, slots=True)
class MessageMeaning:
    """The meaning of a message."""

    topics: frozenset[str] = frozenset()
    """What it is about, if it asks for something that somebody's constraints may bear on."""
    sure_topics: frozenset[str] = frozenset()
    """Those of requests that it is like itself, even if it asks for nothing: "I'm hungry."."""
    personal: bool = False
    """Whether the answer depends on who asks."""
    past: bool = False
    """Whether it asks what changed, or what was so before."""
    depends: float = 0.0
    """How much nearer it is to what somebody asks about themselves than to what is the same whoever
    asks (cosines on the scale of USE)."""
    about_user: bool = False
    """Whether it asks for all that is known about the user."""
    anybodys: bool = False
    """Whether the answer is the same for everybody, even if the message speaks of the user."""
    ordered: float = -1.0
    """How much nearer it is to what a tool does or tells, with everything stated, than to what is
    done knowing who asks."""


@dataclass(frozen=True)
class Kinds:
    """The vectors of sentences of several kinds, one below the other."""

    vectors: Vectors
    edges: tuple[int, ...]

    @classmethod
    def of(cls, *kinds: Vectors) -> Self:
        """The kinds in this order."""
        return cls(np.concatenate(kinds), (0, *accumulate(map(len, kinds))))

    def cosines(self, own: Vector) -> list[Vector]:
        """Those of a text to the sentences of each kind."""
        # Not a matrix product: BLAS would start threads for it.
        near = np.vecdot(self.vectors, own)
        return [near[first:last] for first, last in pairwise(self.edges)]

    def near(self, cosines: Vector) -> list[float]:
        """`nearness` to the sentences of each kind, of the cosines to all of them."""
        weights = np.exp(_SHARPNESS * cosines)
        sums = [np.add.reduce(weights[first:last]) for first, last in pairwise(self.edges)]
        means = np.array(sums, np.float64) / self.sizes
        found: list[float] = (np.log(means.astype(np.float32)) / _SHARPNESS).tolist()
        return found

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """How many sentences each kind has."""
        return np.array([last - first for first, last in pairwise(self.edges)])


@dataclass(frozen=True, slots=True)
class Prototypes:
    """The sentences by meaning."""

    part: slice
    """The numbers of a vector that are compared."""
    unit: float
    """How much an embedder's cosines differ, in those of USE."""
    languages: frozenset[str]
    requests: Kinds
    """Those of a person, impersonal ones, questions of a person about their own things, about what
    was once so, and about all that is known."""
    whose: Kinds
    """Questions about people and places that everybody may know, the same about one's own, what a
    tool does, and what is said like that and depends on who asks."""
    topics: tuple[str, ...]
    """Of each request of a person."""
    statements: Kinds
    """Constraints, other statements, what is wanted of the world, wishes about answers, what is
    private, and what is told near to wishes."""
    bearing: tuple[tuple[str, frozenset[str]], ...]
    """The trait of each constraint, and what it bears on."""
    traits: tuple[str, ...]
    """Of each other statement."""
    asked_of_answers: Kinds
    """What no wish may ask for, other wishes, texts that somebody pastes, and what people say
    beside a wish."""
    disputes: Kinds
    """What people say of a wish that is none of theirs, and wishes."""
    background: SimilarityBaseline
    """What is usual for a question, and for a statement."""
    mark: str = ""
    """Names all that traits are told by (`index.facts.mark_of`)."""

    @classmethod
    async def of(cls, embedder: Embedder, calibration: Calibration) -> Self:
        """Of about 1,200 short texts, which USE need not embed. Raises EmbeddingError."""
        asked = [(topic, text) for topic, texts in REQUESTS.items() for text in texts]
        firm = [(trait, *each) for trait, told in CONSTRAINTS.items() for each in told.items()]
        facts = [(trait, text) for trait, texts in FACTS.items() for text in texts]
        facts += [("", text) for text in CHAT]
        vectors = ExampleVectors(embedder)
        own = await vectors.of([text for _, text in asked])
        constraints = await vectors.of([text for _, text, _ in firm])
        others = await vectors.of([text for _, text in facts])
        wishes = await vectors.of(WISHES)
        asked_of = await vectors.of([*QUESTIONS, *IMPERSONAL, *CHANGES])
        private = await vectors.of(PRIVATE)
        unit = float((constraints @ others.T).std()) / _DIFFER
        statements = np.concatenate([others, constraints, private])
        questions = np.concatenate([asked_of, own])
        return cls(
            vectors.part,
            unit,
            languages_known(calibration),
            await _requests(vectors, own),
            Kinds.of(*[await vectors.of(kind) for kind in _WHOSE]),
            tuple(topic for topic, _ in asked),
            Kinds.of(
                constraints,
                others,
                await vectors.of(WANTS),
                wishes,
                private,
                await vectors.of(ORDINARY),
            ),
            tuple((trait, frozenset(topics.split())) for trait, _, topics in firm),
            tuple(trait for trait, _ in facts),
            await _asked_of_answers(vectors, wishes),
            await _disputes(vectors, wishes),
            SimilarityBaseline(vectors.part, statements, questions, await _themes(vectors, unit)),
        )

    def asked(self, vector: Vector) -> MessageMeaning:
        """Whether a message depends on who asks, and the topics of a request."""
        text = self.own(vector)
        cosines = np.vecdot(self.requests.vectors, text)
        request, anybodys, question, changed, about = self.requests.near(cosines)
        public, same, tool, alike = self.whose.near(np.vecdot(self.whose.vectors, text))
        nearest = max(request, question, anybodys)
        past, all_ = changed - nearest, about - max(nearest, changed)
        topics = sure = frozenset[str]()
        if request >= anybodys + ASKED and request >= question - REQUESTED:
            own = cosines[: self.requests.edges[1]]
            beside = _beside(own)
            topics = frozenset([self.topics[at] for at in beside])
            sure = frozenset([self.topics[at] for at in beside if own[at] >= LIKE_REQUEST])
        depends = max(request, question) - anybodys
        own_more = max(request, question, same) - max(anybodys, public)
        return MessageMeaning(
            topics,
            sure,
            own_more >= PERSONAL or all_ >= ALL,
            past >= PAST,
            depends,
            all_ >= ALL,
            anybodys=own_more <= ANYBODYS,
            ordered=tool - max(request, question, anybodys, changed, about, same, alike),
        )

    def tells(self, vector: Vector) -> bool:
        """Whether a message is nearer to statements than to all that asks."""
        own = self.own(vector)
        firm, other, _, _, private, _ = map(nearness, self.statements.cosines(own))
        return max(firm, other, private) >= max(map(nearness, self.requests.cosines(own)))

    def told(self, vector: Vector) -> Likeness:
        """What a statement means; nothing if it is not embedded yet. About 50 microseconds."""
        own = self.own(vector)
        if not own.any():
            return Likeness()
        firm, other, wants, wishes, private, ordinary = self.statements.cosines(own)
        open_ = nearness(np.concatenate([other, wants, wishes]))
        hidden = nearness(private) >= open_ + PRIVATELY and float(private.max()) >= PRIVATE_LIKE
        wish = nearness(wishes)
        wished = wish - nearness(np.concatenate([firm, other, wants]))
        unfit, fit, material, remarks = map(nearness, self.asked_of_answers.cosines(own))
        spoken = max(unfit, fit, remarks)
        instructs = max(unfit, fit) - nearness(np.concatenate([firm, other, wants]))
        if nearness(firm) < nearness(other) + STANDING:
            at = int(other.argmax())
            trait = self.traits[at] if other[at] >= LIKE else ""
            bears_on = frozenset[str]()
        else:
            bears_on = frozenset[str]().union(*(self.bearing[at][1] for at in _beside(firm)))
            trait = self.bearing[int(firm.argmax())][0]
        return Likeness(
            trait,
            bears_on,
            wished,
            private=hidden,
            ordinary=nearness(ordinary) - wish,
            unfit=unfit - fit,
            instructs=instructs,
            material=material - spoken,
        )

    def lead(self, vector: Vector) -> float:
        """How much nearer a text is to instructions for the assistant than to requests."""
        own = self.own(vector)
        unfit, fit, *_ = map(nearness, self.asked_of_answers.cosines(own))
        return max(unfit, fit) - max(map(nearness, self.requests.cosines(own)))

    def tells_nothing(self, vector: Vector) -> bool:
        """Whether a text that names nobody asks, orders or is small talk, by its meaning."""
        own = self.own(vector)
        if not own.any():
            return False
        unfit, fit, *_ = map(nearness, self.asked_of_answers.cosines(own))
        firm, other, _, _, private, _ = self.statements.cosines(own)
        asked = max(unfit, fit, *map(nearness, self.requests.cosines(own)))
        told, chat = np.concatenate([firm, other[: -len(CHAT)], private]), other[-len(CHAT) :]
        least = max(map(nearness, (firm, other, private)))
        return asked - least >= ORDERS or nearness(chat) - nearness(told) >= CHATS

    def is_disputed(self, vector: Vector, *, ordered: bool = False) -> bool:
        """Whether a text says of a wish that it is none of the user's.

        `ordered`: it begins as an order does.
        """
        disputes, wishes = map(nearness, self.disputes.cosines(self.own(vector)))
        return disputes - wishes >= (DISPUTED_ORDER if ordered else DISPUTED)

    def cosine(self, one: Vector, other: Vector) -> float:
        """Of two texts, on the scale of USE."""
        return float(np.vecdot(self.own(one), self.own(other))) * self.unit

    def own(self, vector: Vector) -> Vector:
        """What is compared of a vector, so that products are cosines on the scale of USE."""
        part = vector[self.part]
        length = float(np.linalg.norm(part)) * self.unit
        own: Vector = part / np.float32(length or 1.0)
        return own


_WHOSE = (PUBLIC, OWN, TOOL_ORDERS, PERSONAL_ORDERS)


async def _requests(vectors: ExampleVectors, own: Vectors) -> Kinds:
    others = [await vectors.of(texts) for texts in (IMPERSONAL, QUESTIONS, CHANGES, ABOUT)]
    return Kinds.of(own, *others)


async def _asked_of_answers(vectors: ExampleVectors, wishes: Vectors) -> Kinds:
    return Kinds.of(
        await vectors.of(UNFIT),
        np.concatenate([await vectors.of(FIT), wishes]),
        await vectors.of(MATERIAL),
        await vectors.of(REMARKS),
    )


async def _disputes(vectors: ExampleVectors, wishes: Vectors) -> Kinds:
    own = await vectors.of([*FIT, *UNDISPUTED])
    return Kinds.of(await vectors.of(DISPUTES), np.concatenate([own, wishes]))


async def _themes(vectors: ExampleVectors, unit: float) -> Themes:
    themes = {
        theme: (await vectors.of(texts["asked"]), await vectors.of(texts["told"]))
        for theme, texts in THEMES.items()
    }
    return Themes.of(themes, unit)


def nearness(cosines: Vector) -> float:
    """The cosine to the nearest sentences, of which the nearest count most."""
    return float(np.log(np.exp(_SHARPNESS * cosines).mean()) / _SHARPNESS)


def _beside(cosines: Vector) -> list[int]:
    """The nearest sentence, and those that are nearly as near."""
    found: list[int] = np.flatnonzero(cosines >= cosines.max() - BESIDE).tolist()
    return found


def languages_known(calibration: Calibration) -> frozenset[str]:
    """Short English texts are of an unknown language."""
    known = (code for code, worth in calibration.languages.items() if worth >= LEAST_WORTH)
    return frozenset({FALLBACK, UNKNOWN, *known})
