"""The weighed signs of a candidate and its origin, as names and amounts."""

from __future__ import annotations

import regex

from .cues import LINK, cues, starts_with
from .origin import Origin
from .text import normalise, spaced
from .voice import Voice

SIGNS_PER_CUE = ("is", "about", "orders", "self", "other", "foreign")
"""Where a cue occurs. In the candidate: anywhere, in a statement about the user, in other text. In
the user's sentences behind it: with the first person, without it. In sentences of others."""

_FIRST = regex.compile(r"(\p{Lu}\p{Ll}{2,20})(?:'s)?\s")


def signs(voice: Voice, origin: Origin) -> dict[str, float]:
    """The signs of a candidate and of its origin; shares are 0 to 1, all others 1 or absent."""
    speaker = "self" if "me" in origin.own_cues else "other"
    manner = "about" if voice.described else "orders"
    found = {f"{kind} {cue}": 1.0 for cue in voice.cues for kind in ("is", manner)}
    found.update({f"{speaker} {cue}": 1.0 for cue in origin.own_cues})
    found.update({f"foreign {cue}": 1.0 for cue in origin.foreign_cues})
    found.update(
        described=float(voice.described),
        link=float(LINK.search(voice.text) is not None),
        own=origin.own,
        foreign=origin.foreign,
        hostile=origin.hostile,
        later=origin.later,
        ordered=float(origin.ordered),
        is_foreign=float(origin.is_foreign),
        silent=float(not origin.own_text),
        named=float(_named(voice, origin.own_text)),
        verbatim=float(normalise(voice.text) == normalise(origin.own_text)),
    )
    found["assistant first"] = float(starts_with(_undetermined(voice.text), "assistant") > 0)
    return found


def _named(voice: Voice, said: str) -> bool:
    """Whether it begins with a name: a word that the user never writes in lower case."""
    found = _FIRST.match(voice.text)
    if not found or cues(found[1]):
        return False
    return not regex.search(rf"\b{regex.escape(found[1].lower())}\b", said)


def _undetermined(text: str) -> str:
    words = spaced(normalise(text))
    return words.removeprefix(" the") if words.startswith(" the ") else words
