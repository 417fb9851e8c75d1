"""Weighs the signs of a claim, and says which kinds of suspicion they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from .values import SuspicionKind as Kind
from .weights import BIAS, WEIGHTS

_BY_CUE = {
    Kind.INSTRUCTION: "rules override assistant instruction",
    Kind.EXFILTRATION: "send data everything exfiltration",
    Kind.SECRECY: "hide tell asked secrecy",
    Kind.FALSE_AUTHORITY: "authority grant false_authority",
    Kind.UNSAFE_ACTION: "unconfirmed guard regardless",
}
_BY_SIGN = {
    Kind.INSTRUCTION: ("always you",),
    Kind.TOOL_BORNE: ("borne", "unsupported"),
    Kind.STEERING: ("destination",),
    Kind.EXFILTRATION: ("image",),
    Kind.UNSAFE_ACTION: ("command",),
}
_DETAILS = {
    Kind.INSTRUCTION: "sets the assistant's rules",
    Kind.EXFILTRATION: "gives data away",
    Kind.SECRECY: "keeps something from somebody",
    Kind.FALSE_AUTHORITY: "claims a permission",
    Kind.UNSAFE_ACTION: "acts without a check",
    Kind.STEERING: "leads to somebody's address or offer",
    Kind.TOOL_BORNE: "in words that are not the user's",
}
_LEAST = 0.5
"""Log odds that signs of a kind add before it is named."""
_SHARE = 0.5
"""Of the kind with most; others with at least this much are named too."""


_KINDS = {cue: kind for kind, cues in _BY_CUE.items() for cue in cues.split()}
_KIND_OF_SIGN = {sign: kind for kind, signs in _BY_SIGN.items() for sign in signs}


def odds(found: Mapping[str, float]) -> float:
    """The log odds that a claim with these signs is planted.

    They assume as many planted as honest candidates, unlike the input of a real store.
    """
    return BIAS + sum(WEIGHTS.get(name, 0.0) * amount for name, amount in found.items())


def named(found: Mapping[str, float]) -> list[tuple[Kind, str]]:
    """The kinds that weigh most, each with its sign in a few words; at least one."""
    weights: dict[Kind, float] = defaultdict(float)
    for name, amount in found.items():
        kind = kind_of(name)
        if kind is not Kind.DOUBTFUL:
            weights[kind] += max(0.0, WEIGHTS.get(name, 0.0) * amount)
    most = max(weights.values(), default=0.0)
    least = max(_LEAST, _SHARE * most)
    kinds = [kind for kind in Kind if weights.get(kind, 0.0) >= least] or [Kind.INSTRUCTION]
    return [(kind, _DETAILS[kind]) for kind in kinds]


def kind_of(sign: str) -> Kind:
    """The kind that a sign speaks for."""
    return _KIND_OF_SIGN.get(sign) or _KINDS.get(sign.rpartition(" ")[2], Kind.DOUBTFUL)
