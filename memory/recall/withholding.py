"""Keeps memories from models that a policy keeps them from: every reader of memory asks here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, TypeVar

from ..language.fold import fold
from ..memories import SqlMemories
from ..model.blocks import Block
from ..model.errors import WithheldError
from ..model.scope import Scope
from ..model.turns import TOLD_UNKNOWN, Turn, told_to_of
from ..model.types import ChatRequest, MemoryItem, Source
from ..trust.policy import BLOCK, SAID, Policy, PolicyFacts, PolicyRule, WithheldBy
from ..util.destinations import READERS, SPEAKER, Destination, read_by
from ..util.lru import Lru
from .injection_policy import is_validated

Piece = MemoryItem | Turn | Block
P = TypeVar("P", MemoryItem, Turn, Block)
MOST_DEEP = 4
"""How often what was concluded is asked what it was concluded from."""
MOST_JUDGED = 16_384
"""Texts of which it is kept whether they are private."""
_OWN_WORDS = frozenset({Source.SAID, Source.ASSISTANT})
_ROWLESS = ("user:", "assistant:")


async def nothing_is_private(texts: Sequence[str]) -> Sequence[bool]:
    """The default `private`: for policies that do not ask for it."""
    return [False for _ in texts]


class Withholding:
    """One policy for all destinations; users may have rules of their own besides."""

    def __init__(self, rules: Sequence[PolicyRule], memories: SqlMemories) -> None:
        self._policy = Policy(tuple(rules))
        self._memories = memories
        self.of_users: Mapping[tuple[str, str | None], Sequence[PolicyRule]] = {}
        """The rules of users, by tenant and user."""
        self.changes = 0
        """How often these changed: what was chosen under others may not be shown again."""
        self.private: Callable[[Sequence[str]], Awaitable[Sequence[bool]]] = nothing_is_private
        """Tells which texts are about health, money, fear or trouble in the family."""
        self.known: Sequence[Destination] = ()
        """The servers and models that are configured, the one of chats first."""
        self.counted: Counter[str] = Counter()
        """How often something was withheld, by the reason."""
        self._private: Lru[str, bool] = Lru(MOST_JUDGED)

    @property
    def active(self) -> bool:
        """Whether there is any rule at all; without one nothing here costs anything."""
        return bool(self._policy.rules or self.of_users)

    @property
    def upstream(self) -> str:
        """The base URL that chats go to; "" if there are none."""
        return self.known[0].upstream if self.known else ""

    def chat_with(self, model: str = "") -> AbstractContextManager[None]:
        """Within it, what is read is for a chat with this model, or with any."""
        if not (self.active and self.known):
            return nullcontext()
        return read_by(Destination(self.upstream, model))

    def rules_for(self, scope: Scope, to: Sequence[Destination]) -> Policy:
        """The rules about these destinations, with those of the scope's user."""
        own = self.of_users.get((scope.tenant, scope.user_id), ())
        return self._policy.with_rules(own).of(to)

    def learns(self, scope: Scope, to: Destination) -> bool:
        """Whether the answers of a destination are learned from."""
        return not self.active or self.rules_for(scope, [to]).learns

    async def read(self, pieces: Sequence[P]) -> list[P]:
        """Those that may go to whoever reads now (`READERS`)."""
        return await self.admitted(pieces, READERS.get())

    async def admitted(self, pieces: Sequence[P], to: Sequence[Destination]) -> list[P]:
        """Those that may go to all of these destinations. Raises StoreError, EmbeddingError."""
        gone = await self.withheld(pieces, to)
        self.counted.update(why.value for why in gone.values())
        return [each for each in pieces if each.id not in gone]

    async def unread(self, pieces: Sequence[Piece]) -> Mapping[str, WithheldBy]:
        """Those that may not go to whoever reads now, with the reason."""
        return await self.withheld(pieces, READERS.get())

    async def withheld(
        self, pieces: Sequence[Piece], to: Sequence[Destination]
    ) -> Mapping[str, WithheldBy]:
        """By id, why pieces may not go to one of these destinations."""
        if not (self.active and to and pieces):
            return {}
        return await self._withheld(pieces, to, MOST_DEEP)

    async def check(self, request: ChatRequest, to: Sequence[Destination]) -> None:
        """Raise WithheldError if a request may not go to one of these, or nobody says what it has.

        What is asked within a chat is the chat's own words, too: it was told to its model.
        """
        if not (self.active and self._keeps(to)):
            return
        if request.holds is None:
            raise WithheldError
        gone = {**await self.withheld(request.holds, to), **dict(self._unseen(request, to))}
        if gone or await self._asked_within_chat(request, to):
            self.counted.update(why.value for why in gone.values())
            raise WithheldError(gone)

    def _unseen(
        self, request: ChatRequest, to: Sequence[Destination]
    ) -> Iterator[tuple[str, WithheldBy]]:
        """Whose pictures may not go: what they show is told by no text."""
        pictures = any(one.images for one in request.messages)
        for each in (pictures and request.holds) or ():
            why = self.rules_for(each.scope, to).why_withheld(_facts(each, None, None))
            if why is not None:
                yield each.id, why

    def _keeps(self, to: Sequence[Destination]) -> bool:
        """Whether anything of anybody is kept from one of these."""
        every = [self._policy, *(Policy(tuple(rules)) for rules in self.of_users.values())]
        return any(policy.of(to).withholds for policy in every)

    async def _asked_within_chat(self, request: ChatRequest, to: Sequence[Destination]) -> bool:
        readers, scope = READERS.get(), SPEAKER.get()
        if not readers or scope is None or set(to) <= set(readers):
            return False
        text = "\n".join(one.content for one in request.messages if one.role == "user")
        policy = self.rules_for(scope, to)
        [private] = await self._judged([text]) if policy.asks_private else [None]
        told = tuple(one.told for one in readers)
        facts = PolicyFacts(kind=SAID, text=text, private=private, told_to=told)
        return policy.why_withheld(facts) is not None

    async def _withheld(
        self, pieces: Sequence[Piece], to: Sequence[Destination], deep: int
    ) -> dict[str, WithheldBy]:
        policies = {each.scope: self.rules_for(each.scope, to) for each in pieces}
        shared = {each.id: each.scope for each in pieces if _is_shared(each)}
        if not (shared or any(policy.withholds for policy in policies.values())):
            return {}
        asks = any(policy.asks_private for policy in policies.values())
        texts = [text_of(each) for each in pieces]
        private = await self._judged(texts) if asks else [None for _ in texts]
        found: dict[str, WithheldBy] = {}
        for each, text, told in zip(pieces, texts, private, strict=True):
            why = policies[each.scope].why_withheld(_facts(each, text, told))
            if why is not None:
                found[each.id] = why
        rest = [one for one in pieces if isinstance(one, MemoryItem) and one.id not in found]
        return found | await self._derived(rest, to, deep, shared)

    async def _derived(
        self,
        items: Sequence[MemoryItem],
        to: Sequence[Destination],
        deep: int,
        shared: Mapping[str, Scope],
    ) -> dict[str, WithheldBy]:
        """Those that rest on something that does not go there, or on more than is followed."""
        made = {item.id: _grounds(item) for item in items if _grounds(item)}
        if not made:
            return {}
        if not deep:
            return dict.fromkeys(made, WithheldBy.DERIVED)
        ids: dict[str, set[str]] = {}
        for item in items:
            ids.setdefault(item.scope.tenant, set()).update(_grounds(item))
        grounds = [
            one
            for tenant, names in ids.items()
            for one in await self._memories.get(tenant, sorted(names))
        ]
        # What others share has its evidence in its owner's row alone, and the rules of both count.
        grounds += [replace(one, scope=shared[one.id]) for one in grounds if one.id in shared]
        gone = {
            name
            for name, why in (await self._withheld(grounds, to, deep - 1)).items()
            # Whoever validated a conclusion answers for its words.
            if why is not WithheldBy.UNVALIDATED or name in shared
        }
        return {name: WithheldBy.DERIVED for name, on in made.items() if not gone.isdisjoint(on)}

    async def _judged(self, texts: Sequence[str]) -> list[bool | None]:
        new = [text for text in dict.fromkeys(texts) if self._private.get(text) is None]
        if new:
            for text, told in zip(new, await self.private(new), strict=True):
                self._private.put(text, told)
        return [self._private.get(text) for text in texts]


