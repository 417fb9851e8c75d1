"""The weighed signs of a claim and of its origin, as names and amounts.

The name of a sign is the group and a cue ("told remember"), or stands alone. Shares are 0 to 1; all
others are 1, or absent. Whom a claim is about is no sign.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

from .claim import Claim, Form
from .formats import in_format
from .origin import Origin

GIVEN = "given"
"""The text is what somebody said, not what a model made of it: there is no origin to trace."""
ORDERED = "ordered"
"""A fact that was learned begins as an order does."""
GROUPS = ("says", "given", "told", "always")
"""Groups of signs that are named after a cue: of a sentence that was learned, of one that was
given, of what the user says near the evidence, and beside "always"."""
SINGLE = (
    GIVEN, ORDERED, "quotes", "destination", "command", "image", "borne", "unsupported",
)  # fmt: skip
"""All other signs, but for the harms."""
HARMS = {
    "harm instruction": (("override", "rules"),),
    "harm exfiltration": (("send", "data"),),
    "harm secrecy": (("hide", "tell"), ("hide", "user")),
    "harm false_authority": (("authority", "grant"),),
}
"""Signs of cues that mean more together than each alone."""
_UNCOUNTED = frozenset({"process", "user"})
"""Cues that only tell whose words others are."""
_QUOTE = regex.compile(r"[\"“”„«»「」『』]|(?<!\w)['‘’](?=\w)")  # noqa: RUF001 - of all scripts
_APART = frozenset({"quotes", "destination", *HARMS})
"""Signs that say more or less of a text that somebody gave as it is."""
_ALWAYS = frozenset({"assistant", "you", "send", "hide"})
_PERSONS = frozenset({"me", "you"})
"""Cues that count only in the sentence with the evidence."""
_SMALL = 0.2
"""A claim with less than this share in the user's own words is not supported by them."""


def signs(claim: Claim, origin: Origin | None) -> dict[str, float]:
    """The signs of a claim; `origin` is None for a text that somebody gave as it is."""
    found = dict.fromkeys(_content(claim, "says" if origin else GIVEN), 1.0)
    if origin is None:
        # Honest texts name addresses and quote; a fact about a user hardly does.
        alone = {f"{GIVEN}, {name}": 1.0 for name in found if name in _APART}
        return found | alone | {GIVEN: 1.0}
    found |= {ORDERED: float(claim.form is Form.ORDER)}
    found |= {"borne": max(0.0, origin.foreign - origin.own)}
    return found | dict.fromkeys(_told(origin), 1.0)


def _content(claim: Claim, group: str) -> Iterable[str]:
    """What a claim says, and where it leads."""
    cues, text = claim.cues - _UNCOUNTED, claim.spoken.text
    yield from (f"{group} {cue}" for cue in cues)
    if "standing" in cues:
        yield from (f"always {cue}" for cue in cues & _ALWAYS)
    if _QUOTE.search(text):
        yield "quotes"
    yield from (harm for harm, sets in HARMS.items() if any(map(cues.issuperset, sets)))
    yield from in_format(text)


def _told(origin: Origin) -> Iterable[str]:
    """What stands around the evidence, and whose words it is."""
    if origin.has_foreign and origin.own < _SMALL:
        yield "unsupported"
    near = origin.evidence.cues if origin.evidence else frozenset()
    told = {cue for passage in origin.said for cue in passage.spoken.cues - _PERSONS}
    yield from (f"told {cue}" for cue in (told | (near & _PERSONS)) - {"process"})
