"""The weighed signs of a statement and of its origin, as names and amounts.

The name of a sign is the group and, in most groups, a cue or a harm ("told remember"). Shares are 0
to 1; all others are 1, or absent.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

from .conversation import Speaker, is_addressed
from .formats import has_destination
from .harms import harms
from .origin import Origin
from .statement import Form, Statement

GIVEN = "given"
"""The text is what somebody said, not what a model made of it: there is no origin to trace."""
HARM = "harm"
"""The group of signs that are combinations of cues."""
_QUOTE = regex.compile(r"[\"“”„«»「」『』]|(?<!\w)['‘’](?=\w)")  # noqa: RUF001 - of all scripts
_ASKS = ("?", "？", "؟")  # noqa: RUF001 - of all scripts
_WANTED = frozenset({"wish", "standing", "send", "promote", "condition"})
_LED = frozenset({"send", "promote", "standing", "data", "condition", "everything", "wish"})
_ALWAYS = frozenset({"assistant", "you", "promote", "send", "hide", "action", "user", "anyone"})
_SMALL = 0.2
"""A statement with less than this share in the user's own words is not supported by them."""


def signs(statement: Statement, origin: Origin | None) -> dict[str, float]:
    """The signs of a statement; `origin` is None for a text that somebody gave as it is."""
    found = dict.fromkeys(_content(statement), 1.0)
    if origin is None:
        return found | {GIVEN: 1.0}
    return found | _shares(origin) | dict.fromkeys(_told(origin), 1.0)


def _content(statement: Statement) -> Iterable[str]:
    """What a statement says, in which form, and where it leads."""
    cues, form, text = statement.cues, statement.form, statement.spoken.text
    yield form.value
    yield from (f"says {cue}" for cue in cues)
    if form is Form.BARE:
        yield from (f"orders {cue}" for cue in cues)
    for kind in harms(text, cues):
        yield f"{HARM} {kind.value}"
        yield f"{form.value} {kind.value}"
    if "standing" in cues:
        yield from (f"always {cue}" for cue in cues & _ALWAYS)
    if has_destination(text):
        yield "destination"
        yield from (f"leads {cue}" for cue in cues & _LED)
        if form is Form.BARE or cues & _WANTED:
            yield "destination wanted"
    if _QUOTE.search(text):
        yield "quotes"
    if text.endswith(_ASKS):
        yield "asks"


def _shares(origin: Origin) -> dict[str, float]:
    return {
        "own": origin.own,
        "borne": max(0.0, origin.foreign - origin.own),
        "from assistant": max(0.0, origin.assistant - origin.own),
    }


def _told(origin: Origin) -> Iterable[str]:
    """What stands around the evidence, and whose words it is."""
    if origin.is_foreign:
        yield "foreign"
    if origin.has_foreign and origin.own < _SMALL:
        yield "unsupported"
    own = [passage.spoken for passage in origin.said]
    cues = frozenset().union(*(said.cues for said in own))
    yield from (f"told {cue}" for cue in cues)
    yield from (f"told {kind.value}" for said in own for kind in harms(said.text, said.cues))
    if "third" in cues and "me" not in cues:
        yield "told of another"
    if "stranger" in cues and cues & {"third", "holder"}:
        yield "told by a stranger"
    borne = origin.borne
    yield from (f"borne {k.value}" for p in borne for k in harms(p.spoken.text, p.spoken.cues))
    if any(p.speaker is Speaker.HIDDEN or is_addressed(p.spoken) for p in borne):
        yield "addressed"
        if origin.is_foreign:
            yield "addressed, foreign"
