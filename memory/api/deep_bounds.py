"""How much a `deep_recall` may take. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from typing_extensions import TypedDict

from ..model.errors import InvalidInputError
from ..model.inputs import DEFAULT_ITERATIONS, MAX_ITERATIONS
from ..operations.common import most_of
from ..operations.declaring import As, field
from ..operations.scope import ScopeIds

TOKENS, MOST_TOKENS = 12_000, 100_000
SECONDS, MOST_SECONDS = 30.0, 300.0


class DeepBounds(TypedDict, total=False):
    """How much a `deep_recall` may take."""

    max_iterations: Annotated[
        int,
        As(int | None),
        field(
            "Most times that what was found is judged, and more is searched for; "
            f"{DEFAULT_ITERATIONS} if it is not given.",
            high=MAX_ITERATIONS,
        ),
    ]
    rounds: Annotated[
        int,
        As(int | None),
        field("The old name of `max_iterations`.", high=MAX_ITERATIONS),
    ]
    tokens: Annotated[int, most_of(MOST_TOKENS, TOKENS), field("Most tokens of all calls.")]
    seconds: Annotated[
        float, most_of(int(MOST_SECONDS), int(SECONDS)), field("Longest time of all.")
    ]


class ScopedBounds(ScopeIds, DeepBounds, total=False):
    """Whose memories are meant, and how much may be taken."""


@dataclass(frozen=True, slots=True)
class SearchBounds:
    """The same bounds, each with a value."""

    iterations: int
    tokens: int
    seconds: float


def bounds_of(
    max_iterations: int | None = None,
    rounds: int | None = None,
    tokens: int | None = None,
    seconds: float | None = None,
) -> SearchBounds:
    """The bounds of a call. Raises InvalidInputError for two names that differ."""
    if max_iterations is not None and rounds is not None and max_iterations != rounds:
        raise InvalidInputError("rounds", "is the old name of max_iterations: give one of them")
    iterations = max_iterations or rounds or DEFAULT_ITERATIONS
    return SearchBounds(iterations, tokens or TOKENS, float(seconds or SECONDS))
