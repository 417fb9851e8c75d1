"""The weighed signs of a candidate and its origin, as names and amounts."""

from __future__ import annotations

import regex

from .formats import LINK
from .origin import Origin
from .voice import Voice

SIGNS_PER_CUE = ("is", "about", "orders", "self", "other", "foreign")
"""Where a cue occurs. In the candidate: anywhere, in a statement about the user, in other text. In
the user's sentences behind it: with the first person, without it. In sentences of others."""


def signs(voice: Voice, origin: Origin) -> dict[str, float]:
    """The signs of a candidate and of its origin; shares are 0 to 1, all others 1 or absent."""
    speaker = "self" if "me" in origin.own_cues else "other"
    manner = "about" if voice.described else "orders"
    found = {f"{kind} {cue}": 1.0 for cue in voice.cues for kind in ("is", manner)}
    found.update({f"{speaker} {cue}": 1.0 for cue in origin.own_cues})
    found.update({f"foreign {cue}": 1.0 for cue in origin.foreign_cues})
    found.update(
        described=float(voice.described),
        link=float(LINK.search(voice.spoken.text) is not None),
        own=origin.own,
        foreign=origin.foreign,
        hostile=origin.hostile,
        later=origin.later,
        ordered=float(origin.ordered),
        is_foreign=float(origin.is_foreign),
        silent=float(not origin.said),
        named=float(_named(voice, origin)),
        verbatim=float(_verbatim(voice, origin)),
    )
    found["assistant first"] = float(voice.to_assistant)
    return found


def _named(voice: Voice, origin: Origin) -> bool:
    """Whether it begins with a name: a word that the user never writes in lower case."""
    if not voice.name:
        return False
    return not regex.search(rf"\b{regex.escape(voice.name.lower())}\b", origin.own_text)


def _verbatim(voice: Voice, origin: Origin) -> bool:
    return voice.spoken.words == tuple(word for part in origin.said for word in part.words)
