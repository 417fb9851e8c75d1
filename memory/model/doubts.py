"""The reasons why memories are quarantined, in words for people. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from typing import Any, NotRequired

from typing_extensions import TypedDict

from .types import Doubt

UNCONFIRMED = "unconfirmed"
"""The kind of a doubt about a fact that the user did not state (`learn.unconfirmed`)."""
REFUTED = "refuted"
"""The kind of a doubt about a fact that was asked or denied in what was said."""
UNSURE = "unsure"
"""The same if it seems supposed or quoted; a model may know better."""
NOT_ASSERTED = "not_asserted"
"""The same if the model that read the fact says that the user does not assert it."""
SOMEBODY_ELSE = "somebody_else"
"""The same if it says that the fact is about somebody else."""
NOT_STATED = "not_stated"
"""The same if it says, when asked again (`learn.verify`), that the turns do not state it."""
NOT_BORNE_OUT = "not_borne_out"
"""The same if no sentence of the user's bears it out (`learn.extract.witness`)."""
FAILED = "failed"
"""The kind of a doubt about a procedure that failed when it was used again."""
CALLED_WRONG = "wrong"
"""The kind of a doubt that a person has about a memory that was recalled."""
REVIEW = "review:"
"""Before the kind of what waits for a person (`trust.review`)."""
LEFT_OUT = "left_out"
"""The kind of a doubt about what waited for a person too long."""
MAX_SENTENCE = 300
"""Characters of a sentence in a doubt."""
MAX_DOUBTS = 8
"""Doubts that are kept of one memory, so that they fit into its row."""

WHY: Mapping[str, str] = {
    "instruction": "It tells the assistant to ignore its rules or to act differently "
    "toward the user.",
    "role_markup": "It contains the marks that separate system, user and assistant.",
    "exfiltration": "It tells the assistant to send something to an address that is "
    "not the user's, or to read out the user's data.",
    "secrecy": "It tells the assistant to hide something from the user.",
    "hidden_unicode": "It contains characters that are invisible or look like others.",
    "encoded": "It contains an encoded text that gives an order.",
    "tool_borne": "It gives an order or a claim in words that are not the user's.",
    "false_authority": "It gives a permission in the name of somebody else.",
    "unsafe_action": "It orders an action without the user's consent, or switches off "
    "a protection.",
    "doubtful": "It shows several weak signs of a planted text together.",
    "steering": "It leads the user to a product, a page or an account.",
    "stranger": "Somebody else says it of the user, who did not say it.",
    UNCONFIRMED: "The user did not say it.",
    REFUTED: "What the user said stands against it.",
    UNSURE: "The user seems to suppose it, or to quote it.",
    NOT_ASSERTED: "The user asked, supposed, wished or quoted it, says the model that read it.",
    SOMEBODY_ELSE: "It is about somebody else, says the model that read it.",
    NOT_STATED: "The conversation does not state it, says the model that was asked again.",
    NOT_BORNE_OUT: "No sentence of the user's says it.",
    FAILED: "Tasks that were done by it failed.",
    CALLED_WRONG: "Somebody who was shown it called it wrong.",
    f"{REVIEW}health": "It is about health, which waits for a person.",
    f"{REVIEW}money": "It is about money, which waits for a person.",
    f"{REVIEW}other_people": "It is about somebody else, which waits for a person.",
    f"{REVIEW}wishes": "It would stand in every chat, which waits for a person.",
    LEFT_OUT: "Nobody judged it in time: it is left out.",
}
"""The sentence that a person reads, by kind."""
UNKNOWN = "It looked like a planted text to another version of Recollect."

WHOSE: Mapping[str, str] = {
    "user": "the user's own words",
    "pasted": "a text that the user pasted",
    "tool": "a tool's result",
    "hidden": "a hidden or encoded text",
    "assistant": "the assistant's words",
    "reflection": "a conclusion from other memories",
}
"""Whose words show it, by `Doubt.whose`."""


class ReasonDict(TypedDict):
    """Why a memory is quarantined."""

    kind: str
    """`unconfirmed`, or the kind of suspicion."""
    why: str
    """The same as a sentence for people."""
    detail: NotRequired[str]
    """The sign that was seen, in a few words."""
    sentence: NotRequired[str]
    """The sentence that shows it, shortened."""
    whose: NotRequired[str]
    """Whose words it is: `user`, `pasted`, `tool`, `hidden`, `assistant` or `reflection`."""


def reason_dict(doubt: Doubt) -> ReasonDict:
    """A reason as the API returns it."""
    shown = ReasonDict(kind=doubt.kind, why=why(doubt.kind))
    if doubt.detail:
        shown["detail"] = doubt.detail
    if doubt.sentence:
        shown["sentence"] = doubt.sentence
    if doubt.whose in WHOSE:
        shown["whose"] = doubt.whose
    return shown


def reason_dicts(doubts: Iterable[Doubt]) -> list[ReasonDict]:
    """Reasons as the API returns them, in order."""
    return [reason_dict(doubt) for doubt in doubts]


def unquoted(doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """The doubts without their sentences."""
    return tuple(replace(doubt, sentence="") for doubt in doubts)


def why(kind: str) -> str:
    """A kind as a sentence for people; a later version may have kinds that this one lacks."""
    return WHY.get(kind, UNKNOWN)


def told(reasons: Iterable[ReasonDict], text: str = "") -> list[str]:
    """Reasons in lines: the signs, whose words show them, and the sentence unless it is `text`."""
    signs: dict[tuple[str, str], list[str]] = {}
    for reason in reasons:
        sentence = " ".join(reason.get("sentence", "").split())
        shown = "" if sentence == " ".join(text.split()) else sentence
        signs.setdefault((reason.get("whose", ""), shown), []).append(reason["why"])
    return [_line(" ".join(whys), *shown) for shown, whys in signs.items()]


def _line(whys: str, whose: str, sentence: str) -> str:
    where = f" In {WHOSE[whose]}" if whose in WHOSE else ""
    if not sentence:
        return whys + (f"{where}." if where else "")
    return f"{whys}{where}{':' if where else ''} \u201c{sentence}\u201d"


_FIELDS = frozenset(each.name for each in fields(Doubt))


def dumped(doubts: Iterable[Doubt]) -> list[dict[str, str]]:
    """Doubts as JSON values, for rows; only fields that are set."""
    return [{name: value for name, value in asdict(doubt).items() if value} for doubt in doubts]


def loaded(rows: Iterable[Mapping[str, Any]]) -> tuple[Doubt, ...]:
    """The doubts of `dumped`; fields of later versions are left out.

    Raises:
        TypeError, AttributeError: it is not an output of `dumped`.
    """
    return tuple(
        Doubt(**{name: str(value) for name, value in row.items() if name in _FIELDS})
        for row in rows
    )
