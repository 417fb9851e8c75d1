"""Every name that leaves the process: spans and metrics.

Names of spans follow the GenAI semantic conventions, which are still in development. Names of
metrics follow the rules of Prometheus: a unit at the end, ``_total`` for counters. The dashboard
and the alerts in ``helm/recollect/files`` use names of this module only, and every one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from recollect.memory.model.jobs import JobKind

SCOPE_NAME = "recollect"
SERVICE_NAME = "recollect"
"""Unless the variable OTEL_SERVICE_NAME says otherwise."""

CHAT_OPERATION = "chat"
"""The span of the request to the model server is named after it and the model."""
RECALL_SPAN = "search_memory"
LEARN_SPAN = "upsert_memory"
SETTLE_SPAN = "settle_conflicts"
"""A learning run that judges memories of one matter."""
RUN_SPANS: Mapping[JobKind, str] = {
    **{kind: f"{kind.value}_memory" for kind in JobKind},
    JobKind.LEARN: LEARN_SPAN,
    JobKind.JUDGE: SETTLE_SPAN,
}
"""The span of a run of a job, by its kind."""
TOOL_OPERATION = "execute_tool"
"""The span of a call of an injected tool is named after it and the tool."""
CONFLICT_SPAN = "memory.conflict"
"""What was decided of a fact that a memory is near to."""
AUDIT_SPAN = "audit_memory"
"""What was added to the event log: an event for each of its events."""
AUDIT_EVENT = "recollect.audit.{}"
"""Named after what was done: `append`, `promote`, `amend`, `revoke`, `inject`."""
CREATE_SPAN, UPDATE_SPAN, DELETE_SPAN = "create_memory", "update_memory", "delete_memory"

API_SPANS: Mapping[str, str] = {
    "add": LEARN_SPAN,
    "search": RECALL_SPAN,
    "search_posted": RECALL_SPAN,
    "search_v2": RECALL_SPAN,
    "search_v3": RECALL_SPAN,
    "server_search": RECALL_SPAN,
    "add_v3": LEARN_SPAN,
    "server_add": LEARN_SPAN,
    "update": UPDATE_SPAN,
    "batch_update": UPDATE_SPAN,
    "server_update": UPDATE_SPAN,
    "settle": SETTLE_SPAN,
    "delete": DELETE_SPAN,
    "server_delete": DELETE_SPAN,
    "server_delete_all": DELETE_SPAN,
    "delete_single_all": DELETE_SPAN,
    "delete_single": DELETE_SPAN,
    "batch_delete": DELETE_SPAN,
    "delete_all": DELETE_SPAN,
    "delete_by_query": DELETE_SPAN,
    "forget": DELETE_SPAN,
}
"""The spans of operations of the memory API that have a name in the conventions."""


def api_span(operation: str) -> str:
    """The span of an operation of the memory API."""
    return API_SPANS.get(operation, operation)


class MetricKind(StrEnum):
    """What may be done with the values of a metric."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Metric(NamedTuple):
    """A metric; `labels` never has one that names a user."""

    name: str
    help: str
    labels: tuple[str, ...] = ()
    shared: bool = False
    """Whether workers of one port see the same value: the largest counts, not the sum."""
    spread: bool = False
    """Whether it tells how values are spread."""

    @property
    def kind(self) -> MetricKind:
        """A counter by its name."""
        if self.spread:
            return MetricKind.HISTOGRAM
        return MetricKind.COUNTER if self.name.endswith("_total") else MetricKind.GAUGE


