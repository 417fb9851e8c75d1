"""A short answer is shown with the question that it answers, so that it is understood alone. Pure.

"Kim" after "What's your name?" tells a name, "no" after "Do you eat meat?" what somebody eats, and
"2" which of the options it was. Told by structure: a short message right behind a question of the
assistant. The question is context and shown as such; it states nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ..language.supplied_parts import is_item, opens
from ..language.words import is_question, may_ask, sentences, unspaced_in
from ..learn.cleaning import is_suspicious
from ..learn.firewall import strip_injected
from ..recall.asking import Whole, asks_at_end, is_small_talk, only_asks
from ..recall.index.entry import ANSWERED
from ..recall.traits import instructs
from ..trust.quarantine.payloads import in_format

LONGEST = 160
"""Characters of the longest answer; with those of a script without spaces counted three times."""
MOST_CONTEXT = 400
"""Characters of the question with its options."""
WORD_MORE = 80
"""Characters behind a question that still is the last thing said: "Tell me and I'll go on"."""
LONGEST_LOOKED_AT = 240
"""Characters of a message that may be an answer, before anything is found out of it."""
MOST_TURNS = 3
"""Turns before an answer that its question may speak of."""
_READ_CHARS = 2000
"""Of the assistant's message the end is read."""
_OPTION = regex.compile(
    r"(?:\b\d{1,2}|\b\p{L}|\p{N}\ufe0f?\u20e3|[\u2460-\u24ff])(?:[.)]|(?<=\W))\s"
)
_MARKS = str.maketrans({'"': "'", "(": " ", ")": " ", "[": " ", "]": " ", "\n": " "})


def question_of(answer: str) -> str:
    """The question that ends the assistant's message, with its options; "" if none does."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    at = next((n for n in reversed(range(len(lines))) if _asks(lines, n)), None)
    if at is None:
        return ""
    behind = lines[at + 1 :]
    options = [line for line in behind if is_item(line)]
    if sum(map(len, behind)) - sum(map(len, options)) > WORD_MORE:
        return ""
    first = at
    while first and is_item(lines[first - 1]):  # options may stand before the question
        first -= 1
    if first < at and first and (opens(lines[first - 1]) or is_question(lines[first - 1])):
        first -= 1
    return "\n".join([*lines[first:at], _question_in(lines[at]), *options])


def _asks(lines: Sequence[str], at: int) -> bool:
    """Whether a line asks, or opens a list of options."""
    if may_ask(lines[at]) and any(map(is_question, sentences(lines[at]))):
        return True
    return at + 1 < len(lines) and opens(lines[at]) and is_item(lines[at + 1])


def _question_in(line: str) -> str:
    """Its last question; all of a line that has options in it, or opens them."""
    told = sentences(line)
    at = next((n for n in reversed(range(len(told))) if is_question(told[n])), None)
    if at is None or len(_OPTION.findall(line)) > 1:
        return line
    return told[at].strip()


def is_short_answer(text: str) -> bool:
    """Whether a message may answer the question before it, and is short enough to need that."""
    return len(text) <= LONGEST_LOOKED_AT and may_answer(text)


def last_question(answer: str) -> str:
    """The question that ends an assistant's message as it was sent, in one line; "" if none."""
    return " ".join(question_of(strip_injected(answer)[-_READ_CHARS:]).split())


def may_answer(text: str) -> bool:
    """Whether a message may be an answer: cheap, and true of more than is shown with a question."""
    text = " ".join(text.split())
    return bool(text) and _weight(text) <= LONGEST and not asks_at_end(text)


def with_question(asked: str, text: str) -> str:
    """The answer behind its question, which stands in parentheses; "" if it is none."""
    text = " ".join(text.split())
    if not asked or not may_answer(text) or not _may_ask(asked):
        return ""
    # An answer is in the question's language: "Kim" asks in Turkish.
    if instructs(text) or (only_asks(text, Whole.of(asked)) and not is_small_talk(text)):
        return ""
    return ANSWERED.format(_shown(asked), text)


def _weight(text: str) -> int:
    """Characters, three for one of a script without spaces."""
    return len(text) + 2 * unspaced_in(text)


def _may_ask(question: str) -> bool:
    """Whether the assistant's question may be shown: it plants nothing and orders nothing.

    A question mark makes no order harmless.
    """
    if instructs(question) or in_format(question):
        return False
    plain = question.strip().rstrip("?\uff1f\u061f ")
    return not (is_suspicious(question) or is_suspicious(f"{plain}."))


def _shown(text: str) -> str:
    text = " ".join(text.translate(_MARKS).split())
    return text if len(text) <= MOST_CONTEXT else f"{text[:MOST_CONTEXT]}\u2026"
