"""What each step has to show, judged by what the upstream received and the client understood. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.clients.upstream import UNKNOWN, Received, answer_with

TEXTS = {
    "told": "Please note: my allotment has the number {number}, it is the one by the canal.",
    "asked": "Which number does my allotment have?",
    "streamed": "What was the number of my allotment again?",
    "tool": "Look up the weather for the number of my allotment.",
    "structured": "Put the number of my allotment into the form.",
    "structured_streamed": "Fill the number of my allotment into the form.",
    "structured_json": "Write the number of my allotment into the form.",
    "chat": "Tell me the number of my allotment.",
    "chat_streamed": "Say the number of my allotment once more.",
    "responses": "Tell me which number my allotment has.",
    "responses_streamed": "Say which number my allotment has.",
    "safety_identifier": "What number has my allotment?",
    "stranger": "Do you know the number of my allotment?",
}
"""What the user says in each step: no two the same, so that requests can be told apart."""

THEN = "It also has a shed with a green door."
"""What the user says next in the conversation of the first step."""


@dataclass(frozen=True)
class Story:
    """What one client is made to say, and what only memory can know."""

    client: str
    number: int
    model: str = "gpt-4o-mini"

    @property
    def texts(self) -> dict[str, str]:
        return {step: text.format(number=self.number) for step, text in TEXTS.items()}

    @property
    def told_by(self) -> str:
        """The user who tells."""
        return f"{self.client}-user"

    def as_json(self) -> dict[str, Any]:
        """What the programs get."""
        stranger = f"{self.client}-stranger"
        users = {"user": self.told_by, "stranger": stranger}
        return {"model": self.model, "texts": self.texts, "then": THEN, **users}


def requests_of(step: str, story: Story, received: Sequence[Received]) -> list[Received]:
    """The client's requests of a step; memories may stand before what the user said."""
    text = story.texts[step]
    return [each for each in received if not each.is_learning and each.said.endswith(text)]


def problem(step: str, seen: dict[str, Any], story: Story, requests: Sequence[Received]) -> str:
    """What is wrong with a step against the scripted upstream; "" if nothing is."""
    if "error" in seen:
        return str(seen["error"]).strip()
    knows = step not in {"told", "stranger"}
    wanted = _answer(step, story) if knows else UNKNOWN
    if seen["answer"] != wanted:
        return f"the answer is {seen['answer']!r}, not {wanted!r}"
    if len(requests) != (count := 2 if step == "tool" else 1):
        return f"the upstream received {len(requests)} requests, not {count}"
    if any(each.known != (story.number if knows else None) for each in requests):
        return f"the upstream was told {[each.known for each in requests]}"
    ours = {n for each in requests for n in each.headers if n.lower().startswith("x-recollect")}
    return f"the upstream received {sorted(ours)}" if ours else ""


def real_problem(seen: dict[str, Any], story: Story, requests: Sequence[Received]) -> str:
    """The same against a real model, which answers whatever it likes."""
    if "error" in seen:
        return str(seen["error"]).strip()
    if not seen["answer"]:
        return "the answer is empty"
    if len(requests) != 1 or requests[0].known != story.number:
        return f"the upstream was told {[each.known for each in requests]}"
    return ""


def answer_problem(seen: dict[str, Any], story: Story) -> str:
    """The same of a step whose model found the number by itself: its client sees the answer alone."""
    wanted = answer_with(story.number)
    if "error" in seen:
        return str(seen["error"]).strip()
    return "" if seen["answer"] == wanted else f"the answer is {seen['answer']!r}, not {wanted!r}"


def not_learned(story: Story, received: Sequence[Received]) -> str:
    """What is wrong with what the learner read: both turns, as those of one conversation."""
    read = [each.said for each in received if each.is_learning]
    # What was extracted is verified in a call of its own, which repeats the turn (learn/verify).
    told = [t for t in read if story.texts["told"] in t and "Statements:" not in t]
    if len(told) != 1:
        return f"what the user told was learned from {len(told)} times"
    return "" if THEN in told[0] else f"only a part was learned from: {told[0]}"


def _answer(step: str, story: Story) -> str | int:
    match step.partition("_")[0]:
        case "tool":
            return f"Sunny at allotment {story.number}"
        case "structured":
            return story.number
        case _:
            return answer_with(story.number)
