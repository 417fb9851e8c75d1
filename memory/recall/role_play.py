"""Tells by meaning whether a text makes a model and its user play roles: `played.toml`.

As `prototypes`, it compares with English sentences of both kinds, across languages. A persona of an
assistant is no role: whoever talks to a pirate who answers questions is still themselves.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Self

import numpy as np

from ..model.ports import Embedder
from ..model.types import Vector
from .example_vectors import ExampleVectors
from .prototypes import Kinds, nearness

EXAMPLES = tomllib.loads(resources.files(__package__).joinpath("played.toml").read_text("utf-8"))
PLAYS = 0.02
"""How much nearer a text is to scenes and invitations than to personas and talk of games, if roles
are played. Of 154 conversations in fourteen languages that USE knows all plays are above, and all
others below.
"""
ENDS = 0.08
"""How much nearer a message is to the end of a play than to what is said within one."""
_DIFFER = 0.128
"""The standard deviation of USE's cosines of scenes and personas: the margins are on its scale."""


@dataclass(frozen=True, slots=True)
class PlayExamples:
    """The example sentences by meaning."""

    part: slice
    kinds: Kinds
    unit: float
    """How much an embedder's cosines differ, in those of USE."""

    @classmethod
    async def of(cls, embedder: Embedder) -> Self:
        """Of about 100 short texts, which USE need not embed. Raises EmbeddingError."""
        vectors = ExampleVectors(embedder)
        names = ("scenes", "invites", "personas", "talk", "ends", "within")
        kinds = [await vectors.of(EXAMPLES[name]) for name in names]
        unit = float((kinds[0] @ kinds[2].T).std()) / _DIFFER
        return cls(vectors.part, Kinds.of(*kinds), unit)

    def plays(self, vector: Vector) -> bool:
        """Whether a text with this vector begins a play."""
        scenes, invites, personas, talk, *_ = self._near(vector)
        return max(scenes, invites) >= max(personas, talk) + PLAYS

    def ends(self, vector: Vector) -> bool:
        """Whether a message with this vector ends one."""
        scenes, invites, _, _, ends, within = self._near(vector)
        return ends >= max(scenes, invites, within) + ENDS

    def _near(self, vector: Vector) -> list[float]:
        own = vector[self.part]
        own = own / np.float32(float(np.linalg.norm(own)) * self.unit or 1.0)
        return [nearness(one) for one in self.kinds.cosines(own)]
