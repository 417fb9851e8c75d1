"""Who is told of a change of memories, and what runs in the background of an engine."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..graph import Graph
from ..jobs.file_watch import LOOK_SECONDS
from ..llms import GuardedModel
from ..model.ports import ChatModel
from ..recall import HotIndexes, Recaller, Withholding
from ..recall.index.facts import derived
from ..records.events import Feed
from ..records.parts import Parts
from ..records.writing import Announced, MemoryWriter
from ..statements.statement_cache import StatementCache
from ..util.loops import guarded
from .daily_meter import FLUSH_SECONDS
from .graph_parts import following
from .options import EngineOptions

if TYPE_CHECKING:
    from .engine import Engine

FALL_SECONDS = 5.0
"""Longest time that a close still looks after what stands on changed memories."""


def writer_of(parts: Parts, indexes: HotIndexes, feed: Feed, announced: Announced) -> MemoryWriter:
    """What all changes of memories go through; `announced` is told what they announce."""
    writer = parts.writer.followed()
    writer.announced = announced
    writer.derive = lambda memory: derived(memory, indexes.judge)
    writer.moment = lambda: feed.texts.moment
    return writer


def withholding_of(
    options: EngineOptions, recaller: Recaller, vision: ChatModel | None
) -> Withholding:
    """What keeps memories from models, asked by the recaller and before each picture is sent."""
    made = Withholding(options.trust.policy, recaller.indexes.store)
    made.private = recaller.private_among
    recaller.withholding = made
    if isinstance(vision, GuardedModel):
        vision.check = made.check
    return made


def follow(
    writer: MemoryWriter,
    parts: Parts,
    indexes: HotIndexes,
    graph: Graph | None,
    feed: Feed,
    said: StatementCache,
) -> None:
    """Tell of each change, in this order, those who keep something of memories; and of others'."""
    told = (indexes, graph, feed, parts.index)
    writer.followers += [each for each in told if each is not None]
    if (log := parts.state.log) is not None:
        writer.shared = log
        log.elsewhere += (indexes.heard, said.heard)
        log.missed += (indexes.clear, said.clear)
        if parts.index is not None:
            log.elsewhere.append(parts.index.heard)


def register(engine: Engine) -> None:
    """What runs in the background and what ends with the engine, in the reverse order."""
    registry, state = engine.registry, engine.parts.state
    registry.register("index builds", close=partial(engine.builds.drain, 0))
    registry.stack.callback(engine.bulk.close)
    if state.log is not None:
        registry.register("switches", run=engine.switches.follow)
        registry.register("policies", run=engine.policies.follow)
        registry.register("log of changes", run=state.log.run)
    if engine.sibling_messages is not None:
        registry.register("siblings", run=engine.sibling_messages.listen)
    if state.listen is not None:
        registry.register("replicas", run=state.listen)
    registry.register("files", run=engine.watch.look, every=LOOK_SECONDS)
    if state.missing is None:
        flush, last = engine.meter.flush, partial(guarded, engine.meter.flush)
        registry.register("daily sums", run=flush, every=FLUSH_SECONDS, close=last)
        last = partial(guarded, engine.injected.flush)
        registry.register("injected", run=engine.injected.run, close=last)
    if engine.recaller.compares:
        registry.register("prototypes", run=partial(guarded, engine.recaller.prepare))
    if engine.tells_meaning():
        registry.register("clients", run=partial(guarded, engine.client_requests.prepare))
        registry.register("roles", run=partial(guarded, engine.stage.prepare))
    if engine.review:
        registry.register("review", run=partial(guarded, engine.review.prepare))
    if (graph := engine.graph) is not None:
        registry.register(
            "graph",
            run=partial(following, graph, leads=engine.background.leads, alone=state.scripts.alone),
            close=partial(graph.close, FALL_SECONDS),
        )
    registry.register("said", run=engine.indexer.listen)
    registry.register("said at length", run=partial(engine.indexer.listen, long=True))
    registry.register("said, by meaning", run=engine.indexer.embed)
    registry.register("falling", close=partial(engine.derived_upkeep.close, FALL_SECONDS))
    engine.background.register(registry)
    registry.register("spoken", close=engine.spoken.close)
