"""Reads Gemini's part of Google Takeout: a list of activities, newest first. Pure.

An activity is a prompt with its answer in HTML; which chat it was in is not told. What was asked on
one day (UTC) is a conversation here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from html import unescape
from itertools import groupby, islice
from pathlib import PurePosixPath
from typing import Any

import regex

from ...model.quantities import moment_of
from . import said
from .said import ForeignConversation, ForeignMessage, conversation_of, foreign, newer

SERVICE = "gemini"
WANTED = "Gemini Apps/MyActivity.json (Google Takeout gives HTML unless JSON is chosen)"
_TIME = "expected a time in ISO 8601 with its offset"
MOST_OF_A_DAY = 2000
"""Activities that are held at a time."""
_PROMPTED = "Prompted "
"""What the title of a prompt begins with, if the account is in English."""
_ELSEWHERE = (
    f"expected titles that begin with {_PROMPTED.strip()!r}: set the language of the Google "
    "account to English (US), and export again"
)
_BLOCK = regex.compile(r"</?(?:p|br|div|li|tr|pre|h[1-6])\b[^<>]*>", regex.IGNORECASE)
_TAG = regex.compile(r"<[^<>]*>")


def is_file(path: str) -> bool:
    """Whether a path in the archive is that of the activities; older ones are called Bard's."""
    parts = PurePosixPath(path).parts
    named = "".join(parts[-1:]).replace(" ", "").casefold()
    about = "/".join(parts[-2:-1]).casefold()
    return named.endswith(".json") and ("gemini" in about or "bard" in about)


def conversations(
    entries: Iterable[tuple[str, Mapping[str, Any]]],
) -> Iterator[ForeignConversation]:
    """The conversations. Raises InvalidInputError, last of all if no title is that of a prompt."""
    prompts, last, undated = 0, "", Counter[str]()
    for day, some in groupby(_dated(entries, undated), key=lambda each: each[1].date()):
        while held := list(islice(some, MOST_OF_A_DAY)):
            made = _of_a_day(day.isoformat(), held)
            prompts, last = prompts + len(made.turns), held[-1][0]
            yield made
    if last and not prompts:
        raise newer(f"{last}, title", _ELSEWHERE)
    if undated:
        yield conversation_of(SERVICE, "", [], undated)


def _dated(
    entries: Iterable[tuple[str, Mapping[str, Any]]], undated: Counter[str]
) -> Iterator[tuple[str, datetime, Mapping[str, Any]]]:
    for where, value in entries:
        if not isinstance(value.get("title"), str):
            raise foreign(SERVICE, value, f"{where}, title", "expected text")
        if at := moment_of(value.get("time"), seconds=False, zone=True):
            yield where, at.astimezone(UTC), value
        elif "activityControls" in value:
            undated[said.UNDATED] += 1
        else:
            raise foreign(SERVICE, value, f"{where}, time", _TIME)


def _of_a_day(
    day: str, entries: Iterable[tuple[str, datetime, Mapping[str, Any]]]
) -> ForeignConversation:
    left_out: Counter[str] = Counter()
    ordered = sorted(entries, key=lambda each: each[1])
    spoken = [one for _, at, value in ordered for one in _spoken(value, at, left_out)]
    return conversation_of(SERVICE, day, spoken, left_out)


def _spoken(
    value: Mapping[str, Any], at: datetime, left_out: Counter[str]
) -> Iterator[ForeignMessage]:
    title = value["title"]
    if not title.startswith(_PROMPTED):
        left_out[said.OTHERS] += 1
        return
    files = value.get("attachedFiles")
    left_out[said.ATTACHMENTS] += (
        len(files) if isinstance(files, list) else bool(files or value.get("imageFile"))
    )
    # Two prompts of one moment are two; one that is exported again is the same.
    name = f"{at.isoformat()} {title}"
    yield ForeignMessage(name, by_user=True, text=title.removeprefix(_PROMPTED), at=at)
    yield ForeignMessage(name, by_user=False, text=_answer(value), at=at)


def _answer(value: Mapping[str, Any]) -> str:
    """The last answer, as text: earlier ones were asked for again."""
    drafts = value.get("safeHtmlItem")
    last = drafts[-1] if isinstance(drafts, list) and drafts else None
    html = last.get("html") if isinstance(last, dict) else None
    return text_of(html) if isinstance(html, str) else ""


def text_of(html: str) -> str:
    """The text of some HTML, a line for each paragraph and item."""
    lines = unescape(_TAG.sub("", _BLOCK.sub("\n", html))).splitlines()
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
