"""Decides which sentences of a candidate are withheld: what they say, and whose words they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...language import words_of
from ...model.messages import TOOL_ROLES
from ...model.types import Message
from .conversation import Conversation, conversation, trace
from .hidden_content import hidden_content
from .signs import named, odds, signs_of
from .utterances import claims
from .values import Reason, Span, Suspicion, SuspicionKind

_PLANTED = -0.3
"""Log odds above which a sentence of a candidate is withheld."""
_PLANTED_GIVEN = 0.5
"""The same of a text that somebody gave as it is: most of them are honest, and many are long."""
_CANDIDATE = "candidate"
_Found = tuple[Span, Reason]


def judge(text: str, messages: Sequence[Message], *, source: str = "user") -> Suspicion | None:
    """Which sentences of the candidate `text`, extracted from `messages`, are withheld, and why.

    `source` is the role of the message with its evidence. A text that is one of the messages is
    judged as `judge_text` does. Pure; linear in the texts.
    """
    if source in TOOL_ROLES:
        whole = (0, len(text))
        borne = Reason(SuspicionKind.TOOL_BORNE, "tool", "evidence in a tool's result", text)
        return _suspicion([(whole, borne), *_withheld(text, conversation(messages))])
    plain = _plain(text)
    role = next((each.role for each in messages if _plain(each.content) == plain), None)
    if not messages or (role is not None and role not in TOOL_ROLES):
        return judge_text(text, role or _CANDIDATE)
    return _suspicion(_withheld(text, conversation(messages)))


def judge_text(text: str, role: str = "user") -> Suspicion | None:
    """The same for a text that a message of `role` gives directly, without a conversation."""
    return _suspicion(_withheld(text, None, role))


def _withheld(text: str, said: Conversation | None, role: str = _CANDIDATE) -> Iterator[_Found]:
    each = list(claims(text))
    for shown in hidden_content(text, each):
        for span in [one.span for one in shown.where] or [(0, len(text))]:
            yield span, Reason(shown.kind, role, shown.detail, text[slice(*span)])
    for one in each:
        origin = None if said is None else trace(one, said)
        found = signs_of(one, origin)
        if odds(found) > (_PLANTED_GIVEN if origin is None else _PLANTED):
            where = role if origin is None else origin.speaker.value
            for kind, detail in named(found):
                yield one.span, Reason(kind, where, detail, text[slice(*one.span)])


def _suspicion(found: Iterable[_Found]) -> Suspicion | None:
    parts: list[tuple[Span, list[Reason]]] = []
    for span, reason in sorted(found, key=lambda each: each[0]):
        if parts and span[0] < parts[-1][0][1]:
            first, last = parts[-1][0]
            parts[-1] = ((first, max(last, span[1])), parts[-1][1])
        else:
            parts.append((span, []))
        parts[-1][1].append(reason.shortened())
    return Suspicion(tuple((span, tuple(reasons)) for span, reasons in parts)) if parts else None


def _plain(text: str) -> str:
    """The words alone: punctuation, case and white space decide nothing."""
    return " ".join(words_of(text).folded)
