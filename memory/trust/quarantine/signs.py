"""The weighed signs of a claim and of its origin, and the kinds of suspicion that they are.

Shares are 0 to 1; all other signs are 1, or absent. Whom a claim is about is no sign.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from math import fsum
from typing import NamedTuple

import regex

from .conversation import Origin
from .payloads import in_format
from .utterances import Claim, Form
from .values import SuspicionKind as Kind
from .weights import BIAS, TABLE


class SignPlace(StrEnum):
    """The place of a sign."""

    SAYS = "says"
    """A cue in a sentence that was learned."""
    GIVEN = "given"
    """A cue in a sentence that somebody gave as it is: there is no origin to trace."""
    TOLD = "told"
    """A cue in what the user says near the evidence."""
    ALWAYS = "always"
    """A cue beside "always"."""
    SEEN = "seen"
    """No single cue: what a sentence has, or where its words are from."""
    SEEN_GIVEN = "seen_given"
    """The same in a sentence that somebody gave: honest ones name addresses and quote."""


class Sign(NamedTuple):
    """A cue or something else that is seen, with its place."""

    place: SignPlace
    name: str

    def __str__(self) -> str:
        places = {SignPlace.SEEN: "", SignPlace.SEEN_GIVEN: "given, "}
        return places.get(self.place, f"{self.place} ") + self.name


GIVEN = Sign(SignPlace.SEEN, "given")
"""Somebody gave the sentence as it is."""
ORDERED = Sign(SignPlace.SEEN, "ordered")
"""A fact that was learned begins as an order does."""
BORNE = Sign(SignPlace.SEEN, "borne")
"""The share of its words that others say, beyond the user's own share."""
UNSUPPORTED = Sign(SignPlace.SEEN, "unsupported")
"""The user says hardly any of its words, and others speak in the conversation."""
QUOTES = "quotes"
HARMS = {
    Kind.INSTRUCTION: ({"override", "rules"},),
    Kind.EXFILTRATION: ({"send", "data"},),
    Kind.SECRECY: ({"hide", "tell"}, {"hide", "user"}),
    Kind.FALSE_AUTHORITY: ({"authority", "grant"},),
}
"""Cues that mean more together than each alone."""
_UNCOUNTED = frozenset({"process", "user"})
"""Cues that only tell whose words others are."""
_QUOTE = regex.compile(r"[\"“”„«»「」『』]|(?<!\w)['‘’](?=\w)")  # noqa: RUF001 - of all scripts
_APART = frozenset({QUOTES, "destination", *HARMS})
"""What says more or less in a text that somebody gave as it is."""
_ALWAYS = frozenset({"assistant", "you", "send", "hide"})
_PERSONS = frozenset({"me", "you"})
"""Cues that count only in the sentence with the evidence."""
_SMALL = 0.2
"""A claim with less than this share in the user's own words is not supported by them."""
_KINDS = {
    Kind.INSTRUCTION: "rules override assistant instruction",
    Kind.EXFILTRATION: "send data everything exfiltration image",
    Kind.SECRECY: "hide tell asked secrecy",
    Kind.FALSE_AUTHORITY: "authority grant false_authority",
    Kind.UNSAFE_ACTION: "unconfirmed guard regardless command",
    Kind.TOOL_BORNE: "borne unsupported",
    Kind.STEERING: "destination",
}
"""What the names of signs speak for, wherever they stand."""
_KIND_OF_NAME = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_DETAILS = {
    Kind.INSTRUCTION: "sets the assistant's rules",
    Kind.EXFILTRATION: "gives data away",
    Kind.SECRECY: "keeps something from somebody",
    Kind.FALSE_AUTHORITY: "claims a permission",
    Kind.UNSAFE_ACTION: "acts without a check",
    Kind.STEERING: "leads to somebody's address or offer",
    Kind.TOOL_BORNE: "in words that are not the user's",
    Kind.DOUBTFUL: "told as somebody else would tell it",
}
_LEAST = 0.5
"""Log odds that signs of a kind add before it is named."""
_SHARE = 0.5
"""Of the kind with most; others with at least this much are named too."""


def _weights() -> dict[Sign, float]:
    (_, *places), *rows = map(str.split, TABLE.strip().splitlines())
    return {
        Sign(SignPlace(place), name): float(weight)
        for name, *row in rows
        for place, weight in zip(places, row, strict=True)
        if weight != "."
    }


WEIGHTS = _weights()
"""A sign that is not here counts nothing."""


def signs_of(claim: Claim, origin: Origin | None) -> dict[Sign, float]:
    """The signs of a claim; `origin` is None for a text that somebody gave as it is."""
    seen = frozenset(_seen(claim))
    found = [Sign(SignPlace.SEEN, name) for name in seen]
    found += [
        Sign(SignPlace.ALWAYS, cue) for cue in _ALWAYS & claim.cues if "standing" in claim.cues
    ]
    cues = claim.cues - _UNCOUNTED
    if origin is None:
        found += [GIVEN, *(Sign(SignPlace.GIVEN, cue) for cue in cues)]
        found += [Sign(SignPlace.SEEN_GIVEN, name) for name in seen & _APART]
        return dict.fromkeys(found, 1.0)
    found += [Sign(SignPlace.SAYS, cue) for cue in cues]
    found += [Sign(SignPlace.TOLD, cue) for cue in _told(origin)]
    found += [ORDERED] if claim.form is Form.ORDER else []
    found += [UNSUPPORTED] if origin.has_foreign and origin.own < _SMALL else []
    return dict.fromkeys(found, 1.0) | {BORNE: max(0.0, origin.foreign - origin.own)}


def _seen(claim: Claim) -> Iterator[str]:
    """What a claim has besides single cues, and where it leads."""
    if _QUOTE.search(claim.spoken.text):
        yield QUOTES
    cues = claim.cues - _UNCOUNTED
    yield from (harm for harm, sets in HARMS.items() if any(map(cues.issuperset, sets)))
    yield from in_format(claim.spoken.text)


def _told(origin: Origin) -> Iterable[str]:
    """The cues around the evidence."""
    near = origin.evidence.cues if origin.evidence else frozenset()
    told = {cue for passage in origin.said for cue in passage.spoken.cues - _PERSONS}
    return (told | (near & _PERSONS)) - {"process"}


def odds(found: Mapping[Sign, float]) -> float:
    """The log odds that a claim with these signs is planted.

    They assume as many planted as honest candidates, unlike the input of a real store.
    """
    weighed = (WEIGHTS.get(sign, 0.0) * amount for sign, amount in found.items())
    return fsum((BIAS, *weighed))  # exact: signs are in no order


def named(found: Mapping[Sign, float]) -> list[tuple[Kind, str]]:
    """The kinds that weigh most, each in a few words; at least one."""
    weights: dict[Kind, float] = defaultdict(float)
    for sign, amount in found.items():
        if (kind := kind_of(sign)) is not Kind.DOUBTFUL:
            weights[kind] += max(0.0, WEIGHTS.get(sign, 0.0) * amount)
    least = max(_LEAST, _SHARE * max(weights.values(), default=0.0))
    # Without any, only how it is said speaks for it: of the user as of somebody else.
    kinds = [kind for kind in Kind if weights.get(kind, 0.0) >= least] or [Kind.DOUBTFUL]
    return [(kind, _DETAILS[kind]) for kind in kinds]


def kind_of(sign: Sign) -> Kind:
    """The kind that a sign speaks for."""
    if sign == (SignPlace.ALWAYS, "you"):
        return Kind.INSTRUCTION
    return _KIND_OF_NAME.get(sign.name, Kind.DOUBTFUL)
