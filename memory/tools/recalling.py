"""The tools that look at more than single facts: episodes, profile, conflicts, answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from ..model.inputs import DEFAULT_ITERATIONS, MAX_ITERATIONS
from .facts import FOUND, MOST_FOUND, FactDict, FoundFacts, fact_dict
from .surface import Bound
from .tool import READS, Tier, Tool, ToolArguments, ToolGuard


class EpisodeArguments(ToolArguments):
    """Of `recall_episodes`."""

    query: str = Field(description="What happened, in a few words.")
    since: str | None = Field(None, description="Only what ended at this time or later (ISO).")
    until: str | None = Field(None, description="Only what ended before this time (ISO).")
    limit: int = Field(FOUND, ge=1, le=MOST_FOUND, description="The most episodes to return.")


class NoArguments(ToolArguments):
    """Of tools that need none."""


class QuestionArguments(ToolArguments):
    """Of the tools that take a question."""

    question: str = Field(description="A question about the user or the work.")


class DeepArguments(QuestionArguments):
    """Of `deep_recall`."""

    max_iterations: int = Field(
        DEFAULT_ITERATIONS,
        ge=1,
        le=MAX_ITERATIONS,
        description="The most times that what was found is judged, and more is searched for.",
    )


class ProfileFact(TypedDict):
    """A line of a profile."""

    fact: str
    ids: list[str]
    traits: list[str]
    """What it tells: `name`, `allergy`, `wish`, ..."""


class ProfileFacts(TypedDict):
    """What is known about the user as a person, most important first."""

    profile: list[ProfileFact]


class ConflictFacts(TypedDict):
    """A fact, and older ones that may be about the same."""

    fact: FactDict
    others: list[FactDict]


class Conflicts(TypedDict):
    """Facts that nobody has judged yet, newest first."""

    conflicts: list[ConflictFacts]


class AnswerWithFacts(TypedDict):
    """An answer and what it follows from."""

    answer: str | None
    """None if what is known does not answer the question."""
    facts: list[FactDict]
    reason: NotRequired[str]


class DeepFacts(TypedDict):
    """What a thorough search found."""

    facts: list[FactDict]
    """What an answer follows from; if it abstained, what may be part of one."""
    abstained: bool
    """Whether they may not be enough: say so, rather than guess."""
    reason: NotRequired[str]
    missing: NotRequired[str]


async def _episodes(bound: Bound, asked: EpisodeArguments) -> Mapping[str, Any]:
    found = await bound.memory.episodes(
        asked.query, **bound.ids, since=asked.since, until=asked.until, limit=asked.limit
    )
    return FoundFacts(facts=[fact_dict(each) for each in found["results"]])


async def _profile(bound: Bound, _: NoArguments) -> Mapping[str, Any]:
    found = await bound.memory.profile(**bound.ids)
    return ProfileFacts(
        profile=[
            ProfileFact(fact=each["memory"], ids=each["ids"], traits=each["traits"])
            for each in found["results"]
        ]
    )


async def _conflicts(bound: Bound, _: NoArguments) -> Mapping[str, Any]:
    found = await bound.memory.conflicts(**bound.ids)
    return Conflicts(
        conflicts=[
            ConflictFacts(
                fact=fact_dict(each["memory"]), others=[fact_dict(one) for one in each["others"]]
            )
            for each in found["results"][:MOST_FOUND]
        ]
    )


async def _answer(bound: Bound, asked: QuestionArguments) -> Mapping[str, Any]:
    found = await bound.memory.answer(asked.question, **bound.ids)
    answer = AnswerWithFacts(
        answer=found["answer"], facts=[fact_dict(each) for each in found["citations"]]
    )
    if "reason" in found:
        answer["reason"] = found["reason"]
    return answer


async def _deep(bound: Bound, asked: DeepArguments) -> Mapping[str, Any]:
    found = await bound.memory.deep_recall(
        asked.question, **bound.ids, max_iterations=asked.max_iterations
    )
    facts = DeepFacts(
        facts=[fact_dict(each) for each in found["results"]], abstained=found["abstained"]
    )
    if "reason" in found:
        facts["reason"] = found["reason"]
    if "missing" in found:
        facts["missing"] = found["missing"]
    return facts


RECALL_TOOLS = (
    Tool(
        name="recall_episodes",
        title="Recall what happened",
        description="Find what happened: meetings, trips, decisions, by words and by time.",
        tier=Tier.EPISODIC,
        guard=ToolGuard.READ,
        effects=READS,
        arguments=EpisodeArguments,
        answer=FoundFacts,
        run=_episodes,
    ),
    Tool(
        name="profile_read",
        title="Read the profile",
        description="Read what is known about the user as a person: name, place, what they avoid, "
        "how they want answers.",
        tier=Tier.PROFILE,
        guard=ToolGuard.READ,
        effects=READS,
        arguments=NoArguments,
        answer=ProfileFacts,
        run=_profile,
    ),
    Tool(
        name="conflicts_list",
        title="List conflicting facts",
        description="List facts that may contradict older ones. Settle them with fact_supersede "
        "once the user has said which holds.",
        tier=Tier.SEMANTIC,
        guard=ToolGuard.READ,
        effects=READS,
        arguments=NoArguments,
        answer=Conflicts,
        run=_conflicts,
    ),
    Tool(
        name="memory_answer",
        title="Answer from memory",
        description="Have a question answered from memory alone, with the facts that it follows "
        "from, or learn that memory does not answer it.",
        tier=Tier.SEMANTIC,
        guard=ToolGuard.READ,
        effects=READS,
        arguments=QuestionArguments,
        answer=AnswerWithFacts,
        run=_answer,
        needs_model=True,
    ),
    Tool(
        name="deep_recall",
        title="Search thoroughly",
        description="Find facts for a question that one search does not answer: of several parts, "
        "or about something that has to be found by way of something else. Slower than "
        "fact_search. If it abstained, memory does not answer the question: say so.",
        tier=Tier.SEMANTIC,
        guard=ToolGuard.READ,
        effects=READS,
        arguments=DeepArguments,
        answer=DeepFacts,
        run=_deep,
        needs_model=True,
    ),
)
