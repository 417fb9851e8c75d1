"""The tools of facts: remember, search, supersede, forget, history; with a person, curation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from ..language import stored_terms
from ..language.scanner import without
from ..model.errors import InvalidInputError, NotFoundError
from ..model.inputs import MAX_REASON_CHARS, MAX_TEXT_CHARS
from ..model.types import EventKind, Source
from ..recall.trait_flags import FIRM
from ..recall.traits import TRAIT, traits_of
from ..trust.quarantine import judge_text
from .surface import Bound
from .tool import ADDS, READS, REPLACES, Effects, Tier, Tool, ToolArguments, ToolGuard

AS_OF = "Only what was true at this time (ISO 8601). Leave out for now."
FACT_ID = "The id of a fact, as a search returned it."
USERS_WORD = "users_word"
UNRELATED = "unrelated"
LEARNING_OFF = "learning_off"
QUARANTINED = "quarantined"
MOST_FOUND = 50
FOUND = 10
"""Facts of one answer, unless asked for others: more than these help no model."""


class FactDict(TypedDict):
    """A fact as a tool shows it."""

    id: str
    fact: str
    status: str
    created_at: str
    source: str
    """Whose word it is: `user`, `extraction` and `said` are the user's, all others are hearsay."""
    valid_from: NotRequired[str]
    valid_to: NotRequired[str]
    score: NotRequired[float]


class FoundFacts(TypedDict):
    """Facts, best first, the newest of a matter before the older ones."""

    facts: list[FactDict]


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


class ForgottenFact(TypedDict):
    """A fact that is not recalled any more."""

    id: str
    forgotten: bool


class FactVersion(TypedDict):
    """One change of a fact."""

    event: str
    at: str
    old: str | None
    new: str | None
    reason: NotRequired[str]


class FactHistory(TypedDict):
    """The changes of a fact, oldest first."""

    id: str
    history: list[FactVersion]


class RememberArguments(ToolArguments):
    """Of `fact_remember`."""

    text: str = Field(
        description="One fact in one sentence that is understood alone, with names instead of "
        "pronouns.",
        max_length=MAX_TEXT_CHARS,
    )


class SearchArguments(ToolArguments):
    """Of `fact_search`."""

    query: str = Field(description="What to look for, as a question or a few words.")
    as_of: str | None = Field(None, description=AS_OF)
    limit: int = Field(FOUND, ge=1, le=MOST_FOUND, description="The most facts to return.")


class SupersedeArguments(ToolArguments):
    """Of `fact_supersede`."""

    old_id: str = Field(description="The id of the fact that does not hold any more.")
    new_id: str | None = Field(None, description="The id of the fact that replaces it, if known.")
    text: str | None = Field(
        None, description="Otherwise the new fact in one sentence.", max_length=MAX_TEXT_CHARS
    )


class FactArguments(ToolArguments):
    """Of the tools that take one fact."""

    id: str = Field(description=FACT_ID)


class InvalidateArguments(FactArguments):
    """Of `fact_invalidate`."""

    reason: str | None = Field(
        None, description="Why it is not true, in a few words.", max_length=MAX_REASON_CHARS
    )
    valid_to: str | None = Field(
        None, description="Until when it was true (ISO 8601), if it ever was."
    )


async def _remember(bound: Bound, asked: RememberArguments) -> Mapping[str, Any]:
    return await _told(bound, asked.text)


async def _search(bound: Bound, asked: SearchArguments) -> Mapping[str, Any]:
    found = await bound.lines(asked.query, limit=asked.limit, as_of=asked.as_of)
    return FoundFacts(facts=[fact_dict(each) for each in found["results"]])


