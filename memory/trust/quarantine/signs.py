"""The weighed signs of a claim and of its origin, as names and amounts.

The name of a sign is the group and, in most groups, a cue or a harm ("told remember"). Shares are 0
to 1; all others are 1, or absent.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

from .claim import Claim, Form
from .conversation import Speaker, is_addressed
from .formats import has_destination
from .harms import harms
from .origin import Origin

GIVEN = "given"
"""The text is what somebody said, not what a model made of it: there is no origin to trace."""
HARM = "harm"
"""The group of signs that are combinations of cues."""
GROUPS = ("says", "orders", "told", "always", "leads")
"""Groups of signs that are named after a cue: of the sentence, of one without the user, of what
the user says near the evidence, beside "always", and beside a destination."""
SINGLE = (
    GIVEN, "quotes", "always, ordered", "destination", "destination wanted",
    "own", "borne", "foreign", "unsupported", "addressed", "addressed, foreign",
    "told of another", "stranger, too", "stranger, alone",
    f"{HARM}, ordered", f"{HARM}, wished", f"{HARM}, told", f"{HARM}, borne",
)  # fmt: skip
"""All other signs, but for the forms of a sentence and the kinds of harm."""
_QUOTE = regex.compile(r"[\"“”„«»「」『』]|(?<!\w)['‘’](?=\w)")  # noqa: RUF001 - of all scripts
_UNOWNED = frozenset({Form.BARE, Form.NAMED})
"""Forms that say nothing of the user."""
_PERSONS = frozenset({"me", "third", "you"})
"""Cues that count only in the sentence with the evidence."""
_WISHED = frozenset({"wish", "standing"})
_WANTED = frozenset({"wish", "standing", "send", "promote", "condition"})
_LED = frozenset({"send", "promote", "standing", "data", "condition", "everything", "wish"})
_ALWAYS = frozenset({"assistant", "you", "promote", "send", "hide", "anyone"})
_SMALL = 0.2
"""A claim with less than this share in the user's own words is not supported by them."""


def signs(claim: Claim, origin: Origin | None) -> dict[str, float]:
    """The signs of a claim; `origin` is None for a text that somebody gave as it is."""
    found = dict.fromkeys(_content(claim), 1.0)
    if origin is None:
        # Honest texts name addresses and give orders to readers; a fact about a user hardly does.
        alone = {f"{GIVEN}, {name}": 1.0 for name in found if _is_alone(name)}
        return found | alone | {GIVEN: 1.0}
    return found | _shares(origin) | dict.fromkeys(_told(origin), 1.0)


def _is_alone(name: str) -> bool:
    return name in SINGLE or name.startswith(HARM)


def _content(claim: Claim) -> Iterable[str]:
    """What a claim says, in which form, and where it leads."""
    cues, form, text = claim.cues, claim.form, claim.spoken.text
    yield form.value
    yield from (f"says {cue}" for cue in cues)
    if form is Form.BARE:
        yield from (f"orders {cue}" for cue in cues)
    for kind in harms(text, cues):
        yield f"{HARM} {kind.value}"
        if form in _UNOWNED:
            yield f"{HARM}, ordered"
        elif cues & _WISHED:
            yield f"{HARM}, wished"
    if "standing" in cues:
        yield from (f"always {cue}" for cue in cues & _ALWAYS)
        if form in _UNOWNED:
            yield "always, ordered"
    yield from _led(claim)
    if _QUOTE.search(text):
        yield "quotes"


def _led(claim: Claim) -> Iterable[str]:
    """Where it leads, and whether somebody is to be led or something sent there."""
    if has_destination(claim.spoken.text):
        yield "destination"
        yield from (f"leads {cue}" for cue in claim.cues & _LED)
        if claim.form is Form.BARE or claim.cues & _WANTED:
            yield "destination wanted"


def _shares(origin: Origin) -> dict[str, float]:
    return {
        "own": origin.own,
        "borne": max(0.0, origin.foreign - origin.own),
    }


def _told(origin: Origin) -> Iterable[str]:
    """What stands around the evidence, and whose words it is."""
    if origin.is_foreign:
        yield "foreign"
    if origin.has_foreign and origin.own < _SMALL:
        yield "unsupported"
    yield from _said(origin)
    borne = [passage.spoken for passage in origin.borne]
    if any(harms(said.text, said.cues) for said in borne):
        yield f"{HARM}, borne"
    if any(p.speaker is Speaker.HIDDEN or is_addressed(p.spoken) for p in origin.borne):
        yield "addressed"
        if origin.is_foreign:
            yield "addressed, foreign"


def _said(origin: Origin) -> Iterable[str]:
    """What the user says about it, if it is the user."""
    own = [passage.spoken for passage in origin.said]
    cues = frozenset().union(*(said.cues for said in own))
    near = origin.evidence.cues if origin.evidence else frozenset()
    persons = near & _PERSONS
    if "stranger" in near:
        persons -= {"me"}  # "I am her brother" is no word of hers
    yield from (f"told {cue}" for cue in (cues - _PERSONS) | persons)
    if any(harms(said.text, said.cues) for said in own):
        yield f"{HARM}, told"
    if "third" in near and "me" not in near:
        yield "told of another"
    if "stranger" in cues:
        yield "stranger, too" if "me" in near else "stranger, alone"
