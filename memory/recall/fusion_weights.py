"""Reads the weights of one search: named values within bounds, over the usual ones. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from typing_extensions import TypedDict

from ..model.errors import InvalidInputError
from ..model.suggestions import nearest
from .constants import MAX_HALF_LIFE, MAX_SHARE, MAX_WEIGHT, TUNING, Tuning
from .score_fusion import shares_of
from .signals import SIGNALS

SHARES = ("recency", "importance", "hearsay", "neighbours")
"""The other values, each from 0 to 1."""
HALF_LIFE = "half_life_days"
_OTHERS = (*SHARES, HALF_LIFE)


class FusionDict(TypedDict, total=False):
    """The weights that a search may set; those that it leaves out stay as they are."""

    weights: Mapping[str, float]
    """By signal: `dense`, `dense_context`, `lexical`, `topic`, `entity`, `date`, `substance`,
    `connected`; 0 to 10, and only how they compare counts."""
    recency: float
    """Share that a score gains for a new memory or loses for an old one."""
    half_life_days: float
    """Age at which recency neither adds nor takes."""
    importance: float
    """The same for importance."""
    hearsay: float
    """Share that a score loses if the user never said it."""
    neighbours: float
    """Weight of the memories beside one in the signals of that one."""


def tuned(fusion: Any, usual: Tuning = TUNING) -> Tuning | None:
    """The constants of a search: the `usual` ones with these values; None if it sets none.

    Raises InvalidInputError, which names the part that is wrong.
    """
    if fusion is None:
        return None
    if not isinstance(fusion, Mapping):
        raise InvalidInputError("fusion", f"expected an object with some of {_NAMES}")
    for name in fusion:
        _known("fusion", name, ("weights", *_OTHERS))
    others: dict[str, Any] = {
        name: _number(f"fusion.{name}", fusion[name], MAX_SHARE)
        for name in SHARES
        if name in fusion
    }
    if HALF_LIFE in fusion:
        others[HALF_LIFE] = _number(
            f"fusion.{HALF_LIFE}", fusion[HALF_LIFE], MAX_HALF_LIFE, least=1
        )
    return replace(usual, weights=_weights(fusion.get("weights", {}), usual.weights), **others)


def fuse_weighted(
    rows: Sequence[Mapping[str, float]], fusion: FusionDict | None = None
) -> list[float]:
    """What each row of signals scores with these weights, 0 to 1: to tune them without a search.

    A row has values from 0 to 1 by the names of the signals, as `explain` tells them of a memory. A
    signal that no row has is none of the query's, and weighs nothing. The score is what a search
    orders by before the age, the importance and the source of a memory change it by a few per cent.
    Raises InvalidInputError, which names what is wrong.
    """
    used = {name for row in rows for name in row}
    for name in sorted(used, key=str):
        _known("rows", name, tuple(TUNING.weights))
    shares = shares_of(used, tuned(fusion) or TUNING)
    return [
        sum(
            float(share) * _number(f"rows[{at}].{name}", row.get(name, 0.0), MAX_SHARE)
            for name, share in zip(SIGNALS, shares, strict=True)
        )
        for at, row in enumerate(rows)
    ]


_NAMES = ", ".join(("weights", *_OTHERS))


def _weights(given: Any, usual: Mapping[str, float]) -> Mapping[str, float]:
    field = "fusion.weights"
    if not isinstance(given, Mapping):
        raise InvalidInputError(
            field, f"expected an object with some of {', '.join(TUNING.weights)}"
        )
    for name in given:
        _known(field, name, tuple(TUNING.weights))
    weights = {
        **usual,
        **{n: _number(f"{field}.{n}", v, MAX_WEIGHT) for n, v in given.items()},
    }
    if not any(weights.values()):
        raise InvalidInputError(field, "expected some weight above 0")
    return MappingProxyType(weights)


def _known(field: str, name: Any, names: tuple[str, ...]) -> None:
    if name in names:
        return
    meant = nearest(name, names) if isinstance(name, str) else None
    hint = f"did you mean {meant!r}?" if meant else f"expected some of {', '.join(names)}"
    raise InvalidInputError(field, f"there is no {str(name)[:60]!r}; {hint}")


def _number(field: str, value: Any, most: float, least: float = 0) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not least <= value <= most:
        raise InvalidInputError(field, f"expected a number from {least:g} to {most:g}")
    return float(value)
