"""The tools that are more than a method of the library, or another one for models.

The docstring of each is its sentence for the model that calls.
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from typing_extensions import TypedDict

from ..model.errors import InvalidInputError, NotFoundError
from ..model.inputs import DEFAULT_ITERATIONS, MAX_ITERATIONS
from ..operations.declaring import field
from ..operations.told import (
    FOUND,
    MOST_FOUND,
    AnswerWithFacts,
    DeepFacts,
    FactHistory,
    FoundFacts,
    ToolBlocks,
)
from ..operations.tooling import ADDS, REPLACES, Bound, Tier, tool
from .facts import is_users, of_one_matter, without_withheld

USERS_WORD = "users_word"
UNRELATED = "unrelated"
LEARNING_OFF = "learning_off"
FactId = Annotated[str, field("The id of a fact, as a search returned it.")]
Question = Annotated[str, field("A question about the user or the work.")]
Most = Annotated[int, field("The most facts to return.", high=MOST_FOUND)]


class RememberedFact(TypedDict):
    """What became of a fact that was told."""

    event: str
    """`ADD`, or `QUARANTINE`: kept, but shown to nobody until a person confirms it; `NONE`: not
    stored, see `reason`."""
    id: NotRequired[str]
    reason: NotRequired[str]
    """`duplicate`: `id` has it already; `secret`: it is one; `empty`; `users_word`: the user said
    the older fact, and only the user's own word replaces it; `unrelated`: the user said
    both, and not of one matter; `learning_off`: nothing is stored."""


class SupersededFact(RememberedFact):
    """What became of the new fact, and whether it replaces the old one."""

    replaced: bool


class ForgottenFact(TypedDict):
    """A fact that is not recalled any more."""

    id: str
    forgotten: bool


@tool("block_read", "Read blocks", Tier.WORKING, answer=ToolBlocks)
async def block_read(
    bound: Bound,
    label: Annotated[str | None, field("The label of the block. Leave out for all blocks.")] = None,
) -> Any:
    """Read the working blocks: short texts that you keep up to date yourself."""
    if label is None:
        return await bound.memory.blocks.list(**bound.ids)
    return {"results": [await bound.memory.blocks.get(label, **bound.ids)]}


@tool("fact_remember", "Remember a fact", Tier.SEMANTIC, ADDS)
async def fact_remember(
    bound: Bound,
    text: Annotated[
        str,
        field("One fact in one sentence that is understood alone, with names instead of pronouns."),
    ],
) -> RememberedFact:
    """Keep one fact about the user or the work for later conversations. Call it when something
    will matter again. It is kept as your word, not as the user's.
    """  # noqa: D205 - a text for models
    if not bound.memory.learns:
        return RememberedFact(event="NONE", reason=LEARNING_OFF)
    # No user said it, whatever the model makes of that.
    told = [{"role": "tool", "content": text}]
    stored = await bound.memory.add(told, **bound.ids, infer=False)
    for event in stored["results"]:
        return RememberedFact(event=event["event"], id=event["id"])
    for skipped in stored.get("skipped", ()):
        passed = RememberedFact(event="NONE", reason=skipped["reason"])
        if "id" in skipped:
            passed["id"] = skipped["id"]
        return passed
    return RememberedFact(event="NONE", reason="empty")


@tool("fact_search", "Search facts", Tier.SEMANTIC, answer=FoundFacts)
async def fact_search(
    bound: Bound,
    query: Annotated[str, field("What to look for, as a question or a few words.")],
    as_of: Annotated[
        str | None, field("Only what was true at this time (ISO 8601). Leave out for now.")
    ] = None,
    limit: Most = FOUND,
) -> Any:
    """Find what is known from earlier conversations, by meaning and words. Call it before you ask
    the user for something they may have said.
    """  # noqa: D205 - a text for models
    return await bound.lines(query, limit=limit, as_of=as_of)


@tool("fact_supersede", "Replace a fact", Tier.SEMANTIC, REPLACES)
async def fact_supersede(
    bound: Bound,
    old_id: Annotated[str, field("The id of the fact that does not hold any more.")],
    new_id: Annotated[str | None, field("The id of the fact that replaces it, if known.")] = None,
    text: Annotated[str | None, field("Otherwise the new fact in one sentence.")] = None,
) -> SupersededFact:
    """Say that a newer fact replaces an older one. The old one is kept in the history. Call it
    when both cannot be true now. What the user said is replaced only by what the user said of the
    same: give its new_id.
    """  # noqa: D205 - a text for models
    if (new_id is None) == (text is None):
        raise InvalidInputError("new_id", "expected either new_id or text")
    old = await _existing(bound, old_id)
    told: RememberedFact | None = None
    if new_id is None:
        told = await fact_remember(bound, text or "")
        if told["event"] == "QUARANTINE" or "id" not in told:
            # Whoever is talked into a text must not be able to put it in the place of a fact.
            return SupersededFact(replaced=False, **told)
        new_id = told["id"]
    new = await _existing(bound, new_id)
    said = is_users(old) or old["provenance"].get("shared", False)
    if not bound.validates and said and not (is_users(new) and of_one_matter(old, new)):
        # Nor in the place of what a person said, unless they said it of the same: both are shown,
        # until they say which holds.
        kept = told or RememberedFact(event="NONE", id=new_id)
        why = UNRELATED if is_users(new) else USERS_WORD
        return SupersededFact(**{**kept, "reason": why}, replaced=False)  # type: ignore[typeddict-item]  # as `kept`
    shown = await bound.memory.settle(new_id, replaces=[old_id], **bound.ids)
    return SupersededFact(replaced=True, event="SUPERSEDE", id=shown["id"])


@tool("fact_forget", "Forget a fact", Tier.SEMANTIC, REPLACES)
async def fact_forget(bound: Bound, id: FactId) -> ForgottenFact:  # noqa: A002 - the argument
    """Stop recalling a fact that is wrong or that the user wants forgotten."""
    await bound.memory.delete(id, **bound.ids)
    return ForgottenFact(id=id, forgotten=True)


@tool("fact_history", "History of a fact", Tier.SEMANTIC, answer=FactHistory)
async def fact_history(bound: Bound, id: FactId) -> Any:  # noqa: A002 - the argument
    """Show how a fact changed over time, oldest change first."""
    rows = await bound.memory.history(id, **bound.ids)
    if not rows:
        raise _unknown(id)
    return {"id": id, "history": without_withheld(rows)}


@tool("recall_episodes", "Recall what happened", Tier.EPISODIC, answer=FoundFacts)
async def recall_episodes(
    bound: Bound,
    query: Annotated[str, field("What happened, in a few words.")],
    since: Annotated[str | None, field("Only what ended at this time or later (ISO).")] = None,
    until: Annotated[str | None, field("Only what ended before this time (ISO).")] = None,
    limit: Annotated[int, field("The most episodes to return.", high=MOST_FOUND)] = FOUND,
) -> Any:
    """Find what happened: meetings, trips, decisions, by words and by time."""
    return await bound.memory.episodes(query, since=since, until=until, limit=limit, **bound.ids)


@tool(
    "memory_answer", "Answer from memory", Tier.SEMANTIC, answer=AnswerWithFacts, needs_model=True
)
async def memory_answer(bound: Bound, question: Question) -> Any:
    """Have a question answered from memory alone, with the facts that it follows from, or learn
    that memory does not answer it.
    """  # noqa: D205 - a text for models
    return await bound.memory.answer(question, **bound.ids)


@tool("deep_recall", "Search thoroughly", Tier.SEMANTIC, answer=DeepFacts, needs_model=True)
async def deep_recall(
    bound: Bound,
    question: Question,
    max_iterations: Annotated[
        int,
        field(
            "The most times that what was found is judged, and more is searched for.",
            high=MAX_ITERATIONS,
        ),
    ] = DEFAULT_ITERATIONS,
) -> Any:
    """Find facts for a question that one search does not answer: of several parts, or about
    something that has to be found by way of something else. Slower than fact_search. If it
    abstained, memory does not answer the question: say so.
    """  # noqa: D205 - a text for models
    return await bound.memory.deep_recall(question, max_iterations=max_iterations, **bound.ids)


async def _existing(bound: Bound, memory_id: str) -> Any:
    found = await bound.memory.get(memory_id, **bound.ids)
    if found is None:
        raise _unknown(memory_id)
    return found


def _unknown(memory_id: str) -> NotFoundError:
    return NotFoundError(f"there is no fact {memory_id!r}")