CHATS = Metric(
    "recollect_chats_total",
    "Ended requests to a route with memory, by the words of their headers.",
    ("outcome", "reason"),
)
IN_FLIGHT = Metric("recollect_chats_in_flight", "Chats whose answer has not ended yet.")
FAIL_OPENS = Metric(
    "recollect_fail_opens_total",
    "Chats that went on without memory because something failed.",
    ("cause",),
)
REFUSED = Metric(
    "recollect_refused_by_upstream_total",
    "Chats that were sent again as they came, because the model server refused the memories.",
)
DEADLINES = Metric("recollect_deadline_hits_total", "Recalls that were given up at their deadline.")
RECALL_SECONDS = Metric("recollect_recall_seconds", "Time that a recall held a chat.", spread=True)
INJECTED = Metric("recollect_injected_memories_total", "Memories that chats were given.")
INJECTED_TOKENS = Metric(
    "recollect_injected_tokens_total", "Tokens of memories that chats were given."
)
BREAKER = Metric(
    "recollect_breaker_open", "1 while recalls are refused because they failed.", shared=True
)
STALLS = Metric("recollect_loop_stalls_total", "Stalls of the event loop beyond 100 ms.")
LONGEST_STALL = Metric(
    "recollect_loop_longest_stall_seconds", "Longest stall since the start.", shared=True
)
QUEUE_JOBS = Metric(
    "recollect_queue_jobs", "Jobs by state; dead ones wait for a person.", ("state",), shared=True
)
QUEUE_OLDEST = Metric(
    "recollect_queue_oldest_seconds", "Age of the oldest unfinished job.", shared=True
)
LOST_TURNS = Metric("recollect_lost_turns_total", "Turns that could not be stored.")
OVERFLOWS = Metric("recollect_queue_overflows_total", "Turns that found the queue full.")
RUNS = Metric(
    "recollect_learning_runs_total",
    "Runs of learning jobs; the failure is empty without one.",
    ("outcome", "failure"),
)
OPERATIONS = Metric(
    "recollect_memory_operations_total", "Decisions of learning about memories.", ("event",)
)
API_CALLS = Metric(
    "recollect_api_calls_total",
    "Operations of the memory API that were asked for; the outcome is ok, refused or failed.",
    ("operation", "outcome"),
)
API_SECONDS = Metric(
    "recollect_api_seconds",
    "Time until the answer of an operation of the memory API.",
    ("operation",),
    spread=True,
)
TOOL_CALLS = Metric(
    "recollect_tool_calls_total",
    "Calls of injected tools that chats had carried out; the outcome is ok or error.",
    ("tool", "outcome"),
)
WITHHELD = Metric(
    "recollect_withheld_total",
    "What a policy kept from models: lines of chats (chat), and what requests of ours held (call).",
    ("of",),
)
EXTRACTION_CALLS = Metric(
    "recollect_extraction_calls_total",
    "Calls of models for learning that were answered; the model as its server names it.",
    ("tenant", "model"),
)
EXTRACTION_TOKENS = Metric(
    "recollect_extraction_tokens_total",
    "Tokens of these calls: input or output; estimated if the server does not tell.",
    ("tenant", "model", "type"),
)
UPKEEP_RUNS = Metric(
    "recollect_upkeep_runs_total", "Runs of upkeep by kind and how they ended.", ("kind", "outcome")
)
UPKEEP_TOKENS = Metric(
    "recollect_upkeep_tokens_total",
    "Tokens of calls of models by kind of upkeep: input or output.",
    ("kind", "type"),
)
QUARANTINED = Metric(
    "recollect_quarantined_memories",
    "Memories of all tenants that nobody has validated.",
    shared=True,
)
LEFT_OUT = Metric(
    "recollect_left_out_memories",
    "Those of them that waited for a person too long (`trust.review`).",
    shared=True,
)
CONFLICTS = Metric(
    "recollect_pending_conflicts",
    "Memories of all tenants that wait for a judgement beside another of the same matter.",
    shared=True,
)
GRAPH_LINKED = Metric(
    "recollect_graph_linked_total",
    "Memories that were linked in the graph, or unlinked, because they were written.",
)
GRAPH_WAITING = Metric(
    "recollect_graph_waiting",
    "Written memories that the graph does not follow yet: many while it is down.",
)
PROMPT_TOKENS = Metric(
    "recollect_reported_prompt_tokens_total",
    "Prompt tokens of chats whose answers told how many of them were in the server's cache.",
)
CACHED_TOKENS = Metric(
    "recollect_cached_prompt_tokens_total",
    "Those of them that were: the cached share is the quotient.",
)

METRICS = tuple(each for each in tuple(globals().values()) if isinstance(each, Metric))
"""All of them, in the order of the exposition."""
