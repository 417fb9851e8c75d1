"""What a model is told: the answers of tools, which have less than those of the library."""

from __future__ import annotations

from operator import itemgetter
from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from .tooling import Made

MOST_FOUND = 50
FOUND = 10
"""Facts of one answer, unless asked for others: more than these help no model."""
_RESULTS = Made(itemgetter("results"))


class ToolBlock(TypedDict):
    """A block as a tool shows it."""

    label: str
    description: str
    value: str
    version: int
    tokens: int
    limit: int
    """Most tokens."""
    writable: Annotated[
        bool, Made(lambda block: block["rights"] == "write" and not block["read_only"])
    ]


class ToolBlocks(TypedDict):
    """The blocks of the scope, by label."""

    blocks: Annotated[list[ToolBlock], _RESULTS]


class FactDict(TypedDict):
    """A fact as a tool shows it."""

    id: str
    fact: Annotated[str, Made(itemgetter("memory"))]
    status: str
    created_at: str
    source: Annotated[str, Made(lambda memory: memory["provenance"]["source"])]
    """Whose word it is: `user`, `extraction` and `said` are the user's, all others are hearsay."""
    valid_from: NotRequired[str]
    valid_to: NotRequired[str]
    score: NotRequired[float]


class FoundFacts(TypedDict):
    """Facts, best first, the newest of a matter before the older ones."""

    facts: Annotated[list[FactDict], _RESULTS]


class FactVersion(TypedDict):
    """One change of a fact."""

    event: str
    at: Annotated[str, Made(itemgetter("timestamp"))]
    old: Annotated[str | None, Made(itemgetter("old_value"))]
    new: Annotated[str | None, Made(itemgetter("new_value"))]
    reason: NotRequired[str]


class FactHistory(TypedDict):
    """The changes of a fact, oldest first."""

    id: str
    history: list[FactVersion]


class ProfileFact(TypedDict):
    """A line of a profile."""

    fact: Annotated[str, Made(itemgetter("memory"))]
    ids: list[str]
    traits: list[str]
    """What it tells: `name`, `allergy`, `wish`, ..."""


class ProfileFacts(TypedDict):
    """What is known about the user as a person, most important first."""

    profile: Annotated[list[ProfileFact], _RESULTS]


class ConflictFacts(TypedDict):
    """A fact, and older ones that may be about the same."""

    fact: Annotated[FactDict, Made(itemgetter("memory"))]
    others: list[FactDict]


class Conflicts(TypedDict):
    """Facts that nobody has judged yet, newest first."""

    conflicts: Annotated[list[ConflictFacts], Made(lambda found: found["results"][:MOST_FOUND])]


class AnswerWithFacts(TypedDict):
    """An answer and what it follows from."""

    answer: str | None
    """None if what is known does not answer the question."""
    facts: Annotated[list[FactDict], Made(itemgetter("citations"))]
    reason: NotRequired[str]


class DeepFacts(TypedDict):
    """What a thorough search found."""

    facts: Annotated[list[FactDict], _RESULTS]
    """What an answer follows from; if it abstained, what may be part of one."""
    abstained: bool
    """Whether they may not be enough: say so, rather than guess."""
    reason: NotRequired[str]
    missing: NotRequired[str]


class SaidMessage(TypedDict):
    """A message of an earlier conversation, or the part of it that fits."""

    conversation_id: str
    role: str
    """`user` or `assistant`."""
    text: str
    at: Annotated[str, Made(itemgetter("created_at"))]
    hearsay: bool
    """Whether only the assistant said it: no evidence that it is true."""
    score: float


class SaidMessages(TypedDict):
    """Messages, best first."""

    messages: Annotated[list[SaidMessage], _RESULTS]
