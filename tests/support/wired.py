"""A whole engine in this process: nothing on disk, a model that answers from a script."""

from __future__ import annotations

from recollect.memory.engine.options import EngineOptions
from recollect.memory.learn import LearnOptions
from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions
from recollect.memory.model.types import Scope, Turn
from recollect.memory.util.clock import CLOCK

from .constants import made
from .learning import sessions_of
from .parts import engine_of


class Wired:
    """An engine and what tests look at of it; its model is asked for at `base_url`."""

    def __init__(self, base_url="http://nobody.invalid/v1", clock=CLOCK, **learn):
        self.options = made(LearnOptions, **({"retry_seconds": 0.01} | learn))
        self.model = OpenAIChatModel(OpenAIChatOptions(base_url=base_url))
        self.has_model = True
        self.clock = clock
        # Each job would be followed by one that writes an episode.
        chosen = {"learn": self.options, "upkeep": {"kinds": {"episodes": False}}}
        options = EngineOptions.model_validate(chosen)
        self.engine = engine_of(models=self._find, options=options, clock=clock)
        parts = self.engine.parts
        self.store, self.history, self.embedder = parts.store, parts.history, parts.embedder
        self.conversations, self.jobs = parts.state.conversations, parts.state.jobs
        self.ledger = parts.state.ledger
        self.worker = self.engine.background.worker
        self.sessions = sessions_of(self.options, self.conversations, self.jobs, clock=clock)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.engine.close()
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
            created_at=self.clock.now(),
        )
        return await self.conversations.record(turn)

    async def memories(self, user="alice"):
        scope = Scope(tenant="local", user_id=user)
        return [item.text for item in await self.store.list(scope, limit=None)]
