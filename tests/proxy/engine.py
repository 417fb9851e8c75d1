"""A whole engine in this process: real parts, nothing on disk, a model that answers from a script."""

from __future__ import annotations

from memory.embedders import FakeEmbedder
from memory.learn import LearnOptions
from memory.llms import OpenAIChatModel, OpenAIChatOptions
from memory.state.inmemory import (
    InMemoryConversations,
    InMemoryHistory,
    InMemoryJobs,
    InMemoryLedger,
    InMemoryTombstones,
)
from memory.stores.inmemory import InMemoryStore
from memory.types import Scope, Turn, utc_now
from tests.support.learning import sessions_of, worker_of


class Engine:
    """The parts a worker and a memory need; `model` is asked for at `base_url`."""

    def __init__(self, base_url="http://nobody.invalid/v1", **learn):
        self.options = LearnOptions(**({"retry_seconds": 0.01, "summaries": False} | learn))
        self.embedder = FakeEmbedder()
        self.store = InMemoryStore(dim=self.embedder.dim)
        self.history = InMemoryHistory()
        self.conversations = InMemoryConversations()
        self.jobs = InMemoryJobs()
        self.model = OpenAIChatModel(OpenAIChatOptions(base_url=base_url, max_retries=0))
        self.has_model = True
        self.tombstones = InMemoryTombstones()
        self.ledger = InMemoryLedger()
        self.worker = worker_of(
            store=self.store,
            embedder=self.embedder,
            history=self.history,
            conversations=self.conversations,
            jobs=self.jobs,
            models=self._find,
            options=self.options,
            tombstones=self.tombstones,
            ledger=self.ledger,
        )
        self.sessions = sessions_of(self.options, self.conversations, self.jobs)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.model.close()

    async def _find(self, _tenant, _model):
        return self.model if self.has_model else None

    async def say(self, text, user="alice", conversation="c"):
        """Capture one turn."""
        scope = Scope(tenant="local", user_id=user)
        turn = Turn(
            id=f"{conversation}/{text}",
            conversation_id=conversation,
            scope=scope,
            user_text=text,
            assistant_text="I see",
            model="m",
            created_at=utc_now(),
        )
        return await self.conversations.record(turn)

    async def memories(self, user="alice"):
        scope = Scope(tenant="local", user_id=user)
        return [item.text for item in await self.store.list(scope, limit=None)]