def text_of(piece: Piece) -> str:
    """All its words that a destination would get."""
    if isinstance(piece, MemoryItem):
        return "\n".join(filter(None, (piece.text, piece.provenance.context)))
    if isinstance(piece, Block):
        return f"{piece.label}\n{piece.description}\n{piece.value}"
    steps = [text for one in piece.steps for text in (one.arguments, one.result)]
    asked = piece.before.asked if piece.before is not None else ""
    return "\n".join(filter(None, (piece.user_text, piece.assistant_text, asked, *steps)))


def _is_shared(piece: Piece) -> bool:
    return isinstance(piece, MemoryItem) and piece.provenance.shared


def _grounds(item: MemoryItem) -> Sequence[str]:
    return [item.id] if _is_shared(item) else item.provenance.cites


def _facts(piece: Piece, text: str | None, private: bool | None) -> PolicyFacts:
    if isinstance(piece, Block):
        return PolicyFacts(kind=BLOCK, text=text, private=private)
    if isinstance(piece, Turn):
        return PolicyFacts(
            kind=SAID,
            text=text,
            private=private,
            told_to=told_to_of([piece]) or (TOLD_UNKNOWN,),
        )
    origin = piece.provenance
    from_chat = origin.conversation_id is not None and origin.turn_ids
    said = origin.source in _OWN_WORDS and (
        origin.source is Source.SAID or piece.id.startswith(_ROWLESS)
    )
    return PolicyFacts(
        kind=SAID if said else piece.type.value,
        text=text,
        topics=frozenset(map(fold, _values_in(piece.metadata))),
        validated=is_validated(piece),
        private=private,
        told_to=origin.told_to or ((TOLD_UNKNOWN,) if from_chat else ()),
    )


def _values_in(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [each for one in value.values() for each in _values_in(one)]
    if isinstance(value, (list, tuple)):
        return [each for one in value for each in _values_in(one)]
    return []
