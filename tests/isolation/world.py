"""One engine with everybody in it, wired as the application wires it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any, Self

from recollect.config import Settings, load_settings
from recollect.filters import Capture, TurnCache, request_filters
from recollect.filters.explaining import Explainer
from recollect.memory import AsyncMemory
from recollect.memory.calibration import calibration_for
from recollect.memory.database.history import SqlHistory
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.engine.engine import Engine
from recollect.memory.memories import SqlMemories
from recollect.memory.model.errors import InvalidInputError, NotFoundError
from recollect.memory.model.types import Scope
from recollect.memory.records.writing import Follower
from recollect.memory.state import State
from recollect.memory.util.breaker import Breaker
from recollect.proxy.chat.pipeline import Pipeline
from recollect.proxy.chat.threads import Threads
from tests.support.fence import FENCE
from tests.support.parts import parts_of
from tests.support.state import in_memory_state

from .ears import Ears, sees
from .liar import Liar
from .people import People
from .witness import Reach, Witness, ensure, nothing

EMBEDDER = FakeEmbedder()
CALIBRATION = calibration_for("all-MiniLM-L6-v2", dim=EMBEDDER.dim)
"""Real thresholds: with those of an unknown embedder nothing would ever be updated."""


@dataclass
class Parts:
    """What a world stands on; each is in memory and empty unless a test says otherwise."""

    state: State = field(default_factory=in_memory_state)
    """Its database has the memories, their history and the graph too."""
    store: SqlMemories | None = None
    """Other memories than those."""
    history: SqlHistory | None = None
    read: SqlMemories | None = None
    """The same memories, as they are read."""
    followers: Sequence[Follower] = ()
    """Told of what is written to them."""
    turns: TurnCache = field(default_factory=TurnCache)
    threads: Threads = field(default_factory=Threads)
    own_store: bool = True
    """Whether nobody else, no earlier example either, is in the store."""


class World:
    """Everybody's engine, what came of it so far, and the ears that listen."""

    def __init__(
        self, people: People, parts: Parts, *, position: str = "tail", max_memories: int = 25_000
    ) -> None:
        """`max_memories`: users with more are searched for in the store and not in the index."""
        self.people = people
        self.parts = parts
        self.settings = _settings(position)
        self._max_memories = max_memories
        chosen = {"store": parts.store, "history": parts.history}
        own = parts_of(
            state=parts.state,
            embedder=EMBEDDER,
            calibration=CALIBRATION,
            **{name: part for name, part in chosen.items() if part is not None},
        )
        self._parts = replace(own, store=parts.read or own.store)
        self.witness = Witness(own.store, people)
        self.ears = Ears(people, self.witness.scopes)
        self.model = Liar(people, self.ears)
        self.speaker = people.scopes[0]
        self.number = 0
        self.done: Counter[str] = Counter()
        """Steps that ended well, by kind."""
        self.refused: Counter[str] = Counter()
        self.tokens: list[tuple[Scope, str]] = []
        """Proposals to forget, with whose they are."""
        self.responses: list[str] = []
        self.said: list[tuple[Scope, str, str, str]] = []
        """Turns that were captured: whose, conversation, turn, text."""
        self.cleared: list[Callable[[Scope], bool]] = []
        """Scopes of which something was forgotten since."""
        self.spent: Counter[str] = Counter()
        """Calls of the model by tenant."""
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self._stack.enter_context(self.ears)
        self.engine = Engine(
            self._parts,
            self.settings,
            self._find_model,
            on_run=self.ears.telemetry.learned,
            key=b"k" * 32,
        )
        self.engine.parts.writer.followers[:0] = [self.witness, *self.parts.followers]
        self.engine.recaller.indexes.max_memories = self._max_memories
        self._stack.push_async_callback(self.engine.close)
        self.learning = self.engine.background.learning
        self.retention = self.engine.background.retention
        self.worker = self.engine.background.worker
        self.memory = AsyncMemory(self.engine, model=self.model)
        self.model.speaks_for = self._whose
        self._recall()
        return self

    def _recall(self) -> None:
        engine, state = self.engine, self.parts.state
        options, tokens = self.settings.recall, engine.parts.tokens
        self.capture = Capture(
            state.conversations, state.jobs, self.settings.learn, redact=engine.redact
        )
        engine.bus.subscribe(self.parts.turns, self.parts.threads, self.capture)
        self.pipeline = Pipeline(
            request_filters(
                options,
                engine.recaller,
                tokens,
                FENCE,
                self.parts.turns,
                pages=engine.block_prompt,
            ),
            self.capture,
            self.ears.telemetry,
            options=options,
            wake=self.learning.wake,
        )
        self.pipeline.bounds.recall._breaker = Breaker(failures=1000)
        engine.explainer = Explainer(engine.recaller, tokens, options, engine.block_prompt)

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def call(
        self,
        kind: str,
        caller: Scope | str,
        asked: Awaitable[Any],
        *,
        reach: Reach = nothing,
        sent: Collection[str] = (),
    ) -> Any:
        """Wait for an answer to a caller and listen; None if it was refused."""
        self.witness.reach = reach
        try:
            answer = await asked
        except (InvalidInputError, NotFoundError) as error:
            self.refused[kind] += 1
            self.ears.hear(caller, error, sent)
            return None
        finally:
            self.witness.reach = nothing
        self.ears.hear(caller, answer, sent)
        self.done[kind] += 1
        return answer

    def api(self, caller: Scope) -> AsyncMemory:
        """The library as this one's tenant has it."""
        return self.memory.for_tenant(caller.tenant, self.model)

    def held(self, scope: Scope) -> bool:
        """Whether a job that runs may write to this scope."""
        return any(job.scope == scope for job in self.worker.held)

    async def audit(self) -> None:
        """Nobody has lost anything but by what was asked about them."""
        self.ears.overhear()
        await self.witness.audit()
        for scope, conversation, turn_id, text in self.said:
            if any(cleared(scope) for cleared in self.cleared):
                continue
            turns = await self.parts.state.conversations.turns(conversation, 0, 10**6)
            kept = {turn.id: turn for turn in turns}
            ensure(turn_id in kept, f"a turn of {scope} is lost")
            ensure({turn.scope for turn in turns} == {scope}, f"{turns} are not all of {scope}")
            ensure(text in kept[turn_id].user_text, f"a turn of {scope} says something else")
        for item in self.witness.rows.values():
            if item.provenance.superseded_by is None:
                log = await self.engine.parts.history.of(item.scope.tenant, item.id)
                scopes = {record.scope for record in log}
                ensure(scopes == {item.scope}, f"the history of {item} is of {scopes}")
                self.ears.hear(item.scope, log)

    def others_of(self, caller: Scope) -> list[str]:
        """Ids of memories that this one may not see, oldest first."""
        return [i for i, scope in self.witness.scopes.items() if not sees(caller, scope)]

    async def _find_model(self, tenant: str, _model: str) -> Liar:
        ensure(tenant == self._whose().tenant, f"a model of {tenant} for {self._whose()}")
        self.spent[tenant] += 1
        return self.model

    def _whose(self) -> Scope:
        held = self.worker.held
        return held[-1].scope if held else self.speaker


def _settings(position: str) -> Settings:
    settings = load_settings(
        environ={},
        flags={
            "data_dir": "unused",
            "upstream.base_url": "http://nobody.invalid/v1",
            "embedder.backend": "fake",
            "index.backend": "exact",
            "database.url": ":memory:",
            "recall.position": position,
            "recall.deadline_ms": 60_000,
            "learn.every_turns": 3,
            "retention.max_memories": 6,
        },
    )
    learn = settings.learn.model_copy(update={"max_attempts": 1})
    return settings.model_copy(update={"learn": learn})
