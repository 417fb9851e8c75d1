"""The chat route between a scripted upstream and raw clients, its memory in this process."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

from recollect.config.server import IdentityOptions, ListenOptions, UpstreamOptions
from recollect.filters import (
    Capture,
    Injection,
    Outcome,
    Position,
    RequestRecallOptions,
    Verdict,
)
from recollect.filters.exchange import RequestFilter
from recollect.filters.side_requests import never
from recollect.memory.learn import LearnOptions
from recollect.memory.recall import Selection
from recollect.memory.util.tasks import Tasks
from recollect.proxy.access.accepted import Accepted
from recollect.proxy.access.access import Access
from recollect.proxy.access.credentials import ClientModels
from recollect.proxy.access.shared_default import SharedDefault
from recollect.proxy.chat.compressing import CompressingModels
from recollect.proxy.chat.memory_route import MemoryRoute
from recollect.proxy.chat.pipeline import Pipeline
from recollect.proxy.chat.placing.places import ModelPlaces
from recollect.proxy.chat.reader import Reader
from recollect.proxy.chat.request_side import RequestSide
from recollect.proxy.chat.response_side import ResponseSide
from recollect.proxy.chat.threads import Threads
from recollect.proxy.dialects.chat import CHAT
from recollect.proxy.telemetry.tracing import Telemetry
from recollect.proxy.transport.passthrough import Passthrough
from recollect.proxy.transport.upstream import Upstream
from tests.support.state import InMemoryConversations, InMemoryJobs
from tests.support.withholding import no_policy

from .wire import SECONDS, RawUpstream, Served, request, response

PATH = "/v1/chat/completions"
BODY = b'{ "model":"m",\t"unknown" : [1.0, 1e5],\r\n"messages":[ {"role":"user","content":"Hi \\u00e9"} ] }'
SSE = "Content-Type: text/event-stream"
EVENTS = (
    b'data: {"choices":[{"delta":{"content":"hel"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":"lo"}}]}\n\n',
)
DONE = b"data: [DONE]\n\n"
COMPLETION = b'{"choices":[{"index":0,"message":{"role":"assistant","content":"hello"}}]}'


class Does(RequestFilter):
    """A request filter made of a function."""

    name = "does"

    def __init__(self, work):
        self._work = work

    async def request(self, exchange):
        await self._work(exchange)


async def inject(exchange):
    """What recall and inject note when there is something."""
    exchange.selection = Selection((_hit("m1"), _hit("m2")), ())
    exchange.injections = [Injection(0, "remember", exchange.place)]
    exchange.injected = frozenset({"m1 hash", "m2 hash"})
    exchange.verdict = Verdict(Outcome.INJECTED, "personal")


def _hit(name):
    return SimpleNamespace(
        item=SimpleNamespace(id=name, hash="hash"), role="", step=None, cosine=0.5, coverage=0.5
    )


async def nothing(_exchange):
    """A filter that finds nothing."""


class Conversations(InMemoryConversations):
    """Real ones that can be told to hang or fail."""

    def __init__(self):
        super().__init__()
        self.before = None

    async def record(self, turn):
        if self.before is not None:
            await self.before(turn)
        return await super().record(turn)

    async def thread(self, scope, name, *, limit):
        if self.before is not None:
            await self.before(name)
        return await super().thread(scope, name, limit=limit)


class Noted(ClientModels):
    """The clients' models, with how many tenants are new to them."""

    new_tenants = 0

    def note(self, tenant, credential, model):
        new = super().note(tenant, credential, model)
        self.new_tenants += new
        return new


class Chatting:
    """The route between a scripted upstream and raw clients, its memory in this process."""

    def __init__(
        self,
        script=None,
        *,
        dialect=CHAT,
        step=nothing,
        identity=None,
        limits=None,
        learn=None,
        recall=None,
        conversations=None,
        compress=None,
        likeness=never,
    ):
        """`conversations`: those of another process that shares them, or of one before a restart.

        `compress` makes the filter that takes out old turns, of these conversations. `likeness`
        tells what asks for data about a chat.
        """
        self._compress, self._likeness = compress, likeness
        self.server = RawUpstream(response(COMPLETION) if script is None else script)
        self.conversations = conversations or Conversations()
        self.jobs = InMemoryJobs()
        self.tasks = Tasks()
        self.wakes = 0
        self.now = 1000.0
        self._dialect = dialect
        self._step = step
        self._identity = IdentityOptions(**(identity or {}))
        self._limits = limits or {}
        self._learn = LearnOptions(**(learn or {}))
        self._recall = RequestRecallOptions(
            **{"deadline_ms": 50, "position": Position.TAIL, **(recall or {})}
        )

    async def __aenter__(self):
        await self.server.__aenter__()
        limits = UpstreamOptions(base_url=self.server.base_url, **self._limits)
        telemetry = Telemetry()
        self._upstream = Upstream(limits)
        self.models = Noted(limits)
        access = Access(self._identity, ListenOptions(allowed_hosts=("proxy.test",)))
        threads = Threads()
        self.places = ModelPlaces(limits.base_url, self._recall.position, clock=lambda: self.now)
        compress = [] if self._compress is None else [self._compress(self.conversations)]
        capture = Capture(self.conversations, self.jobs, self._learn)
        capture.likeness = self._likeness
        pipeline = Pipeline(
            [*compress, Does(self._step)],
            capture,
            telemetry,
            options=self._recall,
            wake=lambda: setattr(self, "wakes", self.wakes + 1),
        )
        pipeline.compressing = CompressingModels() if compress else None
        self.reader = Reader(self._dialect, limits.max_parsed_bytes)
        route = MemoryRoute(
            self.reader,
            RequestSide(
                access, threads, pipeline, SharedDefault(self._identity), self.places, no_policy()
            ),
            ResponseSide(
                self._dialect,
                pipeline,
                threads,
                lambda *told: self.models.note(*told) and pipeline.wake(),
                self.tasks,
                Accepted(),
            ),
            access=access,
            passthrough=Passthrough(self._upstream, telemetry),
            telemetry=telemetry,
        )
        self.recent = route.recent
        self._served = Served(route.handle)
        await self._served.__aenter__()
        self.port = self._served.port
        return self

    async def __aexit__(self, *_):
        await self._served.__aexit__()
        await self.tasks.drain(SECONDS)
        await self.models.close()
        await self._upstream.close()
        await self.server.__aexit__()

    async def send(self, data):
        """Any request, as bytes."""
        return await self._served.ask(data)

    async def ask(self, body=BODY, *headers):
        """A chat request of alice."""
        return await self.send(
            request("POST", self._dialect.path, body, "x-recollect-user: alice", *headers)
        )

    @property
    def new_tenants(self):
        return self.models.new_tenants

    @property
    def due(self):
        """How often the learner was woken for a conversation, and not for a new tenant."""
        return self.wakes - self.new_tenants

    @property
    def received(self):
        return self.server.requests[-1]

    async def turns(self):
        return await self.conversations.pending(idle_since=None, scope=None)

    async def captured(self):
        """The turn that is captured, as soon as it is."""
        async with asyncio.timeout(SECONDS):
            while not (turns := await self.turns()):
                await asyncio.sleep(0.01)
        return turns[0]


def said(seen):
    """Our headers on an answer: outcome, reason, count."""
    names = ("x-recollect-memory", "x-recollect-reason", "x-recollect-count")
    return tuple(",".join(seen.head.values(name)) for name in names)
