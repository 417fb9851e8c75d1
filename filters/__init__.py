"""The filters of a request. Only this module defines their order."""

from __future__ import annotations

from recollect.memory.blocks import BlockPrompt
from recollect.memory.forget import ForgettingByChat
from recollect.memory.model.ports import ModelSource, TokenCounter
from recollect.memory.model.types import ToolCall

from .capture import Capture
from .compress.filter import Compress
from .compress.options import CompressOptions
from .exchange import (
    Answer,
    Exchange,
    Injection,
    Outcome,
    Place,
    Recalls,
    ReportedUsage,
    RequestFilter,
    Verdict,
)
from .forget import ForgetAsked
from .gate.filter import Gate
from .inject import Fence, Position, frame
from .inject.filter import Inject, Replay
from .inject.working_blocks import WorkingBlocks
from .options import RequestRecallOptions
from .recall import Recall
from .rewrite.filter import Rewrite, RewriteByModel
from .side_requests import SideRequests
from .turn_cache import TurnCache

__all__ = [
    "Answer",
    "Capture",
    "Compress",
    "CompressOptions",
    "Exchange",
    "Fence",
    "Injection",
    "Outcome",
    "Place",
    "Position",
    "ReportedUsage",
    "RequestFilter",
    "RequestRecallOptions",
    "ToolCall",
    "TurnCache",
    "Verdict",
    "filters_before_recall",
    "request_filters",
]


def request_filters(
    options: RequestRecallOptions,
    recaller: Recalls,
    tokens: TokenCounter,
    fence: Fence,
    kept: TurnCache | None = None,
    models: ModelSource | None = None,
    spoken: ForgettingByChat | None = None,
    pages: BlockPrompt | None = None,
    compress: Compress | None = None,
) -> list[RequestFilter]:
    """The filters of the request side, in the order they run.

    `kept` is their memory of turns, which the caller can make forget. `models` finds the model of a
    rewrite; without it, the rewrite uses no model. Without `spoken` nobody forgets by saying so,
    without `pages` there are no working blocks, and without `compress` no turn is taken out.
    """
    kept = TurnCache() if kept is None else kept
    side_requests, gate, *others = filters_before_recall(options, kept, models)
    return [
        side_requests,
        *([compress] if compress is not None else []),
        *([WorkingBlocks(pages, options.position)] if pages is not None else []),
        gate,
        *([ForgetAsked(spoken, fence)] if spoken is not None else []),
        *others,
        Recall(recaller, kept, reserve_tokens=tokens.count(frame())),
        _inject(options, kept, fence),
    ]


def filters_before_recall(
    options: RequestRecallOptions, kept: TurnCache | None = None, models: ModelSource | None = None
) -> list[RequestFilter]:
    """The filters that decide whether and what to search."""
    rewrite = Rewrite(options.rewrite)
    if options.rewrite.asks_model and models is not None:
        rewrite = RewriteByModel(options.rewrite, models, TurnCache() if kept is None else kept)
    return [SideRequests(), Gate(), rewrite]


def _inject(options: RequestRecallOptions, kept: TurnCache, fence: Fence) -> RequestFilter:
    if options.position is Position.REPLAY:
        return Replay(kept, fence)
    return Inject(fence)
