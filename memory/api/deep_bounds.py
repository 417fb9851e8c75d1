"""How much a `deep_recall` may take. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from typing_extensions import TypedDict

from ..model.errors import InvalidInputError
from ..model.inputs import DEFAULT_ITERATIONS, MAX_ITERATIONS
from ..model.quantities import number_of, whole_of
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
    """The same bounds, checked."""

    iterations: int
    tokens: int
    seconds: float


def bounds_of(
    max_iterations: object = None,
    rounds: object = None,
    tokens: object = TOKENS,
    seconds: object = SECONDS,
) -> SearchBounds:
    """The bounds of a call. Raises InvalidInputError, which names the one that is wrong."""
    if max_iterations is not None and rounds is not None and max_iterations != rounds:
        raise InvalidInputError("rounds", "is the old name of max_iterations: give one of them")
    iterations = DEFAULT_ITERATIONS
    for name, value in (("max_iterations", max_iterations), ("rounds", rounds)):
        if value is not None:
            iterations = _iterations(name, value)
    checked_tokens = whole_of(tokens, 1, MOST_TOKENS)
    if checked_tokens is None:
        raise InvalidInputError("tokens", f"expected a whole number from 1 to {MOST_TOKENS}")
    limit = number_of(seconds)
    if limit is None or not 0 < limit <= MOST_SECONDS:
        raise InvalidInputError("seconds", f"expected a number up to {MOST_SECONDS:g}")
    return SearchBounds(iterations, checked_tokens, float(limit))


def _iterations(name: str, value: object) -> int:
    checked = whole_of(value, 1, MAX_ITERATIONS)
    if checked is None:
        raise InvalidInputError(name, f"expected a whole number from 1 to {MAX_ITERATIONS}")
    return checked
