"""Every client in front of strict model servers: none is answered 4xx because of memory.

Each server refuses what a family of chat templates refuses. The product runs with the place that
most of them refuse, and by itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.clients.checks import Story
from tests.clients.upstream import Received, ScriptedUpstream, fact_of

INSTRUCTIONS = {"system", "developer"}
FENCE = "<recollect-"
POSITIONS = ("auto", "tail")
NOT_RUN = frozenset({"told", "stranger"})
"""Steps in which no memory is due."""


def roles_of(request: Received) -> list[str]:
    """The roles of a prompt; the instructions of a response are its first system message."""
    roles = [item.get("role", "") for item in request.items]
    return ["system", *roles] if request.body.get("instructions") else roles


def only_first(roles: Sequence[str]) -> bool:
    """Qwen 3.5: a system message must be at the beginning."""
    return not INSTRUCTIONS & set(roles[1:])


def only_one(roles: Sequence[str]) -> bool:
    """One system message, wherever it is."""
    return sum(role in INSTRUCTIONS for role in roles) < 2


def alternating(roles: Sequence[str]) -> bool:
    """Mistral, Gemma: after an optional system message, user and assistant take turns."""
    talk = roles[1:] if roles[:1] and roles[0] in INSTRUCTIONS else roles
    spoken = [role for role in talk if role in {"user", "assistant"}]
    turns = all(one != other for one, other in itertools.pairwise(spoken))
    return turns and not INSTRUCTIONS & set(talk)


SERVERS: Mapping[str, Callable[[Sequence[str]], bool]] = {
    "system first only": only_first,
    "one system message": only_one,
    "alternating roles": alternating,
}


class StrictUpstream(ScriptedUpstream):
    """Answers 400 to what its chat template would refuse."""

    def __init__(self, takes: Callable[[Sequence[str]], bool]) -> None:
        super().__init__()
        self._takes = takes
        self.refused: list[Received] = []

    def refusal(self, request: Received) -> str | None:
        if self._takes(roles_of(request)):
            return None
        self.refused.append(request)
        return "the chat template refuses these roles"


def wrong(seen: Mapping[str, Any], position: str, refused: Sequence[Received]) -> str:
    """What is wrong with a step: an error at the client, or memories refused where none should."""
    if "error" in seen:
        return str(seen["error"]).strip()
    ours = [each for each in refused if FENCE in str(each.body)]
    if position == "auto" and ours:
        return f"{len(ours)} requests were refused because of memories"
    return ""


def told(story: Story) -> dict[str, Any]:
    """The fact, for the memory API."""
    return {"messages": fact_of(story.number), "user_id": story.told_by, "infer": False}


def folder_of(folder: Path, server: str, position: str) -> Path:
    """Where the product of one pass keeps its data."""
    return folder / f"serve-{server.replace(' ', '-')}-{position}"