async def _supersede(bound: Bound, asked: SupersedeArguments) -> Mapping[str, Any]:
    if (asked.new_id is None) == (asked.text is None):
        raise InvalidInputError("new_id", "expected either new_id or text")
    old = await _existing(bound, asked.old_id)
    new_id = asked.new_id
    told: RememberedFact | None = None
    if new_id is None:
        told = await _told(bound, asked.text or "")
        if told["event"] == "QUARANTINE" or "id" not in told:
            # Whoever is talked into a text must not be able to put it in the place of a fact.
            return {"replaced": False, **told}
        new_id = told["id"]
    new = await _existing(bound, new_id)
    said = _is_users(old) or old["provenance"].get("shared", False)
    if not bound.validates and said and not (_is_users(new) and _of_one_matter(old, new)):
        # Nor in the place of what a person said, unless they said it of the same: both are shown,
        # until they say which holds.
        kept = told or RememberedFact(event="NONE", id=new_id)
        return {**kept, "replaced": False, "reason": UNRELATED if _is_users(new) else USERS_WORD}
    shown = await bound.memory.settle(new_id, replaces=[asked.old_id], **bound.ids)
    return {"replaced": True, "event": "SUPERSEDE", "id": shown["id"]}


class SupersededFact(RememberedFact):
    """What became of the new fact, and whether it replaces the old one."""

    replaced: bool


async def _forget(bound: Bound, asked: FactArguments) -> Mapping[str, Any]:
    await bound.memory.delete(asked.id, **bound.ids)
    return ForgottenFact(id=asked.id, forgotten=True)


async def _history(bound: Bound, asked: FactArguments) -> Mapping[str, Any]:
    rows = await bound.memory.history(asked.id, **bound.ids)
    if not rows:
        raise NotFoundError(f"there is no fact {asked.id!r}")
    return FactHistory(id=asked.id, history=[_version(row) for row in without_withheld(rows)])


async def _validate(bound: Bound, asked: FactArguments) -> Mapping[str, Any]:
    return fact_dict(await bound.memory.validate(asked.id, **bound.ids))


async def _invalidate(bound: Bound, asked: InvalidateArguments) -> Mapping[str, Any]:
    told = {"reason": asked.reason, "valid_to": asked.valid_to}
    return fact_dict(await bound.memory.invalidate(asked.id, **told, **bound.ids))


async def _revert(bound: Bound, asked: FactArguments) -> Mapping[str, Any]:
    return fact_dict(await bound.memory.revert(asked.id, **bound.ids))


def fact_dict(shown: Mapping[str, Any]) -> FactDict:
    """A memory as the library shows it, without what no model needs."""
    fact = FactDict(
        id=shown["id"],
        fact=shown["memory"],
        status=shown["status"],
        created_at=shown["created_at"],
        source=shown["provenance"]["source"],
    )
    for name in ("valid_from", "valid_to"):
        if name in shown:
            fact[name] = shown[name]
    if "score" in shown:
        fact["score"] = round(shown["score"], 3)
    return fact


async def _told(bound: Bound, text: str) -> RememberedFact:
    """Store a text as the word of a tool: no user said it, whatever the model makes of that."""
    if not bound.memory.learns:
        return RememberedFact(event="NONE", reason=LEARNING_OFF)
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


async def _existing(bound: Bound, memory_id: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] | None = await bound.memory.get(memory_id, **bound.ids)
    if found is None:
        raise NotFoundError(f"there is no fact {memory_id!r}")
    return found


def _is_users(shown: Mapping[str, Any]) -> bool:
    return not Source(shown["provenance"]["source"]).is_hearsay


_KINDS = ("people.user", f"{TRAIT}allergy")
"""Words that facts of different matters share: most begin with the user."""


