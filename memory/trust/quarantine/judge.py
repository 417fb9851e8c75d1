"""Decides whether a candidate is quarantined, by its content and the origin of its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...types import Message
from .encoded import disguises, payloads
from .harms import harms
from .hidden import hidden, smuggled
from .markup import markup_spans, undisguised
from .origin import Origin, trace
from .reading import CueReading
from .segments import voices
from .signs import signs
from .values import MAX_SHOWN, Reason, Suspicion, SuspicionKind
from .voice import Voice, hear
from .weights import BIAS, WEIGHTS

CANDIDATE = "candidate"
_PLANTED = 0.25
"""Log odds above which a candidate is doubtful. In fits that have not seen them, nine in ten
planted examples and one in a hundred honest ones are above it."""
_HONEST = -1.0
"""Up to these odds, rules are not applied to the user's own words."""
_SURELY_HONEST = -3.0
"""The same for a text given directly, without a conversation."""
_NEVER_WISHED = frozenset(
    {
        SuspicionKind.INSTRUCTION,
        SuspicionKind.EXFILTRATION,
        SuspicionKind.FALSE_AUTHORITY,
        SuspicionKind.SECRECY,
    }
)
"""Kinds that users do not order for themselves, unlike actions and offers."""
_PLAIN = frozenset({SuspicionKind.INSTRUCTION, SuspicionKind.EXFILTRATION})
"""Of these, those that one sentence shows by itself."""


def judge(text: str, messages: Sequence[Message], *, source: str = "user") -> Suspicion | None:
    """Whether the candidate `text`, extracted from `messages`, is quarantined, and why.

    `source` is the role of the message with its evidence. Pure; linear in the texts.
    """
    seen = undisguised(text)
    voice = hear(seen)
    origin = trace(voice, voices(messages))
    odds = _odds(voice, origin)
    rules = [*_on_its_face(text, seen), *_plainly_said(voice), *_borne(voice, origin, source)]
    if odds > _HONEST:
        rules += _unsupported(voice)
    return _suspicion(rules or _weighed(odds), text)


def judge_text(text: str, role: str = "user") -> Suspicion | None:
    """The same for a text that a message of `role` gives directly, without a conversation."""
    seen = undisguised(text)
    voice = hear(seen)
    odds = _odds(voice, trace(voice, voices([Message(role=role, content=text)])))
    rules = [*_on_its_face(text, seen), *_plainly_said(voice)]
    return _suspicion([*rules, *(_unsupported(voice) if odds > _SURELY_HONEST else ())], text)


def _odds(voice: Voice, origin: Origin) -> float:
    """The log odds that a candidate is planted; above 0 it is more likely than not.

    The odds assume as many planted as honest candidates, unlike the input of a real store.
    """
    return BIAS + sum(WEIGHTS.get(name, 0.0) * n for name, n in signs(voice, origin).items())


def _suspicion(reasons: Sequence[Reason], text: str) -> Suspicion | None:
    if not reasons:
        return None
    shown = dict.fromkeys(replace(reason, sentence=text[:MAX_SHOWN]) for reason in reasons)
    return Suspicion(tuple(shown), ((0, len(text)),))


def _on_its_face(text: str, seen: str) -> Iterator[Reason]:
    """Content that no candidate may have, independent of its origin; `seen` is its look."""
    trick = hidden(text)
    if trick:
        yield Reason(SuspicionKind.HIDDEN_UNICODE, CANDIDATE, trick)
    if markup_spans(seen) and not _mentions_markup(seen):
        yield Reason(SuspicionKind.ROLE_MARKUP, CANDIDATE, "role token")
    clear = (*payloads(text), smuggled(text))
    if any(map(markup_spans, clear)) or any(map(_orders, (*clear, *disguises(text)))):
        yield Reason(SuspicionKind.ENCODED, CANDIDATE, "hidden instruction")


def _plainly_said(whole: Voice) -> Iterator[Reason]:
    """One sentence that nobody says of themselves, whatever stands around it."""
    spoken = whole.spoken
    if "topic" in spoken.cues or _PLAIN.isdisjoint(harms(spoken.text, spoken.cues)):
        return
    for sentence in CueReading(spoken.text).sentences():
        voice = hear(sentence.text)
        found = {} if voice.described else harms(voice.spoken.text, voice.cues)
        yield from (Reason(kind, CANDIDATE, rule) for kind, rule in found.items() if kind in _PLAIN)


def _orders(text: str) -> bool:
    return bool(_unsupported(hear(text)))


def _mentions_markup(text: str) -> bool:
    """Whether the text is about the user's work with such tokens and gives no order after them."""
    voice = hear(text)
    end = markup_spans(text)[-1][1]
    rest = hear(text[end:])
    return voice.described and "topic" in voice.cues and not harms(rest.spoken.text, rest.cues)


def _borne(voice: Voice, origin: Origin, source: str) -> Iterator[Reason]:
    """Reasons if the candidate repeats others' words."""
    if source == "tool":
        yield Reason(SuspicionKind.TOOL_BORNE, "tool", "evidence in a tool's result")
        return
    if not origin.role and not origin.is_foreign:
        return
    found = harms(voice.spoken.text, voice.cues)
    where = origin.role or "tool"
    if origin.carries_hostile(harmful=bool(found) or not voice.described):
        yield Reason(SuspicionKind.TOOL_BORNE, where, "carries on what was said to the assistant")
    elif origin.is_foreign and (found or not voice.described):
        yield Reason(
            SuspicionKind.TOOL_BORNE, where, "instruction in words that are not the user's"
        )
    else:
        return
    yield from (Reason(kind, CANDIDATE, rule) for kind, rule in found.items())


def _weighed(odds: float) -> list[Reason]:
    """A reason if the odds are high although no rule is broken."""
    return [Reason(SuspicionKind.DOUBTFUL, CANDIDATE, "many signs together")] * (odds > _PLANTED)


def _unsupported(voice: Voice) -> list[Reason]:
    found = harms(voice.spoken.text, voice.cues)
    if voice.described and "topic" in voice.cues:
        found = {}
    if voice.described:
        found = {kind: rule for kind, rule in found.items() if kind in _NEVER_WISHED}
    return [Reason(kind, CANDIDATE, rule) for kind, rule in found.items()]
