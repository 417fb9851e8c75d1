"""What may look at or change one exchange. The order is here and nowhere else."""

from __future__ import annotations

from memory.ports import TokenCounter
from memory.recall import Recaller

from .base import RequestFilter
from .capture import Capture
from .exchange import Answer, Exchange, Injection, Outcome, Verdict
from .gate.filter import Gate
from .inject import Inject, frame
from .options import RequestRecallOptions
from .recall import Recall
from .rewrite.filter import Rewrite

__all__ = [
    "Answer",
    "Capture",
    "Exchange",
    "Injection",
    "Outcome",
    "RequestFilter",
    "RequestRecallOptions",
    "Verdict",
    "request_filters",
]


def request_filters(
    options: RequestRecallOptions, recaller: Recaller, tokens: TokenCounter
) -> list[RequestFilter]:
    """The filters of the request side, in the order they run."""
    return [
        Gate(options.gate),
        Rewrite(options.rewrite),
        Recall(recaller, reserve_tokens=tokens.count(frame())),
        Inject(options.position),
    ]
