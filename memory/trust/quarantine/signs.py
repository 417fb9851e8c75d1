"""What is weighed: the signs a candidate and the words behind it show, as names and amounts."""

from __future__ import annotations

import regex

from .cues import LINK, cues, starts_with
from .origin import Origin
from .text import normalise, spaced
from .voice import Voice

SIGNS_PER_CUE = ("is", "about", "orders", "self", "other", "foreign")
"""In the candidate: at all, in a statement about the user, otherwise; in the user's sentences
behind it: with a first person, without; in the sentences of others behind it."""

_FIRST = regex.compile(r"(\p{Lu}\p{Ll}{2,20})(?:'s)?\s")


def signs(voice: Voice, origin: Origin) -> dict[str, float]:
    """The signs of a candidate and of its origin; shares are 0 to 1, all others 1 or absent."""
    speaker = "self" if "self_" in origin.own_cues else "other"
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
    """Whether it begins with somebody's name: a word that is never written small."""
    found = _FIRST.match(voice.text)
    if not found or cues(found[1]):
        return False
    return not regex.search(rf"\b{regex.escape(found[1].lower())}\b", said)


def _undetermined(text: str) -> str:
    words = spaced(normalise(text))
    return words.removeprefix(" the") if words.startswith(" the ") else words
