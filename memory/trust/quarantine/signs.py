"""The weighed signs of a candidate and its origin, as names and amounts."""

from __future__ import annotations

import regex

from .formats import LINK
from .origin import Origin
from .voice import Voice

SIGNS_PER_CUE = ("orders", "self", "other")
"""Where a cue occurs: in a candidate that is no statement about the user, in what a user says who
speaks in the first person, and in what another user says."""


def signs(voice: Voice, origin: Origin) -> dict[str, float]:
    """The signs of a candidate and of its origin; shares are 0 to 1, all others 1 or absent."""
    speaker = "self" if "me" in origin.own_cues else "other"
    found = {f"{speaker} {cue}": 1.0 for cue in origin.own_cues}
    if not voice.described:
        found.update({f"orders {cue}": 1.0 for cue in voice.cues})
    return found | {
        "described": float(voice.described),
        "link": float(LINK.search(voice.spoken.text) is not None),
        "foreign": origin.foreign,
        "ordered": float(origin.ordered),
        "is_foreign": float(origin.is_foreign),
        "named": float(_named(voice, origin)),
        "verbatim": float(_verbatim(voice, origin)),
    }


def _named(voice: Voice, origin: Origin) -> bool:
    """Whether it begins with a name: a word that the user never writes in lower case."""
    if not voice.name:
        return False
    name = regex.escape(voice.name.lower())
    return not any(regex.search(rf"\b{name}\b", said.text) for said in origin.said)


def _verbatim(voice: Voice, origin: Origin) -> bool:
    return voice.spoken.words == tuple(word for said in origin.said for word in said.words)