def _of_one_matter(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether two facts were linked when they were written, or have words in common.

    An allergy, a diet or an illness is ended only by what tells of one too, and of the same:
    "allergic to cats" has no more than the kind in common with "allergic to peanuts".
    """
    first, second = old["provenance"], new["provenance"]
    linked = {*first.get("pending", ()), *second.get("pending", ())}
    if not linked.isdisjoint({old["id"], new["id"]}):
        return True
    if first.get("matter", old["id"]) == second.get("matter", new["id"]):
        return True
    if not traits_of(old["memory"]) & FIRM <= traits_of(new["memory"]):
        return False
    told, meant = (set(stored_terms(without(each["memory"], *_KINDS))) for each in (old, new))
    return not told.isdisjoint(meant)


def without_withheld(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Rows of a history, oldest first, without the texts that wait for a person. Pure.

    What is quarantined is shown to no model: who planted it would be heard by asking for it. It is
    so as it was added, or by a change of its text.
    """
    believed = {row["new_value"] for row in rows if row["event"] == EventKind.VALIDATE}
    waits = len(rows)
    for at, row in enumerate(rows):
        if row["event"] == EventKind.QUARANTINE:
            waits = min(waits, at)
        elif row["event"] == EventKind.VALIDATE:
            waits = len(rows)

    def is_kept_back(at: int, row: Mapping[str, Any]) -> bool:
        texts = {row["old_value"], row["new_value"]} - believed - {None}
        return at >= waits or any(map(judge_text, texts))

    hidden = {"old_value": None, "new_value": None, "reason": QUARANTINED}
    return [{**row, **hidden} if is_kept_back(at, row) else row for at, row in enumerate(rows)]


def _version(row: Mapping[str, Any]) -> FactVersion:
    version = FactVersion(
        event=row["event"], at=row["timestamp"], old=row["old_value"], new=row["new_value"]
    )
    if row.get("reason"):
        version["reason"] = row["reason"]
    return version


FACT_TOOLS = (
    Tool(
        name="fact_remember",
        title="Remember a fact",
        description="Keep one fact about the user or the work for later conversations. Call it "
        "when something will matter again. It is kept as your word, not as the user's.",
        tier=Tier.SEMANTIC,
        guard=ToolGuard.WRITE,
        effects=ADDS,
        arguments=RememberArguments,
        answer=RememberedFact,
        run=_remember,
    ),
    Tool(
        name="fact_search",
        title="Search facts",
        description="Find what is known from earlier conversations, by meaning and words. Call it "
        "before you ask the user for something they may have said.",
        tier=Tier.SEMANTIC,
        guard=ToolGuard.READ,
        effects=READS,
        arguments=SearchArguments,
        answer=FoundFacts,
        run=_search,
    ),
    Tool(
        name="fact_supersede",
        title="Replace a fact",
        description="Say that a newer fact replaces an older one. The old one is kept in the "
        "history. Call it when both cannot be true now. What the user said is replaced only by "
        "what the user said of the same: give its new_id.",
        tier=Tier.SEMANTIC,
        guard=ToolGuard.WRITE,
        effects=REPLACES,
        arguments=SupersedeArguments,
        answer=SupersededFact,
        run=_supersede,
    ),
    Tool(
        name="fact_forget",
        title="Forget a fact",
        description="Stop recalling a fact that is wrong or that the user wants forgotten.",
        tier=Tier.SEMANTIC,
        guard=ToolGuard.WRITE,
        effects=REPLACES,
        arguments=FactArguments,
        answer=ForgottenFact,
        run=_forget,
    ),
    Tool(
        name="fact_history",
        title="History of a fact",
        description="Show how a fact changed over time, oldest change first.",
        tier=Tier.SEMANTIC,
        guard=ToolGuard.READ,
        effects=READS,
        arguments=FactArguments,
        answer=FactHistory,
        run=_history,
    ),
    Tool(
        name="fact_validate",
        title="Confirm a fact",
        description="Confirm a fact that is kept back until a person has looked at it. Call it "
        "only when the user has read the fact and said yes.",
        tier=Tier.SEMANTIC,
        guard=ToolGuard.PERSON,
        effects=Effects(idempotent=True),
        arguments=FactArguments,
        answer=FactDict,
        run=_validate,
    ),
    Tool(
        name="fact_invalidate",
        title="Say that a fact is not true",
        description="Say that a fact is not true, or not any more. It is recalled no more and can "
        "be brought back. Call it only when the user has said so of this fact.",
        tier=Tier.SEMANTIC,
        guard=ToolGuard.PERSON,
        effects=REPLACES,
        arguments=InvalidateArguments,
        answer=FactDict,
        run=_invalidate,
    ),
    Tool(
        name="fact_revert",
        title="Take a change of a fact back",
        description="Undo the last change of a fact: that it was said to be untrue, replaced or "
        "reworded. Call it only when the user wants it back as it was.",
        tier=Tier.SEMANTIC,
        guard=ToolGuard.PERSON,
        effects=REPLACES,
        arguments=FactArguments,
        answer=FactDict,
        run=_revert,
    ),
)
