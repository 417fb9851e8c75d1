"""Sentences that show by meaning what words do not list: topics of requests, constraints, wishes.

In English only: MiniLM hardly compares other languages with it. `Prototypes.of` embeds them once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ..calibration import SAFE, Calibration
from ..language.detect import UNKNOWN
from ..ports import Embedder
from ..types import Vector, Vectors

LANGUAGES = frozenset({"en", UNKNOWN})
"""Short English texts are of an unknown language."""
ASKED = 0.41
"""Least likeness of a request to one of its topic, as a share of ceiling - floor above floor. Of
300 impersonal requests 1 % reach it, of 25 requests that a constraint bears on 22."""
STANDING = 0.41
"""The same of a statement to a constraint."""
AHEAD = 0.15
"""How much nearer it must be to a constraint than to any other statement (cosines)."""
BESIDE = 0.08
"""Prototypes that are nearly as near as the best count too (cosines)."""

REQUESTS: Mapping[str, Sequence[str]] = {
    "food": (
        "What should I cook for dinner?", "Suggest a recipe for a cake.",
        "Recommend a restaurant for lunch.", "Ideas for snacks and drinks at a party.",
    ),
    "travel": (
        "Plan a weekend trip for me.", "How do I get from one city to another?",
        "Recommend a hotel for our holiday by the sea.",
        "What sights should we see on our vacation?",
    ),
    "medical": (
        "What can I take for a headache?", "Which medicine helps against a cold?",
        "How can I treat this pain?",
    ),
    "fitness": (
        "Make me a workout plan.", "What exercises should I do at home?",
        "How do I train for a race?",
    ),
    "code": (
        "Write a function that sorts a list.", "Build me a small web app.",
        "Review my code for this script.",
    ),
    "writing": (
        "Write an email to my landlord.", "Draft a cover letter for a job.",
        "Write a short speech for a wedding.",
    ),
    "gifts": ("What should I give her for her birthday?", "Ideas for a wedding present."),
    "home": (
        "How should I decorate my living room?", "Which plants would suit my flat?",
        "How do I clean the carpet?",
    ),
    "pets": ("Which pet should we get?", "What should I feed my dog?"),
    "children": (
        "How can I keep the kids busy on a rainy day?", "Plan a birthday party for my son.",
    ),
    "clothing": (
        "What should I wear to the wedding?", "Which jacket should I buy for winter?",
    ),
    "money": ("Which laptop should I buy?", "How should I invest my savings?"),
}  # fmt: skip
CONSTRAINTS: Mapping[str, str] = {
    "I am allergic to nuts.": "food gifts travel",
    "I can't eat dairy.": "food",
    "I am vegetarian.": "food travel",
    "I never eat pork.": "food",
    "User avoids alcohol.": "food gifts",
    "My daughter has an intolerance.": "food children",
    "I have diabetes.": "food medical fitness",
    "I take blood pressure pills.": "medical food fitness",
    "I can't take that antibiotic.": "medical",
    "I have a lung disease.": "medical fitness travel",
    "I am pregnant.": "food medical fitness travel",
    "My knee hurts when I run.": "fitness medical travel",
    "My back has been bad since the accident.": "fitness home medical",
    "I use a wheelchair.": "travel home fitness",
    "I am afraid of flying.": "travel",
    "I am scared of heights and water.": "travel fitness",
    "I get sick in cars and boats.": "travel",
    "I don't drive and have no car.": "travel money",
    "I get a rash from nickel.": "clothing gifts medical",
    "I can't stand the smell of lavender.": "home gifts",
    "I am allergic to animal hair.": "pets home travel",
    "I always use four spaces.": "code",
    "Our company is stuck on an old version of Java.": "code",
    "Everything must be typed and documented in our projects.": "code",
    "My team wants code comments in Spanish.": "code",
    "I swore off loans and debt.": "money",
    "User only buys fair trade.": "money gifts clothing",
}
STATEMENTS = (
    "My sister lives in Leeds.", "I finished a book last week.", "I work as an accountant.",
    "We met at university.", "The meeting went well.", "My car is blue.",
    "I watched a film yesterday.", "Our anniversary is in June.", "I grew up in a small town.",
    "I am learning the guitar.", "We went to a concert.", "My friend Tom moved house.",
    "We had dinner with friends.", "My dog is called Rex.", "I went for a run this morning.",
)  # fmt: skip
"""Other statements, which constrain nothing."""
WISHES = (
    "User wants answers in Spanish.", "User prefers short replies without emojis.",
    "User wants to be called Captain.", "User wants measurements in metric units.",
    "User doesn't want the assistant to apologise.",
    "User wants code with comments and type annotations.",
    "User asks for sources and steps in every answer.",
    "User wants honest criticism of their ideas.",
)  # fmt: skip
"""What a user wants of answers."""
WANTS = (
    "User wants a new car.", "User prefers tea to coffee.", "User wants to travel to Italy.",
    "User wants to learn to swim.", "User prefers window seats.", "User wants to change jobs.",
    "User likes spicy food.", "User wants to lose weight.", "User wants to sell their flat.",
    "User's son wants to study medicine.", "User wants a dinner reservation.",
    "User prefers trains to planes.",
)  # fmt: skip
"""What a user wants of the world."""


@dataclass(frozen=True, slots=True)
class Prototypes:
    """The sentences by meaning."""

    requests: Vectors
    topics: tuple[str, ...]
    """Of each request."""
    constraints: Vectors
    bearing: tuple[frozenset[str], ...]
    """What each constraint bears on."""
    statements: Vectors
    wishes: Vectors
    wants: Vectors
    least_asked: float
    least_standing: float

    @classmethod
    async def of(cls, embedder: Embedder, calibration: Calibration) -> Self | None:
        """Embed them; None for an embedder of which no cosines are known.

        Raises EmbeddingError.
        """
        if calibration == SAFE:
            return None
        requests = [(topic, text) for topic, texts in REQUESTS.items() for text in texts]
        spread = calibration.ceiling - calibration.floor
        return cls(
            await embedder.embed([text for _, text in requests]),
            tuple(topic for topic, _ in requests),
            await embedder.embed(list(CONSTRAINTS)),
            tuple(frozenset(topics.split()) for topics in CONSTRAINTS.values()),
            await embedder.embed(STATEMENTS),
            await embedder.embed(WISHES),
            await embedder.embed(WANTS),
            calibration.floor + ASKED * spread,
            calibration.floor + STANDING * spread,
        )

    def asked(self, vector: Vector) -> frozenset[str]:
        """The topics of a request."""
        near = self.requests @ vector
        enough = max(self.least_asked, float(near.max()) - BESIDE)
        return frozenset(self.topics[at] for at in np.flatnonzero(near >= enough).tolist())

    def borne_on(self, vector: Vector) -> frozenset[str]:
        """The topics that a statement bears on; empty if it constrains nothing."""
        near = self.constraints @ vector
        best = float(near.max())
        if best < self.least_standing or best < float((self.statements @ vector).max()) + AHEAD:
            return frozenset()
        alike = np.flatnonzero(near >= best - BESIDE).tolist()
        return frozenset().union(*(self.bearing[at] for at in alike))

    def of_answers(self, vector: Vector) -> float:
        """How much nearer what a user wants is to wishes about answers than to others (cosines)."""
        return float((self.wishes @ vector).max()) - float((self.wants @ vector).max())
