"""Cuts out instructions to the assistant that clients send as the user's words. Pure."""

from __future__ import annotations

import re

from ...language import words_of
from ...language.cues import begins, cues_in
from .segments import drop, first_person, is_marked
from .spans import Cut

_NEAR = 30
"""Words, or characters in a script without blanks, in which a persona's role follows."""
_NAMED = re.compile(r"^(\W*\w{1,10} \w{1,10}) \w{2,31},")
"""A name between "you are" and what it is."""
_SIGNATURE = re.compile(
    r"knowledge cut-?off:|current date(?: and time)?:|current time:|image input capabilities:"
    r"|you have access to the following (?:tools|functions)"
    r"|(?:read|see) (?:heartbeat|agents|soul|boot\w*|memory)\.md\b"
    r"|i have \*added these files to the chat\*"
    r"|here are summaries of some files present in my git repository"
    r"|\[error\] you did not use a tool in your previous response",
    re.IGNORECASE,
)
"""What ChatGPT, OpenClaw, Aider and Cline write, in whatever language their users do."""


class _Prompt:
    """Reads the segments of a text in order. A prompt ends where a person speaks."""

    def __init__(self) -> None:
        self._inside = False

    def __call__(self, segment: str) -> bool:
        """Whether this segment belongs to instructions."""
        if _is_persona(segment):
            self._inside = True
            return True
        if _SIGNATURE.match(segment.lstrip(" \t\n>*#-")):
            return True
        if self._inside and not _goes_on(segment):
            self._inside = False
        return self._inside


def _is_persona(segment: str) -> bool:
    """Whether it makes the assistant somebody: "You are an expert coder"."""
    return begins(_NAMED.sub(r"\1", segment), "turns.addressed") is not None and any(
        hit.start < _NEAR for hit in cues_in(segment, "turns.role")
    )


def _goes_on(segment: str) -> bool:
    if not segment.strip():
        return True
    if first_person(segment):
        return False
    heading = begins(segment, "turns.heading")
    return (
        is_marked(segment)
        or begins(segment, "turns.order") is not None
        or (heading is not None and heading.end == len(words_of(segment).raw))
    )


def cut_prompts(text: str) -> Cut:
    """Cut out "You are a helpful assistant" and the orders that follow it."""
    return drop(text, _Prompt())
